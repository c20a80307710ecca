/* What the places hold when the steps are carried out in the graph's order, with symbols instead of
 * data. A symbol stands for a chunk of a rank's input, or for a sum; contributions.h has the
 * operands of a sum. Equal sums that are made in the same way have the same symbol: then the bits
 * are the same too. The two operands of an addition may be exchanged. */
#ifndef KPORT_TOOLS_MSCCL_VALUES_H
#define KPORT_TOOLS_MSCCL_VALUES_H

#include "tools/kport/msccl/places.h"

#include "lib/check/contributions.h"

typedef uint32_t msccl_symbol;

#define MSCCL_NOTHING ((msccl_symbol)0) /* nothing has arrived */

/* The reason why a sum is wrong. Its symbol is at the upper end of the numbers. */
struct msccl_spoiled {
    uint32_t step;
    enum kp_clash clash; /* KP_NO_CLASH: one operand is a place in which nothing has arrived */
    int member;
};

struct msccl_values {
    const struct msccl_places *p;
    const struct msccl_graph *g;
    int32_t root; /* of a broadcast */
    struct kp_contributions contributions;
    struct kp_vector spoiled; /* of struct msccl_spoiled */
    struct kp_vector sums;    /* of struct sum: a table that finds the symbol of two operands */
    uint32_t sum_room;
    bool no_memory, combined;

    msccl_symbol *initial; /* for each place, what it holds before the first step */
    msccl_symbol *held;    /* for each place, what it holds in the end */
    msccl_symbol *moved;   /* for each unit, what it sends or writes, or what an addition leaves */
    /* For each place, whether additions to it may come in several orders; NULL: nowhere. */
    const uint8_t *unordered;
};

/* Carries out all steps. Returns false if there is no memory. The caller must call msccl_values_end
 * in any case. */
bool msccl_values_begin(struct msccl_values *v, const struct msccl_graph *g,
                        const struct msccl_places *p, const uint8_t *unordered);
void msccl_values_end(struct msccl_values *v);

/* Returns whether two symbols have the same contributions. */
bool msccl_same_contributions(const struct msccl_values *v, msccl_symbol a, msccl_symbol b);

/* Returns the symbol of a chunk of a rank's input. */
msccl_symbol msccl_symbol_of(const struct msccl_values *v, int32_t rank, int32_t chunk);

/* Returns the reason why a symbol stands for a wrong sum; NULL: it is no wrong sum. */
const struct msccl_spoiled *msccl_spoiled_of(const struct msccl_values *v, msccl_symbol symbol);

#endif
