#include "ports/sync/wired.h"

#include "ports/carrier/wire.h"
#include "ports/error.h"
#include "ports/fail/snapshot.h"
#include "ports/fail/watch.h"
#include "ports/member.h"
#include "ports/sync/wired_data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a member of a group that is being made knows of the members that it has heard of. */
struct claim {
    uint64_t processors;  /* a hash of the group's processors */
    bool alike;           /* these members make the same group */
    bool known;           /* these members have a context for it */
    uint64_t number;      /* larger than that of any earlier group of these members */
    struct contexts left; /* the contexts that are free at all these members */
};

/* --- Contexts --- */

/* Returns what the world's member of this machine's processor has. */
static struct kp_wired *worlds_of(const struct kp_shared *shared)
{
    const kp_machine *machine = shared->machine;
    return machine->world->members[machine->config.wire->processor].wired;
}

/* Returns the contexts of the processor that this machine carries. */
static struct contexts *contexts_of(const struct kp_shared *shared)
{
    return &worlds_of(shared)->own_contexts;
}

/* How many contexts of groups the tags of the network allow. Each has as many beside it as a group
 * has lanes. */
static uint64_t contexts_allowed(const kp_machine *machine)
{
    const uint64_t allowed =
        machine->config.wire->most_tag / ((uint64_t)machine->k + 1) / (1 + KP_LANES);
    return allowed < CONTEXTS ? allowed : CONTEXTS;
}

static uint64_t processors_hash(const struct kp_shared *shared)
{
    uint64_t hash = (uint64_t)shared->size;
    for (int i = 0; i < shared->size; i++)
        hash = kp_hash(hash, (uint64_t)shared->processors[i]);
    return hash;
}

/* --- Making --- */

/* This machine carries only one member of the group. Only this member gets a kp_wired. */
static int make(struct kp_shared *shared)
{
    struct kp_wire *wire = shared->machine->config.wire;
    for (int i = 0; i < shared->size; i++) {
        if (shared->processors[i] != wire->processor)
            continue;
        struct kp_wired *made = calloc(1, sizeof *made);
        if (!made)
            return KP_EMEMORY;
        made->wire = wire;
        made->rounds.laid = &made->rounds.own;
        made->ports = shared->machine->k < KP_WIRED_PORTS ? shared->machine->k : KP_WIRED_PORTS;
        made->why = (kp_error_record)KP_ERROR_OF(KP_OK, -1);
        shared->members[i].wired = made;
        if (!shared->machine->world) { /* this group is the world */
            made->rounds.context = WORLDS_CONTEXT;
            for (uint64_t c = CONTENTS_CONTEXT + 1; c < contexts_allowed(shared->machine); c++)
                contexts_set(&made->own_contexts, c, true);
        }
    }
    return kp_counter_make(shared);
}

static void free_all(struct kp_shared *shared)
{
    for (int i = 0; i < shared->size; i++) {
        struct kp_wired *wired = shared->members[i].wired;
        if (!wired)
            continue;
        kp_watch_count(shared);
        if (shared->lane_of && wired->wire != shared->machine->config.wire)
            shared->machine->config.wire->join(shared->machine->config.wire, wired->wire);
        else if (wired->rounds.context > WORLDS_CONTEXT)
            contexts_set(contexts_of(shared), wired->rounds.context, true);
        kp_wired_free_transfers(&wired->rounds.own.in);
        kp_wired_free_transfers(&wired->rounds.own.out);
        free(wired->statements);
        free(wired->told);
        free(wired);
    }
    kp_counter_free(shared);
}

/* Makes the group fail and gives up the wire. A wire serves only one run, because messages that are
 * under way cannot be called back. */
static void fail(struct kp_shared *shared, const kp_error_record *why)
{
    const bool known = shared->failed;
    struct kp_wire *wire = shared->machine->config.wire;
    const bool ends = why->status == KP_ELOST && why->processor == wire->processor;
    kp_counter_fail(shared, why);
    /* A processor that has ended without an error does not give up the wire, because other members
     * may still receive its messages. */
    if (!known && !ends) {
        shared->machine->given_up = true;
        wire->give_up(wire, why);
    } else if (!known && wire->leave && shared == shared->machine->world) {
        kp_watch_leave(shared->machine);
    }
}

/* Every run begins with another hash of calls, so a message that an earlier run has left behind is
 * not taken for one of this run. */
