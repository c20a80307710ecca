/* Buffers that a request owns: the program may not write to what the request reads, and may not
 * touch what the request writes. Buffers in one piece are looked at, and in strict jobs messages
 * whose data have gaps. */
#include "lib/mpi/check/owned.h"

#include "lib/layout/face.h"
#include "lib/mpi/check/own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 32 /* of a buffer that the sum reads */

/* Reads all of a short buffer, and 32 words of a long one, at equal distances, unless the job is
 * strict. A word counts with a weight, which is odd; so a single change is always seen. The
 * products do not wait for each other. */
uint64_t kp_mpi_span_sum(const struct kp_mpi_rank *self, const struct kp_mpi_span *span)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    const unsigned char *at = span->at;
    uint64_t sum = span->bytes, weight = odd, word;
    const size_t words = span->bytes / sizeof word;
    const size_t step = words > WORDS && !self->world->job->strict ? words / WORDS : 1;
    for (size_t i = 0; i < words; i += step, weight += 2 * odd) {
        memcpy(&word, at + i * sizeof word, sizeof word);
        sum += (word ^ word >> 29) * weight; /* so two changes of highest bits do not cancel out */
    }
    if (span->bytes % sizeof word == 0)
        return sum;
    word = 0;
    memcpy(&word, at + words * sizeof word, span->bytes % sizeof word);
    return sum + (word ^ word >> 29) * weight;
}

/* --- Requests with the same memory --- */

static bool overlap(const struct kp_mpi_span *a, const struct kp_mpi_span *b)
{
    const uintptr_t a_from = (uintptr_t)a->at, b_from = (uintptr_t)b->at;
    return a->bytes > 0 && b->bytes > 0 && a_from < b_from + b->bytes && b_from < a_from + a->bytes;
}

static bool is_shared(const struct kp_mpi_gaps *gaps, const struct kp_mpi_span *span)
{
    return span->bytes > 0 && kp_face_layouts_share(gaps->at, gaps->type->layout, gaps->count,
                                                    span->at, NULL, span->bytes);
}

/* Whether data with gaps and what another request owns overlap, while one of the two is written. */
static bool gaps_overlap(const struct kp_mpi_gaps *gaps, const struct kp_mpi_owned *other)
{
    const struct kp_mpi_gaps *its = other->gaps;
    if (is_shared(gaps, &other->written) || (gaps->receives && is_shared(gaps, &other->read)))
        return true;
    return its && (gaps->receives || its->receives) &&
           kp_face_layouts_share(gaps->at, gaps->type->layout, gaps->count, its->at,
                                 its->type->layout, its->count);
}

#define MOST_OTHERS 16 /* the others that a start looks at */

static bool is_within(const struct kp_mpi_span *span, const struct kp_mpi_hull *bounds)
{
    const uintptr_t begin = (uintptr_t)span->at;
    return span->bytes > 0 && begin < bounds->end && bounds->begin < begin + span->bytes;
}

/* Returns whether these spans may overlap those of a request while one of the two is written. Most
 * programs send from other memory than that into which they receive. */
static bool may_meet(const struct kp_mpi_rank *self, const struct kp_mpi_owned *owned)
{
    return owned->gaps || self->owned_gaps || is_within(&owned->written, &self->written) ||
           is_within(&owned->written, &self->read) || is_within(&owned->read, &self->written);
}

/* Returns a request under way, other than `request`, whose span and one of these overlap while one
 * of the two is written. NULL: there is none. */
static const struct kp_mpi_request *overlapping(const struct kp_mpi_rank *self,
                                                const struct kp_mpi_owned *owned,
                                                const struct kp_mpi_request *request)
{
    const struct kp_mpi_table *table = &self->tables[KP_MPI_REQUEST];
    if (!may_meet(self, owned))
        return NULL;
    for (uint32_t i = 0; i < table->used && i < MOST_OTHERS; i++) {
        const struct kp_mpi_request *other = table->slots[i].object;
        if (!other || other == request || !other->active || !other->owned.counts ||
            (!self->world->job->strict && kp_mpi_is_one_place(other->owned.start, owned->start)))
            continue;
        if (overlap(&owned->written, &other->owned.written) ||
            overlap(&owned->written, &other->owned.read) ||
            overlap(&owned->read, &other->owned.written) ||
            (owned->gaps && gaps_overlap(owned->gaps, &other->owned)) ||
            (!owned->gaps && other->owned.gaps && gaps_overlap(other->owned.gaps, owned)))
            return other;
    }
    return NULL;
}

/* Whether a request under way may share memory with one that starts. */
static bool may_overlap(const struct kp_mpi_rank *self, const struct kp_mpi_owned *owned)
{
    return self->owners > 0 &&
           !(self->one_place && kp_mpi_is_one_place(&self->owner, owned->start));
}

