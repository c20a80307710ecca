/* What others have put is written by its receiver in the sync. In a pair, a note beside the
 * barrier's word says what one has put to the other. */
#include "lib/bsp/sheet.h"

/* --- Writing --- */

static const char *write_long(const uint64_t *head, size_t origin)
{
    const char *data = (const char *)(head + 3) + origin;
    memcpy((char *)(uintptr_t)head[1], data, head[2]);
    return data + kp_bsp_aligned(head[2]);
}

/* Writes the puts from `at` to `end`. Returns where the next one begins. */
static const char *write_puts(const char *at, const char *end, size_t origin)
{
    while (at < end) {
        const uint64_t *head = (const void *)at;
        const size_t size = *head >> KP_BSP_ADDRESS_BITS;
        const char *data = at + sizeof *head + origin;
        if (size == 0) {
            at = write_long(head, origin);
            continue;
        }
        /* Apart, so that the next head does not wait for this one. */
        if (size == 8) {
            memcpy((char *)(uintptr_t)(*head & kp_bsp_address_of_head), data, 8);
            at = data + 8;
            continue;
        }
        memcpy((char *)(uintptr_t)(*head & kp_bsp_address_of_head), data, size);
        at = data + kp_bsp_aligned(size);
    }
    return at;
}

/* Writes the puts of a queue whose last chunk ends at `last`. Returns this chunk. Its lines are
 * asked for ahead, as this process writes there next. */
static __attribute__((noinline)) struct kp_bsp_chunk *write_queue(struct kp_bsp_chunk *chunk,
                                                                  const char *last, size_t origin)
{
    const ptrdiff_t part = 256;
    for (;; chunk = chunk->next) {
        const char *at = chunk->data, *end = chunk->next ? chunk->used : last;
        while (end - at > part) {
            kp_bsp_fetch_to_write(at + part,
                                  (size_t)(end - at < 2 * part ? end - at - part : part));
            at = write_puts(at, at + part, origin);
        }
        write_puts(at, end, origin);
        if (!chunk->next)
            return chunk;
    }
}

/* Writes a block. Fetches that of the `next` sheet, if it is not NULL. */
static __attribute__((noinline)) void write_block(const struct kp_bsp_team *team,
                                                  const struct kp_bsp_sheet *sheet, int pid,
                                                  char *to, const struct kp_bsp_sheet *next)
{
    if (next && next->size > KP_BSP_ROOM && next->states[pid] & KP_BSP_SAME)
        kp_bsp_fetch_to_write(kp_bsp_block_of(team, next, pid), next->size);
    memcpy(to, kp_bsp_block_of(team, sheet, pid), sheet->size);
}

static inline char *place_of(const struct kp_bsp_sheet *sheet, size_t pid)
{
    return sheet->row[pid].base + sheet->offset;
}

/* Writes words that are put to the sheets' places, beginning with the sheet `at`. Returns the first
 * sheet that has something else, or no registration like the first one's, or a word that does not
 * lie behind all before it. `*written` is the end of what has been written. */
static const char *write_words(const struct kp_bsp_team *team, const char *at, const char *last,
                               size_t pid, uintptr_t *written)
{
    const size_t sheet_bytes = team->sheet_bytes;
    const size_t word_at = team->words_at + pid * sizeof(uint64_t);
    const struct kp_bsp_block *const row = ((const struct kp_bsp_sheet *)(const void *)at)->row;
    uintptr_t behind = *written;
    for (char *base = row ? row[pid].base : NULL; at <= last; at += sheet_bytes) {
        const struct kp_bsp_sheet *sheet = (const void *)at;
        if ((sheet->states[pid] & KP_BSP_ANY_PUT) != KP_BSP_SAME || sheet->row != row ||
            sheet->size != sizeof(uint64_t))
            break;
        char *to = base + sheet->offset;
        if ((uintptr_t)to < behind)
            break;
        memcpy(to, at + word_at, sizeof(uint64_t));
        behind = (uintptr_t)to + sizeof(uint64_t);
    }
    *written = behind;
    return at;
}

/* Writes what is put to the sheets' places in the order of the senders, as memory is fastest
 * upwards. Returns false at a put that does not lie behind all before it, or is in a queue. */
