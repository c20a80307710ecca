/* The end of a superstep. What members want of each other travels in the bits that arrive with the
 * barrier. If nobody wants anything, this is all. Puts and messages lie in queues that their
 * receivers read after the barrier, and of which there are two generations. So they need no second
 * one. Gets need it, as everything is read before anything is written. */
#include "lib/bsp/sheet.h"

#include <stdio.h>

static void describe_sync(const void *subject, char *text, size_t size)
{
    snprintf(text, size, "%s", (const char *)subject);
}

static const struct kp_call sync_call = {UINT64_C(0xb5b51), describe_sync, "bsp_sync"};
static const struct kp_call read_call = {UINT64_C(0xb5b52), describe_sync, "bsp_sync (gets)"};
static const struct kp_call begin_call = {UINT64_C(0xb5b54), describe_sync, "bsp_begin"};
static const struct kp_call end_call = {UINT64_C(0xb5b53), describe_sync, "bsp_end"};

static unsigned meet(struct kp_bsp_process *self, const struct kp_call *call, unsigned bits)
{
    unsigned all = 0;
    if (self->traced || self->remote) /* other reports have the place anyway */
        kp_here(self->front.call.file, self->front.call.line);
    const int status = kp_face_meet(self->group, call, bits, &all);
    if (status)
        kp_bsp_fail_by(self, status);
    return all;
}

static unsigned meet_remote(struct kp_bsp_process *self)
{
    const unsigned all = meet(self, &sync_call, self->bits | kp_bsp_remote_bits(self));
    /* Who has little to send says that this is irregular, and it means nothing if nobody has more.
     */
    return all & KP_BSP_LONG ? all : all & ~(unsigned)KP_BSP_IRREGULAR;
}

/* --- What all have to do alike --- */

static const struct kp_bsp_agreed *agreed_of(const struct kp_bsp_process *self, int pid,
                                             unsigned generation)
{
    return self->remote ? &self->remote->agreed[pid]
                        : &self->team->members[pid]->agreed[generation];
}

static _Noreturn void fail_unlike(struct kp_bsp_process *self, int pid, const char *what,
                                  const struct kp_bsp_place *place, uint64_t own, uint64_t other)
{
    char where[KP_BSP_WHERE_BYTES];
    kp_bsp_say_place(place, where);
    kp_bsp_fail(self, "mismatch",
                "%s: %llu in this process, %llu in process %d%s%s; all processes must do the same",
                what, (unsigned long long)own, (unsigned long long)other, pid,
                place->function ? ", there last" : "", where);
}

static void compare_areas(struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_agreed *own = &self->agreed[generation];
    for (int i = 0; i < self->team->size; i++) {
        const struct kp_bsp_agreed *other = agreed_of(self, i, generation);
        if (other->sequence == own->sequence)
            continue;
        const struct kp_bsp_place *place =
            other->area_place.function ? &other->area_place : &own->area_place;
        if (other->pushes != own->pushes)
            fail_unlike(self, i, "numbers of bsp_push_reg in the superstep differ", place,
                        own->pushes, other->pushes);
        if (other->pops != own->pops)
            fail_unlike(self, i, "numbers of bsp_pop_reg in the superstep differ", place, own->pops,
                        other->pops);
        char where[KP_BSP_WHERE_BYTES];
        kp_bsp_say_place(&other->area_place, where);
        kp_bsp_fail(
            self, "mismatch",
            "process %d has taken away other registrations than this process, or in another "
            "order%s%s",
            i, where[0] ? "; its last call is" : "", where);
    }
}

static void compare_tag_sizes(struct kp_bsp_process *self, unsigned generation)
{
    const struct kp_bsp_agreed *own = &self->agreed[generation];
    for (int i = 0; i < self->team->size; i++) {
        const struct kp_bsp_agreed *other = agreed_of(self, i, generation);
        const struct kp_bsp_place *place =
            other->tag_place.function ? &other->tag_place : &own->tag_place;
        if (other->tag_size != own->tag_size)
            fail_unlike(self, i, "the lengths of tags differ", place, own->tag_size,
                        other->tag_size);
        if (other->tag_sizes != own->tag_sizes)
            fail_unlike(self, i, "numbers of bsp_set_tagsize in the superstep differ", place,
                        own->tag_sizes, other->tag_sizes);
    }
}

static void agree(struct kp_bsp_process *self, unsigned generation)
{
    if (self->remote)
        kp_bsp_remote_agreed(self, generation);
    compare_areas(self, generation);
    if (self->remote)
        kp_bsp_remote_blocks(self);
    self->front.last_block = self;
    self->front.same.block = self;
    self->least_row = NULL;
    if (!kp_bsp_areas_settle(&self->areas))
        kp_bsp_no_memory(self);
    compare_tag_sizes(self, generation);
}

/* --- The sync --- */

/* Where memory is shared, copying directly was the fastest way for every pattern (doc/design.md has
 * the times). So the bits decide alone: whether anybody has to copy, and whether that needs a
 * second barrier. */
const char *kp_bsp_way_of(unsigned all)
{
    const bool gets = all & KP_BSP_GETS;
    const bool queues = all & (KP_BSP_PUTS | KP_BSP_MESSAGES);
    return gets && queues ? "gets, queues" : gets ? "gets" : queues ? "queues" : "barrier";
}

static inline void write_puts(struct kp_bsp_process *self, unsigned generation, unsigned all)
{
    if (self->notes)
        kp_bsp_puts_apply_noted(self, generation);
    else
        kp_bsp_puts_apply(self, generation, self->bits & ~all & KP_BSP_UNSTEADY);
}

