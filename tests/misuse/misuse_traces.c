/* Misuse of traces: creating a trace wrongly, giving it to two machines, reading or freeing it too
 * early. */
#include "tests/misuse/misuse.h"

#include <sys/wait.h>
#include <unistd.h>

static kp_trace *trace;
static int (*within)(void);

static int nothing(kp_proc *self, void *arg)
{
    (void)self;
    (void)arg;
    return 0;
}

static kp_trace *made(void)
{
    return kp_trace_create(0, &trace) ? NULL : trace;
}

static kp_trace *freed(void)
{
    return made() && kp_trace_free(trace) == KP_OK ? trace : NULL;
}

/* Frees the trace and returns `status`. The error about the trace must stay readable afterwards. */
static int and_free(int status)
{
    return kp_trace_free(trace) ? 1 : status;
}

static int records_few(void)
{
    return kp_trace_create(15, &trace);
}

static int create_null(void)
{
    return kp_trace_create(0, NULL);
}

static int machine_with(void)
{
    kp_config config = {.processors = 2, .trace = trace};
    kp_machine *machine;
    int status = kp_machine_create(&config, &machine);
    return status != kp_run(&config, nothing, NULL, NULL) || machine ? 1 : status;
}

static int machine_freed(void)
{
    return freed() ? machine_with() : 1;
}

static int write_null(void)
{
    return kp_trace_write(NULL, "trace.json");
}

static int path_null(void)
{
    return made() ? and_free(kp_trace_write(trace, NULL)) : 1;
}

static int path_empty(void)
{
    return made() ? and_free(kp_trace_write(trace, "")) : 1;
}

static int path_device(void)
{
    return made() ? and_free(kp_trace_write(trace, "/dev/null")) : 1;
}

static int path_nowhere(void)
{
    return made() ? and_free(kp_trace_write(trace, "/no/such/trace.json")) : 1;
}

static int write_freed(void)
{
    return freed() ? kp_trace_write(trace, "trace.json") : 1;
}

static int dropped_freed(void)
{
    return freed() ? misuse_told(kp_trace_dropped(trace) == 0) : 1;
}

static int free_twice(void)
{
    return freed() ? kp_trace_free(trace) : 1;
}

static int never_made(void)
{
    char text[64] = "no trace";
    return kp_trace_free((kp_trace *)(void *)text);
}

/* --- Traces in use --- */

static int call_within(kp_proc *self, void *arg)
{
    kp_error_record *said = arg;
    if (kp_processor(self) == 0 && within() != KP_OK)
        *said = *kp_last_error();
    return 0;
}

static int during_run(int (*call)(void))
{
    static kp_error_record said;
    kp_config config = {.processors = 2, .trace = made()};
    said.status = 1;
    within = call;
    int status = kp_run(&config, call_within, &said, NULL);
    status = and_free(status) ? 1 : said.status;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

static int write_it(void)
{
    return kp_trace_write(trace, "trace.json");
}

static int free_it(void)
{
    return kp_trace_free(trace);
}

static int write_in_run(void)
{
    return during_run(write_it);
}

static int free_in_run(void)
{
    return during_run(free_it);
}

static int free_with_machine(void)
{
    kp_config config = {.processors = 2, .trace = made()};
    kp_machine *machine;
    if (kp_machine_create(&config, &machine))
        return 1;
    int status = kp_trace_free(trace);
    kp_error_record said = *kp_last_error();
    if (kp_machine_destroy(machine) || kp_trace_free(trace))
        return 1;
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

static int in_child(void)
{
    int pipes[2], ended;
    kp_error_record said = {.status = 1};
    if (!made() || pipe(pipes))
        return 1;
    pid_t child = fork();
    if (child == 0) {
        bool all =
            kp_trace_write(trace, "trace.json") == KP_EFAILED && machine_with() == KP_EFAILED;
        ssize_t bytes = all ? write(pipes[1], kp_last_error(), sizeof said) : 0;
        _exit(bytes == (ssize_t)sizeof said ? 0 : 1);
    }
    bool heard = child > 0 && waitpid(child, &ended, 0) == child && ended == 0 &&
                 read(pipes[0], &said, sizeof said) == (ssize_t)sizeof said;
    close(pipes[0]);
    close(pipes[1]);
    int status = and_free(heard ? said.status : 1);
    *(kp_error_record *)kp_last_error() = said;
    return status;
}

#define GONE "the trace is none that there is: it has been freed, or this never was one"

const struct misuse misuses_of_traces[] = {
    {"`kp_trace_create`", "`records` are too few, or too many", KP_EARGUMENT,
     "records is 15; it may be 16 ... 16777216, or 0 for 1024", .alone = records_few},
    {"`kp_trace_create`", "`trace` is NULL", KP_EARGUMENT,
     "trace is NULL; it must be where the handle goes", .alone = create_null},
    {"`kp_run`, `kp_machine_create`", "`trace` has been freed", KP_EENDED, GONE,
     .alone = machine_freed},
    {"`kp_trace_write`, `kp_trace_dropped`", "`trace` is NULL", KP_EARGUMENT,
     "trace is NULL; it must be what kp_trace_create made", .alone = write_null},
    {"`kp_trace_write`", "`path` is NULL", KP_EARGUMENT,
     "path is NULL; it may be the name of a file", .alone = path_null},
    {"`kp_trace_write`", "`path` is empty", KP_EARGUMENT,
     "path is empty; it may be the name of a file", .alone = path_empty},
    {"`kp_trace_write`", "`path` is a device, a pipe, a link or a folder", KP_EFILE,
     "the trace /dev/null would replace what is no regular file; it may be a name that is free, or "
     "that of a regular file",
     .alone = path_device},
    {"`kp_trace_write`", "`path` cannot be written", KP_EFILE,
     "the trace /no/such/trace.json could not be written: No such file or directory",
     .alone = path_nowhere},
    {"`kp_trace_write`", "a run is under way, or a thread attached", KP_EBUSY,
     "a machine of the trace is in use; what was recorded may be read when its run is over",
     .alone = write_in_run},
    {"`kp_trace_write`", "the trace has been freed", KP_EENDED, GONE, .alone = write_freed},
    {"`kp_trace_dropped`, which returns 0", "the trace has been freed", KP_EENDED, GONE,
     .alone = dropped_freed},
    {"`kp_trace_write`, `kp_machine_create`", "in the child of a fork, the parent's trace",
     KP_EFAILED,
     "the trace belongs to the parent of this process; after a fork the child may make its own",
     .alone = in_child},
    {"`kp_trace_free`", "a run is under way", KP_EBUSY,
     "a machine is recorded in the trace; it may be freed when all such are destroyed",
     .alone = free_in_run},
    {"`kp_trace_free`", "a machine that has it is not destroyed", KP_EBUSY,
     "a machine is recorded in the trace; it may be freed when all such are destroyed",
     .alone = free_with_machine},
    {"`kp_trace_free`", "twice", KP_EENDED, GONE, .alone = free_twice},
    {"`kp_trace_free`", "no trace at all", KP_EENDED, GONE, .alone = never_made},
    {NULL}};
