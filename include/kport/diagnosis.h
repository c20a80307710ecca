/* The diagnosis: what every processor of a machine is doing at the moment of a failure, or now.
 *
 * A machine tells each failure once, to the function that its configuration names (on_failure), and
 * at any time to whoever asks (kp_machine_dump). A failure that others only pass on (a program that
 * returns the error that it got) is not told again.
 *
 * What is exact: a deadlock is one, and is known when the last processor begins to wait. Calls are
 * compared by 44 bits of a hash of all that has to be the same, by their sum over the members: two
 * that differ pass for the same once in 2^44 / n times, about. Under mailboxes both calls are named
 * as long as each of the two has made at most 15 other calls since they differed, calls alike in a
 * row being one; else the call of one and the name of the other. */
#ifndef KPORT_DIAGNOSIS_H
#define KPORT_DIAGNOSIS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The one table of kinds: name, word in text and JSON, whom `concerned` lists. */
#define KP_DIAGNOSIS_KINDS(X)                                                                      \
    X(KP_DIAGNOSIS_DUMP, "dump")         /* nobody: it was asked for */                            \
    X(KP_DIAGNOSIS_DEADLOCK, "deadlock") /* a cycle: each waits for the next, the last for the     \
                                            first */                                               \
    X(KP_DIAGNOSIS_MISMATCH, "mismatch") /* two whose calls differ */                              \
    X(KP_DIAGNOSIS_REFUSED, "refused")   /* the one whose arguments were refused */                \
    X(KP_DIAGNOSIS_LOST, "lost")         /* the one that is gone though others wait for it */      \
    X(KP_DIAGNOSIS_FAILED, "failed")     /* the one that failed */                                 \
    X(KP_DIAGNOSIS_LATE, "late")         /* those that had not come when the time was over, and    \
                                            did not wait in that group themselves */

typedef enum kp_diagnosis_kind {
#define KP_DIAGNOSIS_ENUMERATOR(name, word) name,
    KP_DIAGNOSIS_KINDS(KP_DIAGNOSIS_ENUMERATOR)
#undef KP_DIAGNOSIS_ENUMERATOR
} kp_diagnosis_kind;

#define KP_ACTIVITIES(X)                                                                           \
    X(KP_ACTIVITY_EMPTY, "empty")     /* nobody has attached to it */                              \
    X(KP_ACTIVITY_OUTSIDE, "outside") /* it runs, or is ready to, outside of a call of kport */    \
    X(KP_ACTIVITY_INSIDE, "inside")   /* it runs within a call: it does not wait, or not yet, or   \
                                         no longer */                                              \
    X(KP_ACTIVITY_WAITING, "waiting") /* it waits within a call */                                 \
    X(KP_ACTIVITY_ENDED, "ended")     /* its program has ended, or it has failed */

typedef enum kp_activity {
#define KP_ACTIVITY_ENUMERATOR(name, word) name,
    KP_ACTIVITIES(KP_ACTIVITY_ENUMERATOR)
#undef KP_ACTIVITY_ENUMERATOR
} kp_activity;

/* What one processor does. What does not apply, or cannot be known without making processors
 * slower, is NULL or -1: the call is known of those that wait (of a fiber: whose worker has nothing
 * else to do) and of those that the failure is about. */
typedef struct kp_processor_report {
    int processor; /* number in the machine */
    kp_activity activity;
    const char *call; /* problem string, "barrier", "exchange:...", "send_recv" */
    const char *file; /* call site */
    int line;
    int round;            /* of the call; -1 also at its end */
    int port;             /* through which comes what it waits for, where a mailbox is waited for */
    const int *group;     /* processors of the call's group; NULL: all */
    int group_size;       /* 0: no group is concerned */
    const int *waits_for; /* processors */
    int waits_for_count;
    int64_t waited_ms; /* since it began to sleep; of fibers since their worker had nothing else to
                          do, so at least */
    const char *end;   /* of one that has ended or failed: the sentence about it */
    const char *way; /* how it carries out its call (doc/design.md); NULL: it is none with rounds */
} kp_processor_report;

struct kp_diagnosis {
    kp_diagnosis_kind kind;
    kp_error_record error; /* status 0 of a dump; the sentence says what is the matter */
    const int *concerned;  /* processors, see the kinds */
    int concerned_count;
    const kp_processor_report *processors; /* all of the machine's, in order */
    int count;                             /* n; 0 if there was no memory to list them */
};

/* Describes the machine now, while it runs, to `tell`, which is called once before this returns.
 * Processors are not stopped: one that is woken meanwhile goes on a little later, one that runs is
 * only looked at. Any thread, also a processor's own, but not from within on_failure; the machine
 * must not be ended meanwhile. Errors: KP_EARGUMENT, KP_EENDED. */
KP_API int kp_machine_dump(kp_machine *machine, kp_on_failure *tell, void *arg);

/* As text, one line for all neighbouring processors that do the same; as one JSON object. They
 * write at most `size` bytes with the final zero, and return the length of the whole, as snprintf
 * does.
 *
 * JSON: {"kind", "status", "sentence", "concerned": [...], "processors": [{"processor", "activity",
 * "operation", "call", "file", "line", "round", "port", "group", "waits_for", "waits_for_count",
 * "waited_ms", "end", "way"}, ...]}; null for what is not known, "world" for the group of all;
 * waits_for lists the first 64. */
KP_API size_t kp_diagnosis_text(const kp_diagnosis *diagnosis, char *text, size_t size);
KP_API size_t kp_diagnosis_json(const kp_diagnosis *diagnosis, char *text, size_t size);

/* The same to a file; for on_failure: `arg` is a FILE *. Nothing says whether writing succeeded. */
KP_API void kp_diagnosis_print(const kp_diagnosis *diagnosis, void *file);
KP_API void kp_diagnosis_print_json(const kp_diagnosis *diagnosis, void *file);

/* The words of the tables above; "unknown" for a number that is none. */
KP_API const char *kp_diagnosis_kind_name(kp_diagnosis_kind kind);
KP_API const char *kp_activity_name(kp_activity activity);

#ifdef __cplusplus
}
#endif

#endif
