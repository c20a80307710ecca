/* Reductions by operators of a program, on datatypes with gaps and with items that interleave: the
 * operator is not commutative, so that the order of the ranks shows. */
#include "lib/mpi/job.h"

#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CHECK(right)                                                                               \
    do {                                                                                           \
        if (!(right)) {                                                                            \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #right);                                     \
            return 1;                                                                              \
        }                                                                                          \
    } while (0)

/* --- Items: maps x -> a x + b, modulo a prime --- */

#define PRIME 1000003L
#define ITEMS 5
#define LONGS 64 /* in a buffer */

struct map {
    long a, b;
};

static struct map compose(struct map first, struct map then)
{
    return (struct map){first.a * then.a % PRIME, (then.a * first.b + then.b) % PRIME};
}

static struct map map_of(int rank, int item)
{
    return (struct map){rank + item + 2, 3 * rank + item};
}

/* The maps of the ranks first ... end - 1, one after the other. */
static struct map all_maps(int first, int end, int item)
{
    struct map all = {1, 0};
    for (int i = first; i < end; i++)
        all = compose(all, map_of(i, item));
    return all;
}

/* --- Layouts of items --- */

/* The longs of item i are `first` + i * `apart`, and `between` behind that. */
struct shape {
    int first, apart, between;
    MPI_Datatype type;
};

static struct shape make_shape(int number)
{
    static const int numbers[][3] = {
        {0, 2, 1},     /* one after the other */
        {1, 5, 3},     /* with gaps, and a gap before the first */
        {0, 1, ITEMS}, /* interleaving: columns of a matrix */
        {2, 3, 1},
    };
    struct shape shape = {numbers[number][0], numbers[number][1], numbers[number][2], 0};
    MPI_Datatype both;
    MPI_Type_create_hindexed_block(
        2, 1,
        (const MPI_Aint[]){shape.first * (MPI_Aint)sizeof(long),
                           (shape.first + shape.between) * (MPI_Aint)sizeof(long)},
        MPI_LONG, &both);
    MPI_Type_create_resized(both, 0, shape.apart * (MPI_Aint)sizeof(long), &shape.type);
    MPI_Type_free(&both);
    MPI_Type_commit(&shape.type);
    return shape;
}
#define SHAPES 4

static void put(const struct shape *shape, long *buffer, int item, struct map map)
{
    buffer[shape->first + item * shape->apart] = map.a;
    buffer[shape->first + item * shape->apart + shape->between] = map.b;
}

/* Fills a buffer with what lies in gaps, and puts the rank's operands there. */
static void fill(const struct shape *shape, long *buffer, int rank, int items)
{
    for (int i = 0; i < LONGS; i++)
        buffer[i] = -1 - i;
    for (int i = 0; i < items; i++)
        put(shape, buffer, i, map_of(rank, i));
}

/* Whether the buffer has these results, and its gaps are as they were. `shift` is the number of the
 * first item. */
static bool has(const struct shape *shape, const long *buffer, int first, int end, int items,
                int shift)
{
    long expected[LONGS];
    for (int i = 0; i < LONGS; i++)
        expected[i] = -1 - i;
    for (int i = 0; i < items; i++)
        put(shape, expected, i, all_maps(first, end, i + shift));
    return memcmp(expected, buffer, sizeof expected) == 0;
}

/* --- The operator --- */

static void operate(void *in, void *inout, int *count, MPI_Datatype *type)
{
    MPI_Aint lower, extent, first, span;
    MPI_Type_get_extent(*type, &lower, &extent);
    MPI_Type_get_true_extent(*type, &first, &span);
    for (int i = 0; i < *count; i++) {
        const long *left = (long *)((char *)in + i * extent + first);
        long *right = (long *)((char *)inout + i * extent + first);
        const size_t b = (size_t)span / sizeof(long) - 1;
        const struct map both =
            compose((struct map){left[0], left[b]}, (struct map){right[0], right[b]});
        right[0] = both.a;
        right[b] = both.b;
    }
}

/* --- All reductions --- */

