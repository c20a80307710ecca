/* Operations through a shared memory. First processors write, then processors read, a limited
 * number at a time.
 *
 * Source: Saad and Schultz 1986, section 2 (B). Scratch is the memory. In a round that writes,
 * processors move blocks to scratch. In a round that reads, other processors receive blocks from
 * there (lib/topology/shared_memory.c). C1 and C2 count the rounds that read, because only these
 * have messages. */
#ifndef KPORT_LIB_ALGORITHMS_MEMORY_H
#define KPORT_LIB_ALGORITHMS_MEMORY_H

#include "kport/schedule.h"

/* The parameter, values[0], is the number of processors that write or read in a round (k* in the
 * paper). `kp_memory_low` returns its lowest value, 1. `kp_memory_readers` returns the highest if
 * all read from one processor, k. `kp_memory_all` returns the highest if all write, n. */
long kp_memory_low(const kp_problem *problem);
long kp_memory_readers(const kp_problem *problem);
long kp_memory_all(const kp_problem *problem);

#define KP_MEMORY_PARAMETER(most, words)                                                           \
    {                                                                                              \
        .name = "at_once", .summary = "how many processors write or read at once",                 \
        .range = "1 ... " words, .low = kp_memory_low, .high = most                                \
    }

/* Returns the number of rounds in which `processors` processors have one turn each. */
int kp_memory_rounds(const kp_problem *problem, int processors);

/* Returns whether processor i has its turn in round `round`, where both count from 0. */
int kp_memory_turn(const kp_problem *problem, int i, int round);

/* C1 and C2 of the four operations below. Each message is one block. */
void kp_memory_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

/* Index and concatenation. Every processor writes its blocks for the others, then reads the others'
 * blocks for it. In an index its blocks for the others differ, in a concatenation they are the
 * same. Needs k = n - 1. */
extern const char kp_memory_restriction[];
const char *kp_memory_serves(const kp_problem *problem);
int kp_memory_exchange(kp_builder *b, const kp_problem *problem);

/* Broadcast and scatter. The root writes its block, or its blocks for the others. Then the others
 * read. */
int kp_memory_from_root(kp_builder *b, const kp_problem *problem);

#endif
