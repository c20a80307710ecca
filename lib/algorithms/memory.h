/* Operations through a shared memory: everybody writes, then everybody reads, some at a time.
 *
 * Saad and Schultz 1986, section 2 (B). Scratch is the memory: a round in which processors move
 * blocks to scratch writes, a round in which others receive them from there reads
 * (lib/topology/shared_memory.c). C1 and C2 count the rounds with messages only, those that read.
 */
#ifndef KPORT_LIB_ALGORITHMS_MEMORY_H
#define KPORT_LIB_ALGORITHMS_MEMORY_H

#include "kport/schedule.h"

/* The parameter, values[0]: how many processors write or read in a round (k* in the paper). As many
 * as read from one processor at most, or as many as there are. */
long kp_memory_low(const kp_problem *problem);
long kp_memory_readers(const kp_problem *problem);
long kp_memory_all(const kp_problem *problem);

#define KP_MEMORY_PARAMETER(most, words)                                                           \
    {                                                                                              \
        .name = "at_once", .summary = "how many processors write or read at once",                 \
        .range = "1 ... " words, .low = kp_memory_low, .high = most                                \
    }

/* Rounds in which so many processors have their turn. */
int kp_memory_rounds(const kp_problem *problem, int processors);

/* Whether it is the turn of the i-th in a round. */
int kp_memory_turn(const kp_problem *problem, int i, int round);

/* Of the four operations below; each message is a block. */
void kp_memory_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

/* All write the blocks for the others, which are different for each (index) or the same
 * (concatenation), and read those for themselves: needs k = n - 1. */
extern const char kp_memory_restriction[];
const char *kp_memory_serves(const kp_problem *problem);
int kp_memory_exchange(kp_builder *b, const kp_problem *problem);

/* The root writes its block (broadcast), or those for the others (scatter); then these read. */
int kp_memory_from_root(kp_builder *b, const kp_problem *problem);

#endif
