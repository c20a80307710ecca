#include "ports/fail/snapshot.h"

#include "ports/carrier/carrier.h"
#include "ports/error.h"
#include "ports/fail/watch.h"
#include "ports/member.h"
#include "ports/sync/awaited.h"

#include <stdlib.h>
#include <string.h>

#define CALL_BYTES 256

/* --- Memory --- */

struct kp_piece {
    struct kp_piece *next;
    max_align_t memory[];
};

static void *take(struct kp_snapshot *snapshot, size_t bytes)
{
    struct kp_piece *piece = malloc(sizeof *piece + bytes);
    if (!piece)
        return NULL;
    piece->next = snapshot->pieces;
    snapshot->pieces = piece;
    return piece->memory;
}

static void *keep(struct kp_snapshot *snapshot, const void *from, size_t bytes)
{
    void *kept = take(snapshot, bytes);
    /* seldom taken: memory must run out in just this request */
    return kept ? memcpy(kept, from, bytes) : NULL;
}

static void drop(struct kp_snapshot *snapshot)
{
    while (snapshot->pieces) {
        struct kp_piece *next = snapshot->pieces->next;
        free(snapshot->pieces);
        snapshot->pieces = next;
    }
}

/* --- What the members of a group have in common --- */

/* Returns the data that all members of a group have in common. A snapshot makes it once. */
static struct kp_group_snapshot *group_snapshot(struct kp_snapshot *snapshot,
                                                const kp_group *member)
{
    struct kp_shared *shared = member->shared;
    struct kp_group_snapshot *group = &shared->snapshot;
    if (group->snapshot != snapshot->machine->snapshots) {
        *group = (struct kp_group_snapshot){.snapshot = snapshot->machine->snapshots};
        const struct kp_shared *of = shared->lane_of ? shared->lane_of : shared;
        if (of != snapshot->machine->world)
            group->members =
                keep(snapshot, shared->processors, (size_t)shared->size * sizeof *group->members);
    }
    return group;
}

static int list_missing(const kp_group *member, bool late, int *list)
{
    int count = 0;
    for (int i = kp_deadlock_missing(member, 0, late); i >= 0;
         i = kp_deadlock_missing(member, i + 1, late))
        list[count++] = member->shared->processors[i];
    return count;
}

/* Returns the members that have not arrived at the episode that `member` is in. All members that
 * wait in this episode share the list. */
static const struct kp_group_snapshot *missing_of(struct kp_snapshot *snapshot,
                                                  const kp_group *member)
{
    struct kp_group_snapshot *group = group_snapshot(snapshot, member);
    uint64_t episode = atomic_load_explicit(&member->published.episodes, KP_ORDER_WITHIN_EPISODE);
    if (!group->missing || group->episode != episode) {
        int *missing = take(snapshot, (size_t)member->shared->size * sizeof *missing);
        group->missing = missing;
        /* seldom taken: memory must run out in just this request */
        group->missing_count = missing ? list_missing(member, false, missing) : 0;
        group->episode = episode;
    }
    return group;
}

/* --- One processor --- */

static void add_site(kp_processor_report *r, struct kp_site site)
{
    r->file = site.file;
    r->line = kp_site_line(site);
}

static void add_group(struct kp_snapshot *snapshot, kp_processor_report *r, const kp_group *member)
{
    r->group = group_snapshot(snapshot, member)->members;
    r->group_size = member->shared->size;
}

/* Adds to the words of a call that the member has left early where it was made. */
static void say_left(const kp_group *member, char *text, size_t size)
{
    char where[KP_SITE_WORDS];
    const size_t used = strlen(text);
    kp_site_name(kp_call_site(member), where);
    snprintf(text + used, size - used, where[0] ? " (started at %s)" : " (started earlier)", where);
}

/* `request` is the request for which the member's processor waits, or NULL. `waits` says that the
 * processor waits. */
static void add_call(struct kp_snapshot *snapshot, kp_processor_report *r, const kp_group *member,
                     const kp_request *request, bool waits)
{
    const kp_proc *proc = kp_member_carrier(member);
    char text[CALL_BYTES] = "", way[CALL_BYTES] = "";
    if (request)
        kp_request_name(request, text, sizeof text);
    else
        kp_call_words(member, text, sizeof text);
    if (!request && waits && kp_member_was_left(member))
        say_left(member, text, sizeof text);
    r->call = keep(snapshot, text, strlen(text) + 1);
    snapshot->machine->config.word_way(member->published.call, member, way, sizeof way);
    r->way = way[0] ? keep(snapshot, way, strlen(way) + 1) : NULL;
    add_site(r, request ? kp_site_of_call(proc) : waits ? kp_site_of(proc) : kp_call_site(member));
}

