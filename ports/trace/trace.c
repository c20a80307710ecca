/* The data of a trace: its machines with their records, its groups, and the subjects of calls. */
#include "ports/trace/trace.h"

#include "ports/carrier/carrier.h"
#include "ports/error.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GONE     8
#define MOST_SUBJECTS 4096

/* --- Recording --- */

static struct kp_trace_record *next_record(kp_group *member, enum kp_trace_kind kind, int round,
                                           int flags)
{
    struct kp_trace_member *trace = member->trace;
    struct kp_trace_row *row = trace->row;
    struct kp_trace_record *record = &row->records[row->count++ & row->mask];
    record->call = trace->run | member->calls;
    record->group = trace->group;
    record->subject = trace->subject;
    record->round = round;
    record->root = trace->root;
    record->kind = kind;
    if (member->shared->lane_of)
        flags |= KP_TRACE_IN_REQUEST;
    record->flags = (uint32_t)(flags | (trace->first ? KP_TRACE_FIRST : 0)) & 0xff;
    trace->first = 0;
    /* Fetches the cache line of the next record, so that the line is in the cache when the record
     * is written. */
    __builtin_prefetch(&row->records[row->count & row->mask], 1);
    return record;
}

void kp_trace_round(kp_group *member, enum kp_trace_kind kind, int round, int flags)
{
    struct kp_trace_member *trace = member->trace;
    struct kp_trace_record *record = next_record(member, kind, round, flags);
    record->begin = trace->begin;
    record->sends = trace->sends;
    record->waits = trace->waits;
    record->passed = trace->passed;
    /* A round takes at least a nanosecond, even if the clock is too coarse to show it. The end of
     * an arrow has to lie within the round's bar, and a bar of no length would have nothing within
     * it. */
    uint64_t now = kp_trace_now(member), least = kp_ticks_of_a_nanosecond(trace->counter);
    record->end = now > record->begin + least ? now : record->begin + least;
    trace->row->last = record->end;
    trace->begin = trace->sends = trace->waits = trace->passed = record->end;
}

int kp_trace_failed(kp_group *member, enum kp_trace_kind kind, int round, int status)
{
    kp_trace_round(member, kind, round, KP_TRACE_FAILED);
    return status;
}

void kp_trace_wait(kp_group *member, uint64_t begin, int round)
{
    struct kp_trace_record *record = next_record(member, KP_TRACE_WAIT, round, 0);
    record->begin = begin;
    record->end = kp_trace_now(member);
}

void kp_trace_message(kp_group *member, enum kp_trace_kind kind, int round, int port, int peer,
                      uint64_t bytes)
{
    struct kp_trace_record *record = next_record(member, kind, round, 0);
    record->port = port;
    record->peer = peer;
    record->bytes = bytes;
}

uint64_t kp_trace_request(kp_group *member, uint64_t number, const struct kp_trace_request *what,
                          uint64_t begin, int flags)
{
    struct kp_trace_row *row = member->trace->row;
    struct kp_trace_record *record = &row->records[row->count++ & row->mask];
    const bool first = number == 0;
    record->call = first ? ++row->requests : number;
    record->group = member->trace->group;
    record->subject = KP_TRACE_UNNAMED;
    record->round = -1;
    record->root = 0;
    record->kind = KP_TRACE_REQUEST;
    record->flags = (uint32_t)(flags | (first ? KP_TRACE_FIRST : 0)) & 0xff;
    record->begin = begin;
    record->end = kp_trace_now(member);
    record->name = what->name;
    record->with = what->with;
    record->tag = what->tag;
    record->length = what->bytes;
    return record->call;
}

/* --- Machines --- */

void kp_trace_machine_free(struct kp_trace_machine *m)
{
    for (size_t i = 0; i < m->group_count; i++)
        free(m->groups[i].processors);
    free(m->groups);
    free(m->records);
    free(m->rows);
    free(m);
}

/* Returns the number of records for each processor, a power of two. If the user asked for no number
 * (`asked` is 0), it is small enough for a viewer to show the file, even if every port sends in
 * every round. */
