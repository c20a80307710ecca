/* Statuses, and the record of an error: what went wrong, where, and the sentence about it.
 *
 * Every call that can fail returns 0 or one of the negative statuses below. Nothing in the library
 * prints, aborts or exits. */
#ifndef KPORT_ERROR_H
#define KPORT_ERROR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__) && !defined(KP_STATIC)
#define KP_API __attribute__((visibility("default")))
#else
#define KP_API
#endif

/* On functions whose status must not be dropped. */
#if defined(__GNUC__)
#define KP_MUST_CHECK __attribute__((warn_unused_result))
#else
#define KP_MUST_CHECK
#endif

/* The one table of statuses: name, value, what it means. */
#define KP_STATUSES(X)                                                                             \
    X(KP_OK, 0, "no error")                                                                        \
    X(KP_EARGUMENT, -1, "an argument is not what it may be")                                       \
    X(KP_EMEMORY, -2, "there is not enough memory")                                                \
    X(KP_ETHREAD, -3, "a thread could not be started")                                             \
    X(KP_EPROBLEM, -4, "the problem cannot be")                                                    \
    X(KP_EALGORITHM, -5, "there is no such algorithm or parameter")                                \
    X(KP_EUNSERVED, -6, "the algorithm does not serve this problem")                               \
    X(KP_ESCHEDULE, -7, "the schedule breaks a rule of the machine")                               \
    X(KP_EMISMATCH, -8, "the processors of the group called different things")                     \
    X(KP_EPEER, -9, "another processor's arguments were refused")                                  \
    X(KP_EPORT, -10, "the port rule was broken")                                                   \
    X(KP_EMISSING, -11, "a message was expected that nobody sent")                                 \
    X(KP_EUNTAKEN, -12, "a message was sent that nobody took")                                     \
    X(KP_ELENGTH, -13, "a message is not as long as its receiver expects")                         \
    X(KP_ELOST, -14, "a processor of the group is gone")                                           \
    X(KP_EFAILED, -15, "a processor's program failed")                                             \
    X(KP_EDEADLOCK, -16, "every processor waits and nothing is under way")                         \
    X(KP_ETIMEOUT, -17, "the time limit is over")                                                  \
    X(KP_EBUSY, -18, "the machine or the processor is in use")                                     \
    X(KP_EWRONGTHREAD, -19, "the handle belongs to another thread")                                \
    X(KP_EENDED, -20, "what the handle stood for has ended")                                       \
    X(KP_EFILE, -21, "a file could not be written")                                                \
    X(KP_EPROFILE, -22, "the profile cannot be used")                                              \
    X(KP_EUNCHECKED, -23, "the schedule is too large to be checked")

typedef enum kp_status {
#define KP_STATUS_ENUMERATOR(name, value, text) name = value,
    KP_STATUSES(KP_STATUS_ENUMERATOR)
#undef KP_STATUS_ENUMERATOR
} kp_status;

#define KP_SENTENCE_BYTES 512

/* What went wrong. A field that does not apply is -1; `file` is NULL where no call site is known.
 *
 * `processor` is not who reads the record, unless the sentence is about the reader: with KP_EPEER
 * it is the one whose arguments were refused, with KP_ELOST and KP_EFAILED the one that is gone or
 * has failed, with KP_ETIMEOUT one that is late, with KP_EDEADLOCK one of those that wait in a
 * circle. `peer` is the other side of a message: with KP_EMISSING and KP_ELENGTH its sender,
 * `processor` being its receiver; with KP_EUNTAKEN its receiver. With KP_EMISMATCH the two are
 * those that differ. */
typedef struct kp_error_record {
    int status;    /* kp_status */
    int processor; /* number in the machine of the processor that the sentence is about */
    int round;     /* round of the operation, from 0 */
    int port;
    int peer; /* number in the machine of the other side; -1 where there is none */
    int line;
    const char *file;
    char sentence[KP_SENTENCE_BYTES];
} kp_error_record;

/* The fixed text that belongs to a status; "unknown status" for a number that is none.
 * Any thread, at any time. */
KP_API const char *kp_strerror(int status);

/* The calling thread's latest error, of calls that have no processor's handle (making a machine,
 * parsing, building a schedule) as well as of those that have. Valid until that thread's next
 * kport call; status 0 and an empty sentence before the first error. */
KP_API const kp_error_record *kp_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
