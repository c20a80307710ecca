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

static struct kp_bsp_out *const *outs_to(const struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_team *team = self->team;
    return &team->outs[generation][(size_t)self->pid * (size_t)team->size];
}

static size_t list_queue(const struct kp_bsp_queue *queue, int sender, struct interval *list)
{
    size_t count = 0;
    for (const struct kp_bsp_chunk *chunk = queue->first; chunk; chunk = chunk->next) {
        const char *at = chunk->data, *end = kp_bsp_chunk_end(queue, chunk);
        while (at < end) {
            const struct kp_bsp_put *put = (const void *)at;
            const struct kp_bsp_origin *origin = (const void *)(put + 1);
            at = (const char *)(origin + 1);
            list[count++] = (struct interval){
                .to = put->to, .bytes = put->bytes, .data = at, .origin = origin, .sender = sender};
            at += kp_bsp_aligned(put->bytes);
        }
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

static void tell_conflict(struct kp_bsp_process *self, const struct interval *one,
                          const struct interval *other)
{
    char places[2][KP_BSP_WHERE_BYTES];
    const struct interval *low = one->sender < other->sender ? one : other;
    const struct interval *high = low == one ? other : one;
    kp_bsp_say_place(&(struct kp_bsp_place){.file = low->origin->file, .line = low->origin->line},
                     places[0]);
    kp_bsp_say_place(&(struct kp_bsp_place){.file = high->origin->file, .line = high->origin->line},
                     places[1]);
    kp_bsp_tell(self, "conflict", &self->call,
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
        self, "changed", &self->call,
        "process %d has changed what its bsp_hpput%s sends, before the end of the superstep",
        put->sender, where);
}

void kp_bsp_check_puts(struct kp_bsp_process *self, unsigned generation)
{
    struct kp_bsp_out *const *from = outs_to(self, generation);
    size_t count = 0, listed = 0;
    for (int sender = 0; sender < self->team->size; sender++)
        count += from[sender] ? from[sender]->puts.count : 0;
    struct interval *list = calloc(count ? count : 1, sizeof *list);
    if (!list)
        kp_bsp_no_memory(self);
    for (int sender = 0; sender < self->team->size; sender++) {
        if (from[sender])
            listed += list_queue(&from[sender]->puts, sender, list + listed);
    }
    for (size_t i = 0; i < listed; i++)
        look_for_change(self, &list[i]);
    look_for_conflict(self, list, listed);
    free(list);
}
