#include "ports/fail/survey.h"

#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/pass.h"
#include "ports/sync/awaited.h"

#include <stdlib.h>
#include <string.h>

#define CALL_BYTES 256

/* --- Memory --- */

struct kp_piece {
    struct kp_piece *next;
    max_align_t memory[];
};

static void *take(struct kp_survey *survey, size_t bytes)
{
    struct kp_piece *piece = malloc(sizeof *piece + bytes);
    if (!piece)
        return NULL;
    piece->next = survey->pieces;
    survey->pieces = piece;
    return piece->memory;
}

static void *keep(struct kp_survey *survey, const void *from, size_t bytes)
{
    void *kept = take(survey, bytes);
    return kept ? memcpy(kept, from, bytes) : NULL;
}

static void drop(struct kp_survey *survey)
{
    while (survey->pieces) {
        struct kp_piece *next = survey->pieces->next;
        free(survey->pieces);
        survey->pieces = next;
    }
}

/* --- A group --- */

/* What is the same for all members of a group is put together once in a survey. */
static struct kp_surveyed *surveyed(struct kp_survey *survey, const kp_group *seat)
{
    struct kp_shared *shared = seat->shared;
    struct kp_surveyed *group = &shared->surveyed;
    if (group->survey != survey->machine->surveys) {
        *group = (struct kp_surveyed){.survey = survey->machine->surveys};
        if (shared != survey->machine->world)
            group->members =
                keep(survey, shared->processors, (size_t)shared->size * sizeof *group->members);
    }
    return group;
}

static int list_missing(const kp_group *seat, bool late, int *list)
{
    int count = 0;
    for (int i = kp_watch_missing(seat, 0, late); i >= 0; i = kp_watch_missing(seat, i + 1, late))
        list[count++] = seat->shared->processors[i];
    return count;
}

/* Who has not come to the pass that `seat` is in: the same for all who wait in it. */
static const struct kp_surveyed *missing_of(struct kp_survey *survey, const kp_group *seat)
{
    struct kp_surveyed *group = surveyed(survey, seat);
    uint64_t pass = atomic_load_explicit(&seat->shown.passes, KP_ORDER_WITHIN_PASS);
    if (!group->missing || group->pass != pass) {
        int *missing = take(survey, (size_t)seat->shared->size * sizeof *missing);
        group->missing = missing;
        group->missing_count = missing ? list_missing(seat, false, missing) : 0;
        group->pass = pass;
    }
    return group;
}

/* --- One processor --- */

static void add_site(kp_processor_report *r, const kp_proc *proc)
{
    const struct kp_site site = kp_site_of(proc);
    r->file = site.file;
    r->line = site.file ? site.line : -1;
}

static void add_group(struct kp_survey *survey, kp_processor_report *r, const kp_group *seat)
{
    r->group = surveyed(survey, seat)->members;
    r->group_size = seat->shared->size;
}

static void add_call(struct kp_survey *survey, kp_processor_report *r, const kp_group *seat)
{
    const struct kp_call *call = seat->shown.call;
    char text[CALL_BYTES] = "", way[CALL_BYTES] = "";
    if (call->describe)
        call->describe(call->subject, text, sizeof text);
    r->call = keep(survey, text, strlen(text) + 1);
    survey->machine->config.word_way(call, seat, way, sizeof way);
    r->way = way[0] ? keep(survey, way, strlen(way) + 1) : NULL;
    add_site(r, kp_seat_carrier(seat));
}

/* Who is waited for: one processor, or the members that have not come to a pass. */
static void add_awaited(struct kp_survey *survey, kp_processor_report *r, const kp_group *seat)
{
    int rank = kp_mail_awaited(seat);
    int awaited = survey->waiter == seat ? survey->awaited : kp_seat_processor(seat, rank);
    if (awaited >= 0) {
        r->waits_for = &survey->machine->procs[awaited].number;
        r->waits_for_count = 1;
        return;
    }
    const struct kp_surveyed *group = missing_of(survey, seat);
    r->waits_for = group->missing_count > 0 ? group->missing : NULL;
    r->waits_for_count = group->missing_count;
}

/* A seat in whose call its processor sleeps, or has just been woken. */
static void describe_waiting(struct kp_survey *survey, kp_processor_report *r,
                             const struct kp_note *note)
{
    const kp_group *seat = note->seat;
    add_group(survey, r, seat);
    add_awaited(survey, r, seat);
    r->activity = r->waits_for_count > 0 ? KP_ACTIVITY_WAITING : KP_ACTIVITY_INSIDE;
    if (!note->exact) {
        add_site(r, &survey->machine->procs[r->processor]);
        return;
    }
    add_call(survey, r, seat);
    r->round = seat->round;
    r->port = seat->port;
    if (r->activity == KP_ACTIVITY_WAITING && note->since > 0)
        r->waited_ms = (int64_t)(kp_watch_clock() - note->since);
}

/* Whether the member's group has failed. The failure wakes all members that wait in it. */
static bool is_let_go(const kp_group *seat)
{
    const struct kp_shared *shared = seat->shared;
    return kp_mail_awaited(seat) >= 0 ? kp_is_broken(&shared->broken) : shared->failed;
}

