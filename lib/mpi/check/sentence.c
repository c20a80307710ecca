/* What every rank is doing, in a sentence about a deadlock. */
#include "lib/mpi/check/sentence.h"

#include "lib/mpi/check/places.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text {
    char *bytes;
    size_t used, size;
};

static void add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct text *text, const char *format, ...)
{
    va_list arguments;
    const size_t room = text->size - text->used;
    va_start(arguments, format);
    const int length = vsnprintf(text->bytes + text->used, room, format, arguments);
    va_end(arguments);
    if (length > 0)
        text->used += (size_t)length < room ? (size_t)length : room - 1;
}

static bool waits_for_requests(const char *function)
{
    return strncmp(function, "MPI_Wait", 8) == 0 || strncmp(function, "MPI_Test", 8) == 0 ||
           strcmp(function, "MPI_Finalize") == 0;
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

/* The function that was called at the place with which a text begins ("app.c:31)"), and that
 * carries out the operation; NULL: not known. */
static const char *function_at(const char *place, const char *operation)
{
    const size_t length = strcspn(place, " )\n");
    size_t file = length;
    while (file > 0 && place[file - 1] != ':')
        file--;
    if (file < 2)
        return NULL;
    return kp_mpi_function_at(place, file - 1, atoi(place + file), operation,
                              strspn(operation, LETTERS));
}

/* The values after the name of a function, "(b=4, root=1)", end here. */
static const char *after_values(const char *at)
{
    const char *end = *at == '(' ? strchr(at, ')') : NULL;
    return end ? end + 1 : at;
}

/* Adds the name of the function with which the rank has called the operation, and returns what
 * follows in the sentence. */
static const char *add_function(struct text *out, const struct kp_mpi_rank *rank, const char *name)
{
    const size_t length = strspn(name, LETTERS);
    const char *values = name + length, *end = after_values(values);
    const char *place = strstr(end, " ("), *next = strstr(end, " called ");
    const char *function = place && (!next || place < next) ? function_at(place + 2, name) : NULL;
    if (function) {
        add(out, "%s", function);
        return values;
    }
    function = rank ? rank->call.function : NULL;
    if (!function || waits_for_requests(function))
        return name;
    add(out, "%s", function);
    const bool same = strlen(function) == length && strncmp(function, name, length) == 0;
    return same || strncmp(function, "MPI_I", 5) == 0 ? values : end;
}

void kp_mpi_name_calls(const struct kp_mpi_world *world, const char *sentence, char *text,
                       size_t size)
{
    static const char called[] = " called MPI_";
    struct text out = {.bytes = text, .size = size};
    text[0] = '\0';
    for (const char *at = sentence; *at;) {
        int number = -1, length = 0;
        if (sscanf(at, "rank %d%n", &number, &length) < 1 || number < 0 || number >= world->size ||
            strncmp(at + length, called, strlen(called)) != 0) {
            add(&out, "%c", *at++);
            continue;
        }
        add(&out, "rank %d called ", number);
        at = add_function(&out, kp_mpi_rank_of(world, number), at + length + strlen(" called "));
    }
}

/* What a rank does, without its number. */
static void say_rank(const struct kp_mpi_rank *rank, const kp_processor_report *report, char *text,
                     size_t size)
{
    static const char started[] = ", started at ";
    struct text out = {.bytes = text, .size = size};
    char where[200];
    text[0] = '\0';
    if (!rank) {
        add(&out, "has ended");
        return;
    }
    kp_mpi_say_place(&rank->call, where, sizeof where);
    add(&out, "%s%s", rank->call.function ? rank->call.function : "outside of MPI", where);
    if (report->activity != KP_ACTIVITY_WAITING) {
        add(&out, ", %s", kp_activity_name(report->activity));
    } else if (report->call) {
        char call[300];
        kp_mpi_reword(report->call, call, sizeof call);
        const char *place = strstr(call, started);
        const char *function = place ? function_at(place + strlen(started), call) : NULL;
        if (function)
            add(&out, ": %s%s", function, call + strspn(call, LETTERS));
        else if (strcmp(call, "barrier") != 0) /* the function says as much */
            add(&out, ": %s", call);
    }
}

#define MOST_LINES     24
#define BYTES_PER_LINE 600

/* Ranks beside each other that do the same share a line. */
char *kp_mpi_deadlock_sentence(const struct kp_mpi_world *world, const kp_diagnosis *diagnosis)
{
    struct text out = {.size = 200 + BYTES_PER_LINE * MOST_LINES};
    if (!(out.bytes = malloc(out.size)))
        return NULL;
    out.bytes[0] = '\0';
    add(&out, "deadlock: every rank waits");
    for (int first = 0, last, lines = 0; first < diagnosis->count; first = last + 1) {
        char one[BYTES_PER_LINE - 40], next[BYTES_PER_LINE - 40];
        if (lines++ == MOST_LINES) {
            add(&out, "\n  and ranks %d-%d", first, diagnosis->count - 1);
            break;
        }
        say_rank(kp_mpi_rank_of(world, first), &diagnosis->processors[first], one, sizeof one);
        for (last = first; last + 1 < diagnosis->count; last++) {
            say_rank(kp_mpi_rank_of(world, last + 1), &diagnosis->processors[last + 1], next,
                     sizeof next);
            if (strcmp(one, next) != 0)
                break;
        }
        if (last > first)
            add(&out, "\n  ranks %d-%d: %s", first, last, one);
        else
            add(&out, "\n  rank %d: %s", first, one);
    }
    return out.bytes;
}
