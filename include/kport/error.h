/* This header declares the statuses and the record of an error. A record has a status, a place in
 * the program, and a sentence, which is a text that tells what happened.
 *
 * Every call that can fail returns 0 or one of the negative statuses below. The library never
 * prints, aborts or exits, unless the program asks it to print (kp_diagnosis_print). */
#ifndef KPORT_ERROR_H
#define KPORT_ERROR_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of these headers. kp_version (machine.h) returns that of the library. */
#define KP_HEADERS "0.1.0"

#if defined(__GNUC__) && !defined(KP_STATIC)
#define KP_API __attribute__((visibility("default")))
#else
#define KP_API
#endif

/* Marks a function whose status the caller must not ignore. */
#if defined(__GNUC__)
#define KP_MUST_CHECK __attribute__((warn_unused_result))
#else
#define KP_MUST_CHECK
#endif

/* The table of all statuses: name, value, meaning. All other lists of statuses are made from it. */
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
    X(KP_EUNCHECKED, -23, "the schedule is too large to be checked")                               \
    X(KP_EUNWAITED, -24, "a program ended or wrote to a request's data before it waited for it")

typedef enum kp_status {
#define KP_STATUS_ENUMERATOR(name, value, text) name = value,
    KP_STATUSES(KP_STATUS_ENUMERATOR)
#undef KP_STATUS_ENUMERATOR
} kp_status;

#define KP_SENTENCE_BYTES 512

/* The record of an error. A field that does not apply is -1. If `status` is 0, all fields are 0.
 * `file` is NULL if no call site is known.
 *
 * `processor` is the processor that the sentence is about. It need not be the processor that gets
 * the error. The status says which processor it is:
 * - KP_EPEER: the processor whose arguments kport refused;
 * - KP_ELOST, KP_EFAILED: the processor that is gone or failed;
 * - KP_ETIMEOUT: a late processor;
 * - KP_EDEADLOCK: one of the processors that wait for each other in a circle;
 * - KP_EMISSING, KP_ELENGTH: the receiver of the message, and `peer` is its sender;
 * - KP_EUNTAKEN: the sender of the message, and `peer` is its receiver;
 * - KP_EMISMATCH: `processor` and `peer` are two processors whose calls differ. */
typedef struct kp_error_record {
    int status;    /* a kp_status */
    int processor; /* the machine number of the processor that the sentence is about */
    int round;     /* the round of the operation, counted from 0 */
    int port;
    int peer; /* the machine number of the other processor, or -1 */
    int line;
    const char *file;
    char sentence[KP_SENTENCE_BYTES];
} kp_error_record;

/* Returns the fixed text of a status. Returns "unknown status" for any other number. Any thread may
 * call this function at any time. */
KP_API const char *kp_strerror(int status);

/* Returns the calling thread's latest error. This may be an error of a call without a processor's
 * handle, for example of a call that makes a machine, parses a text or builds a schedule. Before
 * the first error the status is 0 and the sentence is empty. The record is valid until the thread's
 * next kport call. Any thread may call this function. */
KP_API const kp_error_record *kp_last_error(void);

#ifdef __cplusplus
}
#endif

#endif
