/* Runs the corpus: every program on every kind of machine, in a child process with a watchdog.
 *
 * usage: wrong [wrong|right|random|list] [--seeds N] [--first SEED] [--delays] [--only NAME]
 *              [--on SETTING] [--all] [--verbose]
 *
 * --all: run everything under a sanitizer too. Without it a sanitizer's build runs each program on
 * two kinds of machines, and a quarter of the random programs.
 *
 * A child runs one program after the other. If a program crashes or hangs, it has failed, and a new
 * child continues with the next program. */
#include "wrong.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
#define WATCHES_THREADS true
#else
#define WATCHES_THREADS false
#endif
#ifdef __SANITIZE_ADDRESS__
#define SANITIZED true
#else
#define SANITIZED WATCHES_THREADS
#endif

enum {
    WATCHDOG_SECONDS = SANITIZED ? 480 : 160
};

static const struct {
    const char *name;
    unsigned kind;
    int workers; /* the number of workers of a machine of fibers; 0: threads */
    bool attached, mailboxes, seeded;
} settings[] = {
    {"threads", ON_THREADS, 0, false, false, false},
    {"attached threads", ON_ATTACHED, 0, true, false, false},
    {"fibers on 2 workers", ON_FIBERS, 2, false, false, false},
    {"fibers in turn", ON_FIBERS, 1, false, false, false},
    {"fibers in a drawn order", ON_FIBERS, 1, false, false, true},
    {"threads, mailboxes", ON_THREADS | BY_MAILBOXES, 0, false, true, false},
    {"fibers, mailboxes", ON_FIBERS | BY_MAILBOXES, 1, false, true, true},
};
enum {
    SETTINGS = sizeof settings / sizeof *settings
};

static const struct {
    const char *name;
    const wrong_program *const *programs;
    bool right;
} categories[] = {
    {"deadlock", wrong_deadlock, false},
    {"order", wrong_order, false},
    {"parameters", wrong_parameters, false},
    {"operators", wrong_operators, false},
    {"lengths", wrong_lengths, false},
    {"ports", wrong_ports, false},
    {"loss", wrong_loss, false},
    {"lifetime", wrong_lifetime, false},
    {"attached", wrong_attached, false},
    {"memory", wrong_memory, false},
    {"resources", wrong_resources, false},
    {"plans", wrong_plans, false},
    {"right", right_programs, true},
};
enum {
    CATEGORIES = sizeof categories / sizeof *categories
};

/* A run that a child is to make. */
typedef struct task {
    const wrong_program *program; /* NULL: a random program */
    int category, setting;
    uint64_t seed;
} task;

static struct {
    const char *only, *on;
    bool verbose, delays, all;
    uint64_t seeds, first;
} options = {.seeds = 1, .first = 1};

/* --- In the child --- */

/* A message from the child to the parent. If `begins` is set, run number `job` begins. Otherwise
 * the run has ended, and `text` says what was wrong, or is "". The child writes each message by a
 * single write, so the parent reads the whole message at once. */
typedef struct reply {
    int job;
    bool begins;
    char text[1800];
} reply;

static const char *run_program(const task *job)
{
    static scene stage;
    memset(&stage, 0, sizeof stage);
    stage.program = job->program;
    stage.config = job->program->config;
    stage.seed = job->seed;
    stage.delays = options.delays;
    stage.attached = settings[job->setting].attached;
    if (stage.config.processors == 0)
        stage.config.processors = 4;
    if (settings[job->setting].workers > 0) {
        stage.config.carrier = KP_CARRIER_FIBERS;
        stage.config.workers = settings[job->setting].workers;
        stage.config.seed = settings[job->setting].seeded ? job->seed : 0;
    }
    if (settings[job->setting].mailboxes)
        stage.config.discipline = KP_ROUNDS_BY_MAILBOXES;
    const char *machine = run_scene(&stage);
    const char *told = judge(&stage);
    return *told ? told : machine;
}

