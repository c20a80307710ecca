/* Failure: how a processor that is gone, or that has failed, becomes an error of all who wait for
 * it, at once, with a sentence that names it.
 *
 * A failed group's generation word gets its top bit and never changes again, so a pass has either
 * happened for every member or for none. Waiters sleep on that same word: no wake is lost. */
#include "ports/error.h"
#include "ports/machine_data.h"

#include <stdio.h>
#include <string.h>

/* No pass of the barrier will happen any more. */
static void fail_passes(struct kp_shared *shared, const kp_error_record *why)
{
    if (shared->failed)
        return;
    shared->failed = true;
    shared->failure = *why;
    /* Publishes the reason with the bit. Partner: KP_ORDER_OBSERVE in kp_wait_change. */
    atomic_fetch_or_explicit(&shared->generation.value, KP_GENERATION_FAILED, KP_ORDER_PUBLISH);
    kp_wake_all(&shared->generation);
}

void kp_fail_group(struct kp_shared *shared, const kp_error_record *why)
{
    fail_passes(shared, why);
    kp_mail_break(shared, why);
}

bool kp_fail_group_unless_moved(struct kp_shared *shared, const kp_error_record *why, uint32_t seen)
{
    uint32_t now = atomic_load_explicit(&shared->generation.value, KP_ORDER_OBSERVE);
    if ((now & KP_GENERATION_LOW) != seen)
        return false;
    if (shared->failed)
        return true;
    shared->failure = *why;
    if (!atomic_compare_exchange_strong_explicit(&shared->generation.value, &seen,
                                                 seen | KP_GENERATION_FAILED, KP_ORDER_PUBLISH,
                                                 KP_ORDER_OBSERVE))
        return false;
    shared->failed = true;
    kp_wake_all(&shared->generation);
    kp_mail_break(shared, why);
    return true;
}

static bool is_member(const struct kp_shared *shared, int processor)
{
    if (shared == shared->machine->world)
        return true;
    for (int i = 0; i < shared->size; i++) {
        if (shared->processors[i] == processor)
            return true;
    }
    return false;
}

void kp_fail_groups_of(kp_proc *self, const kp_error_record *why, bool by_ending)
{
    for (struct kp_shared *s = self->machine->groups; s; s = s->next) {
        if (!is_member(s, self->number))
            continue;
        fail_passes(s, why);
        kp_mail_stop_reading(s, self->number);
        if (by_ending)
            kp_mail_leave(s, self->number, why);
        else
            kp_mail_break(s, why);
    }
}

int kp_proc_keep_error(kp_proc *self)
{
    self->error = *kp_error_slot();
    self->error.processor = self->error.processor < 0 ? self->number : self->error.processor;
    self->error.file = self->file;
    self->error.line = self->line;
    *kp_error_slot() = self->error;
    return self->error.status;
}

static bool is_status(int status)
{
    static const int all[] = {
#define KP_STATUS_VALUE(name, value, text) value,
        KP_STATUSES(KP_STATUS_VALUE)
#undef KP_STATUS_VALUE
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (all[i] == status)
            return true;
    }
    return false;
}

static kp_error_record record(int status, int processor)
{
    kp_error_record r;
    memset(&r, 0, sizeof r);
    r.status = status;
    r.processor = processor;
    r.round = r.port = r.peer = r.line = -1;
    return r;
}

static void keep_first(kp_machine *machine, const kp_error_record *why)
{
    if (machine->first.status == KP_OK)
        machine->first = *why;
}

/* `root` is what the run's report names; NULL: this end is no failure. */
static void end(kp_proc *self, const kp_error_record *told, const kp_error_record *root)
{
    pthread_mutex_lock(&self->machine->lock);
    if (!self->failed)
        self->end = *told;
    if (root)
        keep_first(self->machine, root);
    atomic_store_explicit(&self->state, KP_PROC_ENDED, KP_ORDER_STATE);
    kp_fail_groups_of(self, &self->end, !root);
    pthread_mutex_unlock(&self->machine->lock);
    kp_watch_ended(self);
}

void kp_proc_returned(kp_proc *self, int status)
{
    if (status == 0) {
        kp_error_record told = record(KP_ELOST, self->number);
        snprintf(told.sentence, sizeof told.sentence, "processor %d has ended its program",
                 self->number);
        end(self, &told, NULL);
        return;
    }
    kp_error_record told = record(KP_EFAILED, self->number), root;
    if (status == self->error.status) {
        snprintf(told.sentence, sizeof told.sentence,
                 "processor %d's program returned %d (%s): %.300s", self->number, status,
                 kp_strerror(status), self->error.sentence);
        end(self, &told, &self->error);
        return;
    }
    snprintf(told.sentence, sizeof told.sentence, "processor %d's program returned %d",
             self->number, status);
    root = told;
    root.status = is_status(status) ? status : KP_EFAILED;
    end(self, &told, &root);
}

void kp_proc_detached(kp_proc *self)
{
    kp_error_record told = record(KP_ELOST, self->number);
    snprintf(told.sentence, sizeof told.sentence, "processor %d has detached", self->number);
    end(self, &told, NULL);
}

void kp_proc_vanished(kp_proc *self)
{
    kp_error_record told = record(KP_ELOST, self->number);
    snprintf(told.sentence, sizeof told.sentence,
             "processor %d is lost: its thread ended (pthread_exit or cancellation)", self->number);
    end(self, &told, &told);
}

void kp_proc_overflowed(kp_proc *self)
{
    kp_error_record told = record(KP_EFAILED, self->number);
    snprintf(told.sentence, sizeof told.sentence,
             "processor %d has overflowed its stack of %zu bytes (found at a wait, by the pattern "
             "below the stack); it was not gone on with, and memory below, which may be the stack "
             "of processor %d, may be damaged",
             self->number, self->machine->config.stack_bytes, self->number - 1);
    end(self, &told, &told);
}

int kp_fail(kp_proc *self, const char *sentence)
{
    if (!self || self != kp_carried())
        return kp_refuse_proc(self);
    int status = kp_port_enter(self->world);
    if (status)
        return status;
    kp_set_error(KP_EFAILED, "processor %d: %s", self->number, sentence ? sentence : "no reason");
    kp_proc_keep_error(self);
    pthread_mutex_lock(&self->machine->lock);
    self->failed = true;
    self->end = self->error;
    keep_first(self->machine, &self->error);
    kp_fail_groups_of(self, &self->error, false);
    pthread_mutex_unlock(&self->machine->lock);
    return KP_EFAILED;
}

int kp_proc_meets_failure(kp_group *seat, int round, const kp_error_record *why)
{
    char call[160] = "a call";
    const struct kp_call *mine = &seat->shown.call;
    if (mine->describe)
        mine->describe(mine->subject, call, sizeof call);
    int status = why->status;
    if (round < 0)
        kp_set_error(status, "%s, at its end: %s", call, why->sentence);
    else
        kp_set_error(status, "%s, round %d: %s", call, round, why->sentence);
    kp_error_record *slot = kp_error_slot();
    slot->processor = why->processor;
    slot->round = round;
    slot->peer = why->peer;
    return kp_proc_keep_error(seat->self);
}
