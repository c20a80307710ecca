/* Prints the rows of `kport bench`: as text in the format of the OSU micro-benchmarks, as CSV, or
 * as JSON. */
#include "tools/kport/bench/bench.h"

#include "kport/model.h"

#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/common/sorted.h"
#include "tools/kport/computer/computer.h"
#include "tools/kport/predict/ways.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The widths of the columns in the output of the OSU benchmarks. */
#define BYTES_WIDTH 10
#define FIELD_WIDTH 18
#define COUNT_WIDTH 12

/* The median of fewer samples says little, and the table says so. */
#define FEW_SAMPLES 5
static int few_samples; /* how many rows of the table have fewer */
static int few_turns;   /* how many rows have too few turns or calls to compare kport with peers */

struct bench_format {
    const char *name;
    void (*begin)(const struct bench *bench);
    void (*table)(const struct bench *bench, const struct bench_table *table); /* NULL: nothing */
    void (*row)(const struct bench *bench, const struct bench_row *row);
    void (*end)(const struct bench *bench, bool complete);
};

/* A thread locks this mutex while it writes. bench_print_end locks it for ever, so that nothing is
 * written after the end. */
static pthread_mutex_t writing = PTHREAD_MUTEX_INITIALIZER;

static const char timed[] =
    "from the last processor's start to the last one's end; calls in a row, a start being the end "
    "of the call before";

/* --- The columns, in their order --- */

enum column_when {
    ALWAYS,
    FULL,
};

enum column_kind {
    MICROSECONDS,
    COUNT,     /* a number of calls or samples */
    BANDWIDTH, /* 10^9 bytes a second; NAN if the operation has none */
};

/* How a value of this kind is printed in the table. The CSV has more digits of a time. */
static const struct {
    int width, digits, csv_digits;
} kinds[] = {
    [MICROSECONDS] = {FIELD_WIDTH, 2, 4},
    [COUNT] = {COUNT_WIDTH, 0, 0},
    [BANDWIDTH] = {FIELD_WIDTH - 2, 3, 6},
};

static double average(const struct bench_row *row)
{
    return row->result->average;
}

static double least(const struct bench_row *row)
{
    return row->result->least;
}

static double most(const struct bench_row *row)
{
    return row->result->most;
}

static double iterations(const struct bench_row *row)
{
    return (double)row->result->iterations;
}

static double p50(const struct bench_row *row)
{
    return row->result->p50;
}

static double p90(const struct bench_row *row)
{
    return row->result->p90;
}

static double p99(const struct bench_row *row)
{
    return row->result->p99;
}

static double samples(const struct bench_row *row)
{
    return (double)row->result->samples;
}

/* Returns 10^9 bytes a second: as many bytes as are given, in the time of a call. If the blocks
 * have lengths of their own, the bytes are drawn, and the barrier has none. */
static double bandwidth(const struct bench_row *row, uint64_t bytes)
{
    const struct kp_operation_row *operation = kp_operation_row(row->task->problem.operation);
    const bool known = !row->task->barrier && !operation->lengths && !operation->no_bytes;
    return known && row->result->average > 0 ? (double)bytes / 1e3 / row->result->average : NAN;
}

/* The bandwidths are those of nccl-tests. The algorithm's bandwidth counts the bytes of a
 * processor's larger buffer. */
static double algorithm_bandwidth(const struct bench_row *row)
{
    const kp_problem *p = &row->task->problem;
    const bool each = kp_operation_blocks(p->operation, KP_OUT) == KP_BLOCK_EACH ||
                      kp_operation_blocks(p->operation, KP_IN) == KP_BLOCK_EACH;
    return bandwidth(row, (uint64_t)p->b * (each ? (uint64_t)p->n : 1));
}

/* The bandwidth of the bus counts the bytes that some processor must send or receive, whatever the
 * algorithm. That is the lower bound of C2 for one port. */
static double bus_bandwidth(const struct bench_row *row)
{
    const kp_problem *p = &row->task->problem;
    return bandwidth(row, kp_bound_c2(p->operation, p->n, 1, p->b));
}

