/* Neighbourhood collectives on grids, graphs and distributed graphs: which block comes from where.
 */
#include "lib/mpi/job.h"

#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define CHECK(right)                                                                               \
    do {                                                                                           \
        if (!(right)) {                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #right);                                     \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

#define MOST 8 /* neighbours */

/* What rank `from` sends as block `block`. */
static int value_of(int from, int block)
{
    return 1000 * from + block;
}

/* The neighbours of a rank, and which block of each source is for this rank. */
struct expected {
    int sources, targets;
    int source[MOST], block[MOST];
};

static void fill(int *out, int rank, int targets, int length)
{
    for (int i = 0; i < targets * length; i++)
        out[i] = value_of(rank, i);
}

static bool has_block(const struct expected *e, const int *in, int i, int block, int length)
{
    for (int j = 0; j < length; j++) {
        const int wanted =
            e->source[i] == MPI_PROC_NULL ? -1 : value_of(e->source[i], block * length + j);
        if (in[j] != wanted)
            return false;
    }
    return true;
}

/* --- All forms --- */

static void clear(int *in)
{
    for (int i = 0; i < 4 * MOST; i++)
        in[i] = -1;
}

static int equal_blocks(MPI_Comm comm, const struct expected *e, int rank)
{
    int out[4 * MOST], in[4 * MOST];
    MPI_Request request;
    fill(out, rank, e->targets > 0 ? e->targets : 1, 2);
    clear(in);
    MPI_Neighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    for (int i = 0; i < e->sources; i++)
        CHECK(has_block(e, in + 2 * i, i, e->block[i], 2));
    clear(in);
    MPI_Neighbor_allgather(out, 2, MPI_INT, in, 2, MPI_INT, comm);
    for (int i = 0; i < e->sources; i++)
        CHECK(has_block(e, in + 2 * i, i, 0, 2));
    clear(in);
    MPI_Ineighbor_alltoall(out, 2, MPI_INT, in, 2, MPI_INT, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < e->sources; i++)
        CHECK(has_block(e, in + 2 * i, i, e->block[i], 2));
    MPI_Neighbor_allgather_init(out, 2, MPI_INT, in, 2, MPI_INT, comm, MPI_INFO_NULL, &request);
    for (int again = 0; again < 3; again++) {
        clear(in);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < e->sources; i++)
            CHECK(has_block(e, in + 2 * i, i, 0, 2));
    }
    MPI_Request_free(&request);
    return 0;
}

/* Blocks backwards in memory, every other int. */
static int own_lengths(MPI_Comm comm, const struct expected *e, int rank)
{
    int out[4 * MOST], in[4 * MOST], counts[MOST], places[MOST], in_counts[MOST], in_places[MOST];
    MPI_Aint far[MOST], in_far[MOST];
    MPI_Datatype types[MOST], spaced;
    MPI_Type_create_resized(MPI_INT, 0, 2 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    fill(out, rank, e->targets, 1);
    for (int i = 0; i < MOST; i++) {
        counts[i] = in_counts[i] = 1;
        places[i] = i;
        far[i] = i * (MPI_Aint)sizeof(int);
        in_places[i] = MOST - 1 - i;
        in_far[i] = 2 * (MOST - 1 - i) * (MPI_Aint)sizeof(int);
        types[i] = spaced;
    }
    clear(in);
    MPI_Neighbor_alltoallv(out, counts, places, MPI_INT, in, in_counts, in_places, spaced, comm);
    for (int i = 0; i < e->sources; i++)
        CHECK(has_block(e, in + 2 * (MOST - 1 - i), i, e->block[i], 1) &&
              in[2 * (MOST - 1 - i) + 1] == -1);
    clear(in);
    MPI_Neighbor_alltoallw(out, counts, far, types, in, in_counts, in_far, types, comm);
    for (int i = 0; i < e->sources; i++)
        CHECK(has_block(e, in + 2 * (MOST - 1 - i), i, e->block[i], 1));
    clear(in);
    MPI_Neighbor_allgatherv(out, 1, MPI_INT, in, in_counts, in_places, spaced, comm);
    for (int i = 0; i < e->sources; i++)
        CHECK(has_block(e, in + 2 * (MOST - 1 - i), i, 0, 1));
    MPI_Type_free(&spaced);
    return 0;
}

static int all_forms(MPI_Comm comm, const struct expected *e)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    const int failed = equal_blocks(comm, e, rank) || own_lengths(comm, e, rank);
    return failed;
}

/* --- Topologies --- */

/* On a grid, what a rank sends to its lower neighbour comes there from the upper one. */
static int on_grid(const int *dims, const int *periods)
{
    MPI_Comm comm;
    struct expected e = {4, 4, {0}, {1, 0, 3, 2}};
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &comm);
    if (comm == MPI_COMM_NULL)
        return 0;
    for (int i = 0; i < 2; i++)
        MPI_Cart_shift(comm, i, 1, &e.source[2 * i], &e.source[2 * i + 1]);
    const int failed = all_forms(comm, &e);
    MPI_Comm_free(&comm);
    return failed;
}

