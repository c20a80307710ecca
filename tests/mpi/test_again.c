/* Collectives that are called again and again: with the same arguments but for the buffers, with
 * others in between, and wrong ones after right ones. */
#include "run.h"

#include <stdlib.h>

#define MOST 8 /* ranks */
#define LONG 24

static int next(unsigned *state, int below)
{
    *state = *state * 1103515245u + 12345u;
    return (int)(*state >> 16) % below;
}

/* Elements at every other place of an array of ints. */
static MPI_Datatype gapped(void)
{
    MPI_Datatype gaps, type;
    MPI_Type_vector(1, 1, 2, MPI_INT, &gaps);
    MPI_Type_create_resized(gaps, 0, 2 * (MPI_Aint)sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&gaps);
    return type;
}

/* What the calls of a test use. Item i of a buffer is the int at i * step. */
struct setting {
    int me, n, root, count, step;
    MPI_Datatype type;
    MPI_Comm comm;
    int *out, *in;
};

static int broadcast(const struct setting *s, int salt)
{
    for (int i = 0; i < s->count; i++)
        s->in[i * s->step] = s->me == s->root ? salt + i : -1;
    MPI_Bcast(s->in, s->count, s->type, s->root, s->comm);
    for (int i = 0; i < s->count; i++)
        CHECK(s->in[i * s->step] == salt + i);
    return 0;
}

static int all_to_all(const struct setting *s, int salt)
{
    for (int i = 0; i < s->n * s->count; i++)
        s->out[i * s->step] = salt + 100 * s->me + i;
    MPI_Alltoall(s->out, s->count, s->type, s->in, s->count, s->type, s->comm);
    for (int i = 0; i < s->n * s->count; i++)
        CHECK(s->in[i * s->step] == salt + 100 * (i / s->count) + s->me * s->count + i % s->count);
    return 0;
}

static int gather(const struct setting *s, int salt, int in_place)
{
    const int root = s->me == s->root;
    int *own = root && in_place ? s->in + s->me * s->count * s->step : s->out;
    for (int i = 0; i < s->count; i++)
        own[i * s->step] = salt + 100 * s->me + i;
    MPI_Gather(root && in_place ? MPI_IN_PLACE : own, s->count, s->type, root ? s->in : NULL,
               s->count, s->type, s->root, s->comm);
    for (int i = 0; root && i < s->n * s->count; i++)
        CHECK(s->in[i * s->step] == salt + 100 * (i / s->count) + i % s->count);
    return 0;
}

static int reduce(const struct setting *s, int salt, int in_place)
{
    const int all = s->root == 0;
    for (int i = 0; i < s->count; i++)
        s->out[i] = s->in[i] = salt + s->me + i;
    if (all)
        MPI_Allreduce(in_place ? MPI_IN_PLACE : s->out, s->in, s->count, MPI_INT, MPI_SUM, s->comm);
    else
        MPI_Reduce(s->me == s->root && in_place ? MPI_IN_PLACE : s->out, s->in, s->count, MPI_INT,
                   MPI_MAX, s->root, s->comm);
    for (int i = 0; i < s->count && (all || s->me == s->root); i++)
        CHECK(s->in[i] == (all ? s->n * (salt + i) + s->n * (s->n - 1) / 2 : salt + s->n - 1 + i));
    return 0;
}

static int in_any_order(int me, void *argument)
{
    static const MPI_Datatype plain = MPI_INT;
    int buffers[4][2 * LONG * MOST];
    unsigned state = 7;
    struct setting s = {.me = me};
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Datatype types[] = {plain, gapped()};
    MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    MPI_Comm_size(MPI_COMM_WORLD, &s.n);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    for (int i = 0; i < 150; i++) {
        const int kind = next(&state, 4), which = next(&state, 2), salt = next(&state, 1000);
        const int in_place = next(&state, 2);
        s.root = next(&state, s.n);
        s.count = next(&state, 8) == 0 ? LONG : 1 + next(&state, 3);
        s.type = types[which];
        s.step = 1 + which;
        s.comm = comms[next(&state, 2)];
        s.out = buffers[next(&state, 2)];
        s.in = buffers[2 + next(&state, 2)];
        const int failed = kind == 0   ? broadcast(&s, salt)
                           : kind == 1 ? all_to_all(&s, salt)
                           : kind == 2 ? gather(&s, salt, in_place)
                                       : reduce(&s, salt, in_place);
        CHECK(!failed);
    }
    MPI_Comm_free(&comms[1]);
    MPI_Type_free(&types[1]);
    MPI_Finalize();
    return 0;
}

