/* Calls that move blocks: random counts, types, places, roots, in place or not. */
#include "differential.h"

#include <stdio.h>

/* A signature has `width` elements a block and unit, which each process lays out by a type of its
 * own. The number of units of each block is known to all. */
struct plan {
    int width;
    int units[MOST_MEMBERS][MOST_MEMBERS]; /* from rank to rank */
    struct shape send, recv;
    struct shape send_each[MOST_MEMBERS], recv_each[MOST_MEMBERS];
};

/* How many units travel from one rank to another. Most blocks are short. */
static int units_draw(struct dice *dice, bool many)
{
    const int most[] = {0, 1, 1, 3, 3, 40};
    return draw(&dice->common, 0, many ? 3000 : most[draw(&dice->common, 0, 5)]);
}

static void plan_draw(const struct call *call, struct dice *dice, struct plan *plan)
{
    const bool equal = call->operation == ALLGATHER || call->operation == ALLTOALL ||
                       call->operation == BCAST || call->operation == GATHER ||
                       call->operation == SCATTER;
    const bool many = draw(&dice->common, 0, 19) == 0;
    const int of_all = units_draw(dice, many);
    const int signature = draw(&dice->common, 0, many && MPI_IS_MPICH ? 2 : SIGNATURES - 1);
    const bool of_sender = call->operation == ALLGATHERV || call->operation == GATHERV;
    /* Over the UCX of Debian's MPICH 4.0, long messages of types of the program destroy memory. */
    const bool plain = many && MPI_IS_MPICH;
    plan->width = draw(&dice->common, 1, 5);
    for (int from = 0; from < call->n; from++) {
        const int of_one = units_draw(dice, many);
        for (int to = 0; to < call->n; to++)
            plan->units[from][to] = equal ? of_all : of_sender ? of_one : units_draw(dice, false);
    }
    for (int from = 0; from < call->n && call->in_place; from++) {
        for (int to = 0; to < from && !of_sender; to++)
            plan->units[from][to] = plan->units[to][from]; /* in place both ways are equal */
    }
    /* Open MPI 4.1 chooses the algorithm of MPI_Allgatherv by the sender's own type, so members
     * with different types may wait for each other for ever. */
    uint64_t *of_types = call->operation == ALLGATHERV ? &dice->common : &dice->own;
    plan->send = shape_draw(of_types, signature, plan->width, plain);
    plan->recv = shape_draw(of_types, signature, plan->width, plain);
    for (int i = 0; i < call->n; i++) {
        plan->send_each[i] = shape_draw(&dice->own, signature, plan->width, plain);
        plan->recv_each[i] = shape_draw(&dice->own, signature, plan->width, plain);
    }
}

static void plan_free(const struct call *call, struct plan *plan)
{
    shape_free(&plan->send);
    shape_free(&plan->recv);
    for (int i = 0; i < call->n; i++) {
        shape_free(&plan->send_each[i]);
        shape_free(&plan->recv_each[i]);
    }
}

/* Lays blocks out one after the other, in a random direction and with gaps. Returns the number of
 * elements that they span. The block of a single process begins at 0, because MPICH 4.0 ignores its
 * place in MPI_Allgatherv, and Open MPI 4.1 miscalculates it in MPI_Alltoallw. */
static long lay_out(struct dice *dice, int n, const int *counts, int *places)
{
    int at = n == 1 ? 0 : draw(&dice->own, -3, 3);
    const bool backwards = draw(&dice->own, 0, 1);
    const long span = 8;
    for (int i = 0; i < n; i++) {
        const int block = backwards ? n - 1 - i : i;
        places[block] = at;
        at += counts[block] + draw(&dice->own, 0, 2);
    }
    return span + at;
}

/* For Alltoallw: places in bytes, all blocks of different types in one buffer. Returns the bytes
 * that the blocks span. */
static long lay_out_bytes(int n, const int *counts, const MPI_Datatype *types, int *places)
{
    long at = 0;
    for (int i = 0; i < n; i++) {
        MPI_Aint lb, extent, true_lb, true_extent;
        MPI_Type_get_extent(types[i], &lb, &extent);
        MPI_Type_get_true_extent(types[i], &true_lb, &true_extent);
        const long half =
            16 + (long)(counts[i] + 1) * ((extent < 0 ? -extent : extent) +
                                          (true_lb < 0 ? -true_lb : true_lb) + true_extent);
        places[i] = n == 1 ? 0 : (int)((at + half) / 16 * 16);
        at += 2 * half + 16;
    }
    return at;
}

/* Fills in the arguments of this member. Stores the number of elements that the two buffers
 * span. */
static void arguments(struct call *call, struct dice *dice, const struct plan *plan, long *sent,
                      long *received)
{
    const int rank = call->rank, n = call->n, root = call->root, of = call->operation;
    const int send_each = plan->send.per_width, recv_each = plan->recv.per_width;
    const bool from_root = of == BCAST || of == SCATTER || of == SCATTERV;
    const bool to_root = of == GATHER || of == GATHERV;
    call->send_type = plan->send.type;
    call->recv_type = plan->recv.type;
    call->send_count = plan->units[from_root ? root : rank][0] * send_each;
    call->recv_count = plan->units[from_root ? root : 0][from_root ? rank : 0] * recv_each;
    if (of == SCATTERV)
        call->send_count = 0;
    for (int i = 0; i < n; i++) {
        call->send_types[i] = plan->send_each[i].type;
        call->recv_types[i] = plan->recv_each[i].type;
        const bool w = of == ALLTOALLW;
        call->send_counts[i] =
            plan->units[rank][i] * (w ? plan->send_each[i].per_width : send_each);
        call->recv_counts[i] =
            plan->units[i][to_root ? root : rank] * (w ? plan->recv_each[i].per_width : recv_each);
    }
    *sent = lay_out(dice, n, call->send_counts, call->send_places);
    *received = lay_out(dice, n, call->recv_counts, call->recv_places);
    if (of == ALLTOALLW) {
        *sent = lay_out_bytes(n, call->send_counts, call->send_types, call->send_places);
        *received = lay_out_bytes(n, call->recv_counts, call->recv_types, call->recv_places);
        return;
    }
    *sent += (long)call->send_count * n;
    *received += (long)call->recv_count * n;
}

bool try_moving(struct call *call, struct dice *dice)
{
    static struct plan plan;
    long sent, received;
    plan_draw(call, dice, &plan);
    arguments(call, dice, &plan, &sent, &received);
    const bool w = call->operation == ALLTOALLW;
    struct room send = room_make(w ? MPI_BYTE : plan.send.type, sent, &dice->own);
    struct room recv = room_make(w ? MPI_BYTE : plan.recv.type, received, &dice->own);
    struct room kept = room_copy(&send), other = room_copy(&recv);
    call->send = send.user;
    call->recv = recv.user;
    bool same = make_call(call, false) == MPI_SUCCESS;
    same = same && room_same(&send, &kept);
    call->recv = other.user;
    same = make_call(call, true) == MPI_SUCCESS && same;
    same = same && room_same(&recv, &other);
    room_free(&send);
    room_free(&recv);
    room_free(&kept);
    room_free(&other);
    plan_free(call, &plan);
    return same;
}
