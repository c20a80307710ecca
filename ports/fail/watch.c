#include "ports/fail/watch.h"

#include "ports/error.h"
#include "ports/machine_data.h"
#include "ports/member.h"
#include "ports/message/postbox.h"
#include "ports/mix.h"
#include "ports/sync/wired_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A member tells what it calls after so many milliseconds, or after a fourth of its time limit, and
 * again after twice the time, but at least once in MOST_MS. */
#define FIRST_MS 50
#define MOST_MS  1000

/* How long a member whose time limit is over waits for answers, and how often it asks again. */
#define ANSWERS_US 200000
#define AGAIN_US   2000

/* A call in words, with its file and line. */
#define NAME_BYTES 208

enum kind {
    TELLS = 1,
    ASKS,
    ANSWERS,
};

struct kp_watch {
    /* Guards the next two fields, which other threads read. Nobody takes another lock meanwhile. */
    pthread_mutex_t lock;
    bool waits;
    struct kp_wire_notice own; /* what this processor says while it `waits` */

    unsigned tells_ms;            /* of its wait: when it tells the others next */
    struct kp_wire_notice *heard; /* the answers, by processor; NULL unless it asks or has asked */
    struct kp_wire_end said;      /* when it left last */
    uint64_t compared;            /* the run in which that has been compared with the others */
    uint64_t left;                /* how many messages nobody has received, in all runs so far */
};

/* --- What this processor says --- */

static unsigned first_ms(const kp_machine *machine)
{
    const unsigned limit = machine->config.time_limit_ms;
    return limit > 0 && limit / 4 < FIRST_MS ? limit / 4 : FIRST_MS;
}

/* A file's name that is too long loses its beginning. */
static void put_file(struct kp_wire_notice *own, const struct kp_site *site)
{
    const size_t length = site->file ? strlen(site->file) : 0, most = sizeof own->file - 1;
    own->line = kp_site_line(*site);
    if (length > most)
        snprintf(own->file, sizeof own->file, "...%s", site->file + length - (most - 3));
    else
        snprintf(own->file, sizeof own->file, "%s", site->file ? site->file : "");
}

/* Writes what a member says that waits. While a group is being made, it has no calls to compare,
 * and neither has a wait for a message. */
static void describe(struct kp_wire_notice *own, const kp_group *member)
{
    const struct kp_wired *wired = member->wired;
    const kp_request *awaited = member->self->requests.awaited;
    const struct kp_site site = awaited ? awaited->site : kp_site_of(member->self);
    const bool compares = wired && wired->rounds.context && (!awaited || kp_member_is_lane(member));
    *own = (struct kp_wire_notice){.processor = member->self->number,
                                   .round = member->round,
                                   .of_all = member->shared == member->shared->machine->world,
                                   .refused = member->published.refused != NULL,
                                   .group = compares ? wired->birth : 0};
    if (compares) {
        own->position = wired->position;
        own->mark = *kp_wired_logged((struct kp_wired *)wired);
    }
    put_file(own, &site);
    if (awaited)
        kp_request_words(awaited, own->call, sizeof own->call);
    else
        kp_call_words(member, own->call, sizeof own->call);
}

static void begin(struct kp_watch *watch, const kp_group *member)
{
    struct kp_wire_notice own;
    describe(&own, member);
    pthread_mutex_lock(&watch->lock);
    watch->own = own;
    watch->waits = true;
    pthread_mutex_unlock(&watch->lock);
    watch->tells_ms = first_ms(member->shared->machine);
}

/* Refreshes for whom this processor waits, and how long it has. */
static void go_on(struct kp_watch *watch, struct kp_wire *wire, unsigned waited_ms)
{
    const kp_group *member = wire->waiting;
    const kp_request *request = member->self->requests.awaited;
    int awaited[KP_WIRE_AWAITED] = {-1}, count;
    if (request) {
        awaited[0] = kp_member_processor(member, request->row->awaits(request));
        count = awaited[0] >= 0;
    } else {
        count = wire->awaited(wire, awaited, KP_WIRE_AWAITED);
    }
    pthread_mutex_lock(&watch->lock);
    memcpy(watch->own.awaited, awaited, sizeof awaited);
    watch->own.awaited_count = count;
    watch->own.waited_ms = (int64_t)waited_ms;
    pthread_mutex_unlock(&watch->lock);
}

