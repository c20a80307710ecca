/* A diagnosis describes what every processor of a machine does, either at the moment of a failure
 * or on request.
 *
 * A machine reports each failure once, to the config's on_failure function. kp_machine_dump
 * describes a machine at any time. A program may return an error that a call returned to it. kport
 * does not report this error again.
 *
 * How exact a diagnosis is:
 * - A reported deadlock is always a real deadlock. kport finds a deadlock when the last processor
 *   begins to wait.
 * - Each member computes a hash of 44 bits from all arguments that must agree. The members compare
 *   the sum of these hashes. So calls that differ pass as equal with a probability of about n /
 *   2^44.
 * - Under mailboxes, kport remembers the latest 16 calls of each member. A series of equal calls
 *   counts as one call. If kport still remembers the two calls that differ, the report describes
 *   both calls. Otherwise it describes the call of one processor, and gives only the number of the
 *   other processor. */
#ifndef KPORT_DIAGNOSIS_H
#define KPORT_DIAGNOSIS_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The table of all kinds of diagnosis. A row has the constant, the kind's word in text and JSON,
 * and as a comment the processors that `concerned` of kp_diagnosis lists. All lists of kinds are
 * made from this table. */
#define KP_DIAGNOSIS_KINDS(X)                                                                      \
    X(KP_DIAGNOSIS_DUMP, "dump")         /* no processor: kp_machine_dump was called */            \
    X(KP_DIAGNOSIS_DEADLOCK, "deadlock") /* processors that wait for each other in a circle */     \
    X(KP_DIAGNOSIS_MISMATCH, "mismatch") /* two processors whose calls differ */                   \
    X(KP_DIAGNOSIS_REFUSED, "refused")   /* the processor whose arguments were refused */          \
    X(KP_DIAGNOSIS_LOST, "lost")         /* the processor that is gone while others wait for it */ \
    X(KP_DIAGNOSIS_FAILED, "failed")     /* the processor that failed */                           \
    X(KP_DIAGNOSIS_LATE, "late") /* the members of the call's group that had not arrived when the  \
                                    time limit passed, and did not wait in this group */

typedef enum kp_diagnosis_kind {
#define KP_DIAGNOSIS_ENUMERATOR(name, word) name,
    KP_DIAGNOSIS_KINDS(KP_DIAGNOSIS_ENUMERATOR)
#undef KP_DIAGNOSIS_ENUMERATOR
} kp_diagnosis_kind;

/* The table of all activities of a processor. A row has the constant, and the activity's word in
 * text and JSON. */
#define KP_ACTIVITIES(X)                                                                           \
    X(KP_ACTIVITY_EMPTY, "empty")     /* no thread is attached to the processor */                 \
    X(KP_ACTIVITY_OUTSIDE, "outside") /* the processor runs, or is ready to run, outside kport */  \
    X(KP_ACTIVITY_INSIDE, "inside")   /* the processor is in a call of kport and does not wait */  \
    X(KP_ACTIVITY_WAITING, "waiting") /* the processor waits in a call of kport */                 \
    X(KP_ACTIVITY_ENDED, "ended")     /* the program has ended, or the processor has failed */     \
    X(KP_ACTIVITY_ELSEWHERE, "elsewhere") /* in another process, which has not said what it does   \
                                           */

typedef enum kp_activity {
#define KP_ACTIVITY_ENUMERATOR(name, word) name,
    KP_ACTIVITIES(KP_ACTIVITY_ENUMERATOR)
#undef KP_ACTIVITY_ENUMERATOR
} kp_activity;

/* The description of one processor. A field is NULL or -1 if it does not apply, or if recording it
 * would make processors slower. kport knows the call of a processor that waits, and of a processor
 * that the failure concerns. For a waiting fiber it knows the call only if the fiber's worker has
 * no other fiber to run. */
