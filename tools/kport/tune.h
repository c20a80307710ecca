/* The parts of `kport tune`: settings measured into a profile, the profile kept, the audit. */
#ifndef KPORT_TOOLS_TUNE_H
#define KPORT_TOOLS_TUNE_H

#include "kport.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define TUNE_MOST_SETTINGS 64

/* What is to be measured, or audited. */
struct tune_job {
    kp_config machine; /* carrier, workers, discipline */
    int n[TUNE_MOST_SETTINGS], k[TUNE_MOST_SETTINGS];
    int settings;
    bool both;        /* disciplines, one after the other */
    int operation;    /* -1: all that are tuned */
    uint64_t seconds; /* for a setting */
    uint64_t seed;
    const char *path; /* of the profile */
};

/* Whether the job is about an operation of tuned_operations, by its number there; and how many
 * problems that makes with so many lengths of blocks each. */
bool tune_is_asked(const struct tune_job *job, int o);
int tune_problems(const struct tune_job *job, int lengths);

/* Measures one setting: a new object as the profile has it; NULL after a message. */
json_t *tune_setting(const struct tune_job *job, int n, int k);

/* Puts settings into the profile at `path`, in the place of those it has for the same; other ones
 * stay, if it is a profile of this machine, else they are dropped, and that is said. The file is
 * replaced as a whole. An exit status. */
int tune_write(const char *path, json_t *settings);

/* Compares, over a grid of problems, the choice with what is measured to be the best. An exit
 * status. */
int tune_audit(const struct tune_job *job, const kp_profile *profile, bool json);

#endif
