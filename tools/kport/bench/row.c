/* Times the rows of `kport bench`. Before the first row, the command makes calls of the smallest
 * and of the largest size (length of a block or of an operand) of each table. From these it finds
 * how long all rows can take. Then each row may use an equal share of the time that is left. Time
 * that a row does not use is left for later rows. */
#include "tools/kport/bench/bench.h"

#include "tools/kport/command.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The seconds of timed calls in a row, unless the user gives the number of calls. */
#define ROW_SECONDS 0.5
#define BATCH_NS    50e6
#define PEERS_NS    20e6
/* The seconds for the peers of a row, in addition to the time of PEERS_CALLS calls of kport for
 * each batch. */
#define PEERS_SECONDS 6.0
#define PEERS_CALLS   50
#define MOST_SECONDS  1e6
/* The announced time is twice the expected time plus these seconds, because other programs may
 * run. */
#define SPARE_SECONDS 10

static int fail(const struct bench *bench, const struct task *task, int status,
                const char *sentence)
{
    char text[256], keys[64];
    task_format(task, text, sizeof text);
    machine_keys_format(&bench->machine, keys, sizeof keys);
    bench_print_progress(bench, NULL);
    if (sentence[0]) /* else another process says what is wrong */
        fprintf(stderr, "kport: %s%s: %s\n", text, keys, sentence);
    return status == KP_ETHREAD || status == KP_EMEMORY || status == KP_EARGUMENT ? EXIT_IMPOSSIBLE
                                                                                  : EXIT_FAILED;
}

/* Returns the configuration of the machine for a table. */
static kp_config config_of(const struct bench *bench, const struct bench_table *table)
{
    kp_config config = bench->machine;
    config.processors = table->n;
    config.ports = table->k;
    return config;
}

/* --- Announcing the time --- */

/* The seconds that a row needs for its set-up (which also starts the peers' programs, such as
 * mpirun, and finds how many of their calls make a turn), for a comparison of all bytes, and for a
 * call. */
struct look {
    double set_up, compare, call;
};

static int look_at(const struct bench *bench, const struct bench_table *table,
                   const struct task *task, kp_machine **machine, struct look *slowest)
{
    struct look look;
    struct timing timing;
    kp_config config = config_of(bench, table);
    int64_t start = batch_now_ns();
    bench_print_progress(bench, task);
    int status = timing_begin(&timing, task, &bench->settings, &config, machine);
    if (status)
        status = fail(bench, task, status, timing.sentence);
    look.call = timing.call_ns / 1e9;
    look.compare = timing.compare_ns / 1e9;
    timing_end(&timing);
    if (!status && bench->with_peers &&
        peers_begin(task, &bench->machine, bench->ahead, PEERS_NS)) {
        struct peers_times times;
        peers_end(&times);
    }
    look.set_up = (double)(batch_now_ns() - start) / 1e9;
    slowest->call = fmax(slowest->call, look.call);
    slowest->compare = fmax(slowest->compare, look.compare);
    slowest->set_up = fmax(slowest->set_up, look.set_up);
    return status;
}

/* Looks at the tasks of a size, of which there are several with -a. */
static int look_at_size(const struct bench *bench, const struct bench_table *table, size_t b,
                        kp_machine **machine, struct look *slowest)
{
    int status = 0;
    for (size_t i = 0; i < table->count && !status; i++) {
        if (table->tasks[i].problem.b == b)
            status = look_at(bench, table, &table->tasks[i], machine, slowest);
    }
    return status;
}

/* Returns the seconds that a row is expected to take. The result is the time for the smallest size
 * (`least`), plus `share` times the time for the largest size (`largest`). */
static double row_seconds(const struct bench *bench, const struct look *least,
                          const struct look *largest, double share)
{
    double batch = BATCH_NS / 1e9, call = least->call + share * largest->call;
    double calls = bench->iterations ? (double)bench->iterations * call : ROW_SECONDS;
    double batches = 1 + (call > batch ? calls / call : calls / batch);
    calls += call > batch ? call : batch; /* the last call may begin just before the time is over */
    double compare =
        bench->settings.check ? batches * (least->compare + share * largest->compare) : 0;
    return least->set_up + share * largest->set_up + calls + compare +
           (bench->with_peers ? PEERS_SECONDS + PEERS_CALLS * (4 + batches) * call : 0);
}

static int look_at_table(const struct bench *bench, const struct bench_table *table,
                         double *seconds)
{
    kp_machine *machine = NULL;
    const struct task *last = &table->tasks[table->count - 1];
    struct look least = {0}, largest = {0};
    int status = look_at_size(bench, table, table->tasks[0].problem.b, &machine, &least);
    if (!status && last->problem.b > table->tasks[0].problem.b)
        status = look_at_size(bench, table, last->problem.b, &machine, &largest);
    kp_machine_destroy(machine);
    for (size_t i = 0; i < table->count; i++)
        *seconds += row_seconds(
            bench, &least, &largest,
            last->problem.b ? (double)table->tasks[i].problem.b / (double)last->problem.b : 1);
    return status;
}

/* Announces how long the command can take. This is the value of --seconds, or a prediction from the
 * first calls of each table. */
