/* The diagnosis: what every processor of a machine does at the moment of a failure, or now.
 *
 * A machine reports each failure once, to the config's on_failure function. kp_machine_dump
 * describes a machine at any time. kport does not report an error again if a program only passes it
 * on by returning it.
 *
 * Exactness. A reported deadlock is one; kport finds it when the last processor begins to wait.
 * Members compare calls by 44 bits of a hash of all arguments that must agree, summed over the
 * members. So two calls that differ pass as equal with probability about n / 2^44. Under mailboxes
 * the report describes both calls if each of the two members has made at most 15 other calls since
 * they differed (a series of equal calls counts as one). Otherwise it describes one call and names
 * the other. */
#ifndef KPORT_DIAGNOSIS_H
#define KPORT_DIAGNOSIS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All kinds: the constant, its word in text and JSON, and in the comment which processors
 * `concerned` lists. Nothing else lists them. */
#define KP_DIAGNOSIS_KINDS(X)                                                                      \
    X(KP_DIAGNOSIS_DUMP, "dump")         /* none: kp_machine_dump was called */                    \
    X(KP_DIAGNOSIS_DEADLOCK, "deadlock") /* a cycle: each processor waits for the next */          \
    X(KP_DIAGNOSIS_MISMATCH, "mismatch") /* two processors whose calls differ */                   \
    X(KP_DIAGNOSIS_REFUSED, "refused")   /* the processor whose arguments were refused */          \
    X(KP_DIAGNOSIS_LOST, "lost")         /* the processor that is gone while others wait for it */ \
    X(KP_DIAGNOSIS_FAILED, "failed")     /* the processor that failed */                           \
    X(KP_DIAGNOSIS_LATE, "late") /* the processors that had not arrived when the time limit passed \
                                    and did not wait in that group */

typedef enum kp_diagnosis_kind {
#define KP_DIAGNOSIS_ENUMERATOR(name, word) name,
    KP_DIAGNOSIS_KINDS(KP_DIAGNOSIS_ENUMERATOR)
#undef KP_DIAGNOSIS_ENUMERATOR
} kp_diagnosis_kind;

/* All activities of a processor: the constant and its word in text and JSON. */
#define KP_ACTIVITIES(X)                                                                           \
    X(KP_ACTIVITY_EMPTY, "empty")     /* no thread is attached to the processor */                 \
    X(KP_ACTIVITY_OUTSIDE, "outside") /* the processor runs, or is ready to run, outside kport */  \
    X(KP_ACTIVITY_INSIDE, "inside")   /* the processor is in a call of kport and not waiting */    \
    X(KP_ACTIVITY_WAITING, "waiting") /* the processor waits in a call of kport */                 \
    X(KP_ACTIVITY_ENDED, "ended")     /* the program has ended, or the processor has failed */

typedef enum kp_activity {
#define KP_ACTIVITY_ENUMERATOR(name, word) name,
    KP_ACTIVITIES(KP_ACTIVITY_ENUMERATOR)
#undef KP_ACTIVITY_ENUMERATOR
} kp_activity;

/* What one processor does. A field is NULL or -1 if it does not apply, or if knowing it would make
 * processors slower. kport knows the calls of processors that wait (a fiber, if its worker has
 * nothing else to do) and of those that the failure concerns. */
typedef struct kp_processor_report {
    int processor; /* the processor's number in the machine */
    kp_activity activity;
    const char *call; /* a problem string, "barrier", "exchange:...", or "send_recv" */
    const char *file; /* the call site's file */
    int line;
    int round;        /* the round of the call; -1 also at the call's end */
    int port;         /* where the processor waits at a mailbox: the port of the awaited message */
    const int *group; /* the processors of the call's group; NULL: all */
    int group_size;   /* 0: the processor is in no group's call */
    const int *waits_for; /* the numbers of the processors that this one waits for */
    int waits_for_count;
    int64_t waited_ms; /* milliseconds since the processor began to sleep; for a fiber, since its
                          worker ran out of work, so the true time is at least this */
    const char *end;   /* for a processor that has ended or failed: the sentence about its end */
    const char *way;   /* how the processor carries out its call (doc/design.md); NULL: the call has
                          no rounds */
} kp_processor_report;

/* The description of a machine that on_failure and kp_machine_dump get. */
struct kp_diagnosis {
    kp_diagnosis_kind kind;
    kp_error_record error; /* the failure; in a dump the status is 0 and the sentence describes the
                              machine's state */
    const int *concerned;  /* processor numbers, as the table of kinds says */
    int concerned_count;
    const kp_processor_report *processors; /* all processors of the machine, in order */
    int count;                             /* n; 0 if there was no memory for `processors` */
};

/* Describes the running machine to `tell`, which this function calls once before it returns.
 * Processors are not stopped: one that is woken meanwhile goes on a little later; one that runs is
 * only observed. Any thread may call it, also a processor's own, but not from on_failure. The
 * machine must not be destroyed meanwhile. Errors: KP_EARGUMENT, KP_EENDED. */
KP_API int kp_machine_dump(kp_machine *machine, kp_on_failure *tell, void *arg);

/* `kp_diagnosis_text` writes text, with one line for all neighbouring processors in the same state;
 * `kp_diagnosis_json` writes one JSON object. Both write at most `size` bytes including the final
 * zero, and return the full length, as snprintf does. Any thread may call them while `diagnosis` is
 * valid.
 *
 * JSON: {"kind", "status", "sentence", "concerned": [...], "processors": [{"processor", "activity",
 * "operation", "call", "file", "line", "round", "port", "group", "waits_for", "waits_for_count",
 * "waited_ms", "end", "way"}, ...]}. An unknown value is null; the group of all is "world";
 * waits_for lists the first 64 processors. */
KP_API size_t kp_diagnosis_text(const kp_diagnosis *diagnosis, char *text, size_t size);
KP_API size_t kp_diagnosis_json(const kp_diagnosis *diagnosis, char *text, size_t size);

/* These two write the same to a file. They fit on_failure: `file` is the FILE * given as its `arg`.
 * They report no error; ask the FILE whether writing succeeded. */
KP_API void kp_diagnosis_print(const kp_diagnosis *diagnosis, void *file);
KP_API void kp_diagnosis_print_json(const kp_diagnosis *diagnosis, void *file);

/* These two return the word of a kind or activity from the tables above; "unknown" for any other
 * number. */
KP_API const char *kp_diagnosis_kind_name(kp_diagnosis_kind kind);
KP_API const char *kp_activity_name(kp_activity activity);

#ifdef __cplusplus
}
#endif

#endif
