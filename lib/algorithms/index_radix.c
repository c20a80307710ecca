/* Index in radix r, without packing buffers.
 *
 * Source: Bruck, Ho, Kipnis, Upfal, Weathersby 1997, sections 3.1 to 3.4. Phases 1 and 3 of
 * Appendix A only rearrange blocks in local memory. They are not needed here, because a message can
 * name the position of each of its blocks.
 *
 * How it works. The block of processor p for processor p + j (mod n) has the id j, which is written
 * in radix r. The block makes one hop, that is, travels in one message, for every non-zero digit of
 * j, the lowest digit first. If digit x has the value z, its hop goes from a processor i to
 * processor i + z r^x. The hop is in the same round for all processors (index_steps.h). A processor
 * copies its block for itself.
 *
 * The first hop reads the block from position p + j of the outgoing buffer. After a hop the block
 * lies at one of two positions of the processor i that has it. If an even number of hops is left,
 * the position is i - j in the incoming buffer. If an odd number is left, the position is slot j of
 * scratch. So a round never writes a position that it reads. For every id, the block that leaves a
 * processor and the block that arrives there have different positions.
 *
 * Only ids with at least two non-zero digits ever lie in scratch, and the lowest of these is r + 1.
 * A message lists its blocks from the highest id to the lowest, so their positions in the incoming
 * buffer ascend. The scratch slots are in descending order of ids, so their positions ascend too.
 * Thus consecutive ids are consecutive in memory.
 *
 * Cost. With h_x = min(r, ceil(n / r^x)) for digits x = 0 ... ceil(log_r n) - 1:
 *   C1 = sum over x of ceil((h_x - 1) / k),
 *   C2 = b times the sum over rounds of the number of ids whose digit x is the z of the round's
 *   first step.
 * r = k + 1 gives C1 = ceil(log_{k+1} n), the minimum. r = n gives C2 = b ceil((n - 1) / k). */
#include "lib/algorithms/index_steps.h"
#include "lib/algorithms/table.h"

struct place_of {
    kp_space space;
    int64_t first; /* the position of the run's highest id; lower ids have higher positions */
};

/* Returns the number of non-zero digits of `number` in radix r. */
static int hops_of(int64_t number, int64_t r)
{
    int hops = 0;
    for (; number > 0; number /= r)
        hops += number % r != 0;
    return hops;
}

/* Returns where a run of blocks lies at the processor that has received it. `high` is the highest
 * id of the run. All its blocks have `left` hops left. */
static struct place_of landing(const kp_problem *p, int64_t high, int left)
{
    if (left % 2 == 0)
        return (struct place_of){KP_IN, p->rank - high};
    return (struct place_of){KP_SCRATCH, p->n - 1 - high};
}

static void build_send(kp_builder *b, const kp_problem *p, const struct kp_index_step *step)
{
    for (int64_t i = kp_index_runs(step) - 1; i >= 0; i--) {
        int64_t count, low = kp_index_run(step, i, &count);
        struct place_of from = landing(p, low + count - 1, hops_of(low / step->weight, step->r));
        kp_build_piece(b, kp_run_of(from.space, from.first, count - 1));
        /* In the lowest id of a run all digits below digit x are 0, so this is the first hop of the
         * block with this id. */
        kp_build_piece(b, kp_run_of(KP_OUT, p->rank + low, 1));
    }
}

static void build_receive(kp_builder *b, const kp_problem *p, const struct kp_index_step *step)
{
    for (int64_t i = kp_index_runs(step) - 1; i >= 0; i--) {
        int64_t count, low = kp_index_run(step, i, &count);
        int left = hops_of(low / step->weight, step->r) - 1;
        struct place_of to = landing(p, low + count - 1, left);
        kp_build_piece(b, kp_run_of(to.space, to.first, count));
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    int n = p->n;
    kp_build_scratch(b, n > p->values[0] + 1 ? n - (p->values[0] + 1) : 0);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    struct kp_index_step step = kp_index_begin(p);
    while (kp_index_next(&step)) {
        int distance = (int)kp_index_distance(&step);
        if (step.new_round)
            kp_build_round(b);
        kp_build_send(b, step.port, (p->rank + distance) % n);
        build_send(b, p, &step);
        kp_build_receive(b, step.port, (p->rank + n - distance) % n);
        build_receive(b, p, &step);
    }
    return KP_OK;
}

const kp_algorithm kp_index_radix = {
    .operation = KP_INDEX,
    .name = "radix",
    .summary = "one hop for every non-zero digit of the distance, no packing",
    .source = "Bruck et al. 1997, sections 3.1-3.4",
    .symmetry = KP_CYCLIC,
    .parameters = {KP_INDEX_RADIX_PARAMETER},
    .build = build,
    .stated_cost = kp_index_stated_cost,
};
