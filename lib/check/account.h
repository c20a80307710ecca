/* The account of a wrong schedule: which block goes astray first, where, and the way of this block
 * so far, in words for those who write an algorithm. */
#ifndef KPORT_LIB_ACCOUNT_H
#define KPORT_LIB_ACCOUNT_H

#include "kport/schedule.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The message or the place at which a schedule goes wrong, for a picture. */
struct kp_mark {
    /* The round; -1: before the first round; the number of rounds: at the end. */
    int round;
    /* The sender and the receiver; the same processor if no message is concerned. */
    int from, to;
    int port;     /* the sender's port, or -1 */
    bool missing; /* true: the message ought to be there, but nobody sends it */
    int rounds;   /* as many rounds can be carried out */
    /* Another message of the round, with which this one cannot be. */
    bool has_other;
    int other_from, other_to, other_port;
    /* The place that is wrong, a cell of the processor `place_rank` (replay.h); less than 0: none
     * is concerned. */
    int place_rank;
    int64_t place;
    const char *sentence; /* what is wrong, in words, for a picture that says it; or NULL */
    const char *kind;     /* a word for the fault, as "port" or "result"; programs read it */
};

/* Checks a schedule as kp_schedule_check does; if `same_order` is true, as if its problem asked for
 * that. If the schedule is wrong, writes the account to `out` and sets `mark`. Returns KP_OK, or
 * the status of the error that is set: KP_ESCHEDULE, KP_EMEMORY. The schedule may lack messages
 * (kp_account_build). */
int kp_account_write(const kp_schedule *schedule, bool same_order, FILE *out, struct kp_mark *mark);

/* Checks a schedule as if its problem asked for same_order. Returns KP_OK, or sets and returns
 * KP_ESCHEDULE or KP_EMEMORY. */
int kp_account_check_order(const kp_schedule *schedule);

/* Builds a schedule as kp_schedule_build does, but also if a message lacks its partner or has
 * another length there. Such a schedule is only for kp_account_write and drawings. */
int kp_account_build(const kp_problem *problem, kp_schedule **schedule);

#endif