static void work(const task *jobs, int first, int count, int to)
{
    for (int i = first; i < count; i++) {
        reply answer = {.job = i, .begins = true};
        if (write(to, &answer, sizeof answer) < 0)
            _exit(2);
        answer.begins = false;
        snprintf(answer.text, sizeof answer.text, "%s",
                 jobs[i].program ? run_program(&jobs[i])
                                 : run_random(jobs[i].seed, options.delays));
        if (write(to, &answer, sizeof answer) < 0)
            _exit(2);
    }
    exit(0); /* a sanitizer reports leaked memory here */
}

/* --- In the parent --- */

/* Waits for the child's next message. Returns false if the child has ended or hangs. *why then says
 * how the child ended; "" if it ended well. */
static bool listen(int from, pid_t child, reply *answer, char why[64])
{
    struct pollfd poll_for = {.fd = from, .events = POLLIN};
    int ready = poll(&poll_for, 1, WATCHDOG_SECONDS * 1000);
    if (ready > 0 && read(from, answer, sizeof *answer) == (ssize_t)sizeof *answer)
        return true;
    if (ready == 0)
        kill(child, SIGKILL);
    int status = 0;
    waitpid(child, &status, 0);
    if (ready == 0)
        snprintf(why, 64, "hangs");
    else if (WIFSIGNALED(status))
        snprintf(why, 64, "ends with signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        snprintf(why, 64, "the child ends with status %d", WEXITSTATUS(status));
    else
        why[0] = 0;
    return false;
}

static bool said(const task *job, const char *text, unsigned char *failed)
{
    if (!*text) {
        if (options.verbose)
            printf("ok: %s, %s\n", job->program ? job->program->name : "random",
                   settings[job->setting].name);
        return true;
    }
    *failed = 1;
    printf("%s/%s, %s, seed %llu: %s\n", job->program ? categories[job->category].name : "random",
           job->program ? job->program->name : "program",
           job->program ? settings[job->setting].name : "its own machine",
           (unsigned long long)job->seed, text);
    if (job->program)
        printf("    %s\n", job->program->what);
    return false;
}

/* Lets children make the runs, and sets failed[i] for each run i that fails. Returns the number of
 * failures. */
static int run_jobs(const task *jobs, int count, unsigned char *failed)
{
    int failures = 0;
    for (int first = 0; first < count;) {
        int pipes[2], at = first - 1;
        char why[64];
        if (pipe(pipes) != 0)
            abort();
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            close(pipes[0]);
            work(jobs, first, count, pipes[1]);
        }
        close(pipes[1]);
        for (reply answer; listen(pipes[0], child, &answer, why);) {
            at = answer.job;
            if (!answer.begins && !said(&jobs[at], answer.text, &failed[at]))
                failures++;
        }
        close(pipes[0]);
        if (*why && at >= first)
            failures += !said(&jobs[at], why, &failed[at]);
        else if (*why || at < first)
            abort();
        first = at + 1;
    }
    return failures;
}

/* --- The corpus --- */

/* Stores the runs of one program in `jobs` and returns their number. A run under a sanitizer takes
 * long. So there each program runs on two kinds of machines only, which change from program to
 * program. */
static int jobs_of(const wrong_program *program, int category, task *jobs)
{
    static int programs;
    int kept[SETTINGS], count = 0, machines = 0, turn = programs++;
    if (options.only && !strstr(program->name, options.only))
        return 0;
    for (int setting = 0; setting < SETTINGS; setting++) {
        unsigned kind = settings[setting].kind;
        if ((program->without & kind) || (WATCHES_THREADS && (program->not_under_tsan & kind)) ||
            (program->caller && (kind & (ON_ATTACHED | BY_MAILBOXES))) ||
            ((kind & ON_FIBERS) && !kp_fibers()) ||
            (options.on && !strstr(settings[setting].name, options.on)))
            continue;
        kept[machines++] = setting;
    }
    bool few = SANITIZED && !options.all && machines > 2;
    for (int i = 0; i < (few ? 2 : machines); i++) {
        int setting = kept[few ? (turn + i * (machines / 2)) % machines : i];
        for (uint64_t seed = options.first; seed < options.first + options.seeds; seed++)
            jobs[count++] = (task){program, category, setting, seed};
    }
    return count;
}

