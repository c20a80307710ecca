/* bsp_put and bsp_hpput. A put is captured in a queue of its sender for its receiver, which writes
 * it in the sync. bsp_hpput writes at once, as all memory is shared: one copy. */
#include "lib/bsp/process.h"

#include <string.h>

/* --- What a process has for the others --- */

void kp_bsp_out_begin(struct kp_bsp_process *self)
{
    const struct kp_bsp_team *team = self->team;
    const size_t first = kp_bsp_pair(team, self->pid, 0);
    for (unsigned generation = 0; generation < 2; generation++) {
        self->outs[generation] =
            (struct kp_bsp_out){.states = kp_bsp_states(team, generation, self->pid),
                                .firsts = kp_bsp_firsts(team, generation, self->pid),
                                .rooms = kp_bsp_rooms(team, generation, self->pid),
                                .puts = team->puts[generation] + first,
                                .messages = team->messages[generation] + first};
    }
    self->now = &self->outs[kp_bsp_generation(self)];
}

void kp_bsp_out_clear(struct kp_bsp_process *self)
{
    memset(self->now->states, 0, (size_t)self->team->size);
    kp_bsp_arena_empty(&self->now->arena);
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

/* Makes room for `bytes` bytes in the queue for the process `pid`. */
static void make_room(struct kp_bsp_process *self, int pid, size_t bytes)
{
    struct kp_bsp_out *out = self->now;
    struct kp_bsp_put_pair *pair = &out->puts[pid];
    bool made = true;
    if (!(out->states[pid] & KP_BSP_QUEUED)) {
        made = kp_bsp_queue_begin(&pair->queue, &out->arena, bytes);
        pair->after = NULL;
        out->states[pid] |= KP_BSP_QUEUED;
    } else if (!kp_bsp_queue_has_room(&pair->queue, bytes)) {
        made = kp_bsp_queue_grow(&pair->queue, &out->arena, bytes);
    }
    if (!made)
        kp_bsp_no_memory(self);
}

/* Appends any put to the queue. `source` is that of bsp_hpput; NULL: bsp_put. */
static __attribute__((noinline)) void append_any(struct kp_bsp_process *self, int pid, char *to,
                                                 const void *from, size_t size, const char *source)
{
    const bool fits = is_short(to, size);
    const size_t words = fits ? 1 : 3;
    const size_t origin = self->checks ? sizeof(struct kp_bsp_origin) : 0;
    const size_t all = words * sizeof(uint64_t) + origin + kp_bsp_aligned(size);
    struct kp_bsp_put_pair *pair = &self->now->puts[pid];
    make_room(self, pid, all);
    uint64_t *head = (void *)pair->queue.at;
    head[0] = fits ? short_head(to, size) : 0;
    if (!fits) {
        head[1] = (uint64_t)(uintptr_t)to;
        head[2] = size;
    }
    if (self->checks)
        *(struct kp_bsp_origin *)(void *)(head + words) = (struct kp_bsp_origin){
            .file = self->call.file, .line = self->call.line, .source = source};
    memcpy((char *)(head + words) + origin, from, size);
    pair->queue.at += all;
    pair->last = head;
    pair->after = fits && !self->checks ? to + size : NULL;
    self->bits |= KP_BSP_PUTS;
}

/* Continues the last put, if this one goes to the place after it. */
static bool join(struct kp_bsp_put_pair *pair, const void *from, size_t size)
{
    const uint64_t before = *pair->last >> KP_BSP_ADDRESS_BITS;
    char *at = pair->queue.at;
    if (before % 8 != 0 || size > KP_BSP_SHORT - before ||
        !kp_bsp_queue_has_room(&pair->queue, kp_bsp_aligned(size)))
        return false;
    pair->queue.at += kp_bsp_aligned(size);
    pair->after += size;
    *pair->last += (uint64_t)size << KP_BSP_ADDRESS_BITS;
    copy(at, from, size);
    return true;
}

/* The first put for a process, if it is not a word. */
static void capture_piece(struct kp_bsp_process *self, int pid, char *to, const void *from,
                          size_t size)
{
    struct kp_bsp_out *out = self->now;
    struct kp_bsp_first *first = &out->firsts[pid];
    char *piece = size > sizeof first->from.word ? out->rooms[pid].data : first->from.word;
    if (size > sizeof out->rooms[pid].data) {
        if (!(piece = kp_bsp_arena_take(&out->arena, size)))
            kp_bsp_no_memory(self);
        first->from.piece = piece;
    }
    first->to = short_head(to, size);
    out->states[pid] |= KP_BSP_PIECE;
    self->bits |= KP_BSP_PUTS;
    memcpy(piece, from, size);
}

/* Appends a put to the queue, or to the last put there. */
static __attribute__((noinline)) void append(struct kp_bsp_process *self, int pid, char *to,
                                             const void *from, size_t size)
{
    struct kp_bsp_put_pair *pair = &self->now->puts[pid];
    const size_t all = sizeof(uint64_t) + kp_bsp_aligned(size);
    if (!(self->now->states[pid] & KP_BSP_QUEUED) || !is_short(to, size)) {
        append_any(self, pid, to, from, size, NULL);
        return;
    }
    if (to == pair->after && join(pair, from, size))
        return;
    if (!kp_bsp_queue_has_room(&pair->queue, all)) {
        append_any(self, pid, to, from, size, NULL);
        return;
    }
    uint64_t *head = (void *)pair->queue.at;
    pair->queue.at += all;
    pair->last = head;
    pair->after = to + size;
    *head = short_head(to, size);
    copy((char *)(head + 1), from, size);
}

/* A put that is no word. */
static __attribute__((noinline)) void capture_more(struct kp_bsp_process *self, int pid, char *to,
                                                   const void *from, size_t size)
{
    if (!(self->now->states[pid] & KP_BSP_ANY_PUT) && is_short(to, size))
        capture_piece(self, pid, to, from, size);
    else
        append(self, pid, to, from, size);
}

/* A word that is not the first put for a process. */
static __attribute__((noinline)) void capture_word(struct kp_bsp_process *self, int pid, char *to,
                                                   const void *from)
{
    const struct kp_bsp_out *out = self->now;
    struct kp_bsp_put_pair *pair = &out->puts[pid];
    if (!(out->states[pid] & KP_BSP_QUEUED) || to == pair->after || !is_short(to, 8) ||
        !kp_bsp_queue_has_room(&pair->queue, 2 * sizeof(uint64_t))) {
        append(self, pid, to, from, 8);
        return;
    }
    char *at = pair->queue.at;
    const uint64_t head = short_head(to, 8);
    pair->queue.at = at + 2 * sizeof(uint64_t);
    pair->last = (void *)at;
    pair->after = to + 8;
    memcpy(at, &head, sizeof head);
    memcpy(at + sizeof head, from, 8);
}

/* Whatever is called here is called last. So a put of a word saves no registers. */
static inline void capture(struct kp_bsp_process *self, int pid, char *to, const void *from,
                           size_t size)
{
    struct kp_bsp_out *out = self->now;
    const unsigned state = out->states[pid];
    struct kp_bsp_first *first = &out->firsts[pid];
    if (size != 8) {
        capture_more(self, pid, to, from, size);
    } else if (state & KP_BSP_ANY_PUT) {
        capture_word(self, pid, to, from);
    } else {
        out->states[pid] = (uint8_t)(state | KP_BSP_WORD);
        self->bits |= KP_BSP_PUTS;
        first->to = (uintptr_t)to;
        memcpy(first->from.word, from, 8);
    }
}

/* --- bsp_put --- */

/* Without shared memory, all puts are in the queue, which is sent as it is. */
static void capture_carefully(struct kp_bsp_process *self, int pid, char *to, const void *from,
                              size_t size, const char *source)
{
    if (self->checks)
        append_any(self, pid, to, from, size, source);
    else if (self->remote)
        append(self, pid, to, from, size);
    else
        capture(self, pid, to, from, size);
}

/* The same where something is counted or checked, or memory is not shared. */
static __attribute__((noinline)) void put_carefully(struct kp_bsp_process *self, int pid, char *to,
                                                    const void *from, size_t size)
{
    kp_bsp_count(self, pid, size);
    capture_carefully(self, pid, to, from, size, NULL);
}

/* The block is another one than that of the last call. */
static __attribute__((noinline)) void put_elsewhere(const char *file, int line, int pid,
                                                    const void *from, void *to, size_t offset,
                                                    size_t size)
{
    kp_bsp_find_row(kp_bsp_enter("bsp_put", file, line), pid, to);
    kp_bsp_put(file, line, pid, from, to, offset, size);
}

KP_BSP_EXPORT void kp_bsp_put(const char *file, int line, int pid, const void *from, void *to,
                              size_t offset, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_put", file, line);
    if (size == 0)
        return;
    if (to != self->last_block) {
        put_elsewhere(file, line, pid, from, to, offset, size);
        return;
    }
    char *there = kp_bsp_remote_of_row(self, pid, offset, size);
    if (__builtin_expect(self->careful, 0)) {
        put_carefully(self, pid, there, from, size);
        return;
    }
    capture(self, pid, there, from, size);
}

/* --- bsp_hpput --- */

/* What goes to one process in a superstep is all captured from the first captured put on, so that
 * of several bsp_hpput to the same place the last one stays. */
static bool may_write(const struct kp_bsp_process *self, int pid)
{
    if (self->written < self->superstep)
        return true;
    return !(self->now->states[pid] & KP_BSP_ANY_PUT) && kp_bsp_may_touch(self, pid);
}

/* The same where the other process may still be writing, or something is counted or checked. */
static __attribute__((noinline)) void hpput_carefully(struct kp_bsp_process *self, int pid,
                                                      char *to, const void *from, size_t size)
{
    kp_bsp_count(self, pid, size);
    if (!self->checks && may_write(self, pid))
        memmove(to, from, size);
    else
        capture_carefully(self, pid, to, from, size, from);
}

static __attribute__((noinline)) void hpput_elsewhere(const char *file, int line, int pid,
                                                      const void *from, void *to, size_t offset,
                                                      size_t size)
{
    kp_bsp_find_row(kp_bsp_enter("bsp_hpput", file, line), pid, to);
    kp_bsp_hpput(file, line, pid, from, to, offset, size);
}

KP_BSP_EXPORT void kp_bsp_hpput(const char *file, int line, int pid, const void *from, void *to,
                                size_t offset, size_t size)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_hpput", file, line);
    if (size == 0)
        return;
    if (to != self->last_block) {
        hpput_elsewhere(file, line, pid, from, to, offset, size);
        return;
    }
    char *there = kp_bsp_remote_of_row(self, pid, offset, size);
    if (__builtin_expect(self->careful || self->written >= self->superstep, 0))
        hpput_carefully(self, pid, there, from, size);
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

static const uint64_t address_of_head = (UINT64_C(1) << KP_BSP_ADDRESS_BITS) - 1;

static void write_queue(const struct kp_bsp_queue *queue, size_t origin)
{
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
            copy((char *)(uintptr_t)(*head & address_of_head), data, size);
            at = data + kp_bsp_aligned(size);
        }
    }
}

