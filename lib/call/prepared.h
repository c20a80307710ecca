/* This header declares prepared calls, and the schedules that serve them. A call is prepared once
 * and kept, so that later equal calls find it.
 *
 * Calls are kept at two levels, each bounded in bytes. A member keeps its calls, with its own code,
 * in a table that needs no lock (lib/execute/cache.h). The machine keeps problems and schedules for
 * all members, in a table with a lock (schedules.c). A schedule that the machine has dropped exists
 * as long as a member holds it. */
#ifndef KPORT_LIB_CALL_PREPARED_H
#define KPORT_LIB_CALL_PREPARED_H

#include "kport/collective.h"
#include "kport/model.h"
#include "kport/persistent.h"
#include "kport/profile.h"
#include "lib/execute/interpret.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <stddef.h>
#include <stdint.h>

struct kp_key;
struct kp_laid;
struct kp_tuned;

/* A schedule that members and the machine's table share. */
struct kp_shared_schedule {
    struct kp_schedule *schedule;
    uint64_t c1, c2_units; /* C1, and C2 in units of the schedule */
    /* the machine's table; its lock protects the next two fields */
    struct machine_schedules *machine;
    unsigned references; /* the number of holders */
    unsigned entries;    /* how many of the holders are entries of the machine's table */
    size_t bytes;
    /* NULL for an algorithm of the library's table. For a user's own algorithm: the verdicts on its
     * schedule (lib/check/verdict.h). If that schedule could not be built, `schedule` is NULL. */
    struct kp_verdicts *verdicts;
};

/* The contents of a program's own operator at the time when the call was kept. The program may
 * later put another operator at the same address. `combine` is NULL for operators of the library,
 * and for calls without an operator. */
struct kp_operator_seen {
    kp_combine *combine;
    size_t element_bytes;
    uint64_t fingerprint;
};

/* The places where the spaces KP_OUT and KP_IN of the schedule lie in a call. Space s lies in the
 * caller's buffer of[s] (KP_OUT or KP_IN) or in scratch (KP_SCRATCH), and begins at offset[s] bytes
 * there. */
struct kp_spaces_of_call {
    uint8_t of[2];
    size_t offset[2];
};

/* A call, with everything that is needed to carry it out. */
struct kp_prepared {
    /* The key of the call (`what` and `amount`, see kp_key in lib/execute/cache.h), and everything
     * else that a kept call reads, lie on one cache line. If members share a core, each call has to
     * fetch each line again. */
    uint64_t what;
    size_t amount;
    size_t out_bytes, in_bytes; /* the bytes of each buffer that the call checks */
    struct kp_code *code;       /* NULL if no code is kept */
    struct kp_call published;   /* the call as other members see it; points to `problem` */

    kp_hints hints;
    struct kp_operator_seen operator;
    const kp_operator *plain_op; /* of a reduction that has no other arguments than its count, type,
                                    root and an operator of the library; else NULL */
    uintptr_t misaligned;        /* the bits that must be 0 in a buffer's address */
    kp_problem problem;          /* the problem with nothing left open */
    struct kp_shared_schedule *serving; /* NULL: nothing is prepared */
    struct kp_spaces_of_call spaces;
    struct kp_laid *laid; /* what is known of layouts (laid.h); NULL: blocks have none */
    size_t unit_bytes, scratch_bytes;
    uint64_t c1, c2; /* C2 in bytes */
    struct kp_lowering lowering;
    struct kp_combiner combiner; /* for reductions, blocks with lengths of their own, layouts */
    uint32_t trace_subject;      /* KP_TRACE_UNASKED until the call is traced */
};

_Static_assert(offsetof(struct kp_prepared, hints) <= 64, "a kept call reads one cache line of it");

/* --- What a member keeps (serve.c) --- */

