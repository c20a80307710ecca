/* Messages: all modes, requests, probes, persistent ones, cancelling. */
#include "run.h"

#include <stdlib.h>

static int begin(int *me, int *size)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, me);
    return MPI_Comm_size(MPI_COMM_WORLD, size);
}

/* Each mode of send, long and short, with and without a request. */
static int modes(int rank, void *argument)
{
    static const int counts[] = {0, 1, 10, 100000};
    static char buffer_of[16][2 * (400000 + MPI_BSEND_OVERHEAD)];
    int me, size, *data = malloc(400000), *got = malloc(400000), bytes;
    void *buffer;
    (void)argument;
    begin(&me, &size);
    CHECK(me == rank && size <= 16);
    MPI_Buffer_attach(buffer_of[me], sizeof buffer_of[me]);
    for (int i = 0; i < 100000; i++)
        data[i] = me * 1000 + i;
    for (int mode = 0; mode < 8; mode++) {
        for (int c = 0; c < 4; c++) {
            const int to = (me + 1) % size, from = (me + size - 1) % size, count = counts[c];
            MPI_Request requests[2];
            MPI_Status statuses[2];
            int found;
            memset(got, 0, 400000);
            MPI_Irecv(got, count, MPI_INT, from, mode, MPI_COMM_WORLD, &requests[0]);
            MPI_Barrier(MPI_COMM_WORLD); /* so that a ready send is right */
            requests[1] = MPI_REQUEST_NULL;
            switch (mode) {
            case 0:
                MPI_Send(data, count, MPI_INT, to, mode, MPI_COMM_WORLD);
                break;
            case 1:
                MPI_Bsend(data, count, MPI_INT, to, mode, MPI_COMM_WORLD);
                break;
            case 2:
                MPI_Issend(data, count, MPI_INT, to, mode, MPI_COMM_WORLD, &requests[1]);
                break;
            case 3:
                MPI_Rsend(data, count, MPI_INT, to, mode, MPI_COMM_WORLD);
                break;
            case 4:
                MPI_Isend(data, count, MPI_INT, to, mode, MPI_COMM_WORLD, &requests[1]);
                break;
            case 5:
                MPI_Ibsend(data, count, MPI_INT, to, mode, MPI_COMM_WORLD, &requests[1]);
                break;
            case 6:
                MPI_Irsend(data, count, MPI_INT, to, mode, MPI_COMM_WORLD, &requests[1]);
                break;
            default:
                MPI_Ssend(data, count, MPI_INT, to, mode, MPI_COMM_WORLD);
            }
            CHECK(MPI_Waitall(2, requests, statuses) == MPI_SUCCESS);
            CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
            CHECK(statuses[0].MPI_SOURCE == from && statuses[0].MPI_TAG == mode);
            MPI_Get_count(&statuses[0], MPI_INT, &found);
            CHECK(found == count);
            for (int i = 0; i < count; i++)
                CHECK(got[i] == from * 1000 + i);
        }
    }
    MPI_Buffer_detach(&buffer, &bytes);
    CHECK(buffer == buffer_of[me] && bytes == sizeof buffer_of[me]);
    free(data);
    free(got);
    return MPI_Finalize();
}

/* Rank 0 starts more sends than can be under way, and cancels some that wait: the first one, others
 * in between, the last one. The rest arrive in their order. Then it waits for them from the last to
 * the first. */
static int many_sends(int rank, void *argument)
{
    enum {
        MANY = 200
    };
    MPI_Request requests[MANY];
    int me, size, values[MANY], cancelled[MANY] = {0}, left = 0, value, flag;
    MPI_Status status;
    (void)argument;
    (void)rank;
    begin(&me, &size);
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; me == 0 && i < MANY; i++) {
            values[i] = 1000 * turn + i;
            MPI_Isend(&values[i], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &requests[i]);
        }
        for (int i = MANY - 1; me == 0 && i >= 0; i--) {
            MPI_Test(&requests[i], &flag, MPI_STATUS_IGNORE);
            if (flag || (i % 7 != turn && i != MANY - 1))
                continue;
            MPI_Cancel(&requests[i]);
            MPI_Wait(&requests[i], &status);
            MPI_Test_cancelled(&status, &cancelled[i]);
        }
        MPI_Bcast(cancelled, MANY, MPI_INT, 0, MPI_COMM_WORLD);
        for (int i = 0; i < MANY; i++) {
            left += cancelled[i];
            if (cancelled[i] || me != 1)
                continue;
            MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(value == 1000 * turn + i);
        }
        for (int i = MANY - 1; me == 0 && i >= 0; i--)
            MPI_Wait(&requests[i], MPI_STATUS_IGNORE);
        memset(cancelled, 0, sizeof cancelled);
    }
    CHECK(left > 0);
    MPI_Finalize();
    return 0;
}

static void test_modes(void **state)
{
    (void)state;
    run_everywhere(4, modes);
    run_everywhere(1, modes);
}

