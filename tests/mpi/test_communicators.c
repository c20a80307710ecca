/* Groups, communicators, topologies, collectives among neighbours, intercommunicators. */
#include "run.h"

static int begin(int *me, int *size)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, me);
    return MPI_Comm_size(MPI_COMM_WORLD, size);
}

static int groups(int rank, void *argument)
{
    int me, n, result, size, at, ranks[3] = {0, 2, 1}, to[3];
    int ranges[1][3] = {{0, 3, 2}};
    MPI_Group world, one, other, made;
    (void)argument;
    (void)rank;
    begin(&me, &n);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_size(world, &size);
    MPI_Group_rank(world, &at);
    CHECK(size == n && at == me);
    MPI_Group_incl(world, 3, ranks, &one);
    MPI_Group_range_incl(world, 1, ranges, &other); /* 0 and 2 */
    MPI_Group_translate_ranks(one, 3, (int[]){0, 1, 2}, world, to);
    CHECK(to[0] == 0 && to[1] == 2 && to[2] == 1);
    MPI_Group_union(other, one, &made); /* 0 2 1 */
    MPI_Group_compare(made, one, &result);
    CHECK(result == MPI_IDENT);
    MPI_Group_free(&made);
    MPI_Group_difference(one, other, &made); /* 1 */
    MPI_Group_size(made, &size);
    MPI_Group_rank(made, &at);
    CHECK(size == 1 && at == (me == 1 ? 0 : MPI_UNDEFINED));
    MPI_Group_free(&made);
    MPI_Group_intersection(other, one, &made);
    MPI_Group_compare(made, other, &result);
    CHECK(result == MPI_IDENT);
    MPI_Group_free(&made);
    MPI_Group_incl(world, 0, NULL, &made);
    CHECK(made == MPI_GROUP_EMPTY);
    MPI_Group_range_excl(world, 1, ranges, &made);
    MPI_Group_size(made, &size);
    CHECK(size == n - 2);
    MPI_Group_free(&made);
    MPI_Group_free(&one);
    MPI_Group_free(&other);
    MPI_Group_free(&world);
    CHECK(world == MPI_GROUP_NULL);
    return MPI_Finalize();
}

static int communicators(int rank, void *argument)
{
    int me, n, result, size, at, value, sum;
    MPI_Comm half, copy, later;
    MPI_Request request;
    (void)argument;
    (void)rank;
    begin(&me, &n);
    MPI_Comm_split(MPI_COMM_WORLD, me % 2, -me, &half);
    MPI_Comm_size(half, &size);
    MPI_Comm_rank(half, &at);
    CHECK(size == (n + 1 - me % 2) / 2 && at == size - 1 - me / 2);
    MPI_Comm_dup(half, &copy);
    MPI_Comm_compare(half, copy, &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Comm_compare(half, half, &result);
    CHECK(result == MPI_IDENT);
    MPI_Comm_compare(half, MPI_COMM_WORLD, &result);
    CHECK(result == (n == 1 ? MPI_CONGRUENT : MPI_UNEQUAL));
    /* A message of one communicator is not received in another. */
    value = 1;
    MPI_Request to_copy;
    MPI_Isend(&value, 1, MPI_INT, (at + 1) % size, 5, copy, &to_copy);
    value = 1;
    int other = 2, got = 0;
    MPI_Isend(&other, 1, MPI_INT, (at + 1) % size, 5, half, &request);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, half, MPI_STATUS_IGNORE);
    CHECK(got == 2);
    MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, copy, MPI_STATUS_IGNORE);
    CHECK(got == 1);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&to_copy, MPI_STATUS_IGNORE);
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, copy);
    int expected = 0;
    for (int i = me % 2; i < n; i += 2)
        expected += i;
    CHECK(sum == expected);
    MPI_Comm_free(&copy);
    CHECK(copy == MPI_COMM_NULL);
    MPI_Comm_idup(half, &later, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Barrier(later);
    MPI_Comm_free(&later);
    MPI_Comm_free(&half);
    return MPI_Finalize();
}

