/* bsp_put and bsp_hpput. A put is captured in a queue of its sender for its receiver, which writes
 * it in the sync. bsp_hpput writes at once, as all memory is shared: one copy. */
#include "lib/bsp/process.h"

#include <string.h>

/* --- Queues for other processes --- */

void kp_bsp_grow(struct kp_bsp_process *self, int pid, struct kp_bsp_queue *queue,
                 struct kp_bsp_writer *writer, size_t bytes)
{
    const unsigned generation = kp_bsp_generation(self);
    const struct kp_bsp_out *out = &self->outs[generation][pid];
    if (!out->puts.last && !out->messages.last)
        self->touched[generation][self->touches[generation]++] = pid;
    if (!kp_bsp_queue_grow(queue, writer, &self->pool, bytes))
        kp_bsp_no_memory(self);
}

void kp_bsp_outs_clear(struct kp_bsp_process *self, unsigned generation)
{
    struct kp_bsp_team *team = self->team;
    const size_t first = (size_t)self->pid * (size_t)team->size;
    for (int i = 0; i < self->touches[generation]; i++) {
        const int pid = self->touched[generation][i];
        struct kp_bsp_out *out = &self->outs[generation][pid];
        kp_bsp_queue_clear(&team->puts[generation][first + (size_t)pid].queue, &out->puts,
                           &self->pool);
        kp_bsp_queue_clear(&team->messages[generation][first + (size_t)pid].queue, &out->messages,
                           &self->pool);
        out->after = NULL;
        out->run = NULL;
    }
    self->touches[generation] = 0;
}

/* --- Where a put goes --- */

void kp_bsp_refuse_pid(struct kp_bsp_process *self, int pid)
{
    kp_bsp_fail(self, "argument", "pid is %d; it may be 0 ... %d", pid, self->team->size - 1);
}

void kp_bsp_refuse_range(struct kp_bsp_process *self, int pid, size_t registered, size_t offset,
                         size_t size)
{
    if (size > PTRDIFF_MAX || offset > PTRDIFF_MAX)
        kp_bsp_fail(self, "bounds", "%s is %td; it may not be negative",
                    size > PTRDIFF_MAX ? "size" : "offset",
                    size > PTRDIFF_MAX ? (ptrdiff_t)size : (ptrdiff_t)offset);
    kp_bsp_fail(self, "bounds",
                "bytes %zu ... %zu are out of bounds, as process %d has registered %zu byte%s",
                offset, offset + size - 1, pid, registered, registered == 1 ? "" : "s");
}

/* --- Capturing --- */

static uint64_t short_head(const char *to, size_t size)
{
    return (uint64_t)(uintptr_t)to | (uint64_t)size << KP_BSP_ADDRESS_BITS;
}

static bool is_short(const char *to, size_t size)
{
    return size <= KP_BSP_SHORT && (uint64_t)(uintptr_t)to >> KP_BSP_ADDRESS_BITS == 0;
}

static void copy(char *to, const void *from, size_t size)
{
    if (size == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, size);
}

/* Continues the last put, if this one goes to the place after it. */
static bool join(struct kp_bsp_queue *queue, struct kp_bsp_out *out, const char *to,
                 const void *from, size_t size)
{
    if (to != out->after || !kp_bsp_queue_has_room(queue, &out->puts, kp_bsp_aligned(size)))
        return false;
    const uint64_t before = *out->last >> KP_BSP_ADDRESS_BITS;
    if (before % 8 != 0 || size > KP_BSP_SHORT - before)
        return false;
    copy(queue->at, from, size);
    queue->at += kp_bsp_aligned(size);
    *out->last += (uint64_t)size << KP_BSP_ADDRESS_BITS;
    out->after += size;
    return true;
}

