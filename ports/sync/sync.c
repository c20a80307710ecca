#include "ports/sync/sync.h"

#include "ports/carrier/carrier.h"
#include "ports/machine_data.h"
#include "ports/message/messages.h"
#include "ports/request/request.h"
#include "ports/without.h"

static const struct kp_sync_row *const rows[KP_SYNCS] = {
    [KP_SYNC_COUNTER] = &kp_counter_row,         [KP_SYNC_CORE_SETS] = &kp_core_sets_row,
    [KP_SYNC_WORKER_SETS] = &kp_worker_sets_row, [KP_SYNC_PAIR] = &kp_pair_row,
    [KP_SYNC_ALONE] = &kp_counter_row, /* a group of one never changes the counter's words */
    [KP_SYNC_WIRED] = &kp_wired_sync_row,
};

/* Returns the number of the thread that carries a member. */
static int worker_of(const struct kp_shared *shared, int rank)
{
    const kp_machine *machine = shared->machine;
    return machine->carrier->worker_of
               ? machine->carrier->worker_of(machine, shared->processors[rank])
               : rank;
}

static enum kp_sync kind_of(const struct kp_shared *shared)
{
    if (shared->size == 1)
        return KP_SYNC_ALONE;
    if (shared->machine->config.wire)
        return KP_SYNC_WIRED;
    if (KP_HAS(PAIR) && shared->size == 2 && worker_of(shared, 0) != worker_of(shared, 1))
        return KP_SYNC_PAIR;
    if (shared->machine->carrier->worker_of)
        return KP_HAS(WORKER_SETS) ? KP_SYNC_WORKER_SETS : KP_SYNC_COUNTER;
    return KP_HAS(CORE_SETS) && kp_core_sets_serve(shared) ? KP_SYNC_CORE_SETS : KP_SYNC_COUNTER;
}

void kp_sync_choose(struct kp_shared *shared)
{
    enum kp_sync kind = kind_of(shared);
    for (int i = 0; i < shared->size; i++)
        shared->members[i].sync = (unsigned char)kind;
    const struct kp_sync_row **row = shared->sync;
    *row++ = rows[kind];
    *row++ = &kp_messages_row;
    if (shared->machine->config.discipline != KP_ROUNDS_BY_BARRIER ||
        (shared->lane_of && kind != KP_SYNC_WIRED))
        *row++ = &kp_mailboxes_row;
    shared->near_end = !KP_HAS(NEAR_BUFFER) ? 0 : rows[kind]->near_end;
}

int kp_sync_make(struct kp_shared *shared)
{
    for (int i = 0; i < KP_SYNCS_OF_A_GROUP && shared->sync[i]; i++) {
        if (shared->sync[i]->make(shared))
            return KP_EMEMORY;
    }
    return KP_OK;
}

void kp_sync_free(struct kp_shared *shared)
{
    for (int i = 0; i < KP_SYNCS_OF_A_GROUP && shared->sync[i]; i++)
        shared->sync[i]->free(shared);
}

void kp_sync_reset(struct kp_shared *shared)
{
    for (int i = 0; i < KP_SYNCS_OF_A_GROUP && shared->sync[i]; i++)
        shared->sync[i]->reset(shared);
}

void kp_sync_fail(struct kp_shared *shared, const kp_error_record *why)
{
    for (int i = 0; i < KP_SYNCS_OF_A_GROUP && shared->sync[i]; i++)
        shared->sync[i]->fail(shared, why);
}

bool kp_sync_is_awaited(const struct kp_shared *shared, int processor)
{
    bool awaited = false;
    for (int i = 0; i < KP_SYNCS_OF_A_GROUP && shared->sync[i] && !awaited; i++)
        awaited = shared->sync[i]->is_awaited && shared->sync[i]->is_awaited(shared, processor);
    return awaited;
}

static bool has_come(const void *member)
{
    return kp_sync_has_come(member);
}

enum kp_episode_result kp_sync_await(kp_group *member)
{
    if (member->sync == KP_SYNC_WIRED)
        return kp_wired_await(member);
    if (member->self->unusual && kp_requests_go_on(member) &&
        !kp_request_wait_beside(member, has_come, member, kp_sync_word(member),
                                member->waiter.limit_ms))
        return KP_EPISODE_LATE;
    if (member->sync == KP_SYNC_PAIR)
        return kp_pair_await(member);
    if (member->sync == KP_SYNC_CORE_SETS)
        kp_core_set_look(member);
    return kp_counter_await(member);
}
