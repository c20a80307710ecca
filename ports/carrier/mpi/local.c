/* Messages between processors of one process. The second of the two, sender or receiver, copies the
 * bytes from the sender's memory to the receiver's, under the lock of their channel. So a thread
 * that cancels its message takes this lock, and nobody copies afterwards. A short message whose
 * receiver has not come is copied to memory of its own, so that its sender goes on at once. */
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

/* Tells the owner of a message that it is done. */
static void finish(const struct local *local)
{
    struct wire *owner = local->owner;
    pthread_mutex_lock(&owner->lock);
    if (atomic_fetch_sub_explicit(&owner->pending[local->sends], 1, KP_ORDER_UNLOCKED) == 1)
        pthread_cond_signal(&owner->woken);
    pthread_mutex_unlock(&owner->lock);
}

static void copy(const struct kp_wire_message *send, struct kp_wire_message *receive)
{
    const size_t length = send->length < receive->length ? send->length : receive->length;
    if (length > 0)
        memcpy(receive->bytes, send->bytes, length);
    if (!receive->exact)
        receive->length = send->length;
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

static void link_to(struct channel *channel, struct local *local)
{
    *channel->last = local;
    channel->last = &local->next;
}

/* Adds a copy of a short message, which belongs to nobody, to its channel. */
static bool enqueue_copy(struct channel *channel, const struct kp_wire_message *message)
{
    struct local *local = malloc(sizeof *local + message->length);
    if (!local)
        return false;
    *local = (struct local){.channel = channel, .sends = true, .own = *message};
    local->message = &local->own;
    local->own.bytes = local->memory;
    if (message->length > 0)
        memcpy(local->memory, message->bytes, message->length);
    link_to(channel, local);
    return true;
}

/* Adds the message to its channel, where its counterpart finds it. */
static int enqueue(struct wire *self, struct channel *channel, struct kp_wire_message *message,
                   bool sends)
{
    if (sends && message->length < KP_WIRE_SHORT && enqueue_copy(channel, message))
        return KP_OK;
    struct local *local = new_local(self);
    if (!local)
        return self->process->host.set_error(
            KP_EMEMORY, "no memory for a message to or from processor %d", message->peer);
    *local = (struct local){.next_own = self->begun,
                            .owner = self,
                            .channel = channel,
                            .message = message,
                            .sends = sends};
    self->begun = local;
    atomic_fetch_add_explicit(&self->pending[sends], 1, KP_ORDER_UNLOCKED);
    link_to(channel, local);
    return KP_OK;
}

int wires_local_begin(struct wire *self, struct kp_wire_message *message, bool sends)
{
    struct channel *channel = channel_of(self, message->peer % self->process->per_process, sends);
    int status = KP_OK;
    pthread_mutex_lock(&channel->lock);
    struct local **link = &channel->first;
    while (*link && ((*link)->message->tag != message->tag || (*link)->sends == sends))
        link = &(*link)->next;
    struct local *other = *link;
    if (other) {
        copy(sends ? message : other->message, sends ? other->message : message);
        unlink_from(channel, link);
        if (other->owner)
            finish(other);
        else
            free(other);
    } else {
        status = enqueue(self, channel, message, sends);
    }
    pthread_mutex_unlock(&channel->lock);
    return status;
}

static bool is_pending(const struct wire *self, enum kp_wire_what what)
{
    return atomic_load_explicit(&self->pending[false], KP_ORDER_UNLOCKED) > 0 ||
           (what == KP_WIRE_ALL &&
            atomic_load_explicit(&self->pending[true], KP_ORDER_UNLOCKED) > 0);
}

bool wires_local_end(struct wire *self, enum kp_wire_what what)
{
    if (is_pending(self, what))
        return false;
    /* The last peer that finished a message did so under this lock. */
    pthread_mutex_lock(&self->lock);
    pthread_mutex_unlock(&self->lock);
    while (self->begun && what == KP_WIRE_ALL) {
        struct local *local = self->begun;
        self->begun = local->next_own;
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
        const int peer = local->message->peer;
        struct channel *channel = channel_of(self, peer % self->process->per_process, local->sends);
        pthread_mutex_lock(&channel->lock);
        if (local->channel && (!lost || wires_has_left(self, peer)))
            awaited = peer;
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
            channel_of(self, local->message->peer % self->process->per_process, local->sends);
        pthread_mutex_lock(&channel->lock);
        struct local **link = &channel->first;
        while (*link && *link != local)
            link = &(*link)->next;
        if (*link) {
            unlink_from(channel, link);
            finish(local);
        }
        pthread_mutex_unlock(&channel->lock);
    }
    (void)wires_local_done(self, KP_WIRE_ALL);
}

void wires_local_free(struct channel *channel)
{
    for (struct local *local = channel->first, *next; local; local = next) {
        next = local->next;
        if (!local->owner)
            free(local);
    }
}

void wires_local_sleep(struct wire *self, enum kp_wire_what what, unsigned microseconds)
{
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)microseconds % 1000000 * 1000;
    until.tv_sec += microseconds / 1000000 + until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    int over = 0;
    pthread_mutex_lock(&self->lock);
    while (!over && is_pending(self, what))
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