static void reset(struct kp_shared *shared)
{
    kp_counter_reset(shared);
    for (int i = 0; i < shared->size; i++) {
        struct kp_wired *wired = shared->members[i].wired;
        if (wired && wired->rounds.context == WORLDS_CONTEXT)
            kp_wired_start(wired, WORLDS_CONTEXT, ++wired->runs);
    }
}

const struct kp_sync_row kp_wired_sync_row = {
    .make = make,
    .free = free_all,
    .reset = reset,
    .fail = fail,
    .word = kp_counter_word,
};

/* --- Failures --- */

/* Asks what the others do, and writes the sentence of a time limit that is over. */
static void ask(kp_group *member, kp_error_record *why)
{
    const kp_machine *machine = member->shared->machine;
    char call[208];
    kp_watch_ask(member, why->processor);
    kp_call_name(member, call, sizeof call);
    snprintf(why->sentence, sizeof why->sentence,
             "processor %d waited %u ms in %s for processor %d", member->self->number,
             machine->config.time_limit_ms, call, why->processor);
    kp_watch_say_awaited(machine, why);
}

/* Returns the kind of diagnosis that this machine makes of a failure. Sets the sentence of a
 * failure that the wire has found; other failures already have one. What this member has not found
 * itself is no news: the machine that found it makes the diagnosis (KP_DIAGNOSIS_DUMP). */
static kp_diagnosis_kind find_kind(kp_group *member, kp_error_record *why)
{
    struct kp_wire *wire = member->shared->machine->config.wire;
    const bool is_said = why->sentence[0] != '\0';
    kp_error_record other = KP_ERROR_OF(KP_OK, -1);
    if (why->status == KP_EMISMATCH && why->processor == member->self->number)
        return KP_DIAGNOSIS_MISMATCH;
    if (why->status == KP_ETIMEOUT && !is_said) {
        ask(member, why);
        /* Meanwhile another processor may have given up. */
        if (!wire->notify || !wire->wait(wire, KP_WIRE_ALL, 0, &other))
            return KP_DIAGNOSIS_LATE;
        *why = other;
        return KP_DIAGNOSIS_DUMP;
    }
    if (!is_said)
        snprintf(why->sentence, sizeof why->sentence, "processor %d is gone", why->processor);
    return KP_DIAGNOSIS_DUMP;
}

/* If the wire may still use memory of this member, says so in its error. */
static int say_held(kp_group *member, int status)
{
    const struct kp_wire *wire = member->shared->machine->config.wire;
    char *sentence = member->self->error.sentence;
    const size_t length = strlen(sentence), room = sizeof member->self->error.sentence - length;
    if (wire->held > 0) {
        snprintf(sentence + length, room,
                 "; the memory of a message to or from processor %d may be used until "
                 "kp_machine_destroy",
                 wire->held_with);
        *kp_error_slot() = member->self->error;
    }
    return status;
}

/* Makes the group unusable because of `why`, and tells the other members unless they know already.
 * Sets the error and returns its status. */
static int broken(kp_group *member, int round, kp_error_record *why)
{
    struct kp_shared *shared = member->shared;
    struct kp_snapshot snapshot;
    const kp_diagnosis_kind kind = find_kind(member, why);
    kp_snapshot_begin(&snapshot, shared->machine);
    /* seldom taken: the group fails meanwhile */
    if (kind != KP_DIAGNOSIS_DUMP && !shared->failed)
        kp_snapshot_take(&snapshot, kind, why, why->processor, why->peer);
    kp_sync_fail(shared, why);
    kp_first_failure(shared->machine, why);
    kp_snapshot_end(&snapshot);
    return say_held(member, kp_port_failed(member, round, why));
}

/* Does the same, but the others get the error `told`, and this member returns the error that is
 * set. */
int kp_wired_broken_by_own(kp_group *member, int round, kp_error_record told)
{
    const kp_error_record own = member->self->error;
    (void)broken(member, round, &told);
    return kp_proc_set_error(member->self, &own);
}

int kp_wired_fails(kp_group *member, int status, kp_error_record *why)
{
    why->status = status;
    return broken(member, member->round, why);
}

int kp_wired_may_not_begin(const kp_group *member)
{
    *kp_error_slot() = member->shared->failure;
    return member->shared->failure.status;
}

int kp_wired_completed(kp_group *member, bool begun, int status, int round)
{
    struct kp_wired *wired = member->wired;
    kp_error_record why = begun ? wired->why : *kp_error_slot();
    if (!begun)
        why.processor = why.processor < 0 ? member->self->number : why.processor;
    why.status = status;
    status = status ? broken(member, round, &why) : KP_OK;
    if (member->shared->machine->config.wire->watched)
        kp_watch_over(member->shared->machine);
    return status;
}