/* Adds to the report that the member waits for any other member of its group. */
static void add_others(struct kp_snapshot *snapshot, kp_processor_report *r, const kp_group *member)
{
    const struct kp_shared *shared = member->shared;
    int *others = take(snapshot, (size_t)shared->size * sizeof *others);
    for (int i = 0; others && i < shared->size; i++) {
        if (i != member->rank || shared->size == 1)
            others[r->waits_for_count++] = shared->processors[i];
    }
    r->waits_for = others;
}

/* Adds to the report for whom the member waits, either one processor or all that have not
 * arrived. */
static void add_awaited(struct kp_snapshot *snapshot, kp_processor_report *r,
                        const kp_group *member, bool exact)
{
    int rank = exact ? kp_deadlock_awaited(member) : kp_mail_awaited(member);
    int awaited =
        snapshot->waiter == member ? snapshot->awaited : kp_member_processor(member, rank);
    if (awaited >= 0) {
        r->waits_for = &snapshot->machine->procs[awaited].number;
        r->waits_for_count = 1;
        return;
    }
    if (exact && kp_deadlock_awaits_any(member)) {
        add_others(snapshot, r, member);
        return;
    }
    const struct kp_group_snapshot *group = missing_of(snapshot, member);
    r->waits_for = group->missing_count > 0 ? group->missing : NULL;
    r->waits_for_count = group->missing_count;
}

/* Describes a member whose processor sleeps in a call, or has just been woken. */
static void describe_waiting(struct kp_snapshot *snapshot, kp_processor_report *r,
                             const struct kp_note *note)
{
    const kp_group *member = note->member;
    add_group(snapshot, r, member);
    add_awaited(snapshot, r, member, note->exact);
    r->activity = r->waits_for_count > 0 ? KP_ACTIVITY_WAITING : KP_ACTIVITY_INSIDE;
    if (!note->exact) {
        add_site(r, kp_site_of(&snapshot->machine->procs[r->processor]));
        return;
    }
    add_call(snapshot, r, member, kp_request_awaited_by(member), true);
    r->round = member->round;
    r->port = member->port;
    if (r->activity == KP_ACTIVITY_WAITING && note->since > 0) /* seldom taken: it has gone on */
        r->waited_ms = (int64_t)(kp_deadlock_clock() - note->since);
}

/* Returns whether a failure of the member's group has ended its wait. */
static bool is_let_go(const kp_group *member)
{
    const struct kp_shared *shared = member->shared;
    return kp_mail_awaited(member) >= 0 ? kp_is_broken(&shared->broken) : shared->failed;
}

/* Describes a processor that tests a request in a loop. The caller holds the machine's lock. */
static void add_loop(struct kp_snapshot *snapshot, kp_processor_report *r, const kp_proc *proc)
{
    const struct kp_test_loop *loop = proc->requests.loop;
    char text[CALL_BYTES];
    snprintf(text, sizeof text, "a loop of kp_test: %s", loop->text);
    r->activity = KP_ACTIVITY_INSIDE;
    r->call = keep(snapshot, text, strlen(text) + 1);
    add_site(r, kp_site_of(proc));
    if (loop->awaited >= 0) { /* seldom taken: false if the request waits for any member */
        r->waits_for = &snapshot->machine->procs[loop->awaited].number;
        r->waits_for_count = 1;
    }
}

