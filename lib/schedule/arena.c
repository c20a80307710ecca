#include "lib/schedule/arena.h"

#include <stdalign.h>
#include <stdlib.h>

#define CHUNK_BYTES ((size_t)64 << 10) /* the least bytes of a chunk */
#define MOST_KEPT   ((size_t)64 << 20) /* the most bytes that an arena keeps between two calls */
#define ALIGNMENT   alignof(max_align_t)

struct kp_arena_chunk {
    struct kp_arena_chunk *next;
    size_t size, used;
    alignas(max_align_t) char data[];
};

static struct kp_arena_chunk *add_chunk(struct kp_arena *arena, size_t bytes)
{
    size_t size = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
    if (!arena->chunks && arena->wanted > size)
        size = arena->wanted;
    struct kp_arena_chunk *chunk = size < (size_t)-1 / 2 ? malloc(sizeof *chunk + size) : NULL;
    if (!chunk)
        return NULL;
    chunk->next = arena->chunks;
    chunk->size = size;
    chunk->used = 0;
    arena->chunks = chunk;
    return chunk;
}

void *kp_arena_take(struct kp_arena *arena, size_t bytes)
{
    struct kp_arena_chunk *chunk = arena->chunks;
    size_t rest = bytes % ALIGNMENT, step = rest ? bytes + (ALIGNMENT - rest) : bytes;
    if (step < bytes)
        return NULL;
    if ((!chunk || step > chunk->size - chunk->used) && !(chunk = add_chunk(arena, step)))
        return NULL;
    void *memory = chunk->data + chunk->used;
    chunk->used += step;
    return memory;
}

static void free_chunks(struct kp_arena *arena)
{
    while (arena->chunks) {
        struct kp_arena_chunk *next = arena->chunks->next;
        free(arena->chunks);
        arena->chunks = next;
    }
}

void kp_arena_reset(struct kp_arena *arena)
{
    size_t used = 0;
    struct kp_arena_chunk *first = arena->chunks;
    if (!first)
        return;
    for (const struct kp_arena_chunk *chunk = first; chunk; chunk = chunk->next)
        used += chunk->used;
    if (first->next || (first->size > MOST_KEPT && !arena->keeps_all)) {
        free_chunks(arena);
        arena->wanted = used < MOST_KEPT || arena->keeps_all ? used : 0;
        if (arena->keeps_all)
            add_chunk(arena, used); /* if this fails, the next call adds a chunk itself */
    } else {
        first->used = 0;
    }
}

void kp_arena_free(struct kp_arena *arena)
{
    free_chunks(arena);
    arena->wanted = 0;
}
