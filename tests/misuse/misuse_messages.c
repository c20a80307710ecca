/* Misuse of messages with tags. No other member learns of it. */
#include "tests/misuse/misuse.h"

#define AMONG(name, ...)                                                                           \
    static int name(struct scene *s)                                                               \
    {                                                                                              \
        kp_request *request = NULL;                                                                \
        kp_group *copy = NULL;                                                                     \
        int there = 0;                                                                             \
        (void)request, (void)copy, (void)there;                                                    \
        return s->wrong ? __VA_ARGS__ : KP_OK;                                                     \
    }
#define NAMED KP_ANY_SOURCE, KP_ANY_TAG

AMONG(send_group_null, kp_send(NULL, s->out, 8, 0, 1))
AMONG(send_to_none, kp_send(s->group, s->out, 8, MEMBERS, 1))
AMONG(send_any_tag, kp_send(s->group, s->out, 8, 0, KP_ANY_TAG))
AMONG(send_null, kp_send(s->group, NULL, 8, 0, 1))
AMONG(send_too_long, kp_send(s->group, s->out, SIZE_MAX, 0, 1))
AMONG(receive_group_null, kp_receive(NULL, s->in, 8, NAMED, NULL))
AMONG(receive_from_none, kp_receive(s->group, s->in, 8, MEMBERS, 1, NULL))
AMONG(receive_no_tag, kp_receive(s->group, s->in, 8, 0, -2, NULL))
AMONG(receive_null, kp_receive(s->group, NULL, 8, 0, 1, NULL))
AMONG(exchange_to_none, kp_exchange_messages(s->group, s->out, 8, -1, 1, s->in, 8, NAMED, NULL))
AMONG(exchange_from_none, kp_exchange_messages(s->group, s->out, 8, 0, 1, s->in, 8, -2, 1, NULL))
AMONG(probe_from_none, kp_probe(s->group, -2, 1, NULL))
AMONG(probe_no_tag, kp_probe(s->group, 0, -2, NULL))
AMONG(probe_now_no_place, kp_probe_now(s->group, NAMED, NULL, NULL))
AMONG(probe_now_from_none, kp_probe_now(s->group, MEMBERS, 1, &there, NULL))
AMONG(send_start_no_place, kp_send_start(s->group, s->out, 8, 0, 1, NULL))
AMONG(send_start_to_none, kp_send_start(s->group, s->out, 8, -1, 1, &request))
AMONG(receive_start_no_place, kp_receive_start(s->group, s->in, 8, NAMED, NULL, NULL))
AMONG(receive_start_null, kp_receive_start(s->group, NULL, 8, NAMED, NULL, &request))
AMONG(dup_group_null, kp_group_dup(NULL, &copy))
AMONG(dup_no_place, kp_group_dup(s->group, NULL))

/* Frees a copy of the group that has a request. */
static int free_busy(struct scene *s)
{
    kp_request *request;
    kp_group *copy;
    const int self = kp_rank(s->group);
    if (!s->wrong)
        return KP_OK;
    if (kp_group_dup(s->group, &copy) || kp_receive_start(copy, s->in, 8, self, 1, NULL, &request))
        return 1;
    const int status = kp_group_free(copy);
    return kp_send(copy, s->out, 8, self, 1) || kp_wait(&request) || kp_group_free(copy) ? 1
                                                                                         : status;
}

#define NO_GROUP "the group is NULL; it must be kp_world's, or what kp_group_create made"

const struct misuse misuses_of_messages[] = {
    {"`kp_send`", "`group` is NULL", KP_EARGUMENT, NO_GROUP, .among = send_group_null},
    {"`kp_send`", "`to` is no rank", KP_EARGUMENT, "to is 3; it may be 0 ... 2",
     .among = send_to_none},
    {"`kp_send`", "`tag` is `KP_ANY_TAG`, or negative", KP_EARGUMENT,
     "tag is -1; a message's tag may be 0 ... 2147483647", .among = send_any_tag},
    {"`kp_send`", "`data` is NULL, with bytes to send", KP_EARGUMENT,
     "data is NULL with 8 bytes; only with 0 bytes it may be NULL", .among = send_null},
    {"`kp_send`", "`bytes` is more than memory can hold", KP_EARGUMENT,
     "bytes is 18446744073709551615; it may be 0 ... 9223372036854775807", .among = send_too_long},
    {"`kp_receive`", "`group` is NULL", KP_EARGUMENT, NO_GROUP, .among = receive_group_null},
    {"`kp_receive`", "`from` is no rank", KP_EARGUMENT,
     "from is 3; it may be 0 ... 2, or -1 (KP_ANY_SOURCE)", .among = receive_from_none},
    {"`kp_receive`", "`tag` is no tag", KP_EARGUMENT,
     "tag is -2; it may be 0 ... 2147483647, or -1 (KP_ANY_TAG)", .among = receive_no_tag},
    {"`kp_receive`", "`data` is NULL, with bytes to receive", KP_EARGUMENT,
     "data is NULL with 8 bytes; only with 0 bytes it may be NULL", .among = receive_null},
    {"`kp_exchange_messages`", "`to` is no rank", KP_EARGUMENT, "to is -1; it may be 0 ... 2",
     .among = exchange_to_none},
    {"`kp_exchange_messages`", "`from` is no rank", KP_EARGUMENT,
     "from is -2; it may be 0 ... 2, or -1 (KP_ANY_SOURCE)", .among = exchange_from_none},
    {"`kp_probe`", "`from` is no rank", KP_EARGUMENT,
     "from is -2; it may be 0 ... 2, or -1 (KP_ANY_SOURCE)", .among = probe_from_none},
    {"`kp_probe`", "`tag` is no tag", KP_EARGUMENT,
     "tag is -2; it may be 0 ... 2147483647, or -1 (KP_ANY_TAG)", .among = probe_no_tag},
    {"`kp_probe_now`", "`found` is NULL", KP_EARGUMENT,
     "found is NULL; it must be where the result goes", .among = probe_now_no_place},
    {"`kp_probe_now`", "`from` is no rank", KP_EARGUMENT,
     "from is 3; it may be 0 ... 2, or -1 (KP_ANY_SOURCE)", .among = probe_now_from_none},
    {"`kp_send_start`", "`request` is NULL", KP_EARGUMENT,
     "request is NULL; it must be where the request goes", .among = send_start_no_place},
    {"`kp_send_start`", "`to` is no rank", KP_EARGUMENT, "to is -1; it may be 0 ... 2",
     .among = send_start_to_none},
    {"`kp_receive_start`", "`request` is NULL", KP_EARGUMENT,
     "request is NULL; it must be where the request goes", .among = receive_start_no_place},
    {"`kp_receive_start`", "`data` is NULL, with bytes to receive", KP_EARGUMENT,
     "data is NULL with 8 bytes; only with 0 bytes it may be NULL", .among = receive_start_null},
    {"`kp_group_dup`", "`group` is NULL", KP_EARGUMENT, NO_GROUP, .among = dup_group_null},
    {"`kp_group_dup`", "`copy` is NULL", KP_EARGUMENT,
     "copy is NULL; it must be where the handle goes", .among = dup_no_place},
    {"`kp_group_free`", "the group has a receive that has been started", KP_EBUSY,
     "the group has a request; it may be freed when all its requests have been waited for",
     .among = free_busy},
    {NULL}};
