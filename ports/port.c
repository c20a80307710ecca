/* The interface to the layer above: calls and their passes, rows, described memory, errors. */
#include "ports/port.h"

#include "ports/error.h"
#include "ports/fail/survey.h"
#include "ports/machine_data.h"
#include "ports/pass.h"
#include "ports/sync/sync.h"
#include "ports/trace/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void kp_here(const char *file, int line)
{
    kp_proc *self = kp_self.carried;
    /* Who is inside has left its call by a jump, or calls from an operator: it will be told where
     * that call was made. */
    if (!self || kp_pass_is_inside(self))
        return;
    atomic_store_explicit(&self->file, file, KP_ORDER_NOTE);
    atomic_store_explicit(&self->line, line, KP_ORDER_NOTE);
    atomic_store_explicit(&self->calling, KP_CALL_PLACED, KP_ORDER_NOTE);
}

int kp_port_admit(kp_group *seat)
{
    kp_proc *self = kp_carried();
    int status = kp_seat_look(seat);
    if (status)
        return status;
    if (self->machine->forks == kp_fork_count() && kp_pass_is_inside(self))
        return kp_proc_jumped(self);
    if (self->machine->forks != kp_fork_count())
        kp_set_error(KP_EFAILED, "the machine belongs to the parent of this process");
    else if (self->failed || seat->dead)
        *kp_error_slot() = self->failed ? self->end : seat->shared->failure;
    else
        return KP_OK;
    if (kp_pass_take_site(self))
        atomic_store_explicit(&self->calling, KP_CALLS_NOTHING, KP_ORDER_NOTE);
    status = kp_proc_keep_error(self);
    self->error_told = true;
    return status;
}

void kp_port_hand_on(kp_group *seat)
{
    atomic_store_explicit(&seat->self->calling, KP_CALL_PLACED, KP_ORDER_NOTE);
}

void kp_port_open(kp_group *seat, uint64_t fingerprint,
                  void (*describe)(const void *subject, char *text, size_t size),
                  const void *subject)
{
    seat->shown.plain = (struct kp_call){fingerprint, describe, subject};
    kp_pass_open(seat, &seat->shown.plain);
}

void kp_port_within(kp_group *seat, bool within)
{
    seat->within = within;
}

void kp_call_name(const kp_group *seat, char *text, size_t size)
{
    enum {
        LONGEST_FILE = 60
    };
    char place[LONGEST_FILE + 24] = "";
    const struct kp_call *call = seat->shown.call;
    const struct kp_site site = kp_site_of(kp_seat_carrier(seat));
    size_t file_length = site.file ? strlen(site.file) : 0;
    /* What is cut is the description, not the place; of a long path its beginning. */
    if (file_length > LONGEST_FILE)
        snprintf(place, sizeof place, " (...%s:%d)", site.file + file_length - LONGEST_FILE,
                 site.line);
    else if (site.file)
        snprintf(place, sizeof place, " (%s:%d)", site.file, site.line);
    size_t room = size > strlen(place) ? size - strlen(place) : 0;
    text[0] = '\0';
    if (call->describe)
        call->describe(call->subject, text, room);
    size_t length = strlen(text);
    if (length + 1 >= room && room > 4)
        memcpy(text + room - 4, "...", sizeof "...");
    snprintf(text + strlen(text), size - strlen(text), "%s", place);
}

/* The first pass in which members disagree is told once, by the first of them to come here. */
static void tell_split(kp_group *seat, const kp_error_record *why)
{
    struct kp_shared *shared = seat->shared;
    struct kp_survey survey;
    bool differ = why->status == KP_EMISMATCH;
    kp_survey_begin(&survey, shared->machine);
    survey.meeting = shared;
    if (shared->told != seat->passes) {
        shared->told = seat->passes;
        kp_survey_take(&survey, differ ? KP_DIAGNOSIS_MISMATCH : KP_DIAGNOSIS_REFUSED, why,
                       why->processor, differ ? why->peer : -1);
    }
    kp_survey_end(&survey);
}

kp_error_record kp_port_refusal(const kp_group *member, const kp_error_record *error, int round)
{
    kp_error_record why = *error;
    char call[160];
    kp_call_name(member, call, sizeof call);
    /* Who has found a difference between the members' arguments speaks for all. */
    why.status = error->status == KP_EMISMATCH ? KP_EMISMATCH : KP_EPEER;
    why.round = round;
    snprintf(why.sentence, sizeof why.sentence, "processor %d could not take part in %s: %.300s",
             kp_seat_processor(member, member->rank), call, error->sentence);
    return why;
}

/* Somebody could not take part, and knows why; the others are told so. */
static int report_refusal(kp_group *seat, int rank, int round)
{
    const kp_group *member = &seat->shared->members[rank];
    kp_error_record why = kp_port_refusal(member, member->shown.refused, round);
    if (member != seat) {
        *kp_error_slot() = why;
        kp_proc_keep_error(seat->self);
    }
    tell_split(seat, &why);
    seat->self->error_told = true;
    return member != seat ? why.status : member->shown.refused->status;
}

