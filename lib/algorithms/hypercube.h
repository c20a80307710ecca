/* Functions that the algorithms on the hypercube share. The hypercube has n = 2^d processors. Two
 * processors are neighbours if their ranks differ in one bit. Link j of a processor leads to the
 * neighbour whose rank differs in bit j. */
#ifndef KPORT_LIB_ALGORITHMS_HYPERCUBE_H
#define KPORT_LIB_ALGORITHMS_HYPERCUBE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_MOST_DIMENSIONS 19 /* n < 2^20 */

/* The restriction and the `serves` of these algorithms. */
extern const char kp_hypercube_restriction[];
const char *kp_hypercube_serves(const kp_problem *problem);

/* Returns d for n = 2^d. */
int kp_hypercube_dimensions(int n);

/* Returns the number of bits that are set. The distance of two ranks is the weight of their
 * exclusive or. */
int kp_weight(int label);

/* Returns the number of subsets of size i of a set of d elements. d is at most KP_MOST_DIMENSIONS.
 */
int64_t kp_choose(int d, int i);

/* --- Tokens, each of which enters a processor over one link ---
 *
 * In a total exchange on the hypercube every processor receives a token from each other one. For
 * processor B the token of processor T has the label T xor B. B receives it over the link of one of
 * the label's set bits. The labels of one weight are shared out among the d links so that the
 * numbers of labels of two links differ by at most one. The fuller links are the first ones. */
struct kp_shares {
    int d;
    int *labels; /* labels 1 ... 2^d - 1, sorted by weight, then by link, then by number */
    int begin[KP_MOST_DIMENSIONS * KP_MOST_DIMENSIONS + 1];
};

/* Returns false if there is no memory. */
bool kp_shares_make(struct kp_shares *shares, int d);
void kp_shares_free(struct kp_shares *shares);

/* Returns the labels of weight `weight`, 1 ... d, that enter over link `link`, 0 ... d - 1. */
const int *kp_share(const struct kp_shares *shares, int weight, int link, int *count);

/* Adds the pieces of a message over link `link` into processor `into`: for every token of weight
 * low ... high that enters over the link, its place in KP_IN. Sender and receiver have the same
 * pieces. */
void kp_shares_build_pieces(kp_builder *b, const struct kp_shares *shares, int low, int high,
                            int link, int into);

/* Returns whether such a message has any piece. If it has none for a link, it has none for higher
 * links. */
bool kp_shares_any(const struct kp_shares *shares, int low, int high, int link);

/* Adds the rounds and the blocks of a step in which the tokens of the weights low ... high enter
 * over all links, k links in a round. For each weight let q and m be quotient and remainder of
 * C(d, weight) / d. The first m links carry q + 1 tokens of the weight, the others q. */
void kp_shares_add_step(int d, int k, int low, int high, uint64_t *rounds, uint64_t *blocks);

#endif
