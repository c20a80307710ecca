/* A trace as a file of the Trace Event Format: https://docs.google.com/document/d/
 * 1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU, the form "JSON Object Format".
 *
 * Row by row, from the records straight into the stream. Only arrows need another row: for these
 * the records that stand for rounds and for messages taken are sorted, a pointer each. */
#include "ports/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 320 /* a problem string with its operator's name */

/* A row's records of rounds that happened and messages that were taken, in the order of `compare`.
 */
struct sorted {
    const struct kp_trace_record **records;
    size_t count;
};

struct printer {
    FILE *out;
    const kp_trace *trace;
    const struct kp_trace_machine *machine;
    struct sorted *sorted; /* by processor */
    uint64_t events, arrows;
    struct kp_tick_mark now;
};

/* One processor's part of a call: neighbouring records. */
struct call {
    struct printer *printer;
    const struct kp_trace_row *row;
    const struct kp_trace_group *group;
    int processor, rank;
    uint64_t begin, end; /* of its records, counted as the row counts them */
    char name[32];
};

static const struct kp_trace_record *record_at(const struct kp_trace_row *row, uint64_t i)
{
    return &row->records[i & row->mask];
}

static uint64_t first_kept(const struct kp_trace_row *row)
{
    return row->count > row->mask ? row->count - row->mask - 1 : 0;
}

static bool is_round(const struct kp_trace_record *r)
{
    return r->kind == KP_TRACE_ROUND || r->kind == KP_TRACE_LETTERS;
}

static bool has_messages(const struct kp_trace_record *r)
{
    return is_round(r) && !(r->flags & KP_TRACE_FAILED);
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

/* --- Finding the other end of an arrow --- */

#define DIFFER(a, b)                                                                               \
    if ((a) != (b))                                                                                \
    return (a) < (b) ? -1 : 1

static int compare(const struct kp_trace_record *a, const struct kp_trace_record *b)
{
    bool taken = a->kind == KP_TRACE_TAKEN;
    DIFFER(a->group, b->group);
    DIFFER(a->call, b->call);
    DIFFER(a->round, b->round);
    DIFFER(taken, b->kind == KP_TRACE_TAKEN);
    if (!taken)
        return 0;
    DIFFER(a->message.peer, b->message.peer);
    DIFFER(a->message.port, b->message.port);
    return 0;
}

static int compare_places(const void *a, const void *b)
{
    return compare(*(const struct kp_trace_record *const *)a,
                   *(const struct kp_trace_record *const *)b);
}

static const struct kp_trace_record *find(const struct sorted *sorted,
                                          const struct kp_trace_record *like)
{
    const struct kp_trace_record **found = sorted->count == 0
                                               ? NULL
                                               : bsearch(&like, sorted->records, sorted->count,
                                                         sizeof *sorted->records, compare_places);
    return found ? *found : NULL;
}

static bool sort_row(const struct kp_trace_row *row, struct sorted *sorted)
{
    uint64_t first = first_kept(row);
    size_t kept = (size_t)(row->count - first);
    sorted->records = malloc((kept ? kept : 1) * sizeof *sorted->records);
    if (!sorted->records)
        return false;
    for (uint64_t i = first; i < row->count; i++) {
        const struct kp_trace_record *r = record_at(row, i);
        if (has_messages(r) || r->kind == KP_TRACE_TAKEN)
            sorted->records[sorted->count++] = r;
    }
    qsort(sorted->records, sorted->count, sizeof *sorted->records, compare_places);
    return true;
}

/* --- Events --- */

static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(out, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*c);
        else
            fputc(*c, out);
    }
    fputc('"', out);
}

/* Up to where its arguments may follow. */
static void begin_event(struct printer *p, const char *name, const char *category, char phase,
                        int processor)
{
    fprintf(p->out, "%s{\"name\":", p->events++ > 0 ? ",\n" : "\n");
    put_text(p->out, name);
    fprintf(p->out, ",\"cat\":\"%s\",\"ph\":\"%c\",\"pid\":%d,\"tid\":%d", category, phase,
            p->machine->number, processor);
}

/* Nanoseconds since the trace was made. */
static uint64_t since(const struct printer *p, uint64_t ticks)
{
    return kp_since(p->trace->start, p->now, p->trace->counter, ticks);
}

/* Nanoseconds as microseconds. */
static void put_time(const struct printer *p, const char *key, uint64_t ns)
{
    fprintf(p->out, ",\"%s\":%" PRIu64 ".%03u", key, ns / 1000, (unsigned)(ns % 1000));
}

static void begin_bar(struct printer *p, const char *name, const char *category, int processor,
                      uint64_t begin, uint64_t end)
{
    begin_event(p, name, category, 'X', processor);
    uint64_t from = since(p, begin), to = since(p, end);
    put_time(p, "ts", from);
    put_time(p, "dur", to > from ? to - from : 0);
}

