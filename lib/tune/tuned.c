/* Finds what a machine uses to choose algorithms (a profile or the built-in model), and thresholds.
 */
#include "lib/tune/profile.h"
#include "ports/port.h"

#include <pthread.h>
#include <stdio.h>

/* If kport refuses a profile, this is not an error of the call. kp_tuned_by tells the reason. */
static void find_profile(const kp_config *config, struct kp_tuned *t, kp_tuning *asked)
{
    const kp_error_record before = *kp_error_slot();
    t->profile = config->profile;
    if (config->beta_us > 0 || config->tau_us > 0) {
        snprintf(t->why, sizeof t->why, "the linear model: the config has beta_us or tau_us");
    } else if (config->tuning == KP_TUNING_BUILTIN) {
        t->profile = NULL;
        snprintf(t->why, sizeof t->why, "the built-in model: the config says so");
    } else if (config->profile) {
        snprintf(t->why, sizeof t->why, "the profile that the config has%s",
                 config->profile->left_out);
    } else {
        /* Reading files is a cancellation point, but no call of kport may be one. */
        int state;
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
        if (kp_profile_from_environment(&t->own, asked, t->why, sizeof t->why))
            *kp_error_slot() = before;
        pthread_setcancelstate(state, NULL);
        t->profile = t->own;
    }
}

/* Fibers do not use measured thresholds for packing. Such a threshold would change the number of
 * episodes, and so the order in which fibers run. But a seed must give one order everywhere. */
void kp_tuned_find(const kp_config *config, bool by_threads, struct kp_tuned *t)
{
    kp_tuning asked = KP_TUNING_AUTO;
    *t = (struct kp_tuned){.thresholds = kp_thresholds_builtin};
    find_profile(config, t, &asked);
    t->measured = config->tuning == KP_TUNING_MEASURED || asked == KP_TUNING_MEASURED;
    if (config->tuning == KP_TUNING_BUILTIN || asked == KP_TUNING_BUILTIN)
        return;
    if (!by_threads)
        t->thresholds = kp_thresholds_of_caches();
    else if (t->profile && t->profile->thresholds.from)
        t->thresholds = t->profile->thresholds;
    else
        t->thresholds = *kp_thresholds_here();
}
