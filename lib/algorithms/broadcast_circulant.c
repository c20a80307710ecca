/* Broadcast in packets on a circulant graph, with the least rounds there can be on one port.
 *
 * Source: J. L. Traeff 2023, "(Poly)Logarithmic Time Construction of Round-optimal n-Block
 * Broadcast Schedules for Broadcast and irregular Allgather in MPI", arXiv 2205.10072, and
 * "Round-optimal n-Block Broadcast Schedules in Logarithmic Time", arXiv 2312.11236: the graph, the
 * phases and the conditions. The search of the lists below is our own form of theirs: slower, but
 * without state between its steps.
 *
 * How it works. q = ceil(log2 n); skips s_q = n, s_e = ceil(s_{e+1} / 2), so s_0 = 1. Rounds are
 * counted so that the last one ends a phase of q rounds; in round e of each phase every processor
 * receives from the one s_e places back, if at all. The root sends a new packet in every round; in
 * the last phase there is only packet m - 1 left, which it sends in all q rounds. A phase brings
 * every other processor q packets: one that the root sends in this phase, and q - 1 of the phase
 * before. What it receives in round e of a phase is written in its list, the same in all phases:
 * packet x of this phase as x, of the one before as x - q; packets below 0 are not there. So every
 * processor receives every packet once. Senders need no list of their own: they look into the
 * receiver's.
 *
 * The lists. From 0 the numbers are written as sums of skips, from the largest skip on, each as
 * large as possible; processor r first gets the packet e that goes with the smallest skip in its
 * sum, for the root sends packet e to s_e, and in later rounds of the phase the larger skips
 * follow. In the next phase processor r, now at the place n + r, gets its other packets from places
 * before it: in round e one that is s_e away or more, if its packet is one that r has not had. So
 * go through the rounds from the first on; take the largest place that is below the place before,
 * at most n + r - s_e, and has such a packet, where only at places up to n + r - s_{e+1} the sum is
 * continued. Place n is the root in its next phase: there r gets its own first packet.
 *
 * That each sender has what its receiver's list says was tried for every n up to 4500 and some up
 * to 2^20; the checker sees it on every schedule.
 *
 * Cost, m packets, the longer ones last (packets.h), so that the root's is the longest of a round:
 *   C1 = m - 1 + q, no algorithm with one port needs less,
 *   C2 = (m - 1 + q) floor(b / m) + (0 if m divides b, else b mod m - 1 + q).
 * Only one port is used. With k >= 2 ports the tree of broadcast_pipelined.c is not deeper than
 * q. */
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

/* What a processor receives in each round of a phase; the root never anything. */
struct list {
    int64_t packets[MOST_SKIPS];
};

/* The smallest skip in the sum of a processor other than the root. */
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

/* Where to look for a place, and what its packet may be: bit e for packet e. */
struct search {
    int64_t highest;   /* the place */
    int64_t continued; /* places whose sum is continued */
    uint32_t wanted;
};

struct found {
    int64_t place;
    int packet;
};

/* The largest such place. A sum is continued whenever that leads to one: a single further skip
 * does, unless even the smallest that is wanted goes too far. There is always a place, and so
 * always a packet wanted. */
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

/* The rounds of a whole number of phases; the first `idle` ones are not there. */
struct rounds {
    int64_t idle, end;
    int64_t last; /* packet m - 1 */
};

static struct rounds rounds_of(const struct circulant *c, int64_t packets)
{
    int64_t count = packets - 1 + c->q;
    int64_t end = (int64_t)kp_ceil_div((uint64_t)count, (uint64_t)c->q) * c->q;
    return (struct rounds){.idle = end - count, .end = end, .last = packets - 1};
}

/* What is received in a round; below 0: nothing. */
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
