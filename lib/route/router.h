/* The state and the decisions of one processor while messages are routed by total exchange.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995. All messages are cut into packets. A round
 * carries at most one packet from each processor to each processor, so each processor fills n
 * slots. A protocol decides for one processor which packet goes into which slot. It knows how many
 * packets the processor holds for each destination, how many are still to come to the processor,
 * and the maxima of a few numbers over all processors, on which they agree before each step. This
 * file gives a protocol nothing else to read, so the engine that only counts (count.c) and the
 * service that moves bytes (service.c) come to the same decisions. */
#ifndef KPORT_LIB_ROUTE_ROUTER_H
#define KPORT_LIB_ROUTE_ROUTER_H

#include "lib/route/random.h"

#include <stdbool.h>
#include <stdint.h>

/* With n processors, a processor holds at most KP_ROUTE_PASSAGE * n packets of others, and deals at
 * most KP_ROUTE_DEALT * n of its own packets to random processors before it routes them. */
#define KP_ROUTE_PASSAGE 17
#define KP_ROUTE_DEALT   16

#define KP_NO_PACKET (-1)

/* The processors agree on these maxima of what they offer, before each step. */
enum kp_agreed {
    KP_AGREED_LOAD,    /* packets that a processor holds and may route */
    KP_AGREED_WAITING, /* packets of its own that a processor may not route yet */
    KP_AGREED_COLUMN,  /* packets for one processor that have not arrived there */
    KP_AGREED_RELAYS,  /* packets of others that a processor holds */
    KP_AGREED_FLAG,    /* a number of the protocol's own */
    KP_AGREED
};

enum kp_step {
    KP_STEP_PACKETS, /* a round of packets: `slot` says which packets leave */
    KP_STEP_WORDS,   /* one word to each processor from `words_out`, one from each to `words_in` */
    KP_STEP_END,
};

struct kp_router {
    int32_t n, rank;
    const struct kp_protocol *protocol;
    bool two_stage;
    struct kp_random random;
    int64_t capacity; /* the most packets of others that the processor may hold */

    /* The state. */
    int32_t *load;    /* packets that may be routed, by destination */
    int32_t *waiting; /* with two stages, its own packets that are not dealt yet, by destination */
    int32_t *foreign; /* packets of others among `load`, by destination; they leave first */
    int64_t held, held_back, relays, column;
    uint64_t agreed[KP_AGREED];

    /* The decision. */
    int32_t *slot; /* destination of the packet that goes to processor j, or KP_NO_PACKET */
    bool deals;    /* true: the packets in `slot` are from `waiting` */
    uint32_t *words_out, *words_in;

    /* The state of the protocol, and of the dealing of packets. */
    int phase, stage;
    int64_t rounds_left, dealt;
    int32_t *moving; /* n numbers that the protocol keeps from step to step */
    int32_t *quota;  /* as `moving` */
    int32_t *order;  /* `order` and `rest` have n numbers, `tree` n + 1. A step writes them before
                      * it reads them. */
    int32_t *rest;
    int32_t *tree;
    void *memory;
};

struct kp_protocol {
    const char *name;
    const char *summary; /* a description in one line */
    const char *source;
    const char
        *bound; /* formula that bounds the rounds of a random relation; NULL: none is stated */
    /* Returns what the processor offers as KP_AGREED_FLAG. NULL: 0. */
    uint64_t (*flag)(struct kp_router *r);
    /* Fills `slot` or `words_out`. In the first call `phase` is 0. The router calls `decide` only
     * while some processor holds a packet. */
    enum kp_step (*decide)(struct kp_router *r);
    /* Returns 1000 times the value of the formula `bound`. */
    uint64_t (*bound_value)(uint64_t n, uint64_t h);
};

const struct kp_protocol *kp_protocol_row(int i); /* NULL past the end; row 0 is the default */

/* `kp_router_begin` makes the router of one processor and returns false if there is no memory. The
 * caller then fills `load`, or with two stages `waiting`, and calls `kp_router_filled`. `column` is
 * the number of packets that are to come to the processor. */
bool kp_router_begin(struct kp_router *r, int32_t n, int32_t rank,
                     const struct kp_protocol *protocol, bool two_stage, uint64_t seed);
void kp_router_filled(struct kp_router *r, int64_t column);
void kp_router_end(struct kp_router *r);

/* `kp_router_offer` writes what the processor offers. When `agreed` has the maxima of all offers,
 * `kp_router_decide` returns the next step. */
void kp_router_offer(struct kp_router *r, uint64_t offered[KP_AGREED]);
enum kp_step kp_router_decide(struct kp_router *r);

/* The caller reports packets: `kp_router_sent` after the packet of slot `to` has left,
 * `kp_router_came` after a packet for `destination` has arrived from processor `from`. */
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

/* --- For protocols --- */

/* Empties all slots. */
void kp_router_clear(struct kp_router *r);

/* Fills each slot j with a packet for j, if there is one. The other slots are empty. */
void kp_router_direct(struct kp_router *r);

/* Returns whether processors may send packets to others than their destinations in this round. */
bool kp_router_may_detour(const struct kp_router *r);

/* Returns the larger of the largest load and the largest column. The packets that are left are an
 * h-relation for this h. */
int64_t kp_router_relation(const struct kp_router *r);

/* The list of all protocols. */
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
