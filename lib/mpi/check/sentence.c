/* What every rank is doing, in a sentence about a deadlock. */
#include "lib/mpi/check/sentence.h"

#include "lib/mpi/check/places.h"

#include <ctype.h>
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
           strcmp(function, "MPI_Request_get_status") == 0 || strcmp(function, "MPI_Finalize") == 0;
}

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

/* The length of the file's name, with the colon, of a place with which a text begins
 * ("app.c:31)"). */
static size_t file_length(const char *place)
{
    size_t file = strcspn(place, " )\n");
    while (file > 0 && place[file - 1] != ':')
        file--;
    return file;
}

/* The function that was called at the place with which a text begins, and that carries out the
 * operation; NULL: not known. */
static const char *function_at(const char *place, const char *operation)
{
    const size_t file = file_length(place);
    if (file < 2)
        return NULL;
    return kp_mpi_function_at(place, file - 1, atoi(place + file), operation,
                              strspn(operation, LETTERS));
}

/* The values after the name of a function, "(count=4, root=1)", end here. */
static const char *after_values(const char *at)
{
    int depth = 0;
    for (const char *end = at; *end && (depth > 0 || end == at); end++) {
        depth += (*end == '(') - (*end == ')');
        if (depth == 0)
            return *end == ')' ? end + 1 : at;
    }
    return at;
}

/* Whether the place in a sentence is of a call that the rank has left since. It goes on, so nothing
 * may be read of it. */
static bool has_left(const char *place)
{
    static const char known[] = ", left early)", unknown[] = " (started earlier)";
    const char *end = strchr(place, ')'), *mark = strstr(place, known);
    return strncmp(place, unknown, strlen(unknown)) == 0 || (mark && mark < end);
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
        return kp_mpi_carries_out(function, name, length) ? values : end;
    }
    if (place && has_left(place))
        return name;
    /* atomic: a rank that has got the error, too, may go on by now */
    function = rank ? atomic_load_explicit(&rank->latest, memory_order_relaxed) : NULL;
    if (!function || waits_for_requests(function))
        return name;
    add(out, "%s", function);
    const bool same = strlen(function) == length && strncmp(function, name, length) == 0;
    return same || strncmp(function, "MPI_I", 5) == 0 ? values : end;
}

void kp_mpi_name_calls(const struct kp_mpi_world *world, const char *sentence, char *text,
                       size_t size)
{
    static const char called[] = " called MPI_", earlier[] = "an earlier call";
    const bool goes_on = strncmp(sentence, earlier, strlen(earlier)) == 0; /* kp_port_late */
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
        at = add_function(&out, goes_on ? NULL : kp_mpi_rank_of(world, number),
                          at + length + strlen(" called "));
    }
    kp_mpi_say_difference(text, size);
}

/* Finds the present or latest call of a rank. While a rank goes on, only what is atomic may be
 * read: the function, and the place that kport has of its processor. */
static void look_at(const struct kp_mpi_rank *rank, const kp_processor_report *report,
                    bool all_wait, struct kp_finding_rank *seen)
{
    struct kp_mpi_place place = {NULL, report->file, report->line, NULL};
    if (all_wait && rank)
        place = kp_mpi_place_found(&rank->call);
    else if (rank)
        place.function = atomic_load_explicit(&rank->latest, memory_order_relaxed);
    *seen = (struct kp_finding_rank){.rank = report->processor,
                                     .function = place.function,
                                     .file = place.file,
                                     .line = place.file ? place.line : 0,
                                     .waits_for = report->waits_for,
                                     .waits_for_count = report->waits_for_count};
}

/* Cuts from the words of a call the notes in parentheses behind it, and returns them, without where
 * the rank waits for the request: the line has said that. */
static const char *take_notes(char *call)
{
    char *notes = strrchr(call, '('), *end = call + strlen(call);
    if (!notes || notes == call || notes[-1] != ' ' || end[-1] != ')')
        return "";
    notes[-1] = end[-1] = '\0';
    char *wait = strstr(++notes, ", waited for at ");
    if (wait)
        *wait = '\0';
    return notes;
}

/* Whether the program's call says something of the operation that it waits for: a message, or the
 * operation of the call itself, or of a request. Other operations are the library's own. */
static bool is_of_program(const struct kp_mpi_rank *rank, const char *call)
{
    const size_t length = strspn(call, LETTERS);
    const char *function = rank->call.function;
    return strncmp(call, "MPI_", 4) != 0 || !function || waits_for_requests(function) ||
           (strcmp(call, "MPI_Barrier") != 0 && kp_mpi_carries_out(function, call, length));
}

/* Says of a rank that is in a call what the call waits for. */
static void say_call(const struct kp_mpi_rank *rank, const char *words, struct text *out)
{
    static const char started[] = "started at ";
    char call[300];
    if (!words)
        return;
    kp_mpi_reword(words, call, sizeof call);
    const char *notes = take_notes(call);
    const char *place = strstr(notes, started);
    const bool earlier = place || strstr(notes, "started earlier");
    const char *function = place ? function_at(place + strlen(started), call) : NULL;
    const size_t length = strspn(call, LETTERS);
    if (function && strncmp(call, "MPI_", 4) != 0)
        add(out, ": %s: %s", function, call); /* one of its messages */
    else if (function && kp_mpi_carries_out(function, call, length))
        add(out, ": %s%s", function, call + length);
    else if (function)
        add(out, ": %s%s", function, after_values(call + length));
    else if ((earlier && strncmp(call, "MPI_", 4) == 0) || (rank && is_of_program(rank, call)))
        add(out, ": %s", call);
    if (earlier)
        add(out, ", %s", notes);
}