static void write_piece(const struct kp_bsp_first *first, const struct kp_bsp_room *room)
{
    const size_t size = first->to >> KP_BSP_ADDRESS_BITS;
    char *to = (char *)(uintptr_t)(first->to & address_of_head);
    if (size <= sizeof first->from.word)
        memcpy(to, first->from.word, size);
    else if (size <= sizeof room->data)
        memcpy(to, room->data, size);
    else
        memcpy(to, first->from.piece, size);
}

void kp_bsp_puts_apply(struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_team *team = self->team;
    const size_t origin = self->checks ? sizeof(struct kp_bsp_origin) : 0;
    const size_t sheet_bytes = team->sheet_bytes;
    const size_t first_at = team->firsts_at + (size_t)self->pid * sizeof(struct kp_bsp_first);
    const char *sheet = team->sheets[generation] + (size_t)team->size * sheet_bytes;
    const int pid = self->pid;
    /* The lowest process comes last, so that its value stays. */
    for (int sender = team->size - 1; sender >= 0; sender--) {
        sheet -= sheet_bytes;
        const struct kp_bsp_first *first = (const void *)(sheet + first_at);
        if (sheet[pid] & KP_BSP_WORD)
            memcpy((char *)(uintptr_t)first->to, first->from.word, 8);
        else if (sheet[pid] & KP_BSP_PIECE)
            write_piece(first,
                        (const struct kp_bsp_room *)(const void *)(sheet + team->rooms_at) + pid);
        if (sheet[pid] & KP_BSP_QUEUED)
            write_queue(&team->puts[generation][kp_bsp_pair(team, sender, pid)].queue, origin);
    }
}