static const struct column {
    const char *title, *key;
    enum column_when when;
    enum column_kind kind;
    double (*value)(const struct bench_row *row);
} columns[] = {
    {"Avg Latency(us)", "avg_us", ALWAYS, MICROSECONDS, average},
    {"P50 Tail Lat(us)", "p50_us", ALWAYS, MICROSECONDS, p50},
    {"Min Latency(us)", "min_us", FULL, MICROSECONDS, least},
    {"Max Latency(us)", "max_us", FULL, MICROSECONDS, most},
    {"Iterations", "iterations", FULL, COUNT, iterations},
    {"P90 Tail Lat(us)", "p90_us", FULL, MICROSECONDS, p90},
    {"P99 Tail Lat(us)", "p99_us", FULL, MICROSECONDS, p99},
    {"Samples", "samples", FULL, COUNT, samples},
    {"Algbw(GB/s)", "algbw_gb_s", FULL, BANDWIDTH, algorithm_bandwidth},
    {"Busbw(GB/s)", "busbw_gb_s", FULL, BANDWIDTH, bus_bandwidth},
};

#define COLUMNS (sizeof columns / sizeof columns[0])

/* --- Beside peers --- */

/* Returns the median of kport's turns, which is compared with those of the peers. */
static double turn_us(const struct bench_row *row)
{
    double turns[TIMING_BATCHES];
    memcpy(turns, row->result->batch_us, sizeof turns);
    return sorted_median(turns, (size_t)row->result->batches);
}

/* Returns the fewest calls on which a time of the row rests. */
static int64_t fewest_calls(const struct bench_row *row)
{
    int64_t fewest = (int64_t)row->result->iterations;
    for (int i = 0; i < PEERS_COLUMNS; i++) {
        if (row->peers->us[i] > 0 && row->peers->calls[i] < fewest)
            fewest = row->peers->calls[i];
    }
    return fewest;
}

static bool is_few(const struct bench_row *row)
{
    return row->result->batches < PEERS_FEW_TURNS || fewest_calls(row) < PEERS_FEW_CALLS;
}

/* Returns why a column has no time: "" if the user has not chosen it. NULL: it may have one. */
static const char *why_empty(int column, const struct bench *bench, const struct task *task)
{
    return peers_is_chosen(column) ? peers_column_missing(column, task, &bench->machine) : "";
}

static bool shown(const struct bench *bench, const struct column *column)
{
    return column->when == ALWAYS || bench->full;
}

/* Writes the lines of the text, each behind `before`. NULL has none. */
static void put_lines(const char *text, const char *before, FILE *out)
{
    for (const char *at = text; at && *at; at += strcspn(at, "\n") + 1)
        fprintf(out, "%s%.*s\n", before, (int)strcspn(at, "\n"), at);
}

/* --- Printing as text --- */

static void text_begin(const struct bench *bench)
{
    (void)bench;
}

static void text_peers(const struct bench *bench, const struct bench_table *table)
{
    const struct task *task = &table->tasks[0];
    const char *none = peers_none(task, &bench->machine);
    printf("# Peers: %s\n", none ? none : PEERS_TIMED);
    for (int i = 0; i < PEERS_COLUMNS && !none; i++) {
        const char *why = why_empty(i, bench, task);
        if (why && *why)
            printf("# %s: %s\n", peers_columns[i].title, why);
    }
    if (!none)
        printf("# kport(us): the same of kport. Calls: the fewest on which one of these times "
               "rests\n");
}

static void text_head(const struct bench *bench, const struct bench_table *table)
{
    if (!bench->barrier)
        printf("%-*s", BYTES_WIDTH, "# Size");
    for (size_t i = 0; i < COLUMNS; i++) {
        bool first = bench->barrier && i == 0; /* the line of titles starts with "# " */
        if (shown(bench, &columns[i]))
            printf("%s%*s", first ? "# " : "", kinds[columns[i].kind].width - 2 * first,
                   columns[i].title);
    }
    if (bench->with_peers)
        printf("%*s%*s%*s ", COUNT_WIDTH, "Turns", COUNT_WIDTH, "Calls", FIELD_WIDTH, "kport(us)");
    for (int i = 0; i < PEERS_COLUMNS && bench->with_peers; i++) {
        if (!why_empty(i, bench, &table->tasks[0]))
            printf("%*s ", FIELD_WIDTH, peers_columns[i].title);
    }
    printf("%*s%s\n", bench->settings.check ? FIELD_WIDTH : 0,
           bench->settings.check ? "Validation" : "", bench->algorithms ? "  Algorithm" : "");
}

