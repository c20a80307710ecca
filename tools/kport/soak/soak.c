/* The command `kport soak`. It carries out random trials (trial.h) on random machines, until the
 * time is over or the numbers that the user wants are reached. A seed determines a machine and all
 * its trials, and each machine has the next seed. So a machine on which a trial fails can be
 * repeated alone. */
#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/common/random.h"
#include "tools/kport/soak/leaks.h"
#include "tools/kport/soak/plant.h"
#include "tools/kport/soak/trial.h"
#include "tools/kport/soak/watchdog.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif
/* Whether a fiber may call pthread_exit. ThreadSanitizer requires that a thread ends on the stack
 * on which it began, but a fiber that exits ends its thread on the fiber's stack. */
#ifdef __SANITIZE_THREAD__
#define MAY_EXIT false
#else
#define MAY_EXIT true
#endif

#define DEFAULT_SECONDS  10
#define DEFAULT_PATIENCE 60
#define MOST_TRIALS      8 /* the largest number of trials on one machine */
#define SHRINK_ATTEMPTS  400

static struct trial_scope scope = {
    .most_processors = 48,
    .most_steps = 150,
    .most_bytes = (size_t)100 << 10,
    .may_exit = MAY_EXIT,
    .faults = 40,
    .endings = 500,
};

struct soak {
    /* The values of the options. `seconds`, `operations`, `faults` and `machines` are 0 if the
     * option is not given. */

    uint64_t seed, seconds, operations, faults, machines, patience;
    struct trial_result sum;
    uint64_t machines_made, trials, hangs, leaks;
    uint64_t failed_seed;
    kp_config machine; /* over MPI: what all machines have in common */
    char shortfall[TRIAL_SENTENCE];
    double start;
};

/* Returns the time in seconds, by which decisions are made. */
static double now(void)
{
    return (double)processes_now() / 1e9;
}

/* --- Printing the results --- */

static json_t *to_json(const struct soak *soak)
{
    json_t *object = json_object();
    const struct {
        const char *name;
        uint64_t value;
    } figures[] = {
        {"seed", soak->seed},
        {"operations", soak->sum.operations},
        {"faults_planted", soak->sum.planted},
        {"faults_named", soak->sum.named},
        {"wrong_bytes", soak->sum.wrong_bytes},
        {"hangs", soak->hangs},
        {"leaks", soak->leaks},
        {"machines", soak->machines_made},
        {"trials", soak->trials},
    };
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        json_object_set_new(object, figures[i].name, json_integer((json_int_t)figures[i].value));
    if (processes_several())
        json_object_set_new(object, "leaks", json_null()); /* not counted */
    processes_json(object);
    json_object_set_new(object, "seconds", json_real(now() - soak->start));
    if (soak->shortfall[0]) {
        json_object_set_new(object, "failed_seed", json_integer((json_int_t)soak->failed_seed));
        json_object_set_new(object, "shortfall", json_string(soak->shortfall));
    }
    return object;
}

static void print(const struct soak *soak, FILE *out)
{
    fprintf(out,
            "%" PRIu64 " operations on %" PRIu64 " machines in %.1f s, seed %" PRIu64 "\n"
            "  faults planted %" PRIu64 ", named on every processor they concern %" PRIu64 "\n"
            "  wrong bytes %" PRIu64 ", hangs %" PRIu64 ", leaks %" PRIu64 "\n",
            soak->sum.operations, soak->machines_made, now() - soak->start, soak->seed,
            soak->sum.planted, soak->sum.named, soak->sum.wrong_bytes, soak->hangs, soak->leaks);
    if (processes_several()) {
        fprintf(out, "  without faults, leaks not counted, over ");
        processes_print(out);
        fprintf(out, "\n");
    }
}

/* Prints the results so far, whether a trial has failed or not. Returns the exit status of the
 * command. */
static int tell(const struct soak *soak, int json)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_FAILED;
    if (json)
        output_json(out, "soak", to_json(soak));
    else
        print(soak, out);
    int written = output_end(out, EXIT_DONE);
    return soak->shortfall[0] ? EXIT_FAILED : written;
}

