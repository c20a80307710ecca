/* Writes a diagnosis as text and as JSON. A diagnosis describes what every processor does at a
 * failure (include/kport/diagnosis.h). */
#include "kport/diagnosis.h"

#include "ports/error.h"
#include "ports/shared.h"

#include <inttypes.h>
#include <string.h>

#define NAMED_AT_MOST  8  /* the most processor numbers in a list of the text */
#define LISTED_AT_MOST 64 /* the most processor numbers in a list of the JSON */

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

/* --- Text --- */

static void put_numbers(struct kp_words *out, const int *numbers, int count)
{
    for (int i = 0; i < count && i < NAMED_AT_MOST; i++)
        kp_say(out, "%s%d", i > 0 ? ", " : "", numbers[i]);
    if (count > NAMED_AT_MOST)
        kp_say(out, " and %d more", count - NAMED_AT_MOST);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0); /* seldom taken: one report lacks the text */
}

static bool same_numbers(const int *a, int a_count, const int *b, int b_count)
{
    /* seldom taken: one report lacks the numbers */
    return a_count == b_count &&
           (a == b || (a && b && memcmp(a, b, (size_t)a_count * sizeof *a) == 0));
}

/* Returns whether one line can describe two processors. How long they have waited may differ. */
static bool does_the_same(const kp_processor_report *a, const kp_processor_report *b)
{
    /* seldom taken: only if reports differ in one of these alone */
    return a->activity == b->activity && a->line == b->line && a->round == b->round &&
           a->port == b->port && (a->waited_ms < 0) == (b->waited_ms < 0) &&
           same_text(a->call, b->call) && same_text(a->file, b->file) &&
           same_text(a->end, b->end) &&
           same_numbers(a->group, a->group_size, b->group, b->group_size) &&
           same_numbers(a->waits_for, a->waits_for_count, b->waits_for, b->waits_for_count);
}

/* Returns whether the words of the call name its place, as those of a request do. They then also
 * have the round if there are several. */
static bool names_place(const kp_processor_report *r)
{
    char place[KP_SITE_WORDS];
    kp_site_name((struct kp_site){r->file, r->line}, place);
    return r->call && r->file && strstr(r->call, place);
}

static void put_call(struct kp_words *out, const kp_processor_report *r)
{
    const bool placed = names_place(r);
    kp_say(out, "in %s", r->call ? r->call : "a call");
    if (r->round >= 0 && !placed)
        kp_say(out, ", round %d", r->round);
    if (r->port >= 0)
        kp_say(out, ", port %d", r->port);
    if (r->group) {
        kp_say(out, ", in the group of ");
        put_numbers(out, r->group, r->group_size);
    }
    if (r->file && !placed)
        kp_say(out, " (%s:%d)", r->file, r->line);
}

static void put_waiting(struct kp_words *out, const kp_processor_report *first,
                        const kp_processor_report *last)
{
    int64_t least = first->waited_ms, most = first->waited_ms;
    for (const kp_processor_report *r = first; r <= last; r++) {
        least = r->waited_ms < least ? r->waited_ms : least;
        most = r->waited_ms > most ? r->waited_ms : most;
    }
    kp_say(out, "%s for ", first == last ? "waits" : "wait");
    put_numbers(out, first->waits_for, first->waits_for_count);
    kp_say(out, " ");
    put_call(out, first);
    if (least >= 0 && least == most)
        kp_say(out, ", %" PRId64 " ms", most);
    else if (least >= 0)
        kp_say(out, ", %" PRId64 " ... %" PRId64 " ms", least, most);
}

/* Writes one line for the processors `first` ... `last`, which do the same. What the diagnosis says
 * in its first line is not said again. */