/* `kp_prepared_make` prepares a call for the problem `asked`, and allocates the call's scratch
 * (kp_prepared_scratch). The result is valid until the member's next call but one. `key` is the
 * call's key (lib/execute/cache.h); the hints are in `key->a`. The schedule of a user's own
 * algorithm is checked unless the hints say that it is trusted. `keeps` says that the result serves
 * every call with this key, so the call cache may keep it. `kp_prepared_find` returns the call from
 * the call cache, and prepares it only if the cache does not have it. On an error, both set the
 * error at the processor and return NULL. */
struct kp_prepared *kp_prepared_make(kp_group *member, const struct kp_key *key,
                                     const kp_problem *asked, bool keeps);
struct kp_prepared *kp_prepared_find(kp_group *member, const kp_arguments *a,
                                     const kp_problem *asked);

/* Returns the member's scratch memory, at least `bytes` bytes, for use during a call. The member
 * keeps this memory for later calls, and it never becomes smaller. Returns NULL if there is no
 * memory. */
char *kp_prepared_scratch(kp_group *member, size_t bytes);

/* The kinds of data that other files keep with the member's calls, until the calls are freed.
 * `kp_kept_of` returns the place for such data, which is empty at first. It returns NULL if there
 * is no memory. */
enum kp_kept {
    KP_KEPT_LENGTHS, /* lib/lengths/lengths.c */
    KP_KEPT_TRIALS,  /* trials.c */
    KP_KEPT_SPARE,   /* route/service.c */
    KP_KEPTS
};
struct kp_attachment *kp_kept_of(kp_group *member, enum kp_kept what);

/* --- One call (prepared.c) --- */

/* `kp_prepare` prepares a call in `made`, which is empty or holds an earlier call. It uses no cache
 * and makes no code (kp_lower does). It returns 0, or the status of the error that is set. After an
 * error `made` still holds the earlier call. `kp_prepared_end` frees what a prepared call holds.
 * `kp_prepared_free` also frees `prepared`, which may be NULL. Both may be called even after the
 * machine's end. */
int kp_prepare(kp_group *member, const kp_problem *asked, bool trusted, struct kp_prepared *made);
void kp_prepared_end(struct kp_prepared *made);
void kp_prepared_free(struct kp_prepared *prepared);

/* Returns a hash of a problem. The hash does not depend on n, k, root, type, op or in_place. The
 * problem need not name an algorithm. */
uint64_t kp_problem_fingerprint(const kp_problem *problem);

/* `kp_way_word` writes a text that says how this member carries out a prepared call.
 * `kp_way_word_call` does so for a call as other members see it, and writes "" if the call was not
 * prepared. */
void kp_way_word(const struct kp_prepared *call, const kp_group *member, char *text, size_t size);
void kp_way_word_call(const struct kp_call *call, const kp_group *member, char *text, size_t size);

/* --- What the machine keeps for all its members (schedules.c) --- */

/* `kp_machine_schedules` makes the table of a machine's schedules; `data` is NULL if there is no
 * memory. The caller has filled in the defaults of all fields of `config` on which a choice
 * depends. The table owns the profile `tuned->own` from then on. `kp_machine_config` returns the
 * configuration of the member's machine. */
struct kp_attachment kp_machine_schedules(const kp_config *config, const struct kp_tuned *tuned);
const kp_config *kp_machine_config(const kp_group *member);

/* Returns the schedule for `asked`, with a reference for the caller. Stores in `problem` a problem
 * that the schedule serves, with nothing left open, and in `rounds` the discipline, if the tuner
 * chooses disciplines. On an error, sets the error and returns NULL. */
struct kp_shared_schedule *kp_shared_schedule_serving(kp_group *member, const kp_problem *asked,
                                                      bool trusted, kp_problem *problem,
                                                      kp_discipline *rounds);

/* `kp_shared_schedule_hold` adds a reference to a schedule. `kp_shared_schedule_release` gives one
 * back, which is allowed even after the machine has ended. */
void kp_shared_schedule_hold(struct kp_shared_schedule *shared);
void kp_shared_schedule_release(struct kp_shared_schedule *shared);

/* Returns what the machine uses to choose: a profile or the built-in model, and the thresholds. */
const struct kp_tuned *kp_machine_tuned(const kp_group *member);

#endif