/* A synchronous send does not end before its receive has begun. */
static int synchronous(int rank, void *argument)
{
    int me, size, value = 5, flag, token = 0;
    MPI_Request request;
    (void)argument;
    (void)rank;
    begin(&me, &size);
    if (me == 0) {
        MPI_Issend(&value, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
        for (int i = 0; i < 100; i++) {
            MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
            CHECK(!flag);
        }
        MPI_Send(&token, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (me == 1) {
        MPI_Recv(&token, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&value, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(value == 5);
    }
    return MPI_Finalize();
}

static void test_synchronous(void **state)
{
    (void)state;
    run_everywhere(2, synchronous);
}

/* Waiting for any, some and all, testing, and empty lists. */
static int lists(int rank, void *argument)
{
    int me, size, values[8], index, flag, count, indices[8];
    MPI_Request requests[8];
    MPI_Status status, statuses[8];
    (void)argument;
    (void)rank;
    begin(&me, &size);
    CHECK(MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE) == MPI_SUCCESS);
    MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
    CHECK(flag);
    MPI_Waitany(0, NULL, &index, &status);
    CHECK(index == MPI_UNDEFINED && status.MPI_SOURCE == MPI_ANY_SOURCE);
    requests[0] = MPI_REQUEST_NULL;
    MPI_Waitsome(1, requests, &count, indices, MPI_STATUSES_IGNORE);
    CHECK(count == MPI_UNDEFINED);
    MPI_Testany(1, requests, &index, &flag, &status);
    CHECK(flag && index == MPI_UNDEFINED);
    if (me == 0) {
        int left = 8;
        for (int i = 0; i < 8; i++)
            MPI_Irecv(&values[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Testany(8, requests, &index, &flag, &status);
        MPI_Waitany(8, requests, &index, &status);
        CHECK(values[index] == 100 + index && status.MPI_TAG == index);
        for (left--; left > 1; left -= count) {
            MPI_Waitsome(8, requests, &count, indices, statuses);
            for (int i = 0; i < count; i++)
                CHECK(values[indices[i]] == 100 + indices[i] && statuses[i].MPI_TAG == indices[i]);
        }
        for (flag = 0; !flag;)
            MPI_Testall(8, requests, &flag, statuses);
        for (int i = 0; i < 8; i++)
            CHECK(requests[i] == MPI_REQUEST_NULL);
    } else if (me == 1) {
        for (int i = 0; i < 8; i++)
            values[i] = 100 + i;
        for (int i = 7; i >= 0; i--)
            MPI_Send(&values[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    }
    return MPI_Finalize();
}

static void test_lists(void **state)
{
    (void)state;
    run_everywhere(2, lists);
}

/* Probes, matched probes, null ranks. */
static int probes(int rank, void *argument)
{
    int me, size, value = 7, got = 0, flag, count;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;
    (void)argument;
    (void)rank;
    begin(&me, &size);
    MPI_Send(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(&value, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_SOURCE == MPI_PROC_NULL && status.MPI_TAG == MPI_ANY_TAG && value == 7);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 0);
    MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &message, &status);
    CHECK(message == MPI_MESSAGE_NO_PROC);
    MPI_Mrecv(&value, 1, MPI_INT, &message, &status);
    CHECK(message == MPI_MESSAGE_NULL && status.MPI_SOURCE == MPI_PROC_NULL);
    message = MPI_MESSAGE_NO_PROC;
    MPI_Imrecv(&value, 1, MPI_INT, &message, &request);
    CHECK(message == MPI_MESSAGE_NULL);
    MPI_Wait(&request, &status);
    CHECK(request == MPI_REQUEST_NULL && status.MPI_SOURCE == MPI_PROC_NULL);
    if (me == 0) {
        for (int i = 0; i < 3; i++)
            MPI_Send(&value, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
    } else if (me == 1) {
        MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        CHECK(status.MPI_SOURCE == 0 && status.MPI_TAG == 0);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        CHECK(got == 7);
        for (flag = 0; !flag;)
            MPI_Improbe(0, 1, MPI_COMM_WORLD, &flag, &message, &status);
        MPI_Imrecv(&got, 1, MPI_INT, &message, &request);
        CHECK(message == MPI_MESSAGE_NULL);
        MPI_Wait(&request, &status);
        CHECK(status.MPI_TAG == 1);
        for (flag = 0; !flag;)
            MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &flag, &status);
        MPI_Mprobe(0, 2, MPI_COMM_WORLD, &message, &status);
        MPI_Mrecv(&got, 1, MPI_INT, &message, &status);
        CHECK(got == 7);
    }
    return MPI_Finalize();
}

static void test_probes(void **state)
{
    (void)state;
    run_everywhere(2, probes);
}

/* Persistent requests, sending and receiving at once, cancelling. */
static int again(int rank, void *argument)
{
    int me, size, out = 0, in = -1, flag;
    MPI_Request requests[2];
    MPI_Status status;
    (void)argument;
    (void)rank;
    begin(&me, &size);
    const int to = (me + 1) % size, from = (me + size - 1) % size;
    MPI_Send_init(&out, 1, MPI_INT, to, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Recv_init(&in, 1, MPI_INT, from, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Wait(&requests[0], &status); /* inactive */
    CHECK(status.MPI_SOURCE == MPI_ANY_SOURCE && requests[0] != MPI_REQUEST_NULL);
    for (int i = 0; i < 5; i++) {
        out = 10 * me + i;
        MPI_Startall(2, requests);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        CHECK(in == 10 * from + i);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
    CHECK(requests[0] == MPI_REQUEST_NULL);
    out = me;
    MPI_Sendrecv(&out, 1, MPI_INT, to, 2, &in, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &status);
    CHECK(in == from && status.MPI_SOURCE == from);
    MPI_Sendrecv_replace(&out, 1, MPI_INT, to, 3, from, 3, MPI_COMM_WORLD, &status);
    CHECK(out == from);
    MPI_Isendrecv(&me, 1, MPI_INT, to, 2, &in, 1, MPI_INT, from, 2, MPI_COMM_WORLD, &requests[0]);
    MPI_Wait(&requests[0], &status);
    CHECK(in == from && status.MPI_SOURCE == from);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Issend(&out, 1, MPI_INT, to, 98, MPI_COMM_WORLD, &requests[0]);
    MPI_Cancel(&requests[0]);
    MPI_Wait(&requests[0], &status);
    MPI_Test_cancelled(&status, &flag);
    CHECK(flag);
    MPI_Isend(&out, 1, MPI_INT, to, 97, MPI_COMM_WORLD, &requests[0]);
    MPI_Request_free(&requests[0]);
    MPI_Recv(&in, 1, MPI_INT, from, 97, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Finalize();
}

/* Both ways at once: to the right and from the left, short and long, each rank with another
 * length, from any rank, to nobody, from nobody, and too long for the receiver. */
static int both_ways(int rank, void *argument)
{
    static const int counts[] = {0, 1, 10, 11, 1024, 1025, 30000};
    enum {
        KINDS = sizeof counts / sizeof counts[0]
    };
    int me, size, found, *out = malloc(4 * 30000), *in = malloc(4 * 30000);
    MPI_Status status;
    (void)argument;
    (void)rank;
    begin(&me, &size);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    const int to = (me + 1) % size, from = (me + size - 1) % size;
    for (int i = 0; i < 3 * KINDS; i++) {
        const int sent = counts[(i + me) % KINDS], received = counts[(i + from) % KINDS];
        const int any = i / KINDS == 1, ends = i / KINDS == 2; /* the ends of a line */
        const int right = ends && me == size - 1 ? MPI_PROC_NULL : to;
        const int left = ends && me == 0 ? MPI_PROC_NULL : any ? MPI_ANY_SOURCE : from;
        for (int j = 0; j < 30000; j++) {
            out[j] = 1000 * i + me + j;
            in[j] = -1;
        }
        CHECK(MPI_Sendrecv(out, sent, MPI_INT, right, i, in, 30000, MPI_INT, left,
                           any ? MPI_ANY_TAG : i, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
        MPI_Get_count(&status, MPI_INT, &found);
        if (left == MPI_PROC_NULL) {
            CHECK(status.MPI_SOURCE == MPI_PROC_NULL && found == 0 && in[0] == -1);
            continue;
        }
        CHECK(status.MPI_SOURCE == from && status.MPI_TAG == i && found == received);
        for (int j = 0; j < 30000; j++)
            CHECK(in[j] == (j < received ? 1000 * i + from + j : -1));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) {
        const int sent = counts[2 + 4 * i],
                  error = MPI_Sendrecv(out, sent, MPI_INT, to, 5, in, 1, MPI_INT, from, 5,
                                       MPI_COMM_WORLD, &status);
        CHECK(error == MPI_ERR_TRUNCATE);
    }
    CHECK(MPI_Sendrecv(&me, 1, MPI_INT, to, 6, in, 1, MPI_INT, from, 6, MPI_COMM_WORLD, &status) ==
          MPI_SUCCESS);
    CHECK(in[0] == from);
    free(out);
    free(in);
    return MPI_Finalize();
}

static void test_both_ways(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= 4; ranks++)
        run_everywhere(ranks, both_ways);
}

static void test_again(void **state)
{
    (void)state;
    run_everywhere(3, again);
    run_everywhere(1, again);
}

static void test_many_sends(void **state)
{
    (void)state;
    run_everywhere(2, many_sends);
    run_everywhere(3, many_sends);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),     cmocka_unit_test(test_synchronous),
        cmocka_unit_test(test_lists),     cmocka_unit_test(test_probes),
        cmocka_unit_test(test_again),     cmocka_unit_test(test_many_sends),
        cmocka_unit_test(test_both_ways),
    };
    return cmocka_run_group_tests_name("mpi messages", tests, NULL, NULL);
}
