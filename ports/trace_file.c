/* The public calls of a trace: making it, and writing its file, in full or not at all. */
#include "ports/error.h"
#include "ports/trace.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool kp_counter_is_kept(void)
{
    char name[8] = "";
    FILE *f = KP_HAS_COUNTER
                  ? fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "r")
                  : NULL;
    if (f) {
        if (!fgets(name, sizeof name, f))
            name[0] = '\0';
        fclose(f);
    }
    return strcmp(name, "tsc\n") == 0;
}

int kp_trace_create(size_t records, kp_trace **made)
{
    void *block;
    if (!made)
        return kp_set_error(KP_EARGUMENT, "trace is NULL; it may be where the handle goes");
    *made = NULL;
    if (records != 0 && (records < KP_TRACE_LEAST || records > KP_TRACE_MOST))
        return kp_set_error(KP_EARGUMENT, "records is %zu; it may be %zu ... %zu, or 0 for %zu",
                            records, KP_TRACE_LEAST, KP_TRACE_MOST, KP_TRACE_DEFAULT);
    kp_trace *trace = kp_handle_place(1, sizeof *trace, &block);
    if (!trace)
        return kp_set_error(KP_EMEMORY, "no memory for a trace");
    trace->block = block;
    trace->forks = kp_fork_count();
    trace->records = records;
    trace->counter = kp_counter_is_kept();
    trace->start = kp_tick_mark(trace->counter);
    trace->last = &trace->machines;
    pthread_mutex_init(&trace->lock, NULL);
    kp_live_lock();
    kp_live_add(&trace->live, trace, KP_LIVE_TRACE);
    kp_live_unlock();
    *made = trace;
    return KP_OK;
}

/* Takes it out of the table: from then on there is none. */
static int retire(kp_trace *trace)
{
    if (!kp_live_has(trace, KP_LIVE_TRACE))
        return kp_trace_look(trace);
    if (trace->forks == kp_fork_count()) {
        int used = 0;
        pthread_mutex_lock(&trace->lock);
        for (const struct kp_trace_machine *m = trace->machines; m; m = m->next)
            used += m->machine != NULL;
        pthread_mutex_unlock(&trace->lock);
        if (used > 0 || trace->writers > 0)
            return kp_set_error(KP_EBUSY,
                                used > 0 ? "a machine is recorded in the trace; it may be freed "
                                           "when all such are destroyed"
                                         : "the trace is being written; it may be freed when that "
                                           "is over");
    }
    kp_live_remove(&trace->live);
    return KP_OK;
}

int kp_trace_free(kp_trace *trace)
{
    if (!trace)
        return KP_OK;
    kp_live_lock();
    int status = retire(trace);
    kp_live_unlock();
    /* In the child of a fork locks may be held for ever; the memory goes with the process. */
    if (status || trace->forks != kp_fork_count())
        return status;
    for (size_t i = 0; i < trace->subject_count; i++)
        trace->subjects[i].free(trace->subjects[i].data);
    while (trace->machines) {
        struct kp_trace_machine *next = trace->machines->next;
        kp_trace_machine_free(trace->machines);
        trace->machines = next;
    }
    free(trace->subjects);
    pthread_mutex_destroy(&trace->lock);
    free(trace->block);
    return KP_OK;
}

/* Holds it still: it is not freed, no machine comes or goes, and none begins to run. */
static int hold(kp_trace *trace)
{
    if (!trace)
        return kp_set_error(KP_EARGUMENT, "trace is NULL; it may be what kp_trace_create made");
    kp_live_lock();
    int status = kp_trace_look(trace);
    if (!status)
        trace->writers++;
    kp_live_unlock();
    if (status)
        return status;
    pthread_mutex_lock(&trace->lock);
    for (struct kp_trace_machine *m = trace->machines; m; m = m->next) {
        if (!m->machine)
            continue;
        pthread_mutex_lock(&m->machine->lock);
        if (kp_machine_use_of(m->machine) != KP_USE_NONE && !status)
            status = kp_set_error(KP_EBUSY, "a machine of the trace is in use; what was recorded "
                                            "may be read when its run is over");
    }
    return status;
}

