#include "ports/survey.h"

#include "ports/error.h"
#include "ports/pass.h"
#include "ports/sync/awaited.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BYTES ((size_t)4096)
#define CALL_BYTES  256

struct kp_chunk {
    struct kp_chunk *next;
    size_t used, bytes;
    max_align_t memory[];
};

/* --- Memory --- */

static void *take(struct kp_survey *survey, size_t bytes)
{
    struct kp_chunk *chunk = survey->chunks;
    bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
    if (!chunk || chunk->bytes - chunk->used < bytes) {
        size_t room = bytes > CHUNK_BYTES ? bytes : CHUNK_BYTES;
        chunk = malloc(sizeof *chunk + room);
        if (!chunk)
            return NULL;
        chunk->next = survey->chunks;
        chunk->used = 0;
        chunk->bytes = room;
        survey->chunks = chunk;
    }
    void *taken = (char *)chunk->memory + chunk->used;
    chunk->used += bytes;
    return taken;
}

static const char *keep_text(struct kp_survey *survey, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *kept = take(survey, bytes);
    return kept ? memcpy(kept, text, bytes) : NULL;
}

static const int *keep_numbers(struct kp_survey *survey, const int *numbers, int count)
{
    int *kept = take(survey, (size_t)count * sizeof *kept);
    if (kept && count > 0)
        memcpy(kept, numbers, (size_t)count * sizeof *kept);
    return kept;
}

/* --- A group, once a survey --- */

static struct kp_surveyed *surveyed(struct kp_survey *survey, const kp_group *seat)
{
    struct kp_shared *shared = seat->shared;
    struct kp_surveyed *group = &shared->surveyed;
    if (group->survey != survey->machine->surveys) {
        memset(group, 0, sizeof *group);
        group->survey = survey->machine->surveys;
        if (shared != survey->machine->world)
            group->members = keep_numbers(survey, shared->processors, shared->size);
    }
    return group;
}

/* Who has not come to the pass that `seat` is in: the same for all who wait in it. */
static const struct kp_surveyed *missing_of(struct kp_survey *survey, const kp_group *seat)
{
    const struct kp_shared *shared = seat->shared;
    struct kp_surveyed *group = surveyed(survey, seat);
    uint64_t pass = atomic_load_explicit(&seat->shown.passes, KP_ORDER_WITHIN_PASS);
    if (group->missing && group->pass == pass)
        return group;
    int count = 0;
    int *missing = take(survey, (size_t)shared->size * sizeof *missing);
    for (int i = 0; missing && i < shared->size; i++) {
        if (atomic_load_explicit(&shared->members[i].shown.passes, KP_ORDER_WITHIN_PASS) < pass)
            missing[count++] = shared->processors[i];
    }
    group->missing = missing;
    group->missing_count = count;
    group->pass = pass;
    return group;
}

/* --- One processor --- */

static void add_site(kp_processor_report *r, const kp_proc *proc)
{
    const struct kp_site site = kp_site_of(proc);
    r->file = site.file;
    r->line = site.file ? site.line : -1;
}

static const char *keep_way(struct kp_survey *survey, const struct kp_call *call,
                            const kp_group *seat)
{
    char way[CALL_BYTES] = "";
    if (survey->machine->config.word_way)
        survey->machine->config.word_way(call, seat, way, sizeof way);
    if (way[0] && (!survey->last_way || strcmp(survey->last_way, way) != 0))
        survey->last_way = keep_text(survey, way);
    return way[0] ? survey->last_way : NULL;
}

static void add_call(struct kp_survey *survey, kp_processor_report *r, const kp_group *seat)
{
    const struct kp_call *call = seat->shown.call;
    char text[CALL_BYTES] = "";
    if (call->describe)
        call->describe(call->subject, text, sizeof text);
    if (!survey->last_call || strcmp(survey->last_call, text) != 0)
        survey->last_call = keep_text(survey, text);
    r->call = survey->last_call;
    r->way = keep_way(survey, call, seat);
    add_site(r, kp_seat_carrier(seat));
}

static void add_group(struct kp_survey *survey, kp_processor_report *r, const kp_group *seat)
{
    r->group = surveyed(survey, seat)->members;
    r->group_size = seat->shared->size;
}

/* The processor that is waited for alone; NULL: those missing in a pass are. */
static const int *awaited_by(const struct kp_survey *survey, const kp_group *seat)
{
    const struct kp_scene *scene = survey->scene;
    int rank = kp_mail_awaited(seat);
    if (scene && scene->waiter == seat)
        return scene->awaited >= 0 ? &scene->awaited : NULL;
    return rank >= 0 ? &seat->shared->processors[rank] : NULL;
}

static void add_awaited(struct kp_survey *survey, kp_processor_report *r, const kp_group *seat)
{
    const int *awaited = awaited_by(survey, seat);
    if (awaited) {
        r->waits_for = keep_numbers(survey, awaited, 1);
        r->waits_for_count = r->waits_for ? 1 : 0;
        return;
    }
    const struct kp_surveyed *group = missing_of(survey, seat);
    r->waits_for = group->missing_count > 0 ? group->missing : NULL;
    r->waits_for_count = group->missing ? group->missing_count : 0;
}

