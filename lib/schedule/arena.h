/* Memory of a size that is not known beforehand. A call takes it in portions, and all portions are
 * given back at once after the call. */
#ifndef KPORT_LIB_ARENA_H
#define KPORT_LIB_ARENA_H

#include <stdbool.h>
#include <stddef.h>

struct kp_arena {
    struct kp_arena_chunk *chunks; /* the first chunk is being filled */
    size_t wanted;                 /* the bytes that the next first chunk has at least */
    bool keeps_all;                /* kp_arena_reset keeps all memory for the next call */
};

/* Returns memory that is aligned for any object, or NULL if there is none. */
void *kp_arena_take(struct kp_arena *arena, size_t bytes);

/* Makes all memory free again. The next call finds as many bytes in one chunk as the last call
 * took, unless that was more than 64 MiB and not `keeps_all`. */
void kp_arena_reset(struct kp_arena *arena);

void kp_arena_free(struct kp_arena *arena);

#endif
