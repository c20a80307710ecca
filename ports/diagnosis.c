/* A diagnosis as text and as JSON. */
#include "kport/diagnosis.h"

#include "ports/error.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#define NAMED_AT_MOST  8  /* in text */
#define LISTED_AT_MOST 64 /* in JSON */

#define KIND_WORD(name, word) [name] = (word),
static const char *const kinds[] = {KP_DIAGNOSIS_KINDS(KIND_WORD)};
static const char *const activities[] = {KP_ACTIVITIES(KIND_WORD)};
#undef KIND_WORD

const char *kp_diagnosis_kind_name(kp_diagnosis_kind kind)
{
    return (size_t)kind < sizeof kinds / sizeof kinds[0] ? kinds[kind] : "unknown";
}

const char *kp_activity_name(kp_activity activity)
{
    return (size_t)activity < sizeof activities / sizeof activities[0] ? activities[activity]
                                                                       : "unknown";
}

/* --- Where it goes: a buffer that may be too small, or a file --- */

struct sink {
    char *text;
    size_t size, length;
    FILE *file;
};

static void put(struct sink *sink, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct sink *sink, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (sink->file) {
        vfprintf(sink->file, format, arguments);
    } else {
        size_t left = sink->length < sink->size ? sink->size - sink->length : 0;
        int length = vsnprintf(left ? sink->text + sink->length : NULL, left, format, arguments);
        sink->length += length > 0 ? (size_t)length : 0;
    }
    va_end(arguments);
}

/* --- Text --- */

