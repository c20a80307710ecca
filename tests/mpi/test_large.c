/* Functions with counts of type MPI_Count: each kind of them, beside what it must bring. */
#include "run.h"

#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>

#define BEGIN                                                                                      \
    int n, me;                                                                                     \
    (void)argument;                                                                                \
    MPI_Init(NULL, NULL);                                                                          \
    MPI_Comm_size(MPI_COMM_WORLD, &n);                                                             \
    MPI_Comm_rank(MPI_COMM_WORLD, &me);                                                            \
    CHECK(me == rank)
#define END                                                                                        \
    MPI_Finalize();                                                                                \
    return 0

/* --- Messages --- */

static int messages(int rank, void *argument)
{
    BEGIN;
    const int to = (me + 1) % n, from = (me + n - 1) % n;
    int mine[3] = {me, me + 1, me + 2}, got[3] = {0}, swapped[1] = {me};
    MPI_Count count = 0;
    MPI_Status status;
    MPI_Request requests[2];
    MPI_Message message;
    MPI_Irecv_c(got, 3, MPI_INT, from, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend_c(mine, 3, MPI_INT, to, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], &status);
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
    MPI_Get_count_c(&status, MPI_INT, &count);
    CHECK(count == 3 && got[2] == from + 2);
    MPI_Get_elements_c(&status, MPI_INT, &count);
    CHECK(count == 3);
    MPI_Sendrecv_c(mine, 2, MPI_INT, to, 2, got, 2, MPI_INT, from, 2, MPI_COMM_WORLD, &status);
    CHECK(got[1] == from + 1);
    MPI_Sendrecv_replace_c(swapped, 1, MPI_INT, to, 3, from, 3, MPI_COMM_WORLD, &status);
    CHECK(swapped[0] == from);
    MPI_Isend_c(mine, 1, MPI_INT, to, 4, MPI_COMM_WORLD, &requests[0]);
    MPI_Mprobe(from, 4, MPI_COMM_WORLD, &message, &status);
    MPI_Mrecv_c(got, 1, MPI_INT, &message, &status);
    CHECK(got[0] == from);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    MPI_Send_init_c(mine, 3, MPI_INT, to, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init_c(got, 3, MPI_INT, from, 5, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; i++) {
        got[2] = -1;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(got[2] == from + 2);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    void *attached = malloc(1000), *back = NULL;
    MPI_Buffer_attach_c(attached, 1000);
    MPI_Bsend_c(mine, 3, MPI_INT, to, 6, MPI_COMM_WORLD);
    MPI_Recv_c(got, 3, MPI_INT, from, 6, MPI_COMM_WORLD, &status);
    MPI_Buffer_detach_c(&back, &count);
    CHECK(back == attached && count == 1000);
    free(attached);
    END;
}

/* What is asked for is longer than any memory. */
static int refused(int rank, void *argument)
{
    BEGIN;
    int value = 0;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    CHECK(MPI_Send_c(&value, INT64_MAX, MPI_INT, me, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
    CHECK(MPI_Send_c(&value, -1, MPI_INT, me, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
    CHECK(MPI_Bcast_c(&value, INT64_MAX / 2, MPI_INT, 0, MPI_COMM_WORLD) == MPI_ERR_COUNT);
    const MPI_Count counts[1] = {-1};
    const MPI_Aint places[1] = {0};
    CHECK(MPI_Allgatherv_c(&value, 1, MPI_INT, &value, counts, places, MPI_INT, MPI_COMM_SELF) ==
          MPI_ERR_COUNT);
    END;
}

/* --- Collectives --- */

/* Rank i has i + 1 items for everybody; whoever receives them leaves a gap after each block. */
static int lengths(int rank, void *argument)
{
    BEGIN;
    MPI_Count *counts = calloc((size_t)n, sizeof *counts), *mine = calloc((size_t)n, sizeof *mine);
    MPI_Aint *places = calloc((size_t)n, sizeof *places), *none = calloc((size_t)n, sizeof *none);
    const MPI_Aint all = (MPI_Aint)n * (n + 3) / 2;
    int *got = calloc((size_t)all, sizeof *got), *out = calloc((size_t)n + 1, sizeof *out);
    MPI_Aint at = 0;
    MPI_Request request;
    for (int i = 0; i < n; at += i++ + 2) {
        counts[i] = i + 1;
        places[i] = at;
        mine[i] = me + 1;
        out[i] = 100 * me;
    }
#define ALL_HERE                                                                                   \
    for (int r = 0; r < n; r++)                                                                    \
        CHECK(got[places[r]] == 100 * r && got[places[r] + r] == 100 * r);                         \
    memset(got, -1, (size_t)all * sizeof *got)
    MPI_Allgatherv_c(out, me + 1, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    ALL_HERE;
    MPI_Alltoallv_c(out, mine, none, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD);
    ALL_HERE;
    MPI_Ialltoallv_c(out, mine, none, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD,
                     &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    ALL_HERE;
    MPI_Allgatherv_init_c(out, me + 1, MPI_INT, got, counts, places, MPI_INT, MPI_COMM_WORLD,
                          MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        ALL_HERE;
    }
    MPI_Request_free(&request);
    MPI_Gatherv_c(out, me + 1, MPI_INT, got, counts, places, MPI_INT, n - 1, MPI_COMM_WORLD);
    if (me == n - 1) {
        ALL_HERE;
        for (int i = 0; i < all; i++)
            got[i] = i;
    }
    MPI_Scatterv_c(got, counts, places, MPI_INT, out, me + 1, MPI_INT, n - 1, MPI_COMM_WORLD);
    CHECK(out[0] == places[me] && out[me] == places[me] + me);
    free(counts), free(mine), free(places), free(none), free(got), free(out);
    END;
}

static int types_of_each(int rank, void *argument)
{
    BEGIN;
    MPI_Count counts[2] = {1, 1};
    const MPI_Aint places[2] = {0, 8};
    const MPI_Datatype types[2] = {MPI_INT, MPI_INT};
    int out[4] = {10 * me, 0, 10 * me + 1}, in[4] = {0};
    MPI_Alltoallw_c(out, counts, places, types, in, counts, places, types, MPI_COMM_WORLD);
    CHECK(in[0] == me && in[2] == 10 + me);
    END;
}

static void add_large(void *in, void *inout, MPI_Count *count, MPI_Datatype *type)
{
    (void)type;
    for (MPI_Count i = 0; i < *count; i++)
        ((int *)inout)[i] += ((const int *)in)[i];
}

static int reductions(int rank, void *argument)
{
    BEGIN;
    MPI_Op add;
    int out[3] = {me, 1, 2}, in[3] = {0}, part = 0;
    MPI_Count *counts = calloc((size_t)n, sizeof *counts);
    counts[n - 1] = 1;
    counts[0] += 2;
    MPI_Op_create_c(add_large, 1, &add);
    MPI_Allreduce_c(out, in, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(in[0] == n * (n - 1) / 2 && in[2] == 2 * n);
    MPI_Allreduce_c(out, in, 3, MPI_INT, add, MPI_COMM_WORLD);
    CHECK(in[0] == n * (n - 1) / 2 && in[2] == 2 * n);
    MPI_Reduce_local_c(out, in, 3, MPI_INT, add);
    CHECK(in[2] == 2 * n + 2);
    MPI_Scan_c(out + 1, in, 1, MPI_INT, add, MPI_COMM_WORLD);
    CHECK(in[0] == me + 1);
    MPI_Reduce_scatter_c(out, in, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    CHECK(me != n - 1 || in[n == 1 ? 2 : 0] == 2 * n);
    MPI_Reduce_c(out + 1, &part, 1, MPI_INT, add, 0, MPI_COMM_WORLD);
    CHECK(me != 0 || part == n);
    MPI_Op_free(&add);
    free(counts);
    END;
}

static int neighbours(int rank, void *argument)
{
    BEGIN;
    MPI_Comm ring;
    const int periods[1] = {1};
    MPI_Cart_create(MPI_COMM_WORLD, 1, &n, periods, 0, &ring);
    int in[2] = {0}, out[2] = {me, me};
    const MPI_Count counts[2] = {1, 1};
    const MPI_Aint places[2] = {1, 0};
    MPI_Neighbor_allgather_c(out, 1, MPI_INT, in, 1, MPI_INT, ring);
    CHECK(in[0] == (me + n - 1) % n && in[1] == (me + 1) % n);
    MPI_Neighbor_alltoallv_c(out, counts, places, MPI_INT, in, counts, places, MPI_INT, ring);
    CHECK(in[1] == (me + n - 1) % n && in[0] == (me + 1) % n);
    MPI_Comm_free(&ring);
    END;
}

/* Two sides, of which one has one rank. */
static int sides(int rank, void *argument)
{
    BEGIN;
    MPI_Comm half, both;
    const MPI_Count counts[2] = {2, 1};
    const MPI_Aint places[2] = {1, 0};
    int out[2] = {me, 10 + me}, in[3] = {-1, -1, -1};
    MPI_Comm_split(MPI_COMM_WORLD, me == 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me == 2 ? 0 : 2, 0, &both);
    if (me == 2) {
        MPI_Allgatherv_c(out, 1, MPI_INT, in, counts, places, MPI_INT, both);
        CHECK(in[0] == 1 && in[1] == 0 && in[2] == 10);
    } else {
        const MPI_Count one[1] = {1};
        MPI_Allgatherv_c(out, me == 0 ? 2 : 1, MPI_INT, in, one, places, MPI_INT, both);
        CHECK(in[1] == 2);
    }
    MPI_Comm_free(&half);
    MPI_Comm_free(&both);
    END;
}

/* A displacement that no int holds. Only the pages that are written take memory. */
static int far(int rank, void *argument)
{
    BEGIN;
    const size_t bytes = (size_t)5 << 30;
    const MPI_Count counts[2] = {1, 1};
    const MPI_Aint places[2] = {0, (MPI_Aint)1 << 32};
    char *memory = MAP_FAILED, mine = (char)('a' + me);
    if (me == 0)
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    MPI_Gatherv_c(&mine, 1, MPI_CHAR, memory, counts, places, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (me == 0) {
        CHECK(memory[0] == 'a' && memory[places[1]] == 'b');
        munmap(memory, bytes);
    }
    END;
}

/* --- Datatypes --- */

static int datatypes(int rank, void *argument)
{
    BEGIN;
    const MPI_Count lengths[2] = {2, 1}, places[2] = {0, 4}, bytes[2] = {16, 0};
    const MPI_Datatype fields[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype type, inner[1];
    MPI_Count integers, addresses, counts, types, size, lower, extent, large[5];
    int combiner;
    MPI_Type_vector_c(3, 2, 4, MPI_INT, &type);
    MPI_Type_size_c(type, &size);
    MPI_Type_get_extent_c(type, &lower, &extent);
    CHECK(size == 24 && lower == 0 && extent == 40);
    MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
    CHECK(integers == 0 && addresses == 0 && counts == 3 && types == 1);
    CHECK(combiner == MPI_COMBINER_VECTOR);
    MPI_Type_get_contents_c(type, 0, 0, 5, 1, NULL, NULL, large, inner);
    CHECK(large[0] == 3 && large[1] == 2 && large[2] == 4 && inner[0] == MPI_INT);
    MPI_Type_free(&type);
    MPI_Type_create_struct_c(2, lengths, bytes, fields, &type);
    MPI_Type_get_envelope_c(type, &integers, &addresses, &counts, &types, &combiner);
    CHECK(integers == 0 && addresses == 0 && counts == 5 && types == 2);
    MPI_Type_get_true_extent_c(type, &lower, &extent);
    CHECK(lower == 0 && extent == 24);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    int small[5];
    MPI_Aint address[2];
    CHECK(MPI_Type_get_contents(type, 5, 2, 1, small, address, inner) != MPI_SUCCESS);
    MPI_Type_free(&type);
    MPI_Type_indexed_c(2, lengths, places, MPI_INT, &type);
    MPI_Type_commit(&type);
    int values[5] = {1, 2, 3, 4, 5}, packed[3] = {0}, back[5] = {0};
    MPI_Count position = 0;
    MPI_Pack_size_c(1, type, MPI_COMM_WORLD, &size);
    CHECK(size == 12);
    MPI_Pack_c(values, 1, type, packed, 12, &position, MPI_COMM_WORLD);
    CHECK(position == 12 && packed[1] == 2 && packed[2] == 5);
    position = 0;
    MPI_Unpack_c(packed, 12, &position, back, 1, type, MPI_COMM_WORLD);
    CHECK(position == 12 && back[1] == 2 && back[2] == 0 && back[4] == 5);
    MPI_Type_free(&type);
    /* longer than an int says */
    MPI_Type_contiguous_c((MPI_Count)3 << 30, MPI_CHAR, &type);
    MPI_Type_size_c(type, &size);
    CHECK(size == (MPI_Count)3 << 30);
    MPI_Type_size(type, small);
    CHECK(small[0] == MPI_UNDEFINED);
    MPI_Type_free(&type);
    END;
}

/* --- Types by precision and range --- */

static int fortran(int rank, void *argument)
{
    BEGIN;
    MPI_Datatype number, again, real, complex, dummy;
    int size, integers, addresses, types, combiner, arguments[2];
    MPI_Type_create_f90_integer(9, &number);
    MPI_Type_create_f90_integer(9, &again);
    MPI_Type_size(number, &size);
    CHECK(number == again && size == 4);
    MPI_Type_get_envelope(number, &integers, &addresses, &types, &combiner);
    CHECK(integers == 1 && addresses == 0 && types == 0 && combiner == MPI_COMBINER_F90_INTEGER);
    MPI_Type_get_contents(number, 1, 0, 0, arguments, NULL, NULL);
    CHECK(arguments[0] == 9);
    MPI_Type_create_f90_real(10, MPI_UNDEFINED, &real);
    MPI_Type_size(real, &size);
    CHECK(size == 8);
    MPI_Type_create_f90_complex(6, 30, &complex);
    MPI_Type_size(complex, &size);
    CHECK(size == 8);
    double mine = me, sum = 0;
    MPI_Allreduce(&mine, &sum, 1, real, MPI_SUM, MPI_COMM_WORLD);
    CHECK(sum == n * (n - 1) / 2.);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    dummy = real;
    CHECK(MPI_Type_free(&dummy) == MPI_ERR_TYPE);
    CHECK(MPI_Type_create_f90_real(16, MPI_UNDEFINED, &dummy) == MPI_ERR_ARG);
    CHECK(MPI_Type_create_f90_integer(19, &dummy) == MPI_ERR_ARG);
    MPI_Status status = {.MPI_SOURCE = 3, .MPI_TAG = 4}, back;
    MPI_Fint numbers[MPI_F_STATUS_SIZE];
    MPI_Status_c2f(&status, numbers);
    MPI_Status_f2c(numbers, &back);
    CHECK(numbers[MPI_F_SOURCE] == 3 && numbers[MPI_F_TAG] == 4 && back.MPI_TAG == 4);
    END;
}

#define TEST(name, ranks)                                                                          \
    static void test_##name(void **state)                                                          \
    {                                                                                              \
        (void)state;                                                                               \
        run_everywhere(ranks, name);                                                               \
    }
TEST(messages, 3)
TEST(refused, 1)
TEST(lengths, 4)
TEST(types_of_each, 2)
TEST(reductions, 4)
TEST(neighbours, 4)
TEST(sides, 3)
TEST(datatypes, 1)
TEST(fortran, 3)

static void test_far(void **state)
{
    (void)state;
    if (sizeof(size_t) < 8)
        skip();
    run_everywhere(2, far);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),   cmocka_unit_test(test_refused),
        cmocka_unit_test(test_lengths),    cmocka_unit_test(test_types_of_each),
        cmocka_unit_test(test_reductions), cmocka_unit_test(test_neighbours),
        cmocka_unit_test(test_sides),      cmocka_unit_test(test_far),
        cmocka_unit_test(test_datatypes),  cmocka_unit_test(test_fortran)};
    return cmocka_run_group_tests_name("mpi large counts", tests, NULL, NULL);
}