static int no_memory(kp_group *member, const char *what)
{
    return kp_wired_complete(member, kp_set_error(KP_EMEMORY, "no memory for %s", what),
                             KP_WIRE_ALL, 0, member->round);
}

/* --- Episodes --- */

void kp_wired_arrive(kp_group *member, uint64_t fingerprint, unsigned bits)
{
    struct kp_shared *shared = member->shared;
    kp_episode_begin(member, bits);
    bool refused =
        atomic_load_explicit(&shared->invalid, KP_ORDER_WITHIN_EPISODE) == member->episodes;
    kp_wired_count(member->wired, fingerprint, KP_WIRED_EPISODE);
    member->wired->own = (struct news){.mark = member->wired->rounds.mark,
                                       .beside = kp_episode_word(shared, member->episodes),
                                       .agree = !refused};
    if (shared->lane_of)
        kp_wired_begin_steps(member);
}

/* Adds what another member knows, a struct news. */
void kp_wired_add_news(void *known, const void *other)
{
    struct news *a = known;
    const struct news *b = other;
    const uint64_t bits = (a->beside | b->beside) & KP_EPISODE_MASK;
    const uint64_t longest = (a->beside > b->beside ? a : b)->beside & ~KP_EPISODE_MASK;
    a->agree = a->agree && b->agree && a->mark == b->mark;
    a->beside = longest | bits;
}

int kp_wired_open_lane(kp_group *member, const kp_group *of, int lane)
{
    struct kp_wired *wired = member->wired;
    kp_machine *machine = member->shared->machine;
    struct kp_wire *wire = machine->config.wire;
    struct kp_wire *branch = wired->rounds.context ? wired->wire : wire->branch(wire);
    if (!branch)
        return kp_set_error(KP_EMEMORY, "no memory for a lane of requests");
    wired->wire = branch;
    wired->rounds.context =
        of->wired->rounds.context + (uint64_t)(lane + 1) * contexts_allowed(machine);
    kp_wired_start(wired, wired->rounds.context, of->wired->birth);
    return KP_OK;
}

/* Ends a step that has brought `length` bytes from processor `from`. Another length is that of a
 * message of another call. */
static int refuse_news(kp_group *member, int from)
{
    kp_port_error(member, KP_EMISMATCH, -1, -1, -1,
                  "processor %d waits for the others, and what processor %d sent it belongs to "
                  "another call",
                  member->self->number, from);
    return kp_wired_broken_by_own(member, -1, member->self->error);
}

/* A step of a dissemination: sends what this member knows to the members whose ranks are higher by
 * `step`, 2 `step` and so on, one on each port, and receives what the members know whose ranks are
 * lower by as much. Ranks count modulo n. Returns the number of messages that came, or the status
 * of an error. */
static int make_step(kp_group *member, int64_t step, void *known, size_t bytes)
{
    struct kp_wired *wired = member->wired;
    struct kp_wire_message in[KP_WIRED_PORTS], out[KP_WIRED_PORTS];
    const int count = kp_wired_step(member, step, known, bytes, in, out);
    int status = kp_wired_may_begin(member);
    /* untaken: only an operator fails the group within a call, and none runs in an episode */
    status = status ? status : wired->wire->begin(wired->wire, in, count, out, count);
    status = kp_wired_complete(member, status, KP_WIRE_ALL, member->waiter.limit_ms, member->round);
    status = status ? status : kp_wired_step_came(member, in, count, bytes);
    return status ? status : count;
}

int kp_wired_step(kp_group *member, int64_t step, void *known, size_t bytes,
                  struct kp_wire_message *in, struct kp_wire_message *out)
{
    struct kp_wired *wired = member->wired;
    const int n = member->shared->size, *processors = member->shared->processors;
    const uint64_t tag = kp_wired_tag(member, member->shared->machine->k);
    int count = 0;
    for (int64_t d = step; d < n && count < wired->ports; d += step, count++) {
        in[count] = (struct kp_wire_message){.peer = processors[(member->rank - d + n) % n],
                                             .tag = tag,
                                             .bytes = wired->news[count],
                                             .length = KP_WIRE_SHORT};
        out[count] = (struct kp_wire_message){.peer = processors[(member->rank + d) % n],
                                              .tag = tag,
                                              .bytes = known,
                                              .length = bytes};
    }
    return count;
}

