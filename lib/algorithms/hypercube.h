/* This header has functions that the algorithms on the hypercube share. The hypercube has n = 2^d
 * processors. Two processors are neighbours if their ranks differ in exactly one bit. Link j of a
 * processor leads to the neighbour whose rank differs in bit j. */
#ifndef KPORT_LIB_ALGORITHMS_HYPERCUBE_H
#define KPORT_LIB_ALGORITHMS_HYPERCUBE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_MOST_DIMENSIONS 19 /* n < 2^20 */

/* `kp_hypercube_serves` is the function `serves` (kp_algorithm) of these algorithms. If n is not a
 * power of 2, it returns the text `kp_hypercube_restriction`. */
extern const char kp_hypercube_restriction[];
const char *kp_hypercube_serves(const kp_problem *problem);

/* Returns d, where n = 2^d. */
int kp_hypercube_dimensions(int n);

/* Returns the weight of a label: the number of its bits that are set. The distance of two
 * processors is the weight of the exclusive or of their ranks. */
int kp_weight(int label);

/* Returns C(d, i), the number of subsets of size i of a set of d elements. d is at most
 * KP_MOST_DIMENSIONS. */
int64_t kp_choose(int d, int i);

/* --- The link over which a block enters a processor ---
 *
 * In a concatenation on the hypercube every processor B receives the block of every other processor
 * T. The label of this block at B is T xor B. B receives the block over link j, where j is one of
 * the set bits of the label. A `kp_shares` assigns such a link to every label. It spreads the
 * labels of one weight over the d links as evenly as possible. If d does not divide the number of
 * these labels, the first links have one label more than the others. */
struct kp_shares {
    int d;
    int *labels; /* the labels 1 ... 2^d - 1, in the order of weight, then link, then value */
    int begin[KP_MOST_DIMENSIONS * KP_MOST_DIMENSIONS + 1];
};

/* `kp_shares_make` chooses a link for every label of d bits. It returns false if there is no
 * memory. `kp_shares_free` frees the result. */
bool kp_shares_make(struct kp_shares *shares, int d);
void kp_shares_free(struct kp_shares *shares);

/* Returns the labels of weight `weight` (1 ... d) whose link is `link` (0 ... d - 1), and stores
 * their number in `count`. */
const int *kp_share(const struct kp_shares *shares, int weight, int link, int *count);

/* Adds the pieces of a message that goes to processor `into` over link `link`. The message has
 * every block whose label at `into` has a weight of low ... high and is assigned to this link. Each
 * piece is the position of one of these blocks in KP_IN. This position is the same at sender and
 * receiver, so both call this function with the same arguments. */
void kp_shares_build_pieces(kp_builder *b, const struct kp_shares *shares, int low, int high,
                            int link, int into);

/* Returns whether the message of kp_shares_build_pieces has any block. If the message over one link
 * has none, the messages over higher links have none, because no higher link has more labels. */
bool kp_shares_any(const struct kp_shares *shares, int low, int high, int link);

/* Adds the cost of a step in which the blocks with labels of the weights low ... high enter all
 * processors. Up to k links share a round. `rounds` grows by the number of rounds. `blocks` grows
 * by the length of the longest message of each round. For each weight let q and m be the quotient
 * and the remainder of C(d, weight) / d. Of the blocks of this weight, each of the first m links
 * carries q + 1, and each other link q. */
void kp_shares_add_step(int d, int k, int low, int high, uint64_t *rounds, uint64_t *blocks);

#endif