static void put_line(struct kp_words *out, const kp_processor_report *first,
                     const kp_processor_report *last, const char *said)
{
    if (first == last)
        kp_say(out, "  processor %d: ", first->processor);
    else
        kp_say(out, "  processors %d ... %d: ", first->processor, last->processor);
    static const char *const others[] = {[KP_ACTIVITY_EMPTY] = "nobody has attached",
                                         [KP_ACTIVITY_OUTSIDE] = "outside of a call",
                                         [KP_ACTIVITY_INSIDE] = ", not waiting at this moment",
                                         [KP_ACTIVITY_ENDED] = "ended",
                                         [KP_ACTIVITY_ELSEWHERE] = "in another process, which has "
                                                                   "not said what it does"};
    if (first->activity == KP_ACTIVITY_INSIDE)
        put_call(out, first);
    if (first->activity == KP_ACTIVITY_INSIDE && first->waits_for_count > 0)
        kp_say(out, ", for processor %d", first->waits_for[0]);
    if (first->activity == KP_ACTIVITY_WAITING)
        put_waiting(out, first, last);
    else
        kp_say(out, "%s", others[first->activity]);
    if (first->activity == KP_ACTIVITY_OUTSIDE && first->file)
        kp_say(out, ", after its last call (%s:%d)", first->file, first->line);
    if (first->end && strcmp(first->end, said) != 0)
        kp_say(out, ": %s", first->end);
    kp_say(out, "\n");
}

/* Writes in words how the processors carry out their calls. Omits words that repeat the last
 * ones. */
static void put_ways(struct kp_words *out, const kp_diagnosis *d)
{
    const char *last = NULL;
    for (int i = 0; i < d->count; i++) {
        const char *way = d->processors[i].way;
        if (way && !same_text(way, last))
            kp_say(out, "%s%s", last ? " | " : "  carried out by: ", way);
        last = way ? way : last;
    }
    if (last)
        kp_say(out, "\n");
}

static void write_text(struct kp_words *out, const kp_diagnosis *d)
{
    const char *kind = kp_diagnosis_kind_name(d->kind);
    const char *sentence = d->error.sentence;
    bool said = strncmp(sentence, kind, strlen(kind)) == 0;
    /* What the sentence of a deadlock says of each call, the lines below say too. */
    const char *calls =
        d->kind == KP_DIAGNOSIS_DEADLOCK && d->count > 0 ? strstr(sentence, "; processor ") : NULL;
    int length = (int)(calls ? (size_t)(calls - sentence) : strlen(sentence));
    kp_say(out, "%s%s%.*s\n", said ? "" : kind, said ? "" : ": ", length, sentence);
    /* A program may return any number, which need not be meant as a status. */
    const bool returned = strstr(sentence, "'s program returned ") != NULL;
    if (d->error.status && !said && !returned)
        kp_say(out, "  (%s)\n", kp_strerror(d->error.status));
    int last;
    for (int first = 0; first < d->count; first = last + 1) {
        last = first;
        while (last + 1 < d->count &&
               does_the_same(&d->processors[first], &d->processors[last + 1]))
            last++;
        put_line(out, &d->processors[first], &d->processors[last], sentence);
    }
    put_ways(out, d);
    if (d->count == 0)
        kp_say(out, "  (no memory to list the processors)\n");
}

/* --- JSON --- */

/* Returns the length in bytes of the UTF-8 character at `at`, or 0 if there is no valid
 * character. */
