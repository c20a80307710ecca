/* Memory for what nobody can tell the size of beforehand: taken piece by piece in a call, given
 * back all at once after it. */
#ifndef KPORT_LIB_ARENA_H
#define KPORT_LIB_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct kp_arena {
    struct kp_arena_chunk *chunks; /* the first is the one that is being filled */
    size_t wanted;                 /* bytes that one chunk should have held */
    bool keeps_all;                /* whatever was enough once stays: nothing is given back */
};

/* NULL: there is no memory. Aligned for any object. */
void *kp_arena_take(struct kp_arena *arena, size_t bytes);

/* Everything that was taken is free again. What was enough for the last call is kept in one chunk
 * for the next, unless that is very much and not all is to be kept. */
void kp_arena_reset(struct kp_arena *arena);

void kp_arena_free(struct kp_arena *arena);

#endif