static void put_bar(const struct call *call, const char *name, uint64_t begin, uint64_t end)
{
    if (since(call->printer, end) <= since(call->printer, begin))
        return;
    begin_bar(call->printer, name, name, call->processor, begin, end);
    fprintf(call->printer->out, "}");
}

/* --- Messages --- */

/* Where a round's messages are: in its schedule, or in the records from `first` to the round's. */
struct round {
    const struct call *call;
    const struct kp_trace_record *record;
    uint64_t first, at;
    uint64_t messages, bytes; /* so far */
    const char *peer;         /* "to" or "from" */
};

static void each_message(const struct round *round, bool out, kp_trace_each *each, void *context)
{
    const struct kp_trace_record *r = round->record;
    const kp_trace *trace = round->call->printer->trace;
    enum kp_trace_kind kind = out ? KP_TRACE_SENT : KP_TRACE_TAKEN;
    if (r->flags & KP_TRACE_EXPLICIT) {
        for (uint64_t i = round->first; i < round->at; i++) {
            const struct kp_trace_record *m = record_at(round->call->row, i);
            if (m->kind == (unsigned)kind)
                each(context, m->message.port, m->message.peer, m->message.bytes);
        }
    } else if (r->subject >= KP_TRACE_SUBJECTS) {
        const struct kp_trace_subject *subject = &trace->subjects[r->subject - KP_TRACE_SUBJECTS];
        subject->messages(subject->data, (int)r->root, round->call->rank, r->round, out, each,
                          context);
    }
}

static void put_message(void *context, int port, int peer, uint64_t bytes)
{
    struct round *round = context;
    fprintf(round->call->printer->out, "%s{\"port\":%d,\"%s\":%d,\"bytes\":%" PRIu64 "}",
            round->messages++ > 0 ? "," : "", port, round->peer,
            processor_of(round->call->group, peer), bytes);
    round->bytes += bytes;
}

static void put_messages(struct round *round, const char *key, const char *peer)
{
    FILE *out = round->call->printer->out;
    bool sent = strcmp(peer, "to") == 0;
    round->messages = round->bytes = 0;
    round->peer = peer;
    fprintf(out, ",\"%s\":[", key);
    each_message(round, sent, put_message, round);
    fprintf(out, "],\"bytes_%s\":%" PRIu64, key, round->bytes);
}

/* From within the bar of copying that ends when the message can be had, to the bar of copying that
 * begins when it is there: by the barrier. By mailboxes it is known when the round was over. */
static void put_arrow(void *context, int port, int peer, uint64_t bytes)
{
    const struct round *round = context;
    const struct call *call = round->call;
    struct printer *p = call->printer;
    const struct kp_trace_record *sent = round->record, *taken;
    int receiver = processor_of(call->group, peer);
    struct kp_trace_record like = {
        .kind = KP_TRACE_ROUND, .group = sent->group, .call = sent->call, .round = sent->round};
    struct kp_trace_record message = like;
    message.kind = KP_TRACE_TAKEN;
    message.message.peer = call->rank;
    message.message.port = port;
    taken = find(&p->sorted[receiver], &like);
    if (!taken || ((sent->flags & KP_TRACE_EXPLICIT) && !find(&p->sorted[receiver], &message)))
        return;
    uint64_t begin = since(p, sent->begin), from = since(p, sent->sends);
    uint64_t to =
        taken->kind == KP_TRACE_ROUND ? since(p, taken->passed) : since(p, taken->end) - 1;
    from = from > begin ? from - 1 : begin;
    uint64_t id = ++p->arrows;
    begin_event(p, "message", "message", 's', call->processor);
    put_time(p, "ts", from);
    fprintf(p->out,
            ",\"id\":%" PRIu64 ",\"args\":{\"call\":%" PRIu64 ",\"round\":%d,\"port\":%d,"
            "\"to\":%d,\"bytes\":%" PRIu64 "}}",
            id, sent->call & UINT32_MAX, (int)sent->round, port, receiver, bytes);
    begin_event(p, "message", "message", 'f', receiver);
    put_time(p, "ts", to > from ? to : from);
    fprintf(p->out,
            ",\"id\":%" PRIu64 ",\"bp\":\"e\",\"args\":{\"call\":%" PRIu64 ",\"round\":%d,"
            "\"port\":%d,\"from\":%d,\"bytes\":%" PRIu64 "}}",
            id, sent->call & UINT32_MAX, (int)sent->round, port, call->processor, bytes);
}

/* --- Bars --- */

