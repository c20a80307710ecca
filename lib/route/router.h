/* What one processor knows and decides while messages are routed by total exchange.
 *
 * Rao, Suel, Tsantilas and Goudreau 1995. All messages lie in packets; a round carries at most one
 * packet from each processor to each processor. A protocol decides for one processor which packet
 * goes into which of its n slots, from what that processor knows: how many packets it holds for
 * each destination, how many are still to come to it, and the maxima over all processors of a few
 * numbers that they agree on before each step. There is nothing else in here to look at, so the
 * engine that only counts (count.c) and the service that moves bytes (service.c) come to the same
 * decisions. */
#ifndef KPORT_LIB_ROUTE_ROUTER_H
#define KPORT_LIB_ROUTE_ROUTER_H

#include "lib/route/random.h"

#include <stdbool.h>
#include <stdint.h>

/* Packets of others that a processor holds at most, and how many of its own it deals to random
 * processors at a time: so many for each processor of the group. */
#define KP_ROUTE_PASSAGE 17
#define KP_ROUTE_DEALT   16

#define KP_NO_PACKET (-1)

/* What all agree on before a step: the largest of what any of them offers. */
enum kp_agreed {
    KP_AGREED_LOAD,    /* packets that a processor holds and may route */
    KP_AGREED_WAITING, /* packets of its own that it may not route yet */
    KP_AGREED_COLUMN,  /* packets on their way to a processor, wherever they are */
    KP_AGREED_RELAYS,  /* packets of others that a processor holds */
    KP_AGREED_FLAG,    /* the protocol's own */
    KP_AGREED
};

enum kp_step {
    KP_STEP_PACKETS, /* a round: `slot` tells which packets go */
    KP_STEP_WORDS,   /* a word for each processor: `words_out`, and then `words_in` */
    KP_STEP_END,
};

struct kp_router {
    int32_t n, rank;
    const struct kp_protocol *protocol;
    bool two_stage;
    struct kp_random random;
    int64_t capacity; /* packets of others that it may hold */

    /* What it knows. */
    int32_t *load;    /* packets that may be routed, by destination */
    int32_t *waiting; /* two-stage: packets of its own not dealt yet, by destination */
    int32_t *foreign; /* packets of others among the load; they leave first */
    int64_t held, held_back, relays, column;
    uint64_t agreed[KP_AGREED];

    /* What it decides. */
    int32_t *slot; /* destination of the packet that goes to processor j, or KP_NO_PACKET */
    bool deals;    /* these packets are taken from `waiting` */
    uint32_t *words_out, *words_in;

    /* Where the protocol, and the dealing, are. */
    int phase, stage;
    int64_t rounds_left, dealt;
    int32_t *moving; /* n numbers for the protocol to keep */
    int32_t *quota;  /* the same */
    int32_t *order;  /* n numbers of no meaning between steps, and so the next two */
    int32_t *rest;
    int32_t *tree; /* n + 1 */
    void *memory;
};

struct kp_protocol {
    const char *name;
    const char *summary; /* one line */
    const char *source;
    const char
        *bound; /* of the rounds of a random relation, as a formula; NULL where none is told */
    /* Offered as KP_AGREED_FLAG. NULL: 0. */
    uint64_t (*flag)(struct kp_router *r);
    /* Fills `slot` or `words_out`. `phase` is 0 at the first call. Called only while any processor
     * holds a packet. */
    enum kp_step (*decide)(struct kp_router *r);
    /* The formula's value, in thousandths. */
    uint64_t (*bound_value)(uint64_t n, uint64_t h);
};

const struct kp_protocol *kp_protocol_row(int i); /* NULL past the end; 0 is the default */

/* Makes the router of one processor; `load` is to be filled afterwards, or, with two stages,
 * `waiting`, and kp_router_filled to be called. False: no memory. */
bool kp_router_begin(struct kp_router *r, int32_t n, int32_t rank,
                     const struct kp_protocol *protocol, bool two_stage, uint64_t seed);
void kp_router_filled(struct kp_router *r, int64_t column);
void kp_router_end(struct kp_router *r);

/* What it offers; then, when `agreed` has the maxima, its next step. */
void kp_router_offer(struct kp_router *r, uint64_t offered[KP_AGREED]);
enum kp_step kp_router_decide(struct kp_router *r);

/* The packet of slot `to` has left; a packet for `destination` has come from `from`. */
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

/* No slot carries a packet. */
void kp_router_clear(struct kp_router *r);

/* A packet for each destination goes there, where there is one and the slot is free. */
void kp_router_direct(struct kp_router *r);

/* Whether packets may be left with others in this round. */
bool kp_router_may_detour(const struct kp_router *r);

/* The larger of the loads and the columns: by how many messages what is left is a relation. */
int64_t kp_router_relation(const struct kp_router *r);

/* The one list of protocols: a row each. */
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