static void text_table(const struct bench *bench, const struct bench_table *table)
{
    char keys[64];
    machine_keys_format(&bench->machine, keys, sizeof keys);
    if (table != bench->tables)
        printf("\n");
    printf("# kport %s%s%s%s Latency Test v%s\n", bench->name, bench->barrier ? "" : " (MPI's ",
           bench->barrier ? "" : bench->alias, bench->barrier ? "" : ")", kp_version());
    printf("# n=%d,k=%d%s\n", table->n, table->k, keys);
    if (processes_several()) {
        printf("# Over ");
        processes_print(stdout);
        printf("\n");
    }
    computer_print("# ", stdout);
    computer_crowd_print("# ", &bench->machine, table->n, stdout);
    if (!bench->barrier && kp_operation_reduces(table->tasks[0].problem.operation))
        printf("# Datatype: %s. Operator: %s.\n", kp_type_name(table->tasks[0].problem.type),
               kp_operator_name(table->tasks[0].problem.op));
    printf(
        "# Time: %s\n# (OSU's is the mean over the processors, each by itself, between barriers)\n",
        timed);
    if (bench->settings.followed)
        printf(
            "# Each call is followed by a barrier, timed with it: complete everywhere before the "
            "next begins\n");
    if (!bench->barrier && kp_operation_row(table->tasks[0].problem.operation)->lengths)
        printf(
            "# Blocks have lengths of their own, drawn from 0 to the size, a quarter of them 0\n");
    if (bench->full)
        printf(
            "# Algbw: the bytes of a processor's larger buffer / Avg. Busbw: the bytes that some "
            "processor must send or receive / Avg\n"
            "# Samples: P50, P90 and P99 are of so many; a sample is a call, or the mean of a "
            "few short ones\n");
    put_lines(table->left_out, "# ", stdout);
    if (table->cut)
        printf(
            "# Sizes end where the buffers of all would take more than 512 MiB; -m allows more\n");
    if (bench->with_peers)
        text_peers(bench, table);
    text_head(bench, table);
}

static const char *validation(const struct bench_row *row)
{
    return row->result->wrong > 0 ? "Fail" : "Pass";
}

/* Prints the times that are compared. A mark says that they rest on too little. */
static void text_beside(const struct bench *bench, const struct bench_row *row)
{
    const char mark = is_few(row) ? '?' : ' ';
    printf("%*d%*" PRId64 "%*.2f%c", COUNT_WIDTH, row->result->batches, COUNT_WIDTH,
           fewest_calls(row), FIELD_WIDTH, turn_us(row), mark);
    for (int i = 0; i < PEERS_COLUMNS; i++) {
        if (why_empty(i, bench, row->task))
            continue;
        if (row->peers->us[i] > 0)
            printf("%*.2f%c", FIELD_WIDTH, row->peers->us[i], mark);
        else
            printf("%*s ", FIELD_WIDTH, "-");
    }
    few_turns += is_few(row);
}

static void text_row(const struct bench *bench, const struct bench_row *row)
{
    char text[256];
    if (!bench->barrier)
        printf("%-*zu", BYTES_WIDTH, row->task->problem.b);
    for (size_t i = 0; i < COLUMNS; i++) {
        const int width = kinds[columns[i].kind].width;
        const double value = columns[i].value(row);
        if (shown(bench, &columns[i]) && isnan(value))
            printf("%*s", width, "-");
        else if (shown(bench, &columns[i]))
            printf("%*.*f", width, kinds[columns[i].kind].digits, value);
    }
    if (row->peers)
        text_beside(bench, row);
    printf("%*s", bench->settings.check ? FIELD_WIDTH : 0,
           bench->settings.check ? validation(row) : "");
    if (bench->algorithms)
        printf("  %s", ways_format(&row->task->problem, text, sizeof text));
    printf("\n");
    few_samples += row->result->samples < FEW_SAMPLES;
}

static void text_end(const struct bench *bench, bool complete)
{
    (void)complete;
    if (few_samples)
        printf(
            "# In %d row%s P50 is the median of fewer than %d samples; more iterations (-i) give "
            "more\n",
            few_samples, few_samples == 1 ? "" : "s", FEW_SAMPLES);
    if (few_turns)
        printf(
            "# ?: in %d row%s a time rests on fewer than %d turns or %d calls, too few to compare "
            "it; %s gives more\n",
            few_turns, few_turns == 1 ? "" : "s", PEERS_FEW_TURNS, PEERS_FEW_CALLS,
            bench->seconds ? "a longer --seconds" : "-i, or leaving it out,");
}

/* --- Printing as CSV --- */