/* Prints a line about a category: how many of its programs passed in all of their runs. */
static void tally(int category, bool right, const task *jobs, int count,
                  const unsigned char *failed, int *named_in_all, int *programs_in_all)
{
    int programs = 0, named = 0;
    bool good = true;
    for (int i = 0; i < count; i++) {
        good &= !failed[i];
        if (i + 1 < count && jobs[i + 1].program == jobs[i].program)
            continue;
        programs++;
        named += good;
        good = true;
    }
    if (programs > 0)
        printf("%-12s %3d of %3d %s\n", categories[category].name, named, programs,
               right ? "without an alarm" : "named");
    *named_in_all += named;
    *programs_in_all += programs;
}

static int run_corpus(bool right)
{
    enum {
        MOST_PROGRAMS = 64
    };
    int named = 0, programs = 0, runs = 0;
    task *jobs = malloc(sizeof *jobs * MOST_PROGRAMS * SETTINGS * options.seeds);
    unsigned char *failed = calloc(MOST_PROGRAMS * SETTINGS, options.seeds);
    if (!jobs || !failed)
        abort();
    for (int i = 0; i < CATEGORIES; i++) {
        int count = 0;
        if (categories[i].right != right)
            continue;
        for (int p = 0; categories[i].programs[p]; p++)
            count += jobs_of(categories[i].programs[p], i, jobs + count);
        memset(failed, 0, (size_t)count);
        (void)run_jobs(jobs, count, failed);
        tally(i, right, jobs, count, failed, &named, &programs);
        runs += count;
    }
    free(jobs);
    free(failed);
    printf("%s: %d of %d, in %d runs\n",
           right ? "right programs without an alarm" : "wrong programs named", named, programs,
           runs);
    return programs == 0 || named != programs;
}

static int run_randoms(void)
{
    if (SANITIZED && !options.all)
        options.seeds = (options.seeds + 3) / 4;
    task *jobs = calloc(options.seeds, sizeof *jobs);
    unsigned char *failed = calloc(options.seeds, 1);
    for (uint64_t i = 0; i < options.seeds; i++)
        jobs[i].seed = options.first + i;
    int failures = run_jobs(jobs, (int)options.seeds, failed);
    printf("right programs without an alarm: %d of %d\n", (int)options.seeds - failures,
           (int)options.seeds);
    free(jobs);
    free(failed);
    return failures != 0;
}

static int list_all(void)
{
    for (int i = 0; i < CATEGORIES; i++)
        for (int p = 0; categories[i].programs[p]; p++)
            printf("%s/%s: %s\n", categories[i].name, categories[i].programs[p]->name,
                   categories[i].programs[p]->what);
    return 0;
}

static int run_wrong(void)
{
    return run_corpus(false);
}

static int run_right(void)
{
    return run_corpus(true);
}

static const struct {
    const char *name;
    int (*run)(void);
} commands[] = {
    {"wrong", run_wrong}, {"right", run_right}, {"random", run_randoms}, {"list", list_all}};
enum {
    COMMANDS = sizeof commands / sizeof *commands
};

/* Reads an option and, if the option has one, its value. Returns false if the argument is not an
 * option. */
static bool take_option(char **argv, int *i)
{
    const char *name = argv[*i], *value = argv[*i + 1];
    if (strcmp(name, "--verbose") == 0)
        return options.verbose = true;
    if (strcmp(name, "--delays") == 0)
        return options.delays = true;
    if (strcmp(name, "--all") == 0)
        return options.all = true;
    if (!value)
        return false;
    ++*i;
    if (strcmp(name, "--only") == 0)
        options.only = value;
    else if (strcmp(name, "--on") == 0)
        options.on = value;
    else if (strcmp(name, "--seeds") == 0)
        options.seeds = strtoull(value, NULL, 10);
    else if (strcmp(name, "--first") == 0)
        options.first = strtoull(value, NULL, 10);
    else
        return false;
    return true;
}

int main(int argc, char **argv)
{
    int command = 0;
    for (int i = 1; i < argc; i++) {
        int named = 0;
        while (named < COMMANDS && strcmp(argv[i], commands[named].name) != 0)
            named++;
        if (named < COMMANDS)
            command = named;
        else if (!take_option(argv, &i)) {
            fprintf(stderr, "%s: no such command or option, see the head of runner.c\n", argv[i]);
            return 2;
        }
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    return commands[command].run();
}