static int announce(struct bench *bench)
{
    double seconds = 0;
    int status = EXIT_DONE;
    for (size_t i = 0; i < bench->table_count && !status && !bench->seconds; i++)
        status = look_at_table(bench, &bench->tables[i], &seconds);
    bench_print_progress(bench, NULL);
    if (status)
        return status;
    seconds =
        bench->seconds ? (double)bench->seconds : (double)(int64_t)(2 * seconds + SPARE_SECONDS);
    seconds = seconds > MOST_SECONDS ? MOST_SECONDS : seconds;
    if (!bench->seconds)
        bench_end_by(bench, seconds);
    if (progress_is_told())
        fprintf(stderr, "kport bench: %zu row%s, at most %.0f s\n", bench->row_count,
                bench->row_count == 1 ? "" : "s", seconds);
    return EXIT_DONE;
}

/* --- Timing a row --- */

struct turn {
    const struct bench *bench;
    struct timing timing;
    bool with_peers;
    int64_t end;   /* when the row must end */
    int64_t begin; /* when its first turn began */
};

/* The start of the peers, or other programs, may have taken the time of the row. Then the row goes
 * on until its turns are enough for a comparison, unless the command's time is nearly over. */
static bool needs_a_turn(const struct turn *turn)
{
    const int turns = turn->timing.result.batches;
    const double each = (double)(processes_now() - turn->begin) / 1e9 / turns;
    return turn->with_peers && !turn->bench->iterations && turns < PEERS_FEW_TURNS &&
           bench_end_in(turn->bench) > 3 * each;
}

static bool goes_on(const struct turn *turn)
{
    const struct timing_result *r = &turn->timing.result;
    const struct bench *bench = turn->bench;
    if (r->iterations == 0)
        return true;
    if (needs_a_turn(turn))
        return true;
    if (processes_now() >= turn->end)
        return false;
    return bench->iterations ? r->iterations < bench->iterations
                             : turn->timing.ns < ROW_SECONDS * 1e9;
}

static int all_batches(struct turn *turn)
{
    struct timing *timing = &turn->timing;
    int status = 0;
    while (!status && (status = processes_agree(NULL, 0)) == EXIT_DONE && goes_on(turn)) {
        uint64_t left = turn->bench->iterations
                            ? turn->bench->iterations - timing->result.iterations
                            : UINT64_MAX;
        double ns = (double)(turn->end - processes_now());
        status = timing_batch(timing, ns < BATCH_NS ? ns : BATCH_NS, left);
        if (!status && turn->with_peers)
            peers_repeat();
    }
    return status;
}

/* Sets the end of the row by the deadline, which one of the processes knows. */
static int share_time(struct turn *turn)
{
    const struct bench *bench = turn->bench;
    double left = bench_end_in(bench);
    int status = processes_agree(&left, 1);
    double share = left / (double)(bench->row_count - bench->rows_done);
    turn->end = processes_now() + (int64_t)(0.8 * share * 1e9);
    return status;
}

static int one_row(struct bench *bench, const struct bench_table *table, const struct task *task,
                   kp_machine **machine)
{
    const kp_config config = config_of(bench, table);
    struct turn turn = {.bench = bench};
    struct peers_times times = {.us = {0}};
    if (share_time(&turn))
        return EXIT_FAILED;
    bench_print_progress(bench, task);
    int status = timing_begin(&turn.timing, task, &bench->settings, &config, machine);
    if (!status && bench->with_peers)
        turn.with_peers = peers_begin(task, &bench->machine, bench->ahead, PEERS_NS);
    turn.begin = processes_now();
    if (!status)
        status = all_batches(&turn);
    if (turn.with_peers)
        peers_end(&times);
    if (!status)
        status = timing_conclude(&turn.timing);
    const struct bench_row row = {.table = table,
                                  .task = task,
                                  .result = &turn.timing.result,
                                  .peers = bench->with_peers ? &times : NULL};
    if (status)
        status = fail(bench, task, status, turn.timing.sentence);
    else if (!bench_print_row(bench, &row))
        status = EXIT_IMPOSSIBLE;
    bench->wrong = bench->wrong || turn.timing.result.wrong > 0;
    timing_end(&turn.timing);
    return status;
}

static int one_table(struct bench *bench, const struct bench_table *table)
{
    kp_machine *machine = NULL;
    int status = bench_print_table(bench, table) ? EXIT_DONE : EXIT_IMPOSSIBLE;
    for (size_t i = 0; i < table->count && !status; i++)
        status = one_row(bench, table, &table->tasks[i], &machine);
    kp_machine_destroy(machine);
    return status;
}

int bench_carry_out(struct bench *bench)
{
    if (!bench_end_watch(bench))
        return EXIT_IMPOSSIBLE;
    progress_begin("bench", (double)bench->row_count, "rows");
    if (bench->seconds)
        bench_end_by(bench, (double)bench->seconds);
    int status = announce(bench);
    if (status)
        return status;
    if (!bench_print_begin(bench))
        return EXIT_IMPOSSIBLE;
    for (size_t i = 0; i < bench->table_count && !status; i++)
        status = one_table(bench, &bench->tables[i]);
    progress_end();
    if (!bench_print_end(bench, !status) && !status)
        status = EXIT_IMPOSSIBLE;
    return !status && bench->wrong ? EXIT_FAILED : status;
}
