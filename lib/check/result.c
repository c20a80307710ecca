/* Checks what a schedule has delivered: whether every block, or every sum, is where the operation
 * wants it after the last round. */
#include "lib/check/finding.h"
#include "lib/problem/operation.h"
#include "lib/schedule/elements.h"
#include "ports/port.h"

#include <stdio.h>

struct result {
    const struct kp_replay *replay;
    struct kp_finding *finding;
};

static int refuse_result(const struct result *c, int rank, int block, uint64_t held,
                         struct kp_origin wanted)
{
    c->finding->fault = KP_FAULT_RESULT;
    char what[KP_BLOCK_NAME] = "nothing", missing[KP_BLOCK_NAME];
    int64_t cells = kp_replay_cells_of_block(c->replay);
    if (held != KP_NOTHING) {
        int owner;
        kp_cell cell;
        kp_replay_origin(c->replay, held, &owner, &cell);
        kp_replay_name_block(c->replay, owner, cell, what);
    }
    kp_replay_name_block(c->replay, wanted.rank, wanted.block * cells, missing);
    kp_set_error(KP_ESCHEDULE,
                 "at the end processor %d holds %s in place %d of in, where %s belongs", rank, what,
                 block, missing);
    kp_error_slot()->processor = rank;
    kp_error_slot()->peer = wanted.rank;
    return KP_ESCHEDULE;
}

void kp_check_refuse_place(const struct kp_replay *replay, struct kp_finding *finding)
{
    const struct result c = {replay, finding};
    int rank = finding->processor;
    int block = (int)((finding->cell - replay->begin[KP_IN]) / kp_replay_cells_of_block(replay));
    refuse_result(
        &c, rank, block, kp_replay_held(replay, rank, finding->cell),
        kp_operation_row(replay->problem->operation)->wanted(replay->problem->root, rank, block));
}

static int check_moved(const struct result *c, int rank, int block)
{
    const struct kp_replay *r = c->replay;
    int64_t cells = kp_replay_cells_of_block(r);
    struct kp_origin wanted =
        kp_operation_row(r->problem->operation)->wanted(r->problem->root, rank, block);
    for (int64_t cell = 0; cell < cells; cell++) {
        uint64_t held = kp_replay_held(r, rank, r->begin[KP_IN] + block * cells + cell);
        c->finding->processor = rank;
        c->finding->cell = r->begin[KP_IN] + block * cells + cell;
        if (held != kp_replay_symbol(r, wanted.rank, wanted.block * cells + cell))
            return refuse_result(c, rank, block, held, wanted);
    }
    return KP_OK;
}

/* --- The result of a reduction --- */

static int refuse_sum(const struct result *c, int rank, const char *what, int peer)
{
    c->finding->fault = peer < 0 ? KP_FAULT_SUM : KP_FAULT_MEMBER;
    c->finding->processor = rank;
    c->finding->member = peer;
    kp_set_error(KP_ESCHEDULE, "at the end the result of processor %d %s", rank, what);
    kp_error_slot()->processor = rank;
    kp_error_slot()->peer = peer;
    return KP_ESCHEDULE;
}

/* Checks one cell of a result. The cell must combine the operands of all processors in `wanted`,
 * each once, and no other operand. */
static int check_sum(const struct result *c, int rank, uint64_t held, int64_t cell,
                     struct kp_ranks wanted)
{
    const struct kp_contributions *all = &c->replay->contributions;
    char text[96];
    if (held == KP_NOTHING)
        return refuse_sum(c, rank, "is nothing", -1);
    struct kp_contribution sum = kp_contribution_of(all, held);
    if (sum.cell != cell)
        return refuse_sum(c, rank, "is made of operands that belong elsewhere", -1);
    for (int peer = 0; peer < c->replay->problem->n; peer++) {
        bool is = kp_contribution_has(all, held, peer);
        bool should = peer >= wanted.first && peer < wanted.end;
        if (is == should)
            continue;
        snprintf(text, sizeof text, "%s the operand of processor %d",
                 is ? "has, but should not have," : "lacks", peer);
        return refuse_sum(c, rank, text, peer);
    }
    if (!sum.ordered && kp_is_ordered(c->replay->problem))
        return refuse_sum(c, rank, "is not combined in the order of the processors", -1);
    return KP_OK;
}

static int check_reduced(const struct result *c, int rank)
{
    const struct kp_replay *r = c->replay;
    const struct kp_operation_row *operation = kp_operation_row(r->problem->operation);
    int64_t cells = kp_replay_cells_of_block(r);
    struct kp_ranks wanted = operation->operands(c->replay->problem->n, rank);
    struct kp_origin place = operation->wanted(r->problem->root, rank, 0);
    int status = KP_OK;
    for (int64_t cell = 0; cell < cells && !status; cell++) {
        uint64_t held = kp_replay_held(r, rank, r->begin[KP_IN] + cell);
        c->finding->cell = r->begin[KP_IN] + cell;
        if (wanted.first < wanted.end)
            status = check_sum(c, rank, held, place.block * cells + cell, wanted);
        else if (held != KP_NOTHING)
            status = refuse_sum(c, rank, "is something, where nothing was to be written", -1);
    }
    return status;
}

int kp_check_result(const struct kp_replay *replay, struct kp_finding *finding)
{
    const struct result of = {replay, finding}, *c = &of;
    const kp_problem *p = c->replay->problem;
    int blocks = kp_operation_blocks(p->operation, KP_IN) == KP_BLOCK_EACH ? p->n : 1;
    int status = KP_OK;
    for (int rank = 0; rank < p->n && !status; rank++) {
        if (!kp_operation_holds(p, rank, KP_IN))
            continue;
        if (kp_operation_reduces(p->operation))
            status = check_reduced(c, rank);
        for (int block = 0; block < blocks && !kp_operation_reduces(p->operation) && !status;
             block++)
            status = check_moved(c, rank, block);
    }
    return status;
}
