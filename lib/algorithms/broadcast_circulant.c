/* Broadcast in packets on a circulant graph. On one port no algorithm has fewer rounds.
 *
 * Source: J. L. Traeff 2023, "(Poly)Logarithmic Time Construction of Round-optimal n-Block
 * Broadcast Schedules for Broadcast and irregular Allgather in MPI", arXiv 2205.10072, and
 * "Round-optimal n-Block Broadcast Schedules in Logarithmic Time", arXiv 2312.11236. The graph, the
 * phases and the conditions are from there. The search for the lists below is our own. It is slower
 * than the papers', but its steps share no state.
 *
 * How it works. Let q = ceil(log2 n). The skips are s_q = n and s_e = ceil(s_{e+1} / 2), so
 * s_0 = 1. The rounds form phases of q rounds, and the last round ends a phase. In round e of each
 * phase a processor can receive from the processor s_e places back. The root sends a new packet in
 * every round until it comes to packet m - 1, which it sends in all q rounds of the last phase. A
 * phase brings every other processor q packets: one that the root sends in this phase, and q - 1
 * that it sent in the phase before.
 *
 * A processor's list says for round e which packet it receives, with the packets of a phase counted
 * from 0. The number x means packet x of this phase, and x - q means packet x of the phase before.
 * The list is the same in all phases. Packets before the first one of the first phase do not exist.
 * So every processor receives every packet once. A sender computes the list of its receiver.
 *
 * The lists. Write each rank as a sum of skips: take the largest skip that fits, again and again.
 * Let s_e be the smallest skip in the sum of r. Then the packet of this phase that processor r
 * receives is packet e, because the root sends packet e to place s_e, and the later rounds of the
 * phase use the larger skips. In the next phase processor r is at place n + r, and the root at
 * place n. There r receives its other packets of the phase before. In round e they come from a
 * place at a distance of s_e or more that has a packet which r lacks. The search goes through the
 * rounds in order. It takes the largest place that is below the place of the round before, is at
 * most n + r - s_e, and has such a packet. It continues a sum only from places up to
 * n + r - s_{e+1}. From place n, processor r receives its own packet e.
 *
 * A trial with every n up to 4500, and with some n up to 2^20, showed that each sender has the
 * packet in its receiver's list. The checker verifies this for every schedule that it checks.
 *
 * Cost. The longer ones of the m packets come last (packets.h), so the root's packet is the longest
 * of a round.
 *   C1 = m - 1 + q, the minimum on one port,
 *   C2 = (m - 1 + q) floor(b / m) + (0 if m divides b, else b mod m - 1 + q).
 * The algorithm uses one port only. With k >= 2 ports the tree of broadcast_pipelined.c has a depth
 * of at most q. */
#include "kport/model.h"
#include "lib/algorithms/packets.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

#include <stdbool.h>

#define MOST_SKIPS 20 /* n < 2^20 */

/* The graph. */
struct circulant {
    int64_t n;
    int q;
    int64_t skips[MOST_SKIPS + 1];
};

static struct circulant circulant_of(const kp_problem *p)
{
    struct circulant c = {.n = p->n, .q = kp_ceil_log((uint64_t)p->n, 2)};
    c.skips[c.q] = c.n;
    for (int e = c.q - 1; e >= 0; e--)
        c.skips[e] = (c.skips[e + 1] + 1) / 2;
    return c;
}

/* --- Lists --- */

#define NEVER (INT64_MIN / 2)

/* The list of a processor. The root receives nothing. */
struct list {
    int64_t packets[MOST_SKIPS];
};

/* Returns the index of the smallest skip in the sum of `rank`, which is not the root. */
static int first_packet(const struct circulant *c, int64_t rank)
{
    int e = c->q;
    while (rank > 0) {
        e--;
        if (c->skips[e] <= rank)
            rank -= c->skips[e];
    }
    return e;
}

/* The limits of a search for a place. Bit e of `wanted` says that packet e is acceptable. */
struct search {
    int64_t highest;   /* the highest acceptable place */
    int64_t continued; /* the highest place from which a sum is continued */
    uint32_t wanted;
};

struct found {
    int64_t place;
    int packet;
};

/* Returns the largest acceptable place. The search continues a sum whenever that leads to an
 * acceptable place. One more skip does so, unless even the smallest wanted skip goes too far. There
 * is always an acceptable place, and so `wanted` is never 0. */