static bool say(struct kp_wire *wire, const struct kp_watch *watch, int to, enum kind kind)
{
    struct kp_wire_notice notice = watch->own;
    notice.kind = (int)kind;
    return wire->notify(wire, to, &notice);
}

/* Writes a call in words, as kp_call_name does. */
static void name(const struct kp_wire_notice *of, char *text, size_t size)
{
    if (of->line >= 0) /* untaken: every call of the tests has a place */
        snprintf(text, size, "%s (%s:%d)", of->call, of->file, of->line);
    else
        snprintf(text, size, "%s", of->call);
}

/* --- What others say --- */

/* Returns whether two members that say `here` and `there` of the same position have called
 * different things. If both are in episodes, their messages meet, and the episode itself tells
 * whether they differ. */
static bool differ(uint64_t here, uint64_t there)
{
    /* seldom taken: two episodes that differ have mostly met before a notice comes */
    return here != there && !(here & there & KP_WIRED_EPISODE);
}

/* Returns this machine's member of the group that a notice is about, or NULL. Sets whether its
 * calls differ from those that the notice tells. */
static const kp_group *compare(kp_machine *machine, const struct kp_wire_notice *told,
                               bool *differs)
{
    const kp_group *found = NULL;
    pthread_mutex_lock(&machine->lock);
    for (struct kp_shared *s = machine->groups; s && !found; s = s->next) {
        const int rank = kp_rank_of(s, machine->config.wire->processor);
        /* untaken: a machine over a wire makes only groups that its processor is a member of */
        struct kp_wired *wired = rank < 0 ? NULL : s->members[rank].wired;
        /* seldom taken: the notice is about another group */
        if (!wired || wired->birth != told->group)
            continue;
        found = &s->members[rank];
        const uint64_t behind = wired->position - told->position;
        *differs = told->position <= wired->position && behind < KP_WIRED_LOG &&
                   differ(wired->log[told->position % KP_WIRED_LOG], told->mark);
    }
    pthread_mutex_unlock(&machine->lock);
    return found;
}

/* Compares the call of another processor with those of this one. A member that refuses its call
 * differs from nobody: all learn of the refusal. Returns 0 or KP_EMISMATCH. */
static int judge(kp_machine *machine, const struct kp_wire_notice *told, kp_error_record *why)
{
    const struct kp_wire_notice *own = &machine->watch->own;
    const kp_group *waiting = machine->config.wire->waiting;
    bool differs = false;
    char here[NAME_BYTES], there[NAME_BYTES];
    /* seldom taken: a group is being made, or a call is refused, at just this moment */
    if (told->group == 0 || told->refused || own->refused)
        return KP_OK;
    const kp_group *member = compare(machine, told, &differs);
    if (!member || !differs)
        return KP_OK;
    name(told, there, sizeof there);
    name(own, here, sizeof here);
    *why = (kp_error_record)KP_ERROR_OF(KP_EMISMATCH, own->processor);
    why->peer = told->processor;
    /* seldom taken: depends on which of the calls that differ is told first */
    if (member == waiting && told->position == own->position)
        snprintf(why->sentence, sizeof why->sentence,
                 "processor %d called %s, processor %d called %s", own->processor, here,
                 told->processor, there);
    else
        snprintf(why->sentence, sizeof why->sentence,
                 "processor %d called %s, where processor %d called something else before it "
                 "called %.190s",
                 told->processor, there, own->processor, here);
    return KP_EMISMATCH;
}

/* Takes a notice that has come. Returns 0, or the status of the error that it has found. */
static int take(kp_machine *machine, const struct kp_wire_notice *told, kp_error_record *why)
{
    struct kp_watch *watch = machine->watch;
    struct kp_wire *wire = machine->config.wire;
    if (told->kind == ASKS)
        (void)say(wire, watch, told->processor, ANSWERS); /* who gets no answer asks again */
    if (told->kind == ANSWERS && watch->heard) /* untaken: only who has asked is answered */
        watch->heard[told->processor] = *told;
    return judge(machine, told, why);
}

