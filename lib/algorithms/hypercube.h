/* What the algorithms on the hypercube share: n = 2^d processors, neighbours where the ranks differ
 * in one bit. Link j of a processor changes bit j. */
#ifndef KPORT_LIB_ALGORITHMS_HYPERCUBE_H
#define KPORT_LIB_ALGORITHMS_HYPERCUBE_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_MOST_DIMENSIONS 19 /* n < 2^20 */

/* In words, and as a row's `serves`. */
extern const char kp_hypercube_restriction[];
const char *kp_hypercube_serves(const kp_problem *problem);

/* d, for n = 2^d. */
int kp_hypercube_dimensions(int n);

/* Bits that are set: the distance of two ranks is the weight of their exclusive or. */
int kp_weight(int label);

/* Sets of i among d. d at most KP_MOST_DIMENSIONS. */
int64_t kp_choose(int d, int i);

/* --- Tokens, each of which enters a processor over one link ---
 *
 * In a total exchange on the hypercube processor B knows the token of processor T by its label, T
 * xor B, and lets it in over one of the label's set bits. The labels of one weight are shared out
 * among the d links so that no two links differ by more than one label, the fuller ones first. */
struct kp_shares {
    int d;
    int *labels; /* 1 ... 2^d - 1 by weight, then link, then number */
    int begin[KP_MOST_DIMENSIONS * KP_MOST_DIMENSIONS + 1];
};

/* False: no memory. */
bool kp_shares_make(struct kp_shares *shares, int d);
void kp_shares_free(struct kp_shares *shares);

/* The labels of that weight, 1 ... d, that enter over that link, 0 ... d - 1. */
const int *kp_share(const struct kp_shares *shares, int weight, int link, int *count);

/* The contents of a message over a link into processor `into`: of the weights low ... high, the
 * place in KP_IN of every token that enters over that link. Sender and receiver name the same. */
void kp_shares_build_pieces(kp_builder *b, const struct kp_shares *shares, int low, int high,
                            int link, int into);

/* Whether such a message holds anything. If one over some link does not, none over a higher does.
 */
bool kp_shares_any(const struct kp_shares *shares, int low, int high, int link);

/* Adds rounds and blocks of a step in which the tokens of the weights low ... high enter over all
 * links, k of them in a round: with q and m quotient and remainder of C(d, weight) / d, the first m
 * links carry q + 1 tokens of a weight, the others q. */
void kp_shares_add_step(int d, int k, int low, int high, uint64_t *rounds, uint64_t *blocks);

#endif
