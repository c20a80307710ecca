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

/* Measures one setting: a new object as the profile has it. An operation that there was no time for
 * is not in it, which is said. NULL after a message, or when interrupted. */
json_t *tune_setting(const struct tune_job *job, int n, int k);

/* Whether a profile can be written to `path`, whose folders are made. An exit status. */
int tune_file_check(const char *path);

/* Puts a setting into the profile at `path`, in the place of the one it has for the same. Others
 * stay, if the library takes them; what it does not take is dropped, and that is said. The file is
 * replaced as a whole. Takes the reference. An exit status. */
int tune_write(const char *path, json_t *setting);

/* Compares, over a grid of problems, the choice with what is measured to be the best. When
 * interrupted it tells of the settings that are done. An exit status. */
int tune_audit(const struct tune_job *job, const kp_profile *profile, bool json);

#endif
