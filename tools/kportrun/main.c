/* kportrun runs a program of MPI or BSPlib. Its ranks are fibers or threads of this process, and
 * each has a copy of the program. */
#include "bsp.h"
#include "copies.h"
#include "crash.h"
#include "interleave.h"
#include "lines.h"
#include "options.h"
#include "program.h"
#include "record.h"
#include "report/report.h"

#include "lib/bsp/job.h"
#include "lib/mpi/job.h"

#include <errno.h>
#include <kport.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct rank {
    const struct kp_copy *copy;
    struct kp_copy_frame frame;
    char **arguments; /* the rank's own copies of the program's arguments */
};

static struct options options;
static struct rank *ranks;
static bool is_bsp;      /* the program is one of BSPlib, not of MPI */
static int loading = -1; /* the rank whose copy is being loaded */
static pid_t home;       /* the process of the ranks; 0: they are not run yet */

/* --- What the copies need of kportrun --- */

static int rank_here(void)
{
    return loading >= 0 ? loading : is_bsp ? kp_bsp_number() : kp_mpi_rank();
}

static void last_call(char *text, size_t size)
{
    (is_bsp ? kp_bsp_last_call : kp_mpi_last_call)(text, size);
}

/* Whether this process is one that a rank has made by fork. It has copies of all ranks, which must
 * not go on here. */
static bool is_child(void)
{
    return home != 0 && getpid() != home;
}

static struct kp_copy_frame *frame_here(void)
{
    int rank = is_child() ? -1 : rank_here();
    bool is_own = loading >= 0 || is_bsp || kp_mpi_is_own_thread();
    return rank >= 0 && is_own ? &ranks[rank].frame : NULL;
}

static _Noreturn void end_all(int status)
{
    if (is_child()) {
        lines_finish(rank_here());
        _exit(status);
    }
    report_all(NULL);
    lines_end();
    /* Other ranks may be recording at this moment. */
    if (options.trace)
        fputs("kportrun: no trace has been written, because the ranks had to be ended\n", stderr);
    _exit(status);
}

static void end(int status)
{
    end_all(status);
}

static void exiting(int status)
{
    (is_bsp ? kp_bsp_exit : kp_mpi_exit)(status);
}

__attribute__((visibility("default"))) struct kp_copy_host kp_copy_host = {
    .frame = frame_here,
    .rank = rank_here,
    .exiting = exiting,
    .end = end,
    .sleep = kp_mpi_sleep,
    .yield = kp_mpi_yield,
};

/* --- What ThreadSanitizer needs of kportrun --- */

const char *__tsan_default_suppressions(void);

/* Ranks share no memory but that through which kport carries their messages. kport is compiled
 * without ThreadSanitizer, which therefore sees its copies but not what orders them. */
__attribute__((visibility("default"))) const char *__tsan_default_suppressions(void)
{
    return "called_from_lib:libkport.so\n"
           "called_from_lib:libkport_mpi.so\n"
           "called_from_lib:libkport_bsp.so\n";
}

/* --- The ranks --- */

static char **copy_arguments(char **arguments)
{
    size_t count = 0;
    while (arguments[count])
        count++;
    char **copies = calloc(count + 1, sizeof *copies);
    for (size_t i = 0; copies && i < count; i++) {
        if (!(copies[i] = strdup(arguments[i])))
            return NULL;
    }
    return copies;
}

static int run_rank(int number, void *argument)
{
    struct rank *rank = &ranks[number];
    int argc = 0;
    (void)argument;
    crash_rank(number);
    while (rank->arguments[argc])
        argc++;
    if (!is_bsp)
        kp_mpi_use_openmp(rank->copy->parallel_level);
    int status = rank->copy->run(&rank->frame, argc, rank->arguments, environ);
    if (is_child())
        end_all(status & 0xff);
    lines_finish(number);
    return status;
}

static void set_loading(int rank)
{
    loading = rank;
}

static int load_ranks(int file, const char *path)
{
    const struct kp_copy **copies = calloc((size_t)options.ranks, sizeof *copies);
    ranks = calloc((size_t)options.ranks, sizeof *ranks);
    for (int i = 0; ranks && i < options.ranks; i++)
        ranks[i].arguments = copy_arguments(options.program);
    kp_copy_host.no_input = fopen("/dev/null", "re");
    if (crash_begin(options.ranks, options.stack_bytes, rank_here, last_call) || !copies ||
        !ranks || !ranks[options.ranks - 1].arguments || !kp_copy_host.no_input ||
        !lines_begin(options.ranks, options.prefix, rank_here)) {
        fprintf(stderr, "kportrun: no memory for %d ranks\n", options.ranks);
        return STATUS_UNLOADED;
    }
    /* Messages of libc begin with this name. */
    program_invocation_name = options.program[0];
    const char *slash = strrchr(options.program[0], '/');
    program_invocation_short_name = slash ? (char *)slash + 1 : options.program[0];
    int status = copies_load(file, path, options.ranks, set_loading, copies);
    for (int i = 0; i < options.ranks; i++)
        ranks[i].copy = copies[i];
    free(copies);
    is_bsp = status == 0 && ranks[0].copy->bsp_mark;
    return status ? status : options_suit(&options, is_bsp);
}

