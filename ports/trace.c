/* A trace: its machines and their records, its groups and subjects. */
#include "ports/trace.h"

#include "ports/carrier/carrier.h"
#include "ports/error.h"

#include <stdlib.h>
#include <string.h>

#define MOST_GONE     8
#define MOST_SUBJECTS 4096

/* --- Recording --- */

static struct kp_trace_record *next_record(kp_group *seat, enum kp_trace_kind kind, int round,
                                           int flags)
{
    struct kp_trace_seat *trace = seat->trace;
    struct kp_trace_row *row = trace->row;
    struct kp_trace_record *record = &row->records[row->count++ & row->mask];
    record->call = trace->run | seat->calls;
    record->group = trace->group;
    record->subject = trace->subject;
    record->round = round;
    record->root = trace->root;
    record->kind = kind;
    record->flags = (uint32_t)(flags | (trace->first ? KP_TRACE_FIRST : 0)) & 0xff;
    trace->first = 0;
    __builtin_prefetch(&row->records[row->count & row->mask], 1); /* there until it is written */
    return record;
}

/* Looks at the counter may change places by some nanoseconds. */
static uint64_t not_before(uint64_t earlier, uint64_t ticks)
{
    return ticks > earlier ? ticks : earlier;
}

void kp_trace_round(kp_group *seat, enum kp_trace_kind kind, int round, int flags)
{
    struct kp_trace_seat *trace = seat->trace;
    struct kp_trace_record *record = next_record(seat, kind, round, flags);
    record->begin = trace->begin;
    record->sends = not_before(record->begin, trace->sends);
    record->waits = not_before(record->sends, trace->waits);
    record->passed = not_before(record->waits, trace->passed);
    /* Also by a clock of large steps a round takes some time: one that took none would lie at the
     * border of two bars, and within neither. */
    record->end = not_before(record->begin + kp_ticks_of_a_nanosecond(trace->counter),
                             not_before(record->passed, kp_trace_now(seat)));
    trace->row->end = record->end;
    trace->begin = trace->sends = trace->waits = trace->passed = record->end;
}

int kp_trace_failed(kp_group *seat, enum kp_trace_kind kind, int round, int status)
{
    kp_trace_round(seat, kind, round, KP_TRACE_FAILED);
    return status;
}

void kp_trace_wait(kp_group *seat, uint64_t begin, int round, int port, int peer)
{
    struct kp_trace_record *record = next_record(seat, KP_TRACE_WAIT, round, 0);
    record->wait.begin = begin;
    record->wait.end = not_before(begin, kp_trace_now(seat));
    record->wait.port = port;
    record->wait.peer = peer;
}

void kp_trace_message(kp_group *seat, enum kp_trace_kind kind, int round, int port, int peer,
                      uint64_t bytes)
{
    struct kp_trace_record *record = next_record(seat, kind, round, 0);
    record->message.port = port;
    record->message.peer = peer;
    record->message.bytes = bytes;
}

/* --- Machines --- */

void kp_trace_machine_free(struct kp_trace_machine *m)
{
    for (size_t i = 0; i < m->group_count; i++)
        free(m->groups[i].processors);
    free(m->groups);
    free(m->records);
    free(m->rows);
    pthread_mutex_destroy(&m->lock);
    free(m);
}

/* All of it touched, so that no call is the first to. */
static void *lines(size_t count, size_t bytes)
{
    void *memory;
    if (count > SIZE_MAX / bytes || posix_memalign(&memory, KP_CACHE_LINE, count * bytes) != 0)
        return NULL;
    return memset(memory, 0, count * bytes);
}

/* Not asked for: no more than can be looked at, should every port send in every round. */
static size_t records_for(size_t asked, size_t n, size_t k)
{
    size_t records = asked, power = KP_TRACE_LEAST;
    if (asked == 0)
        records = KP_TRACE_MESSAGES / k / n < KP_TRACE_DEFAULT ? KP_TRACE_MESSAGES / k / n
                                                               : KP_TRACE_DEFAULT;
    while (power < records)
        power *= 2;
    return power;
}

