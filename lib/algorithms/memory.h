/* This header is for operations on a machine whose processors communicate through a shared memory.
 * At most a limited number of processors can write or read at the same time.
 *
 * Source: Saad and Schultz 1986, section 2 (B). The scratch of the processors stands for the shared
 * memory. A processor writes by moving blocks to its own scratch. A processor reads by receiving
 * blocks from another processor's scratch (lib/topology/shared_memory.c). In a round either some
 * processors write or some read. C1 and C2 count only the rounds in which processors read, because
 * only these rounds have messages. */
#ifndef KPORT_LIB_ALGORITHMS_MEMORY_H
#define KPORT_LIB_ALGORITHMS_MEMORY_H

#include "kport/schedule.h"

/* The parameter `at_once`, values[0], is the number of processors that write or read in a round (k*
 * in the paper). `kp_memory_low` returns its lowest value, 1. The highest value depends on the
 * operation. `kp_memory_readers` returns k, for operations in which all processors read from the
 * root. `kp_memory_all` returns n, for operations in which every processor writes. */
long kp_memory_low(const kp_problem *problem);
long kp_memory_readers(const kp_problem *problem);
long kp_memory_all(const kp_problem *problem);

#define KP_MEMORY_PARAMETER(most, words)                                                           \
    {                                                                                              \
        .name = "at_once", .summary = "how many processors write or read at once",                 \
        .range = "1 ... " words, .low = kp_memory_low, .high = most                                \
    }

/* Returns how many rounds it takes if each of `processors` processors writes, or reads, once. */
int kp_memory_rounds(const kp_problem *problem, int processors);

/* Returns 1 if processor i is one of those that write, or read, in round `round`, else 0.
 * Processors and rounds count from 0. */
int kp_memory_turn(const kp_problem *problem, int i, int round);

/* Stores C1 and C2 of an index, a concatenation, a broadcast or a scatter through the memory. Each
 * message is one block. */
void kp_memory_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2);

/* `kp_memory_exchange` builds index and concatenation. Every processor writes its blocks, then
 * reads from every other processor the block that it needs. In an index a processor writes one
 * block for each other processor. In a concatenation it writes one block for all. These algorithms
 * need k = n - 1, because a processor reads from all others in one round. If k is less,
 * `kp_memory_serves` returns the text `kp_memory_restriction`. */
extern const char kp_memory_restriction[];
const char *kp_memory_serves(const kp_problem *problem);
int kp_memory_exchange(kp_builder *b, const kp_problem *problem);

/* Builds broadcast and scatter. The root writes its one block (broadcast), or its block for each
 * other processor (scatter). After that the other processors read. */
int kp_memory_from_root(kp_builder *b, const kp_problem *problem);

#endif
