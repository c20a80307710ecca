/* Index in radix r, in the three phases that the paper prints. It serves as an independent check of
 * `radix`, and its phases are those of the paper's Figs. 2 and 3.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997, sections 3.1, 3.2, 3.4 and Appendix A. Two
 * mistakes are corrected. Phase 3 is a reflection (Appendix A, line 22), not a rotation (section
 * 3.1). Appendix A uses one array packed_msg for sending and receiving, but a round must not
 * overwrite the data that it sends.
 *
 * How it works. In phase 1 processor p copies its outgoing blocks to an array tmp. tmp[j] is the
 * block for processor p + j (mod n), and j is the id of this block. Phase 2 goes through the steps
 * of index_steps.h, and k steps make a round. In step z of subphase x the processor packs all
 * tmp[j] for which digit x of j in radix r is z, and sends them to processor p + z r^x. It unpacks
 * the arriving blocks into the same elements of tmp. Phase 3 copies tmp[(p - s) mod n] to position
 * s of the incoming buffer.
 *
 * Scratch holds tmp, one packing area for arriving blocks and two packing areas for leaving blocks.
 * While a round sends from one of the last two areas, the blocks of the next round are packed in
 * the other.
 *
 * Cost. It is the same as that of `radix`:
 *   C1 = sum over x of ceil((h_x - 1) / k), h_x = min(r, ceil(n / r^x)),
 *   C2 = b times the sum, over all rounds, of the number of blocks in the round's first step. If
 * this is step z of subphase x, these are the ids j whose digit x is z. */
#include "lib/algorithms/index_steps.h"
#include "lib/algorithms/table.h"

static int64_t blocks_of(const struct kp_index_step *step)
{
    int64_t runs = kp_index_runs(step), last;
    kp_index_run(step, runs - 1, &last);
    return (runs - 1) * step->weight + last;
}

/* Returns the length of a packing area: the number of blocks of the round that has the most. */
static int64_t packed_length(const kp_problem *p)
{
    int64_t most = 0, now = 0;
    struct kp_index_step step = kp_index_begin(p);
    while (kp_index_next(&step)) {
        now = (step.new_round ? 0 : now) + blocks_of(&step);
        most = now > most ? now : most;
    }
    return most;
}

/* Copies the step's blocks from tmp to a packing area (direction +1) or back to tmp (-1). */
static void pack(kp_builder *b, const struct kp_index_step *step, int64_t packed, int direction)
{
    int64_t runs = kp_index_runs(step), last;
    int64_t last_first = kp_index_run(step, runs - 1, &last);
    int64_t whole = last == step->weight ? runs : runs - 1;
    kp_piece tmp = {KP_SCRATCH, step->z * step->weight, whole, step->weight * step->r,
                    step->weight};
    kp_piece area = kp_run_of(KP_SCRATCH, packed, whole * step->weight);
    kp_piece tmp_end = kp_run_of(KP_SCRATCH, last_first, last);
    kp_piece area_end = kp_run_of(KP_SCRATCH, packed + whole * step->weight, last);
    kp_build_move(b, direction > 0 ? tmp : area, direction > 0 ? area : tmp);
    if (whole < runs)
        kp_build_move(b, direction > 0 ? tmp_end : area_end, direction > 0 ? area_end : tmp_end);
}

/* A function that `walk_round` calls for every step of a round. The step's blocks begin `offset`
 * blocks after the beginning of the packing area `area`. */
typedef void for_step(kp_builder *b, const kp_problem *p, const struct kp_index_step *step,
                      int64_t area, int64_t offset);

static void walk_round(kp_builder *b, const kp_problem *p, struct kp_index_step step, int64_t area,
                       for_step *visit)
{
    int64_t offset = 0;
    do {
        visit(b, p, &step, area, offset);
        offset += blocks_of(&step);
    } while (kp_index_next(&step) && !step.new_round);
}

static void pack_out(kp_builder *b, const kp_problem *p, const struct kp_index_step *step,
                     int64_t area, int64_t offset)
{
    (void)p;
    pack(b, step, area + offset, +1);
}

static void unpack_in(kp_builder *b, const kp_problem *p, const struct kp_index_step *step,
                      int64_t area, int64_t offset)
{
    (void)p;
    pack(b, step, area + offset, -1);
}

static void send_out(kp_builder *b, const kp_problem *p, const struct kp_index_step *step,
                     int64_t area, int64_t offset)
{
    int distance = (int)kp_index_distance(step);
    kp_build_send(b, step->port, (p->rank + distance) % p->n);
    kp_build_piece(b, kp_run_of(KP_SCRATCH, area + offset, blocks_of(step)));
}

static void receive_in(kp_builder *b, const kp_problem *p, const struct kp_index_step *step,
                       int64_t area, int64_t offset)
{
    int distance = (int)kp_index_distance(step);
    kp_build_receive(b, step->port, (p->rank + p->n - distance) % p->n);
    kp_build_piece(b, kp_run_of(KP_SCRATCH, area + offset, blocks_of(step)));
}

static bool next_round(struct kp_index_step *step)
{
    while (kp_index_next(step)) {
        if (step->new_round)
            return true;
    }
    return false;
}

static int build(kp_builder *b, const kp_problem *p)
{
    int64_t n = p->n, length = packed_length(p), in = n;
    int64_t out = n + length, other = n + 2 * length;
    kp_build_scratch(b, n + 3 * length);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, n), kp_run_of(KP_SCRATCH, 0, n));
    struct kp_index_step step = kp_index_begin(p);
    bool more = next_round(&step);
    if (more)
        walk_round(b, p, step, out, pack_out);
    while (more) {
        kp_build_round(b);
        walk_round(b, p, step, out, send_out);
        walk_round(b, p, step, in, receive_in);
        walk_round(b, p, step, in, unpack_in);
        more = next_round(&step);
        if (more)
            walk_round(b, p, step, other, pack_out);
        int64_t swap = out;
        out = other;
        other = swap;
    }
    kp_build_move(b, kp_every(KP_SCRATCH, 0, n, 1), kp_every(KP_IN, p->rank, n, -1));
    return KP_OK;
}

const kp_algorithm kp_index_literal = {
    .operation = KP_INDEX,
    .name = "literal",
    .summary = "the paper's three phases with packing and unpacking",
    .source = "Bruck et al. 1997, section 3.1 and Appendix A",
    .symmetry = KP_CYCLIC,
    .parameters = {KP_INDEX_RADIX_PARAMETER},
    .build = build,
    .stated_cost = kp_index_stated_cost,
};