static int sequence_length(const unsigned char *at)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000}; /* the least code, by length */
    const int length = at[0] < 0x80   ? 1
                       : at[0] < 0xc0 ? 0
                       : at[0] < 0xe0 ? 2
                       : at[0] < 0xf0 ? 3
                       : at[0] < 0xf8 ? 4
                                      : 0;
    uint32_t code = at[0] & (0xffu >> (length + (length > 1)));
    for (int i = 1; i < length; i++) {
        if ((at[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (at[i] & 0x3fu);
    }
    bool surrogate = code >= 0xd800 && code <= 0xdfff;
    return code >= least[length] && code <= 0x10ffff && !surrogate ? length : 0;
}

/* Writes a JSON string. A byte that is not valid UTF-8 becomes U+FFFD. A file's name or a sentence
 * that was cut may contain such bytes. */
static void put_string(struct kp_words *out, const char *string)
{
    if (!string) {
        kp_say(out, "null");
        return;
    }
    kp_say(out, "\"");
    for (const unsigned char *at = (const unsigned char *)string; *at;) {
        int length = sequence_length(at);
        if (length == 0)
            kp_say(out, "\\ufffd");
        else if (*at < 0x20 || *at == 0x7f)
            kp_say(out, "\\u%04x", *at);
        else if (*at == '"' || *at == '\\')
            kp_say(out, "\\%c", *at);
        else
            kp_say(out, "%.*s", length, (const char *)at);
        at += length > 0 ? length : 1;
    }
    kp_say(out, "\"");
}

static void put_text(struct kp_words *out, const char *key, const char *text)
{
    kp_say(out, ",\"%s\":", key);
    put_string(out, text);
}

static void put_known(struct kp_words *out, const char *key, int64_t number)
{
    if (number < 0)
        put_text(out, key, NULL);
    else
        kp_say(out, ",\"%s\":%" PRId64, key, number);
}

static void put_list(struct kp_words *out, const char *key, const int *numbers, int count)
{
    kp_say(out, ",\"%s\":[", key);
    for (int i = 0; i < count; i++)
        kp_say(out, "%s%d", i > 0 ? "," : "", numbers[i]);
    kp_say(out, "]");
}

/* Returns the length of the operation's name at the beginning of a call's words. */
static int operation_length(const char *call)
{
    const char *notes = strstr(call, " (");
    const size_t length = strcspn(call, ":");
    return (int)(notes && (size_t)(notes - call) < length ? (size_t)(notes - call) : length);
}

static void put_processor(struct kp_words *out, const kp_processor_report *r)
{
    char operation[64];
    int awaited = r->waits_for_count < LISTED_AT_MOST ? r->waits_for_count : LISTED_AT_MOST;
    if (r->call)
        snprintf(operation, sizeof operation, "%.*s", operation_length(r->call), r->call);
    kp_say(out, "{\"processor\":%d,\"activity\":\"%s\"", r->processor,
           kp_activity_name(r->activity));
    put_text(out, "operation", r->call ? operation : NULL);
    put_text(out, "call", r->call);
    put_text(out, "file", r->file);
    put_known(out, "line", r->line);
    put_known(out, "round", r->round);
    put_known(out, "port", r->port);
    if (r->group)
        put_list(out, "group", r->group, r->group_size);
    else
        put_text(out, "group", r->group_size > 0 ? "world" : NULL);
    put_list(out, "waits_for", r->waits_for, awaited);
    put_known(out, "waits_for_count", r->waits_for_count);
    put_known(out, "waited_ms", r->waited_ms);
    put_text(out, "end", r->end);
    put_text(out, "way", r->way);
    kp_say(out, "}");
}

static void write_json(struct kp_words *out, const kp_diagnosis *d)
{
    kp_say(out, "{\"kind\":\"%s\",\"status\":%d", kp_diagnosis_kind_name(d->kind), d->error.status);
    put_text(out, "sentence", d->error.sentence);
    put_list(out, "concerned", d->concerned, d->concerned_count);
    kp_say(out, ",\"processors\":[");
    for (int i = 0; i < d->count; i++) {
        kp_say(out, "%s", i > 0 ? "," : "");
        put_processor(out, &d->processors[i]);
    }
    kp_say(out, out->file ? "]}\n" : "]}");
}

/* --- The public functions --- */

/* Writes the diagnosis with `write`, and returns the length of the text. If the user's destination
 * is NULL, `missing` names this argument, for the error. Otherwise `missing` is NULL. */
static size_t written(void (*write)(struct kp_words *out, const kp_diagnosis *d),
                      const kp_diagnosis *d, struct kp_words out, const char *missing)
{
    if (d && !missing)
        write(&out, d);
    else
        kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s", d ? missing : "diagnosis",
                     d ? "where it is written" : "what a machine told");
    return out.length;
}

size_t kp_diagnosis_text(const kp_diagnosis *diagnosis, char *text, size_t size)
{
    return written(write_text, diagnosis, (struct kp_words){.text = text, .size = size},
                   text || size == 0 ? NULL : "text");
}

size_t kp_diagnosis_json(const kp_diagnosis *diagnosis, char *text, size_t size)
{
    return written(write_json, diagnosis, (struct kp_words){.text = text, .size = size},
                   text || size == 0 ? NULL : "text");
}

void kp_diagnosis_print(const kp_diagnosis *diagnosis, void *file)
{
    written(write_text, diagnosis, (struct kp_words){.file = file ? file : stderr}, NULL);
}

void kp_diagnosis_print_json(const kp_diagnosis *diagnosis, void *file)
{
    written(write_json, diagnosis, (struct kp_words){.file = file ? file : stderr}, NULL);
}
