/* Writes a trace as a file of the Trace Event Format, in the form "JSON Object Format":
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 *
 * A viewer shows each processor as a row of bars (calls, rounds, copying, waiting) and each message
 * as an arrow between two rows. The events are printed processor by processor, straight from the
 * records. Only an arrow needs a record of another processor. To find this record, all rounds and
 * all received messages are sorted first. Texts need no escaping, because the file does not contain
 * names that users chose. */
#include "ports/trace/trace.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 320 /* the room for a problem string with the name of its operator */

/* Prints nanoseconds as microseconds. */
#define TIME     "%" PRIu64 ".%03u"
#define US_OF(t) (t) / 1000, (unsigned)((t) % 1000)

/* A record at which an arrow may end: a round that happened, or a message that was received in such
 * a round. The fields before `record` are compared as bytes, which is possible because there is no
 * padding between them. */
struct arrow_end {
    uint64_t processor, call;
    uint32_t group;
    /* For a message, the sender's port and rank; for a round, -1 and -1. */
    int32_t round, port, peer;
    const struct kp_trace_record *record;
};

/* The state of printing: the output, and the record that is being printed. */
struct printer {
    FILE *out;
    const kp_trace *trace;
    struct kp_tick_mark now;
    uint64_t events, arrows;
    const struct kp_trace_machine *machine;
    struct arrow_end *ends; /* the machine's records at which arrows may end, sorted */
    size_t end_count;
    /* The call that is being printed: the records of one processor in this call. */
    const struct kp_trace_row *row;
    const struct kp_trace_group *group;
    int processor, rank;
    char name[32];
    /* The current round of the call. Its record has the number `at`. The records of its waits and
     * of its single messages have the numbers `first` ... `at` - 1. */
    const struct kp_trace_record *round;
    uint64_t first, at;
    /* `sent` is true while sent messages are printed, and false while received ones are. `messages`
     * and `bytes` count what has been printed of them. */
    bool sent;
    uint64_t messages, bytes;
};

static const struct kp_trace_record *record_at(const struct kp_trace_row *row, uint64_t i)
{
    return &row->records[i & row->mask];
}

static bool is_round(const struct kp_trace_record *r)
{
    return r->kind == KP_TRACE_ROUND || r->kind == KP_TRACE_LETTERS;
}

static int processor_of(const struct kp_trace_group *group, int rank)
{
    return group->processors ? group->processors[rank] : rank;
}

static int rank_of(const struct kp_trace_group *group, int processor)
{
    int rank = group->processors ? 0 : processor;
    while (group->processors && group->processors[rank] != processor)
        rank++;
    return rank;
}

static const struct kp_trace_subject *subject_of(const struct printer *p,
                                                 const struct kp_trace_record *r)
{
    return r->subject < KP_TRACE_SUBJECTS ? NULL
                                          : &p->trace->subjects[r->subject - KP_TRACE_SUBJECTS];
}

/* Returns whether a record is about a request. Such records may lie between those of a blocking
 * call, as requests go on while it waits. */
static bool is_of_request(const struct kp_trace_record *r)
{
    return r->kind == KP_TRACE_REQUEST || (r->flags & KP_TRACE_IN_REQUEST);
}

/* --- The record at which an arrow ends --- */

static int compare(const void *a, const void *b)
{
    return memcmp(a, b, offsetof(struct arrow_end, record));
}

/* Returns the arrow's end that is the record's round at a processor. If `port` and `peer` are not
 * -1, it is one message of the round. */
static struct arrow_end end_of(const struct kp_trace_record *r, int processor, int port, int peer)
{
    return (struct arrow_end){(uint64_t)processor, r->call, r->group, r->round, port, peer, r};
}

static const struct kp_trace_record *find(const struct printer *p, struct arrow_end like)
{
    const struct arrow_end *found = bsearch(&like, p->ends, p->end_count, sizeof like, compare);
    return found ? found->record : NULL;
}

