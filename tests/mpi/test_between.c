/* Collectives on intercommunicators, in all three forms: the lower ranks are one side, the others
 * the other. Every rank knows what must come. */
#include "run.h"

#define MOST 8

struct side {
    int me, middle, high, rank, own, others, first; /* `first`: the other side's in the world */
    MPI_Comm both;
};

static struct side begin_side(void)
{
    struct side s;
    int size;
    MPI_Comm half;
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &s.me);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    s.middle = size / 3 > 0 ? size / 3 : 1;
    s.high = s.me >= s.middle;
    s.own = s.high ? size - s.middle : s.middle;
    s.others = size - s.own;
    s.first = s.high ? 0 : s.middle;
    MPI_Comm_split(MPI_COMM_WORLD, s.high, s.me, &half);
    MPI_Comm_rank(half, &s.rank);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, s.first, 5, &s.both);
    MPI_Comm_free(&half);
    return s;
}

static int end_side(struct side *s)
{
    MPI_Comm_free(&s->both);
    return MPI_Finalize();
}

/* What rank `from` of the world has for rank `to` of the world. */
static int item(int from, int to)
{
    return 1000 * from + 10 * to + 7;
}

static int moves(int rank, void *argument)
{
    int out[MOST], in[MOST], counts[MOST], places[MOST];
    (void)rank;
    (void)argument;
    struct side s = begin_side();
    for (int i = 0; i < s.others; i++)
        out[i] = item(s.me, s.first + i);
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, s.both);
    for (int i = 0; i < s.others; i++)
        CHECK(in[i] == item(s.first + i, s.me));
    /* backwards in memory */
    for (int i = 0; i < s.others; i++) {
        counts[i] = 1;
        places[i] = s.others - 1 - i;
        out[places[i]] = item(s.me, s.first + i);
    }
    MPI_Alltoallv(out, counts, places, MPI_INT, in, counts, places, MPI_INT, s.both);
    for (int i = 0; i < s.others; i++)
        CHECK(in[places[i]] == item(s.first + i, s.me));
    MPI_Allgather(&s.me, 1, MPI_INT, in, 1, MPI_INT, s.both);
    for (int i = 0; i < s.others; i++)
        CHECK(in[i] == s.first + i);
    MPI_Allgatherv(&s.me, 1, MPI_INT, in, counts, places, MPI_INT, s.both);
    for (int i = 0; i < s.others; i++)
        CHECK(in[places[i]] == s.first + i);
    /* The last rank of the higher side is the root. */
    const int is_root = s.high && s.rank == s.own - 1;
    const int root = is_root ? MPI_ROOT : s.high ? MPI_PROC_NULL : s.others - 1;
    for (int i = 0; i < s.others; i++)
        out[i] = 50 + i;
    in[0] = -1;
    MPI_Scatter(out, 1, MPI_INT, in, 1, MPI_INT, root, s.both);
    CHECK(in[0] == (s.high ? -1 : 50 + s.rank));
    MPI_Scatterv(out, counts, places, MPI_INT, in, 1, MPI_INT, root, s.both);
    CHECK(in[0] == (s.high ? -1 : 50 + s.own - 1 - s.rank));
    MPI_Gather(&s.me, 1, MPI_INT, in, 1, MPI_INT, root, s.both);
    for (int i = 0; is_root && i < s.others; i++)
        CHECK(in[i] == i);
    MPI_Gatherv(&s.me, 1, MPI_INT, in, counts, places, MPI_INT, root, s.both);
    for (int i = 0; is_root && i < s.others; i++)
        CHECK(in[places[i]] == i);
    in[0] = is_root ? 99 : 0;
    MPI_Bcast(in, 1, MPI_INT, root, s.both);
    CHECK(in[0] == (is_root || !s.high ? 99 : 0));
    MPI_Barrier(s.both);
    return end_side(&s);
}

/* Affine maps, which do not commute: x -> a x + b modulo 10007. */
struct map {
    int a, b;
};

static void compose(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const struct map *left = in;
    struct map *right = inout;
    (void)type;
    for (int i = 0; i < *count; i++)
        right[i] = (struct map){left[i].a * right[i].a % 10007,
                                (left[i].a * right[i].b + left[i].b) % 10007};
}

