/* Plans: which schedule serves a call, found once and kept for the next.
 *
 * Two levels. Each seat has a small table, looked at with one probe and no lock. Behind it the
 * machine has one for all, with a lock, bounded in bytes; a plan that a seat still holds survives
 * being dropped from it. */
#ifndef KPORT_LIB_PLAN_H
#define KPORT_LIB_PLAN_H

#include "kport/collective.h"
#include "kport/model.h"
#include "kport/profile.h"
#include "lib/execute.h"
#include "lib/schedule_data.h"
#include "ports/port.h"

#include <stddef.h>
#include <stdint.h>

/* A schedule in use; counted references, under the lock of the machine's plans. */
struct kp_shared_plan {
    struct kp_schedule *schedule;
    int64_t c1;
    int64_t c2_units; /* C2 in units of the schedule */
    unsigned references;
    struct machine_plans *machine; /* whose lock they are under */
};

/* What decides which schedule serves: a problem as it was asked or, exact, as it is served. The
 * operator may be gone by the next call: what counts of it is copied. */
struct kp_plan_key {
    kp_problem problem;
    size_t element; /* bytes */
    bool ordered;
    bool of_root; /* the schedule is for that root only */
};

/* The arguments that a plan was called with last, and what follows from them (recent.c): those that
 * a plain call is compared with, */
struct kp_steps;
struct kp_again {
    bool plain; /* by steps, no `how`, out of place, no scratch, nothing to be aligned */
    kp_operation operation;
    int root;
    size_t b;
    size_t out_bytes, in_bytes; /* of the buffers that are to be looked at */
};

/* and the others. */
struct kp_recent {
    bool valid;
    bool out_in_place, in_in_place, one_buffer;
    kp_type type;
    int to;
    size_t count;
    const kp_operator *op;
    kp_how how;
    uintptr_t misaligned; /* bits that no address may have */
    size_t scratch_bytes;
    kp_problem asked; /* without its algorithm */
};

/* A call as asked, and what serves it. */
struct kp_prepared {
    /* All that a plain call reads that comes again: a line. Where members share cores, each finds
     * its lines gone. */
    struct kp_again again;
    struct kp_steps *steps; /* NULL where not written out */
    struct kp_call shown;   /* the problem, with root and operator (kp_call_show) */

    struct kp_plan_key asked; /* n and k of the seat; algorithm, values as in the call's `how` */
    kp_problem problem;       /* nothing left open */
    struct kp_shared_plan *plan;
    size_t unit_bytes;
    uint64_t fingerprint;
    uint64_t c1, c2; /* C2 in bytes */
    struct kp_execution execution;
    struct kp_recent recent;
    bool steps_tried;
    uint32_t trace_subject; /* KP_TRACE_UNASKED: it was not traced yet */
};

_Static_assert(offsetof(struct kp_prepared, shown.describe) <= 64, "what comes again is a line");

/* Finds or makes what serves `asked`. NULL if there is none: then the processor's error is set. The
 * result is the seat's and stays valid until its next call. */
struct kp_prepared *kp_plan_find(kp_group *seat, const kp_problem *asked);

/* What a seat's attachment begins with: what served its last call of each operation; NULL if
 * nothing is kept. */
struct kp_latest {
    struct kp_prepared *of[KP_OPERATIONS];
};
void kp_plan_set_recent(kp_group *seat, kp_operation operation, struct kp_prepared *prepared);

/* To be called before anything changes that steps depend on. */
void kp_plan_forget_steps(struct kp_prepared *prepared);

/* Keeps a plan that was found, beyond the seat's next call; and lets go of it, even when the
 * machine is gone. */
void kp_plan_hold(struct kp_shared_plan *plan);
void kp_plan_release(struct kp_shared_plan *plan);

/* Memory of the seat for the time of a call, kept for the next; NULL if there is none. */
char *kp_plan_scratch(kp_group *seat, size_t bytes);

/* What the seat keeps for operations whose blocks have lengths of their own; NULL if there is no
 * memory. */
struct kp_lengths *kp_plan_lengths(kp_group *seat);

/* Buffers that routing uses again, which the seat holds; NULL: no memory. */
struct kp_spare *kp_plan_spare(kp_group *seat);

/* The constants by which the machine's algorithms are chosen. */
kp_model kp_plan_model(const kp_group *seat, int n, int k);

/* The machine's profile (NULL: none), and whether first calls are to be measured. False: no memory.
 */
bool kp_plan_profile(kp_group *seat, const kp_profile **profile, bool *measured);

/* Where the seat's trials are kept (trials.c), from malloc; NULL: no memory. */
struct kp_trials **kp_plan_trials(kp_group *seat);

/* Equal for problems that are equal but for n, k, root and in_place; the algorithm may be open. */
uint64_t kp_plan_fingerprint(const kp_problem *problem);

#endif
