/* Messages with tags whose data have a layout. */
#include "kport/layout.h"

#include "lib/layout/face.h"
#include "lib/layout/overlap.h"
#include "lib/layout/stream.h"
#include "ports/member.h"

#include <stdio.h>

/* --- What messages need of a layout --- */

static const kp_layout *layout_of(const struct kp_typed *typed)
{
    return typed->layout;
}

static struct kp_position position_of(const struct kp_typed *typed, const void *data)
{
    return (struct kp_position){(char *)(uintptr_t)data, typed->row ? layout_of(typed) : NULL, 0};
}

static void copy(const struct kp_typed *to, void *to_data, const struct kp_typed *from,
                 const void *from_data, size_t bytes)
{
    const struct kp_position into = position_of(to, to_data), out = position_of(from, from_data);
    kp_stream_copy(&into, &out, bytes);
}

/* Stores a number for the first `bytes` bytes of the data. Returns false if these are not whole
 * blocks of the layout. */
static bool number_of(const struct kp_typed *typed, size_t bytes, uint64_t *number)
{
    const kp_layout *layout = typed->row ? layout_of(typed) : NULL;
    *number = 0;
    if (!layout || !layout->signature.typed || bytes == 0)
        return true;
    *number = kp_signature_number(kp_signature_repeated(layout->signature, bytes / layout->bytes));
    return bytes % layout->bytes == 0;
}

static bool agree(const struct kp_typed *received, const struct kp_typed *sent, size_t bytes)
{
    uint64_t there, here;
    return number_of(sent, bytes, &there) && number_of(received, bytes, &here) && there == here;
}

static void describe(const struct kp_typed *typed, char *text, size_t size)
{
    snprintf(text, size, "%zu %s %s", typed->count, typed->count == 1 ? "block" : "blocks",
             layout_of(typed)->text);
}

static void hold(const struct kp_typed *typed)
{
    (void)kp_layout_hold(layout_of(typed));
}

static void let_go(const struct kp_typed *typed)
{
    kp_layout_free((kp_layout *)(uintptr_t)layout_of(typed));
}

static const struct kp_typed_row row = {copy, agree, number_of, describe, hold, let_go};

/* Of messages whose caller compares the sequences of elements. */
static bool agree_anyway(const struct kp_typed *received, const struct kp_typed *sent, size_t bytes)
{
    (void)received;
    (void)sent;
    (void)bytes;
    return true;
}

static bool no_number(const struct kp_typed *typed, size_t bytes, uint64_t *number)
{
    (void)typed;
    (void)bytes;
    *number = 0;
    return true;
}

struct kp_typed kp_face_typed(const kp_layout *layout, size_t count)
{
    static const struct kp_typed_row compared_above = {copy,     agree_anyway, no_number,
                                                       describe, hold,         let_go};
    return (struct kp_typed){&compared_above, layout, count};
}

/* --- Arguments --- */

/* Data of a message, as the caller passes them. */
struct given {
    const void *data;
    size_t count;
    const kp_layout *layout; /* NULL: a byte */
    bool receives;
    const char *data_name, *count_name;
};

#define REFUSE(...)                                                                                \
    (kp_port_error(group, KP_EARGUMENT, -1, -1, -1, __VA_ARGS__), kp_port_say_caller(group))

/* Fills in the data of a message. Returns 0 or the error's status. */
static int fill(kp_group *group, const struct given *given, struct kp_typed_data *filled)
{
    ptrdiff_t begin, end;
    const kp_layout *layout = kp_layout_or_byte(given->layout);
    if (!kp_layout_reach(layout, given->count, &begin, &end))
        return REFUSE("%s is %zu; so many blocks %s reach beyond what memory can hold",
                      given->count_name, given->count, layout->text);
    if (!given->data && end > begin)
        return REFUSE("%s is NULL with %zu blocks %s; only with 0 blocks it may be NULL",
                      given->data_name, given->count, layout->text);
    const struct kp_laid_data all = {given->data, layout, given->count};
    const enum kp_overlap overlap = given->receives ? kp_layout_overlaps(&all) : KP_APART;
    if (overlap == KP_OVERLAP)
        return REFUSE("elements of %s overlap in %zu blocks %s; a message may be received where "
                      "no two elements lie at one place",
                      given->data_name, given->count, layout->text);
    if (overlap == KP_OVERLAP_UNKNOWN)
        return kp_port_error(group, KP_EMEMORY, -1, -1, -1,
                             "no memory to find out whether elements overlap");
    *filled = (struct kp_typed_data){.data = (void *)(uintptr_t)given->data,
                                     .bytes = given->count * layout->bytes,
                                     .typed = {&row, layout, given->count}};
    return KP_OK;
}

static int fill_out(kp_group *group, const void *data, size_t count, const kp_layout *layout,
                    struct kp_typed_data *filled)
{
    const struct given given = {data, count, layout, false, "data", "count"};
    return fill(group, &given, filled);
}

static int fill_in(kp_group *group, void *data, size_t count, const kp_layout *layout,
                   struct kp_typed_data *filled)
{
    const struct given given = {data, count, layout, true, "data", "count"};
    return fill(group, &given, filled);
}

static int no_place(kp_group *group)
{
    return REFUSE("request is NULL; it must be where the request goes");
}

/* --- Public functions --- */

int kp_send_layout(kp_group *group, const void *data, size_t count, const kp_layout *layout, int to,
                   int tag)
{
    struct kp_typed_data filled;
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = fill_out(group, data, count, layout, &filled);
    status = status ? status : kp_typed_send(group, &filled, to, tag, NULL);
    return kp_member_leave(group, status);
}

int kp_receive_layout(kp_group *group, void *data, size_t count, const kp_layout *layout, int from,
                      int tag, kp_message_status *found)
{
    struct kp_typed_data filled;
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = fill_in(group, data, count, layout, &filled);
    status = status ? status : kp_typed_receive(group, &filled, from, tag, found, NULL);
    return kp_member_leave(group, status);
}

int kp_send_layout_start(kp_group *group, const void *data, size_t count, const kp_layout *layout,
                         int to, int tag, kp_request **request)
{
    struct kp_typed_data filled;
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = request ? fill_out(group, data, count, layout, &filled) : no_place(group);
    status = status ? status : kp_typed_send(group, &filled, to, tag, request);
    return kp_member_leave(group, status);
}

int kp_receive_layout_start(kp_group *group, void *data, size_t count, const kp_layout *layout,
                            int from, int tag, kp_message_status *found, kp_request **request)
{
    struct kp_typed_data filled;
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = request ? fill_in(group, data, count, layout, &filled) : no_place(group);
    status = status ? status : kp_typed_receive(group, &filled, from, tag, found, request);
    return kp_member_leave(group, status);
}

int kp_exchange_messages_layout(kp_group *group, const void *out, size_t out_count,
                                const kp_layout *out_layout, int to, int out_tag, void *in,
                                size_t in_count, const kp_layout *in_layout, int from, int in_tag,
                                kp_message_status *found)
{
    const struct given sent = {out, out_count, out_layout, false, "out", "out_count"};
    const struct given received = {in, in_count, in_layout, true, "in", "in_count"};
    struct kp_typed_data filled_out, filled_in;
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = fill(group, &sent, &filled_out);
    status = status ? status : fill(group, &received, &filled_in);
    status = status ? status
                    : kp_typed_exchange(group, &filled_out, to, out_tag, &filled_in, from, in_tag,
                                        found);
    return kp_member_leave(group, status);
}
