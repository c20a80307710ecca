/* Runs a function as every rank of a job, on threads and on fibers. */
#ifndef KPORT_TESTS_MPI_RUN_H
#define KPORT_TESTS_MPI_RUN_H

#include "lib/mpi/job.h"

#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* In a rank: ends it with the line's number if the condition does not hold. */
#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: rank %d: %s does not hold\n", __FILE__, __LINE__,              \
                    kp_mpi_rank(), #condition);                                                    \
            return 99;                                                                             \
        }                                                                                          \
    } while (0)

static inline int run_on(kp_carrier carrier, int ranks, size_t buffering,
                         int (*rank_main)(int rank, void *argument))
{
    const struct kp_mpi_job job = {.config = {.processors = ranks, .carrier = carrier},
                                   .buffering = buffering};
    int exit_status = -1;
    const int status = kp_mpi_run(&job, rank_main, NULL, NULL, &exit_status);
    return status ? status : exit_status;
}

/* Runs it on threads and on fibers, with and without buffers; it exits with 0 everywhere. */
static inline void run_everywhere(int ranks, int (*rank_main)(int rank, void *argument))
{
    assert_int_equal(run_on(KP_CARRIER_THREADS, ranks, 0, rank_main), 0);
    assert_int_equal(run_on(KP_CARRIER_THREADS, ranks, KP_UNBUFFERED, rank_main), 0);
    if (kp_fibers())
        assert_int_equal(run_on(KP_CARRIER_FIBERS, ranks, 0, rank_main), 0);
}

#endif
