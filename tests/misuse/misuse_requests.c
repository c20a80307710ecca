/* Misuse of requests. */
#include "tests/misuse/misuse.h"

#define AMONG(name, ...)                                                                           \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        kp_request *none = NULL, *requests[2] = {NULL, (kp_request *)(void *)s->out};              \
        int one = 0, ended[2] = {0};                                                               \
        (void)none, (void)requests, (void)one, (void)ended;                                        \
        return s->wrong ? __VA_ARGS__ : KP_OK;                                                     \
    }

AMONG(test_null, kp_test(NULL, &one))
AMONG(test_no_place, kp_test(&none, NULL))
AMONG(test_stale, kp_test(&requests[1], &one))
AMONG(wait_null, kp_wait(NULL))
AMONG(wait_stale, kp_wait(&requests[1]))
AMONG(all_negative, kp_wait_all(-1, &none))
AMONG(all_null, kp_wait_all(2, NULL))
AMONG(all_stale, kp_wait_all(2, requests))
AMONG(any_no_place, kp_wait_any(1, &none, NULL))
AMONG(any_stale, kp_wait_any(2, requests, &one))
AMONG(some_no_place, kp_wait_some(1, &none, &one, NULL))
AMONG(some_stale, kp_wait_some(2, requests, &one, ended))

static int outside(void)
{
    kp_request *none = NULL;
    return kp_wait(&none);
}

#define NO_LIST  "the list of requests is NULL; it may be where the requests are"
#define NO_PLACE "the place of a result is NULL; it may be where the result goes"
#define STALE    " is none that processor 0 has started and not waited for"

const struct misuse misuses_of_requests[] = {
    {"`kp_test`", "`request` is NULL", KP_EARGUMENT, NO_LIST, .among = test_null},
    {"`kp_test`", "`ended` is NULL", KP_EARGUMENT, NO_PLACE, .among = test_no_place},
    {"`kp_test`", "the request is none", KP_EENDED, "request 0" STALE, .among = test_stale},
    {"`kp_wait`", "`request` is NULL", KP_EARGUMENT, NO_LIST, .among = wait_null},
    {"`kp_wait`", "the request is none", KP_EENDED, "request 0" STALE, .among = wait_stale},
    {"`kp_wait`", "from a thread that carries no processor", KP_EWRONGTHREAD,
     "the thread carries no processor; a request belongs to the processor that has started it",
     .alone = outside},
    {"`kp_wait_all`", "`count` is negative", KP_EARGUMENT, "count is -1; it may be 0 or more",
     .among = all_negative},
    {"`kp_wait_all`", "`requests` is NULL", KP_EARGUMENT, NO_LIST, .among = all_null},
    {"`kp_wait_all`", "one of the requests is none", KP_EENDED, "request 1" STALE,
     .among = all_stale},
    {"`kp_wait_any`", "`which` is NULL", KP_EARGUMENT, NO_PLACE, .among = any_no_place},
    {"`kp_wait_any`", "one of the requests is none", KP_EENDED, "request 1" STALE,
     .among = any_stale},
    {"`kp_wait_some`", "`which` is NULL", KP_EARGUMENT, NO_PLACE, .among = some_no_place},
    {"`kp_wait_some`", "one of the requests is none", KP_EENDED, "request 1" STALE,
     .among = some_stale},
    {NULL}};
