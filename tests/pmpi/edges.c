/* usage: edges CASE
 *
 * Calls that the preloaded object must not take, or that need special care. A line "expect NAME
 * taken N" or "expect NAME passed N REASON" says what the report of all processes must have. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, processes, wrong;

static void check(int right, const char *what)
{
    if (!right)
        fprintf(stderr, "process %d: %s\n", rank, what);
    wrong += !right;
}

static void expect(const char *name, const char *what, long each, const char *reason)
{
    if (rank == 0)
        printf("expect %s %s %ld%s%s\n", name, what, each * processes, reason ? " " : "",
               reason ? reason : "");
}

static int sum_of(MPI_Comm comm)
{
    const int one = 1;
    int sum = 0;
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm);
    return sum;
}

/* --- Calls that are passed on --- */

static void intercommunicators(void)
{
    MPI_Comm half, inter;
    const int odd = rank % 2;
    int value = rank == 0 ? 7 : 0;
    MPI_Comm_split(MPI_COMM_WORLD, odd, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, odd ? 0 : 1, 5, &inter);
    MPI_Bcast(&value, 1, MPI_INT, odd ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
    check(!odd || value == 7, "the other side's broadcast has not come");
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
    expect("MPI_Bcast", "passed", 1, "intercommunicator");
}

static int class_of(int code)
{
    int class;
    MPI_Error_class(code, &class);
    return class;
}

/* The MPI reports wrong arguments as it does without the preloaded object. */
static void wrong_arguments(void)
{
    int a[64] = {0}, b[64] = {0};
    MPI_Datatype two, loose;
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Type_vector(2, 1, 2, MPI_INT, &loose); /* not committed */
    check(class_of(MPI_Bcast(a, -1, MPI_INT, 0, comm)) == MPI_ERR_COUNT, "a negative count");
    check(class_of(MPI_Bcast(a, 1, MPI_INT, processes, comm)) == MPI_ERR_ROOT, "no such root");
    check(class_of(MPI_Bcast(a, 1, MPI_DATATYPE_NULL, 0, comm)) == MPI_ERR_TYPE, "no type");
    check(class_of(MPI_Allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, comm)) == MPI_ERR_OP,
          "no operator");
    check(class_of(MPI_Allreduce(a, b, 1, two, MPI_SUM, comm)) == MPI_ERR_OP, "a sum of pairs");
    check(class_of(MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_BAND, comm)) == MPI_ERR_OP,
          "bits of floating-point numbers");
    /* Open MPI reports it; MPICH does not, as long as there is nothing to combine. */
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    (void)MPI_Allreduce(a, b, 1, MPI_DOUBLE, MPI_LAND, MPI_COMM_SELF);
    check(class_of(MPI_Bcast(a, 1, loose, 0, comm)) == MPI_ERR_TYPE, "a type without a commit");
    int none[64] = {0};
    check(class_of(MPI_Alltoallv(a, none, none, loose, b, none, none, MPI_INT, comm)) ==
              MPI_ERR_TYPE,
          "blocks of a type without a commit");
    check(sum_of(comm) == processes, "the communicator works on");
    MPI_Type_free(&loose);
    MPI_Type_free(&two);
    MPI_Comm_free(&comm);
    expect("MPI_Alltoallv", "passed", 1, "wrong argument");
    expect("MPI_Bcast", "passed", 4, "wrong argument");
    expect("MPI_Allreduce", "passed", 1, "wrong argument");
    expect("MPI_Allreduce", "passed", 3, "operator that the MPI does not apply");
    expect("MPI_Allreduce", "taken", 1, NULL);
}

static void unstarted(void)
{
    check(sum_of(MPI_COMM_WORLD) == processes, "a sum without kport");
    expect("MPI_Allreduce", "passed", 1, "kport could not start");
}

/* --- Calls that are taken --- */

