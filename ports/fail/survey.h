/* The survey: what every processor is doing, put together for a diagnosis.
 *
 * It is taken under the machine's lock and told after the lock has been let go, so everything told
 * is a copy. Where nobody is to be told, taking it is a look at the configuration. */
#ifndef KPORT_PORTS_SURVEY_H
#define KPORT_PORTS_SURVEY_H

#include "kport/diagnosis.h"
#include "ports/machine_data.h"

struct kp_survey {
    kp_diagnosis told;
    kp_machine *machine;
    struct kp_piece *pieces; /* memory of what is told */
    bool taken;
    int about[2]; /* whom it concerns, where they are no more */

    /* What is known beside the notes of those that sleep, to be set before it is taken. */
    kp_group *waiter;                /* of the calling processor, which has waited until now */
    int awaited;                     /* for that processor; -1: for those missing in the pass */
    const struct kp_shared *meeting; /* all members stand in one pass until the caller goes on, so
                                        their calls can be read; NULL: none */
};

/* Takes the machine's lock. The second for who gives up a wait whose time is over, for a processor
 * or (-1) in a pass: who describes others meanwhile finds this one waiting still. */
void kp_survey_begin(struct kp_survey *survey, kp_machine *machine);
void kp_survey_begin_late(struct kp_survey *survey, kp_group *waiter, int awaited);

/* Before the failure is published; it concerns these processors (-1: none). */
void kp_survey_take(struct kp_survey *survey, kp_diagnosis_kind kind, const kp_error_record *why,
                    int processor, int other);

/* Room for as many as it concerns; NULL where nobody is to be told. */
int *kp_survey_concerned(struct kp_survey *survey, int count);

/* It concerns the members that have not come to the pass that a seat is in; `late`:
 * kp_watch_missing. */
void kp_survey_concerns_missing(struct kp_survey *survey, const kp_group *seat, bool late);

/* Whether somebody sleeps until that processor comes. */
bool kp_survey_awaits(const struct kp_survey *survey, int processor);

/* Lets the lock go, and tells it if it was taken. */
void kp_survey_end(struct kp_survey *survey);

#endif