void kp_mpi_owned_met(struct kp_mpi_rank *self, const struct kp_mpi_owned *owned,
                      const struct kp_mpi_request *request)
{
    char where[200];
    const struct kp_mpi_request *other = overlapping(self, owned, request);
    if (!other)
        return;
    kp_mpi_say_place(other->owned.start, where, sizeof where);
    kp_mpi_tell(self, "buffer", owned->start,
                "the buffer overlaps that of a request which has not ended (%s%s), and "
                "one of the two receives into it",
                other->owned.start->function, where);
}

static bool looks_at_buffers(const struct kp_mpi_rank *self)
{
    return !(self->world->job->unchecked & KP_MPI_NO_BUFFERS);
}

void kp_mpi_owned_compare(struct kp_mpi_rank *self, struct kp_mpi_span read,
                          struct kp_mpi_span written)
{
    const struct kp_mpi_owned owned = {.read = read, .written = written, .start = &self->call};
    if (looks_at_buffers(self) && may_overlap(self, &owned))
        kp_mpi_owned_met(self, &owned, NULL);
}

void kp_mpi_owned_compare_gaps(struct kp_mpi_rank *self, struct kp_mpi_type *type, size_t count,
                               void *at, bool receives)
{
    struct kp_mpi_gaps gaps = {.type = type, .count = count, .at = at, .receives = receives};
    const struct kp_mpi_owned owned = {.gaps = &gaps, .start = &self->call};
    if (looks_at_buffers(self) && self->world->job->strict && type->size * count > 0 &&
        may_overlap(self, &owned))
        kp_mpi_owned_met(self, &owned, NULL);
}

bool kp_mpi_owned_overlaps(const struct kp_mpi_rank *self, struct kp_mpi_span read,
                           struct kp_mpi_span written)
{
    const struct kp_mpi_owned owned = {.read = read, .written = written, .start = &self->call};
    return looks_at_buffers(self) && may_overlap(self, &owned) && overlapping(self, &owned, NULL);
}

/* --- With AddressSanitizer, the program may not touch what a request writes --- */

/* NULL: the program has no AddressSanitizer. */
extern void __asan_poison_memory_region(const volatile void *at, size_t bytes)
    __attribute__((weak));
extern void __asan_unpoison_memory_region(const volatile void *at, size_t bytes)
    __attribute__((weak));

/* --- A request's life --- */

static bool poisons(void)
{
    return __asan_poison_memory_region && __asan_unpoison_memory_region;
}

/* Changes a bit of each word of a buffer whose data come apart, or changes it back. So a program
 * that writes what was there before is found, too. */
static void mark(const struct kp_mpi_span *span)
{
    unsigned char *at = (unsigned char *)(uintptr_t)span->at;
    for (size_t i = 0; i < span->bytes; i += sizeof(int))
        at[i] ^= 1;
}

bool kp_mpi_receives_apart(const struct kp_mpi_world *world)
{
    return poisons() || world->job->strict;
}

/* Without memory the data come into the program's buffer, and less is checked. If the call reads
 * what it writes, kport refuses it, and has to see the program's own buffers for that. */
void kp_mpi_receive_apart(struct kp_mpi_rank *self, struct kp_mpi_owned *owned)
{
    if (overlap(&owned->read, &owned->written) || !(owned->apart = malloc(owned->written.bytes)))
        return;
    memcpy(owned->apart, owned->written.at, owned->written.bytes);
    if (!poisons())
        mark(&owned->written);
    owned->written_sum = kp_mpi_span_sum(self, &owned->written);
    if (poisons())
        __asan_poison_memory_region(owned->written.at, owned->written.bytes);
}

void kp_mpi_owned_begin(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    kp_mpi_own(self, request);
}

/* --- Data with gaps, which are looked at only in a strict job --- */

#define MOST_SPARSE                                                                                \
    64 /* how many times as long as its data a buffer may be, to be received apart */

/* Writes the data in one piece, and returns their sum. */
static uint64_t pack(const struct kp_mpi_rank *self, const struct kp_mpi_gaps *gaps,
                     const void *from, void *packed)
{
    kp_mpi_type_pack(gaps->type, gaps->count, from, packed);
    return kp_mpi_span_sum(self, &(struct kp_mpi_span){packed, gaps->type->size * gaps->count});
}

/* Makes memory of the same shape as the program's buffer. Returns false if there is none. */
static bool make_apart(struct kp_mpi_gaps *gaps, const void *packed)
{
    const struct kp_mpi_type *type = gaps->type;
    const size_t bytes = type->size * gaps->count;
    const ptrdiff_t way = ((ptrdiff_t)gaps->count - 1) * type->extent;
    const ptrdiff_t from = type->true_lower + (way < 0 ? way : 0);
    const size_t all = (size_t)(type->true_extent + (way < 0 ? -way : way));
    if (all / MOST_SPARSE > bytes || !(gaps->memory = calloc(all, 1)))
        return false;
    gaps->apart = (void *)((uintptr_t)gaps->memory - (uintptr_t)from);
    kp_mpi_type_unpack(type, packed, bytes, gaps->apart);
    return true;
}

