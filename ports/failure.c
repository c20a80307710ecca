/* Failure: how a processor that is gone, or that has failed, becomes an error of all who wait for
 * it, at once, with a sentence that names it.
 *
 * A failed group's generation word gets its top bit and never changes again, so a pass has either
 * happened for every member or for none. Waiters sleep on that same word: no wake is lost. */
#include "ports/error.h"
#include "ports/machine_data.h"
#include "ports/pass.h"
#include "ports/survey.h"
#include "ports/sync/sync.h"

#include <stdio.h>
#include <string.h>

void kp_fail_group(struct kp_shared *shared, const kp_error_record *why)
{
    kp_sync_fail(shared, why);
}

bool kp_fail_group_unless_moved(kp_group *seat, const kp_error_record *why)
{
    struct kp_shared *shared = seat->shared;
    struct kp_wait_word *word = kp_sync_word(seat);
    uint32_t now = atomic_load_explicit(&word->value, KP_ORDER_OBSERVE);
    if ((now & KP_GENERATION_LOW) != seat->seen)
        return false;
    if (shared->failed)
        return true;
    shared->failure = *why;
    /* Of a pair the other's word decides: the own one has come. */
    if (!kp_pair_freeze_before(&word->value, seat->seen))
        return false;
    /* From here on those who wait may read why. */
    kp_sync_fail(shared, &shared->failure);
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
        s->sync[0]->fail(s, why);
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
    self->error.file = atomic_load_explicit(&self->file, KP_ORDER_NOTE);
    self->error.line = atomic_load_explicit(&self->line, KP_ORDER_NOTE);
    self->error_told = false;
    *kp_error_slot() = self->error;
    return self->error.status;
}

