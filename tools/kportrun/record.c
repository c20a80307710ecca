#include "record.h"

#include "lines.h"
#include "report/report.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum stream {
    OUTPUT,
    ERROR,
    SENTENCE,
    KIND,
    DECISION
};

/* An entry of a record; its bytes follow. Nothing is aligned. */
struct entry {
    int rank;
    enum stream stream;
    size_t bytes;
};

/* --- The child --- */

static int taking = -1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put(int rank, enum stream stream, const char *data, size_t bytes)
{
    struct entry entry = {.rank = rank, .stream = stream, .bytes = bytes};
    pthread_mutex_lock(&lock);
    if (write(taking, &entry, sizeof entry) == (ssize_t)sizeof entry) {
        while (bytes > 0) {
            ssize_t written = write(taking, data, bytes);
            if (written <= 0)
                break;
            data += written;
            bytes -= (size_t)written;
        }
    }
    pthread_mutex_unlock(&lock);
}

static void put_line(int rank, bool is_error, const char *data, size_t bytes)
{
    put(rank, is_error ? ERROR : OUTPUT, data, bytes);
}

static void put_finding(const char *kind, const char *text, size_t bytes)
{
    put(-1, SENTENCE, text, bytes);
    if (kind)
        put(-1, KIND, kind, strlen(kind));
}

void record_take(const struct record *record)
{
    taking = record->file;
    lines_redirect(put_line);
    report_redirect(put_finding);
}

/* A decision in the record: the texts follow, each with a zero. */
struct decided {
    int rank, line, what;
};

#define MOST_DECISIONS 20000 /* of a run; later ones are not compared */

void record_decision(void *argument, const struct kp_mpi_decision *decision)
{
    static _Atomic int count;
    char text[sizeof(struct decided) + 600];
    const struct decided head = {decision->rank, decision->line, decision->what};
    (void)argument;
    if (taking < 0 || count >= MOST_DECISIONS)
        return;
    count++;
    memcpy(text, &head, sizeof head);
    const int length = snprintf(text + sizeof head, 600, "%s%c%s", decision->function, 0,
                                decision->file ? decision->file : "");
    if (length > 0 && length < 600)
        put(decision->rank, DECISION, text, sizeof head + (size_t)length + 1);
}

/* --- The parent --- */

bool record_make(struct record *record)
{
    *record = (struct record){.file = memfd_create("kportrun", MFD_CLOEXEC)};
    return record->file >= 0;
}

void record_free(struct record *record)
{
    if (record->file >= 0)
        close(record->file);
    free(record->all);
    free(record->sorted);
    free(record->kinds);
}

/* Goes to the next entry and returns its bytes, or NULL at the end. A crash may have cut the last
 * entry. */
static const char *next_entry(const struct record *record, size_t *place, struct entry *entry)
{
    if (record->bytes - *place < sizeof *entry)
        return NULL;
    memcpy(entry, record->all + *place, sizeof *entry);
    *place += sizeof *entry;
    const char *data = record->all + *place;
    if (record->bytes - *place < entry->bytes)
        entry->bytes = record->bytes - *place;
    *place += entry->bytes;
    return data;
}

/* A rank's output is put together from its entries. */
struct piece {
    struct entry entry;
    const char *data;
    size_t number;
};

static int compare_pieces(const void *one, const void *other)
{
    const struct piece *a = one, *b = other;
    if (a->entry.rank != b->entry.rank)
        return a->entry.rank < b->entry.rank ? -1 : 1;
    if (a->entry.stream != b->entry.stream)
        return a->entry.stream < b->entry.stream ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static int compare_kinds(const void *one, const void *other)
{
    const struct piece *a = one, *b = other;
    size_t least = a->entry.bytes < b->entry.bytes ? a->entry.bytes : b->entry.bytes;
    int order = memcmp(a->data, b->data, least);
    return order ? order : (int)a->entry.bytes - (int)b->entry.bytes;
}

/* Appends the pieces, each stream with a line before it that names its rank. */
static char *join(const struct piece *pieces, size_t count, bool heads, size_t *bytes)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, bytes);
    for (size_t i = 0; stream && i < count; i++) {
        const struct entry *entry = &pieces[i].entry;
        bool is_first = i == 0 || pieces[i - 1].entry.rank != entry->rank ||
                        pieces[i - 1].entry.stream != entry->stream;
        if (heads && is_first)
            fprintf(stream, "%srank %d %s\n", i ? "\n" : "", entry->rank,
                    entry->stream == OUTPUT ? "output" : "error output");
        fwrite(pieces[i].data, 1, entry->bytes, stream);
        if (!heads)
            fputc('\n', stream);
    }
    return stream && fclose(stream) == 0 ? text : NULL;
}

/* Sorts what a run has written, so that runs which differ in nothing but the order of ranks are
 * equal. */
static bool sort(struct record *record)
{
    size_t count = 0, place = 0, lines = 0, kinds = 0;
    struct entry entry;
    while (next_entry(record, &place, &entry))
        count++;
    struct piece *pieces = calloc(2 * count + 1, sizeof *pieces), *found = pieces + count;
    if (!pieces)
        return false;
    place = 0;
    for (const char *data; (data = next_entry(record, &place, &entry));) {
        struct piece piece = {.entry = entry, .data = data, .number = lines};
        if (entry.stream == OUTPUT || entry.stream == ERROR)
            pieces[lines++] = piece;
        else if (entry.stream == KIND)
            found[kinds++] = piece;
    }
    qsort(pieces, lines, sizeof *pieces, compare_pieces);
    qsort(found, kinds, sizeof *found, compare_kinds);
    record->sorted = join(pieces, lines, true, &record->sorted_bytes);
    record->kinds = join(found, kinds, false, &record->kinds_bytes);
    free(pieces);
    return record->sorted && record->kinds;
}

