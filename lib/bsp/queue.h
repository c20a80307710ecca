/* Queues of what a process has for another one, in the order of its calls. A queue is written by
 * its sender in one superstep, and read by its receiver after the sync. Its memory comes from an
 * arena of the sender, which is emptied as a whole one superstep later. */
#ifndef KPORT_BSP_QUEUE_H
#define KPORT_BSP_QUEUE_H

#include "kport-bsp/bsp_inline.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Memory --- */

/* An emptied arena keeps up to this many bytes. */
#define KP_BSP_KEPT ((size_t)64 << 20)

/* Begins a new block with room to take `bytes` bytes. Returns false if there is no memory. */
bool kp_bsp_arena_grow(struct kp_bsp_arena *arena, size_t bytes);

/* Takes memory whose address is a multiple of 16, and begins with a cache line if it is that long.
 * Returns NULL if there is none. */
static inline void *kp_bsp_arena_take(struct kp_bsp_arena *arena, size_t bytes)
{
    const size_t unit = bytes < 64 ? 16 : 64;
    const size_t before = -(size_t)(uintptr_t)arena->at & (unit - 1);
    bytes = (bytes + 15) & ~(size_t)15;
    if ((size_t)(arena->end - arena->at) < before + bytes) {
        if (!kp_bsp_arena_grow(arena, bytes))
            return NULL;
        return kp_bsp_arena_take(arena, bytes);
    }
    char *taken = arena->at + before;
    arena->at = taken + bytes;
    return taken;
}

/* Takes everything back. If that has been several blocks, the next one will be as long as all. */
void kp_bsp_arena_take_back(struct kp_bsp_arena *arena);

static inline void kp_bsp_arena_empty(struct kp_bsp_arena *arena)
{
    if (arena->latest)
        kp_bsp_arena_take_back(arena);
}

void kp_bsp_arena_end(struct kp_bsp_arena *arena);

/* Asks for the lines of these bytes, to write them. A core that writes a line waits for it if
 * another core has read it, and the waits add up. Always inlined, as the compiler leaves out calls
 * of a function that does nothing but this. */
static inline __attribute__((always_inline)) void kp_bsp_ask_to_write(const char *at, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += KP_BSP_LINE) {
#if defined(__x86_64__)
        /* On plain x86-64 the compilers' builtin fetches a line only for reading. */
        __asm__("prefetchw %0" : : "m"(at[i]));
#else
        __builtin_prefetch(at + i, 1);
#endif
    }
}

/* --- Queues --- */

struct kp_bsp_chunk {
    struct kp_bsp_chunk *next;
    char *used; /* up to here it is written; valid when a later chunk was begun */
    char *end;  /* of its room */
    char data[];
};

enum {
    KP_BSP_LEAST_CHUNK = 64,
    KP_BSP_FIRST_CHUNK = 512,      /* where nothing is known of an earlier superstep */
    KP_BSP_ASKED_CHUNK = 4096,     /* so much of it is asked for at once */
    KP_BSP_LARGE_CHUNK = 256 << 10 /* chunks grow up to this length */
};

/* Begins the queue anew, with room for `bytes` bytes and for as much as it has had before. What is
 * in it belongs to an earlier superstep. `read` is a chunk that the caller may write, as all have
 * read it; NULL: none. If it is long enough, the queue begins in it. Returns false if there is no
 * memory. */
bool kp_bsp_queue_begin(struct kp_bsp_queue *queue, struct kp_bsp_arena *arena, size_t bytes,
                        struct kp_bsp_chunk *read);

/* Begins a new chunk of a queue that has been begun. */
bool kp_bsp_queue_grow(struct kp_bsp_queue *queue, struct kp_bsp_arena *arena, size_t bytes);

/* Returns whether the queue has room for `bytes` more bytes in its last chunk. */
static inline bool kp_bsp_queue_has_room(const struct kp_bsp_queue *queue, size_t bytes)
{
    return (size_t)(queue->end - queue->at) >= bytes;
}

/* Returns where the chunk's records end. */
static inline char *kp_bsp_chunk_end(const struct kp_bsp_queue *queue,
                                     const struct kp_bsp_chunk *chunk)
{
    return chunk->next ? chunk->used : queue->at;
}

/* Returns the last chunk of a queue that has been begun. */
static inline struct kp_bsp_chunk *kp_bsp_last_chunk(const struct kp_bsp_queue *queue)
{
    return (void *)(queue->begin - offsetof(struct kp_bsp_chunk, data));
}

/* A length rounded up so that what follows is aligned. */
static inline size_t kp_bsp_aligned(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

#endif
