/* This header is for copies whose length is known only at run time. Some use stores that bypass the
 * cache. */
#ifndef KPORT_LIB_COPY_H
#define KPORT_LIB_COPY_H

#include "ports/port.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Returns whether a copy has 8 bytes. Most small blocks have 8 bytes, and the general routine takes
 * longer for these (the special case eight-bytes in doc/design.md). */
static inline bool kp_copy_is_word(size_t bytes)
{
    return KP_HAS(EIGHT_BYTES) && bytes == 8;
}

static inline void kp_copy(char *to, const char *from, size_t bytes)
{
    if (kp_copy_is_word(bytes))
        memcpy(to, from, 8);
    else
        memcpy(to, from, bytes);
}

/* Copies with stores that bypass the cache, if the CPU has such stores. Calls that move more than
 * the caches hold use this function, because a plain store first reads the line to which it writes.
 * All stores are complete when the function returns. */
void kp_copy_past_cache(char *to, const char *from, size_t bytes);

/* The ways in which kp_copy_past_cache may copy, the best way first. Every CPU can copy plainly.
 * Tests choose a way themselves (kp_copy_in_way). */
typedef enum {
    KP_COPY_WHOLE_LINES, /* with stores of 64 bytes that bypass the cache */
    KP_COPY_QUARTERS,    /* with stores of 16 bytes that bypass the cache */
    KP_COPY_PLAINLY,
    KP_COPY_WAYS
} kp_copy_way;

bool kp_copy_can(kp_copy_way way);
void kp_copy_in_way(kp_copy_way way, char *to, const char *from, size_t bytes);

#endif
