/* Scatter along a tree, in which processors pass on pieces of consecutive blocks.
 *
 * Source: the (k + 1)-ary tree of the folklore with the sizes of segments.h, which are not in the
 * papers. For k = 1 and n = 2^d it is the scatter on the binomial tree of Saad and Schultz 1985.
 *
 * How it works. At first the root has all blocks. In every round every processor that has blocks
 * for others gives away k pieces from the end of its blocks. The first block of a piece is for the
 * receiver of the piece, which stores this block in its incoming buffer. The receiver stores the
 * other blocks in scratch and gives them away in later rounds.
 *
 * Cost. C1 = ceil(log_{k+1} n), C2 = b ceil((n - 1) / k). */
#include "kport/model.h"
#include "lib/algorithms/segments.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

/* Returns where `blocks`, which this processor holds for other processors, lie. */
static kp_piece held_blocks(const kp_problem *p, struct kp_segment blocks)
{
    if (p->rank == 0)
        return kp_run_of(KP_OUT, blocks.first, blocks.count);
    return kp_run_of(KP_SCRATCH, blocks.first - p->rank - 1, blocks.count);
}

static void build_round(kp_builder *b, const kp_problem *p, struct kp_segment held, int64_t size)
{
    for (int q = 0; held.first == p->rank && q < p->k; q++) {
        struct kp_segment piece = kp_segment_piece(held, size, q);
        if (piece.count == 0)
            break;
        kp_build_send(b, q, (int)piece.first);
        kp_build_piece(b, held_blocks(p, piece));
    }
    int q = kp_segment_number(held, size, p);
    if (q >= 0) {
        struct kp_segment piece = kp_segment_piece(held, size, q);
        kp_build_scratch(b, piece.count - 1);
        kp_build_receive(b, q, (int)held.first);
        kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, piece.count - 1));
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    int64_t sizes[KP_SEGMENT_ROUNDS];
    struct kp_segment held = {0, p->n};
    int d = kp_segment_sizes(p->n, p->k, sizes);
    if (p->rank == 0)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int t = 0; t < d; t++) {
        kp_build_round(b);
        build_round(b, p, held, sizes[t]);
        held = kp_segment_after(held, sizes[t], p);
    }
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    uint64_t n = (uint64_t)p->n, k = (uint64_t)p->k;
    *c1 = (uint64_t)kp_ceil_log(n, k + 1);
    *c2 = kp_times(p->b, kp_ceil_div(n - 1, k));
}

const kp_algorithm kp_scatter_tree = {
    .operation = KP_SCATTER,
    .name = "tree",
    .summary = "contiguous pieces down a (k + 1)-ary tree; least rounds and least whole blocks",
    .source = "Saad and Schultz 1985, scatter, with sizes for any n and k",
    .symmetry = KP_NO_SYMMETRY,
    .build = build,
    .stated_cost = stated_cost,
};
