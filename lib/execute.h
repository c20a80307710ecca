/* One processor's way through a schedule. */
#ifndef KPORT_LIB_EXECUTE_H
#define KPORT_LIB_EXECUTE_H

#include "lib/operator.h"
#include "lib/schedule_data.h"
#include "ports/port.h"

#include <stdbool.h>
#include <stdint.h>

struct kp_prepared;

/* Makes calls with other roots or operators other calls. Members' fingerprints are compared by
 * their sum, so those of roots 0, 1 and 2 may not lie in a row: all bits are mixed (Steele, Lea,
 * Flood 2014). None is that of a refused call. */
static inline uint64_t kp_call_fingerprint(uint64_t plan, int root, uint64_t op)
{
    uint64_t x = plan + op + UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)root;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x != KP_REFUSED ? x : 1;
}

/* One processor's memory as the schedule sees it. */
struct kp_view {
    char *base[KP_SPACES];
    int64_t shift[KP_SPACES]; /* what its rank, or the root, adds to a position */
    int rank;                 /* counted from the root */
};

/* All about a call that stays the same from one to the next: made when its plan is found. */
struct kp_execution {
    const struct kp_schedule *schedule;
    size_t unit;             /* bytes */
    int64_t size[KP_SPACES]; /* positions wrap at the size of a space, where they wrap at all */
    bool digits[KP_SPACES];  /* positions follow the rank digit by digit, not by a shift */
    bool describes;          /* in some round messages stay where they are */
    bool by_mail;            /* rounds are kept by the mailboxes */
    bool long_rows;          /* by the mailboxes, in some round one member may pack a long row */
    bool past_cache;         /* what is described is more than the caches hold */
    bool moves_early;        /* the moves before round 0 are to be done before its messages go */
    bool own_root;           /* nothing is counted from the root */
    int root;                /* that ranks are counted from */
    size_t element;          /* of a reduction: bytes, and what combines them */
    kp_combine *combine;
    void *context;
    struct kp_view own;
};

void kp_execution_prepare(struct kp_execution *e, const struct kp_schedule *schedule, size_t unit,
                          kp_group *seat, bool may_mail);

/* A schedule is written for root 0; for another one all is counted from there. */
void kp_execution_set_root(struct kp_execution *e, int root, int rank);

/* Carries out a prepared call. `scratch` holds the schedule's scratch units. 0, or the status of
 * the error that is set at the processor. */
int kp_execute(kp_group *seat, struct kp_prepared *call, const char *out, char *in, char *scratch);

/* --- How a round is carried out: the executor and what is written out (lib/steps.h) alike --- */

/* Whether the messages of a round go through the rows. */
bool kp_is_eager(const struct kp_execution *e, const kp_group *seat, int round);

/* How many bytes of a described message its sender copies, from the beginning; the rest is its
 * receiver's. Both ends answer alike. All, where many send to one, as in a gather: all cores have
 * something to do then. Some, where the sender would have nothing to do, as the root of a
 * broadcast. Only in the last round, which the pass at the end of the call follows before anybody
 * reads what has come. */
size_t kp_sender_part(const struct kp_execution *e, const struct stored_message *received,
                      int sender, int receiver, int round);

/* Where to begin: with the same sender at all members, as far as the schedule lets them. Those that
 * run one after the other on a core then find what they read, and the ends of what they write, in
 * its cache. What is combined keeps its order. */
uint32_t kp_first_to_take(const struct kp_execution *e, const struct stored_round *r);

#endif
