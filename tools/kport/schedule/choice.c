#include "tools/kport/schedule/choice.h"

#include "lib/tune/profile.h"
#include "tools/kport/command.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/files/read.h"
#include "tools/kport/predict/ways.h"
#include "tools/kport/schedule/facts.h"

#include <float.h>
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

/* Reads a constant of the model. 0 would be the built-in guess to the library, so it becomes the
 * least number above 0. */
static int read_constant(const char *option, const char *text, double *us)
{
    if (!text)
        return EXIT_DONE;
    int status = ways_read_us(option, text, us);
    *us = *us > 0 ? *us : DBL_MIN;
    return status;
}

/* Sets the user's own model. A profile is not looked for. */
static int by_model(const struct choice_wish *wish, kp_config *machine)
{
    if (wish->tune) {
        fprintf(stderr, "kport: --tune is given with %s; one of them chooses\n",
                wish->beta ? "--beta" : "--tau");
        return EXIT_IMPOSSIBLE;
    }
    int status = read_constant("--beta", wish->beta, &machine->beta_us);
    status = status ? status : read_constant("--tau", wish->tau, &machine->tau_us);
    snprintf(by, sizeof by, "the model of the command line:%s%.40s%s%.40s",
             wish->beta ? " beta=" : "", wish->beta ? wish->beta : "", wish->tau ? " tau=" : "",
             wish->tau ? wish->tau : "");
    looked = true;
    return status;
}

int choice_by(const struct choice_wish *wish, kp_config *machine)
{
    const char *tune = wish->tune;
    if (wish->beta || wish->tau)
        return by_model(wish, machine);
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

int choice_read(const char *text, const struct choice_wish *wish, kp_problem *problem)
{
    char rest[512];
    kp_config machine = {0};
    int status = machine_keys_take(text, rest, sizeof rest, &machine);
    status = status ? status : choice_by(wish, &machine);
    status = status ? status : read_argument(rest, problem);
    return status ? status : choice_make(&machine, problem);
}
