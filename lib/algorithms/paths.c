#include "lib/algorithms/paths.h"

#include "lib/schedule/arithmetic.h"

void kp_paths_add(struct kp_paths *paths, int shape, int64_t length)
{
    int i = paths->count++;
    for (; i > 0 && paths->length[i - 1] > length; i--) {
        paths->length[i] = paths->length[i - 1];
        paths->shape[i] = paths->shape[i - 1];
    }
    paths->length[i] = length;
    paths->shape[i] = shape;
}

void kp_paths_keep(struct kp_paths *paths, int most)
{
    paths->count = paths->count < most ? paths->count : most;
}

/* --- The number of packets on each path --- */

/* The number of rounds, and the number of packets on each path. A shorter path has at least as many
 * packets as a longer path. */
struct deal {
    int64_t rounds;
    int64_t packets[KP_MOST_PATHS];
};

/* Returns the number of rounds in which the first `used` paths can carry m packets, if each of
 * these paths carries at least one packet. */
static int64_t rounds_for(const struct kp_paths *paths, int used, int64_t m)
{
    int64_t all = m - used;
    for (int p = 0; p < used; p++)
        all += paths->length[p];
    return (all + used - 1) / used;
}

static struct deal deal_out(const struct kp_paths *paths, int64_t m)
{
    struct deal deal = {.rounds = rounds_for(paths, 1, m)};
    int used = 1;
    /* The next path is longer than the paths so far. It can save a round only if its length is less
     * than the number of rounds that the paths so far need. */
    while (used < paths->count && paths->length[used] < deal.rounds)
        deal.rounds = rounds_for(paths, ++used, m);
    int64_t left = m;
    for (int p = 0; p < used; p++)
        left -= deal.packets[p] = deal.rounds - paths->length[p] + 1;
    for (int p = used - 1; left < 0; p--, left++)
        deal.packets[p]--;
    return deal;
}

/* Returns the number of packets that leave the root before round `round`. */
static int64_t number_before(const struct kp_paths *paths, const struct deal *deal, int64_t round)
{
    int64_t number = 0;
    for (int p = 0; p < paths->count; p++)
        number += kp_least(deal->packets[p], round);
    return number;
}

/* Returns the number of the packet that leaves the root on path p in round `round`. */
static int64_t number_of(const struct kp_paths *paths, const struct deal *deal, int p,
                         int64_t round)
{
    /* The paths 0 ... p - 1 carry at least as many packets as path p. So each of them sends a
     * packet in this round too. */
    return number_before(paths, deal, round) + p;
}

void kp_paths_cost(const struct kp_paths *paths, uint64_t *c1, uint64_t *c2)
{
    *c1 = *c2 = 0;
    if (paths->count == 0)
        return;
    uint64_t m = (uint64_t)paths->problem->values[0], b = paths->problem->b;
    struct deal deal = deal_out(paths, (int64_t)m);
    int64_t low = 0, high = deal.rounds, longer = (int64_t)(m - b % m);
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (number_before(paths, &deal, middle) <= longer)
            low = middle;
        else
            high = middle;
    }
    *c1 = (uint64_t)deal.rounds;
    *c2 = kp_plus(kp_times(*c1, b / m), b % m ? *c1 - (uint64_t)low : 0);
}

/* --- One processor's rounds --- */

/* Returns the number of links from the root to this processor along path p, or -1 if path p does
 * not pass this processor. */
static int64_t position_on(const struct kp_paths *paths, int p)
{
    int64_t hop = paths->length[p];
    while (hop >= 0 && paths->at(paths, paths->shape[p], hop) != paths->problem->rank)
        hop--;
    return hop;
}

/* Adds the piece of a packet to a message of this processor. In every buffer a packet has the same
 * offset as in the block, so packets in scratch do not overlap. */
static void build_packet(kp_builder *b, const struct kp_paths *paths,
                         const struct kp_packets *packets, int p, int64_t position, int64_t number)
{
    kp_piece piece = kp_packet(packets, number);
    piece.space = position == 0 ? KP_OUT : position < paths->length[p] ? KP_SCRATCH : KP_IN;
    kp_build_piece(b, piece);
}

/* Writes this processor's messages of one round on path p. It receives a packet over the link on
 * the root's side, and sends an earlier packet over the link on the target's side. `position` is
 * the number of links from the root to this processor. */
static void build_round(kp_builder *b, const struct kp_paths *paths, const struct deal *deal,
                        const struct kp_packets *packets, int p, int64_t position, int64_t round)
{
    int64_t leaving = round - position, coming = leaving + 1;
    if (position < paths->length[p] && leaving >= 0 && leaving < deal->packets[p]) {
        kp_build_send(b, p, paths->at(paths, paths->shape[p], position + 1));
        build_packet(b, paths, packets, p, position, number_of(paths, deal, p, leaving));
    }
    if (position > 0 && coming >= 0 && coming < deal->packets[p]) {
        kp_build_receive(b, p, paths->at(paths, paths->shape[p], position - 1));
        build_packet(b, paths, packets, p, position, number_of(paths, deal, p, coming));
    }
}

int kp_paths_build(kp_builder *b, const struct kp_paths *paths)
{
    const kp_problem *problem = paths->problem;
    struct kp_packets packets = kp_packets_of(problem);
    int64_t block = kp_packets_split(problem) ? (int64_t)problem->b : 1;
    int64_t position[KP_MOST_PATHS];
    if (paths->count == 0) {
        if (problem->rank == problem->root)
            kp_build_move(b, kp_run_of(KP_OUT, 0, block), kp_run_of(KP_IN, 0, block));
        return KP_OK;
    }
    struct deal deal = deal_out(paths, packets.count);
    for (int p = 0; p < paths->count; p++) {
        position[p] = deal.packets[p] > 0 ? position_on(paths, p) : -1;
        if (position[p] > 0 && position[p] < paths->length[p])
            kp_build_scratch(b, block);
    }
    for (int64_t round = 0; round < deal.rounds; round++) {
        kp_build_round(b);
        for (int p = 0; p < paths->count; p++) {
            if (position[p] >= 0)
                build_round(b, paths, &deal, &packets, p, position[p], round);
        }
    }
    return KP_OK;
}