static int blocking(const struct shape *shape, MPI_Op op, int rank, int size)
{
    long out[LONGS], in[LONGS];
    const int root = size / 2;
    fill(shape, out, rank, ITEMS);
    fill(shape, in, 0, 0);
    MPI_Allreduce(out, in, ITEMS, shape->type, op, MPI_COMM_WORLD);
    CHECK(has(shape, in, 0, size, ITEMS, 0));
    MPI_Allreduce(MPI_IN_PLACE, out, ITEMS, shape->type, op, MPI_COMM_WORLD);
    CHECK(has(shape, out, 0, size, ITEMS, 0));
    fill(shape, out, rank, ITEMS);
    fill(shape, in, 0, 0);
    MPI_Reduce(out, in, ITEMS, shape->type, op, root, MPI_COMM_WORLD);
    CHECK(has(shape, in, 0, size, rank == root ? ITEMS : 0, 0));
    MPI_Reduce(rank == root ? MPI_IN_PLACE : out, rank == root ? out : NULL, ITEMS, shape->type, op,
               root, MPI_COMM_WORLD);
    CHECK(rank != root || has(shape, out, 0, size, ITEMS, 0));
    fill(shape, out, rank, ITEMS);
    fill(shape, in, 0, 0);
    MPI_Scan(out, in, ITEMS, shape->type, op, MPI_COMM_WORLD);
    CHECK(has(shape, in, 0, rank + 1, ITEMS, 0));
    fill(shape, in, 0, 0);
    MPI_Exscan(out, in, ITEMS, shape->type, op, MPI_COMM_WORLD);
    CHECK(has(shape, in, 0, rank, rank > 0 ? ITEMS : 0, 0));
    return 0;
}

/* One item for each rank. */
static int scattering(const struct shape *shape, MPI_Op op, int rank, int size)
{
    long out[LONGS], in[LONGS];
    int counts[ITEMS];
    if (size > ITEMS)
        return 0;
    fill(shape, out, rank, size);
    fill(shape, in, 0, 0);
    MPI_Reduce_scatter_block(out, in, 1, shape->type, op, MPI_COMM_WORLD);
    CHECK(has(shape, in, 0, size, 1, rank));
    /* the last rank gets what is left */
    fill(shape, out, rank, ITEMS);
    fill(shape, in, 0, 0);
    for (int i = 0; i < size; i++)
        counts[i] = i < size - 1 ? 1 : ITEMS - size + 1;
    MPI_Reduce_scatter(out, in, counts, shape->type, op, MPI_COMM_WORLD);
    CHECK(has(shape, in, 0, size, counts[rank], rank));
    return 0;
}

/* The program frees its handles before the request has ended. */
static int later(int number, MPI_Op (*make)(void), int rank, int size)
{
    struct shape shape = make_shape(number);
    MPI_Op op = make();
    MPI_Request request;
    long out[LONGS], in[LONGS];
    fill(&shape, out, rank, ITEMS);
    fill(&shape, in, 0, 0);
    MPI_Iallreduce(out, in, ITEMS, shape.type, op, MPI_COMM_WORLD, &request);
    MPI_Op_free(&op);
    MPI_Type_free(&shape.type);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(has(&shape, in, 0, size, ITEMS, 0));
    return 0;
}

static MPI_Op make_op(void)
{
    MPI_Op op;
    MPI_Op_create(operate, 0, &op);
    return op;
}

static int reductions(int rank, void *argument)
{
    int size, failed = 0;
    MPI_Op op;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    op = make_op();
    for (int i = 0; i < SHAPES && !failed; i++) {
        struct shape shape = make_shape(i);
        failed = blocking(&shape, op, rank, size) || scattering(&shape, op, rank, size);
        MPI_Type_free(&shape.type);
        failed = failed || later(i, make_op, rank, size);
    }
    MPI_Op_free(&op);
    MPI_Finalize();
    return failed;
}

static void run(kp_carrier carrier, int ranks)
{
    const struct kp_mpi_job job = {.config = {.processors = ranks, .carrier = carrier}};
    int exit_status = -1;
    assert_int_equal(kp_mpi_run(&job, reductions, NULL, NULL, &exit_status), 0);
    assert_int_equal(exit_status, 0);
}

static void test_reductions_on_threads(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 6; ranks++)
        run(KP_CARRIER_THREADS, ranks);
}

static void test_reductions_on_fibers(void **state)
{
    (void)state;
    if (kp_fibers())
        run(KP_CARRIER_FIBERS, 33);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_reductions_on_threads),
                                       cmocka_unit_test(test_reductions_on_fibers)};
    return cmocka_run_group_tests_name("mpi reductions", tests, NULL, NULL);
}
