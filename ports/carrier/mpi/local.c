/* Messages between processors of one process. The second of the two, sender or receiver, copies the
 * bytes from the sender's memory to the receiver's, under the lock of their channel. So a thread
 * that cancels its message takes this lock, and nobody copies afterwards. */
#include "ports/carrier/mpi/wires.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static struct channel *channel_of(const struct wire *self, int index, bool sends)
{
    const struct process *process = self->process;
    const int from = sends ? self->local : index, to = sends ? index : self->local;
    return &process->channels[(size_t)from * (size_t)process->per_process + (size_t)to];
}

static void unlink_from(struct channel *channel, struct local **link)
{
    struct local *local = *link;
    *link = local->next;
    if (channel->last == &local->next)
        channel->last = link;
    local->channel = NULL;
}

/* Tells a wire that one of its messages is done. */
static void finish(struct wire *owner)
{
    pthread_mutex_lock(&owner->lock);
    if (atomic_fetch_sub_explicit(&owner->pending, 1, KP_ORDER_UNLOCKED) == 1)
        pthread_cond_signal(&owner->woken);
    pthread_mutex_unlock(&owner->lock);
}

static void copy(const struct local *send, struct local *receive)
{
    const size_t length = send->length < receive->length ? send->length : receive->length;
    if (length > 0)
        memcpy(receive->bytes, send->bytes, length);
    receive->sent = send->length;
}

static struct local *new_local(struct wire *self)
{
    struct local *local = self->spare;
    if (local)
        self->spare = local->next_own;
    else
        local = malloc(sizeof *local);
    return local;
}

/* Adds the message to its channel, where its counterpart finds it. */
static int enqueue(struct wire *self, const struct local *what)
{
    struct local *local = new_local(self);
    if (!local)
        return self->process->host.set_error(KP_EMEMORY,
                                             "no memory for a message to or from "
                                             "processor %d",
                                             what->peer);
    *local = *what;
    local->next_own = self->begun;
    self->begun = local;
    atomic_fetch_add_explicit(&self->pending, 1, KP_ORDER_UNLOCKED);
    *local->channel->last = local;
    local->channel->last = &local->next;
    return KP_OK;
}

int wires_local_begin(struct wire *self, int index, uint64_t tag, const void *bytes, size_t length,
                      size_t *came)
{
    struct channel *channel = channel_of(self, index, !came);
    struct local own = {.owner = self,
                        .channel = channel,
                        .peer = self->process->wires.first + index,
                        .tag = tag,
                        .bytes = (char *)bytes,
                        .length = length,
                        .came = came};
    int status = KP_OK;
    pthread_mutex_lock(&channel->lock);
    struct local **link = &channel->first;
    while (*link && ((*link)->tag != tag || !(*link)->came == !came))
        link = &(*link)->next;
    struct local *other = *link;
    if (other) {
        copy(came ? other : &own, came ? &own : other);
        if (came)
            *came = own.sent;
        unlink_from(channel, link);
        finish(other->owner);
    } else {
        status = enqueue(self, &own);
    }
    pthread_mutex_unlock(&channel->lock);
    return status;
}

bool wires_local_done(struct wire *self)
{
    if (!self->begun)
        return true;
    if (atomic_load_explicit(&self->pending, KP_ORDER_UNLOCKED) > 0)
        return false;
    /* The last peer that finished a message did so under this lock. */
    pthread_mutex_lock(&self->lock);
    pthread_mutex_unlock(&self->lock);
    while (self->begun) {
        struct local *local = self->begun;
        self->begun = local->next_own;
        if (local->came)
            *local->came = local->sent;
        local->next_own = self->spare;
        self->spare = local;
    }
    return true;
}

/* Returns a processor that this one waits for, or -1. If `lost`, only one that has left counts. */
static int awaited_of(struct wire *self, bool lost)
{
    int awaited = -1;
    for (const struct local *local = self->begun; local && awaited < 0; local = local->next_own) {
        struct channel *channel =
            channel_of(self, local->peer - self->process->wires.first, !local->came);
        pthread_mutex_lock(&channel->lock);
        if (local->channel && (!lost || wires_has_left(self, local->peer)))
            awaited = local->peer;
        pthread_mutex_unlock(&channel->lock);
    }
    return awaited;
}

int wires_local_awaited(struct wire *self)
{
    return awaited_of(self, false);
}

int wires_local_lost(struct wire *self)
{
    return awaited_of(self, true);
}

void wires_local_cancel(struct wire *self)
{
    for (struct local *local = self->begun; local; local = local->next_own) {
        struct channel *channel =
            channel_of(self, local->peer - self->process->wires.first, !local->came);
        pthread_mutex_lock(&channel->lock);
        struct local **link = &channel->first;
        while (*link && *link != local)
            link = &(*link)->next;
        if (*link) {
            unlink_from(channel, link);
            local->came = NULL;
            finish(self);
        }
        pthread_mutex_unlock(&channel->lock);
    }
    (void)wires_local_done(self);
}

void wires_local_sleep(struct wire *self, unsigned microseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)microseconds % 1000000 * 1000;
    until.tv_sec += microseconds / 1000000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int over = 0;
    pthread_mutex_lock(&self->lock);
    while (!over && atomic_load_explicit(&self->pending, KP_ORDER_UNLOCKED) > 0)
        over = pthread_cond_timedwait(&self->woken, &self->lock, &until);
    pthread_mutex_unlock(&self->lock);
}

bool wires_break(struct process *process, const kp_error_record *why)
{
    pthread_mutex_lock(&process->lock);
    const bool first = !atomic_load_explicit(&process->broken, KP_ORDER_UNLOCKED);
    if (first) {
        process->why = *why;
        atomic_store_explicit(&process->broken, true, KP_ORDER_UNLOCKED);
    }
    pthread_mutex_unlock(&process->lock);
    return first;
}
