/* Profiles: times that `kport tune` has measured on a machine, and predictions from them.
 *
 * A setting is n, k, the carrier and the discipline. For each setting a profile holds the time of
 * an empty round (beta) and of a byte (tau). For each operation it holds the gammas of Bruck et al.
 * 1997, section 3.5: T = gamma1 C1 beta + gamma2 C2 tau + gamma3. For each candidate (an algorithm
 * with parameters) it holds times measured at some lengths. A prediction interpolates these times
 * linearly between lengths; beyond the lengths it is proportional to T.
 *
 * A machine uses the first of these sources that exists:
 * 1. the config: beta_us or tau_us (then only the linear model), `profile`, or `tuning`
 * 2. the environment variable KPORT_TUNE: a file's name; "builtin" or "off": no profile; "measure":
 *    KP_TUNING_MEASURED
 * 3. the file kport/profile.json in $XDG_CACHE_HOME, or in .cache in $HOME
 * It uses the built-in model (kp_model_builtin) if there is none, if kport refuses the profile, or
 * if the profile has nothing for the problem. kp_tuned_by tells which.
 *
 * A profile also holds thresholds: the lengths from which bytes stay in place instead of being
 * packed, both ends copy, or stores bypass the cache. Without them a process measures them when it
 * makes its first machine of threads, in 2 ms; the system tells the size of the caches.
 * KP_TUNING_BUILTIN, and "builtin" in KPORT_TUNE, use the same numbers everywhere: 4096 bytes for
 * two threads that spin, else 8192; 16384; 32 MiB. Fibers always use these to decide what to pack,
 * so that a seed gives the same order in every process. Thresholds change no result. `kport
 * explain` prints them.
 *
 * A profile decides which algorithm serves, and so the last bits of a floating-point reduction.
 * They are the same on every run with the same profile. */
#ifndef KPORT_PROFILE_H
#define KPORT_PROFILE_H

#include "group.h"
#include "machine.h"
#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `kp_profile_read` reads a profile of this machine and this version; `kp_profile_free` frees it.
 * Any thread may call them. A profile never changes, and any number of machines may use it until it
 * is freed. Reading leaves out a setting that is wrong, or that names an algorithm that has changed
 * or is gone, and keeps the other settings; kp_tuned_by then says so. Algorithms that are new since
 * then change nothing. Errors: KP_EPROFILE for any other file and for one without a valid setting,
 * with a sentence that says why (kp_last_error); KP_EMEMORY. */
KP_API int kp_profile_read(const char *path, kp_profile **profile) KP_MUST_CHECK;
KP_API void kp_profile_free(kp_profile *profile);

/* Stores the profile that KPORT_TUNE or the cache gives; NULL if neither does. Writes to `text`, in
 * at most `size` bytes including the final zero, a sentence that says what kport uses now, why, and
 * what it left out. Errors: KP_EPROFILE if kport refused a profile, KP_EMEMORY. Any thread may call
 * it, but not beside a change of the environment. */
KP_API int kp_profile_find(kp_profile **profile, char *text, size_t size) KP_MUST_CHECK;

/* The prediction for one candidate; times are in microseconds. */
typedef struct kp_prediction {
    kp_problem problem;    /* the problem with the candidate's algorithm and parameters */
    kp_discipline rounds;  /* the discipline */
    uint64_t c1, c2;       /* C1, and C2 in bytes, as stated for the algorithm */
    double rounds_us;      /* gamma1 C1 beta */
    double bytes_us;       /* gamma2 C2 tau, or its upper bound (kp_model) */
    double rest_us;        /* gamma3 */
    double measured_ratio; /* measured time / (rounds_us + bytes_us + rest_us); 1: not measured */
    double us;             /* the sum of the three times measured_ratio; kport compares this */
    int measured; /* 1: the profile has times of this candidate. Such candidates precede all others,
                     for which only T is known */
} kp_prediction;

typedef void kp_on_prediction(const kp_prediction *prediction, void *arg);

/* Predicts the time of every candidate for a problem on a machine with this config. Calls `visit`
 * for each (NULL: no call), and stores the first with the least time in `choice` (NULL: not
 * stored). Calls on such a machine use that candidate. If `profile` is NULL or has nothing for the
 * problem, the built-in model predicts, or beta_us and tau_us of the config; `visit` then sees a
 * few values of each parameter, but the choice is among all. `config` NULL: the default. Errors: as
 * kp_tune. Pure; any thread may call it. */
KP_API int kp_predict(const kp_config *config, const kp_profile *profile, const kp_problem *problem,
                      kp_on_prediction *visit, void *arg, kp_prediction *choice) KP_MUST_CHECK;

/* Returns 1 if the profile has times for the problem on such a machine, else 0. Pure; any thread
 * may call it. */
KP_API int kp_profile_serves(const kp_profile *profile, const kp_config *config,
                             const kp_problem *problem);

/* Writes a sentence that says what the group's machine chooses its algorithms by: a profile, and
 * what kport left out of it, or the built-in model, and why. Writes at most `size` bytes including
 * the final zero. Returns the full length, as snprintf does, or a status. Called by the thread that
 * carries the processor. */
KP_API int kp_tuned_by(kp_group *group, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