typedef struct kp_processor_report {
    int processor; /* the processor's number in the machine */
    kp_activity activity;
    /* the call's text: a problem string, "kp_barrier", "exchange:...", or "kp_send_recv". For a
     * processor that waits for a request: the request's call, and in parentheses how far it has
     * come and where it was started and is waited for. For a processor that has called kp_test 1000
     * times or more for a request: "a loop of kp_test: ", and the request with the file and line of
     * its start, as it was at the last 1000th test. */
    const char *call;
    /* The source file and line of the call, which for a request is the wait (over a wire: the
     * start). Of a processor outside of kport: of its latest call. */
    const char *file;
    int line;
    /* The round of the call. -1 also while the processor waits at the end of the call. */
    int round;
    int port; /* if the processor waits at a mailbox: the port of the message it waits for */
    const int *group; /* the processors of the call's group; NULL: all processors of the machine */
    int group_size;   /* the size of the group; 0: the processor is in no call of a group */
    const int *waits_for; /* the numbers of the processors for which this processor waits */
    int waits_for_count;
    /* The milliseconds since the processor began to sleep. For a fiber, these are the milliseconds
     * since its worker ran out of fibers to run; the fiber has waited at least this long. */
    int64_t waited_ms;
    const char *end; /* if the processor has ended or failed: the sentence about its end */
    /* How the processor carries out its call (doc/design.md). NULL: the call has no rounds. */
    const char *way;
} kp_processor_report;

/* The description of a machine, as on_failure and kp_machine_dump get it. */
struct kp_diagnosis {
    kp_diagnosis_kind kind;
    /* The failure. In a dump, the status is 0 and the sentence describes the machine's state. */
    kp_error_record error;
    const int *concerned; /* the numbers of the processors that the table of kinds names */
    int concerned_count;
    const kp_processor_report *processors; /* all processors of the machine, in order */
    int count;                             /* n; 0 if there was no memory for the array */
};

/* Describes the running machine: calls `tell` once with the description and then returns. It does
 * not stop the processors. A processor that is woken during this call goes on a little later. A
 * processor that runs is only observed. With KP_CARRIER_MPI the processors of other processes are
 * not asked (KP_ACTIVITY_ELSEWHERE). Any thread may call this function, even the thread of a
 * processor. An on_failure function may not call it. The machine must not be destroyed during the
 * call. Errors: KP_EARGUMENT, KP_EENDED. */
KP_API int kp_machine_dump(kp_machine *machine, kp_on_failure *tell, void *arg);

/* `kp_diagnosis_text` writes the diagnosis as text. Neighbouring processors in the same state share
 * a line. `kp_diagnosis_json` writes it as one JSON object. Both functions write at most `size`
 * bytes including the final zero, and return the full length, as snprintf does. Any thread may call
 * them while `diagnosis` is valid.
 *
 * JSON: {"kind", "status", "sentence", "concerned": [...], "processors": [{"processor", "activity",
 * "operation", "call", "file", "line", "round", "port", "group", "waits_for", "waits_for_count",
 * "waited_ms", "end", "way"}, ...]}. An unknown value is null. The group of all processors is
 * "world". waits_for lists at most 64 processors. */
KP_API size_t kp_diagnosis_text(const kp_diagnosis *diagnosis, char *text, size_t size);
KP_API size_t kp_diagnosis_json(const kp_diagnosis *diagnosis, char *text, size_t size);

/* `kp_diagnosis_print` writes the text of kp_diagnosis_text to `file`, which is a FILE *.
 * `kp_diagnosis_print_json` writes the JSON of kp_diagnosis_json to `file`. If `file` is NULL, both
 * write to stderr. A config may use them as on_failure, with the FILE * or NULL as on_failure_arg.
 * They report no error, so ask the FILE whether writing succeeded. */
KP_API void kp_diagnosis_print(const kp_diagnosis *diagnosis, void *file);
KP_API void kp_diagnosis_print_json(const kp_diagnosis *diagnosis, void *file);

/* `kp_diagnosis_kind_name` and `kp_activity_name` return the word of a kind or of an activity from
 * the tables above. They return "unknown" for any other number. */
KP_API const char *kp_diagnosis_kind_name(kp_diagnosis_kind kind);
KP_API const char *kp_activity_name(kp_activity activity);

#ifdef __cplusplus
}
#endif

#endif
