/* An arena is memory for calls that do not know beforehand how much they need. A call takes
 * portions of this memory. After the call, kp_arena_reset gives all portions back at once. */
#ifndef KPORT_LIB_ARENA_H
#define KPORT_LIB_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct kp_arena {
    /* a list of blocks of memory (chunks); portions are taken from the first chunk */
    struct kp_arena_chunk *chunks;
    size_t wanted;  /* the least size of the next chunk if the list is empty */
    bool keeps_all; /* true: kp_arena_reset keeps all memory for the next call */
};

/* Returns `bytes` bytes, aligned for any object. Returns NULL if there is no memory. */
void *kp_arena_take(struct kp_arena *arena, size_t bytes);

/* Gives all portions back. The next call then finds one chunk that is as large as all portions of
 * the last call together. If the portions had more than 64 MiB together, the memory is freed
 * instead, unless `keeps_all` is set. */
void kp_arena_reset(struct kp_arena *arena);

void kp_arena_free(struct kp_arena *arena);

#endif
