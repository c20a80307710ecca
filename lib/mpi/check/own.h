/* A request begins to own its buffers, and ends to. These functions are inline, because messages
 * may be short and many. */
#ifndef KPORT_MPI_CHECK_OWN_H
#define KPORT_MPI_CHECK_OWN_H

#include "lib/mpi/request.h"

/* --- owned.c --- */

/* A sum over what lies there. Reads all of a short buffer, and a part of a long one, unless the job
 * is strict. */
uint64_t kp_mpi_span_sum(const struct kp_mpi_rank *self, const struct kp_mpi_span *span);

/* Tells if the buffers of a request that starts are also those of another one. */
void kp_mpi_owned_met(struct kp_mpi_rank *self, const struct kp_mpi_owned *owned,
                      const struct kp_mpi_request *request);

/* Whether data are received in memory in place of the program's buffers, and the beginning and end
 * of that. The last function also ends data with gaps. It returns whether the program has written
 * to the buffer in whose place the data were received. */
bool kp_mpi_receives_apart(const struct kp_mpi_world *world);
void kp_mpi_receive_apart(struct kp_mpi_rank *self, struct kp_mpi_owned *owned);
bool kp_mpi_end_apart(struct kp_mpi_rank *self, struct kp_mpi_request *request);

/* Tells that the program has changed what the request owns. */
void kp_mpi_tell_changed(struct kp_mpi_rank *self, const struct kp_mpi_request *request);

/* --- Inline --- */

/* Benchmarks receive many messages of one loop into one buffer, whose contents they do not use. So
 * two calls of the same place are compared in strict jobs only. */
static inline bool kp_mpi_is_one_place(const struct kp_mpi_place *a, const struct kp_mpi_place *b)
{
    return a->line == b->line && a->file == b->file;
}

/* Notes which call starts the request. */
static inline void kp_mpi_note_start(const struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    request->owned.start = &request->made;
    if (request->persistent) {
        request->owned.again = self->call;
        request->owned.start = &request->owned.again;
    }
}

static inline void kp_mpi_widen(struct kp_mpi_hull *bounds, const struct kp_mpi_span *span)
{
    const uintptr_t begin = (uintptr_t)span->at, end = begin + span->bytes;
    if (span->bytes == 0)
        return;
    if (bounds->end == 0 || begin < bounds->begin)
        bounds->begin = begin;
    if (end > bounds->end)
        bounds->end = end;
}

/* Counts a request among the owners, and takes it out. */
static inline void kp_mpi_count_in(struct kp_mpi_rank *self, struct kp_mpi_owned *owned,
                                   const struct kp_mpi_request *request)
{
    if (self->owners == 0) {
        self->owner = *owned->start;
        self->one_place = !self->apart; /* a strict job looks at all */
        self->owned_gaps = false;
        self->read = self->written = (struct kp_mpi_hull){0, 0};
    } else if (!self->one_place || !kp_mpi_is_one_place(&self->owner, owned->start)) {
        kp_mpi_owned_met(self, owned, request);
        self->one_place = false;
    }
    kp_mpi_widen(&self->read, &owned->read);
    kp_mpi_widen(&self->written, &owned->written);
    self->owned_gaps = self->owned_gaps || owned->gaps;
    self->owners++;
    owned->counts = true;
}

static inline void kp_mpi_count_out(struct kp_mpi_rank *self, struct kp_mpi_owned *owned)
{
    self->owners -= owned->counts;
    owned->counts = false;
}

static inline void kp_mpi_own(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    struct kp_mpi_owned *owned = &request->owned;
    if (self->world->job->unchecked & KP_MPI_NO_BUFFERS) {
        kp_mpi_owns_nothing(owned);
        return;
    }
    kp_mpi_note_start(self, request);
    if (owned->read.bytes > 0)
        owned->read_sum = kp_mpi_span_sum(self, &owned->read);
    kp_mpi_count_in(self, owned, request);
    if (owned->written.bytes > 0 && self->apart)
        kp_mpi_receive_apart(self, owned);
}

static inline void kp_mpi_disown(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    struct kp_mpi_owned *owned = &request->owned;
    const bool changed = (owned->apart || owned->gaps) && kp_mpi_end_apart(self, request);
    kp_mpi_count_out(self, owned);
    if (changed ||
        (owned->read.bytes > 0 && kp_mpi_span_sum(self, &owned->read) != owned->read_sum))
        kp_mpi_tell_changed(self, request);
}

#endif