static void let_go(kp_trace *trace)
{
    for (struct kp_trace_machine *m = trace->machines; m; m = m->next) {
        if (m->machine)
            pthread_mutex_unlock(&m->machine->lock);
    }
    pthread_mutex_unlock(&trace->lock);
    kp_live_lock();
    trace->writers--;
    kp_live_unlock();
}

static bool is_held(int status)
{
    return status == KP_OK || status == KP_EBUSY;
}

uint64_t kp_trace_dropped(kp_trace *trace)
{
    int status = hold(trace);
    uint64_t dropped = status ? 0 : trace->dropped;
    for (struct kp_trace_machine *m = status ? NULL : trace->machines; m; m = m->next) {
        for (int i = 0; i < m->n; i++) {
            const struct kp_trace_row *row = &m->rows[i];
            dropped += row->count > row->mask ? row->count - row->mask - 1 : 0;
        }
    }
    if (is_held(status))
        let_go(trace);
    return dropped;
}

/* --- The file --- */

static int refuse_file(const char *path, int error)
{
    return kp_set_error(KP_EFILE, "the trace %.300s could not be written: %.100s", path,
                        strerror(error));
}

/* Renaming would put a file in place of anything. */
static int check_target(const char *path)
{
    struct stat there;
    if (lstat(path, &there) != 0)
        return errno == ENOENT ? KP_OK : refuse_file(path, errno);
    if (S_ISREG(there.st_mode))
        return KP_OK;
    return kp_set_error(KP_EFILE,
                        "the trace %.300s would replace what is no regular file; it may be a name "
                        "that is free, or that of a regular file",
                        path);
}

/* A file of its own beside it: its stream and name. */
static FILE *open_beside(const char *path, char *name, size_t size)
{
    int fd = -1;
    for (unsigned i = 0; fd < 0 && i < 1000; i++) {
        snprintf(name, size, "%s.%ld.%u.tmp", path, (long)getpid(), i);
        fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd < 0 && errno != EEXIST)
            break;
    }
    FILE *out = fd < 0 ? NULL : fdopen(fd, "w");
    if (fd >= 0 && !out) {
        int error = errno;
        close(fd);
        unlink(name);
        errno = error;
    }
    return out;
}

static int print_to(const kp_trace *trace, FILE *out)
{
    return kp_trace_print(trace, out) ? KP_OK
                                      : kp_set_error(KP_EMEMORY, "no memory to write a trace");
}

static int write_file(const kp_trace *trace, const char *path)
{
    size_t size = strlen(path) + 64;
    char *name = malloc(size);
    if (!name)
        return kp_set_error(KP_EMEMORY, "no memory for the name of a file");
    FILE *out = open_beside(path, name, size);
    int status = out ? KP_OK : refuse_file(path, errno);
    if (out) {
        errno = 0;
        status = print_to(trace, out);
        bool written = !ferror(out);
        int error = errno;
        if (fclose(out) != 0 && written) {
            written = false;
            error = errno;
        }
        if (!status && (!written || rename(name, path) != 0))
            status = refuse_file(path, written ? errno : error);
        if (status)
            unlink(name);
    }
    free(name);
    return status;
}

/* To the file, or, if there is one, to the stream. */
static int write_held(kp_trace *trace, const char *path, FILE *out)
{
    int held = hold(trace), status = held;
    if (!status)
        status = out ? print_to(trace, out) : check_target(path);
    if (!status && !out)
        status = write_file(trace, path);
    if (is_held(held)) {
        kp_error_record why = *kp_error_slot();
        let_go(trace);
        *kp_error_slot() = why;
    }
    return status;
}

int kp_trace_write_to(kp_trace *trace, FILE *out)
{
    return write_held(trace, NULL, out);
}

int kp_trace_write(kp_trace *trace, const char *path)
{
    if (!path || !*path)
        return kp_set_error(KP_EARGUMENT, "path is %s; it may be the name of a file",
                            path ? "empty" : "NULL");
    return write_held(trace, path, NULL);
}
