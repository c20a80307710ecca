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

/* The others' requests of this start end with an error, too. */
#define START(name, call_of, ...)                                                                  \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        kp_request *r;                                                                             \
        kp_arguments a = misuse_right(s, call_of);                                                 \
        if (s->wrong)                                                                              \
            __VA_ARGS__;                                                                           \
        int status = kp_call_start(s->group, &a, &r);                                              \
        return status ? status : kp_wait(&r);                                                      \
    }

START(start_null, KP_INDEX, a.out = NULL)
START(start_root, KP_BROADCAST, a.root = MEMBERS)
START(start_operator, KP_ALLREDUCE, a.op = NULL)
START(start_foreign, KP_INDEX, a.op = KP_SUM)
START(start_operation, KP_INDEX, a.operation = KP_OPERATIONS)

static int start_no_place(struct scene *s)
{
    kp_request *r;
    int status = s->wrong ? kp_barrier_start(s->group, NULL) : kp_barrier(s->group);
    (void)r;
    return s->wrong ? (kp_barrier(s->group) ? 1 : status) : status;
}

static int start_group_null(struct scene *s)
{
    kp_request *r;
    return s->wrong ? kp_barrier_start(NULL, &r) : KP_OK;
}

static int start_arguments_null(struct scene *s)
{
    kp_request *r;
    return s->wrong ? kp_call_start(s->group, NULL, &r) : KP_OK;
}

static int outside(void)
{
    kp_request *none = NULL;
    return kp_wait(&none);
}

#define NO_LIST  "the list of requests is NULL; it must be where the requests are"
#define NO_PLACE "the place of a result is NULL; it must be where the result goes"
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
    {"all `_start`", "`request` is NULL", KP_EARGUMENT,
     "request is NULL; it must be where the request goes", .among = start_no_place},
    {"all `_start`", "`group` is NULL", KP_EARGUMENT,
     "the group is NULL; it must be kp_world's, or what kp_group_create made",
     .among = start_group_null},
    {"`kp_call_start`", "`arguments` is NULL", KP_EARGUMENT,
     "arguments is NULL; it must be those of a call", .among = start_arguments_null},
    {"`kp_call_start`", "`operation` is none", KP_EARGUMENT, "operation is 17; it may be 0 ... 16",
     .among = start_operation, .others = KP_EPEER},
    {"`kp_index_start`", "`out` is NULL", KP_EARGUMENT,
     "out is NULL; only with 0 bytes it may be NULL", .among = start_null, .others = KP_EPEER},
    {"`kp_broadcast_start`", "`root` is no rank", KP_EARGUMENT, "root is 3; it may be 0 ... 2",
     .among = start_root, .others = KP_EPEER},
    {"`kp_allreduce_start`", "`op` is NULL", KP_EARGUMENT,
     "op is NULL; it must be KP_SUM or another operator", .among = start_operator,
     .others = KP_EPEER},
    {"`kp_call_start`", "an argument that the operation does not have", KP_EARGUMENT,
     "op is given, but index has none", .among = start_foreign, .others = KP_EPEER},
    {NULL}};