/* Appends a put that is long, or has an origin. */
static __attribute__((noinline)) void capture_long(struct kp_bsp_process *self, int pid,
                                                   struct kp_bsp_put_line *line, char *to,
                                                   const void *from, size_t size, bool hp)
{
    struct kp_bsp_out *out = &self->outs[kp_bsp_generation(self)][pid];
    struct kp_bsp_queue *queue = &line->queue;
    const bool long_form = !is_short(to, size);
    const size_t words = long_form ? 3 : 1;
    const size_t all = words * sizeof(uint64_t) +
                       (self->checks ? sizeof(struct kp_bsp_origin) : 0) + kp_bsp_aligned(size);
    if (!kp_bsp_queue_has_room(queue, &out->puts, all))
        kp_bsp_grow(self, pid, queue, &out->puts, all);
    uint64_t *head = (void *)queue->at;
    head[0] = long_form ? 0 : short_head(to, size);
    if (long_form) {
        head[1] = (uint64_t)(uintptr_t)to;
        head[2] = size;
    }
    char *at = (char *)(head + words);
    if (self->checks) {
        *(struct kp_bsp_origin *)(void *)at = (struct kp_bsp_origin){
            .file = self->call.file, .line = self->call.line, .source = hp ? from : NULL};
        at += sizeof(struct kp_bsp_origin);
    }
    memcpy(at, from, size);
    queue->at = at + kp_bsp_aligned(size);
    out->after = NULL;
}

static inline void capture(struct kp_bsp_process *self, int pid, char *to, const void *from,
                           size_t size, bool hp)
{
    const unsigned generation = kp_bsp_generation(self);
    struct kp_bsp_team *team = self->team;
    struct kp_bsp_put_line *line =
        &team->puts[generation][(size_t)self->pid * (size_t)team->size + (size_t)pid];
    self->bits |= KP_BSP_PUTS;
    if (line->used != self->superstep + 1) {
        line->used = self->superstep + 1;
        line->bytes = 0;
        if (size <= sizeof line->data && !self->checks) {
            line->to = to;
            line->bytes = size;
            copy(line->data, from, size);
            return;
        }
    }
    if (self->checks || !is_short(to, size)) {
        capture_long(self, pid, line, to, from, size, hp);
        return;
    }
    struct kp_bsp_out *out = &self->outs[generation][pid];
    struct kp_bsp_queue *queue = &line->queue;
    if (join(queue, out, to, from, size))
        return;
    const size_t all = sizeof(uint64_t) + kp_bsp_aligned(size);
    if (!kp_bsp_queue_has_room(queue, &out->puts, all))
        kp_bsp_grow(self, pid, queue, &out->puts, all);
    out->last = (void *)queue->at;
    *out->last = short_head(to, size);
    copy(queue->at + sizeof(uint64_t), from, size);
    queue->at += all;
    out->after = to + size;
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
    const struct kp_bsp_team *team = self->team;
    if (self->written < self->superstep)
        return true;
    const size_t place = (size_t)self->pid * (size_t)team->size + (size_t)pid;
    return team->puts[kp_bsp_generation(self)][place].used != self->superstep + 1 &&
           kp_bsp_may_touch(self, pid);
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
    else if (size == 8)
        memcpy(there, from, 8); /* after its source has been read */
    else
        memmove(there, from, size);
}

/* --- Writing --- */

static const char *write_long(const uint64_t *head, size_t origin)
{
    const char *data = (const char *)(head + 3) + origin;
    memcpy((char *)(uintptr_t)head[1], data, head[2]);
    return data + kp_bsp_aligned(head[2]);
}

static void write_queue(const struct kp_bsp_queue *queue, size_t origin)
{
    const uint64_t address = (UINT64_C(1) << KP_BSP_ADDRESS_BITS) - 1;
    for (const struct kp_bsp_chunk *chunk = queue->first; chunk; chunk = chunk->next) {
        const char *at = chunk->data, *end = kp_bsp_chunk_end(queue, chunk);
        while (at < end) {
            const uint64_t *head = (const void *)at;
            const size_t size = *head >> KP_BSP_ADDRESS_BITS;
            const char *data = at + sizeof *head + origin;
            if (size == 0) {
                at = write_long(head, origin);
                continue;
            }
            copy((char *)(uintptr_t)(*head & address), data, size);
            at = data + kp_bsp_aligned(size);
        }
    }
}

void kp_bsp_puts_apply(struct kp_bsp_process *self, unsigned generation)
{
    const size_t origin = self->checks ? sizeof(struct kp_bsp_origin) : 0;
    /* The lowest process comes last, so that its value stays. */
    for (int sender = self->team->size - 1; sender >= 0; sender--) {
        const struct kp_bsp_put_line *line = kp_bsp_puts_from(self, generation, sender);
        if (!line)
            continue;
        if (line->bytes > 0)
            copy(line->to, line->data, line->bytes);
        write_queue(&line->queue, origin);
    }
}
