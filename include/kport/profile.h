/* Profiles: what `kport tune` has measured on a machine, and the predictions made from it.
 *
 * For each setting (n, k, what carries the processors, what keeps the rounds) a profile holds the
 * time of an empty round (beta) and of a byte (tau); for each operation the gammas of Bruck et
 * al. 1997, section 3.5, T = gamma1 C1 beta + gamma2 C2 tau + gamma3; and for each candidate the
 * times measured for blocks of some lengths. A prediction is the measured time, between two lengths
 * on the straight line that joins them, beyond them in proportion to T.
 *
 * Which profile a machine goes by, the first of these that there is:
 *   1. the config: beta_us or tau_us (then the linear model alone), `profile`, or `tuning`
 *   2. the environment variable KPORT_TUNE: a file's name; "builtin" or "off": none; "measure": as
 *      KP_TUNING_MEASURED
 *   3. the file kport/profile.json in $XDG_CACHE_HOME, or in .cache in $HOME
 * and else, or where that profile holds nothing for the problem, the built-in model
 * (kp_model_builtin), which is also what serves where a profile is refused; kp_tuned_by tells.
 *
 * A profile also holds from how many bytes on they are moved in another way: left where they are
 * instead of packed, copied by both ends, written past the cache. Without a profile that has them
 * they are measured when a process makes its first machine of threads, in 2 ms, and the size of the
 * caches is the system's; KP_TUNING_BUILTIN, and "builtin" in KPORT_TUNE, take numbers that are the
 * same everywhere (4096 bytes for two threads that spin, else 8192; 16384; 32 MiB). Fibers are
 * packed for by these always, so that a seed gives the same order in every process. They change no
 * result. `kport explain` tells them.
 *
 * A profile decides which algorithm serves, and so the last bits of a floating-point reduction:
 * they are the same on every run with the same profile. */
#ifndef KPORT_PROFILE_H
#define KPORT_PROFILE_H

#include "group.h"
#include "machine.h"
#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a profile of this machine and this version. Any other file is refused: KP_EPROFILE, and the
 * sentence says what is wrong (kp_last_error). A setting that is wrong, or that names an algorithm
 * which has changed or is gone, is left out, and the others are taken; kp_tuned_by says so for a
 * machine that goes by such a profile. A new algorithm changes nothing: what was measured serves
 * on. A file without a right setting is refused. KP_EMEMORY. Any thread. Freed by kp_profile_free;
 * it never changes, and any number of machines may go by it until then. */
KP_API int kp_profile_read(const char *path, kp_profile **profile) KP_MUST_CHECK;
KP_API void kp_profile_free(kp_profile *profile);

/* The profile that KPORT_TUNE or the cache gives; NULL where none does. Writes to `text` in a
 * sentence what serves now and why, and what was left out of it, at most `size` bytes with the
 * final zero. KP_EPROFILE if there is one that was refused, KP_EMEMORY. Any thread, not beside a
 * change of the environment. */
KP_API int kp_profile_find(kp_profile **profile, char *text, size_t size) KP_MUST_CHECK;

/* What is predicted for one candidate, in microseconds. */
typedef struct kp_prediction {
    kp_problem problem;    /* nothing left open */
    kp_discipline rounds;  /* what keeps them */
    uint64_t c1, c2;       /* as stated for the algorithm */
    double rounds_us;      /* gamma1 C1 beta */
    double bytes_us;       /* gamma2 C2 tau, or what bounds it (kp_model) */
    double rest_us;        /* gamma3 */
    double measured_ratio; /* what was measured here, by what the three say; 1: nothing was */
    double us;             /* their sum, times that ratio: what is compared */
    int measured;          /* 1: the profile holds times of this candidate. Those come before all
                              others, of which nothing is known but the shape */
} kp_prediction;

typedef void kp_on_prediction(const kp_prediction *prediction, void *arg);

/* Predicts the time of every candidate for a problem on a machine with this config, calls `visit`
 * for each (NULL: nobody), and stores the first with the least time in `choice` (NULL: nowhere);
 * it is what calls on such a machine are served by. `profile` NULL, or one that holds nothing for
 * the problem: by the built-in model, or by beta_us and tau_us of the config; then `visit` is shown
 * the same few values of each parameter, but the choice is made among all. `config` NULL: the
 * default. Errors as of kp_tune. Any thread; pure. */
KP_API int kp_predict(const kp_config *config, const kp_profile *profile, const kp_problem *problem,
                      kp_on_prediction *visit, void *arg, kp_prediction *choice) KP_MUST_CHECK;

/* Whether the profile holds anything for the problem on such a machine. Pure. */
KP_API int kp_profile_serves(const kp_profile *profile, const kp_config *config,
                             const kp_problem *problem);

/* By what the group's machine chooses its algorithms, as a sentence: a profile, and what was left
 * out of it, or the built-in model and why. Writes at most `size` bytes with the final zero.
 * Returns its length as snprintf does, or a status. Called by the processor itself. */
KP_API int kp_tuned_by(kp_group *group, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