static void csv_begin(const struct bench *bench)
{
    printf("operation,n,k,size");
    for (size_t i = 0; i < COLUMNS; i++) {
        if (shown(bench, &columns[i]))
            printf(",%s", columns[i].key);
    }
    if (bench->with_peers)
        printf(",turns,calls,turn_us");
    for (int i = 0; i < PEERS_COLUMNS && bench->with_peers; i++) {
        if (peers_is_chosen(i))
            printf(",%s_us", peers_columns[i].key);
    }
    printf("%s%s,algorithm,problem\n", bench->settings.check ? ",validation" : "",
           processes_several() ? ",network,processes,per_process" : "");
}

/* Rows for programs have no comments. So what is left out of the table goes to standard error. */
static void csv_table(const struct bench *bench, const struct bench_table *table)
{
    (void)bench;
    if (processes_prints())
        put_lines(table->left_out, "kport bench: ", stderr);
}

static void whole_string(const struct bench *bench, const struct task *task, char *text,
                         size_t size)
{
    task_format(task, text, size);
    size_t length = strlen(text);
    machine_keys_format(&bench->machine, text + length, size - length);
}

static void csv_row(const struct bench *bench, const struct bench_row *row)
{
    char text[512], way[256];
    const kp_problem *p = &row->task->problem;
    printf("%s,%d,%d,%zu", bench->name, p->n, p->k, p->b);
    for (size_t i = 0; i < COLUMNS; i++) {
        const double value = columns[i].value(row);
        if (shown(bench, &columns[i]) && isnan(value))
            printf(",");
        else if (shown(bench, &columns[i]))
            printf(",%.*f", kinds[columns[i].kind].csv_digits, value);
    }
    if (row->peers)
        printf(",%d,%" PRId64 ",%.4f", row->result->batches, fewest_calls(row), turn_us(row));
    for (int i = 0; i < PEERS_COLUMNS && row->peers; i++) {
        if (row->peers->us[i] > 0)
            printf(",%.4f", row->peers->us[i]);
        else if (peers_is_chosen(i))
            printf(",");
    }
    whole_string(bench, row->task, text, sizeof text);
    printf("%s%s", bench->settings.check ? "," : "", bench->settings.check ? validation(row) : "");
    if (processes_several())
        printf(",\"%s\",%d,%d", processes_network(), p->n / processes_here(p->n),
               processes_here(p->n));
    printf(",\"%s\",\"%s\"\n", ways_format(p, way, sizeof way), text);
}

static void csv_end(const struct bench *bench, bool complete)
{
    (void)bench;
    (void)complete;
}

/* --- Printing as JSON: one object, whose last key is an array that stays open until the end --- */

static void json_begin(const struct bench *bench)
{
    printf(
        "{\"schema\": \"kport bench" OUTPUT_VERSION
        "\", \"kport\": \"%s\", \"operation\": \"%s\", \"timed\": \"%s\", \"followed_by_barrier\": "
        "%s,\n ",
        kp_version(), bench->name, timed, bench->settings.followed ? "true" : "false");
    if (bench->with_peers)
        printf("\"peers_timed\": \"" PEERS_TIMED "\",\n ");
    computer_json_print(stdout);
    printf("\"rows\": [\n");
}

/* Adds the time of each peer to the object of the row. If a peer has no time, adds null and the
 * reason. */
static void add_peers(const struct bench *bench, const struct bench_row *row, json_t *o)
{
    json_t *times = json_object(), *calls = json_object(), *missing = json_object();
    for (int i = 0; i < PEERS_COLUMNS; i++) {
        const char *key = peers_columns[i].key, *why = why_empty(i, bench, row->task);
        double us = row->peers->us[i];
        json_object_set_new(times, key, us > 0 ? json_real(us) : json_null());
        json_object_set_new(calls, key, json_integer((json_int_t)row->peers->calls[i]));
        if (!(us > 0))
            json_object_set_new(missing, key,
                                json_string(!why   ? "it failed"
                                            : *why ? why
                                                   : "--peers does not name it"));
    }
    json_object_set_new(o, "turns", json_integer(row->result->batches));
    json_object_set_new(o, "turn_us", json_real(turn_us(row)));
    json_object_set_new(o, "few", json_boolean(is_few(row)));
    json_object_set_new(o, "peers_us", times);
    json_object_set_new(o, "peers_calls", calls);
    json_object_set_new(o, "peers_missing", missing);
}