/* --- The run --- */

static void leave(void *argument, int status)
{
    (void)argument;
    end_all(status);
}

static void *end_in_time(void *argument)
{
    double seconds = options.timeout_s;
    struct timespec left = {.tv_sec = (time_t)seconds,
                            .tv_nsec = (long)((seconds - (double)(time_t)seconds) * 1e9)};
    (void)argument;
    while (nanosleep(&left, &left) != 0)
        ;
    char head[100];
    snprintf(head, sizeof head, "the program has not ended within %g s (--timeout)", seconds);
    lines_end();
    (is_bsp ? kp_bsp_time_over : kp_mpi_time_over)(head, STATUS_TIMEOUT);
    fprintf(stderr, "kportrun: %s\n", head); /* before or after the run of the ranks */
    end_all(STATUS_TIMEOUT);
}

static bool watch_time(void)
{
    pthread_t thread;
    return options.timeout_s == 0 ||
           (pthread_create(&thread, NULL, end_in_time, NULL) == 0 && pthread_detach(thread) == 0);
}

static void exit_rank(void *argument)
{
    (void)argument;
    ranks[rank_here()].copy->exit(0);
}

static int run_mpi(const kp_config *config, kp_report *report, int *status)
{
    const struct kp_mpi_job job = {
        .config = *config,
        .buffering = options.buffering,
        .unchecked = options.unchecked,
        .strict = options.strict,
        .decided = options.interleave ? record_decision : NULL,
        .tell = report_finding,
        .all_told = report_all,
        .leave = leave,
    };
    return kp_mpi_run(&job, run_rank, NULL, report, status);
}

static int run_bsp(const kp_config *config, kp_report *report, int *status)
{
    struct kp_bsp_job job = {
        .config = *config,
        .checks = options.checks,
        .tell = report_finding,
        .leave = leave,
        .end_process = exit_rank,
    };
    return bsp_run(&job, &options, run_rank, report, status);
}

static int run_job(void)
{
    int status = 0;
    kp_report report = {0};
    kp_config config = options_config(&options);
    kp_trace *trace = NULL;
    home = getpid();
    if (options.trace && kp_trace_create(0, &trace) != 0) {
        fprintf(stderr, "kportrun: %s\n", kp_last_error()->sentence);
        return STATUS_UNLOADED;
    }
    config.trace = trace;
    if (!watch_time()) {
        fprintf(stderr, "kportrun: no thread for --timeout: %s\n", strerror(errno));
        return STATUS_UNLOADED;
    }
    if ((is_bsp ? run_bsp : run_mpi)(&config, &report, &status) != 0) {
        fprintf(stderr, "kportrun: %s\n",
                report.error.sentence[0] ? report.error.sentence : kp_last_error()->sentence);
        status = status ? status : 1;
    }
    report_all(NULL);
    if (trace && kp_trace_write(trace, options.trace) != 0) {
        fprintf(stderr, "kportrun: %s\n", kp_last_error()->sentence);
        status = status ? status : 1;
    }
    lines_end();
    return status;
}

/* Starts gdb with this command, without --gdb. One worker carries the fibers, so that a step goes
 * on in the same rank until the rank waits. */
static int debug(char **arguments)
{
    static char *before[] = {"gdb",    "-q", "-iex", "set breakpoint pending on",
                             "--args", NULL, NULL};
    size_t count = 0, first = sizeof before / sizeof *before - 1;
    char *self = realpath("/proc/self/exe", NULL);
    while (arguments[count])
        count++;
    char **all = calloc(first + count + 3, sizeof *all);
    if (!self || !all)
        return STATUS_UNLOADED;
    memcpy(all, before, first * sizeof *all);
    all[first - 1] = self;
    if (!options.threads && !options.workers) {
        all[first++] = "--workers";
        all[first++] = "1";
    }
    for (size_t i = 1; i < count; i++) {
        bool is_option = &arguments[i] < options.program;
        if (!is_option || strncmp(arguments[i], "--gdb", 5) != 0)
            all[first++] = arguments[i];
    }
    execvp(all[0], all);
    fprintf(stderr, "kportrun: cannot start gdb: %s\n", strerror(errno));
    return STATUS_UNLOADED;
}

int main(int argc, char **argv)
{
    int status;
    char *path;
    if (!options_read(argc, argv, &options, &status))
        return status;
    if (options.bsp_parameters)
        return bsp_print_parameters(&options);
    if (options.gdb)
        return debug(argv);
    int file = program_open(options.program[0], &path, &status);
    if (file < 0)
        return status;
    program_preload(file, argv);
    report_begin(options.json);
    status = load_ranks(file, path);
    free(path);
    if (status)
        return status;
    return options.interleave ? interleave(&options, run_job) : run_job();
}