int kp_wired_step_came(kp_group *member, const struct kp_wire_message *in, int count, size_t bytes)
{
    int status = KP_OK;
    for (int i = 0; i < count && !status; i++)
        status = in[i].length == bytes ? KP_OK : refuse_news(member, in[i].peer);
    return status;
}

/* Tells all members what each of them knows. `add` adds what another member knows to what this one
 * knows. It may come twice. (lib/algorithms/barrier_dissemination.c has the same rounds.) */
static int disseminate(kp_group *member, void *known, size_t bytes,
                       void (*add)(void *known, const void *other))
{
    int count = 0;
    for (int64_t step = 1; step < member->shared->size && count >= 0;
         step *= member->wired->ports + 1) {
        count = make_step(member, step, known, bytes);
        for (int i = 0; i < count; i++)
            add(known, member->wired->news[i]);
    }
    return count < 0 ? count : KP_OK;
}

int kp_wired_tell_pack(kp_group *member, const struct kp_telling *own)
{
    struct kp_wired *wired = member->wired;
    const size_t n = (size_t)member->shared->size, row = own->bytes + own->each_bytes;
    if (wired->told_room < 2 * n * row) {
        free(wired->told);
        wired->told = calloc(2 * n, row);
        wired->told_room = wired->told ? 2 * n * row : 0;
        if (!wired->told)
            return no_memory(member, "what members tell each other");
    }
    char *out = wired->told;
    for (size_t i = 0; i < n; i++) {
        memcpy(out + i * row, own, own->bytes);
        if (own->each)
            memcpy(out + i * row + own->bytes, own->each + i * own->stride, own->each_bytes);
    }
    return kp_wired_swap_pack(member, (struct kp_wired_rows){out, row}, row);
}

/* Publishes the other members' data at this machine, where this member finds it as if memory were
 * shared. */
void kp_wired_tell_take(kp_group *member, const struct kp_telling *own, int space)
{
    const size_t n = (size_t)member->shared->size, row = own->bytes + own->each_bytes;
    char *in = member->wired->told + n * row;
    kp_wired_swap_take(member, (struct kp_wired_rows){in, row}, row);
    for (size_t i = 0; i < n; i++) {
        struct kp_telling *told = (void *)(in + i * row);
        if ((int)i == member->rank)
            continue;
        told->each = (const char *)told + told->bytes;
        told->stride = 0;
        member->shared->members[i].published.bases[space] = (void *)told;
    }
}

int kp_wired_tell(kp_group *member, const struct kp_telling *own, int space)
{
    int status = kp_wired_tell_pack(member, own);
    status = status ? status : kp_wired_round(member, member->round);
    if (!status)
        kp_wired_tell_take(member, own, space);
    return status;
}

static void describe_statement(const void *subject, char *text, size_t size)
{
    const struct statement *statement = subject;
    snprintf(text, size, "%s", statement->called);
}

/* Refuses to go on if the calls before this one differ already. Otherwise no member has moved
 * anything, and all go on from the same mark. */
static enum kp_episode_result compare_before(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    const struct kp_shared *shared = member->shared;
    int other = 0;
    while (other < shared->size && wired->statements[other].before == wired->before)
        other++;
    if (other == shared->size) {
        kp_wired_set_mark(wired, kp_hash(wired->before, KP_REFUSED), KP_WIRED_EPISODE);
        return KP_EPISODE_SPLIT;
    }
    kp_error_record why = KP_ERROR_OF(KP_EMISMATCH, member->self->number);
    why.peer = shared->processors[other];
    snprintf(why.sentence, sizeof why.sentence,
             "processor %d called %s, and a call that it made before differs from that of "
             "processor %d",
             why.processor, wired->statements[member->rank].called, why.peer);
    (void)broken(member, member->round, &why);
    return KP_EPISODE_FAILED;
}

int kp_wired_state_pack(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    const int n = member->shared->size;
    if (!wired->statements && !(wired->statements = calloc((size_t)n, sizeof *wired->statements)))
        return no_memory(member, "what the members have called");
    struct statement *own = &wired->statements[member->rank];
    *own = (struct statement){.fingerprint = member->published.call->fingerprint,
                              .before = wired->before,
                              .refused = member->published.refused != NULL};
    kp_call_name(member, own->called, sizeof own->called);
    if (own->refused)
        own->why = *member->published.refused;
    /* The marks differ here, but these messages belong together. */
    kp_wired_set_mark(wired, kp_hash(wired->birth, KP_REFUSED), KP_WIRED_EPISODE);
    return kp_wired_swap_pack(member, (struct kp_wired_rows){own, 0}, sizeof *own);
}

