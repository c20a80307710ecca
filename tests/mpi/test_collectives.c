/* Collectives in their three forms. */
#include "run.h"

#include <stdlib.h>

#define MOST 64

enum form {
    NOW,
    LATER,
    KEPT
};

static int end(enum form form, MPI_Request *request)
{
    if (form == KEPT) {
        for (int i = 0; i < 3; i++) {
            MPI_Start(request);
            MPI_Wait(request, MPI_STATUS_IGNORE);
        }
        return MPI_Request_free(request);
    }
    return form == LATER ? MPI_Wait(request, MPI_STATUS_IGNORE) : MPI_SUCCESS;
}

#define FORMS(name, iname, ...)                                                                    \
    do {                                                                                           \
        if (form == NOW)                                                                           \
            MPI_##name(__VA_ARGS__, MPI_COMM_WORLD);                                               \
        else if (form == LATER)                                                                    \
            MPI_##iname(__VA_ARGS__, MPI_COMM_WORLD, &request);                                    \
        else                                                                                       \
            MPI_##name##_init(__VA_ARGS__, MPI_COMM_WORLD, MPI_INFO_NULL, &request);               \
        end(form, &request);                                                                       \
    } while (0)

static int moves(enum form form, int me, int n)
{
    int out[MOST], in[MOST], value = 0, root = n / 2;
    MPI_Request request;
    value = me == root ? 17 : 0;
    FORMS(Bcast, Ibcast, &value, 1, MPI_INT, root);
    CHECK(value == 17);
    value = me * me;
    FORMS(Gather, Igather, &value, 1, MPI_INT, in, 1, MPI_INT, root);
    for (int i = 0; me == root && i < n; i++)
        CHECK(in[i] == i * i);
    for (int i = 0; i < n; i++)
        out[i] = 3 * i;
    FORMS(Scatter, Iscatter, out, 1, MPI_INT, &value, 1, MPI_INT, root);
    CHECK(value == 3 * me);
    FORMS(Allgather, Iallgather, &me, 1, MPI_INT, in, 1, MPI_INT);
    for (int i = 0; i < n; i++)
        CHECK(in[i] == i);
    in[me] = 5 * me;
    FORMS(Allgather, Iallgather, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT);
    for (int i = 0; i < n; i++)
        CHECK(in[i] == 5 * i);
    for (int i = 0; i < n; i++)
        out[i] = 100 * me + i;
    FORMS(Alltoall, Ialltoall, out, 1, MPI_INT, in, 1, MPI_INT);
    for (int i = 0; i < n; i++)
        CHECK(in[i] == 100 * i + me);
    if (form != KEPT) { /* a persistent one would change its data each time */
        FORMS(Alltoall, Ialltoall, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 1, MPI_INT);
        for (int i = 0; i < n; i++)
            CHECK(in[i] == 100 * me + i);
    }
    return 0;
}

static int moves_lengths(enum form form, int me, int n)
{
    int out[MOST * MOST], in[MOST * MOST], counts[MOST], places[MOST], ones[MOST], apart[MOST];
    MPI_Datatype types[MOST];
    int root = n - 1, total = 0;
    MPI_Request request;
    for (int i = 0; i < n; i++) {
        counts[i] = i;
        places[i] = total;
        total += i;
        ones[i] = 1;
        apart[i] = n - 1 - i; /* backwards */
        types[i] = MPI_INT;
    }
    for (int i = 0; i < MOST; i++)
        out[i] = 1000 * me + i;
    FORMS(Gatherv, Igatherv, out, me, MPI_INT, in, counts, places, MPI_INT, root);
    for (int i = 0; me == root && i < n; i++) {
        for (int j = 0; j < i; j++)
            CHECK(in[places[i] + j] == 1000 * i + j);
    }
    FORMS(Allgatherv, Iallgatherv, out, me, MPI_INT, in, counts, places, MPI_INT);
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            CHECK(in[places[i] + j] == 1000 * i + j);
    }
    for (int i = 0; i < total; i++)
        out[i] = i;
    FORMS(Scatterv, Iscatterv, out, counts, places, MPI_INT, in, me, MPI_INT, root);
    for (int j = 0; j < me; j++)
        CHECK(in[j] == places[me] + j);
    for (int i = 0; i < n; i++)
        out[apart[i]] = 100 * me + i;
    FORMS(Alltoallv, Ialltoallv, out, ones, apart, MPI_INT, in, ones, apart, MPI_INT);
    for (int i = 0; i < n; i++)
        CHECK(in[apart[i]] == 100 * i + me);
    for (int i = 0; i < n; i++)
        apart[i] *= (int)sizeof(int);
    memset(in, 0, sizeof in);
    FORMS(Alltoallw, Ialltoallw, out, ones, apart, types, in, ones, apart, types);
    for (int i = 0; i < n; i++)
        CHECK(in[n - 1 - i] == 100 * i + me);
    return 0;
}

