#include "lines.h"

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A longer unfinished line comes out in pieces. */
#define LONGEST_LINE ((size_t)64 << 10)
#define PREFIX_BYTES 16

enum {
    OUTPUT,
    ERROR,
    STREAMS
};

/* The unfinished line of a rank and stream. */
struct line {
    char *text;
    size_t bytes, room;
    bool begun; /* a piece of this line has come out already */
};

/* One row for each rank, and one for threads that are no rank. */
static struct line (*lines)[STREAMS];
static int count;
static bool prefixed;
static int (*rank_here)(void);
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void put_all(int file, const char *data, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(file, data, bytes);
        if (written < 0 && errno == EAGAIN)
            nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        else if (written < 0 && errno != EINTR)
            return; /* nobody reads it */
        data += written > 0 ? written : 0;
        bytes -= written > 0 ? (size_t)written : 0;
    }
}

static void put_to_files(int rank, bool is_error, const char *data, size_t bytes)
{
    (void)rank;
    put_all(is_error ? STDERR_FILENO : STDOUT_FILENO, data, bytes);
}

static void (*put)(int rank, bool is_error, const char *data, size_t bytes) = put_to_files;

void lines_redirect(void (*put_elsewhere)(int rank, bool is_error, const char *data, size_t bytes))
{
    put = put_elsewhere;
}

/* Returns memory for `more` bytes behind the line, or NULL. */
static char *room_for(struct line *line, size_t more)
{
    if (line->room - line->bytes < more) {
        size_t room = line->bytes + more < 2 * line->room ? 2 * line->room : line->bytes + more;
        char *text = realloc(line->text, room);
        if (!text)
            return NULL;
        line->text = text;
        line->room = room;
    }
    return line->text + line->bytes;
}

static void put_line(int rank, int stream)
{
    struct line *line = &lines[rank < 0 ? count : rank][stream];
    if (line->bytes > 0)
        put(rank, stream == ERROR, line->text, line->bytes);
    line->begun = line->bytes > 0 && line->text[line->bytes - 1] != '\n';
    line->bytes = 0;
}

/* Appends a piece of one line, which may be all of it. */
static bool append(int rank, int stream, const char *data, size_t bytes)
{
    struct line *line = &lines[rank < 0 ? count : rank][stream];
    char *end = room_for(line, bytes + PREFIX_BYTES);
    if (!end)
        return false;
    if (prefixed && rank >= 0 && line->bytes == 0 && !line->begun) {
        int length = snprintf(end, PREFIX_BYTES, "%d: ", rank);
        line->bytes += (size_t)length;
        end += length;
    }
    memcpy(end, data, bytes);
    line->bytes += bytes;
    if (data[bytes - 1] == '\n' || line->bytes > LONGEST_LINE)
        put_line(rank, stream);
    return true;
}

static bool has_begun(int rank, int stream)
{
    return lines[rank < 0 ? count : rank][stream].bytes > 0;
}

/* Takes what a rank writes. Complete lines that need no prefix come out together. */
static bool take(int rank, int stream, const char *data, size_t bytes)
{
    const char *last = memrchr(data, '\n', bytes), *end = data + bytes;
    if (last && !prefixed && !has_begun(rank, stream)) {
        put(rank, stream == ERROR, data, (size_t)(last + 1 - data));
        lines[rank < 0 ? count : rank][stream].begun = false;
        data = last + 1;
    }
    while (data < end) {
        const char *newline = memchr(data, '\n', (size_t)(end - data));
        const char *next = newline ? newline + 1 : end;
        if (!append(rank, stream, data, (size_t)(next - data)))
            return false;
        data = next;
    }
    return true;
}

static ssize_t write_stream(void *cookie, const char *data, size_t bytes)
{
    int rank = rank_here();
    if (bytes == 0)
        return 0;
    pthread_mutex_lock(&lock);
    bool taken = take(rank, (int)(intptr_t)cookie, data, bytes);
    pthread_mutex_unlock(&lock);
    if (taken)
        return (ssize_t)bytes;
    errno = ENOMEM;
    return 0; /* an error, by fopencookie's rules */
}

bool lines_begin(int ranks, bool prefix, int (*rank)(void))
{
    FILE *streams[STREAMS];
    count = ranks;
    prefixed = prefix;
    rank_here = rank;
    lines = calloc((size_t)ranks + 1, sizeof *lines);
    if (!lines)
        return false;
    for (int i = 0; i < STREAMS; i++) {
        streams[i] =
            fopencookie((void *)(intptr_t)i, "w", (cookie_io_functions_t){.write = write_stream});
        /* Without a buffer of its own, the stream passes on every call's output at once, while the
         * rank is known. */
        if (!streams[i] || setvbuf(streams[i], NULL, _IONBF, 0) != 0)
            return false;
    }
    fflush(stdout);
    stdout = streams[OUTPUT];
    stderr = streams[ERROR];
    return true;
}

void lines_finish(int rank)
{
    pthread_mutex_lock(&lock);
    for (int stream = 0; stream < STREAMS; stream++) {
        const struct line *line = &lines[rank][stream];
        /* The next prefix is to begin a line. */
        if (prefixed && (line->bytes > 0 || line->begun))
            (void)append(rank, stream, "\n", 1);
        put_line(rank, stream);
    }
    pthread_mutex_unlock(&lock);
}

void lines_end(void)
{
    struct timespec limit;
    if (!lines)
        return;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    bool locked = pthread_mutex_timedlock(&lock, &limit) == 0;
    for (int rank = -1; rank < count; rank++) {
        for (int stream = 0; stream < STREAMS; stream++)
            put_line(rank, stream);
    }
    if (locked)
        pthread_mutex_unlock(&lock);
}