/* Communicators that some ranks are not in, names, and many communicators one after the other. */
static int parts(int rank, void *argument)
{
    int me, n, size, at, length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Comm half, pair;
    MPI_Group world, group;
    (void)argument;
    (void)rank;
    begin(&me, &n);
    MPI_Comm_split(MPI_COMM_WORLD, me == 0 ? MPI_UNDEFINED : 3, 0, &half);
    CHECK((half == MPI_COMM_NULL) == (me == 0));
    if (me != 0)
        MPI_Comm_free(&half);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, n > 1 ? 2 : 1, (int[]){n - 1, 0}, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &pair);
    CHECK((pair == MPI_COMM_NULL) == (me != 0 && me != n - 1));
    if (pair != MPI_COMM_NULL) {
        MPI_Comm again;
        MPI_Comm_rank(pair, &at);
        CHECK(at == (me == n - 1 ? 0 : 1));
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 3, &again);
        MPI_Barrier(again);
        MPI_Comm_free(&again);
        MPI_Comm_set_name(pair, "the pair");
        MPI_Comm_get_name(pair, name, &length);
        CHECK(strcmp(name, "the pair") == 0 && length == 8);
        MPI_Comm_free(&pair);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &half);
    MPI_Comm_size(half, &size);
    CHECK(size == n);
    MPI_Comm_free(&half);
    for (int i = 0; i < 200; i++) { /* contexts are given back */
        MPI_Comm_split(MPI_COMM_WORLD, me % 3, me, &half);
        MPI_Barrier(half);
        MPI_Comm_free(&half);
    }
    return MPI_Finalize();
}

/* A grid of 3 by 2: ranks row by row, periodic in the first dimension. */
static int grids(int rank, void *argument)
{
    int me, n, at, source, target, dims[2] = {3, 2}, periods[2] = {1, 0}, coords[2], all[4];
    int in[4] = {-1, -1, -1, -1}, out[4], kind;
    MPI_Comm grid, row;
    MPI_Request request;
    (void)argument;
    (void)rank;
    begin(&me, &n);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    CHECK((grid == MPI_COMM_NULL) == (me >= 6));
    int free_dims[3] = {0, 2, 0};
    MPI_Dims_create(24, 3, free_dims);
    CHECK(free_dims[0] == 4 && free_dims[1] == 2 && free_dims[2] == 3);
    memset(free_dims, 0, sizeof free_dims);
    MPI_Dims_create(36, 2, free_dims);
    CHECK(free_dims[0] == 6 && free_dims[1] == 6);
    if (grid != MPI_COMM_NULL) {
        MPI_Topo_test(grid, &kind);
        MPI_Cart_coords(grid, me, 2, coords);
        CHECK(kind == MPI_CART && coords[0] == me / 2 && coords[1] == me % 2);
        MPI_Cart_rank(grid, coords, &at);
        CHECK(at == me);
        MPI_Cart_shift(grid, 0, 1, &source, &target);
        CHECK(target == (me + 2) % 6 && source == (me + 4) % 6);
        MPI_Cart_shift(grid, 1, 1, &source, &target);
        CHECK(target == (me % 2 == 0 ? me + 1 : MPI_PROC_NULL));
        for (int i = 0; i < 4; i++)
            out[i] = 10 * me + i;
        for (int time = 0; time < 3; time++) {
            memset(in, -1, sizeof in);
            if (time == 0) {
                MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid);
            } else if (time == 1) {
                MPI_Ineighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, grid, &request);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
            } else {
                MPI_Neighbor_alltoall_init(out, 1, MPI_INT, in, 1, MPI_INT, grid, MPI_INFO_NULL,
                                           &request);
                MPI_Start(&request);
                MPI_Wait(&request, MPI_STATUS_IGNORE);
                MPI_Request_free(&request);
            }
            CHECK(in[0] == 10 * ((me + 4) % 6) + 1 && in[1] == 10 * ((me + 2) % 6));
            CHECK(in[2] == (me % 2 == 1 ? 10 * (me - 1) + 3 : -1));
            CHECK(in[3] == (me % 2 == 0 ? 10 * (me + 1) + 2 : -1));
        }
        MPI_Neighbor_allgather(&me, 1, MPI_INT, all, 1, MPI_INT, grid);
        CHECK(all[0] == (me + 4) % 6 && all[1] == (me + 2) % 6);
        MPI_Cart_sub(grid, (int[]){0, 1}, &row);
        MPI_Comm_rank(row, &at);
        CHECK(at == me % 2);
        MPI_Comm_free(&row);
        MPI_Comm_free(&grid);
    }
    return MPI_Finalize();
}

