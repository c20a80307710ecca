/* Random datatypes of the library, beside a plain model of each. */
#include "check_types.h"

#include "lib/mpi/job.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static int types_of_a_rank(int rank, void *argument)
{
    const int *range = argument;
    (void)rank;
    MPI_Init(NULL, NULL);
    const int failures = check_types((unsigned long long)range[0], range[1]);
    MPI_Finalize();
    return failures > 0;
}

static void check_on(kp_carrier carrier, int first, int count)
{
    const struct kp_mpi_job job = {.config = {.processors = 2, .carrier = carrier}};
    int range[2] = {first, count}, exit_status = -1;
    assert_int_equal(kp_mpi_run(&job, types_of_a_rank, range, NULL, &exit_status), 0);
    assert_int_equal(exit_status, 0);
}

static int most = 300;

static void test_types_on_threads(void **state)
{
    (void)state;
    check_on(KP_CARRIER_THREADS, 1, most);
}

static void test_types_on_fibers(void **state)
{
    (void)state;
    if (kp_fibers())
        check_on(KP_CARRIER_FIBERS, 1 + most, most);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_types_on_threads),
                                       cmocka_unit_test(test_types_on_fibers)};
    if (argc > 1 && strcmp(argv[1], "full") == 0)
        most = 20000;
    return cmocka_run_group_tests_name("mpi types", tests, NULL, NULL);
}
