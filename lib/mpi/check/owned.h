/* Buffers that a request owns. */
#ifndef KPORT_MPI_CHECK_OWNED_H
#define KPORT_MPI_CHECK_OWNED_H

#include "lib/mpi/rank.h"

struct kp_mpi_request;

struct kp_mpi_span {
    const void *at;
    size_t bytes; /* 0: none, or not known */
};

struct kp_mpi_owned {
    struct kp_mpi_span read, written;
    uint64_t sum;  /* of what is read, at the start */
    bool poisoned; /* what is written is poisoned for AddressSanitizer */
    struct kp_mpi_place start;
};

/* A request with these spans starts; it ends, or is freed while it is active. */
void kp_mpi_owned_begin(struct kp_mpi_rank *self, struct kp_mpi_request *request);
void kp_mpi_owned_end(struct kp_mpi_rank *self, struct kp_mpi_request *request);

/* Whether the program is compiled with AddressSanitizer. */
bool kp_mpi_poisons(void);

#endif