static struct map map_of(int rank, int i)
{
    return (struct map){3 + rank + i, 11 * rank + i + 1};
}

/* The maps of `count` ranks from `first` on, composed in their order. */
static struct map composed(int first, int count, int i)
{
    struct map all = map_of(first + count - 1, i);
    for (int rank = first + count - 2; rank >= first; rank--) {
        struct map one = map_of(rank, i);
        compose(&one, &all, &(int){1}, NULL);
    }
    return all;
}

static int is(struct map a, struct map b)
{
    return a.a == b.a && a.b == b.b;
}

#define ITEMS 12

static int reductions(int rank, void *argument)
{
    struct map out[ITEMS], in[ITEMS];
    int counts[MOST], first = 0;
    MPI_Op op;
    MPI_Datatype pair;
    (void)rank;
    (void)argument;
    struct side s = begin_side();
    MPI_Op_create(compose, 0, &op);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    for (int i = 0; i < ITEMS; i++)
        out[i] = map_of(s.me, i);
    MPI_Allreduce(out, in, ITEMS, pair, op, s.both);
    for (int i = 0; i < ITEMS; i++)
        CHECK(is(in[i], composed(s.first, s.others, i)));
    const int is_root = s.high && s.rank == 0;
    memset(in, 0, sizeof in);
    MPI_Reduce(out, in, ITEMS, pair, op, is_root ? MPI_ROOT : s.high ? MPI_PROC_NULL : 0, s.both);
    for (int i = 0; i < ITEMS; i++)
        CHECK(is(in[i], is_root ? composed(s.first, s.others, i) : (struct map){0, 0}));
    MPI_Reduce_scatter_block(out, in, ITEMS / s.own, pair, op, s.both);
    for (int i = 0; i < ITEMS / s.own; i++)
        CHECK(is(in[i], composed(s.first, s.others, s.rank * (ITEMS / s.own) + i)));
    for (int i = 0; i < s.own; i++) {
        counts[i] = i < s.own - 1 ? i : ITEMS - first;
        first += i < s.own - 1 ? i : 0;
    }
    MPI_Reduce_scatter(out, in, counts, pair, op, s.both);
    first = s.rank * (s.rank - 1) / 2;
    for (int i = 0; i < counts[s.rank]; i++)
        CHECK(is(in[i], composed(s.first, s.others, first + i)));
    /* a predefined operator */
    int sum = -1, expected = 0;
    MPI_Allreduce(&s.me, &sum, 1, MPI_INT, MPI_SUM, s.both);
    for (int i = 0; i < s.others; i++)
        expected += s.first + i;
    CHECK(sum == expected);
    MPI_Op_free(&op);
    MPI_Type_free(&pair);
    return end_side(&s);
}

/* Requests, and persistent ones that start three times. */
static int later(int rank, void *argument)
{
    int in[MOST], sum = 0, expected = 0, value;
    MPI_Request requests[3], again;
    (void)rank;
    (void)argument;
    struct side s = begin_side();
    for (int i = 0; i < s.others; i++)
        expected += s.first + i;
    MPI_Iallreduce(&s.me, &sum, 1, MPI_INT, MPI_SUM, s.both, &requests[0]);
    MPI_Iallgather(&s.me, 1, MPI_INT, in, 1, MPI_INT, s.both, &requests[1]);
    MPI_Ibarrier(s.both, &requests[2]);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    CHECK(sum == expected && in[s.others - 1] == s.first + s.others - 1);
    MPI_Allreduce_init(&value, &sum, 1, MPI_INT, MPI_MAX, s.both, MPI_INFO_NULL, &again);
    for (int i = 0; i < 3; i++) {
        value = 10 * i + s.me;
        MPI_Start(&again);
        MPI_Wait(&again, MPI_STATUS_IGNORE);
        CHECK(sum == 10 * i + s.first + s.others - 1);
    }
    MPI_Request_free(&again);
    return end_side(&s);
}

