/* Queues of what a process has for another one, in the order of its calls. A queue is written by
 * its sender in one superstep, and read by its receiver after the sync. Its memory comes from a
 * pool of the sender, to which it goes back one superstep later. */
#ifndef KPORT_BSP_QUEUE_H
#define KPORT_BSP_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kp_bsp_chunk {
    struct kp_bsp_chunk *next;
    char *end;  /* of its room */
    char *used; /* up to here it is written; valid when a later chunk was begun */
    int order;  /* the room's length is a power of two */
    _Alignas(16) char data[];
};

struct kp_bsp_queue {
    char *at, *end; /* the free part of the last chunk */
    struct kp_bsp_chunk *first, *last;
    uint64_t count, bytes; /* of records, and of their payloads */
    size_t earlier;        /* how many bytes of chunks the last superstep has taken */
};

enum {
    KP_BSP_LEAST_CLASS = 9,  /* 512 bytes */
    KP_BSP_LARGE_CLASS = 18, /* chunks grow up to 256 KiB */
    KP_BSP_CLASSES = 48
};

/* The pool keeps chunks of up to KP_BSP_KEPT bytes altogether. */
#define KP_BSP_KEPT ((size_t)64 << 20)

struct kp_bsp_pool {
    struct kp_bsp_chunk *free[KP_BSP_CLASSES];
    size_t kept;
};

/* Begins a new chunk with room for `bytes` bytes. Returns false if there is no memory. */
bool kp_bsp_queue_grow(struct kp_bsp_queue *queue, struct kp_bsp_pool *pool, size_t bytes);

/* Returns where the next `bytes` bytes of the queue go, in one piece; NULL: there is no memory. The
 * caller moves `queue->at`. */
static inline char *kp_bsp_queue_room(struct kp_bsp_queue *queue, struct kp_bsp_pool *pool,
                                      size_t bytes)
{
    if ((size_t)(queue->end - queue->at) < bytes && !kp_bsp_queue_grow(queue, pool, bytes))
        return NULL;
    return queue->at;
}

/* Returns where the chunk's records end. */
static inline const char *kp_bsp_chunk_end(const struct kp_bsp_queue *queue,
                                           const struct kp_bsp_chunk *chunk)
{
    return chunk->next ? chunk->used : queue->at;
}

/* Empties the queue, and gives its chunks to the pool. */
void kp_bsp_queue_clear(struct kp_bsp_queue *queue, struct kp_bsp_pool *pool);

void kp_bsp_pool_end(struct kp_bsp_pool *pool);

/* A length rounded up so that what follows is aligned. */
static inline size_t kp_bsp_aligned(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

#endif
