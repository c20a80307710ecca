/* With the job's checks: puts to the same place whose values differ, and sources of bsp_hpput that
 * have changed. Each receiver looks at what it got, before it writes it. */
#include "lib/bsp/process.h"

#include <stdlib.h>
#include <string.h>

/* A put to this process. */
struct interval {
    char *to;
    size_t bytes;
    const char *data;
    const struct kp_bsp_origin *origin;
    int sender;
};

/* Reads a put of a queue, and returns where the next one begins. */
static const char *read_put(const char *at, struct interval *put)
{
    const uint64_t *head = (const void *)at;
    const uint64_t address = (UINT64_C(1) << KP_BSP_ADDRESS_BITS) - 1;
    const bool is_long = *head >> KP_BSP_ADDRESS_BITS == 0;
    put->to = (char *)(uintptr_t)(is_long ? head[1] : *head & address);
    put->bytes = is_long ? head[2] : *head >> KP_BSP_ADDRESS_BITS;
    put->origin = (const void *)(head + (is_long ? 3 : 1));
    put->data = (const char *)(put->origin + 1);
    return put->data + kp_bsp_aligned(put->bytes);
}

/* Lists the puts of a queue, if `list` is not NULL. Returns their number. */
static size_t list_queue(const struct kp_bsp_queue *queue, int sender, struct interval *list)
{
    size_t count = 0;
    for (const struct kp_bsp_chunk *chunk = queue->first; chunk; chunk = chunk->next) {
        const char *at = chunk->data, *end = kp_bsp_chunk_end(queue, chunk);
        for (struct interval put = {.sender = sender}; at < end; count++) {
            at = read_put(at, &put);
            if (list)
                list[count] = put;
        }
    }
    return count;
}

static size_t list_all(const struct kp_bsp_process *self, unsigned generation,
                       struct interval *list)
{
    size_t count = 0;
    for (int sender = 0; sender < self->team->size; sender++) {
        const struct kp_bsp_team *team = self->team;
        const struct kp_bsp_put_pair *pair =
            &team->puts[generation][kp_bsp_pair(team, sender, self->pid)];
        if (kp_bsp_states(team, generation, sender)[self->pid] & KP_BSP_QUEUED)
            count += list_queue(&pair->queue, sender, list ? list + count : NULL);
    }
    return count;
}

static int by_address(const void *one, const void *other)
{
    const struct interval *a = one, *b = other;
    if (a->to != b->to)
        return a->to < b->to ? -1 : 1;
    return a->sender != b->sender ? (a->sender < b->sender ? -1 : 1) : 0;
}

static const char *name_of(const struct kp_bsp_origin *origin)
{
    return origin->source ? "bsp_hpput" : "bsp_put";
}

/* Returns whether the two write different values to some byte. */
static bool differ(const struct interval *first, const struct interval *second)
{
    const size_t apart = (size_t)(second->to - first->to);
    if (first->sender == second->sender || apart >= first->bytes)
        return false;
    const size_t common =
        first->bytes - apart < second->bytes ? first->bytes - apart : second->bytes;
    return memcmp(first->data + apart, second->data, common) != 0;
}

/* Writes where a put of the superstep that has just ended was called. */
static void say_origin(const struct kp_bsp_process *self, const struct interval *put, char *text)
{
    const bool foreign = self->remote && put->sender != self->pid;
    const char *file = put->origin->file;
    if (foreign)
        file = kp_bsp_remote_file(self, !kp_bsp_generation(self), put->sender, file);
    kp_bsp_say_place(&(struct kp_bsp_place){.file = file, .line = put->origin->line}, text);
}

static void tell_conflict(struct kp_bsp_process *self, const struct interval *one,
                          const struct interval *other)
{
    char places[2][KP_BSP_WHERE_BYTES];
    const struct interval *low = one->sender < other->sender ? one : other;
    const struct interval *high = low == one ? other : one;
    say_origin(self, low, places[0]);
    say_origin(self, high, places[1]);
    kp_bsp_tell(self, "conflict", &self->front.call,
                "process %d (%s%s) and process %d (%s%s) put different values at the same place in "
                "this superstep; that of process %d stays",
                low->sender, name_of(low->origin), places[0], high->sender, name_of(high->origin),
                places[1], low->sender);
}

static void look_for_conflict(struct kp_bsp_process *self, struct interval *list, size_t count)
{
    qsort(list, count, sizeof *list, by_address);
    for (size_t i = 0; i < count; i++) {
        for (size_t j = i + 1; j < count && list[j].to < list[i].to + list[i].bytes; j++) {
            if (differ(&list[i], &list[j])) {
                tell_conflict(self, &list[i], &list[j]); /* the first says enough */
                return;
            }
        }
    }
}

static void look_for_change(struct kp_bsp_process *self, const struct interval *put)
{
    const struct kp_bsp_origin *origin = put->origin;
    if (!origin->source || memcmp(origin->source, put->data, put->bytes) == 0)
        return;
    char where[KP_BSP_WHERE_BYTES];
    kp_bsp_say_place(&(struct kp_bsp_place){.file = origin->file, .line = origin->line}, where);
    kp_bsp_tell(
        self, "changed", &self->front.call,
        "process %d has changed what its bsp_hpput%s sends, before the end of the superstep",
        put->sender, where);
}

void kp_bsp_check_puts(struct kp_bsp_process *self, unsigned generation)
{
    const size_t count = list_all(self, generation, NULL);
    struct interval *list = calloc(count ? count : 1, sizeof *list);
    if (!list)
        kp_bsp_no_memory(self);
    (void)list_all(self, generation, list);
    for (size_t i = 0; i < count; i++) {
        if (!self->remote || list[i].sender == self->pid)
            look_for_change(self, &list[i]);
    }
    look_for_conflict(self, list, count);
    free(list);
}

void kp_bsp_check_sent(struct kp_bsp_process *self, int pid)
{
    if (!(self->front.now->states[pid] & KP_BSP_QUEUED))
        return;
    const struct kp_bsp_queue *queue = &self->front.now->puts[pid].queue;
    for (const struct kp_bsp_chunk *chunk = queue->first; chunk; chunk = chunk->next) {
        const char *at = chunk->data, *end = kp_bsp_chunk_end(queue, chunk);
        for (struct interval put = {.sender = self->pid}; at < end;) {
            at = read_put(at, &put);
            look_for_change(self, &put);
            if (put.origin->file)
                kp_bsp_remote_note_file(self, put.origin->file);
        }
    }
}