static bool sort_ends(struct printer *p)
{
    const struct kp_trace_machine *m = p->machine;
    uint64_t records = 1;
    for (int i = 0; i < m->n; i++)
        records += m->rows[i].count - kp_trace_first_kept(&m->rows[i]);
    p->ends = malloc((size_t)records * sizeof *p->ends);
    p->end_count = 0;
    if (!p->ends)
        return false;
    for (int i = 0; i < m->n; i++) {
        const struct kp_trace_row *row = &m->rows[i];
        for (uint64_t j = kp_trace_first_kept(row); j < row->count; j++) {
            const struct kp_trace_record *r = record_at(row, j);
            bool taken = r->kind == KP_TRACE_TAKEN;
            if (taken || (is_round(r) && !(r->flags & KP_TRACE_FAILED)))
                p->ends[p->end_count++] = end_of(r, i, taken ? r->port : -1, taken ? r->peer : -1);
        }
    }
    qsort(p->ends, p->end_count, sizeof *p->ends, compare);
    return true;
}

/* --- Events --- */

/* Prints the beginning of an event. The caller goes on with the event's arguments. */
static void begin_event(struct printer *p, char phase, const char *name, const char *category,
                        int processor)
{
    fprintf(p->out, "%s{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"%c\",\"pid\":%d,\"tid\":%d",
            p->events++ > 0 ? ",\n" : "\n", name, category, phase, p->machine->number, processor);
}

/* Converts ticks to nanoseconds since the trace was made. */
static uint64_t since(const struct printer *p, uint64_t ticks)
{
    return kp_since(p->trace->start, p->now, p->trace->counter, ticks);
}

static void begin_bar(struct printer *p, const char *name, const char *category, uint64_t begin,
                      uint64_t end)
{
    uint64_t from = since(p, begin), length = since(p, end) - from;
    begin_event(p, 'X', name, category, p->processor);
    fprintf(p->out, ",\"ts\":" TIME ",\"dur\":" TIME, US_OF(from), US_OF(length));
}

static void put_bar(struct printer *p, const char *name, uint64_t begin, uint64_t end)
{
    if (since(p, end) <= since(p, begin))
        return;
    begin_bar(p, name, name, begin, end);
    fprintf(p->out, "}");
}

/* --- Messages --- */

static void each_message(struct printer *p, bool sent, kp_trace_each *each)
{
    const struct kp_trace_record *r = p->round;
    const struct kp_trace_subject *subject = subject_of(p, r);
    p->sent = sent;
    if (r->flags & KP_TRACE_EXPLICIT) {
        for (uint64_t i = p->first; i < p->at; i++) {
            const struct kp_trace_record *m = record_at(p->row, i);
            if (m->kind == (sent ? KP_TRACE_SENT : KP_TRACE_TAKEN) &&
                is_of_request(m) == is_of_request(r))
                each(p, m->port, m->peer, m->bytes);
        }
    } else if (subject) {
        subject->messages(subject->data, (int)r->root, p->rank, r->round, sent, each, p);
    }
}

static void put_message(void *context, int port, int peer, uint64_t bytes)
{
    struct printer *p = context;
    fprintf(p->out, "%s{\"port\":%d,\"%s\":%d,\"bytes\":%" PRIu64 "}", p->messages++ > 0 ? "," : "",
            port, p->sent ? "to" : "from", processor_of(p->group, peer), bytes);
    p->bytes += bytes;
}

static void put_messages(struct printer *p, const char *key, bool sent)
{
    p->messages = p->bytes = 0;
    fprintf(p->out, ",\"%s\":[", key);
    each_message(p, sent, put_message);
    fprintf(p->out, "],\"bytes_%s\":%" PRIu64, key, p->bytes);
}

static void put_end(struct printer *p, bool ends, int processor, uint64_t at, int port, int other,
                    uint64_t bytes)
{
    begin_event(p, ends ? 'f' : 's', "message", "message", processor);
    fprintf(p->out,
            ",\"ts\":" TIME ",\"id\":%" PRIu64 "%s,\"args\":{\"call\":%" PRIu64
            ",\"round\":%d,\"port\":%d,\"%s\":%d,\"bytes\":%" PRIu64 "}}",
            US_OF(at), p->arrows, ends ? ",\"bp\":\"e\"" : "", p->round->call & UINT32_MAX,
            (int)p->round->round, port, ends ? "from" : "to", other, bytes);
}