/* Describes one processor. */
static void look_at(struct kp_snapshot *snapshot, const kp_proc *proc, kp_processor_report *r)
{
    const struct kp_shared *meeting = snapshot->meeting;
    int state = atomic_load_explicit(&proc->state, KP_ORDER_STATE);
    int meets = meeting ? kp_rank_of(meeting, proc->number) : -1;
    struct kp_note note = {.member = snapshot->waiter, .exact = true};
    if (state == KP_PROC_ENDED || proc->failed)
        r->end = keep(snapshot, proc->end.sentence, strlen(proc->end.sentence) + 1);
    if (state != KP_PROC_RUNNING) {
        r->activity = state == KP_PROC_ENDED ? KP_ACTIVITY_ENDED : KP_ACTIVITY_EMPTY;
    } else if (note.member && note.member->self == proc) {
        note.since = note.member->since;
        describe_waiting(snapshot, r, &note);
    } else if (meets >= 0) {
        r->activity = KP_ACTIVITY_INSIDE;
        add_group(snapshot, r, &meeting->members[meets]);
        add_call(snapshot, r, &meeting->members[meets], NULL, false);
    } else if (proc->machine->carrier->note(proc, &note) && !is_let_go(note.member)) {
        describe_waiting(snapshot, r, &note);
    } else if (proc->requests.loop) {
        add_loop(snapshot, r, proc);
    } else if (kp_proc_is_inside(proc)) {
        r->activity = KP_ACTIVITY_INSIDE;
        add_site(r, kp_site_of(proc));
    } else {
        r->activity = KP_ACTIVITY_OUTSIDE;
        add_site(r, kp_site_of(proc));
    }
}

/* --- Processors over a wire --- */

/* Describes a processor that has said what it waits for. */
static void describe_told(struct kp_snapshot *snapshot, kp_processor_report *r,
                          const struct kp_wire_notice *told)
{
    /* seldom taken: it waits only until its own messages have left */
    r->activity = told->awaited_count > 0 ? KP_ACTIVITY_WAITING : KP_ACTIVITY_INSIDE;
    r->call = keep(snapshot, told->call, strlen(told->call) + 1);
    /* untaken: every call of the tests has a place */
    r->file = told->file[0] ? keep(snapshot, told->file, strlen(told->file) + 1) : NULL;
    r->line = told->line;
    r->round = told->round;
    r->group_size = told->of_all ? snapshot->machine->n : 0;
    r->waits_for = keep(snapshot, told->awaited, sizeof told->awaited);
    /* seldom taken: memory must run out in just this request */
    r->waits_for_count = r->waits_for ? told->awaited_count : 0;
    r->waited_ms = told->waited_ms;
}

/* Describes a processor of this process by what any thread may read. */
static void look_beside(const kp_proc *proc, kp_processor_report *r)
{
    const int state = atomic_load_explicit(&proc->state, KP_ORDER_STATE);
    /* seldom taken: depends on what the processor does at this moment */
    r->activity = state == KP_PROC_ENDED    ? KP_ACTIVITY_ENDED
                  : state == KP_PROC_EMPTY  ? KP_ACTIVITY_EMPTY
                  : kp_proc_is_inside(proc) ? KP_ACTIVITY_INSIDE
                                            : KP_ACTIVITY_OUTSIDE;
    if (r->activity == KP_ACTIVITY_INSIDE) /* seldom taken: the processor is about to wait */
        add_site(r, kp_site_of(proc));
}

static void look_over_wire(struct kp_snapshot *snapshot, kp_processor_report *r)
{
    kp_machine *machine = snapshot->machine, *local = kp_machine_local(machine, r->processor);
    struct kp_wire_notice told;
    if (kp_watch_look(machine, local, r->processor, &told))
        describe_told(snapshot, r, &told);
    else if (local == machine)
        look_at(snapshot, &machine->procs[r->processor], r);
    else if (local)
        look_beside(&local->procs[r->processor], r);
    else
        /* seldom taken: the processor has just ended */
        r->activity =
            kp_watch_has_left(machine, r->processor) ? KP_ACTIVITY_ENDED : KP_ACTIVITY_ELSEWHERE;
}

/* --- All processors --- */

static void list_all(struct kp_snapshot *snapshot)
{
    kp_machine *machine = snapshot->machine;
    uint64_t before = kp_deadlock_hold(machine);
    machine->snapshots++;
    kp_processor_report *all = take(snapshot, (size_t)machine->n * sizeof *all);
    for (int i = 0; all && i < machine->n; i++) {
        all[i] = (kp_processor_report){
            .processor = i, .line = -1, .round = -1, .port = -1, .waited_ms = -1};
        if (machine->config.wire)
            look_over_wire(snapshot, &all[i]);
        else
            look_at(snapshot, &machine->procs[i], &all[i]);
    }
    kp_deadlock_let_go(machine, before);
    snapshot->told.processors = all;
    snapshot->told.count = all ? machine->n : 0;
}

void kp_snapshot_begin(struct kp_snapshot *snapshot, kp_machine *machine)
{
    *snapshot = (struct kp_snapshot){.machine = machine};
    pthread_mutex_lock(&machine->lock);
}

