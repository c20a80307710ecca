/* The words of accounts: blocks, places and ways. */
#include "lib/check/account_data.h"
#include "lib/problem/operation.h"
#include "lib/schedule/schedule_data.h"

int64_t kp_account_cells(const struct account *a)
{
    return kp_replay_cells_of_block(&a->ways.replay);
}

/* Writes which part of a block a cell is, if blocks are split. */
static void put_part(const struct account *a, kp_cell cell)
{
    const struct kp_replay *r = &a->ways.replay;
    const int64_t *begin = r->cuts.items;
    int64_t at = cell % kp_account_cells(a),
            last = at + 1 < kp_account_cells(a) ? begin[at + 1] - 1 : r->unit - 1;
    if (kp_account_cells(a) > 1)
        fprintf(a->out, ", %s %lld-%lld",
                kp_operation_reduces(a->problem->operation) ? "elements" : "bytes",
                (long long)begin[at], (long long)last);
}

void kp_account_block(const struct account *a, struct kp_spot origin)
{
    char name[KP_BLOCK_NAME];
    kp_replay_name_block(&a->ways.replay, origin.rank, origin.cell, name);
    fputs(name, a->out);
    put_part(a, origin.cell);
}

void kp_account_place(const struct account *a, kp_cell cell)
{
    static const char *const names[KP_SPACES] = {"out", "in", "scratch"};
    const struct kp_replay *r = &a->ways.replay;
    int space = 0;
    while (cell >= r->begin[space + 1])
        space++;
    fprintf(a->out, "place %lld of %s", (long long)((cell - r->begin[space]) / kp_account_cells(a)),
            names[space]);
}

void kp_account_round(const struct account *a, int round)
{
    if (round < 0)
        fprintf(a->out, "  before    ");
    else
        fprintf(a->out, "  round %-4d", round);
}

static void put_hop(const struct account *a, const struct kp_hop *hop, bool here)
{
    kp_account_round(a, hop->round);
    if (hop->out_port < 0)
        fprintf(a->out, "processor %d itself: ", hop->from.rank);
    else
        fprintf(a->out,
                "processor %d sends it on port %d to processor %d, port %d: ", hop->from.rank,
                hop->out_port, hop->to.rank, hop->in_port);
    kp_account_place(a, hop->from.cell);
    fprintf(a->out, hop->combined ? " is combined into " : " to ");
    kp_account_place(a, hop->to.cell);
    fprintf(a->out, here ? "  <-- here\n" : "\n");
}

void kp_account_way(const struct account *a, const struct kp_way *way, const bool *shown, int here)
{
    int count = 0;
    fprintf(a->out, "\nThe way of ");
    kp_account_block(a, way->origin);
    fprintf(a->out, ":\n  at first  in ");
    kp_account_place(a, way->origin.cell);
    /* Such a root's outgoing buffer is its incoming one, and messages and pictures may name that.
     */
    const bool one = kp_operation_row(a->problem->operation)->one_buffer;
    fprintf(a->out, "%s at processor %d\n", one ? " and of in" : "", way->origin.rank);
    for (int i = 0; i < (int)way->hops.count; i++) {
        if (shown && !shown[i])
            continue;
        if (count++ < KP_ACCOUNT_LINES || i == here)
            put_hop(a, kp_hop_at(way, i), i == here);
    }
    if (count > KP_ACCOUNT_LINES)
        fprintf(a->out, "  ... (%d more)\n", count - KP_ACCOUNT_LINES);
    char name[KP_ROUND_NAME];
    int round = a->finding.round;
    if (count == 0 && a->finding.fault >= KP_FAULT_RESULT)
        fprintf(a->out, "  it goes nowhere\n");
    else if (count == 0)
        fprintf(a->out, "  it does not move before %s\n",
                round < 0 ? "that" : kp_round_name(round, name));
}