/* Prints the arrow of a message. The arrow begins within the sender's bar of copying, just before
 * the time from which other members can have the message. By the barrier the arrow ends where the
 * receiver's wait ends and its copying begins. By mailboxes only the end of the receiver's round is
 * known, so the arrow ends there. */
static void put_arrow(void *context, int port, int peer, uint64_t bytes)
{
    struct printer *p = context;
    const struct kp_trace_record *sent = p->round;
    int receiver = processor_of(p->group, peer);
    const struct kp_trace_record *taken = find(p, end_of(sent, receiver, -1, -1));
    if (!taken ||
        ((sent->flags & KP_TRACE_EXPLICIT) && !find(p, end_of(sent, receiver, port, p->rank))))
        return;
    uint64_t begin = since(p, sent->begin), from = since(p, sent->sends);
    uint64_t to =
        taken->kind == KP_TRACE_ROUND ? since(p, taken->passed) : since(p, taken->end) - 1;
    from = from > begin ? from - 1 : begin;
    p->arrows++;
    put_end(p, false, p->processor, from, port, receiver, bytes);
    put_end(p, true, receiver, to > from ? to : from, port, p->processor, bytes);
}

/* --- Calls --- */

/* Prints the bars of a round by mailboxes. The time between its waits is copying. */
static void put_letters(struct printer *p)
{
    uint64_t at = p->round->begin;
    for (uint64_t i = p->first; i < p->at; i++) {
        const struct kp_trace_record *w = record_at(p->row, i);
        /* untaken: the records of a round are its waits, one after another */
        if (w->kind != KP_TRACE_WAIT || w->begin < at || is_of_request(w))
            continue;
        put_bar(p, "copy", at, w->begin);
        put_bar(p, "wait", w->begin, w->end);
        at = w->end;
    }
    put_bar(p, "copy", at, p->round->end);
}

static void put_round(struct printer *p)
{
    const struct kp_trace_record *r = p->round;
    bool failed = r->flags & KP_TRACE_FAILED;
    char name[32];
    snprintf(name, sizeof name, "round %d", (int)r->round);
    begin_bar(p, name, "round", r->begin, r->end);
    fprintf(p->out, ",\"args\":{\"operation\":\"%s\",\"round\":%d%s", p->name, (int)r->round,
            failed ? ",\"failed\":true" : "");
    if (!failed) {
        put_messages(p, "sent", true);
        put_messages(p, "received", false);
    }
    fprintf(p->out, "}}");
    if (r->kind == KP_TRACE_LETTERS) {
        put_letters(p);
    } else {
        put_bar(p, "copy", r->begin, r->waits);
        put_bar(p, "wait", r->waits, r->passed);
        put_bar(p, "copy", r->passed, r->end);
    }
    if (!failed)
        each_message(p, true, put_arrow);
}

static void describe(const struct printer *p, const struct kp_trace_record *r, char *text)
{
    static const char *const names[] = {
        [KP_TRACE_UNASKED] = "call",    [KP_TRACE_UNNAMED] = "call",
        [KP_TRACE_BARRIER] = "barrier", [KP_TRACE_EXCHANGE] = "exchange",
        [KP_TRACE_MEETING] = "route",   [KP_TRACE_LENGTHS] = "lengths compared"};
    const struct kp_trace_subject *subject = subject_of(p, r);
    if (subject)
        subject->describe(subject->data, (int)r->root, text, WORDS);
    else
        snprintf(text, WORDS, "%s", names[r->subject]);
}

/* Prints the bar of the call whose records have the numbers `first` ... `end` - 1. The bar reaches
 * from the earliest time in these records to the latest. Returns false if only records of messages
 * are left, because these have no times. */
static bool put_call(struct printer *p, uint64_t first, uint64_t end)
{
    const struct kp_trace_record *call = record_at(p->row, first);
    char words[WORDS];
    uint64_t from = UINT64_MAX, to = 0;
    for (uint64_t i = first; i < end; i++) {
        const struct kp_trace_record *r = record_at(p->row, i);
        if (r->kind < KP_TRACE_SENT && !is_of_request(r)) {
            from = r->begin < from ? r->begin : from;
            to = r->end > to ? r->end : to;
        }
    }
    if (to == 0) /* untaken: messages are overwritten before their round */
        return false;
    describe(p, call, words);
    snprintf(p->name, sizeof p->name, "%.*s", (int)strcspn(words, ":"), words);
    begin_bar(p, p->name, "call", from, to);
    fprintf(p->out,
            ",\"args\":{\"problem\":\"%s\",\"call\":%" PRIu64 ",\"run\":%" PRIu64 ",\"group\":%u",
            words, call->call & UINT32_MAX, call->call >> 32, (unsigned)call->group);
    if (p->row->worker >= 0)
        fprintf(p->out, ",\"worker\":%d", p->row->worker);
    fprintf(p->out, "%s}}", call->flags & KP_TRACE_FIRST ? "" : ",\"cut\":true");
    return true;
}