/* kport tells all members that their calls differ, and the MPI's error handler learns it. */
static void differing(void)
{
    char data[16] = {0}, sentence[MPI_MAX_ERROR_STRING];
    int length;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int code = MPI_Allgather(data, 1 + rank % 2, MPI_BYTE, malloc(1000), 1 + rank % 2,
                                   MPI_BYTE, MPI_COMM_WORLD);
    check(code != MPI_SUCCESS, "calls that differ");
    MPI_Error_string(code, sentence, &length);
    check(strstr(sentence, "concat") != NULL, sentence);
    expect("MPI_Allgather", "taken", 1, NULL);
}

/* Communicators with the same members share a group of kport. Processes free them in different
 * orders. */
static void communicators(void)
{
    enum {
        DUPLICATES = 20,
        ROUNDS = 40
    };
    MPI_Comm comms[DUPLICATES], comm;
    for (int i = 0; i < DUPLICATES; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < DUPLICATES; i++)
        check(sum_of(comms[i]) == processes, "a duplicate");
    for (int i = 0; i < DUPLICATES; i++)
        MPI_Comm_free(&comms[rank % 2 ? i : DUPLICATES - 1 - i]);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Comm_split(MPI_COMM_WORLD, 0, i % 2 ? rank : -rank, &comm);
        check(sum_of(comm) == processes, "a split");
        MPI_Comm_free(&comm);
    }
    check(sum_of(MPI_COMM_SELF) == 1, "a single process");
    expect("MPI_Allreduce", "taken", DUPLICATES + ROUNDS + 1, NULL);
}

