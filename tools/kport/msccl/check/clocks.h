/* Which steps of a rank come before which. A clock of a step says for each thread block how many of
 * its steps come before. Clocks of all thread blocks for all steps would take too much memory. So
 * only the thread blocks of one rank are counted at a time, and of these only the ones that are
 * asked for: two steps that touch the same place belong to the same rank. */
#ifndef KPORT_TOOLS_MSCCL_CLOCKS_H
#define KPORT_TOOLS_MSCCL_CLOCKS_H

#include "tools/kport/msccl/graph.h"

struct msccl_clocks {
    const struct msccl_graph *g;
    /* For each thread block, its column; MSCCL_NONE. A count has 16 bits. A thread block with more
     * steps has several columns, for a part of its steps each. */
    uint32_t *column;
    uint32_t columns;
    uint16_t *rows; /* for each position in the order, a count for each column */
    size_t room;    /* the size of `rows` */
};

/* The largest memory for the clocks of a rank, in bytes. */
#define MSCCL_MOST_CLOCKS ((size_t)850 << 20)

bool msccl_clocks_begin(struct msccl_clocks *c, const struct msccl_graph *g);
void msccl_clocks_end(struct msccl_clocks *c);

/* Counts the thread blocks of the rank that are marked in `wanted`, which has a byte for each
 * thread block. Returns false if this takes more memory than there is or than is allowed. */
bool msccl_clocks_make(struct msccl_clocks *c, int32_t rank, const uint8_t *wanted);

/* Returns whether step a comes before step b. The thread block of `a` must have been marked. */
bool msccl_before(const struct msccl_clocks *c, uint32_t a, uint32_t b);

#endif