static void put_numbers(struct sink *sink, const int *numbers, int count)
{
    for (int i = 0; i < count && i < NAMED_AT_MOST; i++)
        put(sink, "%s%d", i > 0 ? ", " : "", numbers[i]);
    if (count > NAMED_AT_MOST)
        put(sink, " and %d more", count - NAMED_AT_MOST);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_numbers(const int *a, int a_count, const int *b, int b_count)
{
    return a_count == b_count &&
           (a == b || (a && b && memcmp(a, b, (size_t)a_count * sizeof *a) == 0));
}

/* But for how long they have waited. */
static bool does_the_same(const kp_processor_report *a, const kp_processor_report *b)
{
    return a->activity == b->activity && a->line == b->line && a->round == b->round &&
           a->port == b->port && (a->waited_ms < 0) == (b->waited_ms < 0) &&
           same_text(a->call, b->call) && same_text(a->file, b->file) &&
           same_text(a->end, b->end) &&
           same_numbers(a->group, a->group_size, b->group, b->group_size) &&
           same_numbers(a->waits_for, a->waits_for_count, b->waits_for, b->waits_for_count);
}

static void put_call(struct sink *sink, const kp_processor_report *r)
{
    put(sink, "in %s", r->call ? r->call : "a call");
    if (r->round >= 0)
        put(sink, ", round %d", r->round);
    if (r->port >= 0)
        put(sink, ", port %d", r->port);
    if (r->group) {
        put(sink, ", in the group of ");
        put_numbers(sink, r->group, r->group_size);
    }
    if (r->file)
        put(sink, " (%s:%d)", r->file, r->line);
}

static void put_waiting(struct sink *sink, const kp_processor_report *first,
                        const kp_processor_report *last)
{
    int64_t least = first->waited_ms, most = first->waited_ms;
    for (const kp_processor_report *r = first; r <= last; r++) {
        least = r->waited_ms < least ? r->waited_ms : least;
        most = r->waited_ms > most ? r->waited_ms : most;
    }
    put(sink, "%s for ", first == last ? "waits" : "wait");
    put_numbers(sink, first->waits_for, first->waits_for_count);
    put(sink, " ");
    put_call(sink, first);
    if (least >= 0 && least == most)
        put(sink, ", %" PRId64 " ms", most);
    else if (least >= 0)
        put(sink, ", %" PRId64 " ... %" PRId64 " ms", least, most);
}

/* Neighbours that do the same, up to `last`. */
static void put_line(struct sink *sink, const kp_processor_report *first,
                     const kp_processor_report *last)
{
    if (first == last)
        put(sink, "  processor %d: ", first->processor);
    else
        put(sink, "  processors %d ... %d: ", first->processor, last->processor);
    static const char *const others[] = {[KP_ACTIVITY_EMPTY] = "nobody has attached",
                                         [KP_ACTIVITY_OUTSIDE] = "outside of a call",
                                         [KP_ACTIVITY_INSIDE] = ", not waiting",
                                         [KP_ACTIVITY_ENDED] = "ended"};
    if (first->activity == KP_ACTIVITY_INSIDE)
        put_call(sink, first);
    if (first->activity == KP_ACTIVITY_WAITING)
        put_waiting(sink, first, last);
    else
        put(sink, "%s", others[first->activity]);
    if (first->end)
        put(sink, ": %s", first->end);
    put(sink, "\n");
}

/* How their calls are carried out: once, where neighbours do it in the same way. */
static void put_ways(struct sink *sink, const kp_diagnosis *d)
{
    const char *last = NULL;
    for (int i = 0; i < d->count; i++) {
        const char *way = d->processors[i].way;
        if (way && !same_text(way, last))
            put(sink, "%s%s", last ? " | " : "  carried out by: ", way);
        last = way ? way : last;
    }
    if (last)
        put(sink, "\n");
}

static void write_text(struct sink *sink, const kp_diagnosis *d)
{
    const char *kind = kp_diagnosis_kind_name(d->kind);
    bool said = strncmp(d->error.sentence, kind, strlen(kind)) == 0;
    put(sink, "%s%s%s\n", said ? "" : kind, said ? "" : ": ", d->error.sentence);
    if (d->error.status)
        put(sink, "  (%s)\n", kp_strerror(d->error.status));
    int last;
    for (int first = 0; first < d->count; first = last + 1) {
        last = first;
        while (last + 1 < d->count &&
               does_the_same(&d->processors[first], &d->processors[last + 1]))
            last++;
        put_line(sink, &d->processors[first], &d->processors[last]);
    }
    put_ways(sink, d);
    if (d->count == 0)
        put(sink, "  (no memory to list the processors)\n");
}

/* --- JSON --- */

/* Bytes of the UTF-8 sequence that begins there; 0: none does. */
static int sequence_length(const unsigned char *at)
{
    static const struct {
        unsigned char low, high, second_low, second_high;
        int length;
    } leads[] = {
        {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3}, {0xe1, 0xec, 0x80, 0xbf, 3},
        {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3}, {0xf0, 0xf0, 0x90, 0xbf, 4},
        {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };
    for (size_t i = 0; i < sizeof leads / sizeof leads[0]; i++) {
        if (at[0] < leads[i].low || at[0] > leads[i].high)
            continue;
        if (at[1] < leads[i].second_low || at[1] > leads[i].second_high)
            return 0;
        for (int j = 2; j < leads[i].length; j++) {
            if (at[j] < 0x80 || at[j] > 0xbf)
                return 0;
        }
        return leads[i].length;
    }
    return 0;
}

/* What is no UTF-8 (the name of a file, a sentence that was cut) becomes U+FFFD. */
static void put_string(struct sink *sink, const char *string)
{
    if (!string) {
        put(sink, "null");
        return;
    }
    put(sink, "\"");
    for (const unsigned char *at = (const unsigned char *)string; *at;) {
        int length = *at < 0x80 ? 1 : sequence_length(at);
        if (length == 0)
            put(sink, "\\ufffd");
        else if (*at < 0x20 || *at == 0x7f)
            put(sink, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            put(sink, "\\%c", *at);
        else
            put(sink, "%.*s", length, (const char *)at);
        at += length > 0 ? length : 1;
    }
    put(sink, "\"");
}

static void put_key(struct sink *sink, const char *key)
{
    put(sink, ",\"%s\":", key);
}

static void put_known(struct sink *sink, const char *key, int64_t number)
{
    put_key(sink, key);
    if (number < 0)
        put(sink, "null");
    else
        put(sink, "%" PRId64, number);
}

static void put_list(struct sink *sink, const char *key, const int *numbers, int count)
{
    put_key(sink, key);
    put(sink, "[");
    for (int i = 0; i < count; i++)
        put(sink, "%s%d", i > 0 ? "," : "", numbers[i]);
    put(sink, "]");
}

static void put_processor(struct sink *sink, const kp_processor_report *r)
{
    char operation[64];
    int awaited = r->waits_for_count < LISTED_AT_MOST ? r->waits_for_count : LISTED_AT_MOST;
    put(sink, "{\"processor\":%d,\"activity\":\"%s\"", r->processor, kp_activity_name(r->activity));
    put_key(sink, "operation");
    snprintf(operation, sizeof operation, "%.*s", r->call ? (int)strcspn(r->call, ":") : 0,
             r->call ? r->call : "");
    put_string(sink, r->call ? operation : NULL);
    put_key(sink, "call");
    put_string(sink, r->call);
    put_key(sink, "file");
    put_string(sink, r->file);
    put_known(sink, "line", r->line);
    put_known(sink, "round", r->round);
    put_known(sink, "port", r->port);
    if (r->group)
        put_list(sink, "group", r->group, r->group_size);
    else
        put(sink, ",\"group\":%s", r->group_size > 0 ? "\"world\"" : "null");
    put_list(sink, "waits_for", r->waits_for, awaited);
    put_known(sink, "waits_for_count", r->waits_for_count);
    put_known(sink, "waited_ms", r->waited_ms);
    put_key(sink, "end");
    put_string(sink, r->end);
    put_key(sink, "way");
    put_string(sink, r->way);
    put(sink, "}");
}

static void write_json(struct sink *sink, const kp_diagnosis *d)
{
    put(sink, "{\"kind\":\"%s\",\"status\":%d", kp_diagnosis_kind_name(d->kind), d->error.status);
    put_key(sink, "sentence");
    put_string(sink, d->error.sentence);
    put_list(sink, "concerned", d->concerned, d->concerned_count);
    put_key(sink, "processors");
    put(sink, "[");
    for (int i = 0; i < d->count; i++) {
        put(sink, "%s", i > 0 ? "," : "");
        put_processor(sink, &d->processors[i]);
    }
    put(sink, "]}");
}

/* --- The calls --- */

static size_t into_buffer(void (*write)(struct sink *, const kp_diagnosis *), const kp_diagnosis *d,
                          char *text, size_t size)
{
    struct sink sink = {.text = text, .size = size};
    write(&sink, d);
    return sink.length;
}

/* Whether there is a place to write to, and something to be written. */
static bool given(const kp_diagnosis *diagnosis, bool place, const char *where)
{
    if (diagnosis && place)
        return true;
    kp_set_error(KP_EARGUMENT, "%s is NULL; it may be %s", diagnosis ? where : "diagnosis",
                 diagnosis ? "where it is written" : "what a machine told");
    return false;
}

size_t kp_diagnosis_text(const kp_diagnosis *diagnosis, char *text, size_t size)
{
    if (!given(diagnosis, text || size == 0, "text"))
        return 0;
    return into_buffer(write_text, diagnosis, text, size);
}

size_t kp_diagnosis_json(const kp_diagnosis *diagnosis, char *text, size_t size)
{
    if (!given(diagnosis, text || size == 0, "text"))
        return 0;
    return into_buffer(write_json, diagnosis, text, size);
}

void kp_diagnosis_print(const kp_diagnosis *diagnosis, void *file)
{
    if (!given(diagnosis, file, "file"))
        return;
    write_text(&(struct sink){.file = file}, diagnosis);
}

void kp_diagnosis_print_json(const kp_diagnosis *diagnosis, void *file)
{
    if (!given(diagnosis, file, "file"))
        return;
    write_json(&(struct sink){.file = file}, diagnosis);
    fputc('\n', file);
}