/* --- Reporting a failed trial --- */

static bool still_fails(const struct trial *trial, void *context)
{
    double *end = context;
    struct trial_result result;
    for (int i = 0; i < 3 && now() < *end; i++) {
        watchdog_begin(trial, NULL);
        bool right = trial_run_alone(trial, &result);
        watchdog_end();
        if (!right)
            return true;
    }
    return false;
}

/* Prints the command that repeats the machine on which a trial failed. */
static void tell_again(const struct soak *soak)
{
    char start[64] = "", carrier[64] = "";
    if (processes_several()) {
        const int here = processes_here(0);
        snprintf(start, sizeof start, "mpirun -n %d ", processes_processors() / here);
        snprintf(carrier, sizeof carrier, " --carrier mpi --per-process %d", here);
    }
    fprintf(stderr, "again: %skport soak%s --seed %" PRIu64 " --machines 1\n", start, carrier,
            soak->failed_seed);
}

/* Prints how to repeat the machine on which a trial failed. Then tries for some seconds to make the
 * failed trial smaller, and prints the smallest trial that still fails. Over MPI it only prints the
 * trial, because one process cannot repeat it. */
static void tell_shortfall(const struct soak *soak, const struct trial *trial)
{
    struct trial smallest;
    double end = now() + 10;
    fprintf(stderr, "kport: seed %" PRIu64 ": %s\n", soak->failed_seed, soak->shortfall);
    tell_again(soak);
    if (processes_several() && trial) {
        trial_print(trial, stderr);
        return;
    }
    if (!trial || !trial_copy(&smallest, trial))
        return;
    int attempts =
        still_fails(trial, &end) ? trial_shrink(&smallest, still_fails, &end, SHRINK_ATTEMPTS) : 0;
    fprintf(stderr, "%s, to be kept in a file for kport soak --replay FILE:\n",
            attempts > 0 ? "a smaller trial that fails too"
                         : "the trial, which does not fail every time");
    trial_print(&smallest, stderr);
    trial_free(&smallest);
}

static void fall_short(struct soak *soak, uint64_t seed, const char *sentence)
{
    soak->failed_seed = seed;
    snprintf(soak->shortfall, sizeof soak->shortfall, "%s", sentence);
}

/* --- The trials of one machine --- */

static void add(struct trial_result *sum, const struct trial_result *more)
{
    sum->operations += more->operations;
    sum->planted += more->planted;
    sum->named += more->named;
    sum->wrong_bytes += more->wrong_bytes;
}

/* Makes the result that of the process that has found the most. Returns false if any of them has
 * found that the trial fails. */
static bool agree(bool right, struct trial_result *result)
{
    double values[] = {!right, (double)result->wrong_bytes};
    if (processes_agree(values, 2) || (right && values[0] > 0))
        snprintf(result->shortfall, sizeof result->shortfall,
                 "another process tells what has failed");
    result->wrong_bytes = (uint64_t)values[1];
    return !result->shortfall[0];
}

/* Draws a trial at random and carries it out on the machine, on which earlier trials may have run.
 * Returns false if the trial fails. */
static bool one_trial(struct soak *soak, uint64_t seed, kp_machine *machine, struct trial *trial,
                      uint64_t *random)
{
    struct trial_result result;
    if (!trial_draw(trial, random, &scope)) {
        fall_short(soak, seed, "no memory for a trial");
        return false;
    }
    watchdog_begin(trial, machine);
    bool right = trial_run(machine, trial, &result);
    watchdog_end();
    const bool all_right = agree(right, &result);
    add(&soak->sum, &result);
    soak->trials++;
    if (!all_right)
        fall_short(soak, seed, result.shortfall);
    if (!right)
        tell_shortfall(soak, trial);
    trial_free(trial);
    return all_right;
}

/* Makes a machine, carries out a few trials on it, and destroys the machine. Returns false if a
 * trial fails or something leaks. */