/* By mailboxes: copying is what is left between the waits. */
static void put_letters(const struct round *round)
{
    const struct kp_trace_record *r = round->record;
    uint64_t at = r->begin;
    for (uint64_t i = round->first; i < round->at; i++) {
        const struct kp_trace_record *w = record_at(round->call->row, i);
        if (w->kind != KP_TRACE_WAIT || w->wait.begin < at)
            continue;
        put_bar(round->call, "copy", at, w->wait.begin);
        put_bar(round->call, "wait", w->wait.begin, w->wait.end);
        at = w->wait.end;
    }
    put_bar(round->call, "copy", at, r->end);
}

static void put_round(const struct call *call, uint64_t first, uint64_t at)
{
    const struct kp_trace_record *r = record_at(call->row, at);
    struct round round = {.call = call, .record = r, .first = first, .at = at};
    FILE *out = call->printer->out;
    char name[32];
    snprintf(name, sizeof name, "round %d", (int)r->round);
    begin_bar(call->printer, name, "round", call->processor, r->begin, r->end);
    fprintf(out, ",\"args\":{\"operation\":");
    put_text(out, call->name);
    fprintf(out, ",\"round\":%d", (int)r->round);
    if (r->flags & KP_TRACE_FAILED) {
        fprintf(out, ",\"failed\":true");
    } else {
        put_messages(&round, "sent", "to");
        put_messages(&round, "received", "from");
    }
    fprintf(out, "}}");
    if (r->kind == KP_TRACE_LETTERS) {
        put_letters(&round);
    } else {
        put_bar(call, "copy", r->begin, r->waits);
        put_bar(call, "wait", r->waits, r->passed);
        put_bar(call, "copy", r->passed, r->end);
    }
    if (!(r->flags & KP_TRACE_FAILED))
        each_message(&round, true, put_arrow, &round);
}

/* What lies between its rounds and behind them: passes, and waits that belong to no round. */
static void put_rest(const struct call *call, const struct kp_trace_record *r)
{
    if (r->kind == KP_TRACE_CLOSE)
        put_bar(call, "wait", r->begin, r->end);
    else if (r->kind == KP_TRACE_WAIT && r->round < 0)
        put_bar(call, "wait", r->wait.begin, r->wait.end);
}

/* --- Calls --- */

static void describe(const kp_trace *trace, const struct kp_trace_record *r, char *text,
                     size_t size)
{
    static const char *const words[] = {
#define WORD(name, word) [name] = (word),
        KP_TRACE_NAMES(WORD)
#undef WORD
    };
    if (r->subject < KP_TRACE_SUBJECTS) {
        snprintf(text, size, "%s", words[r->subject]);
        return;
    }
    const struct kp_trace_subject *subject = &trace->subjects[r->subject - KP_TRACE_SUBJECTS];
    subject->describe(subject->data, (int)r->root, text, size);
}

/* From its first record's beginning to its last one's end; false if no record of it tells. */
static bool span_of(const struct call *call, uint64_t *begin, uint64_t *end)
{
    *begin = UINT64_MAX;
    *end = 0;
    for (uint64_t i = call->begin; i < call->end; i++) {
        const struct kp_trace_record *r = record_at(call->row, i);
        bool wait = r->kind == KP_TRACE_WAIT;
        if (r->kind == KP_TRACE_SENT || r->kind == KP_TRACE_TAKEN)
            continue;
        uint64_t b = wait ? r->wait.begin : r->begin, e = wait ? r->wait.end : r->end;
        *begin = b < *begin ? b : *begin;
        *end = e > *end ? e : *end;
    }
    return *end > 0;
}

static void put_call(struct call *call)
{
    struct printer *p = call->printer;
    const struct kp_trace_record *first = record_at(call->row, call->begin);
    char words[WORDS];
    uint64_t begin, end, from = call->begin;
    if (!span_of(call, &begin, &end))
        return;
    describe(p->trace, first, words, sizeof words);
    snprintf(call->name, sizeof call->name, "%.*s", (int)strcspn(words, ":"), words);
    begin_bar(p, call->name, "call", call->processor, begin, end);
    fprintf(p->out, ",\"args\":{\"problem\":");
    put_text(p->out, words);
    fprintf(p->out, ",\"call\":%" PRIu64 ",\"run\":%" PRIu64 ",\"group\":%u",
            first->call & UINT32_MAX, first->call >> 32, (unsigned)first->group);
    if (call->row->worker >= 0)
        fprintf(p->out, ",\"worker\":%d", call->row->worker);
    if (!(first->flags & KP_TRACE_FIRST))
        fprintf(p->out, ",\"cut\":true");
    fprintf(p->out, "}}");
    for (uint64_t i = call->begin; i < call->end; i++) {
        const struct kp_trace_record *r = record_at(call->row, i);
        if (is_round(r)) {
            put_round(call, from, i);
            from = i + 1;
        } else {
            put_rest(call, r);
        }
    }
}

