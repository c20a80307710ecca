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
    char *used; /* up to here it is written; valid when a later chunk was begun */
    int order;  /* of its length (room_of in queue.c) */
    _Alignas(16) char data[];
};

/* What the receiver reads. */
struct kp_bsp_queue {
    struct kp_bsp_chunk *first; /* NULL: the queue is empty */
    char *at;                   /* the records of the last chunk end here */
};

/* What only the sender needs. */
struct kp_bsp_writer {
    struct kp_bsp_chunk *last;
    char *end;      /* of the last chunk's room */
    size_t earlier; /* how many bytes the last superstep has taken */
};

enum {
    KP_BSP_LEAST_ORDER = 6,  /* 64 bytes */
    KP_BSP_FIRST_ORDER = 9,  /* 512 bytes, where nothing is known of the last superstep */
    KP_BSP_LARGE_ORDER = 18, /* chunks grow up to 256 KiB */
    KP_BSP_ORDERS = 48
};

/* The pool keeps chunks of up to KP_BSP_KEPT bytes altogether. */
#define KP_BSP_KEPT ((size_t)64 << 20)

struct kp_bsp_pool {
    struct kp_bsp_chunk *free[KP_BSP_ORDERS];
    size_t kept;
};

/* Begins a new chunk with room for `bytes` bytes. Returns false if there is no memory. */
bool kp_bsp_queue_grow(struct kp_bsp_queue *queue, struct kp_bsp_writer *writer,
                       struct kp_bsp_pool *pool, size_t bytes);

/* Returns whether the queue has room for `bytes` more bytes in its last chunk. */
static inline bool kp_bsp_queue_has_room(const struct kp_bsp_queue *queue,
                                         const struct kp_bsp_writer *writer, size_t bytes)
{
    return (size_t)(writer->end - queue->at) >= bytes;
}

/* Returns where the chunk's records end. */
static inline char *kp_bsp_chunk_end(const struct kp_bsp_queue *queue,
                                     const struct kp_bsp_chunk *chunk)
{
    return chunk->next ? chunk->used : queue->at;
}

/* Empties the queue, and gives its chunks to the pool. */
void kp_bsp_queue_clear(struct kp_bsp_queue *queue, struct kp_bsp_writer *writer,
                        struct kp_bsp_pool *pool);

void kp_bsp_pool_end(struct kp_bsp_pool *pool);

/* A length rounded up so that what follows is aligned. */
static inline size_t kp_bsp_aligned(size_t bytes)
{
    return (bytes + 7) & ~(size_t)7;
}

#endif
