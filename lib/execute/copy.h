/* Copying a message, by its length. */
#ifndef KPORT_LIB_COPY_H
#define KPORT_LIB_COPY_H

#include "ports/port.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* 8 bytes is the length of most small blocks. The general routine takes longer. */
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

/* Copies with stores past the cache, if the machine has them, for rounds that write more than the
 * cache holds. Plain stores would read every line first. All stores are complete when it returns.
 */
void kp_copy_past_cache(char *to, const char *from, size_t bytes);

/* The ways to do that, the best first; every machine can copy plainly. Tests choose among them. */
typedef enum {
    KP_COPY_WHOLE_LINES, /* past the cache, 64 bytes a store */
    KP_COPY_QUARTERS,    /* 16 bytes a store */
    KP_COPY_PLAINLY,
    KP_COPY_WAYS
} kp_copy_way;

bool kp_copy_can(kp_copy_way way);
void kp_copy_in_way(kp_copy_way way, char *to, const char *from, size_t bytes);

#endif