void kp_mpi_say_awaited(const struct kp_mpi_rank *rank, const char *words, char *text, size_t size)
{
    struct text out = {.bytes = text, .size = size};
    text[0] = '\0';
    say_call(rank, words, &out);
}

/* Says what a rank does, without its number. */
static void say_rank(const struct kp_mpi_rank *rank, const kp_processor_report *report,
                     bool all_wait, struct kp_finding_rank *seen)
{
    struct text out = {.bytes = seen->does, .size = sizeof seen->does};
    char where[200] = "";
    const bool waits = report->activity == KP_ACTIVITY_WAITING;
    if (!rank) {
        add(&out, "%s",
            report->activity == KP_ACTIVITY_ENDED || all_wait ? "has ended" : "has not begun");
        return;
    }
    if (all_wait)
        kp_mpi_say_place(&rank->call, where, sizeof where);
    else if (seen->file)
        snprintf(where, sizeof where, " at %s:%d", seen->file, seen->line);
    if (report->activity == KP_ACTIVITY_OUTSIDE && !all_wait)
        add(&out, "outside of MPI, %s", seen->function ? "after " : "before its first call");
    add(&out, "%s%s", seen->function ? seen->function : all_wait ? "outside of MPI" : "", where);
    if (waits)
        say_call(rank, report->call, &out);
    else if (all_wait)
        add(&out, ", %s", kp_activity_name(report->activity));
    if (waits && !all_wait && report->waits_for_count == 1)
        add(&out, ", waits for rank %d", report->waits_for[0]);
}

#define MOST_LINES     24
#define BYTES_PER_LINE 600

/* Ranks beside each other that do the same share a line. */
static void write_lines(const struct kp_finding_rank *ranks, int count, struct text *out)
{
    for (int first = 0, last, lines = 0; first < count; first = last + 1) {
        if (lines++ == MOST_LINES) {
            add(out, "\n  and ranks %d-%d", first, count - 1);
            break;
        }
        last = first;
        while (last + 1 < count && strcmp(ranks[first].does, ranks[last + 1].does) == 0)
            last++;
        if (last > first)
            add(out, "\n  ranks %d-%d: %s", first, last, ranks[first].does);
        else
            add(out, "\n  rank %d: %s", first, ranks[first].does);
    }
}

static bool is_letter(char c)
{
    return c && strchr(LETTERS, c);
}

/* Whether a rank is in a call of `function`, or waits for what this function has started. */
static bool does(const struct kp_finding_rank *rank, const char *function)
{
    for (const char *at = rank->does; (at = strstr(at, function)); at++) {
        if ((at == rank->does || at[-1] == ' ') && !is_letter(at[strlen(function)]))
            return true;
    }
    return false;
}

/* Whether a function is none that sends or receives: MPI_Send does match MPI_Irecv. */
static bool is_collective(const char *function)
{
    static const char *const others[] = {"MPI_Send",
                                         "MPI_Recv",
                                         "MPI_Ssend",
                                         "MPI_Bsend",
                                         "MPI_Rsend",
                                         "MPI_Sendrecv",
                                         "MPI_Sendrecv_replace",
                                         "MPI_Probe",
                                         "MPI_Mprobe",
                                         "MPI_Mrecv"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(function, others[i]) == 0)
            return false;
    }
    return true;
}

/* Says that a blocking collective and a non-blocking one do not match, if ranks wait for one of
 * each. */
static void say_kinds(const struct kp_finding_rank *ranks, int count, struct text *out)
{
    static const char mpi[] = "MPI_";
    for (int i = 0; i < count; i++) {
        const char *function = ranks[i].function;
        char other[100];
        if (!function || strncmp(function, mpi, strlen(mpi)) != 0)
            continue;
        snprintf(other, sizeof other, "MPI_I%c%s", tolower((unsigned char)function[strlen(mpi)]),
                 function + strlen(mpi) + 1);
        for (int j = 0; j < count; j++) {
            if (is_collective(function) && does(&ranks[j], other)) {
                add(out,
                    "\n  %s does not match %s: a blocking collective matches no non-blocking one",
                    function, other);
                return;
            }
        }
    }
}

void kp_mpi_say_ranks(const struct kp_mpi_world *world, const kp_diagnosis *diagnosis,
                      const char *head, bool all_wait, struct kp_finding *finding)
{
    struct text out = {.size = 200 + BYTES_PER_LINE * MOST_LINES};
    struct kp_finding_rank *ranks = calloc((size_t)diagnosis->count + 1, sizeof *ranks);
    out.bytes = calloc(1, out.size);
    if (!ranks || !out.bytes) {
        free(ranks);
        free(out.bytes);
        return;
    }
    for (int i = 0; i < diagnosis->count; i++) {
        const kp_processor_report *report = &diagnosis->processors[i];
        const struct kp_mpi_rank *rank = kp_mpi_rank_of(world, i);
        const struct kp_finding_rank *tested = rank && all_wait ? kp_mpi_tested_by(rank) : NULL;
        if (tested) { /* it goes on, so only what it has said may be read */
            ranks[i] = *tested;
            continue;
        }
        look_at(rank, report, all_wait, &ranks[i]);
        say_rank(rank, report, all_wait, &ranks[i]);
    }
    add(&out, "%s", head);
    write_lines(ranks, diagnosis->count, &out);
    if (all_wait)
        say_kinds(ranks, diagnosis->count, &out);
    finding->sentence = out.bytes;
    finding->ranks = ranks;
    finding->rank_count = diagnosis->count;
}
