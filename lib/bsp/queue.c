/* Queues, and the pool that their memory comes from. */
#include "lib/bsp/queue.h"

#include <stdlib.h>

/* A little more than a power of two, so that a payload of such a length has room with its head. */
static size_t room_of(int order)
{
    return ((size_t)1 << order) + 32;
}

static struct kp_bsp_chunk *take(struct kp_bsp_pool *pool, int order)
{
    struct kp_bsp_chunk *chunk = pool->free[order];
    if (chunk) {
        pool->free[order] = chunk->next;
        pool->kept -= room_of(order);
    } else if (!(chunk = malloc(sizeof *chunk + room_of(order)))) {
        return NULL;
    }
    chunk->next = NULL;
    chunk->order = order;
    return chunk;
}

bool kp_bsp_queue_grow(struct kp_bsp_queue *queue, struct kp_bsp_writer *writer,
                       struct kp_bsp_pool *pool, size_t bytes)
{
    /* As much as in the last superstep, then twice the chunk before. */
    int order = queue->first           ? writer->last->order + 1
                : writer->earlier == 0 ? KP_BSP_FIRST_ORDER
                                       : KP_BSP_LEAST_ORDER;
    while (!queue->first && order < KP_BSP_LARGE_ORDER && room_of(order) < writer->earlier)
        order++;
    order = order < KP_BSP_LARGE_ORDER ? order : KP_BSP_LARGE_ORDER;
    while (order < KP_BSP_ORDERS && room_of(order) < bytes)
        order++;
    struct kp_bsp_chunk *chunk = order < KP_BSP_ORDERS ? take(pool, order) : NULL;
    if (!chunk)
        return false;
    if (queue->first) {
        writer->last->used = queue->at;
        writer->last->next = chunk;
    } else {
        queue->first = chunk;
    }
    writer->last = chunk;
    writer->end = chunk->data + room_of(order);
    queue->at = chunk->data;
    return true;
}

void kp_bsp_queue_clear(struct kp_bsp_queue *queue, struct kp_bsp_writer *writer,
                        struct kp_bsp_pool *pool)
{
    size_t used = 0;
    for (struct kp_bsp_chunk *chunk = queue->first, *next; chunk; chunk = next) {
        next = chunk->next;
        used += (size_t)(kp_bsp_chunk_end(queue, chunk) - chunk->data);
        if (pool->kept + room_of(chunk->order) > KP_BSP_KEPT) {
            free(chunk);
            continue;
        }
        chunk->next = pool->free[chunk->order];
        pool->free[chunk->order] = chunk;
        pool->kept += room_of(chunk->order);
    }
    *queue = (struct kp_bsp_queue){NULL, NULL};
    *writer = (struct kp_bsp_writer){.earlier = used};
}

void kp_bsp_pool_end(struct kp_bsp_pool *pool)
{
    for (int order = 0; order < KP_BSP_ORDERS; order++) {
        for (struct kp_bsp_chunk *chunk = pool->free[order], *next; chunk; chunk = next) {
            next = chunk->next;
            free(chunk);
        }
    }
}
