/* A profile in memory. */
#ifndef KPORT_LIB_PROFILE_H
#define KPORT_LIB_PROFILE_H

#include "kport/model.h"
#include "kport/profile.h"
#include "lib/tune/thresholds.h"

#include <stdbool.h>

/* Format 1 had no thresholds, and up to 2 the stamp had one hash for the whole table. */
#define KP_PROFILE_FORMAT     3
#define KP_PROFILE_SIZES      32 /* lengths of blocks measured of an operation, at most */
#define KP_PROFILE_CURVES     4096
#define KP_PROFILE_MOST_US    1e12
#define KP_PROFILE_MOST_BYTES (sizeof(long) > 4 ? 1e15 : 1e9)
#define KP_PROFILE_FILE_BYTES ((size_t)64 << 20)

/* The times of one candidate; 0 where it could not be measured. */
struct kp_curve {
    const kp_algorithm *algorithm;
    long values[KP_PARAMETERS];
    double us[KP_PROFILE_SIZES];
};

struct kp_measured_operation {
    double gamma[3]; /* rounds, bytes, and microseconds */
    int sizes;
    size_t b[KP_PROFILE_SIZES]; /* growing */
    struct kp_curve *curves;
    int curve_count;
};

struct kp_setting {
    int place; /* in the file's list: 0, 1, ... */
    int n, k;
    kp_carrier carrier;
    int workers; /* as in the config */
    kp_discipline rounds;
    double beta_us, tau_us;
    struct kp_measured_operation *operations[KP_OPERATIONS]; /* NULL: not measured */
};

#define KP_PROFILE_WHY 320

struct kp_profile {
    struct kp_setting *settings;
    int count;
    struct kp_thresholds thresholds; /* from NULL: it has none */
    /* ", without 1 of its 3 settings (number 2: the reason)", or empty. */
    char left_out[KP_PROFILE_WHY + 80];
};

/* What a profile has to have been made with. */
struct kp_stamp {
    char version[64]; /* of the library, and what it was built with */
    char table[20];   /* of all algorithms and their parameters; in formats 1 and 2 */
    char machine[160];
};
void kp_stamp_here(struct kp_stamp *stamp);

/* The table of format 3 has such a text for each algorithm: another one where it has changed. */
#define KP_STAMP_ALGORITHM 96
void kp_stamp_algorithm(const kp_algorithm *algorithm, char *text, size_t size);

/* Reads the text of a profile. `name` is what it is called in sentences. */
int kp_profile_parse(const char *name, const char *text, size_t length, kp_profile **profile);

/* What was measured for such a problem on such a machine, or NULL. */
const struct kp_setting *kp_profile_setting(const kp_profile *profile, const kp_config *config,
                                            kp_discipline rounds, const kp_problem *problem);

/* The linear model for so many processors and ports: the config's constants, or the built-in ones.
 */
kp_model kp_model_of(const kp_config *config, int n, int k);

/* A candidate's times; NULL if it was not measured. */
const struct kp_curve *kp_profile_curve(const struct kp_measured_operation *operation,
                                        const kp_problem *candidate);

/* Where the cache's profile lies; false, with nothing written, where no folder is known. */
bool kp_profile_cache(char *path, size_t size);

/* As kp_profile_find, and how KPORT_TUNE says that is to be chosen. */
int kp_profile_from_environment(kp_profile **profile, kp_tuning *asked, char *text, size_t size);

const char *kp_carrier_name(kp_carrier carrier);
const char *kp_discipline_name(kp_discipline rounds);

/* --- tuned.c --- */

/* By what a machine chooses, the same for all its members to its end. */
struct kp_tuned {
    bool measured;             /* first calls are */
    const kp_profile *profile; /* NULL: the built-in model */
    kp_profile *own;           /* to be freed with the machine's plans */
    struct kp_thresholds thresholds;
    char why[1600];
};

/* For a machine of that configuration, whose threads take part in messages or not. */
void kp_tuned_find(const kp_config *config, bool by_threads, struct kp_tuned *tuned);

#endif