/* A seat in whose call its processor sleeps, or has slept until now. */
static void describe_waiting(struct kp_survey *survey, kp_processor_report *r, const kp_group *seat,
                             const struct kp_note *note)
{
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

/* The seat of one of those that meet; NULL: it is none of them. */
static const kp_group *met(const struct kp_survey *survey, int processor)
{
    const struct kp_shared *meeting = survey->scene ? survey->scene->meeting : NULL;
    if (!meeting || !survey->ranks || survey->ranks[processor] < 0)
        return NULL;
    return &meeting->members[survey->ranks[processor]];
}

static void note_ranks(struct kp_survey *survey)
{
    const struct kp_shared *meeting = survey->scene ? survey->scene->meeting : NULL;
    int n = survey->machine->n;
    survey->ranks = meeting ? take(survey, (size_t)n * sizeof *survey->ranks) : NULL;
    for (int i = 0; survey->ranks && i < n; i++)
        survey->ranks[i] = -1;
    for (int i = 0; survey->ranks && i < meeting->size; i++)
        survey->ranks[meeting->processors[i]] = i;
}

/* Its group has failed, and it has been woken, or is about to be. */
static bool is_let_go(const kp_group *seat)
{
    const struct kp_shared *shared = seat->shared;
    return kp_mail_awaited(seat) >= 0 ? kp_is_broken(&shared->broken) : shared->failed;
}

static void look_at(struct kp_survey *survey, const kp_proc *proc, kp_processor_report *r)
{
    const struct kp_scene *scene = survey->scene;
    int state = atomic_load_explicit(&proc->state, KP_ORDER_STATE);
    const kp_group *meets = met(survey, proc->number);
    struct kp_note note;
    if (state == KP_PROC_ENDED || proc->failed)
        r->end = keep_text(survey, proc->end.sentence);
    if (state != KP_PROC_RUNNING) {
        r->activity = state == KP_PROC_ENDED ? KP_ACTIVITY_ENDED : KP_ACTIVITY_EMPTY;
    } else if (scene && scene->waiter && scene->waiter->self == proc) {
        note = (struct kp_note){.exact = true, .since = scene->waiter->since};
        describe_waiting(survey, r, scene->waiter, &note);
    } else if (meets) {
        r->activity = KP_ACTIVITY_INSIDE;
        add_group(survey, r, meets);
        add_call(survey, r, meets);
    } else if (kp_watch_note(proc, &note) && !is_let_go(note.seat)) {
        describe_waiting(survey, r, note.seat, &note);
    } else {
        bool inside = kp_pass_is_inside(proc);
        r->activity = inside ? KP_ACTIVITY_INSIDE : KP_ACTIVITY_OUTSIDE;
        if (inside)
            add_site(r, proc);
    }
}

/* --- All of them --- */

static void list_all(struct kp_survey *survey)
{
    kp_machine *machine = survey->machine;
    uint64_t before = kp_watch_hold(machine);
    machine->surveys++;
    note_ranks(survey);
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
    survey->machine = machine;
    survey->scene = NULL;
    survey->chunks = NULL;
    survey->last_call = NULL;
    survey->last_way = NULL;
    survey->ranks = NULL;
    survey->taken = false;
    memset(&survey->told, 0, sizeof survey->told);
}

void kp_survey_take(struct kp_survey *survey, kp_diagnosis_kind kind, const kp_error_record *why,
                    const struct kp_scene *scene)
{
    if (!survey->machine->config.on_failure)
        return;
    survey->taken = true;
    survey->scene = scene;
    survey->told.kind = kind;
    survey->told.error = *why;
    list_all(survey);
}

void kp_survey_now(struct kp_survey *survey)
{
    static const char *const words[] = {"without a thread", "outside of a call", "within a call",
                                        "waiting", "ended"};
    kp_error_record *why = &survey->told.error;
    int counts[] = {0, 0, 0, 0, 0};
    why->processor = why->round = why->port = why->peer = why->line = -1;
    list_all(survey);
    for (int i = 0; i < survey->told.count; i++)
        counts[survey->told.processors[i].activity]++;
    int length =
        snprintf(why->sentence, sizeof why->sentence, "of %d processors", survey->machine->n);
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        if (counts[i] > 0)
            length += snprintf(why->sentence + length, sizeof why->sentence - (size_t)length,
                               "%s %d %s %s", length > 20 ? "," : "", counts[i],
                               counts[i] > 1 ? "are" : "is", words[i]);
    }
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
    const struct kp_shared *shared = seat->shared;
    int count = 0;
    int *room = kp_survey_concerned(survey, shared->size);
    for (int i = 0; room && i < shared->size; i++) {
        if (kp_watch_misses(seat, &shared->members[i], late))
            room[count++] = shared->processors[i];
    }
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

/* --- Telling --- */

void kp_survey_drop(struct kp_survey *survey)
{
    while (survey->chunks) {
        struct kp_chunk *next = survey->chunks->next;
        free(survey->chunks);
        survey->chunks = next;
    }
    survey->taken = false;
}

void kp_survey_tell(struct kp_survey *survey)
{
    if (!survey->taken)
        return;
    kp_machine *machine = survey->machine;
    kp_error_record kept = *kp_error_slot();
    int cancel;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
    pthread_mutex_lock(&machine->telling);
    machine->config.on_failure(&survey->told, machine->config.on_failure_arg);
    pthread_mutex_unlock(&machine->telling);
    pthread_setcancelstate(cancel, NULL);
    *kp_error_slot() = kept;
    kp_survey_drop(survey);
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
    pthread_mutex_lock(&machine->lock);
    kp_survey_now(&survey);
    pthread_mutex_unlock(&machine->lock);
    tell(&survey.told, arg);
    kp_survey_drop(&survey);
    return KP_OK;
}
