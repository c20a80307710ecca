/* This header declares the contents of a profile in memory (kport/profile.h explains profiles). */
#ifndef KPORT_LIB_PROFILE_H
#define KPORT_LIB_PROFILE_H

#include "kport/model.h"
#include "kport/profile.h"
#include "lib/tune/thresholds.h"

#include <stdbool.h>
#include <stdint.h>

/* The number of the current file format. Format 1 has no thresholds. In formats 1 and 2, a
 * profile's revision (kp_revision) has one hash for the whole table of algorithms. */
#define KP_PROFILE_FORMAT     3
#define KP_PROFILE_SIZES      32 /* the largest number of measured lengths of an operation */
#define KP_PROFILE_CURVES     4096
#define KP_PROFILE_MOST_US    1e12
#define KP_PROFILE_MOST_BYTES (sizeof(long) > 4 ? 1e15 : 1e9)
#define KP_PROFILE_FILE_BYTES ((size_t)64 << 20)

/* The measured times of one candidate. us[i] is the time for length b[i] of the operation; 0: this
 * length was not measured. */
struct kp_curve {
    const kp_algorithm *algorithm;
    long values[KP_PARAMETERS];
    double us[KP_PROFILE_SIZES];
};

struct kp_measured_operation {
    double gamma[3]; /* predicted time: gamma[0] C1 beta + gamma[1] C2 tau + gamma[2] */
    int sizes;
    size_t b[KP_PROFILE_SIZES]; /* the measured lengths of blocks, in ascending order */
    struct kp_curve *curves;
    int curve_count;
};

struct kp_setting {
    int number;            /* the number of the setting in the file */
    int n, k, per_process; /* 1: no two processors shared a process */
    kp_carrier carrier;
    int workers; /* the number of workers, as in the configuration */
    /* Of KP_CARRIER_MPI: what carries the messages and its version; else "". */
    char network[KP_NETWORK_BYTES];
    kp_discipline discipline;
    double beta_us, tau_us;
    /* NULL: the operation was not measured. */
    struct kp_measured_operation *operations[KP_OPERATIONS];
};

#define KP_PROFILE_WHY 320

struct kp_profile {
    struct kp_setting *settings;
    int count;
    /* `thresholds.from` is NULL if the profile has no thresholds. */
    struct kp_thresholds thresholds;
    /* A text that says what kport left out of the profile, such as ", without 1 of its 3 settings
     * (number 2: the reason)". Empty: nothing. */
    char left_out[KP_PROFILE_WHY + 80];
};

/* The revision says with which version and which table of algorithms, and on which machine, a
 * profile was made. */
struct kp_revision {
    char version[64]; /* the version of the library, and how the library was built */
    char table[20];   /* formats 1 and 2: a hash of all algorithms and their parameters */
    char machine[160];
};
void kp_revision_here(struct kp_revision *revision);

/* Writes the name that the system gives to this computer's processor; "": it gives none. */
void kp_revision_processor(char *name, size_t size);

/* Returns a hash of the library's algorithms; with `registered`, also of the registered ones. A
 * profile's hash has only the library's, so that a profile stays usable whatever is registered. */
uint64_t kp_revision_table(bool registered);

/* Writes the text by which format 3 records an algorithm. If the algorithm changes, so does its
 * text. */
#define KP_STAMP_ALGORITHM 96
void kp_revision_algorithm(const kp_algorithm *algorithm, char *text, size_t size);

/* Makes a profile from its text. Error sentences call the profile `name`. */
int kp_profile_parse(const char *name, const char *text, size_t length, kp_profile **profile);

/* Returns the setting that has the problem's n and k, this configuration and this discipline, and
 * in which the problem's operation was measured. Returns NULL if there is none. */
const struct kp_setting *kp_profile_setting(const kp_profile *profile, const kp_config *config,
                                            kp_discipline discipline, const kp_problem *problem);

/* Returns the setting by whose formula kp_predict predicts the times of a valid problem with this
 * discipline. NULL: the profile has none, or the config has beta_us or tau_us. (lib/cost/predict.c)
 */
const struct kp_setting *kp_predict_setting(const kp_profile *profile, const kp_config *config,
                                            const kp_problem *problem, kp_discipline discipline);

/* Returns the linear model for n processors and k ports. Its constants come from the configuration
 * if they are set there, otherwise they are built-in. */
kp_model kp_model_of(const kp_config *config, int n, int k);

/* Returns the measured times of a candidate, or NULL if it was not measured. */
const struct kp_curve *kp_profile_curve(const struct kp_measured_operation *operation,
                                        const kp_problem *candidate);

/* Writes the path of the profile in the user's cache folder. Returns false if the environment names
 * no such folder. */
bool kp_profile_cache(char *path, size_t size);

/* Does the same as kp_profile_find. Also stores in `asked` the tuning that the environment variable
 * KPORT_TUNE asks for. */
int kp_profile_from_environment(kp_profile **profile, kp_tuning *asked, char *text, size_t size);

const char *kp_carrier_name(kp_carrier carrier);
const char *kp_discipline_name(kp_discipline discipline);

/* --- tuned.c --- */

/* What a machine uses to choose algorithms. It stays the same until the machine ends. */
struct kp_tuned {
    bool measured;             /* whether the first calls are measured (KP_TUNING_MEASURED) */
    const kp_profile *profile; /* the profile; NULL: the built-in model */
    kp_profile *own; /* the profile, if it must be freed with the machine's schedules; else NULL */
    struct kp_thresholds thresholds;
    char why[1600];
};

/* Fills in `tuned` for a machine with this configuration. `by_threads` says that the machine has
 * several processors, which are threads and share memory. */
void kp_tuned_find(const kp_config *config, bool by_threads, struct kp_tuned *tuned);

#endif
