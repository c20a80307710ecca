/* Queues, and the arenas that their memory comes from. */
#include "lib/bsp/queue.h"

#include <stdlib.h>

#define LEAST_BLOCK ((size_t)4096)
#define LONG_BLOCK  ((size_t)16 << 20) /* blocks grow up to this length */

struct kp_bsp_memory {
    struct kp_bsp_memory *earlier;
    size_t room;
    _Alignas(16) char data[];
};

/* --- Memory --- */

static size_t largest(size_t a, size_t b)
{
    return a > b ? a : b;
}

bool kp_bsp_arena_grow(struct kp_bsp_arena *arena, size_t bytes)
{
    const size_t room = largest(largest(bytes + 64, arena->next), LEAST_BLOCK);
    struct kp_bsp_memory *memory = malloc(sizeof *memory + room);
    if (!memory)
        return false;
    *memory = (struct kp_bsp_memory){.earlier = arena->latest, .room = room};
    arena->taken += arena->latest ? arena->latest->room : 0;
    arena->next = room < LONG_BLOCK ? 2 * room : room;
    arena->latest = memory;
    arena->at = memory->data;
    arena->end = memory->data + room;
    return true;
}

void kp_bsp_arena_end(struct kp_bsp_arena *arena)
{
    for (struct kp_bsp_memory *memory = arena->latest, *earlier; memory; memory = earlier) {
        earlier = memory->earlier;
        free(memory);
    }
    *arena = (struct kp_bsp_arena){.at = NULL};
}

void kp_bsp_arena_take_back(struct kp_bsp_arena *arena)
{
    struct kp_bsp_memory *latest = arena->latest;
    const size_t all = arena->taken + latest->room;
    if (all == latest->room && all <= KP_BSP_KEPT) {
        arena->at = latest->data;
        return;
    }
    kp_bsp_arena_end(arena);
    arena->next = all <= KP_BSP_KEPT ? all : 0;
}

/* --- Queues --- */

/* Goes on with this chunk, and returns it. */
static struct kp_bsp_chunk *use_chunk(struct kp_bsp_queue *queue, struct kp_bsp_chunk *chunk)
{
    chunk->next = NULL;
    queue->at = queue->begin = chunk->data;
    queue->end = chunk->end;
    return chunk;
}

/* Returns a chunk with room for `bytes` bytes, which the queue goes on with. */
static struct kp_bsp_chunk *begin_chunk(struct kp_bsp_queue *queue, struct kp_bsp_arena *arena,
                                        size_t bytes)
{
    struct kp_bsp_chunk *chunk = kp_bsp_arena_take(arena, sizeof *chunk + bytes);
    if (!chunk)
        return NULL;
    chunk->end = chunk->data + bytes;
    return use_chunk(queue, chunk);
}

bool kp_bsp_queue_begin(struct kp_bsp_queue *queue, struct kp_bsp_arena *arena, size_t bytes,
                        struct kp_bsp_chunk *read)
{
    const size_t before = queue->finished + (size_t)(queue->at - queue->begin);
    const size_t room = read ? (size_t)(read->end - read->data) : 0;
    /* A pattern drawn at random takes a little more one time than another. */
    size_t wanted = before ? before + before / 8 : KP_BSP_FIRST_CHUNK;
    wanted = largest(wanted, KP_BSP_LEAST_CHUNK);
    wanted = wanted < KP_BSP_LARGE_CHUNK ? wanted : KP_BSP_LARGE_CHUNK;
    queue->finished = 0;
    queue->first = room >= largest(bytes, before)
                       ? use_chunk(queue, read)
                       : begin_chunk(queue, arena, largest(bytes, wanted));
    if (!queue->first)
        return false;
    if (queue->first != read) /* its reader is another process */
        kp_bsp_ask_to_write(queue->at, before < KP_BSP_ASKED_CHUNK ? before : KP_BSP_ASKED_CHUNK);
    return true;
}

bool kp_bsp_queue_grow(struct kp_bsp_queue *queue, struct kp_bsp_arena *arena, size_t bytes)
{
    struct kp_bsp_chunk *last = kp_bsp_last_chunk(queue);
    const size_t doubled = 2 * (size_t)(queue->end - queue->begin);
    last->used = queue->at;
    queue->finished += (size_t)(queue->at - queue->begin);
    struct kp_bsp_chunk *chunk = begin_chunk(
        queue, arena, largest(bytes, doubled < KP_BSP_LARGE_CHUNK ? doubled : KP_BSP_LARGE_CHUNK));
    last->next = chunk;
    return chunk != NULL;
}
