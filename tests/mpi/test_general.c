/* General requests: the program completes them, and its functions say what has come. */
#include "lib/mpi/rank.h"
#include "tests/mpi/run.h"

#include <pthread.h>
#include <time.h>

#define SOURCE 41
#define TAG    42
#define ITEMS  7

/* What the functions of one request have been called with, and what they shall return. */
struct state {
    int queries, frees, cancels, cancelled_complete;
    int query_returns, free_returns, cancel_returns;
    bool cancelled;
    MPI_Request *completes; /* the query completes this one, too */
};

static int query(void *argument, MPI_Status *status)
{
    struct state *state = argument;
    state->queries++;
    status->MPI_SOURCE = SOURCE;
    status->MPI_TAG = TAG;
    MPI_Status_set_elements(status, MPI_INT, ITEMS);
    MPI_Status_set_cancelled(status, state->cancelled);
    if (state->completes)
        MPI_Grequest_complete(*state->completes);
    return state->query_returns;
}

static int free_it(void *argument)
{
    struct state *state = argument;
    state->frees++;
    return state->free_returns;
}

static int cancel(void *argument, int complete)
{
    struct state *state = argument;
    state->cancels++;
    state->cancelled_complete = complete;
    return state->cancel_returns;
}

static MPI_Request started(struct state *state)
{
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Grequest_start(query, free_it, cancel, state, &request);
    return request;
}

/* The status is that of the query, and each function was called once. */
static bool is_ended(const struct state *state, const MPI_Status *status)
{
    int count, flag;
    MPI_Get_count(status, MPI_INT, &count);
    MPI_Test_cancelled(status, &flag);
    return status->MPI_SOURCE == SOURCE && status->MPI_TAG == TAG && count == ITEMS &&
           flag == state->cancelled && state->queries == 1 && state->frees == 1;
}

static int one(void)
{
    struct state state = {0};
    MPI_Status status = {.MPI_ERROR = 5};
    int flag = 7;
    MPI_Request request = started(&state);
    CHECK(request != MPI_REQUEST_NULL);
    MPI_Test(&request, &flag, &status);
    CHECK(!flag && state.queries == 0);
    MPI_Request_get_status(request, &flag, &status);
    CHECK(!flag && state.queries == 0);
    MPI_Cancel(&request);
    CHECK(state.cancels == 1 && !state.cancelled_complete);
    MPI_Grequest_complete(request);
    MPI_Cancel(&request);
    CHECK(state.cancels == 2 && state.cancelled_complete);
    MPI_Request_get_status(request, &flag, &status);
    CHECK(flag && state.queries == 1 && state.frees == 0 && status.MPI_SOURCE == SOURCE);
    state.queries = 0;
    MPI_Wait(&request, &status);
    CHECK(request == MPI_REQUEST_NULL && is_ended(&state, &status) && status.MPI_ERROR == 5);
    state = (struct state){.cancelled = true};
    request = started(&state);
    MPI_Grequest_complete(request);
    MPI_Test(&request, &flag, &status);
    CHECK(flag && request == MPI_REQUEST_NULL && is_ended(&state, &status));
    state = (struct state){0};
    request = started(&state);
    MPI_Grequest_complete(request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(state.queries == 1 && state.frees == 1);
    return 0;
}

#define COUNT 12 /* more than kport lets go on in each call */

/* All of a list end, beside messages to the rank itself; then some, in an order of the program. */
static int several(void)
{
    struct state states[COUNT] = {{0}};
    MPI_Request requests[COUNT + 2];
    MPI_Status statuses[COUNT + 2];
    int flag, index, sent = 3, received = 0, indices[COUNT], ended, rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < COUNT; i++)
        requests[i] = started(&states[i]);
    MPI_Irecv(&received, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[COUNT]);
    MPI_Isend(&sent, 1, MPI_INT, rank, 0, MPI_COMM_WORLD, &requests[COUNT + 1]);
    for (int i = 0; i < COUNT; i++) {
        MPI_Testall(COUNT + 2, requests, &flag, statuses);
        CHECK(!flag);
        MPI_Grequest_complete(requests[COUNT - 1 - i]);
    }
    MPI_Waitall(COUNT + 2, requests, statuses);
    for (int i = 0; i < COUNT; i++)
        CHECK(is_ended(&states[i], &statuses[i]) && requests[i] == MPI_REQUEST_NULL);
    CHECK(received == 3 && statuses[COUNT].MPI_SOURCE == rank);

    memset(states, 0, sizeof states);
    for (int i = 0; i < COUNT; i++)
        requests[i] = started(&states[i]);
    MPI_Testany(COUNT, requests, &index, &flag, statuses);
    CHECK(!flag && index == MPI_UNDEFINED);
    MPI_Testsome(COUNT, requests, &ended, indices, statuses);
    CHECK(ended == 0);
    MPI_Grequest_complete(requests[9]);
    MPI_Testany(COUNT, requests, &index, &flag, statuses);
    CHECK(flag && index == 9 && is_ended(&states[9], statuses));
    MPI_Grequest_complete(requests[10]);
    MPI_Waitany(COUNT, requests, &index, statuses);
    CHECK(index == 10 && is_ended(&states[10], statuses));
    MPI_Grequest_complete(requests[11]);
    MPI_Grequest_complete(requests[2]);
    MPI_Waitsome(COUNT, requests, &ended, indices, statuses);
    CHECK(ended == 2 && indices[0] == 2 && indices[1] == 11 && is_ended(&states[2], statuses));
    states[0].completes = &requests[1]; /* the wait for the first completes the second */
    for (int i = 0; i < COUNT; i++) {
        if (requests[i] && i != 1)
            MPI_Grequest_complete(requests[i]);
    }
    MPI_Testall(2, requests, &flag, statuses);
    CHECK(!flag);
    MPI_Wait(&requests[0], statuses);
    MPI_Testall(COUNT, requests, &flag, MPI_STATUSES_IGNORE);
    CHECK(flag && states[1].queries == 1 && states[1].frees == 1 && states[8].frees == 1);
    return 0;
}

