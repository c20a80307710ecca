/* The survey: what every processor is doing, put together for a diagnosis.
 *
 * It is taken under the machine's lock and told after the lock has been let go, so everything told
 * is a copy. Where nobody is to be told, taking it is a look at the configuration. */
#ifndef KPORT_PORTS_SURVEY_H
#define KPORT_PORTS_SURVEY_H

#include "kport/diagnosis.h"
#include "ports/machine_data.h"

/* What is known beside the notes of those that sleep. */
struct kp_scene {
    const kp_group *waiter;          /* of the calling processor, which has waited until now */
    int awaited;                     /* for that processor; -1: for those missing in the pass */
    const struct kp_shared *meeting; /* all members stand in one pass until the caller goes on, so
                                        their calls can be read; NULL: none */
};

struct kp_survey {
    kp_diagnosis told;
    kp_machine *machine;
    const struct kp_scene *scene;
    struct kp_chunk *chunks; /* memory of all that is told */
    const char *last_call;   /* neighbours mostly call the same, in the same way */
    const char *last_way;
    int *ranks; /* by processor, of those that meet */
    bool taken;
};

/* Before anything else. */
void kp_survey_begin(struct kp_survey *survey, kp_machine *machine);

/* Under the machine's lock, before the failure is published. `scene` may be NULL. */
void kp_survey_take(struct kp_survey *survey, kp_diagnosis_kind kind, const kp_error_record *why,
                    const struct kp_scene *scene);

/* The same for whoever asks; the sentence is made up. */
void kp_survey_now(struct kp_survey *survey);

/* Room for the processors that it is about; NULL where nobody is to be told. */
int *kp_survey_concerned(struct kp_survey *survey, int count);

/* The members that have not come to the pass that a seat is in; `late`: kp_watch_missing. */
void kp_survey_concerns_missing(struct kp_survey *survey, const kp_group *seat, bool late);

/* Whether somebody sleeps until that processor comes. */
bool kp_survey_awaits(const struct kp_survey *survey, int processor);

/* Without the lock: tells it if it was taken, and frees it. */
void kp_survey_tell(struct kp_survey *survey);

/* Frees it. */
void kp_survey_drop(struct kp_survey *survey);

#endif