int kp_proc_set_error(kp_proc *self, const kp_error_record *error)
{
    self->error = *error;
    *kp_error_slot() = *error;
    return error->status;
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

static void keep_first(kp_machine *machine, const kp_error_record *why)
{
    if (machine->first.status == KP_OK)
        machine->first = *why;
}

static void concern(struct kp_survey *survey, int processor)
{
    int *about = kp_survey_concerned(survey, 1);
    if (about)
        *about = processor;
}

/* Whether somebody may be waiting for this processor: has come to a pass of one of its groups, or
 * sleeps until it posts or takes. A look, for each that ends; who is missed tells it himself. */
static bool may_be_awaited(const kp_proc *self)
{
    for (const struct kp_shared *s = self->machine->groups; s; s = s->next) {
        if (kp_sync_is_awaited(s, self->number) && is_member(s, self->number))
            return true;
    }
    return false;
}

/* An end that is no failure is told if somebody sleeps until this processor comes; else to who
 * comes to wait for it. One that is a failure is told, unless it only passes on what was told. */
static void survey_end(kp_proc *self, bool fails, struct kp_survey *survey)
{
    bool lost = self->end.status == KP_ELOST;
    if (self->end_told || (fails ? self->error_told : !may_be_awaited(self)))
        return;
    kp_survey_take(survey, lost ? KP_DIAGNOSIS_LOST : KP_DIAGNOSIS_FAILED, &self->end, NULL);
    concern(survey, self->number);
    if (!fails && !kp_survey_awaits(survey, self->number))
        kp_survey_drop(survey);
    else
        self->end_told = true;
}

/* `root` is what the run's report names; NULL: this end is no failure. */
static void end(kp_proc *self, const kp_error_record *told, const kp_error_record *root)
{
    struct kp_survey survey;
    kp_survey_begin(&survey, self->machine);
    pthread_mutex_lock(&self->machine->lock);
    if (!self->failed)
        self->end = *told;
    if (root)
        keep_first(self->machine, root);
    atomic_store_explicit(&self->state, KP_PROC_ENDED, KP_ORDER_STATE);
    survey_end(self, root, &survey);
    /* Who only passes on what it was told does not speak over that. */
    kp_fail_groups_of(self, &self->end, !root || self->error_told);
    pthread_mutex_unlock(&self->machine->lock);
    kp_survey_tell(&survey);
    kp_watch_ended(self);
}

/* The processor goes on, but is done with kport. The error that is set is what all are told. */
static void break_off(kp_proc *self)
{
    struct kp_survey survey;
    kp_survey_begin(&survey, self->machine);
    pthread_mutex_lock(&self->machine->lock);
    self->failed = true;
    self->end = self->error;
    keep_first(self->machine, &self->error);
    kp_survey_take(&survey, KP_DIAGNOSIS_FAILED, &self->error, NULL);
    concern(&survey, self->number);
    self->end_told = true;
    kp_fail_groups_of(self, &self->error, false);
    pthread_mutex_unlock(&self->machine->lock);
    kp_survey_tell(&survey);
}

/* Where the call under way was made, and the line, -1 if that is not known. */
static int word_place(const kp_proc *self, char *text, size_t size)
{
    const char *file = atomic_load_explicit(&self->file, KP_ORDER_NOTE);
    int line = atomic_load_explicit(&self->line, KP_ORDER_NOTE);
    text[0] = '\0';
    if (file)
        snprintf(text, size, " (%s:%d)", file, line);
    return file ? line : -1;
}

int kp_proc_jumped(kp_proc *self)
{
    char place[240];
    kp_watch_jumped(self);
    word_place(self, place, sizeof place);
    kp_set_error(KP_EFAILED,
                 "processor %d calls kport although its call%s is not over: it has left that by "
                 "longjmp or by a C++ exception, or calls from an operator",
                 self->number, place);
    kp_proc_keep_error(self);
    atomic_store_explicit(&self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    break_off(self);
    return KP_EFAILED;
}

/* Whether it has left its last call by a jump; then its end is that failure. */
static bool ends_by_a_jump(kp_proc *self)
{
    if (!kp_pass_is_inside(self))
        return false;
    kp_watch_jumped(self);
    char place[240];
    kp_error_record told = kp_error_of(KP_EFAILED, self->number);
    told.file = atomic_load_explicit(&self->file, KP_ORDER_NOTE);
    told.line = word_place(self, place, sizeof place);
    snprintf(told.sentence, sizeof told.sentence,
             "processor %d has ended although its call%s is not over: it has left that by longjmp "
             "or by a C++ exception",
             self->number, place);
    self->error_told = false;
    end(self, &told, &told);
    return true;
}

void kp_proc_returned(kp_proc *self, int status)
{
    if (ends_by_a_jump(self))
        return;
    if (status == 0) {
        kp_error_record told = kp_error_of(KP_ELOST, self->number);
        snprintf(told.sentence, sizeof told.sentence, "processor %d has ended its program",
                 self->number);
        end(self, &told, NULL);
        return;
    }
    kp_error_record told = kp_error_of(KP_EFAILED, self->number), root;
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
    self->error_told = false; /* this is another one */
    root.status = is_status(status) ? status : KP_EFAILED;
    end(self, &told, &root);
}

void kp_proc_detached(kp_proc *self)
{
    kp_error_record told = kp_error_of(KP_ELOST, self->number);
    snprintf(told.sentence, sizeof told.sentence, "processor %d has detached", self->number);
    end(self, &told, NULL);
}

void kp_proc_vanished(kp_proc *self)
{
    kp_error_record told = kp_error_of(KP_ELOST, self->number);
    snprintf(told.sentence, sizeof told.sentence,
             "processor %d is lost: its thread ended (pthread_exit or cancellation)", self->number);
    self->error_told = false;
    end(self, &told, &told);
}

void kp_proc_overflowed(kp_proc *self)
{
    kp_error_record told = kp_error_of(KP_EFAILED, self->number);
    snprintf(told.sentence, sizeof told.sentence,
             "processor %d has overflowed its stack of %zu bytes (found at a wait, by the pattern "
             "below the stack); it was not gone on with, and memory below, which may be the stack "
             "of processor %d, may be damaged",
             self->number, self->machine->config.stack_bytes, self->number - 1);
    self->error_told = false;
    end(self, &told, &told);
}

int kp_fail(kp_proc *self, const char *sentence)
{
    if (!self || self != kp_carried())
        return kp_refuse_proc(self);
    int status = kp_pass_enter(self->world);
    if (status)
        return status;
    kp_set_error(KP_EFAILED, "processor %d: %s", self->number, sentence ? sentence : "no reason");
    kp_proc_keep_error(self);
    break_off(self);
    return kp_pass_leave(self->world, KP_EFAILED);
}

/* A processor that has ended well, and now somebody waits for it. */
static void tell_loss(kp_group *seat, int round, const kp_error_record *why)
{
    kp_machine *machine = seat->shared->machine;
    struct kp_survey survey;
    const struct kp_scene scene = {.waiter = seat, .awaited = why->processor};
    kp_survey_begin(&survey, machine);
    pthread_mutex_lock(&machine->lock);
    kp_proc *lost = &machine->procs[why->processor];
    if (!lost->end_told) {
        lost->end_told = true;
        seat->round = round;
        kp_survey_take(&survey, KP_DIAGNOSIS_LOST, why, &scene);
        concern(&survey, lost->number);
    }
    pthread_mutex_unlock(&machine->lock);
    kp_survey_tell(&survey);
}

int kp_proc_meets_failure(kp_group *seat, int round, const kp_error_record *why)
{
    char call[160] = "a call";
    const struct kp_call *mine = seat->shown.call;
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
    status = kp_proc_keep_error(seat->self);
    if (status == KP_ELOST && why->processor >= 0)
        tell_loss(seat, round, why);
    seat->self->error_told = true;
    return status;
}