/* The members' calls differ, or one was refused. They are all in this pass and stay until the next
 * one, so their descriptions can be read. */
static int report_split(kp_group *seat, int round)
{
    const struct kp_shared *shared = seat->shared;
    if (seat->shown.refused)
        return report_refusal(seat, seat->rank, round);
    int i = 0;
    while (i < shared->size - 1 && !shared->members[i].shown.refused &&
           shared->members[i].shown.call->fingerprint == seat->shown.call->fingerprint)
        i++;
    if (shared->members[i].shown.refused)
        return report_refusal(seat, i, round);
    char here_text[220], there[220];
    kp_call_name(seat, here_text, sizeof here_text);
    kp_call_name(&shared->members[i], there, sizeof there);
    kp_port_error(seat, KP_EMISMATCH, round, -1, i,
                  "processor %d called %s, processor %d called %s", seat->self->number, here_text,
                  shared->processors[i], there);
    tell_split(seat, &seat->self->error);
    seat->self->error_told = true;
    return KP_EMISMATCH;
}

/* The time limit is over. Unless the pass has happened meanwhile, it never will, for anybody. */
static enum kp_pass_result give_up(kp_group *seat)
{
    struct kp_shared *shared = seat->shared;
    kp_machine *machine = shared->machine;
    struct kp_survey survey;
    char names[160] = "", call[160];
    struct kp_words missing = {.text = names, .size = sizeof names};
    kp_call_name(seat, call, sizeof call);
    kp_survey_begin_late(&survey, seat, -1);
    bool late = kp_watch_missing(seat, 0, true) >= 0; /* or those missing wait in a circle */
    kp_watch_say_missing(seat, late, &missing);
    kp_set_error(KP_ETIMEOUT, "processor %d waited %u ms in %s for %s", seat->self->number,
                 machine->config.time_limit_ms, call, names);
    kp_error_slot()->processor = kp_seat_processor(seat, kp_watch_missing(seat, 0, late));
    kp_survey_take(&survey, KP_DIAGNOSIS_LATE, kp_error_slot(), -1, -1);
    kp_survey_concerns_missing(&survey, seat, late);
    bool failed_before = shared->failed;
    bool dead = kp_fail_group_unless_moved(seat, kp_error_slot());
    if (dead)
        kp_first_failure(machine, kp_error_slot());
    survey.taken = survey.taken && dead && !failed_before;
    kp_survey_end(&survey);
    return dead ? KP_PASS_FAILED : kp_sync_await(seat);
}

/* The time limit is for those who have not come: it counts in the first pass of a call. After that
 * all members are in the call and on their way to the next pass; one that gave up waiting for them
 * would return while they still read the memory it has described. */
static enum kp_pass_result await_in_time(kp_group *seat)
{
    seat->waiter.limit_ms = seat->opening ? seat->shared->machine->config.time_limit_ms : 0;
    seat->opening = false;
    enum kp_pass_result result = kp_sync_await(seat);
    return result == KP_PASS_LATE ? give_up(seat) : result;
}

/* The members' calls differ. Nothing was moved; the group works on. */
static int split(kp_group *seat, int round)
{
    int status = report_split(seat, round);
    if (seat->exchanged)
        kp_exchange_forget(seat);
    /* Until all are here the descriptions are being read. If this fails, the next call will say so;
     * what this call has to say is known. */
    kp_sync_arrive(seat, seat->sync, 0, 0);
    if (await_in_time(seat) == KP_PASS_FAILED)
        seat->dead = true;
    return status;
}

/* The round never happens. The rows are left alone from now on: a slower member may still be
 * reading the round before. */
int kp_port_failed(kp_group *seat, int round, const kp_error_record *why)
{
    seat->dead = true;
    if (seat->exchanged)
        kp_exchange_forget(seat);
    return kp_proc_meets_failure(seat, round, why);
}

int kp_port_await(kp_group *seat, int round)
{
    if (seat->shared->size == 1)
        return KP_OK;
    seat->round = round;
    seat->port = -1;
    seat->since = 0;
    enum kp_pass_result result = await_in_time(seat);
    if (result == KP_PASS_FAILED)
        return kp_port_failed(seat, round, &seat->shared->failure);
    if (seat->exchanged)
        kp_exchange_settle(seat);
    return result == KP_PASS_SPLIT ? split(seat, round) : KP_OK;
}

int kp_port_pass(kp_group *seat, int round)
{
    kp_pass_arrive(seat);
    return kp_port_await(seat, round);
}

int kp_port_meet(kp_group *seat, int round)
{
    int status = kp_port_pass(seat, round);
    if (seat->trace)
        kp_trace_round(seat, KP_TRACE_CLOSE, round, status ? KP_TRACE_FAILED : 0);
    return status;
}

#define TELLING (KP_PORT_SPACES - 1)

int kp_port_tell(kp_group *seat, const struct kp_telling *own, int round)
{
    kp_port_show(seat, TELLING, own);
    int status = kp_port_meet(seat, round);
    return !status && kp_is_wired(seat) ? kp_wired_tell(seat, own, TELLING) : status;
}