/* Publishes the other members' calls at this machine, where this member finds them as if memory
 * were shared. */
enum kp_episode_result kp_wired_state_take(kp_group *member)
{
    struct kp_wired *wired = member->wired;
    const int n = member->shared->size;
    const size_t bytes = sizeof *wired->statements;
    kp_wired_swap_take(member, (struct kp_wired_rows){wired->statements, bytes}, bytes);
    for (int i = 0; i < n; i++) {
        struct kp_group *peer = &member->shared->members[i];
        struct statement *other = &wired->statements[i];
        if (peer == member)
            continue;
        peer->published.plain = (struct kp_call){other->fingerprint, describe_statement, other};
        peer->published.call = &peer->published.plain;
        peer->published.refused = other->refused ? &other->why : NULL;
        other->why.file = NULL; /* it is an address in the other member's memory */
    }
    return compare_before(member);
}

/* Exchanges what all members have called. */
static enum kp_episode_result tell_all(kp_group *member)
{
    return kp_wired_state_pack(member) || kp_wired_round(member, member->round)
               ? KP_EPISODE_FAILED
               : kp_wired_state_take(member);
}

void kp_wired_spread_over(kp_group *member, const struct news *all)
{
    kp_episode_set_word(member->shared, member->episodes, all->beside);
    kp_episode_clear(member->shared, member->episodes);
}

enum kp_episode_result kp_wired_await(kp_group *member)
{
    struct news all = member->wired->own;
    if (kp_member_is_lane(member))
        return member->wired->episode.result;
    if (disseminate(member, &all, sizeof all, kp_wired_add_news))
        return KP_EPISODE_FAILED;
    kp_wired_spread_over(member, &all);
    return all.agree ? KP_EPISODE_AGREED : tell_all(member);
}

/* --- Making groups --- */

static void describe_making(const void *subject, char *text, size_t size)
{
    const struct kp_shared *shared = subject;
    snprintf(text, size, "kp_group_create of %d processors", shared->size);
}

/* Adds another member's claim. */
static void add_claim(void *known, const void *other)
{
    struct claim *a = known;
    const struct claim *b = other;
    /* seldom taken: depends on which member finds the difference */
    a->alike = a->alike && b->alike && a->processors == b->processors;
    a->known = a->known && b->known;
    a->number = a->number > b->number ? a->number : b->number;
    for (int i = 0; i < CONTEXTS / 64; i++)
        a->left.free[i] &= b->left.free[i];
}

/* Takes the context for which all members' claims allow. */
static int take_context(kp_group *member, const struct claim *all)
{
    struct kp_shared *shared = member->shared;
    struct kp_wired *wired = member->wired;
    const uint64_t context = contexts_first(&all->left);
    worlds_of(shared)->groups = all->number;
    if (all->known)
        return KP_OK;
    if (context == 0)
        return kp_set_error(KP_EMEMORY,
                            "no number is left for a group of %d processors; with %d ports the "
                            "tags of the network (up to %llu) serve %llu groups at a time",
                            shared->size, shared->machine->k,
                            (unsigned long long)wired->wire->most_tag,
                            (unsigned long long)contexts_allowed(shared->machine) - 2);
    kp_watch_count(shared);
    if (wired->rounds.context)
        contexts_set(contexts_of(shared), wired->rounds.context, true);
    contexts_set(contexts_of(shared), context, false);
    wired->rounds.context = context;
    kp_wired_start(wired, context, all->number);
    return KP_OK;
}

int kp_wired_agree(kp_group *member)
{
    struct kp_shared *shared = member->shared;
    struct kp_wired *wired = member->wired;
    const uint64_t context = wired->rounds.context;
    struct claim all = {.processors = processors_hash(shared),
                        .alike = true,
                        .known = context != 0,
                        .number = worlds_of(shared)->groups + 1,
                        .left = *contexts_of(shared)};
    member->published.plain = (struct kp_call){0, describe_making, shared};
    member->published.call = &member->published.plain;
    wired->rounds.context = 0;
    int status = disseminate(member, &all, sizeof all, add_claim);
    wired->rounds.context = context;
    if (!status && !all.alike) {
        kp_port_error(member, KP_EMISMATCH, -1, -1, -1,
                      "processor %d makes a group of %d processors, and others of them make "
                      "another group at the same time",
                      member->self->number, shared->size);
        status = kp_wired_broken_by_own(member, -1, member->self->error);
    }
    return status ? status : take_context(member, &all);
}