static struct kp_trace_machine *machine_make(kp_machine *machine, size_t asked, size_t *bytes)
{
    size_t n = (size_t)machine->n, records = records_for(asked, n, (size_t)machine->k);
    struct kp_trace_machine *m = calloc(1, sizeof *m);
    *bytes = records * sizeof *m->records;
    if (!m)
        return NULL;
    pthread_mutex_init(&m->lock, NULL);
    m->machine = machine;
    m->n = machine->n;
    m->k = machine->k;
    m->fibers = machine->carrier->worker_of;
    m->mailboxes = machine->config.discipline == KP_ROUNDS_BY_MAILBOXES;
    m->rows = lines(n, sizeof *m->rows);
    m->records = records <= SIZE_MAX / sizeof *m->records / n ? lines(n, *bytes) : NULL;
    if (!m->rows || !m->records) {
        kp_trace_machine_free(m);
        return NULL;
    }
    for (size_t i = 0; i < n; i++) {
        m->rows[i].records = m->records + i * records;
        m->rows[i].mask = records - 1;
        m->rows[i].worker = m->fibers ? machine->carrier->worker_of(machine, (int)i) : -1;
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
        return kp_set_error(KP_EFAILED, "the trace belongs to the parent of this process");
    return KP_OK;
}

int kp_trace_join(kp_machine *machine)
{
    kp_trace *trace = machine->config.trace;
    struct kp_trace_machine *m = NULL;
    size_t bytes = 0;
    if (!trace)
        return KP_OK;
    kp_live_lock();
    int status = kp_trace_look(trace);
    if (!status && !(m = machine_make(machine, trace->records, &bytes)))
        status =
            kp_set_error(KP_EMEMORY, "no memory for a trace of %d processors with %zu bytes each",
                         machine->n, bytes);
    if (!status) {
        pthread_mutex_lock(&trace->lock);
        m->number = ++trace->numbers;
        *trace->last = m;
        trace->last = &m->next;
        pthread_mutex_unlock(&trace->lock);
        machine->traced = m;
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

static void drop(kp_trace *trace, struct kp_trace_machine *m)
{
    struct kp_trace_machine **link = &trace->machines;
    while (*link != m)
        link = &(*link)->next;
    *link = m->next;
    if (!*link)
        trace->last = link;
    trace->dropped += records_of(m);
    kp_trace_machine_free(m);
}

/* What has recorded nothing leaves nothing behind; of the others the oldest makes room. */
void kp_trace_leave(kp_machine *machine)
{
    kp_trace *trace = machine->config.trace;
    struct kp_trace_machine *m = machine->traced, *oldest = NULL;
    int gone = 0;
    if (!m)
        return;
    pthread_mutex_lock(&trace->lock);
    m->machine = NULL;
    if (records_of(m) == 0)
        drop(trace, m);
    for (m = trace->machines; m; m = m->next) {
        oldest = oldest || m->machine ? oldest : m;
        gone += m->machine == NULL;
    }
    if (gone > MOST_GONE)
        drop(trace, oldest);
    pthread_mutex_unlock(&trace->lock);
}

/* --- Groups --- */

static size_t find_group(const struct kp_trace_machine *m, const int *processors, int count)
{
    size_t bytes = (size_t)count * sizeof *processors, i = 0;
    while (i < m->group_count &&
           (m->groups[i].size != count || !m->groups[i].processors != !processors ||
            (processors && memcmp(m->groups[i].processors, processors, bytes) != 0)))
        i++;
    return i;
}

/* Groups of the same processors are one. SIZE_MAX: no memory. */
static size_t add_group(struct kp_trace_machine *m, const int *processors, int count)
{
    size_t at = find_group(m, processors, count), bytes = (size_t)count * sizeof *processors;
    if (at < m->group_count)
        return at;
    if (m->group_count == m->group_room) {
        size_t room = m->group_room ? 2 * m->group_room : 4;
        struct kp_trace_group *more = realloc(m->groups, room * sizeof *more);
        if (!more)
            return SIZE_MAX;
        m->groups = more;
        m->group_room = room;
    }
    int *copy = NULL;
    if (processors && !(copy = malloc(bytes)))
        return SIZE_MAX;
    if (processors)
        memcpy(copy, processors, bytes);
    m->groups[at] = (struct kp_trace_group){.processors = copy, .size = count};
    m->group_count++;
    return at;
}

bool kp_trace_seats_make(struct kp_shared *shared)
{
    struct kp_trace_machine *m = shared->machine->traced;
    if (!m)
        return true;
    pthread_mutex_lock(&m->lock);
    size_t group = add_group(m, shared->machine->world ? shared->processors : NULL, shared->size);
    pthread_mutex_unlock(&m->lock);
    shared->traces = lines((size_t)shared->size, sizeof *shared->traces);
    if (!shared->traces || group == SIZE_MAX)
        return false;
    for (int i = 0; i < shared->size; i++) {
        shared->traces[i].row = &m->rows[shared->processors[i]];
        shared->traces[i].group = (uint32_t)group;
        shared->traces[i].counter = shared->machine->config.trace->counter;
        shared->members[i].trace = &shared->traces[i];
    }
    return true;
}

/* Calls are counted from the beginning. */
void kp_trace_seats_reset(struct kp_shared *shared)
{
    struct kp_trace_machine *m = shared->machine->traced;
    if (!shared->traces)
        return;
    pthread_mutex_lock(&m->lock);
    uint64_t run = ++m->groups[shared->traces[0].group].runs;
    pthread_mutex_unlock(&m->lock);
    for (int i = 0; i < shared->size; i++)
        shared->traces[i].run = run << 32;
}

void kp_trace_seats_free(struct kp_shared *shared)
{
    free(shared->traces);
}

/* --- Subjects --- */

static size_t find_subject(const kp_trace *trace, const struct kp_trace_subject *like)
{
    size_t i = 0;
    while (i < trace->subject_count && (trace->subjects[i].plan != like->plan ||
                                        strcmp(trace->subjects[i].key, like->key) != 0))
        i++;
    return i;
}

/* SIZE_MAX: there is no room. */
static size_t add_subject(kp_trace *trace, const struct kp_trace_subject *like, void *from)
{
    size_t at = trace->subject_count;
    if (at == trace->subject_room) {
        size_t room = at ? 2 * at : 8;
        struct kp_trace_subject *more =
            at < MOST_SUBJECTS ? realloc(trace->subjects, room * sizeof *more) : NULL;
        if (!more)
            return SIZE_MAX;
        trace->subjects = more;
        trace->subject_room = room;
    }
    trace->subjects[at] = *like;
    trace->subjects[at].data = like->keep(from);
    if (!trace->subjects[at].data)
        return SIZE_MAX;
    trace->subject_count++;
    return at;
}

uint32_t kp_trace_subject(const kp_group *seat, const struct kp_trace_subject *like, void *from)
{
    kp_trace *trace = seat->shared->machine->config.trace;
    pthread_mutex_lock(&trace->lock);
    size_t at = find_subject(trace, like);
    if (at == trace->subject_count)
        at = add_subject(trace, like, from);
    pthread_mutex_unlock(&trace->lock);
    return at == SIZE_MAX ? KP_TRACE_UNNAMED : (uint32_t)at + KP_TRACE_SUBJECTS;
}