static size_t records_for(size_t asked, size_t n, size_t k)
{
    size_t usual = KP_TRACE_MESSAGES / k / n, power = KP_TRACE_LEAST;
    if (asked == 0)
        asked = usual < KP_TRACE_DEFAULT ? usual : KP_TRACE_DEFAULT;
    while (power < asked)
        power *= 2;
    return power;
}

/* Makes the trace of a machine. Touches all of the records' memory, so that no traced call is the
 * first to touch a page. */
static struct kp_trace_machine *machine_make(kp_machine *machine, size_t records)
{
    size_t n = (size_t)machine->n;
    struct kp_trace_machine *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (struct kp_trace_machine){.machine = machine, .n = machine->n, .k = machine->k};
    m->mailboxes = machine->config.discipline == KP_ROUNDS_BY_MAILBOXES;
    m->rows = kp_lines_zeroed(n, sizeof *m->rows);
    m->records = kp_lines_zeroed(n, records * sizeof *m->records);
    if (!m->rows || !m->records) {
        kp_trace_machine_free(m);
        return NULL;
    }
    int (*worker_of)(const kp_machine *, int) = machine->carrier->worker_of;
    for (size_t i = 0; i < n; i++) {
        m->rows[i].records = m->records + i * records;
        m->rows[i].mask = records - 1;
        m->rows[i].worker = worker_of ? worker_of(machine, (int)i) : -1;
    }
    return m;
}

int kp_trace_look(const kp_trace *trace)
{
    if (!kp_live_has(trace, KP_LIVE_TRACE))
        return kp_set_error(KP_EENDED,
                            "the trace is none that there is: it has been freed, or this "
                            "never was one");
    if (trace->forks != kp_fork_count())
        return kp_set_error(KP_EFAILED, "the trace belongs to the parent of this process; after a "
                                        "fork the child may make its own");
    return KP_OK;
}

int kp_trace_join(kp_machine *machine)
{
    kp_trace *trace = machine->config.trace;
    if (!trace)
        return KP_OK;
    kp_live_lock();
    int status = kp_trace_look(trace);
    size_t n = (size_t)machine->n, k = (size_t)machine->k;
    size_t records = status ? 0 : records_for(trace->records, n, k);
    if (!status && !(machine->traced = machine_make(machine, records)))
        status =
            kp_set_error(KP_EMEMORY, "no memory for a trace of %d processors with %zu bytes each",
                         machine->n, records * sizeof(struct kp_trace_record));
    if (!status) {
        pthread_mutex_lock(&trace->lock);
        struct kp_trace_machine **last = &trace->machines;
        while (*last)
            last = &(*last)->next;
        *last = machine->traced;
        (*last)->number = ++trace->numbers;
        pthread_mutex_unlock(&trace->lock);
    }
    kp_live_unlock();
    return status;
}

static uint64_t records_of(const struct kp_trace_machine *m)
{
    uint64_t records = 0;
    for (int i = 0; i < m->n; i++)
        records += m->rows[i].count;
    return records;
}

uint64_t kp_trace_overwritten(const struct kp_trace_machine *m)
{
    uint64_t records = 0;
    for (int i = 0; i < m->n; i++)
        records += kp_trace_first_kept(&m->rows[i]);
    return records;
}

uint64_t kp_trace_lost(const kp_trace *trace)
{
    uint64_t records = trace->dropped;
    for (const struct kp_trace_machine *m = trace->machines; m; m = m->next)
        records += kp_trace_overwritten(m);
    return records;
}

static void drop(kp_trace *trace, struct kp_trace_machine **link)
{
    struct kp_trace_machine *m = *link;
    *link = m->next;
    trace->dropped += records_of(m);
    kp_trace_machine_free(m);
}

/* Drops the machine's trace if the machine has recorded nothing. If the traces of more than
 * MOST_GONE ended machines remain, drops the oldest of them. */
