#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* A sentence has at most some hundred bytes; what is longer is cut. */
#define LONGEST 8192

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

struct text {
    char bytes[LONGEST];
    size_t used;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof text->bytes - text->used;
    va_start(arguments, format);
    int length = vsnprintf(text->bytes + text->used, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->used += (size_t)length < room ? (size_t)length : room - 1;
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
    add(text, "}\n");
}

void report_finding(void *argument, const struct kp_finding *finding)
{
    static struct text text; /* one thread at a time calls this */
    (void)argument;
    text.used = 0;
    if (as_json)
        add_object(&text, finding);
    else
        add(&text, "kportrun: %s\n", finding->sentence);
    put(finding->times > 1 ? NULL : finding->kind, text.bytes, text.used);
}
