/* From how many bytes on another way of moving them takes less time. They decide no result and no
 * order of combination. */
#ifndef KPORT_LIB_THRESHOLDS_H
#define KPORT_LIB_THRESHOLDS_H

#include "ports/port.h"

#include <stddef.h>
#include <stdint.h>

/* Those of enum kp_eager, and these. */
enum {
    KP_LEAST_PART = KP_EAGERS, /* of a message that is copied by both ends, its sender's part */
    KP_PAST_CACHE,             /* zero-copy calls that read and write more go past the cache */
    KP_THRESHOLDS
};

struct kp_thresholds {
    size_t bytes[KP_THRESHOLDS];
    const char *from; /* in words, where they come from */
};

/* Its name in profiles, and between what it has to lie. */
struct kp_threshold_row {
    const char *name;
    size_t least, most;
};
extern const struct kp_threshold_row kp_threshold_rows[KP_THRESHOLDS];

/* On every machine the same. */
extern const struct kp_thresholds kp_thresholds_builtin;

/* The same, but for what this machine says of its caches. */
struct kp_thresholds kp_thresholds_of_caches(void);

/* In words. */
int kp_thresholds_word(const struct kp_thresholds *thresholds, char *text, size_t size);

/* --- calibrate.c --- */

/* The built-in ones, but for what is measured in 2 ms when it is first asked for in a process; not
 * all where there is no second core, or other programs leave no time. */
const struct kp_thresholds *kp_thresholds_here(void);

/* Measures by that clock, of nanoseconds, until it says that 2 ms have passed: fills in what it has
 * found out by then. */
void kp_calibrate(uint64_t (*clock)(void), struct kp_thresholds *found);

#endif
