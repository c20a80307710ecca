#include "ports/message/messages.h"

#include "ports/error.h"
#include "ports/machine_data.h"
#include "ports/member.h"
#include "ports/message/links.h"
#include "ports/message/postbox.h"
#include "ports/sync/wired.h"

#include <stdio.h>
#include <stdlib.h>

#define DEFAULT_MESSAGE_EAGER ((size_t)4 << 10)
#define MOST_MESSAGE_EAGER    ((size_t)1 << 20) /* the largest class of objects (message/links.h) */
#define DEFAULT_UNRECEIVED    ((size_t)64 << 10)

static struct kp_messages_group *group_of(const struct kp_shared *shared)
{
    return atomic_load_explicit(&shared->messages, KP_ORDER_OBSERVE);
}

/* --- Making and freeing --- */

int kp_messages_complete(struct kp_machine_config *config)
{
    if (config->message_eager_bytes > MOST_MESSAGE_EAGER)
        return kp_set_error(KP_EARGUMENT, "message_eager_bytes is %zu; it may be 0 ... %zu",
                            config->message_eager_bytes, MOST_MESSAGE_EAGER);
    if (config->message_eager_bytes == 0)
        config->message_eager_bytes = DEFAULT_MESSAGE_EAGER;
    if (config->unreceived_bytes == 0)
        config->unreceived_bytes = DEFAULT_UNRECEIVED;
    else if (config->unreceived_bytes == KP_UNBUFFERED)
        config->unreceived_bytes = 0;
    return KP_OK;
}

/* A member is gone, or the group is broken. The addition is a release of this (partner:
 * kp_messages_end_of). */
static void count_end(struct kp_messages_group *group)
{
    atomic_fetch_add_explicit(&group->ends, 1, KP_ORDER_PUBLISH);
}

/* Marks what failed before the group had data for messages. The caller holds the machine's lock. */
static void catch_up(const struct kp_shared *shared, struct kp_messages_group *group)
{
    for (int i = 0; i < shared->size; i++) {
        const kp_proc *proc = &shared->machine->procs[shared->processors[i]];
        if (!proc->failed && atomic_load_explicit(&proc->state, KP_ORDER_STATE) != KP_PROC_ENDED)
            continue;
        group->members[i].why = proc->end;
        atomic_store_explicit(&group->members[i].gone, 1, KP_ORDER_PUBLISH);
        count_end(group);
    }
    /* The end of a member fails the barrier, but not the messages of the others. */
    if (!shared->failed || shared->failure.status == KP_ELOST)
        return;
    group->why = shared->failure;
    atomic_store_explicit(&group->broken, 1, KP_ORDER_PUBLISH);
    count_end(group);
}

static struct kp_messages_group *make_group(struct kp_shared *shared)
{
    const size_t count = (size_t)shared->size;
    struct kp_messages_group *group =
        kp_lines_zeroed(1, sizeof *group + count * sizeof(struct kp_messages));
    for (size_t i = 0; group && i < count; i++) {
        group->members[i].member = &shared->members[i];
        group->members[i].group = group;
    }
    return group;
}

static struct kp_messages_group *make_once(struct kp_shared *shared)
{
    pthread_mutex_lock(&shared->machine->lock);
    struct kp_messages_group *group = group_of(shared);
    if (!group && (group = make_group(shared))) {
        catch_up(shared, group);
        /* The store is a release of the data (partner: group_of). */
        atomic_store_explicit(&shared->messages, group, KP_ORDER_PUBLISH);
    }
    pthread_mutex_unlock(&shared->machine->lock);
    return group;
}

/* This is a separate function, so that a message that needs none of it saves no registers for it.
 */
__attribute__((noinline)) struct kp_messages *kp_messages_make(kp_group *member)
{
    struct kp_messages_group *group = group_of(member->shared);
    group = group ? group : make_once(member->shared);
    struct kp_messages *own = group ? &group->members[member->rank] : NULL;
    if (own && !kp_is_wired(member)) {
        member->messages = member->trace ? NULL : own;
        return own;
    }
    if (own && (own->box || !kp_postbox_open(own)))
        return own;
    kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for the messages of %d members",
                  member->shared->size);
    return NULL;
}

static int make_later(struct kp_shared *shared)
{
    (void)shared;
    return KP_OK;
}

static void forget(struct kp_shared *shared)
{
    struct kp_messages_group *group = group_of(shared);
    for (int i = 0; group && i < shared->size; i++) {
        kp_link_free_all(&group->members[i]);
        shared->members[i].messages = NULL;
    }
    free(group);
    atomic_store_explicit(&shared->messages, NULL, KP_ORDER_RESET);
}

/* --- Failures --- */

static void ring_all(const struct kp_shared *shared)
{
    for (int i = 0; i < shared->size; i++)
        kp_request_notify(kp_member_carrier(&shared->members[i]));
}