static void free_gaps(struct kp_mpi_gaps *gaps)
{
    kp_mpi_type_release(gaps->type);
    free(gaps->memory);
    free(gaps);
}

void kp_mpi_owned_free(struct kp_mpi_owned *owned)
{
    if (owned->apart)
        free(owned->apart);
    if (owned->gaps)
        free_gaps(owned->gaps);
}

void *kp_mpi_owned_gaps(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                        struct kp_mpi_type *type, size_t count, void *at, bool receives)
{
    const size_t bytes = type->size * count;
    if (bytes == 0 || !self->world->job->strict || self->world->job->unchecked & KP_MPI_NO_BUFFERS)
        return at;
    struct kp_mpi_gaps *gaps = malloc(sizeof *gaps);
    void *packed = malloc(bytes);
    if (!gaps || !packed) {
        free(gaps);
        free(packed);
        return at;
    }
    *gaps = (struct kp_mpi_gaps){
        .type = type, .count = count, .at = at, .apart = at, .receives = receives};
    kp_mpi_type_hold(type);
    gaps->sum = pack(self, gaps, at, packed);
    const bool made = !receives || make_apart(gaps, packed);
    free(packed);
    if (!made) {
        free_gaps(gaps);
        return at;
    }
    request->owned.gaps = gaps;
    kp_mpi_note_start(self, request);
    kp_mpi_count_in(self, &request->owned, request);
    return gaps->apart;
}

void kp_mpi_tell_changed(struct kp_mpi_rank *self, const struct kp_mpi_request *request)
{
    char maker[300] = "";
    if (request->persistent) {
        char where[200];
        kp_mpi_say_place(&request->made, where, sizeof where);
        snprintf(maker, sizeof maker, "; the request is of %s%s", request->made.function, where);
    }
    kp_mpi_tell(self, "buffer", request->owned.start,
                "the program has changed the buffer of this call before the call had ended%s",
                maker);
}

static void end_gaps(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    struct kp_mpi_gaps *gaps = request->owned.gaps;
    const size_t bytes = gaps->type->size * gaps->count;
    void *packed = gaps->left ? NULL : malloc(bytes);
    request->owned.gaps = NULL;
    if (packed && pack(self, gaps, gaps->at, packed) != gaps->sum)
        kp_mpi_tell_changed(self, request);
    if (packed && gaps->memory) {
        (void)pack(self, gaps, gaps->apart, packed);
        kp_mpi_type_unpack(gaps->type, packed, bytes, gaps->at);
    }
    free(packed);
    free_gaps(gaps);
}

bool kp_mpi_end_apart(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    struct kp_mpi_owned *owned = &request->owned;
    void *apart = owned->apart;
    if (owned->gaps)
        end_gaps(self, request);
    owned->apart = NULL;
    if (!apart)
        return false;
    if (poisons())
        __asan_unpoison_memory_region(owned->written.at, owned->written.bytes);
    const size_t bytes = owned->written.bytes;
    const bool changed = bytes > 0 && kp_mpi_span_sum(self, &owned->written) != owned->written_sum;
    memcpy((void *)(uintptr_t)owned->written.at, apart, bytes);
    free(apart);
    return changed;
}

void kp_mpi_owned_end(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    kp_mpi_disown(self, request);
}

void kp_mpi_owned_leave(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    struct kp_mpi_owned *owned = &request->owned;
    kp_mpi_count_out(self, owned);
    if (owned->apart && poisons())
        __asan_unpoison_memory_region(owned->written.at, owned->written.bytes);
    else if (owned->apart && kp_mpi_span_sum(self, &owned->written) == owned->written_sum)
        mark(&owned->written);
    if (!self->world->job->strict)
        owned->read.bytes = 0;
    owned->written.bytes = 0;
    if (owned->gaps)
        owned->gaps->left = true;
}

static bool goes_on(const struct kp_mpi_request *request)
{
    const kp_request *sent = request->first.request;
    return sent && !kp_face_has_ended(sent) && !kp_face_can_end(sent);
}

void kp_mpi_owned_look_at_left(struct kp_mpi_rank *self)
{
    for (struct kp_mpi_request *one = self->left; one; one = one->next) {
        struct kp_mpi_span *read = &one->owned.read;
        if (read->bytes > 0 && goes_on(one)) {
            if (kp_mpi_span_sum(self, read) == one->owned.read_sum)
                continue;
            if (goes_on(one))
                kp_mpi_tell_changed(self, one);
        }
        read->bytes = 0;
    }
}
