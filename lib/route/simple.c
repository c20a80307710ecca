/* The simple protocol.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 3.1.
 *
 * How it works. h is the most packets that a processor sends or receives. The first h/n +
 * sqrt((h/n) log log n) + log log n rounds are direct: packets go straight to their destinations.
 * After these rounds few packets are left (the paper's epsilon and alpha are 1). Then the two
 * rounds that the next paragraph describes repeat until no packet is left.
 *
 * The n processors are divided into blocks of log^2 n processors, and every packet draws a random
 * block. If several packets of a processor have drawn the same block, they go to different members
 * of the block in the first round. The second round is direct: each processor sends one packet to
 * each destination for which it has one. It may happen that more packets of a processor draw a
 * block than the block has members. Then all processors agree to send all remaining packets
 * straight to their destinations, in as many rounds as necessary.
 *
 * Rounds. h/n (1 + o(1)) + O(log log n). The formula in `bound` counts two rounds for each of log
 * log n repetitions. */
#include "lib/route/logarithms.h"
#include "lib/route/router.h"
#include "lib/schedule/arithmetic.h"

enum phase {
    BEGIN,
    FIRST,   /* rounds_left direct rounds */
    DRAW,    /* every packet draws a block */
    GO,      /* packets go to members of the blocks that they drew */
    DELIVER, /* one direct round */
    GIVE_UP, /* direct rounds until no packet is left */
};

static int32_t block_size(int32_t n)
{
    uint64_t log = kp_log2_up((uint64_t)n), size = log * log;
    return size < 1 ? 1 : size < (uint64_t)n ? (int32_t)size : n;
}

static int64_t first_rounds(uint64_t n, uint64_t h)
{
    uint64_t log_log = kp_log_log_up(n);
    uint64_t spread = kp_root_down(kp_times(h, log_log) / n);
    return (int64_t)(kp_ceil_div(h, n) + spread + log_log);
}

/* Lets every packet draw a block. `quota` becomes the number of packets that drew each block.
 * `moving` has a place for each member of each block, and the destinations of the block's packets
 * fill the first of these places. Returns false if more packets drew a block than the block has
 * members. */
static bool draw_blocks(struct kp_router *r)
{
    int32_t size = block_size(r->n), blocks = (r->n + size - 1) / size;
    for (int32_t j = 0; j < r->n; j++)
        r->moving[j] = KP_NO_PACKET;
    for (int32_t block = 0; block < blocks; block++)
        r->quota[block] = 0;
    for (int32_t j = 0; j < r->n; j++) {
        for (int32_t k = 0; k < r->load[j]; k++) {
            int32_t block = (int32_t)kp_random_below(&r->random, (uint32_t)blocks);
            int32_t first = block * size, members = r->n - first < size ? r->n - first : size;
            if (r->quota[block] == members)
                return false;
            r->moving[first + r->quota[block]++] = j;
        }
    }
    return true;
}

static uint64_t flag(struct kp_router *r)
{
    if (r->phase == FIRST && r->rounds_left == 0)
        r->phase = DRAW;
    if (r->phase != DRAW)
        return 0;
    r->phase = GO;
    return r->held > r->n || !draw_blocks(r);
}

/* Sends each packet to a member of the block that it drew. The members are chosen by shuffling. */
static void go(struct kp_router *r)
{
    int32_t size = block_size(r->n);
    kp_router_clear(r);
    r->phase = DELIVER;
    if (!kp_router_may_detour(r))
        return;
    for (int32_t first = 0; first < r->n; first += size) {
        int32_t members = r->n - first < size ? r->n - first : size;
        kp_random_shuffle(&r->random, r->moving + first, members);
    }
    for (int32_t j = 0; j < r->n; j++)
        r->slot[j] = j == r->rank ? KP_NO_PACKET : r->moving[j];
}

static enum kp_step decide(struct kp_router *r)
{
    if (r->phase == BEGIN) {
        r->phase = FIRST;
        r->rounds_left = first_rounds((uint64_t)r->n, (uint64_t)kp_router_relation(r));
    }
    if (r->phase == GO && r->agreed[KP_AGREED_FLAG])
        r->phase = GIVE_UP;
    if (r->phase == GO) {
        go(r);
        return KP_STEP_PACKETS;
    }
    kp_router_direct(r);
    if (r->phase == FIRST)
        r->rounds_left--;
    else if (r->phase == DELIVER)
        r->phase = DRAW;
    return KP_STEP_PACKETS;
}

static uint64_t bound_value(uint64_t n, uint64_t h)
{
    uint64_t log_log = kp_log_log_up(n);
    return h * 1000 / n + kp_root_down(h * log_log * 1000 / n * 1000) + 3 * log_log * 1000;
}

const struct kp_protocol kp_protocol_simple = {
    .name = "simple",
    .summary = "direct rounds, then to members of random blocks and on, until none is left",
    .source = "Rao, Suel, Tsantilas and Goudreau 1995, section 3.1",
    .bound = "h/n + sqrt(h/n log log n) + 3 log log n",
    .flag = flag,
    .decide = decide,
    .bound_value = bound_value,
};
