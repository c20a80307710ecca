/* A threshold is the length up to which one way of moving bytes is faster. Above it another way is
 * faster. Thresholds change neither results nor the order of combinations. */
#ifndef KPORT_LIB_THRESHOLDS_H
#define KPORT_LIB_THRESHOLDS_H

#include "ports/port.h"

#include <stddef.h>
#include <stdint.h>

/* The thresholds. The first ones are those of enum kp_eager (ports/port.h). */
enum {
    KP_LEAST_PART = KP_EAGERS, /* a sender copies a part of a message only if the part has at least
                                  this length */
    KP_PAST_CACHE, /* a call that reads and writes more than this many bytes bypasses the cache */
    KP_THRESHOLDS
};

struct kp_thresholds {
    size_t bytes[KP_THRESHOLDS];
    const char *from; /* a text that says where the thresholds come from */
};

/* A threshold's name in profiles, and the least and the greatest value that it may have, in
 * bytes. */
struct kp_threshold_row {
    const char *name;
    size_t least, most;
};
extern const struct kp_threshold_row kp_threshold_rows[KP_THRESHOLDS];

/* The built-in thresholds, which are the same on every machine. */
extern const struct kp_thresholds kp_thresholds_builtin;

/* Returns the built-in thresholds, with KP_PAST_CACHE from the size of this machine's cache. */
struct kp_thresholds kp_thresholds_of_caches(void);

/* Writes a text that lists the thresholds. Returns the full length, as snprintf does. */
int kp_thresholds_word(const struct kp_thresholds *thresholds, char *text, size_t size);

/* --- calibrate.c --- */

/* Returns the thresholds of this machine. The first call of a process measures them, in at most 2
 * ms. A threshold is built-in if it cannot be measured, because there is no second core or because
 * other programs use the cores. */
const struct kp_thresholds *kp_thresholds_here(void);

/* Measures thresholds until `clock`, in nanoseconds, has advanced by 2 ms. Stores the thresholds
 * that it has found by then. */
void kp_calibrate(uint64_t (*clock)(void), struct kp_thresholds *found);

#endif
