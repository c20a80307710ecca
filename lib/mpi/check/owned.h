/* Buffers that a request owns. */
#ifndef KPORT_MPI_CHECK_OWNED_H
#define KPORT_MPI_CHECK_OWNED_H

#include "lib/mpi/rank.h"

struct kp_mpi_request;

struct kp_mpi_span {
    const void *at;
    size_t bytes; /* 0: none, or not known */
};

/* Data with gaps, of a strict job. */
struct kp_mpi_gaps {
    struct kp_mpi_type *type; /* held */
    size_t count;
    void *at;     /* the program's buffer */
    uint64_t sum; /* of the data, at the start */
    /* Of a receive: memory in place of the buffer, and the address in place of `at`. */
    void *memory, *apart;
    bool receives;
    bool left; /* nobody waits for the request any more */
};

struct kp_mpi_owned {
    struct kp_mpi_span read, written;
    uint64_t read_sum; /* at the start */
    /* Memory in place of what is written, until the request ends, so that the program's buffer must
     * not change meanwhile. NULL: the data come into the program's buffer itself. */
    void *apart;
    struct kp_mpi_gaps *gaps;         /* NULL: none */
    const struct kp_mpi_place *start; /* the call that has started the request */
    bool counts;                      /* in the rank's `owners` */
    /* A plain request that receives into the program's buffer needs nothing of the rest. */
    struct kp_mpi_place again; /* what `start` is of a persistent request */
    uint64_t written_sum;      /* at the start, of what is received apart */
};

/* The request owns no buffer. */
static inline void kp_mpi_owns_nothing(struct kp_mpi_owned *owned)
{
    owned->read.bytes = owned->written.bytes = 0;
    owned->apart = NULL;
    owned->gaps = NULL;
    owned->counts = false;
}

/* Whether the request owns anything, which it does until kp_mpi_owned_end. */
static inline bool kp_mpi_owns(const struct kp_mpi_owned *owned)
{
    return owned->counts || owned->apart || owned->gaps;
}

/* A request with these spans starts; it ends, or is freed while it is active. */
void kp_mpi_owned_begin(struct kp_mpi_rank *self, struct kp_mpi_request *request);
void kp_mpi_owned_end(struct kp_mpi_rank *self, struct kp_mpi_request *request);

/* A message starts whose data have gaps, at `at`. Returns where its data are to come from or go to
 * until the request ends. */
void *kp_mpi_owned_gaps(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                        struct kp_mpi_type *type, size_t count, void *at, bool receives);

/* Frees what belongs to a request that is freed. */
void kp_mpi_owned_free(struct kp_mpi_owned *owned);

/* The present call, which waits, reads and writes these spans: tells if they overlap those of a
 * request; and only returns whether they do. */
void kp_mpi_owned_compare(struct kp_mpi_rank *self, struct kp_mpi_span read,
                          struct kp_mpi_span written);
bool kp_mpi_owned_overlaps(const struct kp_mpi_rank *self, struct kp_mpi_span read,
                           struct kp_mpi_span written);

/* The same for a call whose data have gaps, in a strict job. */
void kp_mpi_owned_compare_gaps(struct kp_mpi_rank *self, struct kp_mpi_type *type, size_t count,
                               void *at, bool receives);

/* Whether the rank has ever had a request, which such a call could meet. */
#define KP_MPI_HAS_REQUESTS(self) ((self)->tables[KP_MPI_REQUEST].used > 0)

/* The program gives up an active request, and learns of its end in some other way. What the request
 * reads is looked at in strict jobs only (kp_mpi_owned_look_at_left). What comes apart does not
 * come into the program's buffer, which may be gone by then. */
void kp_mpi_owned_leave(struct kp_mpi_rank *self, struct kp_mpi_request *request);

/* Tells if the program has changed what a send reads that it has freed and that has not ended.
 * Memory of one that has ended is not read, as the program may have given it back. A change counts
 * only if the send goes on after the look. */
void kp_mpi_owned_look_at_left(struct kp_mpi_rank *self);

#endif