static void put_calls(struct printer *p)
{
    for (uint64_t i = kp_trace_first_kept(p->row), end; i < p->row->count; i = end) {
        const struct kp_trace_record *call = record_at(p->row, i), *r = call;
        end = i + 1;
        if (is_of_request(call))
            continue;
        for (; end < p->row->count; end++) {
            r = record_at(p->row, end);
            if (!is_of_request(r) && (r->group != call->group || r->call != call->call))
                break;
        }
        p->group = &p->machine->groups[call->group];
        p->rank = rank_of(p->group, p->processor);
        if (!put_call(p, i, end)) /* untaken: records of messages are never left alone */
            continue;
        for (p->first = p->at = i; p->at < end; p->at++) {
            p->round = r = record_at(p->row, p->at);
            if (is_of_request(r))
                continue;
            if (is_round(r)) {
                put_round(p);
                p->first = p->at + 1;
            } else if (r->kind == KP_TRACE_CLOSE ||
                       /* untaken: no test traces a wait for readers at the end of a call */
                       (r->kind == KP_TRACE_WAIT && r->round < 0)) {
                put_bar(p, "wait", r->begin, r->end); /* this wait belongs to no round */
            }
        }
    }
}

/* --- Requests --- */

/* Prints the beginning of an event of a request's own line, from its start to its end. */
static void begin_step(struct printer *p, char phase, const char *name, uint64_t number,
                       uint64_t at)
{
    begin_event(p, phase, name, "request", p->processor);
    fprintf(p->out, ",\"id\":\"%d.%d.%" PRIu64 "\",\"ts\":" TIME, p->machine->number, p->processor,
            number, US_OF(since(p, at)));
}

static void put_arguments(struct printer *p, const struct kp_trace_record *r)
{
    fprintf(p->out, ",\"args\":{\"request\":%" PRIu64 ",\"bytes\":%" PRIu64, r->call, r->length);
    if (r->with >= 0)
        fprintf(p->out, ",\"with\":%d", processor_of(p->group, r->with));
    if (r->tag >= 0)
        fprintf(p->out, ",\"tag\":%d", (int)r->tag);
    fprintf(p->out, "%s%s%s}}", r->flags & KP_TRACE_FIRST ? ",\"started\":true" : "",
            r->flags & KP_TRACE_LAST ? ",\"ended\":true" : "",
            r->flags & KP_TRACE_FAILED ? ",\"failed\":true" : "");
}

/* Prints the rounds whose records have the numbers `first` ... `end` - 1, as far as they belong to
 * the request of record `end`. */
static void put_rounds_of_request(struct printer *p, uint64_t first, uint64_t end)
{
    const uint64_t number = record_at(p->row, end)->call;
    for (p->first = p->at = first; p->at < end; p->at++) {
        const struct kp_trace_record *r = p->round = record_at(p->row, p->at);
        char name[32];
        if (!is_round(r) || !is_of_request(r))
            continue;
        snprintf(name, sizeof name, "round %d", (int)r->round);
        begin_step(p, 'b', name, number, r->begin);
        fprintf(p->out, ",\"args\":{\"round\":%d", (int)r->round);
        if (!(r->flags & KP_TRACE_FAILED)) {
            put_messages(p, "sent", true);
            put_messages(p, "received", false);
        }
        fprintf(p->out, "}}");
        begin_step(p, 'e', name, number, r->end);
        fprintf(p->out, "}");
        p->first = p->at + 1;
    }
}

/* A request has a line of its own, from its start to its end, and in its processor's line a bar for
 * each time that it went on. */
