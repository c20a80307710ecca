/* Plans: which schedule serves a call, found once and kept for the next.
 *
 * Two levels, each bounded in bytes. A member keeps its calls, with its own code, in a table
 * without a lock (lib/execute/cache.h). Behind it the machine keeps problems and schedules for all,
 * with a lock; a schedule that a member still holds survives being dropped there. */
#ifndef KPORT_LIB_PLAN_H
#define KPORT_LIB_PLAN_H

#include "kport/collective.h"
#include "kport/model.h"
#include "kport/persistent.h"
#include "kport/profile.h"
#include "lib/execute/interpret.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <stddef.h>
#include <stdint.h>

struct kp_tuned;

/* A schedule in use. */
struct kp_shared_plan {
    struct kp_schedule *schedule;
    uint64_t c1, c2_units;         /* C2 in units of the schedule */
    struct machine_plans *machine; /* under whose lock are: */
    unsigned references;           /* of who holds it, */
    unsigned entries;              /* and those of them that are the machine's own */
    size_t bytes;
    /* Of an algorithm that is not in the library's table; else NULL. Then `schedule` is NULL where
     * it could not be built. */
    struct kp_verdicts *verdicts;
};

/* A program's own operator as it was when the call was kept; another operator may have its address
 * by now. `combine` is NULL for operators of the library, and where there is none. */
struct kp_operator_seen {
    kp_combine *combine;
    size_t element_bytes;
    uint64_t fingerprint;
};

/* Where the two spaces of the caller lie: in which of the buffers out and in, or in scratch (by
 * kp_space), and how far behind its beginning. */
struct kp_places {
    uint8_t of[2];
    size_t offset[2];
};

/* A call, and what serves it. */
struct kp_prepared {
    /* The key of the call (lib/execute/cache.h), and everything else that a kept call reads, on one
     * cache line. Where members share a core, each line that a call reads has to be fetched again.
     */
    uint64_t what;
    size_t amount;
    size_t out_bytes, in_bytes; /* of the buffers that are to be looked at */
    struct kp_code *code;       /* NULL where none is kept */
    struct kp_call shown;       /* the problem, with root and operator */

    kp_how how;
    struct kp_operator_seen operator;
    uintptr_t misaligned;        /* bits that no address may have */
    kp_problem problem;          /* nothing left open */
    struct kp_shared_plan *plan; /* NULL: nothing has been prepared */
    struct kp_places places;
    size_t unit_bytes, scratch_bytes;
    uint64_t c1, c2; /* C2 in bytes */
    struct kp_lowering lowering;
    struct kp_combiner combiner; /* of a reduction */
    uint32_t trace_subject;      /* KP_TRACE_UNASKED: it was not traced yet */
};

_Static_assert(offsetof(struct kp_prepared, how) <= 64, "what comes again is a line");

/* --- What a member keeps (serve.c) --- */

/* Finds or makes what serves `asked`. Of the caller's algorithms, those of a `how` that is
 * trusted are not checked. The result stays valid until the member's next call but one,
 * and has its scratch (kp_plan_scratch). `keeps`: what serves it now will serve every call with
 * these arguments, so it may be kept. NULL: the processor's error is set. */
struct kp_prepared *kp_plan_find(kp_group *member, const kp_arguments *a, const kp_problem *asked,
                                 bool keeps);

/* Memory of the member for the time of a call, kept for the next: never less than before. NULL if
 * there is none. */
char *kp_plan_scratch(kp_group *member, size_t bytes);

/* What others keep with the member's plans, until these are freed; NULL: no memory. */
enum kp_kept {
    KP_KEPT_LENGTHS, /* lengths.c */
    KP_KEPT_TRIALS,  /* trials.c */
    KP_KEPT_SPARE,   /* route/service.c */
    KP_KEPTS
};
struct kp_attachment *kp_plan_kept(kp_group *member, enum kp_kept what);

/* --- One call (prepared.c) --- */

/* As kp_plan_find, into a place of the caller's, which is empty or holds an earlier one: 0, or the
 * status of the error that is set; then what was there is still there. And the end of one, even
 * when the machine is gone. There is no code in it yet (kp_lower). */
int kp_prepare(kp_group *member, const kp_problem *asked, const kp_how *how,
               struct kp_prepared *made);
void kp_prepared_end(struct kp_prepared *made);
void kp_prepared_free(struct kp_prepared *prepared); /* and its own memory; NULL is allowed */

/* Equal for problems that are equal but for n, k, root and in_place; the algorithm may be open. */
uint64_t kp_plan_fingerprint(const kp_problem *problem);

/* In words: how this member carries out what is prepared; the same of a call that others are shown,
 * "" if it is none that was prepared. */
void kp_way_word(const struct kp_prepared *call, const kp_group *member, char *text, size_t size);
void kp_way_word_call(const struct kp_call *call, const kp_group *member, char *text, size_t size);

/* --- What the machine keeps for all its members (plan.c) --- */

/* No data: there is no memory. `config`: with nothing left to defaults that a choice goes by; what
 * `tuned` owns is freed with the plans. And that configuration. */
struct kp_attachment kp_machine_plans(const kp_config *config, const struct kp_tuned *tuned);
const kp_config *kp_plan_config(const kp_group *member);

/* The plan that serves, held by who asked, and the problem with nothing left open; NULL: the error
 * is set. */
struct kp_shared_plan *kp_plan_serving(kp_group *member, const kp_problem *asked, const kp_how *how,
                                       kp_problem *problem, kp_discipline *rounds);

/* Take and release a reference to a plan. Releasing is allowed after the machine has ended. */
void kp_plan_hold(struct kp_shared_plan *plan);
void kp_plan_release(struct kp_shared_plan *plan);

/* By what the machine chooses. */
const struct kp_tuned *kp_plan_tuned(const kp_group *member);

#endif
