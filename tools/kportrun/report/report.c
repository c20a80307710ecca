#include "report.h"

#include "grouped.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool as_json;

/* Directly, because a finding is no line of a rank. */
static void put_to_file(const char *kind, const char *text, size_t bytes)
{
    (void)kind;
    (void)!write(STDERR_FILENO, text, bytes);
}

static void (*put)(const char *kind, const char *text, size_t bytes) = put_to_file;

void report_redirect(void (*put_elsewhere)(const char *kind, const char *text, size_t bytes))
{
    put = put_elsewhere;
}

void report_begin(bool json)
{
    as_json = json;
}

void report_sentence(const char *text, size_t bytes)
{
    put(NULL, text, bytes);
}

/* A text that grows. Without memory, its end is missing. */
struct text {
    char *bytes;
    size_t used, size;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    if (text->used + (size_t)length >= text->size) {
        const size_t size = 2 * (text->used + (size_t)length) + 1024;
        char *more = realloc(text->bytes, size);
        if (!more)
            return;
        text->bytes = more;
        text->size = size;
    }
    va_start(arguments, format);
    text->used +=
        (size_t)vsnprintf(text->bytes + text->used, text->size - text->used, format, arguments);
    va_end(arguments);
}

/* Adds a member of an object, whose value is a string. */
static void add_string(struct text *text, const char *name, const char *value)
{
    add(text, ",\"%s\":", name);
    if (!value) {
        add(text, "null");
        return;
    }
    add(text, "\"");
    for (const unsigned char *c = (const unsigned char *)value; *c; c++) {
        if (*c == '"' || *c == '\\')
            add(text, "\\%c", *c);
        else if (*c < 0x20)
            add(text, "\\u%04x", *c);
        else
            add(text, "%c", *c);
    }
    add(text, "\"");
}

/* Adds what every rank does. */
static void add_ranks(struct text *text, const struct kp_finding *finding)
{
    add(text, ",\"ranks\":[");
    for (int i = 0; i < finding->rank_count; i++) {
        const struct kp_finding_rank *rank = &finding->ranks[i];
        add(text, "%s{\"rank\":%d", i > 0 ? "," : "", rank->rank);
        add_string(text, "function", rank->function);
        add_string(text, "file", rank->file);
        add(text, ",\"line\":%d,\"waits_for\":[", rank->line);
        for (int j = 0; j < rank->waits_for_count; j++)
            add(text, "%s%d", j > 0 ? "," : "", rank->waits_for[j]);
        add(text, "]");
        add_string(text, "does", rank->does);
        add(text, "}");
    }
    add(text, "]");
}

static void add_object(struct text *text, const struct kp_finding *finding)
{
    add(text, "{\"rank\":%d,\"ends\":%s", finding->rank, finding->ends ? "true" : "false");
    add_string(text, "kind", finding->kind);
    add_string(text, "function", finding->function);
    add_string(text, "file", finding->file);
    add(text, ",\"line\":%d", finding->file ? finding->line : 0);
    if (finding->times > 1)
        add(text, ",\"times\":%d", finding->times);
    add_string(text, "sentence", finding->sentence);
    if (finding->ranks)
        add_ranks(text, finding);
    add(text, "}\n");
}

static struct text text; /* under `lock` */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The program's runtime of ThreadSanitizer ignores what libkport_mpi calls, which it knows by the
 * return address. If a function that libkport_mpi has called ended by a jump to
 * pthread_mutex_unlock, the runtime would miss the unlock, and report the next lock. So what unlock
 * returns is looked at here. */
static void leave_lock(void)
{
    if (pthread_mutex_unlock(&lock) != 0)
        abort();
}

static void put_text(const char *kind)
{
    if (text.bytes)
        put(kind, text.bytes, text.used);
}

/* Writes a line; `kind` is NULL if the finding counts already. */
static void write_line(const char *sentence, const char *kind)
{
    text.used = 0;
    add(&text, "kportrun: %s\n", sentence);
    put_text(kind);
}

static void write_sentence(const char *sentence)
{
    write_line(sentence, NULL);
}

/* A finding counts when it comes, also if it waits for others. */
static void tell_or_keep(const struct kp_finding *finding)
{
    const char *kind = finding->times > 1 ? NULL : finding->kind;
    if (finding->ends)
        grouped_write(write_sentence);
    if (!grouped_take(finding))
        write_line(finding->sentence, kind);
    else if (kind)
        put(kind, "", 0);
}

void report_finding(void *argument, const struct kp_finding *finding)
{
    (void)argument;
    pthread_mutex_lock(&lock);
    if (as_json) {
        text.used = 0;
        add_object(&text, finding);
        put_text(finding->times > 1 ? NULL : finding->kind);
    } else {
        tell_or_keep(finding);
    }
    leave_lock();
}

void report_all(void *argument)
{
    (void)argument;
    pthread_mutex_lock(&lock);
    grouped_write(write_sentence);
    leave_lock();
}

void report_all_of_crash(void)
{
    if (pthread_mutex_trylock(&lock) != 0)
        return;
    grouped_write(write_sentence);
    leave_lock();
}