/* Programs give other addresses than kport takes. */
static void addresses(void)
{
    char memory[64];
    int in = rank + 1, out = 0, absolute = rank, place = 0;
    MPI_Datatype type;
    memcpy(memory + 1, &in, sizeof in);
    MPI_Allreduce(memory + 1, memory + 33, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    memcpy(&out, memory + 33, sizeof out);
    check(out == processes * (processes + 1) / 2, "operands at odd addresses");
    MPI_Aint address;
    MPI_Request request;
    int own = -1;
    MPI_Irecv(&own, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &request);
    MPI_Get_address(&absolute, &address);
    MPI_Type_create_hindexed(1, (int[]){1}, &address, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Bcast(MPI_BOTTOM, 1, type, processes - 1, MPI_COMM_WORLD);
    check(absolute == processes - 1, "an absolute address");
    MPI_Type_free(&type);
    MPI_Send(&in, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    check(own == in, "the program's message to itself");
    MPI_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(&in, rank == 0, MPI_INT, &out, (int[64]){1}, (int[64]){0}, MPI_INT,
                   MPI_COMM_WORLD);
    check(out == 1, "a single block of many");
#ifdef OPEN_MPI /* MPICH reports it as an error; programs for Open MPI do it */
    int all[64] = {0}, next;
    all[rank] = in;
    MPI_Allgather(&all[rank], 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(&all[rank], &all[rank], 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    next = all[(rank + 1) % processes];
    check(all[rank] == processes * (processes + 1) / 2, "a sum in the operand's place");
    check(processes == 1 || next == (rank + 1) % processes + 1, "a block at its place");
#endif
    MPI_Reduce(&in, rank == 0 ? &place : NULL, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
    check(rank != 0 || place == processes, "a result at the root alone");
#ifdef OPEN_MPI
    expect("MPI_Allgather", "taken", 1, NULL);
    expect("MPI_Allreduce", "taken", 2, NULL);
#else
    expect("MPI_Allreduce", "taken", 1, NULL);
#endif
    expect("MPI_Bcast", "taken", 2, NULL);
    expect("MPI_Allgatherv", "taken", 1, NULL);
    expect("MPI_Reduce", "taken", 1, NULL);
}

/* MPI forbids that the outgoing block lies in the incoming buffer. The MPIs carry such calls out
 * all the same, if the two do not begin at one address. */
static void aliases(void)
{
    const int n = processes, next = (rank + 1) % n;
    int ones[16], places[16], all[17] = {0}, zeros[16] = {0};
    for (int i = 0; i < 16; i++)
        ones[i] = 1, places[i] = i;
    all[rank + 1] = rank + 5;
    MPI_Allgatherv(&all[rank + 1], 1, MPI_INT, all, ones, (int[16]){1, 2, 3, 4, 5, 6, 7, 8, 9},
                   MPI_INT, MPI_COMM_WORLD);
    check(all[next + 1] == next + 5, "a block of MPI_Allgatherv in its place");
    for (int i = 0; i < 17; i++)
        all[i] = 100 * rank + i;
    MPI_Alltoallv(all + 1, ones, places, MPI_INT, all, ones, places, MPI_INT, MPI_COMM_WORLD);
    check(all[next] == 100 * next + rank + 1, "overlapping buffers of MPI_Alltoallv");
    for (int i = 0; i < 17; i++)
        all[i] = 10 * i;
    MPI_Scatterv(all, ones, places, MPI_INT, all + (rank ? 0 : 1), 1, MPI_INT, 0, MPI_COMM_WORLD);
    check(all[rank ? 0 : 1] == 10 * rank, "a block of MPI_Scatterv in the root's buffer");
    all[0] = 7 + rank;
    MPI_Alltoallv(all, ones, zeros, MPI_INT, all + 1, ones, places, MPI_INT, MPI_COMM_WORLD);
    check(all[1 + next] == 7 + next, "one block for all");
    expect("all", "taken", 4, NULL);
}

/* The root alone passes one buffer as two. The MPI reports it, and the next calls work. */
static void wrong_at_root(void)
{
    int all[16] = {0}, own[16] = {0};
    void *send = rank == 0 ? all : own;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    int code = MPI_Reduce(send, all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    check((code != MPI_SUCCESS) == (rank == 0), "one buffer of MPI_Reduce");
    check(sum_of(MPI_COMM_WORLD) == processes, "a sum after MPI_Reduce");
#ifndef OPEN_MPI /* which reports nothing else */
    const int ones[] = {1, 1, 1, 1, 1, 1, 1, 1}, places[] = {0, 1, 2, 3, 4, 5, 6, 7};
    code = MPI_Gather(send, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    check((code != MPI_SUCCESS) == (rank == 0), "one buffer of MPI_Gather");
    code = MPI_Gatherv(send, 1, MPI_INT, all, ones, places, MPI_INT, 0, MPI_COMM_WORLD);
    check((code != MPI_SUCCESS) == (rank == 0), "one buffer of MPI_Gatherv");
    code = MPI_Scatter(all, 1, MPI_INT, send, 1, MPI_INT, 0, MPI_COMM_WORLD);
    check((code != MPI_SUCCESS) == (rank == 0), "one buffer of MPI_Scatter");
    code = MPI_Scatterv(all, ones, places, MPI_INT, send, 1, MPI_INT, 0, MPI_COMM_WORLD);
    check((code != MPI_SUCCESS) == (rank == 0), "one buffer of MPI_Scatterv");
    check(sum_of(MPI_COMM_WORLD) == processes, "a sum after the others");
#endif
    expect("MPI_Reduce", "taken", 1, NULL);
}

/* The MPI's functions for an attribute of MPI_COMM_SELF may make calls within MPI_Finalize. */
static int at_end(MPI_Comm comm, int keyval, void *value, void *extra)
{
    (void)comm, (void)keyval, (void)value, (void)extra;
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    return sum_of(MPI_COMM_WORLD) == processes ? MPI_SUCCESS : MPI_ERR_OTHER;
}

static void end(void)
{
    int keyval;
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_end, &keyval, NULL);
    MPI_Comm_set_attr(MPI_COMM_SELF, keyval, NULL);
    check(sum_of(MPI_COMM_WORLD) == processes, "a sum before the end");
    expect("MPI_Allreduce", "taken", 1, NULL);
}

/* --- Long blocks --- */

/* More bytes than an int counts: where they are, packed, and packed as a single element. */
static void large(void)
{
    const size_t doubles = ((size_t)1 << 28) + 3;
    double *data = malloc(sizeof *data * doubles);
    MPI_Datatype type;
    if (!data) {
        check(0, "there is no memory");
        return;
    }
    for (int packed = 0; packed < 3; packed++) {
        const int each = packed == 2 ? (int)doubles : 1;
        for (size_t i = 0; i < doubles; i++)
            data[i] = rank == packed % 2 ? (double)i : -1;
        MPI_Type_contiguous(each, MPI_DOUBLE, &type);
        MPI_Type_commit(&type);
        MPI_Bcast(data, (int)doubles / each, packed ? type : MPI_DOUBLE, packed % 2,
                  MPI_COMM_WORLD);
        MPI_Type_free(&type);
        size_t right = 0;
        for (size_t i = 0; i < doubles; i++)
            right += data[i] == (double)i;
        check(right == doubles, packed ? "a long packed broadcast" : "a long broadcast");
    }
    free(data);
    expect("MPI_Bcast", "taken", 3, NULL);
}

#if MPI_VERSION >= 4
/* The calls with large counts. */
static void wide(void)
{
    MPI_Count ones[16];
    MPI_Aint places[16], bytes[16];
    MPI_Datatype ints[16];
    int mine[16], all[16] = {0}, sum = 0;
    const int n = processes, each = n * (n + 1) / 2;
    for (int i = 0; i < 16; i++) {
        ones[i] = 1, places[i] = i, bytes[i] = (MPI_Aint)sizeof(int) * i;
        ints[i] = MPI_INT, mine[i] = rank + 1;
    }
    const MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Allgather_c(mine, 1, MPI_INT, all, 1, MPI_INT, comm);
    check(all[n - 1] == n, "MPI_Allgather_c");
    MPI_Allgatherv_c(mine, 1, MPI_INT, all + 1, ones, places, MPI_INT, comm);
    check(all[n] == n && all[1] == 1, "MPI_Allgatherv_c");
    MPI_Alltoall_c(mine, 1, MPI_INT, all, 1, MPI_INT, comm);
    check(all[n - 1] == n, "MPI_Alltoall_c");
    MPI_Alltoallv_c(mine, ones, places, MPI_INT, all + 1, ones, places, MPI_INT, comm);
    check(all[n] == n && all[1] == 1, "MPI_Alltoallv_c");
    MPI_Alltoallw_c(mine, ones, bytes, ints, all, ones, bytes, ints, comm);
    check(all[n - 1] == n, "MPI_Alltoallw_c");
    MPI_Gather_c(mine, 1, MPI_INT, all + 1, 1, MPI_INT, 0, comm);
    check(rank || (all[n] == n && all[1] == 1), "MPI_Gather_c");
    MPI_Gatherv_c(mine, 1, MPI_INT, all, ones, places, MPI_INT, 0, comm);
    check(rank || all[n - 1] == n, "MPI_Gatherv_c");
    all[0] = rank, all[1] = -1;
    MPI_Bcast_c(all, 1, MPI_INT, n - 1, comm);
    check(all[0] == n - 1 && all[1] == -1, "MPI_Bcast_c");
    for (int i = 0; i < 16; i++)
        all[i] = 10 * i;
    MPI_Scatter_c(all, 1, MPI_INT, &sum, 1, MPI_INT, 0, comm);
    check(sum == 10 * rank, "MPI_Scatter_c");
    MPI_Scatterv_c(all + 1, ones, places, MPI_INT, &sum, 1, MPI_INT, 0, comm);
    check(sum == 10 * rank + 10, "MPI_Scatterv_c");
    MPI_Allreduce_c(mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    check(sum == each, "MPI_Allreduce_c");
    MPI_Exscan_c(mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    check(sum == (rank ? rank * (rank + 1) / 2 : each), "MPI_Exscan_c");
    MPI_Scan_c(mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    check(sum == (rank + 1) * (rank + 2) / 2, "MPI_Scan_c");
    MPI_Reduce_c(mine, all, 1, MPI_INT, MPI_SUM, n - 1, comm);
    check(rank < n - 1 || all[0] == each, "MPI_Reduce_c");
    sum = 0;
    MPI_Reduce_scatter_c(mine, &sum, ones, MPI_INT, MPI_SUM, comm);
    check(sum == each, "MPI_Reduce_scatter_c");
    sum = 0;
    MPI_Reduce_scatter_block_c(mine, &sum, 1, MPI_INT, MPI_SUM, comm);
    check(sum == each, "MPI_Reduce_scatter_block_c");
    expect("all", "taken", 16, NULL);
    expect("all", "passed", 0, NULL);
}
#else
static void wide(void)
{
    expect("all", "taken", 0, NULL);
}
#endif

/* --- Times --- */

/* The first calls of a class are made in turns, all others one way. The processes agree, whatever
 * their own times. */
static void faster(void)
{
    enum {
        TRIED = 8,
        CALLS = 40
    };
    char all[1 << 12];
    for (int i = 0; i < CALLS; i++) {
        int root = rank;
        check(sum_of(MPI_COMM_WORLD) == processes, "a sum");
        MPI_Bcast(&root, 1, MPI_INT, i % processes, MPI_COMM_WORLD);
        check(root == i % processes, "a broadcast");
        MPI_Alltoall(MPI_IN_PLACE, 64, MPI_BYTE, all, 64, MPI_BYTE, MPI_COMM_WORLD);
    }
    expect("MPI_Allreduce", "passed", TRIED, "tried, to compare times");
    expect("MPI_Bcast", "passed", TRIED, "tried, to compare times");
    expect("MPI_Alltoall", "passed", TRIED, "tried, to compare times");
}

/* --- Threads --- */

static void threads(void)
{
    int level;
    MPI_Query_thread(&level);
    check(sum_of(MPI_COMM_WORLD) == processes, "a sum");
    if (level > MPI_THREAD_FUNNELED)
        expect("MPI_Allreduce", "passed", 1, "MPI_THREAD_SERIALIZED or MPI_THREAD_MULTIPLE");
    else
        expect("MPI_Allreduce", "taken", 1, NULL);
}

static void one_thread(void)
{
    check(sum_of(MPI_COMM_WORLD) == processes, "a sum");
    expect("MPI_Allreduce", "taken", 1, NULL);
}

static void *other(void *unused)
{
    (void)sum_of(MPI_COMM_WORLD);
    return unused;
}

static void another_thread(void)
{
    pthread_t thread;
    check(pthread_create(&thread, NULL, other, NULL) == 0, "a thread");
    pthread_join(thread, NULL);
}

static const struct {
    const char *name;
    void (*run)(void);
    int level;
} cases[] = {
    {"intercommunicators", intercommunicators, MPI_THREAD_SINGLE},
    {"wrong-arguments", wrong_arguments, MPI_THREAD_SINGLE},
    {"unstarted", unstarted, MPI_THREAD_SINGLE},
    {"differing", differing, MPI_THREAD_SINGLE},
    {"communicators", communicators, MPI_THREAD_SINGLE},
    {"addresses", addresses, MPI_THREAD_SINGLE},
    {"aliases", aliases, MPI_THREAD_SINGLE},
    {"wrong-at-root", wrong_at_root, MPI_THREAD_SINGLE},
    {"end", end, MPI_THREAD_SINGLE},
    {"wide", wide, MPI_THREAD_SINGLE},
    {"faster", faster, MPI_THREAD_SINGLE},
    {"large", large, MPI_THREAD_SINGLE},
    {"funneled", threads, MPI_THREAD_FUNNELED},
    {"multiple", threads, MPI_THREAD_MULTIPLE},
    {"one-thread", one_thread, MPI_THREAD_MULTIPLE},
    {"another-thread", another_thread, MPI_THREAD_MULTIPLE},
};

int main(int argc, char **argv)
{
    int level, any = 0;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        if (argc < 2 || strcmp(argv[1], cases[i].name) != 0)
            continue;
        if (cases[i].level == MPI_THREAD_SINGLE)
            MPI_Init(&argc, &argv);
        else
            MPI_Init_thread(&argc, &argv, cases[i].level, &level);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        MPI_Comm_size(MPI_COMM_WORLD, &processes);
        cases[i].run();
        PMPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        MPI_Finalize();
        return any > 0;
    }
    fprintf(stderr, "usage: edges CASE\n");
    return 2;
}
