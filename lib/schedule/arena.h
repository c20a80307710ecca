/* Memory for calls that do not know beforehand how much they need. A call takes the memory in
 * portions. After the call, all portions are given back at once. */
#ifndef KPORT_LIB_ARENA_H
#define KPORT_LIB_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct kp_arena {
    struct kp_arena_chunk *chunks; /* the list of chunks; portions are taken from the first one */
    size_t wanted;                 /* the least size of the next chunk if the list is empty */
    bool keeps_all;                /* kp_arena_reset keeps all memory for the next call */
};

/* Returns `bytes` bytes, aligned for any object. Returns NULL if there is no memory. */
void *kp_arena_take(struct kp_arena *arena, size_t bytes);

/* Gives all portions back. The next call then finds one chunk that is as large as all portions of
 * the last call together. If the portions had more than 64 MiB together, the memory is freed
 * instead, unless `keeps_all` is set. */
void kp_arena_reset(struct kp_arena *arena);

void kp_arena_free(struct kp_arena *arena);

#endif