static void add(void *in, void *inout, int *count, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *count; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

/* A rank remembers a call that kport no longer keeps, because of many others in between. Calls with
 * operators of the program are not remembered. */
static int after_many_others(int me, void *argument)
{
    enum {
        OTHERS = 600
    };
    int out[OTHERS] = {me}, in[OTHERS], value, n;
    MPI_Op op;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Op_create(add, 1, &op);
    for (int turn = 0; turn < 3; turn++) {
        for (int i = 0; i < 4; i++) {
            value = me == 1 ? turn + i : -1;
            MPI_Bcast(&value, 1, MPI_INT, 1, MPI_COMM_WORLD);
            CHECK(value == turn + i);
        }
        for (int count = 1; count <= OTHERS; count++) {
            MPI_Allreduce(out, in, count, MPI_INT, op, MPI_COMM_WORLD);
            CHECK(in[0] == n * (n - 1) / 2);
        }
    }
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}

/* A call that was right is wrong when its type is freed, or its buffer is. */
static int wrong_after_right(int me, void *argument)
{
    int value = 5, sum = 0, both[2] = {0}, out[4 * MOST], in[4 * MOST];
    MPI_Datatype type, again, gaps;
    MPI_Comm comm;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN); /* of calls without communicator */
    gaps = gapped();
    memset(out, 0, sizeof out);
    MPI_Type_contiguous(1, MPI_INT, &type);
    MPI_Type_commit(&type);
    for (int i = 0; i < 3; i++) {
        CHECK(MPI_Bcast(&value, 1, type, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
        CHECK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    }
    again = type;
    MPI_Type_free(&type);
    CHECK(MPI_Bcast(&value, 1, again, 0, MPI_COMM_WORLD) == MPI_ERR_TYPE);
    for (int i = 0; i < 2; i++) {
        CHECK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
        CHECK(MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_SUCCESS);
        CHECK(MPI_Alltoall(out, 1, gaps, in, 1, gaps, MPI_COMM_WORLD) == MPI_SUCCESS);
    }
    CHECK(MPI_Alltoall(in, 1, gaps, in, 1, gaps, MPI_COMM_WORLD) != MPI_SUCCESS);
    CHECK(MPI_Bcast(NULL, 1, MPI_INT, 0, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
    CHECK(MPI_Allreduce(NULL, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
    CHECK(MPI_Allreduce(&me, NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_ERR_BUFFER);
    CHECK(MPI_Allreduce(both, both, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) != MPI_SUCCESS);
    CHECK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int i = 0; i < 2; i++)
        CHECK(MPI_Bcast(&value, 1, MPI_INT, 0, comm) == MPI_SUCCESS);
    MPI_Comm freed = comm;
    MPI_Comm_free(&comm);
    CHECK(MPI_Bcast(&value, 1, MPI_INT, 0, freed) == MPI_ERR_COMM);
    MPI_Type_free(&gaps);
    MPI_Finalize();
    return 0;
}

/* Rank 0 may not start its persistent call, and all learn of that. Later calls meet their own. */
static int refused_by_one(int me, void *argument)
{
    int out[4], in[4], other[4], sums[4], bad;
    MPI_Request kept, later;
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 4; i++) {
        out[i] = 100 * (me + 1);
        other[i] = me + 1;
    }
    MPI_Allreduce_init(out, me == 0 ? out : in, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                       &kept);
    bad = MPI_Start(&kept) != MPI_SUCCESS;
    CHECK(bad == (me == 0));
    for (int i = 0; i < 3; i++) {
        CHECK(MPI_Iallreduce(other, sums, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &later) ==
              MPI_SUCCESS);
        CHECK(MPI_Wait(&later, MPI_STATUS_IGNORE) == MPI_SUCCESS && sums[0] == 3 && sums[3] == 3);
    }
    CHECK(me == 0 || MPI_Wait(&kept, MPI_STATUS_IGNORE) != MPI_SUCCESS);
    MPI_Request_free(&kept);
    MPI_Finalize();
    return 0;
}

/* --- With a count for every rank --- */

#define MOST_COUNT 5

/* Rank `from` has so many ints for rank `to`. */
static int count_of(int pattern, int from, int to)
{
    return pattern == 0 ? 1 : (7 * from + 3 * to + pattern) % (MOST_COUNT + 1);
}

static int int_of(int salt, int from, int to, int i)
{
    return salt + 1000 * from + 50 * to + i;
}

/* One call of the five. `extra` is added to what this rank sends to the last rank. */
static int with_counts(const struct setting *s, int kind, int pattern, int salt, int extra)
{
    int out_counts[MOST], out_at[MOST], in_counts[MOST], in_at[MOST], sent = 0, status, wrong = 0;
    const int one_each = kind == 1 || kind == 2, from_root = kind == 3, to_root = kind == 1;
    for (int i = 0; i < s->n; i++) {
        out_counts[i] = count_of(pattern, s->me, one_each ? 0 : i);
        in_counts[i] = count_of(pattern, kind == 4 ? 0 : i, one_each ? 0 : s->me);
        if (kind == 4)
            in_counts[i] = out_counts[i] = count_of(pattern, 0, i);
        out_at[i] = sent;
        for (int j = 0; j < out_counts[i] && (!one_each || i == 0); j++)
            s->out[sent++] = int_of(salt, s->me, one_each ? 0 : i, j);
        in_at[i] = i * (MOST_COUNT + 2);
    }
    for (int i = 0; i < MOST * (MOST_COUNT + 2); i++)
        s->in[i] = -1;
    out_counts[s->n - 1] += kind == 0 || kind == 3 ? extra : 0;
    if (kind == 0)
        status = MPI_Alltoallv(s->out, out_counts, out_at, MPI_INT, s->in, in_counts, in_at,
                               MPI_INT, s->comm);
    else if (kind == 1)
        status = MPI_Gatherv(s->out, out_counts[0] + extra, MPI_INT, s->in, in_counts, in_at,
                             MPI_INT, s->root, s->comm);
    else if (kind == 2)
        status = MPI_Allgatherv(s->out, out_counts[0] + extra, MPI_INT, s->in, in_counts, in_at,
                                MPI_INT, s->comm);
    else if (kind == 3)
        status = MPI_Scatterv(s->out, out_counts, out_at, MPI_INT, s->in, in_counts[s->root],
                              MPI_INT, s->root, s->comm);
    else
        status = MPI_Reduce_scatter(s->out, s->in, in_counts, MPI_INT, MPI_SUM, s->comm);
    if (status)
        return status;
    for (int i = 0; i < s->n && kind < 3 && (!to_root || s->me == s->root); i++) {
        for (int j = 0; j < in_counts[i]; j++)
            wrong += s->in[in_at[i] + j] != int_of(salt, i, one_each ? 0 : s->me, j);
    }
    for (int j = 0; from_root && j < in_counts[s->root]; j++)
        wrong += s->in[j] != int_of(salt, s->root, s->me, j);
    for (int j = 0; kind == 4 && j < in_counts[s->me]; j++)
        wrong += s->in[j] != s->n * int_of(salt, 0, s->me, j) + 1000 * (s->n * (s->n - 1) / 2);
    return wrong ? -1 : MPI_SUCCESS;
}

/* The same calls come several times, with the same counts and with others, and some have a rank
 * that sends one int too many. */
static int counts_in_any_order(int me, void *argument)
{
    int buffers[4][MOST * (MOST_COUNT + 3)];
    unsigned state = 11;
    struct setting s = {.me = me};
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm comms[] = {MPI_COMM_WORLD, MPI_COMM_NULL};
    MPI_Comm_size(MPI_COMM_WORLD, &s.n);
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[1]);
    MPI_Comm_set_errhandler(comms[0], MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(comms[1], MPI_ERRORS_RETURN);
    for (int i = 0; i < 200; i++) {
        const int kind = next(&state, 5), pattern = next(&state, 3), salt = next(&state, 1000);
        const int bad = next(&state, 5) == 0, culprit = next(&state, s.n);
        s.root = next(&state, 2) % s.n;
        s.comm = comms[next(&state, 2)];
        s.out = buffers[next(&state, 2)];
        s.in = buffers[2 + next(&state, 2)];
        for (int turn = next(&state, 4); turn >= 0; turn--)
            CHECK(with_counts(&s, kind, pattern, salt + turn, 0) == MPI_SUCCESS);
        if (!bad || s.n == 1 || kind == 4 || (kind == 3 && culprit != s.root))
            continue;
        /* A rank that only sends may have left the call, and get its error with the next one. */
        const int error = with_counts(&s, kind, pattern, salt, me == culprit);
        const int late = MPI_Barrier(s.comm);
        CHECK(error >= 0 && (error > 0) + (late > 0) == 1);
    }
    MPI_Comm_free(&comms[1]);
    MPI_Finalize();
    return 0;
}

/* --- Calls that ranks leave early --- */

/* All ranks change their buffers as soon as a call is over. Rank 0, or the last rank of a scatter,
 * sometimes takes what comes into other places, as only a general call can. */
static int left_and_changed(int me, void *argument)
{
    enum {
        LENGTH = 30000
    };
    static const int lengths[] = {1, 40, 3000, LENGTH};
    const size_t size = LENGTH * sizeof(int);
    int n, counts[MOST], places[MOST], *out = malloc(2 * size), *sum = malloc(size);
    int *in = malloc(2 * MOST * size);
    (void)argument;
    CHECK(out && sum && in);
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Datatype gaps = gapped();
    for (int i = 0; i < 40; i++) {
        const int length = lengths[i / 10], apart = i % 10 > 4 && i % 2, step = 1 + apart;
        for (int j = 0; j < n; j++) {
            counts[j] = i % 10 < 9 && j == 1 ? 1 : length;
            places[j] = j * length;
        }
        for (int j = 0; j < length; j++)
            out[j] = int_of(i, me, 0, j);
        const MPI_Datatype type = me == 0 && apart ? gaps : MPI_INT;
        if (i % 10 == 9)
            MPI_Gather(out, length, MPI_INT, in, length, type, 0, MPI_COMM_WORLD);
        else
            MPI_Gatherv(out, counts[me], MPI_INT, in, counts, places, type, 0, MPI_COMM_WORLD);
        memset(out, -1, size);
        for (int j = 0; me == 0 && j < n * length; j++)
            CHECK(j % length >= counts[j / length] ||
                  in[j * step] == int_of(i, j / length, 0, j % length));
        for (int j = 0; j < length; j++)
            out[j] = i + me + j;
        MPI_Reduce(out, sum, length, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        memset(out, -1, size);
        for (int j = 0; me == 0 && j < length; j++)
            CHECK(sum[j] == n * (i + j) + n * (n - 1) / 2);
        for (int j = 0; j < length; j++)
            sum[j] = me == 1 % n ? i - j : -1;
        MPI_Bcast(sum, length, MPI_INT, 1 % n, MPI_COMM_WORLD);
        for (int j = 0; j < length; j++)
            CHECK(sum[j] == i - j);
        memset(sum, -1, size);
        for (int j = 0; me == 0 && j < n * length; j++)
            in[j] = int_of(i, 0, j / length, j % length);
        const int scatters = i % 4 == 1 || i % 10 == 0,
                  gap = !scatters && i % 10 == 8 && me == n - 1;
        if (scatters)
            MPI_Scatter(in, length, MPI_INT, out, length, MPI_INT, 0, MPI_COMM_WORLD);
        else
            MPI_Scatterv(in, counts, places, MPI_INT, out, counts[me], gap ? gaps : MPI_INT, 0,
                         MPI_COMM_WORLD);
        for (int j = 0; j < (scatters ? length : counts[me]); j++)
            CHECK(out[j * (1 + gap)] == int_of(i, 0, me, j));
        memset(in, -2, 2 * MOST * size); /* which must not come into `out` any more */
        memset(out, -1, 2 * size);
        MPI_Barrier(MPI_COMM_WORLD);
        for (int j = 0; j < 2 * length; j++)
            CHECK(out[j] == -1);
    }
    MPI_Type_free(&gaps);
    MPI_Finalize();
    free(in);
    free(sum);
    free(out);
    return 0;
}

/* While the others leave their fourth gather, rank 0 makes it with other counts, or makes a
 * broadcast. The others then go on with calls of other communicators. All get the error once, at
 * the end of the communicator at the latest. */
static int left_and_failed(int me, void *argument)
{
    enum {
        COMMS = 12
    };
    MPI_Comm comms[COMMS];
    int n, out[2] = {me, me}, in[2 * MOST], counts[MOST], more[MOST], places[MOST];
    (void)argument;
    MPI_Init(NULL, NULL);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < n; i++) {
        counts[i] = 1;
        more[i] = 1 + (i == n - 1);
        places[i] = 2 * i;
    }
    for (int i = 0; i < COMMS; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    for (int i = 0; i < COMMS; i++) {
        int errors = 0;
        for (int turn = 0; turn < 4; turn++) {
            const int differs = me == 0 && turn == 3;
            const int status = differs && i % 2
                                   ? MPI_Bcast(in, 1, MPI_INT, 0, comms[i])
                                   : MPI_Gatherv(out, 1, MPI_INT, in, differs ? more : counts,
                                                 places, MPI_INT, 0, comms[i]);
            errors += status != MPI_SUCCESS;
        }
        for (int j = 0; j < COMMS; j++)
            if (j != i && comms[j] != MPI_COMM_NULL)
                CHECK(MPI_Gatherv(out, 1, MPI_INT, in, counts, places, MPI_INT, 0, comms[j]) ==
                      MPI_SUCCESS);
        if (i % 3 == 0)
            errors += MPI_Barrier(comms[i]) != MPI_SUCCESS;
        if (i % 3 < 2)
            errors += MPI_Comm_free(&comms[i]) != MPI_SUCCESS;
        CHECK(i % 3 == 2 || (errors == 1 && comms[i] == MPI_COMM_NULL));
        if (i % 3 != 2)
            continue;
        errors += MPI_Bcast(in, 1, MPI_INT, 0, comms[i]) != MPI_SUCCESS;
        CHECK(errors == 1 && in[0] == 0);
        MPI_Comm_free(&comms[i]);
    }
    int errors = 0;
    for (int turn = 0; turn < 4; turn++)
        errors += MPI_Gatherv(out, 1, MPI_INT, in, me == 0 && turn == 3 ? more : counts, places,
                              MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
    errors += MPI_Finalize() != MPI_SUCCESS;
    CHECK(errors == 1);
    return 0;
}

static void test_left_and_changed(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST; ranks++)
        run_everywhere(ranks, left_and_changed);
}

static void test_left_and_failed(void **state)
{
    (void)state;
    for (int ranks = 2; ranks <= 5; ranks++)
        run_everywhere(ranks, left_and_failed);
}

static void test_counts_in_any_order(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST; ranks++)
        run_everywhere(ranks, counts_in_any_order);
}

static void test_refused_by_one(void **state)
{
    (void)state;
    run_everywhere(2, refused_by_one);
}

static void test_any_order(void **state)
{
    (void)state;
    for (int ranks = 1; ranks <= MOST; ranks += ranks < 3 ? 1 : 5)
        run_everywhere(ranks, in_any_order);
}

static void test_many_others(void **state)
{
    (void)state;
    run_everywhere(2, after_many_others);
}

static void test_wrong_after_right(void **state)
{
    (void)state;
    run_everywhere(3, wrong_after_right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_any_order),           cmocka_unit_test(test_many_others),
        cmocka_unit_test(test_wrong_after_right),   cmocka_unit_test(test_refused_by_one),
        cmocka_unit_test(test_counts_in_any_order), cmocka_unit_test(test_left_and_changed),
        cmocka_unit_test(test_left_and_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
