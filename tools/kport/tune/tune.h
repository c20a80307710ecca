/* The parts of `kport tune`: measuring settings into a profile, the profile's file, the audit. */
#ifndef KPORT_TOOLS_TUNE_H
#define KPORT_TOOLS_TUNE_H

#include "kport.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define TUNE_MOST_SETTINGS 64

/* What to measure or audit. A setting is an n and a k. */
struct tune_job {
    kp_config machine; /* carrier, workers and discipline */
    int n[TUNE_MOST_SETTINGS], k[TUNE_MOST_SETTINGS];
    int settings;
    bool both;        /* measure both disciplines, one after the other */
    int operation;    /* an operation, or -1: all tuned operations */
    uint64_t seconds; /* the time for a setting */
    uint64_t seed;
    const char *path; /* the path of the profile */
};

/* `tune_is_asked` returns whether the job includes operation number `o` of tuned_operations.
 * `tune_problems` returns the number of problems if each operation is measured with `lengths` block
 * lengths. */
bool tune_is_asked(const struct tune_job *job, int o);
int tune_problems(const struct tune_job *job, int lengths);

/* Measures one setting. Returns a new JSON object as profiles have it. Operations for which there
 * was no time are left out, with a message. Returns NULL after a message or at an interrupt. */
json_t *tune_setting(const struct tune_job *job, int n, int k);

/* Tests that a profile can be written to `path`, and makes its folders. Returns an exit status. */
int tune_file_check(const char *path);

/* Writes a setting into the profile at `path`, in place of an older measurement of the same
 * setting. Other settings stay if the library accepts them; otherwise they are dropped with a
 * message. The file is replaced as a whole. Takes over the caller's reference. Returns an exit
 * status. */
int tune_write(const char *path, json_t *setting);

/* Compares the library's choices with the best measured candidates over a grid of problems. After
 * an interrupt prints the settings that are done. Returns an exit status. */
int tune_audit(const struct tune_job *job, const kp_profile *profile, bool json);

#endif