static void put_row(struct printer *p, int processor)
{
    const struct kp_trace_row *row = &p->machine->rows[processor];
    for (uint64_t i = first_kept(row), end; i < row->count; i = end) {
        const struct kp_trace_record *r = record_at(row, i);
        for (end = i + 1; end < row->count; end++) {
            const struct kp_trace_record *next = record_at(row, end);
            if (next->group != r->group || next->call != r->call)
                break;
        }
        const struct kp_trace_group *group = &p->machine->groups[r->group];
        struct call call = {.printer = p,
                            .row = row,
                            .group = group,
                            .processor = processor,
                            .rank = rank_of(group, processor),
                            .begin = i,
                            .end = end};
        put_call(&call);
    }
}

/* --- Machines --- */

static void put_name(struct printer *p, const char *what, int processor, const char *name)
{
    begin_event(p, what, "__metadata", 'M', processor);
    fprintf(p->out, ",\"ts\":0,\"args\":{\"name\":");
    put_text(p->out, name);
    fprintf(p->out, "}}");
}

static void put_names(struct printer *p)
{
    const struct kp_trace_machine *m = p->machine;
    char name[96];
    snprintf(name, sizeof name, "machine: n=%d, k=%d, %s, rounds by %s", m->n, m->k,
             m->fibers ? "fibers" : "threads", m->mailboxes ? "mailboxes" : "the barrier");
    put_name(p, "process_name", 0, name);
    for (int i = 0; i < m->n; i++) {
        int length = snprintf(name, sizeof name, "processor %d", i);
        if (m->fibers)
            snprintf(name + length, sizeof name - (size_t)length, " (worker %d)",
                     m->rows[i].worker);
        put_name(p, "thread_name", i, name);
        begin_event(p, "thread_sort_index", "__metadata", 'M', i);
        fprintf(p->out, ",\"ts\":0,\"args\":{\"sort_index\":%d}}", i);
    }
}

static bool put_machine(struct printer *p)
{
    const struct kp_trace_machine *m = p->machine;
    bool room = (p->sorted = calloc((size_t)m->n, sizeof *p->sorted)) != NULL;
    for (int i = 0; i < m->n && room; i++)
        room = sort_row(&m->rows[i], &p->sorted[i]);
    if (room)
        put_names(p);
    for (int i = 0; i < m->n && room; i++)
        put_row(p, i);
    for (int i = 0; i < m->n && p->sorted; i++)
        free(p->sorted[i].records);
    free(p->sorted);
    return room;
}

/* What the events do not say. */
static void put_facts(FILE *out, const struct kp_trace_machine *m)
{
    uint64_t dropped = 0;
    for (int i = 0; i < m->n; i++)
        dropped += first_kept(&m->rows[i]);
    fprintf(out,
            "\n{\"pid\":%d,\"n\":%d,\"k\":%d,\"records\":%" PRIu64 ",\"dropped\":%" PRIu64
            ",\"groups\":[",
            m->number, m->n, m->k, m->rows[0].mask + 1, dropped);
    for (size_t i = 0; i < m->group_count; i++) {
        const struct kp_trace_group *group = &m->groups[i];
        fprintf(out, "%s%s", i > 0 ? "," : "", group->processors ? "[" : "\"world\"");
        for (int rank = 0; group->processors && rank < group->size; rank++)
            fprintf(out, "%s%d", rank > 0 ? "," : "", group->processors[rank]);
        fprintf(out, "%s", group->processors ? "]" : "");
    }
    fprintf(out, "]}");
}

bool kp_trace_print(const kp_trace *trace, FILE *out)
{
    struct printer p = {.out = out, .trace = trace, .now = kp_tick_mark(trace->counter)};
    uint64_t dropped = trace->dropped;
    for (const struct kp_trace_machine *m = trace->machines; m; m = m->next) {
        for (int i = 0; i < m->n; i++)
            dropped += first_kept(&m->rows[i]);
    }
    fprintf(out,
            "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"kport\":\"%s\",\"clock\":\"%s\","
            "\"dropped\":%" PRIu64 ",\"machines\":[",
            kp_version(), trace->counter ? "time stamp counter" : "CLOCK_MONOTONIC", dropped);
    for (const struct kp_trace_machine *m = trace->machines; m; m = m->next) {
        if (m != trace->machines)
            fputc(',', out);
        put_facts(out, m);
    }
    fprintf(out, "]},\n\"traceEvents\":[");
    bool room = true;
    for (p.machine = trace->machines; p.machine && room; p.machine = p.machine->next)
        room = put_machine(&p);
    fprintf(out, "\n]}\n");
    return room;
}