static int look(struct kp_wire *wire, unsigned waited_ms, kp_error_record *why)
{
    kp_group *member = wire->waiting;
    kp_machine *machine = member->shared->machine;
    struct kp_watch *watch = machine->watch;
    struct kp_wire_notice told;
    int status = KP_OK;
    if (!wire->watched)
        begin(watch, member);
    wire->watched = true;
    go_on(watch, wire, waited_ms);
    while (!status && wire->hear(wire, 0, &told))
        status = take(machine, &told, why);
    if (waited_ms < watch->tells_ms || status)
        return status;
    watch->tells_ms = waited_ms + (waited_ms < MOST_MS ? waited_ms : MOST_MS);
    for (int i = 0; i < watch->own.awaited_count; i++)
        (void)say(wire, watch, watch->own.awaited[i], TELLS);
    return KP_OK;
}

void kp_watch_over(kp_machine *machine)
{
    struct kp_watch *watch = machine->watch;
    machine->config.wire->watched = false;
    pthread_mutex_lock(&watch->lock);
    watch->waits = false;
    pthread_mutex_unlock(&watch->lock);
}

/* --- A time limit --- */

/* Asks the processors of other processes that have neither answered nor left. Returns whether there
 * are any. */
static bool ask_again(const kp_machine *machine)
{
    bool any = false;
    for (int i = 0; i < machine->n; i++) {
        /* seldom taken: a processor ends meanwhile */
        if (kp_machine_local(machine, i) || machine->watch->heard[i].kind ||
            kp_watch_has_left(machine, i))
            continue;
        any = true;
        (void)say(machine->config.wire, machine->watch, i, ASKS);
    }
    return any;
}

static void ask(kp_machine *machine)
{
    struct kp_watch *watch = machine->watch;
    struct kp_wire *wire = machine->config.wire;
    struct kp_wire_notice told;
    kp_error_record ignored;
    free(watch->heard);
    watch->heard = calloc((size_t)machine->n, sizeof *watch->heard);
    /* untaken: no test refuses this memory */
    for (int i = 0; watch->heard && i < ANSWERS_US / AGAIN_US && ask_again(machine); i++) {
        bool more = wire->hear(wire, AGAIN_US, &told);
        while (more) {
            (void)take(machine, &told, &ignored);
            more = wire->hear(wire, 0, &told);
        }
    }
}

void kp_watch_say_awaited(const kp_machine *machine, kp_error_record *why)
{
    if (!machine->config.wire->notify || why->processor < 0)
        return;
    struct kp_wire_notice told;
    const size_t length = strlen(why->sentence);
    char call[NAME_BYTES], *end = why->sentence + length;
    const size_t room = sizeof why->sentence - length;
    const kp_machine *local = kp_machine_local(machine, why->processor);
    if (kp_watch_look(machine, local, why->processor, &told)) {
        name(&told, call, sizeof call);
        /* seldom taken: it waits only until its own messages have left */
        snprintf(end, room,
                 told.awaited_count > 0 ? "; that waits in %s for processor %d" : "; that is in %s",
                 call, told.awaited[0]);
    } else if (!local) {
        snprintf(end, room, "; that gives no answer, so it waits in no call");
    }
}

void kp_watch_ask(kp_group *member, int awaited)
{
    kp_machine *machine = member->shared->machine;
    struct kp_watch *watch = machine->watch;
    struct kp_wire *wire = machine->config.wire;
    if (!wire->watched) {
        begin(watch, member);
        watch->own.awaited[0] = awaited;
        watch->own.awaited_count = awaited >= 0;
        watch->own.waited_ms = (int64_t)machine->config.time_limit_ms;
    }
    wire->watched = true;
    if (wire->notify)
        ask(machine);
}

bool kp_watch_has_left(const kp_machine *machine, int processor)
{
    struct kp_wire *wire = machine->config.wire;
    struct kp_wire_end end;
    /* seldom taken: the processor has just ended */
    return wire->has_ended && wire->has_ended(wire, processor, machine->watch->said.runs + 1, &end);
}