static void json_row(const struct bench *bench, const struct bench_row *row)
{
    char text[512], way[256];
    json_t *o = json_object();
    const kp_problem *p = &row->task->problem;
    whole_string(bench, row->task, text, sizeof text);
    json_object_set_new(o, "problem", json_string(text));
    json_object_set_new(o, "n", json_integer(p->n));
    json_object_set_new(o, "k", json_integer(p->k));
    json_object_set_new(o, "size", json_integer((json_int_t)p->b));
    json_object_set_new(o, "algorithm",
                        p->algorithm ? json_string(ways_format(p, way, sizeof way)) : json_null());
    json_object_set_new(o, "carrier", json_string(machine_keys_carrier(&bench->machine)));
    processes_json(o);
    json_object_set_new(o, "crowded", json_boolean(computer_is_crowded(&bench->machine, p->n)));
    for (size_t i = 0; i < COLUMNS; i++) {
        double value = columns[i].value(row);
        json_t *number = isnan(value)               ? json_null()
                         : columns[i].kind == COUNT ? json_integer((json_int_t)value)
                                                    : json_real(value);
        json_object_set_new(o, columns[i].key, number);
    }
    json_t *batches = json_array();
    for (int i = 0; i < row->result->batches; i++)
        json_array_append_new(batches, json_real(row->result->batch_us[i]));
    json_object_set_new(o, "batches_us", batches);
    if (bench->settings.check)
        json_object_set_new(o, "validation", json_string(validation(row)));
    if (row->peers)
        add_peers(bench, row, o);
    char *dump = json_dumps(o, JSON_REAL_PRECISION(9));
    json_decref(o);
    if (dump)
        printf("%s%s\n", bench->rows_done > 0 ? ", " : "  ", dump);
    free(dump);
}

static void json_end(const struct bench *bench, bool complete)
{
    json_t *left_out = json_array();
    for (size_t i = 0; i < bench->table_count; i++) {
        const char *at = bench->tables[i].left_out;
        for (; at && *at; at += strcspn(at, "\n") + 1)
            json_array_append_new(left_out, json_stringn(at, strcspn(at, "\n")));
    }
    char *text = json_dumps(left_out, 0);
    json_decref(left_out);
    printf(" ],\n \"left_out\": %s,\n \"complete\": %s}\n", text ? text : "[]",
           complete ? "true" : "false");
    free(text);
}

/* --- Functions for all formats --- */

static const struct bench_format formats[] = {
    {"text", text_begin, text_table, text_row, text_end},
    {"csv", csv_begin, csv_table, csv_row, csv_end},
    {"json", json_begin, NULL, json_row, json_end},
};

const struct bench_format *bench_format_find(const char *name)
{
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        if (strcmp(formats[i].name, name) == 0)
            return &formats[i];
    }
    return NULL;
}

static bool begun, failed;

static void begin_to_write(void)
{
    pthread_mutex_lock(&writing);
    progress_wipe();
    errno = 0;
}

/* Returns whether everything was written. Reports the first error only, because errno has the
 * reason of that error and not of later ones. */
static bool written(void)
{
    bool right = fflush(stdout) == 0 && !ferror(stdout);
    if (!right && !failed)
        fprintf(stderr, "kport: the output could not be written: %s\n", strerror(errno));
    failed = failed || !right;
    return right;
}

bool bench_print_begin(const struct bench *bench)
{
    begin_to_write();
    begun = true;
    bench->format->begin(bench);
    bool right = written();
    pthread_mutex_unlock(&writing);
    return right;
}

bool bench_print_table(const struct bench *bench, const struct bench_table *table)
{
    begin_to_write();
    if (bench->format->table)
        bench->format->table(bench, table);
    bool right = written();
    pthread_mutex_unlock(&writing);
    return right;
}

bool bench_print_row(struct bench *bench, const struct bench_row *row)
{
    begin_to_write();
    bench->format->row(bench, row);
    bench->rows_done++;
    bool right = written();
    pthread_mutex_unlock(&writing);
    return right;
}

void bench_print_progress(const struct bench *bench, const struct task *task)
{
    char text[512];
    pthread_mutex_lock(&writing);
    if (task)
        whole_string(bench, task, text, sizeof text);
    if (task)
        progress_at((double)bench->rows_done, text);
    else
        progress_wipe();
    pthread_mutex_unlock(&writing);
}

bool bench_print_end(const struct bench *bench, bool complete)
{
    begin_to_write(); /* the lock is never released, so nothing more is written */
    if (begun)
        bench->format->end(bench, complete);
    return written();
}
