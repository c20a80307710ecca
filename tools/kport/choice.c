#include "choice.h"

#include "command.h"
#include "facts.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static kp_profile *profile; /* NULL: none */
static bool looked;

static void forget(void)
{
    kp_profile_free(profile);
}

static void look(void)
{
    char by[1400];
    if (kp_profile_find(&profile, by, sizeof by)) {
        fprintf(stderr, "kport: tuned by %s\n", by);
        profile = NULL;
    }
    looked = true;
    (void)atexit(forget);
}

int choice_make(const kp_config *machine, kp_problem *problem)
{
    kp_prediction choice;
    kp_config config = *machine;
    config.processors = problem->n;
    config.ports = problem->k;
    if (!looked)
        look();
    if (kp_predict(&config, profile, problem, NULL, NULL, &choice))
        return facts_refuse();
    *problem = choice.problem;
    return EXIT_DONE;
}

int choice_write(const kp_config *machine, char *text, size_t size)
{
    kp_problem problem;
    int status = kp_problem_parse(text, &problem) ? facts_refuse() : choice_make(machine, &problem);
    if (!status)
        kp_problem_format(&problem, text, size);
    return status;
}