static bool one_machine(struct soak *soak, uint64_t seed)
{
    uint64_t random = random_mixed(seed);
    struct trial trial;
    kp_machine *machine;
    char left[TRIAL_SENTENCE];
    struct held before = leaks_held();
    trial_draw_machine(&trial, &random, &scope);
    int trials = 1 + random_below(&random, MOST_TRIALS);
    bool right = true;
    if (processes_several())
        trial_draw_over(&trial, &soak->machine);
    watchdog_seed(seed);
    if (kp_machine_create(&trial.machine, &machine)) {
        fall_short(soak, seed, kp_last_error()->sentence);
        return false;
    }
    for (int i = 0; i < trials && right; i++)
        right = one_trial(soak, seed, machine, &trial, &random);
    soak->machines_made++;
    soak_plant_after_machine();
    if (kp_machine_destroy(machine) && right) {
        fall_short(soak, seed, kp_last_error()->sentence);
        return false;
    }
    if (right && !processes_several() && leaks_since(&before, left, sizeof left) > 0) {
        soak->leaks++;
        fall_short(soak, seed, left);
        tell_shortfall(soak, NULL);
        return false;
    }
    return right;
}

/* By what the soak ends: seconds, machines, operations or faults. */
static const char *limit_of(const struct soak *soak, double *done, double *all)
{
    const struct {
        uint64_t limit;
        double done;
        const char *unit;
    } limits[] = {{soak->seconds, now() - soak->start, "s"},
                  {soak->machines, (double)soak->machines_made, "machines"},
                  {soak->operations, (double)soak->sum.operations, "operations"},
                  {soak->faults, (double)soak->sum.planted, "faults"}};
    int i = 0;
    while (i < 3 && limits[i].limit == 0)
        i++;
    *done = limits[i].done;
    *all = (double)limits[i].limit;
    return limits[i].unit;
}

static bool is_over(const struct soak *soak)
{
    bool enough = soak->operations > 0 || soak->faults > 0;
    enough =
        enough && soak->sum.operations >= soak->operations && soak->sum.planted >= soak->faults;
    return interrupt_came() || enough ||
           (soak->machines > 0 && soak->machines_made >= soak->machines) ||
           (soak->seconds > 0 && now() - soak->start >= (double)soak->seconds);
}

/* --- The command --- */

static struct soak *watched;
static int watched_json;

/* Reports that a trial has not ended in time, and ends the program. The watchdog's thread calls
 * this function. */
static void hang(const char *sentence)
{
    watched->hangs++;
    fall_short(watched, watchdog_seed_now(), sentence);
    tell_again(watched);
    tell(watched, watched_json);
    _Exit(EXIT_FAILED);
}

static int replay(const char *path)
{
    struct trial trial;
    struct trial_result result;
    FILE *in = fopen(path, "r");
    if (!in) {
        fprintf(stderr, "kport: %s: %s\n", path, strerror(errno));
        return EXIT_IMPOSSIBLE;
    }
    bool read = trial_read(in, &trial);
    fclose(in);
    if (!read)
        return EXIT_IMPOSSIBLE;
    watchdog_begin(&trial, NULL);
    bool right = trial_run_alone(&trial, &result);
    watchdog_end();
    trial_free(&trial);
    if (!right)
        fprintf(stderr, "kport: %s: %s\n", path, result.shortfall);
    else
        printf("%" PRIu64 " operations, %" PRIu64 " faults planted, %" PRIu64 " named: all right\n",
               result.operations, result.planted, result.named);
    return right ? EXIT_DONE : EXIT_FAILED;
}

/* Finds the processes, if the processors are in several. Faults are not planted there: in most
 * cases a group over MPI is unusable after a fault, and deadlocks are not detected. */
static int find_processes(struct soak *soak, const char *path)
{
    kp_config *machine = &soak->machine;
    int status = EXIT_DONE;
    if (path)
        status = processes_refuse(machine, "--replay", "one process cannot repeat a trial");
    if (!status && soak->faults)
        status = processes_refuse(machine, "--faults", "none are planted there");
    status = status ? status : processes_find(machine);
    if (!status && processes_several()) {
        machine->processors = processes_processors();
        scope.faults = scope.endings = 0;
    }
    return status;
}