/* A ring, of which each rank names its own edge or another's. */
static int graphs(int rank, void *argument)
{
    int me, n, ins, outs, weighted, sources[2], targets[2], got = -1, degree = 1, count;
    MPI_Comm graph, copy;
    (void)argument;
    (void)rank;
    begin(&me, &n);
    const int next = (me + 1) % n, after = (me + 2) % n, before = (me + n - 1) % n;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &next, &degree, &after, MPI_UNWEIGHTED, MPI_INFO_NULL,
                          0, &graph);
    MPI_Dist_graph_neighbors_count(graph, &ins, &outs, &weighted);
    CHECK(ins == 1 && outs == 1 && !weighted);
    MPI_Dist_graph_neighbors(graph, 1, sources, MPI_UNWEIGHTED, 1, targets, MPI_UNWEIGHTED);
    CHECK(sources[0] == before && targets[0] == next);
    MPI_Comm_dup(graph, &copy);
    MPI_Neighbor_allgather(&me, 1, MPI_INT, &got, 1, MPI_INT, copy);
    CHECK(got == before);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &next,
                                   MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_alltoall(&me, 1, MPI_INT, &got, 1, MPI_INT, graph);
    CHECK(got == before);
    MPI_Comm_free(&graph);
    MPI_Graph_create(MPI_COMM_WORLD, 2, (int[]){1, 2}, (int[]){1, 0}, 0, &graph);
    CHECK((graph == MPI_COMM_NULL) == (me > 1));
    if (graph != MPI_COMM_NULL) {
        MPI_Graph_neighbors_count(graph, me, &count);
        MPI_Graph_neighbors(graph, me, 1, targets);
        CHECK(count == 1 && targets[0] == 1 - me);
        MPI_Comm_free(&graph);
    }
    return MPI_Finalize();
}

/* The lower half and the upper half. */
static int sides(int rank, void *argument)
{
    int me, n, size, at, result, value, got, flag;
    MPI_Comm half, both, copy, all;
    MPI_Group group;
    (void)argument;
    (void)rank;
    begin(&me, &n);
    const int middle = n / 2, high = me >= middle;
    MPI_Comm_split(MPI_COMM_WORLD, high, me, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, high ? 0 : middle, 12, &both);
    MPI_Comm_test_inter(both, &flag);
    MPI_Comm_size(both, &size);
    CHECK(flag && size == (high ? n - middle : middle));
    MPI_Comm_remote_size(both, &size);
    CHECK(size == (high ? middle : n - middle));
    MPI_Comm_remote_group(both, &group);
    MPI_Group_rank(group, &at);
    CHECK(at == MPI_UNDEFINED);
    MPI_Group_free(&group);
    MPI_Comm_rank(both, &at);
    value = me;
    MPI_Status status;
    if (at < (high ? middle : n - middle)) {
        MPI_Sendrecv(&value, 1, MPI_INT, at, 1, &got, 1, MPI_INT, at, 1, both, &status);
        CHECK(got == (high ? at : at + middle) && status.MPI_SOURCE == at);
    }
    MPI_Barrier(both);
    value = me == 0 ? 77 : 0;
    MPI_Bcast(&value, 1, MPI_INT, high ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL, both);
    CHECK(value == (high || me == 0 ? 77 : 0));
    MPI_Comm_dup(both, &copy);
    MPI_Comm_compare(both, copy, &result);
    CHECK(result == MPI_CONGRUENT);
    MPI_Intercomm_merge(copy, !high, &all);
    MPI_Comm_rank(all, &at);
    CHECK(at == (high ? me - middle : me + n - middle));
    MPI_Allreduce(&me, &got, 1, MPI_INT, MPI_SUM, all);
    CHECK(got == n * (n - 1) / 2);
    MPI_Comm_free(&all);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    return MPI_Finalize();
}

