/* Thresholds: the lengths from which another way of moving bytes takes less time. They change
 * neither results nor the order of combinations. */
#ifndef KPORT_LIB_THRESHOLDS_H
#define KPORT_LIB_THRESHOLDS_H

#include "ports/port.h"

#include <stddef.h>
#include <stdint.h>

/* The thresholds of enum kp_eager, and these. */
enum {
    KP_LEAST_PART = KP_EAGERS, /* the shortest part of a message that the sender copies */
    KP_PAST_CACHE,             /* calls that read and write more than this copy past the cache */
    KP_THRESHOLDS
};

struct kp_thresholds {
    size_t bytes[KP_THRESHOLDS];
    const char *from; /* where the thresholds come from, in words */
};

/* The name of a threshold in profiles, and its range in bytes. */
struct kp_threshold_row {
    const char *name;
    size_t least, most;
};
extern const struct kp_threshold_row kp_threshold_rows[KP_THRESHOLDS];

/* The built-in thresholds, the same on every machine. */
extern const struct kp_thresholds kp_thresholds_builtin;

/* Returns the built-in thresholds, but KP_PAST_CACHE follows the size of this machine's cache. */
struct kp_thresholds kp_thresholds_of_caches(void);

/* Writes the thresholds in words. Returns as snprintf does. */
int kp_thresholds_word(const struct kp_thresholds *thresholds, char *text, size_t size);

/* --- calibrate.c --- */

/* Returns the thresholds that are measured when a process first asks for them, in at most 2 ms.
 * Thresholds that could not be measured are built-in: if there is no second core, or if other
 * programs leave no time. */
const struct kp_thresholds *kp_thresholds_here(void);

/* Measures until `clock`, in nanoseconds, has advanced by 2 ms. Fills in the thresholds that it has
 * found by then. */
void kp_calibrate(uint64_t (*clock)(void), struct kp_thresholds *found);

#endif