static bool write_upwards(const struct kp_bsp_team *team, unsigned generation, size_t pid)
{
    const size_t sheet_bytes = team->sheet_bytes;
    const char *at = team->sheets[generation];
    const char *const last = at + (size_t)(team->size - 1) * sheet_bytes;
    uintptr_t written = 0;
    for (; at <= last; at += sheet_bytes) {
        if ((at = write_words(team, at, last, pid, &written)) > last)
            break;
        const struct kp_bsp_sheet *sheet = (const void *)at;
        const unsigned state = sheet->states[pid] & KP_BSP_ANY_PUT;
        if (state == 0)
            continue;
        if (state != KP_BSP_SAME)
            return false;
        char *to = place_of(sheet, pid);
        if ((uintptr_t)to < written)
            return false;
        written = (uintptr_t)to + sheet->size;
        write_block(team, sheet, (int)pid, to, at < last ? (const void *)(at + sheet_bytes) : NULL);
    }
    return true;
}

/* The lowest process comes last, so that its value stays. */
static void write_downwards(const struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_team *team = self->team;
    const size_t origin = self->checks ? sizeof(struct kp_bsp_origin) : 0, pid = (size_t)self->pid;
    for (int sender = team->size - 1; sender >= 0; sender--) {
        const struct kp_bsp_sheet *sheet = kp_bsp_sheet(team, generation, sender);
        const unsigned state = sheet->states[pid];
        if (state & KP_BSP_SAME)
            write_block(team, sheet, self->pid, place_of(sheet, pid), NULL);
        const struct kp_bsp_queue *queue =
            &team->puts[generation][kp_bsp_pair(team, sender, self->pid)].queue;
        if (state & KP_BSP_QUEUED)
            (void)write_queue(queue->first, queue->at, origin);
    }
}

/* --- Steady supersteps --- */

unsigned kp_bsp_steady_bits(const struct kp_bsp_process *self, unsigned bits)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    const struct kp_bsp_sheet *sheet = self->front.now->sheet;
    if (!(bits & KP_BSP_UNSTEADY) || self->placed == self->superstep ||
        sheet->size < sizeof(uint64_t) || sheet->size > KP_BSP_ROOM)
        return bits;
    for (int i = 0; i < self->team->size; i += (int)sizeof ones) {
        uint64_t states;
        memcpy(&states, sheet->states + i, sizeof states);
        if ((states & ones * KP_BSP_ANY_PUT) != ones * KP_BSP_SAME)
            return bits;
    }
    return bits & ~(unsigned)KP_BSP_UNSTEADY;
}

/* Returns whether the blocks of a steady superstep lie behind each other, and notes where. */
static bool find_line(struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_sheet *first = kp_bsp_sheet(self->team, generation, 0);
    for (int i = 1; i < self->team->size; i++) {
        const struct kp_bsp_sheet *sheet = kp_bsp_sheet(self->team, generation, i);
        if (sheet->row != first->row || sheet->size != first->size ||
            sheet->offset != first->offset + (size_t)i * first->size)
            return false;
    }
    self->line.to = place_of(first, (size_t)self->pid);
    self->line.size = first->size;
    return true;
}

/* Copies words that are `step` bytes apart. */
static void gather_words(char *to, const char *from, size_t step, size_t count)
{
    for (; count >= 4; count -= 4, to += 32, from += 4 * step) {
        memcpy(to, from, 8);
        memcpy(to + 8, from + step, 8);
        memcpy(to + 16, from + 2 * step, 8);
        memcpy(to + 24, from + 2 * step + step, 8);
    }
    for (; count > 0; count--, to += 8, from += step)
        memcpy(to, from, 8);
}

/* The same with rooms. Their reader writes to them in the next superstep. */
static void gather_rooms(char *to, const char *from, size_t step, size_t count, size_t size)
{
    const size_t ahead = 8;
    for (; count > 0; count--, to += size, from += step) {
        if (count > ahead)
            kp_bsp_fetch_to_write(from + ahead * step, 1);
        if (size == KP_BSP_ROOM)
            memcpy(to, from, KP_BSP_ROOM);
        else
            memcpy(to, from, size);
    }
}

