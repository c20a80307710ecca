/* What a check has found. A finding is a sentence, and either makes the schedule wrong or is only
 * told. */
#ifndef KPORT_TOOLS_MSCCL_FINDINGS_H
#define KPORT_TOOLS_MSCCL_FINDINGS_H

#include "lib/schedule/vector.h"

#include <stdbool.h>

enum finding_kind {
    FINDING_CONNECTION, /* two thread blocks on one connection */
    FINDING_MESSAGE,    /* a message without a receive, or of another length than its receive */
    FINDING_BOUNDS,     /* a step reads or writes beyond a buffer */
    FINDING_DEADLOCK,
    FINDING_RACE,
    FINDING_RESULT, /* a chunk that is missing or wrong at the end */
    FINDING_ORDER,  /* sums that are made in other orders */
    FINDING_BENIGN, /* a race that changes no result */
    FINDING_NOTE,
    FINDING_KINDS
};

struct finding {
    enum finding_kind kind;
    char *sentence;
};

/* Of each kind, this many sentences are kept; beyond that they are only counted. */
#define FINDINGS_KEPT 100

struct findings {
    struct kp_vector list; /* of struct finding, in the order in which they were found */
    size_t counts[FINDING_KINDS];
    const char *prefix; /* begins every sentence from now on */
    bool no_memory;     /* a sentence is lost */
};

/* Returns the word for the kind, as in "race". */
const char *finding_kind_name(enum finding_kind kind);

__attribute__((format(printf, 3, 4))) void findings_add(struct findings *f, enum finding_kind kind,
                                                        const char *format, ...);
/* Counts a finding without a sentence. */
void findings_count(struct findings *f, enum finding_kind kind);
void findings_end(struct findings *f);

/* Whether some finding makes the schedule wrong. `order` says whether a difference of order does.
 */
bool findings_wrong(const struct findings *f, bool order);

#endif
