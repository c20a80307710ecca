#include "tools/kport/schedule/choice.h"

#include "lib/tune/profile.h"
#include "tools/kport/command.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/files/read.h"
#include "tools/kport/schedule/facts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static kp_profile *profile; /* the profile in use; NULL: the built-in model is in use */
static char by[1600];
static bool looked;

static void forget(void)
{
    kp_profile_free(profile);
}

static void look(void)
{
    if (kp_profile_find(&profile, by, sizeof by) || (profile && profile->left_out[0]))
        fprintf(stderr, "kport: tuned by %s\n", by);
    looked = true;
    (void)atexit(forget);
}

int choice_by(const char *tune, kp_config *machine)
{
    if (!tune)
        return EXIT_DONE;
    if (strcmp(tune, "builtin") == 0) {
        machine->tuning = KP_TUNING_BUILTIN;
        snprintf(by, sizeof by, "the built-in model: --tune is builtin");
    } else if (kp_profile_read(tune, &profile) == KP_OK) {
        machine->profile = profile;
        snprintf(by, sizeof by, "profile %s, which --tune names", tune);
        if (profile->left_out[0])
            fprintf(stderr, "kport: %s: %s\n", tune, profile->left_out);
        (void)atexit(forget);
    } else {
        fprintf(stderr, "kport: --tune is \"%.200s\"; it may be builtin or a profile: %s\n", tune,
                kp_last_error()->sentence);
        return EXIT_IMPOSSIBLE;
    }
    looked = true;
    return EXIT_DONE;
}

const kp_profile *choice_profile(const char **sentence)
{
    if (!looked)
        look();
    *sentence = by;
    return profile;
}

int choice_find(const kp_config *machine, kp_problem *problem)
{
    const char *sentence;
    kp_prediction choice;
    kp_config config = *machine;
    config.processors = problem->n;
    config.ports = problem->k;
    const int status = kp_predict(&config, choice_profile(&sentence), problem, NULL, NULL, &choice);
    if (!status)
        *problem = choice.problem;
    return status;
}

int choice_make(const kp_config *machine, kp_problem *problem)
{
    return choice_find(machine, problem) ? facts_refuse() : EXIT_DONE;
}

int choice_read(const char *text, const char *tune, kp_problem *problem)
{
    char rest[512];
    kp_config machine = {0};
    int status = machine_keys_take(text, rest, sizeof rest, &machine);
    status = status ? status : choice_by(tune, &machine);
    status = status ? status : read_argument(rest, problem);
    return status ? status : choice_make(&machine, problem);
}