/* A star: rank 0 is the neighbour of all others. */
static int on_star(int rank, int size)
{
    int index[MOST], edges[2 * MOST];
    struct expected e = {0};
    MPI_Comm comm;
    for (int i = 0; i < size; i++) {
        index[i] = size - 1 + i;
        edges[i < size - 1 ? i : 0] = i < size - 1 ? i + 1 : edges[0];
        edges[size - 1 + i] = 0;
    }
    e.sources = e.targets = rank == 0 ? size - 1 : 1;
    for (int i = 0; i < e.sources; i++) {
        e.source[i] = rank == 0 ? i + 1 : 0;
        e.block[i] = rank == 0 ? 0 : rank - 1;
    }
    MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &comm);
    const int failed = all_forms(comm, &e);
    MPI_Comm_free(&comm);
    return failed;
}

/* Every rank sends to the next one twice, and once to the one after that. */
static int on_ring(int rank, int size)
{
    const int before = (rank + size - 1) % size, before_that = (rank + 2 * size - 2) % size;
    const int targets[] = {(rank + 1) % size, (rank + 2) % size, (rank + 1) % size};
    const int sources[] = {before, before_that, before};
    struct expected e = {3, 3, {before, before_that, before}, {0, 1, 2}};
    MPI_Comm comm;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, sources, MPI_UNWEIGHTED, 3, targets,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &comm);
    const int failed = all_forms(comm, &e);
    MPI_Comm_free(&comm);
    return failed;
}

static int neighbours(int rank, void *argument)
{
    int size, failed = 0;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int periodic = 0; periodic < 4 && !failed; periodic++) {
        int dims[2] = {0, 0};
        const int periods[2] = {periodic & 1, periodic >> 1};
        MPI_Dims_create(size, 2, dims);
        failed = on_grid(dims, periods) || on_grid((const int[]){size, 1}, periods);
    }
    if (!failed && size > 1 && size <= MOST)
        failed = on_star(rank, size);
    /* Of fewer ranks, two of the three sources are the same: the messages match in their order. */
    if (!failed && size > 2)
        failed = on_ring(rank, size);
    MPI_Finalize();
    return failed;
}

static void run(kp_carrier carrier, int ranks)
{
    const struct kp_mpi_job job = {.config = {.processors = ranks, .carrier = carrier}};
    int exit_status = -1;
    assert_int_equal(kp_mpi_run(&job, neighbours, NULL, NULL, &exit_status), 0);
    assert_int_equal(exit_status, 0);
}

static void test_neighbours_on_threads(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 6; ranks++)
        run(KP_CARRIER_THREADS, ranks);
}

static void test_neighbours_on_fibers(void **state)
{
    (void)state;
    if (kp_fibers())
        run(KP_CARRIER_FIBERS, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_neighbours_on_threads),
                                       cmocka_unit_test(test_neighbours_on_fibers)};
    return cmocka_run_group_tests_name("mpi neighbours", tests, NULL, NULL);
}
