/* A request is a call that has been started and need not have ended. A function whose name ends in
 * `_start` starts a call and returns at once, with a request. The program then does other work, and
 * waits for the request later. (MPI calls this a nonblocking call.)
 *
 * Progress. A request goes on whenever its processor makes any call of kport: it starts another
 * request, tests, waits, or makes a blocking call. (If more than 16 requests are under way, they go
 * on in every few calls. If all of them are receives of messages, they go on in one of at most
 * eight sends of short messages.) While the processor waits in a call, all its
 * requests go on. While the processor computes, its requests stand still. What a call can send at
 * its start has been sent when the starting function returns. So a processor that computes holds up
 * only those who need what it has yet to send. If the config's `progress` is 1, requests also go on
 * while their processor is in no call: kport then has a thread for that (machine.h).
 *
 * The buffers of a request belong to kport until the request has ended: the program may not write
 * to outgoing data, and may neither read nor write incoming data.
 *
 * The processor that starts a request also waits for it, and no other processor may use the
 * request. A request has ended for the program when one of the functions below says so. Then the
 * function stores NULL in place of the request, and the request does not exist any more. A function
 * that gets NULL in place of a request treats it as ended.
 *
 * If a request ends with an error, the function that reports its end returns the error's status,
 * and kp_error has the sentence, which names the file and line of the start. A processor whose
 * program ends before it has waited for all its requests fails with KP_EUNWAITED. */
#ifndef KPORT_REQUEST_H
#define KPORT_REQUEST_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kp_request kp_request;

/* Sets `ended` to 1 if the request has ended, otherwise to 0. Does not wait. A loop that calls only
 * this function does not keep other processors from running: on fibers, and where threads share
 * cores, it lets another processor run. Returns 0, or the status with which the request ended.
 * Other errors: KP_EARGUMENT for a NULL pointer, KP_EENDED if the request does not exist,
 * KP_EWRONGTHREAD, KP_EFAILED. */
KP_API int kp_test(kp_request **request, int *ended) KP_MUST_CHECK;

/* Waits until the request has ended. Returns 0, or the status with which the request ended. Other
 * errors are those of kp_test, KP_EDEADLOCK, and KP_ETIMEOUT after the config's time limit, if the
 * request has not gone on for so long. After KP_EDEADLOCK or KP_ETIMEOUT the request has ended,
 * and its group is unusable. */
KP_API int kp_wait(kp_request **request) KP_MUST_CHECK;

/* Waits until all `count` requests have ended. Returns 0, or the status of the first one in the
 * list that ended with an error. Errors: as in kp_wait. */
KP_API int kp_wait_all(int count, kp_request **requests) KP_MUST_CHECK;

/* Waits until one of the `count` requests has ended, and stores its index in `which`. If all
 * requests are NULL, stores -1 and does not wait. Of several that have ended, takes the one with
 * the lowest index. Returns 0, or the status with which that request ended. Errors: as in
 * kp_wait. */
KP_API int kp_wait_any(int count, kp_request **requests, int *which) KP_MUST_CHECK;

/* Waits until at least one of the `count` requests has ended. Stores in `ended` how many have
 * ended, and in `which`, which has room for `count` numbers, their indices in ascending order. If
 * all requests are NULL, stores 0 and does not wait. Returns 0, or the status of the first of them
 * that ended with an error. Errors: as in kp_wait. */
KP_API int kp_wait_some(int count, kp_request **requests, int *ended, int *which) KP_MUST_CHECK;

#ifndef KP_NO_CALL_SITES
#define kp_test(...)      (kp_here(__FILE__, __LINE__), kp_test(__VA_ARGS__))
#define kp_wait(...)      (kp_here(__FILE__, __LINE__), kp_wait(__VA_ARGS__))
#define kp_wait_all(...)  (kp_here(__FILE__, __LINE__), kp_wait_all(__VA_ARGS__))
#define kp_wait_any(...)  (kp_here(__FILE__, __LINE__), kp_wait_any(__VA_ARGS__))
#define kp_wait_some(...) (kp_here(__FILE__, __LINE__), kp_wait_some(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
