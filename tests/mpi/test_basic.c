/* A few functions of MPI, called by ranks on threads and on fibers. */
#include "lib/mpi/job.h"

#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static int run(kp_carrier carrier, int ranks, int (*rank_main)(int rank, void *argument))
{
    const struct kp_mpi_job job = {.config = {.processors = ranks, .carrier = carrier}};
    int exit_status = -1;
    assert_int_equal(kp_mpi_run(&job, rank_main, NULL, NULL, &exit_status), 0);
    return exit_status;
}

static int ring(int rank, void *argument)
{
    int size, me, got = -1, all = 0;
    MPI_Status status;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    if (me != rank)
        return 2;
    MPI_Send(&me, 1, MPI_INT, (me + 1) % size, 7, MPI_COMM_WORLD);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status);
    if (got != (me + size - 1) % size || status.MPI_SOURCE != got || status.MPI_TAG != 7)
        return 3;
    all = me == size - 1 ? 42 : 0;
    MPI_Bcast(&all, 1, MPI_INT, size - 1, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return all == 42 ? 0 : 4;
}

static void test_ring(void **state)
{
    (void)state;
    assert_int_equal(run(KP_CARRIER_THREADS, 5, ring), 0);
    assert_int_equal(run(KP_CARRIER_THREADS, 1, ring), 0);
    if (kp_fibers())
        assert_int_equal(run(KP_CARRIER_FIBERS, 64, ring), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_ring)};
    return cmocka_run_group_tests_name("mpi basic", tests, NULL, NULL);
}