static struct found find_place(const struct circulant *c, struct search s)
{
    int64_t sum = 0;
    int smallest = 0;
    while (!(s.wanted >> smallest & 1))
        smallest++;
    for (int e = c->q; e >= 0; e--) {
        int64_t place = sum + c->skips[e];
        if (place > s.highest)
            continue;
        bool leads_on = smallest < e && place + c->skips[smallest] <= s.highest;
        if (leads_on && place <= s.continued)
            sum = place;
        else if (s.wanted >> e & 1)
            return (struct found){place, e};
        else
            s.highest = place - 1;
    }
    return (struct found){0, 0};
}

static struct list list_of(const struct circulant *c, int64_t rank)
{
    struct list list;
    for (int e = 0; e < c->q; e++)
        list.packets[e] = NEVER;
    if (rank == 0)
        return list;
    int own = first_packet(c, rank);
    int64_t here = c->n + rank, before = here;
    uint32_t wanted = ((uint32_t)2 << c->q) - 1 - ((uint32_t)1 << own);
    for (int e = 0; e < c->q; e++) {
        struct search search = {.highest = kp_least(here - c->skips[e], before - 1),
                                .continued = here - c->skips[e + 1],
                                .wanted = wanted};
        struct found found = find_place(c, search);
        before = found.place;
        wanted &= ~((uint32_t)1 << found.packet);
        list.packets[e] = found.packet == c->q ? own : found.packet - c->q;
    }
    return list;
}

/* --- Rounds --- */

/* A whole number of phases. The first `idle` rounds do not take place. */
struct rounds {
    int64_t idle, end;
    int64_t last; /* number of the last packet, m - 1 */
};

static struct rounds rounds_of(const struct circulant *c, int64_t packets)
{
    int64_t count = packets - 1 + c->q;
    int64_t end = (int64_t)kp_ceil_div((uint64_t)count, (uint64_t)c->q) * c->q;
    return (struct rounds){.idle = end - count, .end = end, .last = packets - 1};
}

/* Returns the packet that is received in a round. A number below 0 means none. */
static int64_t received(const struct circulant *c, const struct rounds *r, const struct list *list,
                        int64_t round)
{
    int64_t packet = list->packets[round % c->q] + round / c->q * c->q - r->idle;
    return kp_least(packet, r->last);
}

/* --- Building --- */

static void build_rounds(kp_builder *b, const kp_problem *p, const struct circulant *c)
{
    struct kp_packets packets = kp_packets_of(p);
    struct rounds rounds = rounds_of(c, packets.count);
    struct list own = list_of(c, p->rank), lists[MOST_SKIPS];
    for (int e = 0; e < c->q; e++)
        lists[e] = list_of(c, (p->rank + c->skips[e]) % c->n);
    for (int64_t round = rounds.idle; round < rounds.end; round++) {
        int64_t e = round % c->q, to = (p->rank + c->skips[e]) % c->n;
        int64_t leaving = received(c, &rounds, &lists[e], round);
        int64_t coming = received(c, &rounds, &own, round);
        kp_build_round(b);
        if (leaving >= 0) {
            kp_build_send(b, 0, (int)to);
            kp_build_piece(b, kp_packet(&packets, leaving));
        }
        if (coming >= 0) {
            kp_build_receive(b, 0, (int)((p->rank + c->n - c->skips[e]) % c->n));
            kp_build_piece(b, kp_packet(&packets, coming));
        }
    }
}

static int build(kp_builder *b, const kp_problem *p)
{
    struct circulant c = circulant_of(p);
    if (p->n > 1)
        build_rounds(b, p, &c);
    return KP_OK;
}

static void stated_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    kp_packets_cost(p, (uint64_t)kp_ceil_log((uint64_t)p->n, 2), c1, c2);
}

const kp_algorithm kp_broadcast_circulant = {
    .operation = KP_BROADCAST,
    .name = "circulant",
    .summary = "packets on a circulant graph; least rounds on one port",
    .source = "Traeff 2023, arXiv 2205.10072 and 2312.11236",
    .symmetry = KP_NO_SYMMETRY,
    .parameters = {KP_PACKETS_PARAMETER},
    .splits = kp_packets_split,
    .build = build,
    .stated_cost = stated_cost,
};