void kp_trace_leave(kp_machine *machine)
{
    kp_trace *trace = machine->config.trace;
    struct kp_trace_machine *m, **link, **oldest = NULL;
    int gone = 0;
    if (!machine->traced)
        return;
    pthread_mutex_lock(&trace->lock);
    machine->traced->machine = NULL;
    for (link = &trace->machines; (m = *link) != NULL; link = &m->next) {
        if (m == machine->traced && records_of(m) == 0) {
            drop(trace, link);
            break; /* dropping this one leaves at most MOST_GONE ended machines */
        }
        if (!m->machine && gone++ == 0)
            oldest = link;
    }
    if (gone > MOST_GONE)
        drop(trace, oldest);
    pthread_mutex_unlock(&trace->lock);
}

/* --- Groups and subjects --- */

/* Returns an array with room for one more element, or NULL if there is no memory. A full array is
 * reallocated with twice its size. */
static void *room_for_one(void *array, size_t count, size_t bytes)
{
    bool full = (count & (count - 1)) == 0;
    return full ? realloc(array, (count ? 2 * count : 1) * bytes) : array;
}

/* Returns the index of the group of these processors (NULL: the world), or SIZE_MAX if there is no
 * memory. Groups with the same processors in the same order share one index. */
static size_t group_of(struct kp_trace_machine *m, const int *processors, int count)
{
    size_t bytes = (size_t)count * sizeof *processors, at = m->group_count;
    for (size_t i = 1; i < at; i++) {
        if (m->groups[i].size == count && memcmp(m->groups[i].processors, processors, bytes) == 0)
            return i;
    }
    int *copy = processors ? malloc(bytes) : NULL;
    struct kp_trace_group *more = room_for_one(m->groups, at, sizeof *more);
    m->groups = more ? more : m->groups;
    if (!more || (processors && !copy)) { /* seldom taken: threads ask for memory in any order */
        free(copy);
        return SIZE_MAX;
    }
    if (copy)
        memcpy(copy, processors, bytes);
    m->groups[at] = (struct kp_trace_group){.processors = copy, .size = count};
    return m->group_count++;
}

bool kp_trace_members_make(struct kp_shared *shared)
{
    struct kp_trace_machine *m = shared->machine->traced;
    if (!m)
        return true;
    size_t group = group_of(m, shared->machine->world ? shared->processors : NULL, shared->size);
    shared->traces = kp_lines_zeroed((size_t)shared->size, sizeof *shared->traces);
    if (!shared->traces || group == SIZE_MAX)
        return false;
    for (int i = 0; i < shared->size; i++) {
        shared->traces[i] =
            (struct kp_trace_member){.row = &m->rows[shared->processors[i]],
                                     .group = (uint32_t)group,
                                     .counter = shared->machine->config.trace->counter};
        shared->members[i].trace = &shared->traces[i];
    }
    return true;
}

void kp_trace_members_reset(struct kp_shared *shared)
{
    if (!shared->traces)
        return;
    uint64_t run = ++shared->machine->traced->groups[shared->traces[0].group].runs;
    for (int i = 0; i < shared->size; i++)
        shared->traces[i].run = run << 32;
}

/* Returns the index of an equal subject, after storing it if necessary. Returns SIZE_MAX if there
 * is no room. */
static size_t subject_of(kp_trace *trace, const struct kp_trace_subject *like, void *from)
{
    size_t at = trace->subject_count;
    for (size_t i = 0; i < at; i++) {
        if (trace->subjects[i].schedule == like->schedule &&
            strcmp(trace->subjects[i].key, like->key) == 0)
            return i;
    }
    struct kp_trace_subject *more =
        at < MOST_SUBJECTS ? room_for_one(trace->subjects, at, sizeof *more) : NULL;
    if (!more) /* seldom taken: threads ask for memory in any order */
        return SIZE_MAX;
    trace->subjects = more;
    more[at] = *like;
    more[at].data = like->keep(from);
    /* seldom taken: threads ask for memory in any order */
    return more[at].data ? trace->subject_count++ : SIZE_MAX;
}

uint32_t kp_trace_subject(const kp_group *member, const struct kp_trace_subject *like, void *from)
{
    kp_trace *trace = member->shared->machine->config.trace;
    pthread_mutex_lock(&trace->lock);
    size_t at = subject_of(trace, like, from);
    pthread_mutex_unlock(&trace->lock);
    return at == SIZE_MAX ? KP_TRACE_UNNAMED : (uint32_t)at + KP_TRACE_SUBJECTS;
}