bool record_read(struct record *record)
{
    struct stat found;
    if (fstat(record->file, &found) != 0)
        return false;
    record->bytes = (size_t)found.st_size;
    record->all = malloc(record->bytes + 1);
    for (size_t place = 0; record->all && place < record->bytes;) {
        ssize_t got = pread(record->file, record->all + place, record->bytes - place, (off_t)place);
        if (got <= 0)
            return false;
        place += (size_t)got;
    }
    close(record->file);
    record->file = -1;
    return record->all && sort(record);
}

static void show(int file, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(file, data, bytes);
        if (written < 0 && errno != EINTR)
            return; /* nobody reads it */
        data += written > 0 ? written : 0;
        bytes -= written > 0 ? (size_t)written : 0;
    }
}

void record_show(const struct record *record)
{
    struct entry entry;
    size_t place = 0;
    for (const char *data; (data = next_entry(record, &place, &entry));) {
        if (entry.stream != KIND && entry.stream != DECISION)
            show(entry.stream == OUTPUT ? STDOUT_FILENO : STDERR_FILENO, data, entry.bytes);
    }
}

void record_show_findings(const struct record *record)
{
    struct entry entry;
    size_t place = 0;
    for (const char *data; (data = next_entry(record, &place, &entry));) {
        if (entry.stream == SENTENCE)
            show(STDERR_FILENO, data, entry.bytes);
    }
}

bool record_equal(const struct record *one, const struct record *other, bool only_kinds)
{
    bool kinds = one->kinds_bytes == other->kinds_bytes &&
                 memcmp(one->kinds, other->kinds, one->kinds_bytes) == 0;
    bool output = one->sorted_bytes == other->sorted_bytes &&
                  memcmp(one->sorted, other->sorted, one->sorted_bytes) == 0;
    return kinds && (only_kinds || output);
}

/* --- Decisions --- */

/* Goes to the next decision, of this rank if it is not -1. `tests` says that those which have found
 * nothing count, too. */
static bool next_decision(const struct record *record, size_t *place, int rank, bool tests,
                          struct kp_mpi_decision *decision)
{
    struct entry entry;
    for (const char *data; (data = next_entry(record, place, &entry));) {
        struct decided head;
        if (entry.stream != DECISION || (rank >= 0 && entry.rank != rank) ||
            entry.bytes <= sizeof head || data[entry.bytes - 1] != '\0')
            continue;
        memcpy(&head, data, sizeof head);
        if (head.what < 0 && !tests)
            continue;
        const char *function = data + sizeof head, *file = function + strlen(function) + 1;
        *decision = (struct kp_mpi_decision){head.rank, function, *file ? file : NULL, head.line,
                                             head.what};
        return true;
    }
    return false;
}

static bool is_same(const struct kp_mpi_decision *a, const struct kp_mpi_decision *b)
{
    return a->what == b->what && a->line == b->line && strcmp(a->function, b->function) == 0;
}

/* Goes over the decisions of `other` in the order of time, and over those of each rank of `one`. */
static bool decided(const struct record *one, const struct record *other, bool tests,
                    struct kp_mpi_decision *decision, int *there)
{
    size_t at = 0, count = 0, *places = NULL;
    bool differs = false;
    while (!differs && next_decision(other, &at, -1, tests, decision)) {
        const size_t rank = (size_t)decision->rank;
        if (rank >= count) {
            size_t *more = realloc(places, (rank + 1) * sizeof *places);
            if (!more)
                break;
            memset(more + count, 0, (rank + 1 - count) * sizeof *more);
            places = more;
            count = rank + 1;
        }
        struct kp_mpi_decision here = *decision;
        *there = decision->what;
        if (!next_decision(one, &places[rank], decision->rank, tests, &here))
            here.what = -1;
        differs = !is_same(&here, decision);
        *decision = here;
    }
    free(places);
    return differs;
}

bool record_decided(const struct record *one, const struct record *other,
                    struct kp_mpi_decision *decision, int *there)
{
    return decided(one, other, false, decision, there) ||
           decided(one, other, true, decision, there);
}

void record_difference(const struct record *one, const struct record *other, char *text,
                       size_t bytes)
{
    size_t at = 0, line = 0;
    text[0] = '\0';
    while (at < one->sorted_bytes && at < other->sorted_bytes &&
           one->sorted[at] == other->sorted[at]) {
        line = one->sorted[at] == '\n' ? at + 1 : line;
        at++;
    }
    if (at == one->sorted_bytes && at == other->sorted_bytes)
        return;
    int there = (int)strcspn(other->sorted + line, "\n"),
        here = (int)strcspn(one->sorted + line, "\n");
    (void)snprintf(text, bytes, "; it writes \"%.*s\" where outcome 1 writes \"%.*s\"",
                   there < 80 ? there : 80, other->sorted + line, here < 80 ? here : 80,
                   one->sorted + line);
}