static void look_at(struct kp_survey *survey, const kp_proc *proc, kp_processor_report *r)
{
    const struct kp_shared *meeting = survey->meeting;
    int state = atomic_load_explicit(&proc->state, KP_ORDER_STATE);
    int meets = meeting ? kp_rank_of(meeting, proc->number) : -1;
    struct kp_note note = {.seat = survey->waiter, .exact = true};
    if (state == KP_PROC_ENDED || proc->failed)
        r->end = keep(survey, proc->end.sentence, strlen(proc->end.sentence) + 1);
    if (state != KP_PROC_RUNNING) {
        r->activity = state == KP_PROC_ENDED ? KP_ACTIVITY_ENDED : KP_ACTIVITY_EMPTY;
    } else if (note.seat && note.seat->self == proc) {
        note.since = note.seat->since;
        describe_waiting(survey, r, &note);
    } else if (meets >= 0) {
        r->activity = KP_ACTIVITY_INSIDE;
        add_group(survey, r, &meeting->members[meets]);
        add_call(survey, r, &meeting->members[meets]);
    } else if (proc->machine->carrier->note(proc, &note) && !is_let_go(note.seat)) {
        describe_waiting(survey, r, &note);
    } else if (kp_pass_is_inside(proc)) {
        r->activity = KP_ACTIVITY_INSIDE;
        add_site(r, proc);
    } else {
        r->activity = KP_ACTIVITY_OUTSIDE;
    }
}

/* --- All of them --- */

static void list_all(struct kp_survey *survey)
{
    kp_machine *machine = survey->machine;
    uint64_t before = kp_watch_hold(machine);
    machine->surveys++;
    kp_processor_report *all = take(survey, (size_t)machine->n * sizeof *all);
    for (int i = 0; all && i < machine->n; i++) {
        all[i] = (kp_processor_report){
            .processor = i, .line = -1, .round = -1, .port = -1, .waited_ms = -1};
        look_at(survey, &machine->procs[i], &all[i]);
    }
    kp_watch_let_go(machine, before);
    survey->told.processors = all;
    survey->told.count = all ? machine->n : 0;
}

void kp_survey_begin(struct kp_survey *survey, kp_machine *machine)
{
    *survey = (struct kp_survey){.machine = machine};
    pthread_mutex_lock(&machine->lock);
}

void kp_survey_begin_late(struct kp_survey *survey, kp_group *waiter, int awaited)
{
    kp_machine *machine = waiter->shared->machine;
    *survey = (struct kp_survey){.machine = machine, .waiter = waiter, .awaited = awaited};
    kp_watch_lock_late(waiter);
    if (waiter->since == 0)
        waiter->since = kp_watch_clock() - machine->config.time_limit_ms;
}

void kp_survey_take(struct kp_survey *survey, kp_diagnosis_kind kind, const kp_error_record *why,
                    int processor, int other)
{
    if (!survey->machine->config.on_failure)
        return;
    survey->taken = true;
    survey->told.kind = kind;
    survey->told.error = *why;
    survey->about[0] = processor;
    survey->about[1] = other;
    survey->told.concerned = survey->about;
    survey->told.concerned_count = (processor >= 0) + (other >= 0);
    list_all(survey);
}

int *kp_survey_concerned(struct kp_survey *survey, int count)
{
    int *room = survey->taken ? take(survey, (size_t)count * sizeof *room) : NULL;
    survey->told.concerned = room;
    survey->told.concerned_count = room ? count : 0;
    return room;
}

void kp_survey_concerns_missing(struct kp_survey *survey, const kp_group *seat, bool late)
{
    int *room = kp_survey_concerned(survey, seat->shared->size);
    int count = room ? list_missing(seat, late, room) : 0;
    if (room && count == 0) /* the one that the sentence names has come since */
        room[count++] = survey->told.error.processor;
    survey->told.concerned_count = count;
}

bool kp_survey_awaits(const struct kp_survey *survey, int processor)
{
    for (int i = 0; i < survey->told.count; i++) {
        const kp_processor_report *r = &survey->told.processors[i];
        for (int j = 0; j < r->waits_for_count; j++) {
            if (r->waits_for[j] == processor)
                return true;
        }
    }
    return false;
}

void kp_survey_end(struct kp_survey *survey)
{
    kp_machine *machine = survey->machine;
    kp_error_record kept = *kp_error_slot();
    int cancel;
    pthread_mutex_unlock(&machine->lock);
    if (survey->taken) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
        pthread_mutex_lock(&machine->telling);
        machine->config.on_failure(&survey->told, machine->config.on_failure_arg);
        pthread_mutex_unlock(&machine->telling);
        pthread_setcancelstate(cancel, NULL);
        *kp_error_slot() = kept;
    }
    drop(survey);
}

/* --- On demand --- */

static void count_all(const struct kp_survey *survey, struct kp_words *words)
{
    static const char *const activities[] = {"without a thread", "outside of a call",
                                             "within a call", "waiting", "ended"};
    const char *comma = "";
    kp_say(words, "of %d processors", survey->machine->n);
    for (int a = 0; a <= KP_ACTIVITY_ENDED; a++) {
        int count = 0;
        for (int i = 0; i < survey->told.count; i++)
            count += survey->told.processors[i].activity == (kp_activity)a;
        if (count > 0) {
            kp_say(words, "%s %d %s %s", comma, count, count > 1 ? "are" : "is", activities[a]);
            comma = ",";
        }
    }
}

int kp_machine_dump(kp_machine *machine, kp_on_failure *tell, void *arg)
{
    struct kp_survey survey;
    if (!machine || !tell)
        return kp_set_error(KP_EARGUMENT, "%s is NULL; it may be %s", machine ? "tell" : "machine",
                            machine ? "a function" : "what kp_machine_create made");
    kp_live_lock();
    int status = kp_machine_look(machine);
    kp_live_unlock();
    if (status)
        return status;
    kp_survey_begin(&survey, machine);
    kp_error_record *why = &survey.told.error;
    *why = (kp_error_record)KP_ERROR_OF(KP_OK, -1);
    list_all(&survey);
    pthread_mutex_unlock(&machine->lock);
    count_all(&survey, &(struct kp_words){.text = why->sentence, .size = sizeof why->sentence});
    tell(&survey.told, arg);
    drop(&survey);
    return KP_OK;
}