/* Says that this process has written all that it got. */
static inline void note_written(struct kp_bsp_process *self)
{
    self->written = self->superstep;
    /* release: pairs with the acquire of kp_bsp_may_touch */
    atomic_store_explicit(&self->applied, self->superstep, memory_order_release);
}

/* What a superstep asks for beyond puts. */
static const unsigned more = KP_BSP_GETS | KP_BSP_MESSAGES | KP_BSP_ALIKE;

/* Exchanges what the superstep that has just ended asked for. */
static __attribute__((noinline)) void exchange(struct kp_bsp_process *self, unsigned generation,
                                               unsigned all)
{
    if (self->remote && all & (KP_BSP_PUTS | KP_BSP_GETS | KP_BSP_MESSAGES))
        kp_bsp_remote_exchange(self, generation, all);
    if (all & KP_BSP_GETS) {
        kp_bsp_gets_read(self);
        if (!self->remote)
            (void)meet(self, &read_call, 0);
        kp_bsp_gets_write(self);
    }
    if (all & KP_BSP_PUTS && self->checks)
        kp_bsp_check_puts(self, generation);
    if (all & KP_BSP_PUTS)
        write_puts(self, generation, all);
    if (all & KP_BSP_ALIKE)
        agree(self, generation);
    if (!self->remote && all & (KP_BSP_PUTS | KP_BSP_GETS))
        note_written(self);
    kp_bsp_inbox_open(self, generation, all & KP_BSP_MESSAGES);
    self->tag_size = self->next_tag_size;
    if ((all | self->before) & KP_BSP_ALIKE)
        self->agreed[kp_bsp_generation(self)] = (struct kp_bsp_agreed){.tag_size = self->tag_size};
}

static void fetch_sheet(const struct kp_bsp_process *self)
{
    kp_bsp_fetch_to_write((const char *)self->front.now->states,
                          self->team->words_at - sizeof(struct kp_bsp_sheet) +
                              (size_t)self->team->size * sizeof(uint64_t));
}

/* The superstep that has just ended asked for something, or the one before it did. Makes ready what
 * this process writes in the next one, and what the members then compare. Nobody reads it before
 * the next barrier. */
static __attribute__((noinline)) void settle(struct kp_bsp_process *self, unsigned generation,
                                             unsigned all)
{
    if (self->front.same.bits && !self->notes) /* what it has put once it often puts again */
        fetch_sheet(self);
    if (__builtin_expect(self->careful || (all | self->before) & more, 0)) {
        exchange(self, generation, all);
    } else if (all & KP_BSP_PUTS) {
        write_puts(self, generation, all);
        note_written(self);
    }
    if (!all) /* nobody takes its place over to the supersteps that follow */
        self->front.same.block = self;
    kp_bsp_out_clear(self);
    self->bits = all & KP_BSP_PUTS && !self->careful && self->team->size > 2 ? KP_BSP_UNSTEADY : 0;
    self->front.same.bits = 0;
    self->front.direct = all & (KP_BSP_PUTS | KP_BSP_GETS) ? 0 : self->front.quick;
    self->before = all;
}

/* All have arrived. */
static inline void begin_superstep(struct kp_bsp_process *self, unsigned all)
{
    const unsigned generation = kp_bsp_generation(self);
    self->superstep++;
    self->front.now = &self->outs[!generation];
    if (all || self->before)
        settle(self, generation, all);
}

/* Something is counted or traced, or memory is not shared. */
static __attribute__((noinline)) void sync_carefully(struct kp_bsp_process *self)
{
    if (self->tally)
        kp_bsp_tally_stop(self);
    const unsigned all =
        self->remote ? meet_remote(self) : meet(self, &sync_call, kp_bsp_bits(self));
    begin_superstep(self, all);
    if (self->tally)
        kp_bsp_tally_resume(self, all);
}

/* Two processes that exchange notes meet. */
static inline int meet_other(struct kp_bsp_process *self, unsigned bits, unsigned *all)
{
    struct kp_face_note note = {{0, 0}};
    if (bits & KP_BSP_PUTS)
        bits = kp_bsp_note_puts(self, bits, &note);
    const int status = kp_face_meet_noting(self->group, &sync_call, bits, note, &self->met);
    *all = bits | self->met.bits;
    return status;
}

static inline int meet_others(struct kp_bsp_process *self, unsigned bits, unsigned *all)
{
    if (bits & KP_BSP_PUTS)
        bits = kp_bsp_steady_bits(self, bits);
    return kp_face_meet(self->group, &sync_call, bits, all);
}

KP_BSP_EXPORT void kp_bsp_sync(const char *file, int line)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_sync", file, line);
    unsigned all = 0;
    if (__builtin_expect(self->careful || self->traced, 0)) {
        sync_carefully(self);
        return;
    }
    const unsigned bits = kp_bsp_bits(self);
    const int status = self->notes ? meet_other(self, bits, &all) : meet_others(self, bits, &all);
    if (__builtin_expect(status, 0))
        kp_bsp_fail_by(self, status);
    begin_superstep(self, all);
}

void kp_bsp_meet_at_begin(struct kp_bsp_process *self)
{
    (void)meet(self, &begin_call, 0);
}

void kp_bsp_meet_at_end(struct kp_bsp_process *self)
{
    (void)meet(self, &end_call, 0);
}
