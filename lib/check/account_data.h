/* What the parts of an account share (account.h). */
#ifndef KPORT_LIB_ACCOUNT_DATA_H
#define KPORT_LIB_ACCOUNT_DATA_H

#include "lib/check/account.h"
#include "lib/check/finding.h"
#include "lib/check/ways.h"

#define KP_ACCOUNT_LINES 12 /* the most lines of a list, and hops of a way, that are written */

struct account {
    const kp_schedule *schedule;
    const kp_problem *problem;
    struct kp_finding finding;
    kp_error_record error; /* says the same in a sentence */
    struct kp_ways ways;
    struct kp_spot origins[KP_WAYS]; /* where the blocks come from that are followed */
    FILE *out;
    struct kp_mark *mark;
};

static const struct kp_spot kp_nowhere = {-1, KP_NOWHERE};

static inline bool kp_same_spot(struct kp_spot x, struct kp_spot y)
{
    return x.rank == y.rank && x.cell == y.cell;
}

/* --- account_words.c --- */

/* Returns the number of cells of a block. */
int64_t kp_account_cells(const struct account *a);

/* Write the name of a block, the name of a place, and the beginning of a line about a round. */
void kp_account_block(const struct account *a, struct kp_spot origin);
void kp_account_place(const struct account *a, kp_cell cell);
void kp_account_round(const struct account *a, int round);

/* Writes the way of a block. `shown` says which hops are part of it, NULL: all. `here` is the hop
 * that is marked, or -1. */
void kp_account_way(const struct account *a, const struct kp_way *way, const bool *shown, int here);

/* --- account_round.c: what the accounts of faults in a round share --- */

/* Returns how many messages a processor sends, or receives, in a round; 0 before the first one, and
 * for a processor that cannot be. */
int kp_account_messages(const struct account *a, int rank, int round, bool sending);

/* Follows the blocks that `find` chooses: it is called when the schedule has been carried out as
 * far as the checker came, and sets a->origins. Returns KP_OK or KP_EMEMORY. */
int kp_account_follow(struct account *a, void (*find)(struct account *a));

/* Of the messages of the finding's round whose sides do not agree, makes the finding and the error
 * be about the one that the build of a schedule names: the first by sender, then by receiver. */
void kp_account_first_pair(struct account *a);

/* Write to whom a processor sends in the finding's round, or from whom it receives; which block
 * goes astray, and at which processor; and the line of a way about a message or a move, which ends
 * with `remark`. */
void kp_account_partners(const struct account *a, int rank, bool sending);
void kp_account_stray(const struct account *a);
void kp_account_step(const struct account *a, const struct kp_finding *step, const char *remark);

/* --- account_ports.c: a message breaks the rules about ports and partners. Returns KP_OK or
 * KP_EMEMORY --- */
int kp_account_ports(struct account *a);

/* --- account_end.c: what is wrong after the last round. Both return KP_OK or KP_EMEMORY --- */
int kp_account_result(struct account *a); /* a block */
int kp_account_sum(struct account *a);    /* the result of a reduction */

/* Returns where the block comes from that belongs in a place of an incoming buffer. The operation
 * is no reduction. */
struct kp_spot kp_account_wanted(const struct account *a, struct kp_spot place);

#endif