static _Thread_local int calls, last_code; /* ranks may be threads */
static void note(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    calls++;
    last_code = *code;
}

/* Errors that return: MPI_ERRORS_RETURN, a handler of the program, classes of the program. */
static int errors(int rank, void *argument)
{
    int me, n, value = 0, class, code, length, *last;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Errhandler handler;
    MPI_Datatype type;
    (void)argument;
    (void)rank;
    begin(&me, &n);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Send(&value, 1, MPI_INT, n, 0, MPI_COMM_WORLD);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_RANK);
    MPI_Error_string(code, text, &length);
    CHECK(strstr(text, "the destination is rank") && (int)strlen(text) == length);
    CHECK(MPI_Send(&value, -1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
    CHECK(MPI_Send(&value, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
    CHECK(MPI_Send(&value, 1, MPI_INT, 0, -5, MPI_COMM_WORLD) == MPI_ERR_TAG);
    CHECK(MPI_Send(NULL, 1, MPI_INT, 0, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
    CHECK(MPI_Bcast(&value, 1, MPI_INT, n, MPI_COMM_WORLD) == MPI_ERR_ROOT);
    if (n == 1) {
        calls = 0;
        MPI_Comm_create_errhandler(note, &handler);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        MPI_Errhandler_free(&handler);
        CHECK(handler == MPI_ERRHANDLER_NULL);
        CHECK(MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD) == MPI_ERR_RANK);
        CHECK(calls == 1 && last_code == MPI_ERR_RANK);
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    }
    MPI_Add_error_class(&class);
    MPI_Add_error_code(class, &code);
    MPI_Add_error_string(code, "mine");
    MPI_Error_string(code, text, &length);
    CHECK(strcmp(text, "mine") == 0);
    MPI_Error_class(code, &value);
    CHECK(value == class && class > MPI_ERR_LASTCODE);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_LASTUSEDCODE, &last, &value);
    CHECK(value == 1 && *last == code);
    /* Errors of calls without a communicator: MPI_COMM_SELF's handler, else that of the world. */
    CHECK(MPI_Type_contiguous(-1, MPI_INT, &type) == MPI_ERR_COUNT);
    MPI_Comm_create_errhandler(note, &handler);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    MPI_Errhandler_free(&handler);
    calls = 0;
    CHECK(MPI_Type_contiguous(-1, MPI_INT, &type) == MPI_ERR_COUNT && (n > 1 || calls == 1));
    return MPI_Finalize();
}

static void test_groups(void **state)
{
    (void)state;
    run_everywhere(4, groups);
}

static void test_communicators(void **state)
{
    (void)state;
    run_everywhere(5, communicators);
    run_everywhere(5, parts);
    run_everywhere(1, communicators);
    run_everywhere(1, parts);
}

static void test_topologies(void **state)
{
    (void)state;
    run_everywhere(7, grids);
    run_everywhere(5, graphs);
    run_everywhere(2, graphs);
}

static void test_sides(void **state)
{
    (void)state;
    run_everywhere(5, sides);
    run_everywhere(2, sides);
}

static void test_errors(void **state)
{
    (void)state;
    run_everywhere(1, errors);
    run_everywhere(3, errors);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups),     cmocka_unit_test(test_communicators),
        cmocka_unit_test(test_topologies), cmocka_unit_test(test_sides),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests_name("mpi communicators", tests, NULL, NULL);
}
