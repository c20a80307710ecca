/* bsp_put and bsp_hpput. A put is captured in the sheet of its sender, or in a queue for its
 * receiver, which writes it in the sync. bsp_hpput writes at once, as all memory is shared: one
 * copy. */
#include "lib/bsp/sheet.h"

/* --- What is compiled into programs (bsp_inline.h) --- */

KP_BSP_EXPORT const char KP_BSP_LAYOUT = 1;

/* If one of these fails, the layout has changed: give KP_BSP_LAYOUT another number first. */
#if defined(__LP64__)
_Static_assert(sizeof(struct kp_bsp_front) == 128 && offsetof(struct kp_bsp_front, quick) == 24 &&
                   offsetof(struct kp_bsp_front, last_row) == 40 &&
                   offsetof(struct kp_bsp_front, same.words) == 96 &&
                   offsetof(struct kp_bsp_front, last_word) == 120,
               "kp_bsp_front is that of kp_bsp_layout_3");
_Static_assert(sizeof(struct kp_bsp_put_pair) == 64 &&
                   offsetof(struct kp_bsp_put_pair, last) == 48 &&
                   sizeof(struct kp_bsp_message_pair) == 64 &&
                   offsetof(struct kp_bsp_message_pair, queue.end) == 16,
               "the queues are those of kp_bsp_layout_3");
_Static_assert(sizeof(struct kp_bsp_block) == 16 && offsetof(struct kp_bsp_out, puts) == 8 &&
                   offsetof(struct kp_bsp_out, messages) == 16,
               "kp_bsp_block and kp_bsp_out are those of kp_bsp_layout_3");
#endif

/* --- What a process has for the others --- */