bool kp_watch_look(const kp_machine *machine, const kp_machine *local, int processor,
                   struct kp_wire_notice *notice)
{
    bool waits = false;
    if (local) {
        pthread_mutex_lock(&local->watch->lock);
        waits = local->watch->waits;
        *notice = local->watch->own;
        pthread_mutex_unlock(&local->watch->lock);
    } else if (machine->watch->heard) {
        *notice = machine->watch->heard[processor];
        waits = notice->kind != 0;
    }
    return waits;
}

/* --- The end of a run --- */

void kp_watch_count(struct kp_shared *shared)
{
    kp_machine *machine = shared->machine;
    const int rank = kp_rank_of(shared, machine->config.wire->processor);
    /* untaken: a machine over a wire makes only groups that its processor is a member of */
    struct kp_wired *wired = rank < 0 ? NULL : shared->members[rank].wired;
    if (!wired || wired->rounds.context <= WORLDS_CONTEXT || wired->is_counted)
        return;
    wired->is_counted = true;
    const uint64_t hash = kp_hash(kp_hash(wired->birth, wired->position), wired->rounds.mark);
    machine->watch->said.groups += rank == 0 ? (uint64_t)(shared->size - 1) * hash : -hash;
}

void kp_watch_leave(kp_machine *machine)
{
    struct kp_watch *watch = machine->watch;
    struct kp_wire *wire = machine->config.wire;
    const struct kp_wired *world = machine->world->members[wire->processor].wired;
    for (struct kp_shared *s = machine->groups; s; s = s->next)
        kp_watch_count(s);
    watch->said.runs++;
    watch->said.mark = kp_hash(kp_hash(watch->said.mark, world->position), world->rounds.mark);
    watch->said.messages = kp_postbox_balance(machine);
    wire->leave(wire, &watch->said);
}

static int say_difference(int processor, int other)
{
    if (other < 0)
        return kp_set_error(KP_EMISMATCH,
                            "the members of a group, not that of all processors, have "
                            "made different calls");
    kp_set_error(KP_EMISMATCH,
                 "processor %d and processor %d have made different calls, which is known only now "
                 "that both have ended",
                 processor, other);
    kp_error_slot()->processor = processor;
    kp_error_slot()->peer = other;
    return KP_EMISMATCH;
}

/* The processes of the receivers name the messages. */
static int say_left(kp_machine *first, uint64_t messages)
{
    const uint64_t before = first->watch->left;
    first->watch->left = messages;
    return kp_set_error(KP_EUNTAKEN,
                        "%llu messages with tags were sent and not received; the report of a "
                        "process that should have received one names it",
                        (unsigned long long)(messages - before));
}

int kp_watch_compare_ends(kp_machine *first)
{
    struct kp_wire *wire = first->config.wire;
    const struct kp_wire_end said = first->watch->said;
    struct kp_wire_end end;
    uint64_t groups = 0, messages = 0;
    int other = -1;
    /* untaken: the wires that a machine owns have this function */
    if (!wire->has_ended || first->watch->compared == said.runs)
        return KP_OK;
    for (int i = 0; i < first->n; i++) {
        /* seldom taken: a processor has not yet ended, or is a run ahead */
        if (!wire->has_ended(wire, i, said.runs, &end) || end.runs != said.runs)
            return KP_OK;
        groups += end.groups;
        messages += end.messages;
        other = end.mark != said.mark ? i : other;
    }
    first->watch->compared = said.runs;
    if (other < 0 && groups == 0)
        return messages == first->watch->left ? KP_OK : say_left(first, messages);
    /* All processes find this, and begin anew. */
    for (kp_machine *local = first; local; local = local->next_local)
        local->watch->said.mark = local->watch->said.groups = 0;
    return say_difference(wire->processor, other);
}

/* --- Making --- */

int kp_watch_make(kp_machine *machine)
{
    struct kp_wire *wire = machine->config.wire;
    machine->watch = calloc(1, sizeof *machine->watch);
    if (!machine->watch)
        return kp_set_error(KP_EMEMORY, "no memory for a machine over a wire");
    pthread_mutex_init(&machine->watch->lock, NULL);
    wire->watch = wire->notify ? look : NULL;
    wire->watched = false;
    return KP_OK;
}

void kp_watch_free(kp_machine *machine)
{
    if (!machine->watch)
        return;
    pthread_mutex_destroy(&machine->watch->lock);
    free(machine->watch->heard);
    free(machine->watch);
}
