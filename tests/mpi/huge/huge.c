/* Messages and collectives of more than 2 GiB, by counts of type MPI_Count and by large types. Runs
 * what its argument names, on two ranks; each prints whether its data are right. */
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BYTES (((MPI_Count)1 << 31) + 4096)
#define WORDS (BYTES / 8)

static int rank;
static uint64_t *a, *b; /* of BYTES; b has twice as many */

static void fill(uint64_t *at, int key)
{
    for (MPI_Count i = 0; i < WORDS; i++)
        at[i] = (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)key;
}

static int is_filled(const uint64_t *at, MPI_Count words, int key)
{
    for (MPI_Count i = 0; i < words; i++) {
        if (at[i] != (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)key)
            return 0;
    }
    return 1;
}

static int send(void)
{
    MPI_Status status;
    MPI_Count count;
    int small;
    if (rank == 0)
        return MPI_Send_c(a, BYTES, MPI_BYTE, 1, 1, MPI_COMM_WORLD) == MPI_SUCCESS;
    MPI_Recv_c(b, BYTES, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &status);
    MPI_Get_count_c(&status, MPI_BYTE, &count);
    MPI_Get_count(&status, MPI_BYTE, &small);
    return count == BYTES && small == MPI_UNDEFINED && is_filled(b, WORDS, 0);
}

static int isend(void)
{
    MPI_Request request;
    if (rank == 0)
        MPI_Isend_c(a, BYTES, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv_c(b, BYTES, MPI_BYTE, 0, 1, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return rank == 0 || is_filled(b, WORDS, 0);
}

/* 2048 elements of 1 MiB; then one element with gaps. */
static int types(void)
{
    MPI_Datatype type, gaps;
    MPI_Count elements = 0;
    MPI_Status status;
    int count = 2048, right = 1;
    MPI_Type_contiguous(1 << 20, MPI_BYTE, &type);
    MPI_Type_vector(1 << 15, 1 << 16, (1 << 16) + 8, MPI_BYTE, &gaps);
    MPI_Type_commit(&type);
    MPI_Type_commit(&gaps);
    if (rank == 0) {
        MPI_Send(a, 2048, type, 1, 1, MPI_COMM_WORLD);
        MPI_Send(a, 2048, type, 1, 2, MPI_COMM_WORLD);
    } else {
        MPI_Recv(b, 2048, type, 0, 1, MPI_COMM_WORLD, &status);
        MPI_Get_count(&status, type, &count);
        MPI_Get_elements_x(&status, type, &elements);
        right =
            count == 2048 && elements == (MPI_Count)1 << 31 && is_filled(b, (MPI_Count)1 << 28, 0);
        MPI_Recv(b, 1, gaps, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        for (int row = 0; row < 1 << 15; row += 1111)
            right &= memcmp(b + row * ((1L << 13) + 1), a + (row << 13), 1 << 16) == 0;
    }
    MPI_Type_free(&type);
    MPI_Type_free(&gaps);
    return right;
}

static int bcast(void)
{
    if (rank == 1)
        memset(a, 0, BYTES);
    MPI_Bcast_c(a, WORDS, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return is_filled(a, WORDS, 0);
}

static int allreduce(void)
{
    int right = 1;
    for (MPI_Count i = 0; i < WORDS; i++)
        a[i] = (uint64_t)i + (uint64_t)rank;
    MPI_Allreduce_c(a, b, WORDS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (MPI_Count i = 0; i < WORDS; i++)
        right &= b[i] == 2 * (uint64_t)i + 1;
    return right;
}

static int scan(void)
{
    int right = 1;
    MPI_Scan_c(MPI_IN_PLACE, a, WORDS, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    for (MPI_Count i = 0; i < WORDS; i++)
        right &= a[i] == (uint64_t)(rank + 1) * (uint64_t)i * UINT64_C(0x9e3779b97f4a7c15);
    return right;
}

static int allgather(void)
{
    fill(a, 10 + rank);
    MPI_Allgather_c(a, BYTES, MPI_BYTE, b, BYTES, MPI_BYTE, MPI_COMM_WORLD);
    return is_filled(b, WORDS, 10) && is_filled(b + WORDS, WORDS, 11);
}

static int alltoallv(void)
{
    const MPI_Count counts[] = {BYTES / 2, BYTES / 2}, both[] = {BYTES, BYTES};
    const MPI_Aint places[] = {0, BYTES / 2}, far[] = {0, BYTES};
    MPI_Alltoallv_c(a, counts, places, MPI_BYTE, b, counts, places, MPI_BYTE, MPI_COMM_WORLD);
    if (memcmp(b, (char *)a + rank * (BYTES / 2), BYTES / 2) != 0)
        return 0;
    MPI_Allgatherv_c(a, BYTES, MPI_BYTE, b, both, far, MPI_BYTE, MPI_COMM_WORLD);
    return is_filled(b, WORDS, 0) && is_filled(b + WORDS, WORDS, 0);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } all[] = {
        {"send", send},           {"isend", isend},         {"types", types},
        {"bcast", bcast},         {"allreduce", allreduce}, {"scan", scan},
        {"allgather", allgather}, {"alltoallv", alltoallv},
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    a = malloc(BYTES);
    b = calloc(2, BYTES);
    if (!a || !b)
        return 1;
    fill(a, 0);
    for (size_t i = 0; argc > 1 && i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(argv[1], all[i].name) == 0)
            printf("%s %s\n", argv[1], all[i].run() ? "right" : "WRONG");
    }
    free(a);
    free(b);
    MPI_Finalize();
    return 0;
}