struct kp_telling *kp_port_told(const kp_group *seat, int rank)
{
    return (void *)(uintptr_t)seat->shared->members[rank].shown.bases[TELLING];
}

const void *kp_port_told_beside(const kp_group *seat, int rank)
{
    const struct kp_telling *told = kp_port_told(seat, rank);
    return told->each + (size_t)seat->rank * told->stride;
}

int kp_port_refuse(kp_group *seat, void (*describe)(const void *subject, char *text, size_t size),
                   const void *subject)
{
    kp_error_record why = seat->self->error;
    kp_port_open(seat, KP_REFUSED, describe, subject);
    if (seat->shared->size > 1) {
        seat->shown.refused = &why;
        /* Ordered before the verdict by this member's arrival. */
        atomic_store_explicit(&seat->shared->invalid, seat->passes + 1, KP_ORDER_WITHIN_PASS);
        (void)kp_port_pass(seat, 0);
        seat->shown.refused = NULL;
        (void)kp_proc_set_error(seat->self, &why);
    }
    return why.status;
}

void kp_port_expose(kp_group *seat)
{
    if (kp_is_wired(seat))
        return; /* nobody reads it where it lies */
    atomic_store_explicit(&seat->shared->exposed, seat->passes + 1, KP_ORDER_WITHIN_PASS);
}

void kp_port_expose_all(kp_group *seat)
{
    seat->described = seat->passes + 1;
}

int kp_port_finish(kp_group *seat)
{
    if (!kp_pass_has_exposed(seat))
        return KP_OK;
    if (seat->trace)
        return kp_port_meet(seat, -1);
    kp_pass_arrive(seat);
    return kp_pass_await(seat, -1);
}

int kp_port_close(kp_group *seat)
{
    int status = kp_port_finish(seat);
    if (status)
        return status;
    return seat->exchanged ? kp_exchange_left(seat) : KP_OK;
}

void kp_port_show(kp_group *seat, int space, const void *base)
{
    if (seat->shown.bases[space] != base)
        seat->shown.bases[space] = base;
}

void kp_port_show_work(kp_group *seat, const void *work)
{
    if (seat->shown.work != work)
        seat->shown.work = work;
}

bool kp_port_packs(const kp_group *seat, size_t longest, size_t all)
{
    const struct kp_shared *shared = seat->shared;
    return longest <= shared->row_bytes || (longest == all && longest <= shared->long_bytes);
}

void kp_port_offer_longest(kp_group *seat, uint64_t bytes)
{
    kp_phase_offer_longest(seat->shared, seat->passes + 1, bytes);
}

bool kp_port_longest(const kp_group *seat, uint64_t *bytes)
{
    uint64_t longest = kp_phase_longest(seat->shared, seat->passes);
    *bytes = longest > 0 ? longest - 1 : 0;
    return longest > 0;
}

uint64_t kp_port_tell_longest(kp_group *seat, uint64_t bytes)
{
    uint64_t heard;
    if (kp_is_wired(seat))
        return bytes;
    (void)kp_port_longest(seat, &heard);
    if (bytes > 0)
        kp_port_offer_longest(seat, bytes);
    return heard;
}

int kp_port_error_about(kp_group *seat, int status, int processor, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    kp_set_error_of(status, format, arguments);
    va_end(arguments);
    kp_error_slot()->processor = processor;
    return kp_proc_keep_error(seat->self);
}

int kp_port_error(kp_group *seat, int status, int round, int port, int peer, const char *format,
                  ...)
{
    va_list arguments;
    va_start(arguments, format);
    kp_set_error_of(status, format, arguments);
    va_end(arguments);
    kp_error_record *slot = kp_error_slot();
    slot->round = round;
    slot->port = port;
    slot->peer = kp_seat_processor(seat, peer);
    return kp_proc_keep_error(seat->self);
}

kp_group *kp_port_seat_at(kp_machine *machine, int rank)
{
    return &machine->world->members[rank];
}

const char *kp_port_sync_name(const kp_group *seat)
{
    static const char *const names[KP_SYNCS] = {
        [KP_SYNC_COUNTER] = "counter", [KP_SYNC_CORE_SETS] = "core sets", [KP_SYNC_PARTS] = "parts",
        [KP_SYNC_PAIR] = "pair",       [KP_SYNC_ALONE] = "alone",         [KP_SYNC_WIRED] = "wire"};
    return names[seat->sync];
}

enum kp_row_place kp_port_row_place(const kp_group *seat, size_t bytes)
{
    const struct kp_shared *shared = seat->shared;
    if (bytes < shared->near_end)
        return KP_ROW_BESIDE;
    return kp_pass_kind(shared, bytes) == &shared->rows[KP_LONG_ROW] ? KP_ROW_LONG : KP_ROW_USUAL;
}

struct kp_attachment *kp_port_machine_attachment(kp_machine *machine)
{
    return &machine->attachment;
}

struct kp_attachment *kp_port_seat_attachment(kp_group *seat)
{
    return &seat->attachment;
}

int kp_port_keep_error(kp_group *seat)
{
    return kp_proc_keep_error(seat->self);
}

kp_machine *kp_port_machine(const kp_group *seat)
{
    return seat->shared->machine;
}
