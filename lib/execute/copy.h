/* Copies of a length that is known only at run time. */
#ifndef KPORT_LIB_COPY_H
#define KPORT_LIB_COPY_H

#include "ports/port.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Most small blocks have 8 bytes, and the general routine takes longer for them (the special case
 * eight-bytes in doc/design.md). */
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

/* Copies with stores past the cache, if the processor has such stores. It is for calls that move
 * more than the caches hold, where plain stores would first read every line. All stores are
 * complete when it returns. */
void kp_copy_past_cache(char *to, const char *from, size_t bytes);

/* The ways to copy past the cache, the best first. Every machine can copy plainly. Tests choose
 * among the ways. */
typedef enum {
    KP_COPY_WHOLE_LINES, /* stores of 64 bytes past the cache */
    KP_COPY_QUARTERS,    /* stores of 16 bytes past the cache */
    KP_COPY_PLAINLY,
    KP_COPY_WAYS
} kp_copy_way;

bool kp_copy_can(kp_copy_way way);
void kp_copy_in_way(kp_copy_way way, char *to, const char *from, size_t bytes);

#endif
