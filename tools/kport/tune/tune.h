/* The parts of `kport tune`. measure.c measures settings, file.c writes the profile's file, and
 * audit.c audits the library's choices. */
#ifndef KPORT_TOOLS_TUNE_H
#define KPORT_TOOLS_TUNE_H

#include "kport.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#define TUNE_MOST_SETTINGS 64

/* What `kport tune` has to measure or audit. A setting is a pair of an n and a k. */
struct tune_job {
    /* The carrier, the workers and the discipline of all machines; n and k come from the
     * settings. */
    kp_config machine;
    int n[TUNE_MOST_SETTINGS], k[TUNE_MOST_SETTINGS];
    int settings;
    int usual_n;      /* the n without -n */
    bool both;        /* both disciplines are measured, one after the other */
    int operation;    /* the kp_operation to be measured, or -1 for all tuned operations */
    uint64_t seconds; /* how many seconds each setting may take */
    uint64_t seed;
    const char *path; /* the path of the profile's file */
    bool named;       /* the user has named the profile */
    int done;         /* how many settings have been measured */
};

/* `tune_is_asked` returns whether the job includes element number `o` of tuned_operations
 * (tuning.h). `tune_problems` returns how many problems there are if each operation of the job is
 * measured with `lengths` block lengths. */
bool tune_is_asked(const struct tune_job *job, int o);
int tune_problems(const struct tune_job *job, int lengths);

/* Writes the carrier, with the processes if there are several. */
void tune_carrier_format(const struct tune_job *job, char *text, size_t size);

/* Measures one setting. Returns a new JSON object that a profile can contain. An operation for
 * which there was no time is left out, and a message on stderr names this operation. On an error
 * prints an error message on stderr and returns NULL. It also returns NULL after an interrupt. */
json_t *tune_setting(const struct tune_job *job, int n, int k);

/* Makes the folders of `path` that are missing, and tests whether a file can be written at `path`.
 * Returns an exit status. */
int tune_file_check(const char *path, bool named);

/* Writes a measured setting to the profile at `path`. It replaces an older measurement of the same
 * setting. Of the file's other settings, those that the library accepts stay; the function drops
 * the rest and prints why. The file is either replaced completely or left unchanged. The function
 * drops the caller's reference to `setting`. Returns an exit status. */
int tune_write(const char *path, json_t *setting);

/* Compares the library's choices with the best measured candidates, for a grid of problems
 * (audit.c). After an interrupt, prints the results of the settings that are complete. Returns an
 * exit status. */
int tune_audit(const struct tune_job *job, const kp_profile *profile, bool json);

#endif