static int reductions(enum form form, int me, int n)
{
    double one = me + 1, sum = 0, all = n * (n + 1) / 2.0;
    int out[MOST], in[MOST], counts[MOST];
    MPI_Request request;
    FORMS(Reduce, Ireduce, &one, &sum, 1, MPI_DOUBLE, MPI_SUM, 0);
    CHECK(me != 0 || sum == all);
    FORMS(Allreduce, Iallreduce, &one, &sum, 1, MPI_DOUBLE, MPI_SUM);
    CHECK(sum == all);
    FORMS(Allreduce, Iallreduce, &one, &sum, 1, MPI_DOUBLE, MPI_MAX);
    CHECK(sum == n);
    FORMS(Scan, Iscan, &one, &sum, 1, MPI_DOUBLE, MPI_SUM);
    CHECK(sum == (me + 1) * (me + 2) / 2.0);
    FORMS(Exscan, Iexscan, &one, &sum, 1, MPI_DOUBLE, MPI_SUM);
    CHECK(me == 0 || sum == me * (me + 1) / 2.0);
    for (int i = 0; i < n; i++) {
        out[i] = i * (me + 1);
        counts[i] = 1;
    }
    FORMS(Reduce_scatter_block, Ireduce_scatter_block, out, in, 1, MPI_INT, MPI_SUM);
    CHECK(in[0] == me * (int)all);
    counts[0] = 2;
    counts[n - 1] = n > 1 ? 0 : 1;
    FORMS(Reduce_scatter, Ireduce_scatter, out, in, counts, MPI_INT, MPI_SUM);
    if (n > 2 && me > 0 && me < n - 1)
        CHECK(in[0] == (me + 1) * (int)all);
    if (form != KEPT) {
        sum = one;
        FORMS(Allreduce, Iallreduce, MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM);
        CHECK(sum == all);
        sum = one;
        if (me == 0)
            FORMS(Reduce, Ireduce, MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, 0);
        else
            FORMS(Reduce, Ireduce, &sum, NULL, 1, MPI_DOUBLE, MPI_SUM, 0);
        CHECK(me != 0 || sum == all);
    }
    return 0;
}

static int nothing(enum form form, int me, int n)
{
    MPI_Request request;
    int counts[MOST] = {0}, places[MOST] = {0};
    (void)me;
    (void)n;
    FORMS(Bcast, Ibcast, NULL, 0, MPI_INT, 0);
    FORMS(Gather, Igather, NULL, 0, MPI_INT, NULL, 0, MPI_INT, 0);
    FORMS(Alltoall, Ialltoall, NULL, 0, MPI_INT, NULL, 0, MPI_INT);
    FORMS(Alltoallv, Ialltoallv, NULL, counts, places, MPI_INT, NULL, counts, places, MPI_INT);
    FORMS(Allreduce, Iallreduce, NULL, NULL, 0, MPI_INT, MPI_SUM);
    FORMS(Allgatherv, Iallgatherv, NULL, 0, MPI_INT, NULL, counts, places, MPI_INT);
    return 0;
}

static int collectives(int rank, void *argument)
{
    int me, n, failed = 0;
    MPI_Request request;
    (void)rank;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (enum form form = NOW; form <= KEPT && !failed; form++) {
        failed = moves(form, me, n);
        failed = failed ? failed : moves_lengths(form, me, n);
        failed = failed ? failed : reductions(form, me, n);
        failed = failed ? failed : nothing(form, me, n);
    }
    CHECK(!failed);
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}

static void test_collectives(void **state)
{
    (void)state;
    run_everywhere(1, collectives);
    run_everywhere(2, collectives);
    run_everywhere(5, collectives);
}

/* Persistent ones are started in an order of each rank's own: within a communicator, between
 * neighbours, and between two sides. */
static int in_other_orders(int rank, void *argument)
{
    enum {
        KINDS = 3,
        EACH = 2,
        ALL = KINDS * EACH
    };
    int size, all[EACH][MOST], near[EACH][2], far[EACH][MOST], out[EACH], right = 1;
    MPI_Comm ring, half, between;
    MPI_Request requests[ALL];
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &right, 0, &ring);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 0, &between);
    for (int i = 0; i < EACH; i++) {
        MPI_Allgather_init(&out[i], 1, MPI_INT, all[i], 1, MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[KINDS * i]);
        MPI_Neighbor_allgather_init(&out[i], 1, MPI_INT, near[i], 1, MPI_INT, ring, MPI_INFO_NULL,
                                    &requests[KINDS * i + 1]);
        MPI_Allgather_init(&out[i], 1, MPI_INT, far[i], 1, MPI_INT, between, MPI_INFO_NULL,
                           &requests[KINDS * i + 2]);
    }
    for (int turn = 0; turn < 5; turn++) {
        for (int i = 0; i < EACH; i++)
            out[i] = 100 * turn + 10 * i + rank;
        for (int i = 0; i < ALL; i++)
            MPI_Start(&requests[(rank + turn + i) % ALL]);
        MPI_Waitall(ALL, requests, MPI_STATUSES_IGNORE);
        for (int i = 0; i < EACH; i++) {
            const int from = 100 * turn + 10 * i;
            for (int j = 0; j < size; j++)
                CHECK(all[i][j] == from + j);
            CHECK(near[i][0] == from + (rank + size - 1) % size);
            CHECK(near[i][1] == from + (rank + 1) % size);
            for (int j = 0; j < size / 2; j++)
                CHECK(far[i][j] == from + 2 * j + 1 - rank % 2);
        }
    }
    for (int i = 0; i < ALL; i++)
        MPI_Request_free(&requests[i]);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}

static void test_in_other_orders(void **state)
{
    (void)state;
    run_everywhere(2, in_other_orders);
    run_everywhere(6, in_other_orders);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_collectives),
                                       cmocka_unit_test(test_in_other_orders)};
    return cmocka_run_group_tests_name("mpi collectives", tests, NULL, NULL);
}
