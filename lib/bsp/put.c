/* bsp_put and bsp_hpput. A put is captured in a queue of its sender for its receiver, which writes
 * it in the sync. bsp_hpput writes at once, as all memory is shared: one copy. */
#include "lib/bsp/process.h"

#include <string.h>

/* --- Queues for other processes --- */

struct kp_bsp_out *kp_bsp_out_begin(struct kp_bsp_process *self, int pid)
{
    const unsigned generation = kp_bsp_generation(self);
    struct kp_bsp_out *out = &self->outs[generation][pid];
    struct kp_bsp_team *team = self->team;
    struct kp_bsp_out **place =
        &team->outs[generation][(size_t)pid * (size_t)team->size + (size_t)self->pid];
    if (*place != out) {
        *place = out;
        self->touched[generation][self->touches[generation]++] = pid;
    }
    return out;
}

void kp_bsp_outs_clear(struct kp_bsp_process *self, unsigned generation)
{
    struct kp_bsp_team *team = self->team;
    for (int i = 0; i < self->touches[generation]; i++) {
        const int pid = self->touched[generation][i];
        struct kp_bsp_out *out = &self->outs[generation][pid];
        kp_bsp_queue_clear(&out->puts, &self->pool);
        kp_bsp_queue_clear(&out->messages, &self->pool);
        out->after = NULL;
        team->outs[generation][(size_t)pid * (size_t)team->size + (size_t)self->pid] = NULL;
    }
    self->touches[generation] = 0;
}

/* --- Where a put goes --- */

static _Noreturn void refuse_block(struct kp_bsp_process *self, const void *block, int found)
{
    if (!block)
        kp_bsp_fail(self, "registration", "the block is NULL");
    if (found == -2)
        kp_bsp_fail(
            self, "registration",
            "block %p is registered in this superstep, and can be used from the next one on",
            block);
    kp_bsp_fail(self, "registration", "block %p is not registered", block);
}

static _Noreturn void refuse_range(struct kp_bsp_process *self, int pid, size_t registered,
                                   size_t offset, size_t size)
{
    if (size > PTRDIFF_MAX || offset > PTRDIFF_MAX)
        kp_bsp_fail(self, "bounds", "%s is %td; it may not be negative",
                    size > PTRDIFF_MAX ? "size" : "offset",
                    size > PTRDIFF_MAX ? (ptrdiff_t)size : (ptrdiff_t)offset);
    kp_bsp_fail(self, "bounds",
                "bytes %zu ... %zu are out of bounds, as process %d has registered %zu byte%s",
                offset, offset + size - 1, pid, registered, registered == 1 ? "" : "s");
}

char *kp_bsp_remote(struct kp_bsp_process *self, int pid, const void *block, size_t offset,
                    size_t size)
{
    kp_bsp_check_pid(self, pid);
    const int number = kp_bsp_area_find(&self->areas, block, self->superstep);
    if (number < 0 || !block)
        refuse_block(self, block, number);
    const struct kp_bsp_area *area = kp_bsp_area_at(&self->team->members[pid]->areas, number);
    if (size > area->size || offset > area->size - size)
        refuse_range(self, pid, area->size, offset, size);
    return area->base + offset;
}

/* --- Capturing --- */

/* Continues the last put, if this one goes to the place after it. */
static bool join(struct kp_bsp_out *out, const char *to, const void *from, size_t size)
{
    struct kp_bsp_queue *queue = &out->puts;
    if (to != out->after || (size_t)(queue->end - queue->at) < kp_bsp_aligned(size) ||
        (*out->length & 7) != 0)
        return false;
    memcpy(queue->at, from, size);
    queue->at += kp_bsp_aligned(size);
    *out->length += size;
    out->after += size;
    queue->bytes += size;
    return true;
}

static void capture(struct kp_bsp_process *self, int pid, char *to, const void *from, size_t size,
                    bool hp)
{
    struct kp_bsp_out *out = kp_bsp_out_to(self, pid);
    struct kp_bsp_queue *queue = &out->puts;
    self->bits |= KP_BSP_PUTS;
    if (!self->checks && join(out, to, from, size))
        return;
    const size_t head =
        sizeof(struct kp_bsp_put) + (self->checks ? sizeof(struct kp_bsp_origin) : 0);
    char *at = kp_bsp_queue_room(queue, &self->pool, head + kp_bsp_aligned(size));
    if (!at)
        kp_bsp_no_memory(self);
    struct kp_bsp_put *put = (void *)at;
    *put = (struct kp_bsp_put){.to = to, .bytes = size};
    if (self->checks)
        *(struct kp_bsp_origin *)(void *)(put + 1) = (struct kp_bsp_origin){
            .file = self->call.file, .line = self->call.line, .source = hp ? from : NULL};
    memcpy(at + head, from, size);
    queue->at = at + head + kp_bsp_aligned(size);
    queue->count++;
    queue->bytes += size;
    out->after = to + size;
    out->length = &put->bytes;
}

KP_BSP_EXPORT void kp_bsp_put(const char *file, int line, int pid, const void *from, void *to,
                              size_t offset, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_put", file, line);
    if (size == 0)
        return;
    char *there = kp_bsp_remote(self, pid, to, offset, size);
    kp_bsp_count(self, pid, size);
    capture(self, pid, there, from, size, false);
}

/* What goes to one process in a superstep is all captured from the first captured put on, so that
 * of several bsp_hpput to the same place the last one stays. */
static bool may_write(const struct kp_bsp_process *self, int pid)
{
    return self->written < self->superstep ||
           (!self->outs[kp_bsp_generation(self)][pid].puts.first && kp_bsp_may_touch(self, pid));
}

KP_BSP_EXPORT void kp_bsp_hpput(const char *file, int line, int pid, const void *from, void *to,
                                size_t offset, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_hpput", file, line);
    if (size == 0)
        return;
    char *there = kp_bsp_remote(self, pid, to, offset, size);
    kp_bsp_count(self, pid, size);
    if (self->checks || !may_write(self, pid))
        capture(self, pid, there, from, size, true);
    else
        memmove(there, from, size);
}

/* --- Writing --- */

static void write_queue(const struct kp_bsp_queue *queue, size_t head)
{
    for (const struct kp_bsp_chunk *chunk = queue->first; chunk; chunk = chunk->next) {
        const char *at = chunk->data, *end = kp_bsp_chunk_end(queue, chunk);
        while (at < end) {
            const struct kp_bsp_put *put = (const void *)at;
            if (put->bytes == 8)
                memcpy(put->to, at + head, 8);
            else
                memcpy(put->to, at + head, put->bytes);
            at += head + kp_bsp_aligned(put->bytes);
        }
    }
}

void kp_bsp_puts_apply(struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_team *team = self->team;
    struct kp_bsp_out **from = &team->outs[generation][(size_t)self->pid * (size_t)team->size];
    const size_t head =
        sizeof(struct kp_bsp_put) + (self->checks ? sizeof(struct kp_bsp_origin) : 0);
    /* The lowest process comes last, so that its value stays. */
    for (int sender = team->size - 1; sender >= 0; sender--) {
        if (from[sender])
            write_queue(&from[sender]->puts, head);
    }
}
