/* Broadcast in packets on a circulant graph. With one port no broadcast has fewer rounds.
 *
 * Source: J. L. Traeff 2023, "(Poly)Logarithmic Time Construction of Round-optimal n-Block
 * Broadcast Schedules for Broadcast and irregular Allgather in MPI", arXiv 2205.10072, and
 * "Round-optimal n-Block Broadcast Schedules in Logarithmic Time", arXiv 2312.11236. The graph, the
 * phases and the conditions for the lists are from these papers. The search for the lists is our
 * own. It is slower than the search in the papers, but simpler, because a step needs only the
 * limits in `struct search`.
 *
 * How it works. Let q = ceil(log2 n). The graph has the skips s_q = n and s_e = ceil(s_{e+1} / 2)
 * for e = q - 1 ... 0, so s_0 = 1. A phase has q rounds, e = 0 ... q - 1. In round e of each phase
 * processor p can send to processor p + s_e and receive from processor p - s_e (mod n). The last
 * round ends a phase, so the first phase may lack its first rounds. The root sends a new packet in
 * every round until it has sent packet m - 1, the last one. It sends packet m - 1 in all q rounds
 * of the last phase. In a phase every other processor receives q packets. The root sends one of
 * them in this phase, and has sent the other q - 1 in the phase before.
 *
 * The list of a processor has an entry for each round e of a phase, which says which packet the
 * processor receives. The list is the same in all phases. Packet x of a phase is the packet that
 * the root sends in round x of that phase. The entry x means packet x of this phase. The entry
 * x - q means packet x of the phase before. In the first phase such a packet does not exist, and
 * the processor receives nothing. Each x occurs once in a list, so a processor receives every
 * packet once. A sender computes the list of its receiver to know what to send.
 *
 * How the lists are found. Write each rank as a sum of skips: take the largest skip that fits,
 * again and again. Let s_e be the smallest skip in the sum of rank r. Then processor r receives
 * packet e in the phase in which the root sends it. The reason is that the root sends packet e to
 * processor s_e, and the later rounds of the phase add the larger skips.
 *
 * The other packets of that phase reach processor r in the next phase. For the search, processor p
 * has the label p in the first of these two phases and the label n + p in the second. A label is a
 * sum of skips too, and its packet is e if s_e is the smallest skip of the sum. The search finds a
 * label for each round e of the second phase, from e = 0 on. In round e processor r receives the
 * packet of this label. This label is the largest that is at most n + r - s_e, is below the label
 * of round e - 1, and has a packet that r still lacks. The search builds labels as sums, and adds a
 * skip only to labels of at most n + r - s_{e+1}. Label n has packet q. Packet q stands for the one
 * packet that the root sends, and processor r receives, in the second phase.
 *
 * A trial with every n up to 4500, and with some n up to 2^20, showed that each sender has the
 * packet that its receiver expects. kp_schedule_check verifies this for every schedule that it
 * checks.
 *
 * Cost. The longer packets are the last ones (packets.h), so the packet that the root sends is the
 * longest of its round.
 *   C1 = m - 1 + q, the minimum on one port,
 *   C2 = (m - 1 + q) floor(b / m) + (0 if m divides b, else b mod m - 1 + q).
 * The algorithm uses only one port. If k >= 2, broadcast_pipelined.c needs no more rounds, because
 * its tree has a depth of at most q. */
#include "kport/model.h"
#include "lib/algorithms/packets.h"
#include "lib/algorithms/table.h"
#include "lib/schedule/arithmetic.h"

#include <stdbool.h>

#define MOST_SKIPS 20 /* n < 2^20 */

/* The circulant graph: n, q, and the skips s_0 ... s_q. */
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

/* The list of a processor. The root receives nothing, so all entries of its list are NEVER. */
struct list {
    int64_t packets[MOST_SKIPS];
};

/* Returns the number e of the smallest skip s_e in the sum of `rank`. `rank` must not be 0. */
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

/* The limits of a search for a label. If bit e of `wanted` is set, the receiver lacks packet e. */
struct search {
    int64_t highest;   /* the highest label that the search may return */
    int64_t continued; /* the highest label to which the search may add a skip */
    uint32_t wanted;
};

struct found {
    int64_t label;
    int packet;
};

/* Returns the largest label within the limits that has a wanted packet, and the number of this
 * packet. The search tries the skips from the largest to the smallest. It adds a skip to the sum if
 * the smallest wanted skip can still be added afterwards. Such a sum leads to a label with a wanted
 * packet. There is always a label to return, so `wanted` is never 0. */
static struct found find_label(const struct circulant *c, struct search s)
{
    int64_t sum = 0;
    int smallest = 0;
    while (!(s.wanted >> smallest & 1))
        smallest++;
    for (int e = c->q; e >= 0; e--) {
        int64_t label = sum + c->skips[e];
        if (label > s.highest)
            continue;
        bool leads_on = smallest < e && label + c->skips[smallest] <= s.highest;
        if (leads_on && label <= s.continued)
            sum = label;
        else if (s.wanted >> e & 1)
            return (struct found){label, e};
        else
            s.highest = label - 1;
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
        struct found found = find_label(c, search);
        before = found.label;
        wanted &= ~((uint32_t)1 << found.packet);
        list.packets[e] = found.packet == c->q ? own : found.packet - c->q;
    }
    return list;
}

/* --- Rounds --- */

/* Rounds count from the start of the first phase. Its first `idle` rounds do not happen. */
struct rounds {
    int64_t idle, end;
    int64_t last; /* m - 1, the number of the last packet */
};

static struct rounds rounds_of(const struct circulant *c, int64_t packets)
{
    int64_t count = packets - 1 + c->q;
    int64_t end = (int64_t)kp_ceil_div((uint64_t)count, (uint64_t)c->q) * c->q;
    return (struct rounds){.idle = end - count, .end = end, .last = packets - 1};
}

/* Returns the number of the packet that the processor with this list receives in a round. A number
 * below 0 means that it receives nothing. */
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
