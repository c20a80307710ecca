/* Tests which shared object libkport loads for processes of an MPI, and what it says if there is
 * none. Without a real MPI: this program exports MPI's function that tells the version, and the
 * shared objects are those of fake_carrier.c.
 *
 * usage: test_load CARRIER.so
 *
 * In the folder of CARRIER.so, which is also that of this program, there is one for Open MPI, and
 * one of another version for MPICH. */
#include "tests/common/machine_common.h"

#include "tests/common/failing_allocator.h"

#include "ports/error.h"
#include "ports/port.h"

/* What MPI_Get_library_version of this program tells. */
static const char *version;

int MPI_Get_library_version(char *text, int *length);
int MPI_Get_library_version(char *text, int *length)
{
    *length = sprintf(text, "%s", version);
    return 0;
}

/* Opens wires in a process that links the MPI `links`, which mpirun has started if `started` is a
 * variable, and in which KPORT_MPI is `named` unless NULL. */
static int open_with(const char *links, const char *started, const char *named)
{
    struct kp_wires *wires;
    unsetenv("OMPI_COMM_WORLD_SIZE");
    unsetenv("PMI_SIZE");
    unsetenv("KPORT_MPI");
    version = links;
    if (started)
        setenv(started, "1", 1);
    if (named)
        setenv("KPORT_MPI", named, 1);
    return kp_port_wires_open(NULL, 1, 1, &wires);
}

static void expect(int status, int expected, const char *words)
{
    assert_int_equal(status, expected);
    assert_non_null(strstr(kp_error_slot()->sentence, words));
}

#define NO_MPI "not started by mpirun"
/* It is found, and found to be of another version. */
#define IS_MPICH "kport-carrier-mpich.so has no kp_wires_open_7"

static void nothing_is_known_of_the_network_before(void **state)
{
    (void)state;
    char network[KP_NETWORK_BYTES];
    const int cores = kp_cores();
    kp_port_network(network);
    assert_string_equal(network, "");
    assert_true(kp_port_crowd(cores) == 1.0);
    assert_true(kp_port_crowd(3 * cores) == 3.0);
}

static void the_mpi_that_is_named_comes_first(void **state)
{
    (void)state;
    expect(open_with("Open MPI v4", "OMPI_COMM_WORLD_SIZE", "bees"), KP_EARGUMENT,
           "KPORT_MPI is \"bees\"; it may be openmpi or mpich");
    expect(open_with("Open MPI v4", "OMPI_COMM_WORLD_SIZE", "mpich"), KP_EFAILED, IS_MPICH);
    assert_int_equal(open_with("MPICH Version", "PMI_SIZE", "openmpi"), 0);
}

static void then_the_mpi_that_the_program_links(void **state)
{
    (void)state;
    expect(open_with("MPICH Version", "OMPI_COMM_WORLD_SIZE", ""), KP_EFAILED, IS_MPICH);
    assert_int_equal(open_with("Open MPI v4", "PMI_SIZE", NULL), 0);
}

static void then_the_mpi_that_has_started_the_process(void **state)
{
    (void)state;
    expect(open_with("Other MPI", NULL, NULL), KP_EARGUMENT, NO_MPI);
    expect(open_with("Other MPI", "PMI_SIZE", NULL), KP_EFAILED, IS_MPICH);
    assert_int_equal(open_with("Other MPI", "OMPI_COMM_WORLD_SIZE", NULL), 0);
}

/* Without memory for its version, the MPI that is linked is not known. */
static void a_version_may_find_no_memory(void **state)
{
    (void)state;
    fail_request(1);
    const int status = open_with("Open MPI v4", "PMI_SIZE", NULL);
    fail_none();
    assert_true(atomic_load(&has_failed));
    expect(status, KP_EFAILED, IS_MPICH);
}

static void what_the_carrier_refuses_is_told(void **state)
{
    (void)state;
    struct kp_wires *wires = NULL;
    assert_int_equal(open_with("Open MPI v4", NULL, NULL), 0);
    expect(kp_port_wires_open("", 7, 7, &wires), KP_EARGUMENT, "per_process is 7; it may not be");
    assert_null(wires);
}

static void the_network_is_that_of_the_carrier(void **state)
{
    (void)state;
    char network[KP_NETWORK_BYTES];
    assert_int_equal(open_with("Open MPI v4", NULL, NULL), 0);
    kp_port_network(network);
    assert_string_equal(network, "Fake 1.0");
    assert_true(kp_port_crowd(1) == 2.5);
}

/* The folder that is named is the only one that is looked at. */
static void a_folder_without_the_carrier_is_named(void **state)
{
    (void)state;
    char *folder = strdup(getenv("KPORT_CARRIERS"));
    setenv("KPORT_CARRIERS", "/nowhere", 1);
    const int status = open_with("MPICH Version", NULL, NULL);
    setenv("KPORT_CARRIERS", folder, 1);
    free(folder);
    expect(status, KP_EFAILED, "cannot be loaded from \"/nowhere\"");
    expect(status, KP_EFAILED, "where MPICH (Debian: libmpich-dev and mpich) is installed");
}

/* Without such a folder, the places beside this program are looked at. One is the folder `kport`.
 */
static void the_carrier_beside_the_program_is_found(void **state)
{
    (void)state;
    char *folder = strdup(getenv("KPORT_CARRIERS")), beside[PATH_MAX];
    snprintf(beside, sizeof beside, "%s/kport", folder);
    (void)unlink(beside); /* an earlier test may have been ended */
    assert_int_equal(symlink(".", beside), 0);
    setenv("KPORT_CARRIERS", "", 1);
    const int status = open_with("MPICH Version", NULL, NULL);
    setenv("KPORT_CARRIERS", folder, 1);
    free(folder);
    (void)unlink(beside);
    expect(status, KP_EFAILED, IS_MPICH);
}

/* A build that has no carrier yet names the command that builds it. */
static void an_unbuilt_carrier_names_its_target(void **state)
{
    (void)state;
    char *folder = strdup(getenv("KPORT_CARRIERS")), ninja[PATH_MAX];
    snprintf(ninja, sizeof ninja, "%s/build.ninja", folder);
    FILE *file = fopen(ninja, "w");
    assert_non_null(file);
    fclose(file);
    setenv("KPORT_CARRIERS", "", 1);
    const int status = open_with("MPICH Version", NULL, NULL);
    setenv("KPORT_CARRIERS", folder, 1);
    free(folder);
    (void)unlink(ninja);
    expect(status, KP_EFAILED, "kport-carrier-mpich.so is not built");
    expect(status, KP_EFAILED, "ports/carrier/mpi/kport-carrier-mpich.so");
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_known_of_the_network_before),
        cmocka_unit_test(the_mpi_that_is_named_comes_first),
        cmocka_unit_test(then_the_mpi_that_the_program_links),
        cmocka_unit_test(then_the_mpi_that_has_started_the_process),
        cmocka_unit_test(a_version_may_find_no_memory),
        cmocka_unit_test(what_the_carrier_refuses_is_told),
        cmocka_unit_test(the_network_is_that_of_the_carrier),
        cmocka_unit_test(a_folder_without_the_carrier_is_named),
        cmocka_unit_test(an_unbuilt_carrier_names_its_target),
        cmocka_unit_test(the_carrier_beside_the_program_is_found),
    };
    if (argc != 2 || !strrchr(argv[1], '/'))
        return 2;
    *strrchr(argv[1], '/') = '\0';
    setenv("KPORT_CARRIERS", argv[1], 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
