/* The router of one processor decides which packets the processor sends in each round of kp_route.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995. All messages are cut into packets. In a round
 * each processor sends at most one packet to each processor, so it has n slots to fill, one for
 * each receiver. A protocol decides which packet goes into which slot. The protocol reads only
 * struct kp_router: how many packets the processor holds for each destination, how many packets are
 * still to arrive at the processor, and some maxima over all processors. The processors agree on
 * these maxima before each step. So the code that only counts rounds (count.c) and the code that
 * moves bytes (service.c) get the same decisions. */
#ifndef KPORT_LIB_ROUTE_ROUTER_H
#define KPORT_LIB_ROUTE_ROUTER_H

#include "lib/route/random.h"

#include <stdbool.h>
#include <stdint.h>

/* A processor holds at most KP_ROUTE_PASSAGE * n packets of other processors. With two stages
 * (kp_route_hints), a processor first deals its packets: it sends them to random processors. It
 * deals at most KP_ROUTE_DEALT * n packets before the dealt packets are routed to their
 * destinations. */
#define KP_ROUTE_PASSAGE 17
#define KP_ROUTE_DEALT   16

#define KP_NO_PACKET (-1)

/* Before each step every processor offers these numbers, and all processors learn the maximum of
 * each. */
enum kp_agreed {
    KP_AGREED_LOAD, /* the number of packets that the processor holds and may route */
    /* With two stages: the number of its own packets that the processor has not dealt yet. */
    KP_AGREED_WAITING,
    KP_AGREED_COLUMN, /* the number of packets for the processor that are still to arrive */
    KP_AGREED_RELAYS, /* the number of other processors' packets that the processor holds */
    KP_AGREED_FLAG,   /* a number that the protocol defines */
    KP_AGREED
};

enum kp_step {
    KP_STEP_PACKETS, /* a round of packets; `slot` says which packets leave */
    /* Each processor sends word j of `words_out` to processor j, for every j. The word from
     * processor i becomes word i of `words_in`. */
    KP_STEP_WORDS,
    KP_STEP_END,
};

struct kp_router {
    int32_t n, rank;
    const struct kp_protocol *protocol;
    bool two_stage;
    struct kp_random random;
    int64_t capacity; /* the most packets of other processors that this processor may hold */

    /* The state of this processor. */
    int32_t *load; /* the number of packets that may be routed, for each destination */
    /* With two stages: the number of own packets not dealt yet, for each destination. */
    int32_t *waiting;
    int32_t *foreign; /* the number of other processors' packets in `load`; these leave first */
    /* `held`, `held_back` and `relays` are the sums of `load`, `waiting` and `foreign`. `column` is
     * the number of packets that are still to arrive here. */
    int64_t held, held_back, relays, column;
    uint64_t agreed[KP_AGREED];

    /* The decision for the next step. slot[j] is the destination of the packet that goes to
     * processor j, or KP_NO_PACKET. */
    int32_t *slot;
    bool deals; /* true: the next step deals the packets in `slot`, so until then they are counted
                   in `waiting` */
    uint32_t *words_out, *words_in;

    /* The state of the protocol and of the two stages. */
    int phase, stage;
    int64_t rounds_left, dealt;
    int32_t *moving; /* n numbers that a protocol may keep from one step to the next */
    int32_t *quota;  /* n more numbers of this kind */
    /* Scratch memory of a step: n numbers in `order` and `rest`, n + 1 in `tree`. */
    int32_t *order;
    int32_t *rest;
    int32_t *tree;
    void *memory;
};

struct kp_protocol {
    const char *name;
    const char *summary; /* a description of the protocol in one line */
    const char *source;
    /* A formula that bounds the rounds if destinations are random; NULL: no bound is stated. */
    const char *bound;
    /* Returns the number that the processor offers as KP_AGREED_FLAG. If `flag` is NULL, this
     * number is 0. */
    uint64_t (*flag)(struct kp_router *r);
    /* Decides the next step: fills `slot` or `words_out`, and returns the kind of step. In the
     * first call `phase` is 0. `decide` is called only while some processor holds a packet. */
    enum kp_step (*decide)(struct kp_router *r);
    /* Returns 1000 times the value of the formula `bound`. h is that of kp_router_relation. */
    uint64_t (*bound_value)(uint64_t n, uint64_t h);
};

/* Returns protocol i, or NULL after the last one. Protocol 0 is the default. */
const struct kp_protocol *kp_protocol_row(int i);

/* `kp_router_begin` makes the router of one processor, and returns false if there is no memory.
 * After this call the caller stores in `load` (with two stages in `waiting`) how many packets the
 * processor has for each destination, and calls `kp_router_filled`. `column` is the number of
 * packets that will arrive at this processor. */
bool kp_router_begin(struct kp_router *r, int32_t n, int32_t rank,
                     const struct kp_protocol *protocol, bool two_stage, uint64_t seed);
void kp_router_filled(struct kp_router *r, int64_t column);
void kp_router_end(struct kp_router *r);

/* `kp_router_offer` writes this processor's numbers (enum kp_agreed) to `offered`. The caller
 * writes the maxima over all processors to `agreed`. Then `kp_router_decide` returns the next
 * step. */
void kp_router_offer(struct kp_router *r, uint64_t offered[KP_AGREED]);
enum kp_step kp_router_decide(struct kp_router *r);

/* The caller reports every packet that moves. It calls `kp_router_sent` when the packet in slot
 * `to` has left, and `kp_router_came` when a packet for `destination` has arrived from processor
 * `from`. */
static inline void kp_router_sent(struct kp_router *r, int32_t to)
{
    int32_t packet = r->slot[to];
    int32_t *packets = r->deals ? r->waiting : r->load;
    packets[packet]--;
    *(r->deals ? &r->held_back : &r->held) -= 1;
    if (r->foreign[packet] > 0 && !r->deals) {
        r->foreign[packet]--;
        r->relays--;
    }
}

static inline void kp_router_came(struct kp_router *r, int32_t from, int32_t destination)
{
    if (destination == r->rank) {
        r->column--;
        return;
    }
    r->load[destination]++;
    r->held++;
    if (from != r->rank) {
        r->foreign[destination]++;
        r->relays++;
    }
}

/* --- Functions for protocols --- */

/* Empties all slots. */
void kp_router_clear(struct kp_router *r);

/* For each j, puts a packet for processor j into slot j. If this processor has no such packet,
 * empties the slot. */
void kp_router_direct(struct kp_router *r);

/* Returns whether all processors have memory for one more round of detours. If not, packets may
 * only go straight to their destinations. */
bool kp_router_may_detour(const struct kp_router *r);

/* Returns h = max(largest load, largest column) over all processors. No processor holds more than h
 * packets, and at most h packets are still to arrive at any processor. */
int64_t kp_router_relation(const struct kp_router *r);

/* All protocols. The first is the default. */
#define KP_PROTOCOLS(X)                                                                            \
    X(kp_protocol_fullest)                                                                         \
    X(kp_protocol_balanced)                                                                        \
    X(kp_protocol_direct)                                                                          \
    X(kp_protocol_simple)                                                                          \
    X(kp_protocol_fast)

#define KP_PROTOCOL_DECLARED(name) extern const struct kp_protocol name;
KP_PROTOCOLS(KP_PROTOCOL_DECLARED)
#undef KP_PROTOCOL_DECLARED

#endif
