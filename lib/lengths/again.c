/* Calls with lengths of their own that a layer above makes again (lib/call/face.h). */
#include "lib/call/face.h"
#include "lib/lengths/call.h"
#include "lib/lengths/direct.h"
#include "ports/member.h"

#include <stdlib.h>
#include <string.h>

struct kp_face_lengths {
    kp_arguments arguments; /* with arrays of its own */
    struct kp_direct direct;
    struct kp_span sent, received;
    uintptr_t misaligned; /* the bits that must be 0 in the addresses of operands */
    /* Whether the member may leave the call after its arrival: it only sends short blocks, and the
     * latest call went directly and had one episode. Otherwise the others would wait in the call
     * until the member comes back. `room` is memory for the blocks that it sends, and behind them
     * for the one that it receives from itself. */
    bool leaves;
    char *room;
    size_t arrays[];
};

/* Copies an array of the program's, if there is one. Returns the room behind it. */
static size_t *copy(const size_t **array, size_t *room, size_t n)
{
    if (!*array)
        return room;
    memcpy(room, *array, n * sizeof *room);
    *array = room;
    return room + n;
}

static struct kp_face_lengths *copy_of(const kp_arguments *a, size_t n)
{
    const size_t arrays = (size_t)(a->out_counts != NULL) + (a->out_displacements != NULL) +
                          (a->in_counts != NULL) + (a->in_displacements != NULL);
    struct kp_face_lengths *kept = calloc(1, sizeof *kept + arrays * n * sizeof *kept->arrays);
    if (!kept)
        return NULL;
    kept->arguments = *a;
    kept->arguments.hints = NULL;
    size_t *room = kept->arrays;
    room = copy(&kept->arguments.out_counts, room, n);
    room = copy(&kept->arguments.out_displacements, room, n);
    room = copy(&kept->arguments.in_counts, room, n);
    (void)copy(&kept->arguments.in_displacements, room, n);
    return kept;
}

struct kp_face_lengths *kp_face_keep_lengths(kp_group *group, const kp_arguments *a)
{
    const size_t alignment = a->op ? kp_type_alignment(a->type) : 0;
    if (a->out_layouts || a->in_layouts || !kp_direct_serves(group, a))
        return NULL;
    struct kp_face_lengths *kept = copy_of(a, (size_t)kp_port_size(group));
    if (!kept)
        return NULL;
    struct kp_direct *d = &kept->direct;
    kept->misaligned = alignment > 0 ? alignment - 1 : 0;
    if (!kp_direct_prepare(group, &kept->arguments, kp_lengths_of(group), d) && d->goes &&
        !d->call.in_place && kp_side_span(&d->call.out, false, &kept->sent) &&
        kp_side_span(&d->call.in, true, &kept->received)) {
        if (kp_direct_only_sends(d) && kept->sent.end <= d->n * d->slot)
            kept->room = calloc(1, kept->sent.end + kept->received.end);
        return kept;
    }
    kp_face_drop_lengths(kept);
    return NULL;
}

void kp_face_drop_lengths(struct kp_face_lengths *kept)
{
    if (!kept)
        return;
    free(kept->room);
    free(kept);
}

/* Ends a call that goes directly. */
static int close_call(struct kp_face_lengths *kept)
{
    kp_group *member = kept->direct.member;
    kept->leaves = kept->room && !kp_member_has_readers(member);
    return kp_member_close(member);
}

/* Makes the call in the general way, after the members have found that it does not go directly. */
static int go_generally(struct kp_face_lengths *kept, const void *out, void *in)
{
    kp_group *member = kept->direct.member;
    kept->leaves = false;
    kept->arguments.out = out;
    kept->arguments.in = in;
    return kp_lengths_execute_generally(member, &kept->arguments, kp_lengths_of(member));
}

/* Does what is left of a call of a member that only sends. The program may have changed its buffers
 * since. So a general call has others: it sends what lies in the member's slots, and what the
 * member receives from itself is not used. */
static int rest_of_sender(kp_group *member)
{
    struct kp_direct *d = kp_direct_of(member);
    struct kp_face_lengths *kept =
        (struct kp_face_lengths *)((char *)d - offsetof(struct kp_face_lengths, direct));
    const int status = kp_direct_end(d);
    if (status != KP_DIRECT_NOT)
        return status ? status : close_call(kept);
    kp_direct_unpack_sent(d, kept->room);
    return go_generally(kept, kept->room, kept->room + kept->sent.end);
}

/* The same of a member that has copied its long block. */
static int rest_of_reader(kp_group *member)
{
    return kp_member_await(member, -1);
}

/* Makes the call. With `early` the member may leave it. */
static int make_call(struct kp_face_lengths *kept, bool early)
{
    struct kp_direct *d = &kept->direct;
    if (early && kept->leaves) {
        kp_member_will_leave(d->member);
        kp_direct_begin(d);
        kp_direct_take_own(d);
        return kp_member_leave_early(d->member, rest_of_sender);
    }
    kp_direct_begin(d);
    const int status = kp_direct_end(d);
    if (status)
        return status;
    return early && !kept->room && kp_direct_is_free_at_end(d)
               ? kp_member_close_early(d->member, rest_of_reader)
               : close_call(kept);
}

int kp_face_again_lengths(struct kp_face_lengths *kept, const void *out, void *in, bool early)
{
    struct kp_direct *d = &kept->direct;
    if (((uintptr_t)out | (uintptr_t)in) & kept->misaligned ||
        !kp_spans_fit(out, kept->sent, in, kept->received))
        return KP_FACE_FORGOTTEN;
    int status = kp_member_enter(d->member);
    if (status)
        return status;
    d->call.out.data = (char *)(uintptr_t)out;
    d->call.in.data = in;
    status = make_call(kept, early && kp_member_may_leave(d->member));
    if (status == KP_DIRECT_NOT)
        status = go_generally(kept, out, in);
    return kp_member_late(d->member, kp_member_leave(d->member, status));
}
