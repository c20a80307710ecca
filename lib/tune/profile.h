/* A profile in memory. */
#ifndef KPORT_LIB_PROFILE_H
#define KPORT_LIB_PROFILE_H

#include "kport/model.h"
#include "kport/profile.h"
#include "lib/tune/thresholds.h"

#include <stdbool.h>

/* Format 1 has no thresholds. In formats 1 and 2 the stamp has one hash for the whole table. */
#define KP_PROFILE_FORMAT     3
#define KP_PROFILE_SIZES      32 /* the most lengths of blocks for an operation */
#define KP_PROFILE_CURVES     4096
#define KP_PROFILE_MOST_US    1e12
#define KP_PROFILE_MOST_BYTES (sizeof(long) > 4 ? 1e15 : 1e9)
#define KP_PROFILE_FILE_BYTES ((size_t)64 << 20)

/* The measured times of one candidate by length; 0 where the candidate could not be measured. */
struct kp_curve {
    const kp_algorithm *algorithm;
    long values[KP_PARAMETERS];
    double us[KP_PROFILE_SIZES];
};

struct kp_measured_operation {
    double gamma[3]; /* time = gamma[0] C1 beta + gamma[1] C2 tau + gamma[2] */
    int sizes;
    size_t b[KP_PROFILE_SIZES]; /* the measured lengths, ascending */
    struct kp_curve *curves;
    int curve_count;
};

struct kp_setting {
    int place; /* the index in the file's list */
    int n, k;
    kp_carrier carrier;
    int workers; /* as in the configuration */
    kp_discipline rounds;
    double beta_us, tau_us;
    struct kp_measured_operation *operations[KP_OPERATIONS]; /* NULL: not measured */
};

#define KP_PROFILE_WHY 320

struct kp_profile {
    struct kp_setting *settings;
    int count;
    struct kp_thresholds thresholds; /* `from` is NULL if the profile has none */
    /* Empty, or ", without 1 of its 3 settings (number 2: the reason)". */
    char left_out[KP_PROFILE_WHY + 80];
};

/* The version, table and machine that a profile was made with. */
struct kp_stamp {
    char version[64]; /* the version of the library, and how it was built */
    char table[20];   /* formats 1 and 2: a hash of all algorithms and their parameters */
    char machine[160];
};
void kp_stamp_here(struct kp_stamp *stamp);

/* Writes the text that stands for an algorithm in the table of format 3. The text differs if the
 * algorithm has changed. */
#define KP_STAMP_ALGORITHM 96
void kp_stamp_algorithm(const kp_algorithm *algorithm, char *text, size_t size);

/* Reads the text of a profile. `name` is the profile's name in error sentences. */
int kp_profile_parse(const char *name, const char *text, size_t length, kp_profile **profile);

/* Returns what was measured for this problem on a machine of this configuration, or NULL. */
const struct kp_setting *kp_profile_setting(const kp_profile *profile, const kp_config *config,
                                            kp_discipline rounds, const kp_problem *problem);

/* Returns the linear model for n processors and k ports. It has the configuration's constants if
 * there are any, otherwise the built-in ones. */
kp_model kp_model_of(const kp_config *config, int n, int k);

/* Returns a candidate's times, or NULL if it was not measured. */
const struct kp_curve *kp_profile_curve(const struct kp_measured_operation *operation,
                                        const kp_problem *candidate);

/* Writes the path of the profile in the user's cache folder. Returns false if no folder is
 * known. */
bool kp_profile_cache(char *path, size_t size);

/* As kp_profile_find. Also sets `asked` to the choice that KPORT_TUNE asks for. */
int kp_profile_from_environment(kp_profile **profile, kp_tuning *asked, char *text, size_t size);

const char *kp_carrier_name(kp_carrier carrier);
const char *kp_discipline_name(kp_discipline rounds);

/* --- tuned.c --- */

/* What a machine chooses by. It is the same for all members until the machine ends. */
struct kp_tuned {
    bool measured;             /* the first calls are measured */
    const kp_profile *profile; /* NULL: the built-in model */
    kp_profile *own;           /* a profile to free with the machine's schedules, or NULL */
    struct kp_thresholds thresholds;
    char why[1600];
};

/* Fills `tuned` for a machine of this configuration. `by_threads` says that its processors are
 * several threads that share memory. */
void kp_tuned_find(const kp_config *config, bool by_threads, struct kp_tuned *tuned);

#endif