static void put_requests(struct printer *p)
{
    uint64_t first = kp_trace_first_kept(p->row);
    char name[48];
    for (uint64_t i = first; i < p->row->count; i++) {
        const struct kp_trace_record *r = record_at(p->row, i);
        if (r->kind != KP_TRACE_REQUEST)
            continue;
        p->group = &p->machine->groups[r->group];
        p->rank = rank_of(p->group, p->processor);
        if (r->flags & KP_TRACE_FIRST) {
            begin_step(p, 'b', r->name, r->call, r->begin);
            put_arguments(p, r);
        }
        snprintf(name, sizeof name, "request: %s", r->name);
        begin_bar(p, name, "request", r->begin, r->end);
        put_arguments(p, r);
        put_rounds_of_request(p, first, i);
        first = i + 1;
        if (r->flags & KP_TRACE_LAST) {
            begin_step(p, 'e', r->name, r->call, r->end);
            put_arguments(p, r);
        }
    }
}

static void put_row(struct printer *p, int processor)
{
    p->row = &p->machine->rows[processor];
    p->processor = processor;
    put_calls(p);
    put_requests(p);
}

/* --- Machines --- */

static void put_name(struct printer *p, const char *what, int processor, const char *name)
{
    begin_event(p, 'M', what, "__metadata", processor);
    fprintf(p->out, ",\"ts\":0,\"args\":{\"name\":\"%s\"}}", name);
}

static void put_names(struct printer *p)
{
    const struct kp_trace_machine *m = p->machine;
    bool fibers = m->rows[0].worker >= 0;
    char name[96];
    snprintf(name, sizeof name, "machine: n=%d, k=%d, %s, rounds by %s", m->n, m->k,
             fibers ? "fibers" : "threads", m->mailboxes ? "mailboxes" : "the barrier");
    put_name(p, "process_name", 0, name);
    for (int i = 0; i < m->n; i++) {
        snprintf(name, sizeof name, fibers ? "processor %d (worker %d)" : "processor %d", i,
                 m->rows[i].worker);
        put_name(p, "thread_name", i, name);
        begin_event(p, 'M', "thread_sort_index", "__metadata", i);
        fprintf(p->out, ",\"ts\":0,\"args\":{\"sort_index\":%d}}", i);
    }
}

/* Prints the machine's data that no event has. */
static void put_facts(FILE *out, const struct kp_trace_machine *m)
{
    fprintf(out,
            "\n{\"pid\":%d,\"n\":%d,\"k\":%d,\"records\":%" PRIu64 ",\"dropped\":%" PRIu64
            ",\"groups\":[\"world\"",
            m->number, m->n, m->k, m->rows[0].mask + 1, kp_trace_overwritten(m));
    for (size_t i = 1; i < m->group_count; i++) {
        const struct kp_trace_group *group = &m->groups[i];
        for (int rank = 0; rank < group->size; rank++)
            fprintf(out, "%s%d", rank > 0 ? "," : ",[", group->processors[rank]);
        fprintf(out, "]");
    }
    fprintf(out, "]}");
}

bool kp_trace_print(const kp_trace *trace, FILE *out)
{
    struct printer p = {.out = out, .trace = trace, .now = kp_tick_mark(trace->counter)};
    bool room = true;
    /* seldom taken: depends on the system's clock */
    fprintf(out,
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kport\":\"%s\",\"clock\":\"%s\","
            "\"dropped\":%" PRIu64 ",\"machines\":[",
            kp_version(), trace->counter ? "time stamp counter" : "CLOCK_MONOTONIC",
            kp_trace_lost(trace));
    for (const struct kp_trace_machine *m = trace->machines; m; m = m->next) {
        fprintf(out, "%s", m == trace->machines ? "" : ",");
        put_facts(out, m);
    }
    fprintf(out, "]},\n\"traceEvents\":[");
    /* untaken: only suite stress refuses memory to the first of several machines */
    for (p.machine = trace->machines; p.machine && room; p.machine = p.machine->next) {
        room = sort_ends(&p);
        if (room)
            put_names(&p);
        for (int i = 0; i < p.machine->n && room; i++)
            put_row(&p, i);
        free(p.ends);
    }
    fprintf(out, "\n]}\n");
    return room;
}
