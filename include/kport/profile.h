/* A profile holds times that `kport tune` has measured on a machine. From a profile kport predicts
 * the times of algorithms, and chooses the fastest algorithm.
 *
 * A setting is a combination of n, k, per_process, carrier and discipline. A profile holds for each
 * setting
 * - the time of an empty round (beta) and of a byte (tau);
 * - for each operation, gamma1, gamma2 and gamma3 of the formula T = gamma1 C1 beta + gamma2 C2 tau
 *   + gamma3 (Bruck et al. 1997, section 3.5);
 * - for each candidate (an algorithm with parameters), measured times at some lengths. kport
 *   interpolates these times linearly between the lengths. Below the least and above the greatest
 *   length the prediction is proportional to T.
 *
 * A machine uses the first of these sources that exists:
 * 1. the config: beta_us or tau_us (with these the machine uses only the linear model), `profile`,
 *    or `tuning`
 * 2. the environment variable KPORT_TUNE: the name of a profile's file; or "builtin" or "off" to
 *    use no profile; or "measure" to measure first (KP_TUNING_MEASURED)
 * 3. the file kport/profile.json in $XDG_CACHE_HOME, or in .cache in $HOME
 *
 * If no source exists, or if kport refuses the profile, the machine uses the built-in model
 * (kp_model_builtin). The machine also uses the built-in model for a problem for which the profile
 * has no times. kp_tuned_by tells what the machine uses.
 *
 * A profile also holds three kinds of thresholds:
 * - the greatest length of messages that are packed; longer messages stay in place (built-in: 4096
 *   bytes between two threads that spin, else 8192);
 * - the shortest part of a message that the sender copies instead of the receiver (built-in: 16384
 *   bytes);
 * - the size of the caches; a call that moves more uses stores that bypass the cache (built-in: 32
 *   MiB).
 *
 * If a profile has no thresholds, a process measures them within 2 ms when it makes its first
 * machine of threads. The operating system tells the size of the caches. KP_TUNING_BUILTIN, and
 * "builtin" in KPORT_TUNE, use the built-in thresholds. Fibers always use the built-in thresholds
 * for packing, so that a seed gives the same order of the fibers in every process. Thresholds
 * change no result. `kport explain` prints them.
 *
 * A profile decides which algorithm a call uses, and so the last bits of a floating-point
 * reduction. These bits are the same on every run with the same profile. */
#ifndef KPORT_PROFILE_H
#define KPORT_PROFILE_H

#include "group.h"
#include "machine.h"
#include "schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `kp_profile_read` reads a profile that was made on this machine by this version of kport. The
 * function leaves out a setting that is wrong, and a setting that names an algorithm that has
 * changed or no longer exists. It keeps all other settings. kp_tuned_by names what was left out. A
 * profile stays valid when an algorithm is added to kport. Errors: KP_EMEMORY; KP_EPROFILE if the
 * file is not such a profile or has no valid setting. The sentence gives the reason
 * (kp_last_error). `kp_profile_free` frees a profile. A profile never changes, and any number of
 * machines may use it until it is freed. Any thread may call these two functions. */
KP_API int kp_profile_read(const char *path, kp_profile **profile) KP_MUST_CHECK;
KP_API void kp_profile_free(kp_profile *profile);

/* Finds the profile that KPORT_TUNE names, or otherwise the profile in the user's cache folder, and
 * stores it. Stores NULL if there is none. Writes a sentence to `text`, in at most `size` bytes
 * including the final zero. The sentence says what kport uses now, why, and what it left out of the
 * profile. Errors: KP_EMEMORY, and KP_EPROFILE if kport refused a profile. Any thread may call this
 * function unless another thread changes the environment. */
KP_API int kp_profile_find(kp_profile **profile, char *text, size_t size) KP_MUST_CHECK;

/* The prediction for one candidate. Times are in microseconds. */
typedef struct kp_prediction {
    kp_problem problem;   /* the problem, with the candidate's algorithm and parameters */
    kp_discipline rounds; /* the discipline of the rounds */
    uint64_t c1, c2;      /* C1, and C2 in bytes, by the algorithm's stated formulas */
    double rounds_us;     /* gamma1 C1 beta */
    double bytes_us;      /* gamma2 C2 tau, or the upper limit that kp_model explains */
    double rest_us;       /* gamma3 */
    /* Measured time / (rounds_us + bytes_us + rest_us); 1 if the candidate was not measured. */
    double measured_ratio;
    /* (rounds_us + bytes_us + rest_us) * measured_ratio. kport compares candidates by this time. */
    double us;
    /* 1: the profile has times of this candidate. kport prefers such candidates to all others,
     * because of the others it knows only T. */
    int measured;
} kp_prediction;

typedef void kp_on_prediction(const kp_prediction *prediction, void *arg);

/* Predicts the time of every candidate for a problem on a machine with this config. Calls `visit`
 * for each candidate, unless `visit` is NULL. Stores the first candidate with the least time in
 * `choice`, unless `choice` is NULL. Calls on such a machine use that candidate. If `profile` is
 * NULL or has no times for the problem, the built-in model predicts, with the config's beta_us and
 * tau_us if they are set. In this case `visit` gets only a few values of each parameter, but the
 * choice is among all values. If `config` is NULL, the default configuration counts. Errors are
 * those of kp_tune. The function is pure, so any thread may call it. */
KP_API int kp_predict(const kp_config *config, const kp_profile *profile, const kp_problem *problem,
                      kp_on_prediction *visit, void *arg, kp_prediction *choice) KP_MUST_CHECK;

/* Returns 1 if the profile has times for the problem on a machine with this config, else 0. The
 * function is pure, so any thread may call it. */
KP_API int kp_profile_serves(const kp_profile *profile, const kp_config *config,
                             const kp_problem *problem);

/* Writes a sentence that says whether the group's machine chooses algorithms by a profile or by the
 * built-in model, and why. The sentence also says what kport left out of the profile. Writes at
 * most `size` bytes including the final zero. Returns the full length, as snprintf does, or a
 * status. Only the thread that carries the processor may call this function. */
KP_API int kp_tuned_by(kp_group *group, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