/* Freed before it is complete, and after. */
static int freed(void)
{
    struct state state = {0};
    MPI_Request request = started(&state), copy = request;
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL && state.frees == 0);
    MPI_Grequest_complete(copy);
    CHECK(state.frees == 1 && state.queries == 0);
    request = started(&state);
    MPI_Grequest_complete(request);
    MPI_Request_free(&request);
    CHECK(request == MPI_REQUEST_NULL && state.frees == 2 && state.queries == 0);
    return 0;
}

/* What the program's functions return is what the call returns. */
static int errors(void)
{
    struct state states[2] = {{.query_returns = MPI_ERR_IO}, {.free_returns = MPI_ERR_FILE}};
    MPI_Request requests[2], one_more;
    MPI_Status statuses[2];
    int flag, code, length;
    char text[MPI_MAX_ERROR_STRING];
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    for (int i = 0; i < 2; i++) {
        requests[i] = started(&states[i]);
        MPI_Grequest_complete(requests[i]);
    }
    CHECK(MPI_Waitall(2, requests, statuses) == MPI_ERR_IN_STATUS);
    CHECK(statuses[0].MPI_ERROR == MPI_ERR_IO && statuses[1].MPI_ERROR == MPI_ERR_FILE);
    CHECK(requests[0] == MPI_REQUEST_NULL && requests[1] == MPI_REQUEST_NULL);
    states[0].free_returns = MPI_ERR_AMODE;
    one_more = started(&states[0]);
    MPI_Grequest_complete(one_more);
    CHECK(MPI_Wait(&one_more, MPI_STATUS_IGNORE) == MPI_ERR_AMODE); /* the last that was called */
    one_more = started(&states[0]);
    MPI_Grequest_complete(one_more);
    CHECK(MPI_Request_get_status(one_more, &flag, statuses) == MPI_ERR_IO && flag);
    CHECK(MPI_Request_free(&one_more) == MPI_ERR_AMODE);
    MPI_Add_error_class(&code);
    MPI_Add_error_string(code, "no paper");
    states[0] = (struct state){.cancel_returns = code};
    one_more = started(&states[0]);
    CHECK(MPI_Cancel(&one_more) == code);
    MPI_Error_string(code, text, &length);
    CHECK(strncmp(text, "no paper", 8) == 0);
    MPI_Grequest_complete(one_more);
    CHECK(MPI_Grequest_complete(one_more) == MPI_ERR_REQUEST);
    const MPI_Request copy = one_more;
    CHECK(MPI_Wait(&one_more, statuses) == MPI_SUCCESS);
    CHECK(MPI_Grequest_complete(copy) == MPI_ERR_REQUEST);
    CHECK(MPI_Grequest_complete(MPI_REQUEST_NULL) == MPI_ERR_REQUEST);
    MPI_Irecv(&flag, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &one_more);
    CHECK(MPI_Grequest_complete(one_more) == MPI_ERR_REQUEST);
    MPI_Wait(&one_more, MPI_STATUS_IGNORE);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    return 0;
}

static int all_ways(int rank, void *argument)
{
    int result;
    (void)argument;
    (void)rank;
    MPI_Init(NULL, NULL);
    if ((result = one()) || (result = several()) || (result = freed()) || (result = errors()))
        return result;
    MPI_Finalize();
    return 0;
}

static void are_served(void **state)
{
    (void)state;
    run_everywhere(3, all_ways);
}

/* --- Another thread completes what one waits for --- */

struct helper {
    void *whose;
    MPI_Request requests[2];
};

/* Two threads may be in MPI at the same time only while one of them waits for what the other
 * completes. A pause alone does not make that sure on a machine that is busy, so the wait is held
 * where it is: the lock is recursive. */
static void complete_while_it_waits(struct kp_mpi_rank *rank, MPI_Request request)
{
    static const struct timespec pause = {.tv_nsec = 5000000};
    bool waits = false;
    while (!waits) {
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&rank->completing);
        if ((waits = rank->waits_general))
            MPI_Grequest_complete(request);
        pthread_mutex_unlock(&rank->completing);
    }
}

static void *complete_later(void *argument)
{
    const struct helper *helper = argument;
    kp_mpi_thread_begin(helper->whose);
    for (int i = 0; i < 2; i++)
        complete_while_it_waits(helper->whose, helper->requests[i]);
    kp_mpi_thread_count(helper->whose, -1);
    return NULL;
}

static int by_a_thread(int rank, void *argument)
{
    int granted, which;
    struct state states[2] = {{0}};
    MPI_Status status;
    pthread_t thread;
    (void)argument;
    (void)rank;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &granted);
    CHECK(granted == MPI_THREAD_SERIALIZED);
    struct helper helper = {kp_mpi_thread_whose(), {started(&states[0]), started(&states[1])}};
    MPI_Request own[2] = {helper.requests[0], helper.requests[1]};
    kp_mpi_thread_count(helper.whose, 1);
    pthread_create(&thread, NULL, complete_later, &helper);
    MPI_Waitany(2, own, &which, &status);
    CHECK(which == 0 && is_ended(&states[0], &status));
    MPI_Wait(&own[1], &status);
    CHECK(is_ended(&states[1], &status));
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}

static void another_thread_completes(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++)
        assert_int_equal(run_on(KP_CARRIER_THREADS, 2, 0, by_a_thread), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(are_served),
        cmocka_unit_test(another_thread_completes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