/* What MPI does not have on intercommunicators. */
static int refused(int rank, void *argument)
{
    int value = 0, in[MOST];
    MPI_Comm made;
    (void)rank;
    (void)argument;
    struct side s = begin_side();
    MPI_Comm_set_errhandler(s.both, MPI_ERRORS_RETURN);
    CHECK(MPI_Scan(&s.me, &value, 1, MPI_INT, MPI_SUM, s.both) == MPI_ERR_COMM);
    CHECK(MPI_Allgather(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, s.both) == MPI_ERR_BUFFER);
    CHECK(MPI_Allreduce(&s.me, &value, -1, MPI_INT, MPI_SUM, s.both) == MPI_ERR_COUNT);
    CHECK(MPI_Cart_create(s.both, 1, &(int){1}, &value, 0, &made) == MPI_ERR_COMM);
    CHECK(MPI_Graph_create(s.both, 0, NULL, NULL, 0, &made) == MPI_ERR_COMM);
    CHECK(MPI_Dist_graph_create_adjacent(s.both, 0, NULL, MPI_UNWEIGHTED, 0, NULL, MPI_UNWEIGHTED,
                                         MPI_INFO_NULL, 0, &made) == MPI_ERR_COMM);
    MPI_Barrier(s.both);
    return end_side(&s);
}

/* A part of each side, by colours and by groups. */
static int parts(int rank, void *argument)
{
    int value = -1, last, from, inter, first = 0;
    MPI_Comm part;
    MPI_Group side, leader;
    (void)rank;
    (void)argument;
    struct side s = begin_side();
    /* even ranks, backwards; the others have no common colour */
    MPI_Comm_split(s.both, s.rank % 2 == 0 ? 1 : 10 + s.high, -s.rank, &part);
    CHECK((part == MPI_COMM_NULL) == (s.rank % 2 == 1));
    if (part != MPI_COMM_NULL) {
        MPI_Comm_test_inter(part, &inter);
        CHECK(inter == 1);
        last = (s.others - 1) / 2 * 2;
        MPI_Allreduce(&s.me, &value, 1, MPI_INT, MPI_MAX, part);
        CHECK(value == s.first + last);
        MPI_Comm_rank(part, &value);
        CHECK(value == (s.own - 1) / 2 - s.rank / 2);
        from = value == 0 ? MPI_ROOT : MPI_PROC_NULL;
        value = s.me;
        MPI_Bcast(&value, 1, MPI_INT, s.high ? 0 : from, part);
        CHECK(!s.high || value == last);
        MPI_Comm_free(&part);
    }
    MPI_Comm_split(s.both, s.high ? MPI_UNDEFINED : 0, 0, &part);
    CHECK(part == MPI_COMM_NULL);
    MPI_Comm_group(s.both, &side);
    MPI_Group_incl(side, 1, &first, &leader);
    MPI_Comm_create(s.both, leader, &part);
    CHECK((part == MPI_COMM_NULL) == (s.rank > 0));
    if (part != MPI_COMM_NULL) {
        MPI_Sendrecv(&s.me, 1, MPI_INT, 0, 0, &value, 1, MPI_INT, 0, 0, part, MPI_STATUS_IGNORE);
        CHECK(value == s.first);
        MPI_Comm_free(&part);
    }
    MPI_Group_free(&leader);
    MPI_Group_free(&side);
    return end_side(&s);
}

static void test_moves(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= MOST; ranks++)
        run_everywhere(ranks, moves);
}

static void test_reductions(void **state)
{
    (void)state;
    run_everywhere(3, reductions);
    run_everywhere(6, reductions);
    run_everywhere(5, reductions);
}

static void test_later(void **state)
{
    (void)state;
    run_everywhere(2, later);
    run_everywhere(7, later);
}

static void test_parts(void **state)
{
    (void)state;
    run_everywhere(2, parts);
    run_everywhere(5, parts);
    run_everywhere(8, parts);
}

static void test_refused(void **state)
{
    (void)state;
    run_everywhere(4, refused);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves), cmocka_unit_test(test_reductions),
        cmocka_unit_test(test_later), cmocka_unit_test(test_parts), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
