/* The public functions of a trace. They make the trace and write its file. The file is written as a
 * whole or not at all. */
#include "ports/error.h"
#include "ports/trace/trace.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool kp_counter_is_kept(void)
{
    static const char path[] = "/sys/devices/system/clocksource/clocksource0/current_clocksource";
    char name[8] = "";
    FILE *f = KP_HAS_COUNTER ? fopen(path, "r") : NULL;
    /* seldom taken: depends on the system's clock */
    bool kept = f && fgets(name, sizeof name, f) && strcmp(name, "tsc\n") == 0;
    if (f)
        fclose(f);
    return kept;
}

int kp_trace_create(size_t records, kp_trace **made)
{
    void *block;
    if (!made)
        return kp_set_error(KP_EARGUMENT, "trace is NULL; it must be where the handle goes");
    *made = NULL;
    if (records != 0 && (records < KP_TRACE_LEAST || records > KP_TRACE_MOST))
        return kp_set_error(KP_EARGUMENT, "records is %zu; it may be %zu ... %zu, or 0 for %zu",
                            records, KP_TRACE_LEAST, KP_TRACE_MOST, KP_TRACE_DEFAULT);
    kp_trace *trace = kp_handle_memory(1, sizeof *trace, &block);
    if (!trace)
        return kp_set_error(KP_EMEMORY, "no memory for a trace");
    trace->block = block;
    trace->forks = kp_fork_count();
    trace->records = records;
    trace->counter = kp_counter_is_kept();
    trace->start = kp_tick_mark(trace->counter);
    pthread_mutex_init(&trace->lock, NULL);
    kp_live_lock();
    kp_live_add(&trace->live, trace, KP_LIVE_TRACE);
    kp_live_unlock();
    *made = trace;
    return KP_OK;
}

/* Removes the trace from the table of handles. From then on kport refuses its handle. */
static int retire(kp_trace *trace)
{
    if (!kp_live_has(trace, KP_LIVE_TRACE))
        return kp_trace_look(trace);
    if (trace->forks == kp_fork_count()) { /* seldom taken: false only in a fork's child */
        bool used = false;
        pthread_mutex_lock(&trace->lock);
        for (const struct kp_trace_machine *m = trace->machines; m; m = m->next)
            used = used || m->machine; /* seldom taken: only with two machines in use */
        pthread_mutex_unlock(&trace->lock);
        if (used || trace->writers > 0) /* seldom taken: only while the trace is written */
            return kp_set_error(KP_EBUSY, used ? "a machine is recorded in the trace; it may be "
                                                 "freed when all such are destroyed"
                                               : "the trace is being written; it may be freed "
                                                 "when that is over");
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
    /* In the child of a fork, a thread that does not exist there may hold the trace's locks for
     * ever. So the child frees nothing. Its memory is freed when the process ends. */
    if (status || trace->forks != kp_fork_count()) /* seldom taken: only in a fork's child */
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

/* Locks the trace and its machines. Until the trace is released, nobody frees the trace, no machine
 * joins or leaves it, and no run begins. */
static int hold(kp_trace *trace)
{
    if (!trace)
        return kp_set_error(KP_EARGUMENT, "trace is NULL; it must be what kp_trace_create made");
    bool used = false;
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
        /* seldom taken: only with two machines in use */
        used = used || kp_machine_use_of(m->machine) != KP_USE_NONE;
    }
    if (!used)
        return KP_OK;
    let_go(trace);
    return kp_set_error(KP_EBUSY, "a machine of the trace is in use; what was recorded may be read "
                                  "when its run is over");
}

uint64_t kp_trace_dropped(kp_trace *trace)
{
    if (hold(trace))
        return 0;
    uint64_t lost = kp_trace_lost(trace);
    let_go(trace);
    return lost;
}

/* --- The file --- */

static int print_to(const kp_trace *trace, FILE *out)
{
    return kp_trace_print(trace, out) ? KP_OK
                                      : kp_set_error(KP_EMEMORY, "no memory to write a trace");
}

int kp_trace_write_to(kp_trace *trace, FILE *out)
{
    int status = hold(trace);
    if (!status) {
        status = print_to(trace, out);
        let_go(trace);
    }
    return status;
}

/* Opens a new file in the folder of `path`. Returns its stream, and writes its name to `name`. */
static FILE *open_beside(const char *path, char *name, size_t size)
{
    FILE *out = NULL;
    errno = EEXIST;
    /* untaken: only if a thousand such files exist */
    for (unsigned i = 0; !out && errno == EEXIST && i < 1000; i++) {
        snprintf(name, size, "%s.%ld.%u.tmp", path, (long)getpid(), i);
        out = fopen(name, "wxe");
    }
    return out;
}

static int refuse_file(const char *path)
{
    return kp_set_error(KP_EFILE, "the trace %.300s could not be written: %.100s", path,
                        strerror(errno));
}

static int write_beside(const kp_trace *trace, const char *path, char *name, size_t size)
{
    FILE *out = open_beside(path, name, size);
    if (!out)
        return refuse_file(path);
    errno = 0;
    int status = print_to(trace, out);
    bool whole = !ferror(out);
    whole = fclose(out) == 0 && whole; /* seldom taken: only if a write fails, not fclose */
    if (!status && (!whole || rename(name, path) != 0)) /* seldom taken: only if rename fails */
        status = refuse_file(path);
    if (status)
        unlink(name);
    return status;
}

static int write_file(const kp_trace *trace, const char *path)
{
    struct stat there;
    bool found = lstat(path, &there) == 0;
    if (!found && errno != ENOENT)
        return refuse_file(path);
    /* Renaming a file to `path` would replace anything that lies there. */
    if (found && !S_ISREG(there.st_mode))
        return kp_set_error(KP_EFILE,
                            "the trace %.300s would replace what is no regular file; it may be a "
                            "name that is free, or that of a regular file",
                            path);
    size_t size = strlen(path) + 64;
    char *name = malloc(size);
    int status = name ? write_beside(trace, path, name, size)
                      : kp_set_error(KP_EMEMORY, "no memory for the name of a file");
    free(name);
    return status;
}

int kp_trace_write(kp_trace *trace, const char *path)
{
    if (!path || !*path)
        return kp_set_error(KP_EARGUMENT, "path is %s; it may be the name of a file",
                            path ? "empty" : "NULL");
    int status = hold(trace);
    if (!status) {
        status = write_file(trace, path);
        let_go(trace);
    }
    return status;
}