/* Ends all waits for messages in the group. */
static void fail(struct kp_shared *shared, const kp_error_record *why)
{
    struct kp_messages_group *group = group_of(shared);
    if (!group || atomic_load_explicit(&group->broken, KP_ORDER_OBSERVE) != 0)
        return;
    group->why = *why;
    /* The store is a release of the reason (partner: kp_messages_end_of). */
    atomic_store_explicit(&group->broken, 1, KP_ORDER_PUBLISH);
    count_end(group);
    ring_all(shared);
}

void kp_messages_leave(struct kp_shared *shared, int processor, const kp_error_record *why,
                       bool by_ending)
{
    struct kp_messages_group *group = group_of(shared);
    struct kp_messages *own = group ? &group->members[kp_rank_of(shared, processor)] : NULL;
    if (own)
        kp_link_withdraw_all(own);
    if (!by_ending)
        fail(shared, why);
    if (!own || atomic_load_explicit(&own->gone, KP_ORDER_OBSERVE) != 0)
        return;
    own->why = *why;
    /* The store is a release of the reason, and of all that the member has sent (partner:
     * kp_messages_end_of). */
    atomic_store_explicit(&own->gone, 1, KP_ORDER_PUBLISH);
    count_end(group);
    ring_all(shared);
}

/* Looks whether a member has ended that shares no memory with `own`. */
static void look_beyond(const struct kp_messages *own, struct kp_messages *other)
{
    const kp_group *member = other->member;
    const int processor = kp_member_processor(member, member->rank);
    if (atomic_load_explicit(&other->gone, KP_ORDER_OBSERVE) != 0 ||
        !kp_postbox_is_gone(own, member->rank))
        return;
    other->why = (kp_error_record)KP_ERROR_OF(KP_ELOST, processor);
    snprintf(other->why.sentence, sizeof other->why.sentence, "processor %d has ended its program",
             processor);
    atomic_store_explicit(&other->gone, 1, KP_ORDER_PUBLISH);
}

static const kp_error_record *gone_of(const struct kp_messages *own, int rank)
{
    struct kp_messages *other = &own->group->members[rank];
    if (own->box)
        look_beyond(own, other);
    return atomic_load_explicit(&other->gone, KP_ORDER_OBSERVE) != 0 ? &other->why : NULL;
}

const kp_error_record *kp_messages_look_for_end_of(const struct kp_messages *own, int source)
{
    const struct kp_messages_group *group = own->group;
    const kp_error_record *why = NULL;
    if (atomic_load_explicit(&group->broken, KP_ORDER_OBSERVE) != 0)
        return &group->why;
    if (source != KP_ANY)
        return gone_of(own, source);
    for (int i = 0; i < own->member->shared->size; i++) {
        if (i == own->member->rank)
            continue;
        why = gone_of(own, i);
        if (!why)
            return NULL;
    }
    return why;
}

static void free_group(struct kp_shared *shared)
{
    forget(shared);
    if (shared == shared->machine->world)
        kp_postbox_free(shared->machine);
}

const struct kp_sync_row kp_messages_row = {
    .make = make_later,
    .free = free_group,
    .reset = forget,
    .fail = fail,
};

/* --- Messages that nobody received --- */

bool kp_messages_are_settled(const struct kp_shared *shared)
{
    const struct kp_messages_group *group = group_of(shared);
    struct kp_envelope left;
    for (int i = 0; group && i < shared->size; i++) {
        if (kp_link_find_left(&group->members[i], &left))
            return false;
    }
    return true;
}

void kp_face_name_ranks_from(kp_group *member, int first)
{
    member->named_from = first;
}

bool kp_face_find_left(const kp_group *member, struct kp_envelope *left)
{
    const struct kp_messages_group *group = group_of(member->shared);
    return group && kp_link_find_left(&group->members[member->rank], left);
}

int kp_messages_left(const kp_group *member)
{
    struct kp_envelope left;
    /* Ranks of the world are numbers of processors. */
    const bool is_world = member->shared == member->shared->machine->world;
    const bool unclaimed = is_world && member->self && kp_is_wired(member) &&
                           kp_postbox_find_left(member->shared->machine, &left);
    if (!unclaimed && !kp_face_find_left(member, &left))
        return KP_OK;
    const int from = kp_member_processor(member, left.source);
    const int to = kp_member_processor(member, member->rank);
    char where[120] = "";
    if (left.site.file)
        snprintf(where, sizeof where, " (%.80s:%d)", left.site.file, left.site.line);
    int status = kp_set_error(KP_EUNTAKEN,
                              "processor %d sent a message of %zu bytes with tag %d%s to processor "
                              "%d, which did not receive it",
                              from, left.bytes, left.tag, where, to);
    kp_error_record *slot = kp_error_slot();
    slot->processor = from;
    slot->peer = to;
    slot->file = left.site.file;
    slot->line = left.site.file ? left.site.line : -1;
    return status;
}

int kp_messages_left_of(kp_proc *self)
{
    int status = KP_OK;
    pthread_mutex_lock(&self->machine->lock);
    for (struct kp_shared *s = self->machine->groups; s && !status; s = s->next) {
        int rank = kp_rank_of(s, self->number);
        status = rank < 0 ? KP_OK : kp_messages_left(&s->members[rank]);
    }
    pthread_mutex_unlock(&self->machine->lock);
    return status;
}