void kp_bsp_out_begin(struct kp_bsp_process *self)
{
    const struct kp_bsp_team *team = self->team;
    const size_t first = kp_bsp_pair(team, self->pid, 0);
    for (unsigned generation = 0; generation < 2; generation++) {
        struct kp_bsp_sheet *sheet = kp_bsp_sheet(team, generation, self->pid);
        sheet->room_stride = generation == 0 ? KP_BSP_ROOM : team->room_bytes;
        sheet->rooms = kp_bsp_room_between(team, generation, self->pid, 0);
        self->outs[generation] =
            (struct kp_bsp_out){.sheet = sheet,
                                .states = sheet->states,
                                .puts = team->puts[generation] + first,
                                .messages = team->messages[generation] + first};
    }
    self->front.now = &self->outs[kp_bsp_generation(self)];
    self->front.same = (struct kp_bsp_same){.block = self, .word_block = self};
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

/* In an odd superstep a process has read what came in the even one before it, and nobody else uses
 * that memory now. So it puts its own data there: the memory is in its cache, and half of it is
 * enough. Returns whether this holds for what process `pid` has put here as `state` says. */
static bool has_read(const struct kp_bsp_process *self, int pid, unsigned state)
{
    return kp_bsp_generation(self) && !self->remote &&
           kp_bsp_states(self->team, 0, pid)[self->pid] & state;
}

/* In a pair the last note says what has been read. Returns it; NULL: nothing. */
static const struct kp_bsp_lent *lent_by(const struct kp_bsp_process *self, int pid)
{
    const bool lent =
        pid != self->pid && kp_bsp_generation(self) && self->lent.superstep == self->superstep;
    return lent ? &self->lent : NULL;
}

/* Returns the block to the sheet's place that is such memory of at least this length, or NULL. */
static char *read_block(const struct kp_bsp_process *self, int pid, size_t size)
{
    const struct kp_bsp_sheet *sheet = kp_bsp_sheet(self->team, 0, pid);
    if (self->notes) {
        const struct kp_bsp_lent *lent = lent_by(self, pid);
        return lent && lent->size >= size ? lent->block : NULL;
    }
    if (!has_read(self, pid, KP_BSP_SAME) || sheet->size < size)
        return NULL;
    char *slot;
    memcpy(&slot, kp_bsp_word_of(self->team, sheet, self->pid), sizeof slot);
    return slot;
}

/* Returns the chunk of a queue that is such memory, or NULL. */
static struct kp_bsp_chunk *read_chunk(const struct kp_bsp_process *self, int pid)
{
    if (self->notes) {
        const struct kp_bsp_lent *lent = lent_by(self, pid);
        return lent ? lent->chunk : NULL;
    }
    return has_read(self, pid, KP_BSP_QUEUED)
               ? kp_bsp_last_chunk(
                     &self->team->puts[0][kp_bsp_pair(self->team, pid, self->pid)].queue)
               : NULL;
}

/* Begins the queue for the process `pid`. In a pair a note names either a put to the sheet's place
 * or a queue, so such a put goes to the queue's beginning. */
static bool begin_queue(struct kp_bsp_process *self, int pid, size_t bytes)
{
    struct kp_bsp_out *out = self->front.now;
    struct kp_bsp_queue *queue = &out->puts[pid].queue;
    const size_t size = out->sheet->size;
    const bool moves = self->notes && pid != self->pid && out->states[pid] & KP_BSP_SAME;
    const size_t moved = moves ? sizeof self->note_head + kp_bsp_aligned(size) : 0;
    if (!kp_bsp_queue_begin(queue, &out->arena, moved + bytes, read_chunk(self, pid)))
        return false;
    if (moves) {
        memcpy(queue->at, &self->note_head, sizeof self->note_head);
        memcpy(queue->at + sizeof self->note_head, kp_bsp_block_of(self->team, out->sheet, pid),
               size);
        queue->at += moved;
    }
    out->puts[pid].after = NULL;
    out->states[pid] = (uint8_t)((out->states[pid] & (moves ? ~KP_BSP_SAME : ~0)) | KP_BSP_QUEUED);
    self->front.same.word_block = self;
    return true;
}

/* Makes room for `bytes` bytes in the queue for the process `pid`. */
static void make_room(struct kp_bsp_process *self, int pid, size_t bytes)
{
    struct kp_bsp_out *out = self->front.now;
    struct kp_bsp_put_pair *pair = &out->puts[pid];
    bool made = true;
    if (!(out->states[pid] & KP_BSP_QUEUED)) {
        made = begin_queue(self, pid, bytes);
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
    const bool fits = kp_bsp_is_short(to, size);
    const size_t words = fits ? 1 : 3;
    const size_t origin = self->checks ? sizeof(struct kp_bsp_origin) : 0;
    const size_t all = words * sizeof(uint64_t) + origin + kp_bsp_aligned(size);
    struct kp_bsp_put_pair *pair = &self->front.now->puts[pid];
    make_room(self, pid, all);
    uint64_t *head = (void *)pair->queue.at;
    head[0] = fits ? kp_bsp_short_head(to, size) : 0;
    if (!fits) {
        head[1] = (uint64_t)(uintptr_t)to;
        head[2] = size;
    }
    if (self->checks)
        *(struct kp_bsp_origin *)(void *)(head + words) = (struct kp_bsp_origin){
            .file = self->front.call.file, .line = self->front.call.line, .source = source};
    memcpy((char *)(head + words) + origin, from, size);
    pair->queue.at += all;
    pair->last = head;
    pair->after = fits && !self->checks ? to + size : NULL;
    kp_bsp_ask(self, KP_BSP_PUTS);
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
    kp_bsp_copy(at, from, size);
    return true;
}

/* Appends a put to the queue, or to the last put there. */
static __attribute__((noinline)) void append(struct kp_bsp_process *self, int pid, char *to,
                                             const void *from, size_t size)
{
    struct kp_bsp_put_pair *pair = &self->front.now->puts[pid];
    const size_t all = sizeof(uint64_t) + kp_bsp_aligned(size);
    if (!(self->front.now->states[pid] & KP_BSP_QUEUED) || !kp_bsp_is_short(to, size)) {
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
    *head = kp_bsp_short_head(to, size);
    kp_bsp_copy((char *)(head + 1), from, size);
}

/* --- Puts to the sheet's place --- */

/* Puts a block that is longer than a room to the sheet's place. */
static __attribute__((noinline)) void put_long_to_same(struct kp_bsp_process *self, int pid,
                                                       const void *from, size_t size)
{
    char *slot = read_block(self, pid, size);
    if (!slot)
        slot = kp_bsp_arena_take(&self->front.now->arena, size);
    if (!slot)
        kp_bsp_no_memory(self);
    if (pid + 1 < self->team->size &&
        !self->notes) { /* the next put often goes to the next process */
        char *next = read_block(self, pid + 1, size);
        kp_bsp_fetch_to_write(next ? next : slot + size, size);
    }
    memcpy(kp_bsp_word_of(self->team, self->front.now->sheet, pid), &slot, sizeof slot);
    memcpy(slot, from, size);
}

/* Puts something else than a word to the sheet's place. Whatever is called here is called last. */
static __attribute__((noinline)) void put_block_to_same(struct kp_bsp_process *self, int pid,
                                                        const void *from, size_t size)
{
    const struct kp_bsp_sheet *sheet = self->front.now->sheet;
    if (size > KP_BSP_ROOM)
        put_long_to_same(self, pid, from, size);
    else if (size > sizeof(uint64_t))
        memcpy(kp_bsp_room_of(sheet, pid), from, size);
    else
        memcpy(kp_bsp_word_of(self->team, sheet, pid), from, size);
}

static inline void put_to_same(struct kp_bsp_process *self, int pid, const void *from, size_t size)
{
    self->front.same.states[pid] |= KP_BSP_SAME;
    self->front.same.bits = KP_BSP_PUTS;
    if (size == 8)
        memcpy(self->front.same.words + (size_t)pid * sizeof(uint64_t), from, 8);
    else
        put_block_to_same(self, pid, from, size);
}

static inline bool is_to_same(const struct kp_bsp_same *same, int pid, const void *block,
                              size_t offset, size_t size)
{
    return block == same->block && offset == same->offset && size == same->size &&
           !(same->states[pid] & KP_BSP_QUEUED);
}

/* Returns whether the blocks of all processes have this place. */
static bool fits_all(struct kp_bsp_process *self, size_t offset, size_t size)
{
    if (self->least_row != self->front.last_row) {
        self->least_row = self->front.last_row;
        self->least_size = SIZE_MAX;
        for (int i = 0; i < self->team->size; i++) {
            if (self->front.last_row[i].size < self->least_size)
                self->least_size = self->front.last_row[i].size;
        }
    }
    return size <= self->least_size && offset <= self->least_size - size;
}

/* In a pair: finds the head of a note for this place, and returns whether there can be one. */
static bool find_note_head(struct kp_bsp_process *self, size_t offset, size_t size)
{
    const char *there = self->front.last_row[1 - self->pid].base + offset;
    self->note_head = kp_bsp_short_head(there, size);
    return kp_bsp_is_short(there, size);
}

/* The first put of a superstep, which goes to another place than those of the superstep before,
 * decides on the sheet's place. */
static __attribute__((noinline)) void put_first(struct kp_bsp_process *self, int pid, char *to,
                                                const void *from, size_t offset, size_t size)
{
    struct kp_bsp_out *out = self->front.now;
    if (!fits_all(self, offset, size) || (self->notes && !find_note_head(self, offset, size))) {
        self->front.same.block = self;
        append(self, pid, to, from, size);
        return;
    }
    self->placed = self->superstep;
    out->sheet->row = self->front.last_row;
    out->sheet->offset = offset;
    out->sheet->size = size;
    self->front.same = (struct kp_bsp_same){
        .block = self->front.last_block,
        .word_block = size == sizeof(uint64_t) ? self->front.last_block : (const void *)self,
        .offset = offset,
        .size = size,
        .states = out->states,
        .words = kp_bsp_word_of(self->team, out->sheet, 0)};
    put_to_same(self, pid, from, size);
}

/* --- bsp_put --- */

/* Puts something with checks, or without shared memory. Then all puts are in the queue. */
static void append_carefully(struct kp_bsp_process *self, int pid, char *to, const void *from,
                             size_t size, const char *source)
{
    if (self->checks)
        append_any(self, pid, to, from, size, source);
    else
        append(self, pid, to, from, size);
}

/* Captures something that goes to `to` in process `pid`, at `offset` of the block that was looked
 * for last. `source` is that of bsp_hpput; NULL: bsp_put. */
static void capture(struct kp_bsp_process *self, int pid, char *to, const void *from, size_t offset,
                    size_t size, const char *source)
{
    if (__builtin_expect(self->checks || self->remote, 0))
        append_carefully(self, pid, to, from, size, source);
    else if (is_to_same(&self->front.same, pid, self->front.last_block, offset, size))
        put_to_same(self, pid, from, size);
    else if (__builtin_expect(!(kp_bsp_bits(self) & KP_BSP_PUTS), 0))
        put_first(self, pid, to, from, offset, size);
    else
        append(self, pid, to, from, size);
}

static void put_anywhere(struct kp_bsp_process *self, int line, int pid, const void *from, void *to,
                         size_t offset, size_t size);

/* The block is another one than that of the last call. */
static __attribute__((noinline)) void put_elsewhere(struct kp_bsp_process *self, int line, int pid,
                                                    const void *from, void *to, size_t offset,
                                                    size_t size)
{
    kp_bsp_find_row(self, pid, to);
    put_anywhere(self, line, pid, from, to, offset, size);
}

/* A put that does not go to the sheet's place, or has to be looked at more closely. */
static __attribute__((noinline)) void put_anywhere(struct kp_bsp_process *self, int line, int pid,
                                                   const void *from, void *to, size_t offset,
                                                   size_t size)
{
    if (__builtin_expect(self->phase != KP_BSP_RUNNING, 0))
        kp_bsp_refuse("bsp_put", self->front.call.file, line);
    if (size == 0)
        return;
    if (to != self->front.last_block) {
        put_elsewhere(self, line, pid, from, to, offset, size);
        return;
    }
    char *there = kp_bsp_remote_of_row(self, pid, offset, size);
    kp_bsp_count(self, pid, size);
    capture(self, pid, there, from, offset, size, NULL);
}

/* put_anywhere has the parameters that this one has, but for the first, so that they need not be
 * moved. */
KP_BSP_EXPORT void kp_bsp_put(const char *file, int line, int pid, const void *from, void *to,
                              size_t offset, size_t size)
{
    struct kp_bsp_process *self = kp_face_data();
    if (!self)
        kp_bsp_refuse("bsp_put", file, line);
    self->front.call = (struct kp_bsp_place){"bsp_put", file, line};
    if ((unsigned)pid < self->front.quick && is_to_same(&self->front.same, pid, to, offset, size))
        put_to_same(self, pid, from, size);
    else
        put_anywhere(self, line, pid, from, to, offset, size);
}

/* --- bsp_hpput --- */

/* Returns whether what bsp_hpput sends is captured in any case. Of two processes, a word travels
 * beside the barrier's word, and a block of up to a line in a line that its receiver knows. */
static bool is_captured(const struct kp_bsp_process *self, size_t size)
{
    return self->team->size == 2 && size <= KP_BSP_LINE;
}

/* Returns whether what bsp_hpput sends may be written at once. Of several bsp_hpput to the same
 * place the last one stays. So a block that goes to one process after a captured put is captured,
 * too, unless this put is at the sheet's place and does not overlap the block. */
static bool may_write(const struct kp_bsp_process *self, int pid, const char *to, size_t size)
{
    const struct kp_bsp_sheet *sheet = self->front.now->sheet;
    const unsigned state = sheet->states[pid] & KP_BSP_ANY_PUT;
    if (self->notes ? self->front.direct > 0 : self->written < self->superstep)
        return true;
    if (state & KP_BSP_QUEUED)
        return false;
    const uintptr_t place = state ? (uintptr_t)sheet->row[pid].base + sheet->offset : 0;
    if (state && (uintptr_t)to < place + sheet->size && place < (uintptr_t)to + size)
        return false;
    return kp_bsp_may_touch(self, pid);
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
    if (to != self->front.last_block) {
        hpput_elsewhere(file, line, pid, from, to, offset, size);
        return;
    }
    char *there = kp_bsp_remote_of_row(self, pid, offset, size);
    kp_bsp_count(self, pid, size);
    if (self->checks || is_captured(self, size) || !may_write(self, pid, there, size)) {
        self->front.direct =
            0; /* those that follow in this superstep look whether they may write */
        capture(self, pid, there, from, offset, size, from);
    } else {
        memmove(there, from, size); /* after its source has been read */
    }
}