static int run(const struct command *command, int count, char **arguments)
{
    static struct soak soak = {.seed = 1, .patience = DEFAULT_PATIENCE};
    const char *path = NULL, *carrier = NULL;
    uint64_t per_process = 0;
    const struct option_row rows[] = {
        {"--seconds", OPTION_NUMBER, &soak.seconds, 1, 10000000},
        {"--operations", OPTION_NUMBER, &soak.operations, 1, UINT64_MAX},
        {"--faults", OPTION_NUMBER, &soak.faults, 1, UINT64_MAX},
        {"--machines", OPTION_NUMBER, &soak.machines, 1, UINT64_MAX},
        {"--seed", OPTION_NUMBER, &soak.seed, 0, UINT64_MAX},
        {"--patience", OPTION_NUMBER, &soak.patience, 1, 10000000},
        {"--replay", OPTION_TEXT, &path, 0, 0},
        {"--carrier", OPTION_TEXT, &carrier, 0, 0},
        {"--per-process", OPTION_NUMBER, &per_process, 1, PROCESSES_EACH},
        {"--json", OPTION_FLAG, &watched_json, 0, 0},
        {0}};
    int given = options_read(command, rows, count, arguments, NULL, 0);
    if (given < 0)
        return options_status(given);
    int status = processes_read(carrier, per_process, &soak.machine);
    status = status ? status : find_processes(&soak, path);
    if (status)
        return status;
    watched = &soak;
    soak.start = now();
    if (!soak.seconds && !soak.operations && !soak.faults && !soak.machines)
        soak.seconds = DEFAULT_SECONDS;
    if (!soak_plant_read() || !watchdog_start(soak.patience, hang))
        return EXIT_IMPOSSIBLE;
    if (path)
        return replay(path);
    interrupt_watch();
    leaks_count();
    double done, all;
    bool right = true;
    const char *unit = limit_of(&soak, &done, &all);
    progress_begin("soak", all, unit);
    for (uint64_t seed = soak.seed; right && !is_over(&soak); seed++) {
        (void)limit_of(&soak, &done, &all);
        progress_at(done < all ? done : all, NULL);
        right = one_machine(&soak, seed);
    }
    progress_end();
    return interrupt_status(tell(&soak, watched_json));
}

const struct command command_soak = {
    .name = "soak",
    .usage = "[--seconds S] [--seed N] [--json] [OPTION...]",
    .summary = "Tests kport itself: random trials with planted mistakes, until one fails",
    .help =
        "A trial is a sequence of random calls in random groups of a random machine, on threads or "
        "fibers,\n"
        "by the barrier or by mailboxes. Every byte is compared with the definition of the "
        "operation. In\n"
        "some calls one processor makes a mistake: it leaves, is late, waits for another group, "
        "calls\n"
        "something else, or gives wrong arguments. Then each member must get an error that names "
        "this\n"
        "processor, with the right status, within a second. The machine is used again after that, "
        "and\n"
        "destroyed. Allocations, mappings, threads and files are counted before and after.\n"
        "\n"
        "The trials end after --seconds S (10), or after --operations N and --faults N, or after\n"
        "--machines N, or at Ctrl-C with status 130 (SIGTERM: 143). At the first trial that fails "
        "they end\n"
        "with status 1, and its seed is printed. A trial that lasts longer than --patience S "
        "seconds (60)\n"
        "has failed. The seeds count up from N (1), one for each machine.\n"
        "--replay FILE carries out the one trial that a failure has printed.\n"
        "\n"
        "--carrier mpi runs over the processes that mpirun has started, with --per-process T (1) "
        "processors\n"
        "each, on threads or fibers. All machines have these processors then, by the barrier. "
        "There are no\n"
        "mistakes, mailboxes, attached threads or time limits, leaks are not counted, and a trial "
        "that\n"
        "fails is not made smaller.\n"
        "\n"
        "Keys of --json: operations, faults_planted, faults_named, wrong_bytes, hangs, leaks.\n"
        "\n"
        "Example: kport soak --seconds 1 --seed 7\n",
    .run = run,
};