/* Writes what came in a steady superstep. Returns false if it does not lie in a line. */
static bool write_line(struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_team *team = self->team;
    struct kp_bsp_line *line = &self->line;
    const struct kp_bsp_sheet *first = kp_bsp_sheet(team, generation, 0);
    if (line->superstep + 1 != self->superstep && !find_line(self, generation))
        return false;
    line->superstep = self->superstep;
    if (line->size == sizeof(uint64_t))
        gather_words(line->to, kp_bsp_word_of(team, first, self->pid), team->sheet_bytes,
                     (size_t)team->size);
    else
        gather_rooms(line->to, kp_bsp_room_of(first, self->pid),
                     generation == 0 ? team->room_bytes : KP_BSP_ROOM, (size_t)team->size,
                     line->size);
    return true;
}

void kp_bsp_puts_apply(struct kp_bsp_process *self, unsigned generation, bool steady)
{
    if (steady && write_line(self, generation))
        return;
    /* The second one writes all that the first one has written. */
    if (!write_upwards(self->team, generation, (size_t)self->pid))
        write_downwards(self, generation);
}

/* --- Notes --- */

unsigned kp_bsp_note_puts(const struct kp_bsp_process *self, unsigned bits,
                          struct kp_face_note *note)
{
    const int other = 1 - self->pid;
    const struct kp_bsp_sheet *sheet = self->front.now->sheet;
    if (sheet->states[other] & KP_BSP_QUEUED) {
        const struct kp_bsp_queue *queue = &self->front.now->puts[other].queue;
        note->words[KP_BSP_NOTE_HEAD] = (uint64_t)(uintptr_t)queue->first;
        note->words[KP_BSP_NOTE_WORD] = (uint64_t)(uintptr_t)queue->at;
        return bits | KP_BSP_LISTED;
    }
    note->words[KP_BSP_NOTE_HEAD] = sheet->states[other] & KP_BSP_SAME ? self->note_head : 0;
    memcpy(&note->words[KP_BSP_NOTE_WORD], kp_bsp_word_of(self->team, sheet, other),
           sizeof(uint64_t));
    return bits;
}

/* Writes a block that does not travel with the note. A room's address does not depend on the note.
 * So a processor that executes ahead asks for the room's line while it waits for the note's one. */
static __attribute__((noinline)) void write_noted_block(struct kp_bsp_process *self,
                                                        unsigned generation, char *to, char *block,
                                                        size_t size)
{
    if (size <= KP_BSP_ROOM)
        block = kp_bsp_room_between(self->team, generation, 1 - self->pid, self->pid);
    else
        self->lent =
            (struct kp_bsp_lent){.block = block, .size = size, .superstep = self->superstep};
    kp_bsp_fetch_to_write(block, size);
    memcpy(to, block, size);
}

/* The memory that the note names is where this process puts something in the next superstep. */
static inline void write_noted(struct kp_bsp_process *self, unsigned generation)
{
    const uint64_t head = self->met.note.words[KP_BSP_NOTE_HEAD],
                   word = self->met.note.words[KP_BSP_NOTE_WORD];
    char *block = (char *)(uintptr_t)word;
    if (self->met.bits & KP_BSP_LISTED) {
        self->lent = (struct kp_bsp_lent){
            .chunk = write_queue((struct kp_bsp_chunk *)(uintptr_t)head, block, 0),
            .superstep = self->superstep};
        return;
    }
    const size_t size = head >> KP_BSP_ADDRESS_BITS;
    char *to = (char *)(uintptr_t)(head & kp_bsp_address_of_head);
    if (size == sizeof word)
        memcpy(to, &word, sizeof word);
    else if (size > sizeof word)
        write_noted_block(self, generation, to, block, size);
    else if (size > 0)
        memcpy(to, &word, size);
}

/* Writes what this process has put to itself. */
static inline void write_own(const struct kp_bsp_process *self, const struct kp_bsp_out *out)
{
    const unsigned state = out->states[self->pid];
    if (state & KP_BSP_SAME)
        kp_bsp_copy(place_of(out->sheet, (size_t)self->pid),
                    kp_bsp_block_of(self->team, out->sheet, self->pid), out->sheet->size);
    if (state & KP_BSP_QUEUED)
        (void)write_queue(out->puts[self->pid].queue.first, out->puts[self->pid].queue.at, 0);
}

/* The lower process comes last, so that its value stays. */
void kp_bsp_puts_apply_noted(struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_out *out = &self->outs[generation];
    if (self->pid == 1)
        write_own(self, out);
    if (self->met.bits & KP_BSP_PUTS)
        write_noted(self, generation);
    if (self->pid == 0)
        write_own(self, out);
}