void kp_snapshot_begin_late(struct kp_snapshot *snapshot, kp_group *waiter, int awaited)
{
    kp_machine *machine = waiter->shared->machine;
    *snapshot = (struct kp_snapshot){.machine = machine, .waiter = waiter, .awaited = awaited};
    kp_deadlock_lock_late(waiter);
    if (waiter->since == 0)
        waiter->since = kp_deadlock_clock() - machine->config.time_limit_ms;
}

void kp_snapshot_take(struct kp_snapshot *snapshot, kp_diagnosis_kind kind,
                      const kp_error_record *why, int processor, int other)
{
    if (!snapshot->machine->config.on_failure)
        return;
    snapshot->taken = true;
    snapshot->told.kind = kind;
    snapshot->told.error = *why;
    snapshot->about[0] = processor;
    snapshot->about[1] = other;
    snapshot->told.concerned = snapshot->about;
    snapshot->told.concerned_count = (processor >= 0) + (other >= 0);
    list_all(snapshot);
}

int *kp_snapshot_concerned(struct kp_snapshot *snapshot, int count)
{
    int *room = snapshot->taken ? take(snapshot, (size_t)count * sizeof *room) : NULL;
    snapshot->told.concerned = room;
    /* seldom taken: memory must run out in just this request */
    snapshot->told.concerned_count = room ? count : 0;
    return room;
}

void kp_snapshot_concerns_missing(struct kp_snapshot *snapshot, const kp_group *member, bool late)
{
    int *room = kp_snapshot_concerned(snapshot, member->shared->size);
    int count = room ? list_missing(member, late, room) : 0;
    if (room && count == 0) /* seldom taken: the processor that is named has arrived */
        room[count++] = snapshot->told.error.processor;
    snapshot->told.concerned_count = count;
}

bool kp_snapshot_awaits(const struct kp_snapshot *snapshot, int processor)
{
    for (int i = 0; i < snapshot->told.count; i++) {
        const kp_processor_report *r = &snapshot->told.processors[i];
        for (int j = 0; j < r->waits_for_count; j++) {
            if (r->waits_for[j] == processor)
                return true;
        }
    }
    return false;
}

void kp_snapshot_end(struct kp_snapshot *snapshot)
{
    kp_machine *machine = snapshot->machine;
    kp_error_record kept = *kp_error_slot();
    int cancel;
    pthread_mutex_unlock(&machine->lock);
    if (snapshot->taken) {
        pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel);
        pthread_mutex_lock(&machine->telling);
        machine->config.on_failure(&snapshot->told, machine->config.on_failure_arg);
        pthread_mutex_unlock(&machine->telling);
        pthread_setcancelstate(cancel, NULL);
        *kp_error_slot() = kept;
    }
    drop(snapshot);
}

/* --- Without a failure --- */

static void count_all(const struct kp_snapshot *snapshot, struct kp_words *words)
{
    static const char *const activities[] = {"without a thread",
                                             "outside of a call",
                                             "within a call",
                                             "waiting",
                                             "ended",
                                             "in another process, which has not said what"};
    const char *comma = "";
    kp_say(words, "of %d processors", snapshot->machine->n);
    for (int a = 0; a <= KP_ACTIVITY_ELSEWHERE; a++) {
        int count = 0;
        for (int i = 0; i < snapshot->told.count; i++)
            count += snapshot->told.processors[i].activity == (kp_activity)a;
        if (count > 0) {
            kp_say(words, "%s %d %s %s", comma, count, count > 1 ? "are" : "is", activities[a]);
            comma = ",";
        }
    }
}

int kp_machine_dump(kp_machine *machine, kp_on_failure *tell, void *arg)
{
    struct kp_snapshot snapshot;
    if (!machine || !tell)
        return kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s", machine ? "tell" : "machine",
                            machine ? "a function" : "what kp_machine_create made");
    kp_live_lock();
    int status = kp_machine_look(machine);
    kp_live_unlock();
    if (status)
        return status;
    kp_snapshot_begin(&snapshot, machine);
    kp_error_record *why = &snapshot.told.error;
    *why = (kp_error_record)KP_ERROR_OF(KP_OK, -1);
    list_all(&snapshot);
    pthread_mutex_unlock(&machine->lock);
    count_all(&snapshot, &(struct kp_words){.text = why->sentence, .size = sizeof why->sentence});
    tell(&snapshot.told, arg);
    drop(&snapshot);
    return KP_OK;
}
