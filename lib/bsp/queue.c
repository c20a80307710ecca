/* Queues, and the pool that their memory comes from. */
#include "lib/bsp/queue.h"

#include <stdlib.h>

static size_t room_of(int order)
{
    return (size_t)1 << order;
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
    chunk->end = chunk->data + room_of(order);
    chunk->used = chunk->data;
    return chunk;
}

bool kp_bsp_queue_grow(struct kp_bsp_queue *queue, struct kp_bsp_pool *pool, size_t bytes)
{
    /* As much as in the last superstep, then twice the chunk before. */
    int order = queue->last ? queue->last->order + 1 : KP_BSP_LEAST_CLASS;
    while (!queue->last && order < KP_BSP_LARGE_CLASS && room_of(order) < queue->earlier)
        order++;
    order = order < KP_BSP_LARGE_CLASS ? order : KP_BSP_LARGE_CLASS;
    while (order < KP_BSP_CLASSES && room_of(order) < bytes)
        order++;
    struct kp_bsp_chunk *chunk = order < KP_BSP_CLASSES ? take(pool, order) : NULL;
    if (!chunk)
        return false;
    if (queue->last) {
        queue->last->used = queue->at;
        queue->last->next = chunk;
    } else {
        queue->first = chunk;
    }
    queue->last = chunk;
    queue->at = chunk->data;
    queue->end = chunk->end;
    return true;
}

void kp_bsp_queue_clear(struct kp_bsp_queue *queue, struct kp_bsp_pool *pool)
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
    *queue = (struct kp_bsp_queue){.earlier = used};
}

void kp_bsp_pool_end(struct kp_bsp_pool *pool)
{
    for (int order = 0; order < KP_BSP_CLASSES; order++) {
        for (struct kp_bsp_chunk *chunk = pool->free[order], *next; chunk; chunk = next) {
            next = chunk->next;
            free(chunk);
        }
    }
}
