/* Reads the operation of `kport bench` and makes the tables. The operation is a problem string. Its
 * n, k and b may be given by the options -n, -k and -m instead. */
#include "tools/kport/bench/bench.h"

#include "lib/problem/fields.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"
#include "tools/kport/command.h"
#include "tools/kport/common/machine_keys.h"
#include "tools/kport/common/memory.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/trace_file.h"
#include "tools/kport/computer/computer.h"
#include "tools/kport/predict/ways.h"
#include "tools/kport/schedule/choice.h"
#include "tools/kport/schedule/facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_SIZES 64
/* All buffers together have at most this many bytes, unless the user gives the sizes. */
#define LAST_BYTES (512.0 * (1 << 20))

/* The parts of the problem string. */
struct parts {
    char text[512]; /* the problem string without the machine keys */
    const char *name;
    /* The values of these keys as text; empty: the string does not have the key. */
    char n[64], k[64], b[64], count[64];
    char rest[512]; /* the other keys of the string, as ",key=value" */
};

/* --- Reading the operation --- */

static int keep_field(struct parts *parts, const char *field, size_t length)
{
    const struct {
        const char *key;
        char *value;
    } ours[] = {{"n=", parts->n}, {"k=", parts->k}, {"b=", parts->b}, {"count=", parts->count}};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        size_t key = strlen(ours[i].key);
        if (length < key || memcmp(field, ours[i].key, key) != 0)
            continue;
        if (ours[i].value[0] || length == key || length - key >= sizeof parts->n) {
            fprintf(stderr, "kport bench: %.*s is %s\n", (int)key - 1, field,
                    ours[i].value[0] ? "there twice" : "not a number");
            return EXIT_IMPOSSIBLE;
        }
        snprintf(ours[i].value, sizeof parts->n, "%.*s", (int)(length - key), field + key);
        return EXIT_DONE;
    }
    size_t used = strlen(parts->rest);
    snprintf(parts->rest + used, sizeof parts->rest - used, ",%.*s", (int)length, field);
    return EXIT_DONE;
}

static int take_apart(struct bench *bench, struct parts *parts)
{
    int status =
        machine_keys_take(bench->operation, parts->text, sizeof parts->text, &bench->machine);
    size_t name = strcspn(parts->text, ":");
    const char *at = parts->text + name + (parts->text[name] == ':');
    while (!status && *at) {
        size_t length = strcspn(at, ",");
        status = keep_field(parts, at, length);
        at += length;
        if (*at == ',' && *++at == '\0')
            /* The parser will report that the last field is empty. */
            status = keep_field(parts, at, 0);
    }
    if (!status)
        status = computer_bind(bench->bind, &bench->machine);
    parts->text[name] = '\0';
    parts->name = parts->text;
    return status;
}

static int find_operation(struct bench *bench, const struct parts *parts)
{
    static const char *const osu[][2] = {{"latency", "latency"},
                                         {"bw", "bandwidth"},
                                         {"bibw", "bibandwidth"},
                                         {"mbw_mr", "bandwidth"}};
    int found;
    if (strncmp(parts->name, "osu_", 4) == 0) {
        const char *meant = parts->name + 4;
        for (size_t i = 0; i < sizeof osu / sizeof osu[0]; i++)
            meant = strcmp(meant, osu[i][0]) == 0 ? osu[i][1] : meant;
        fprintf(stderr, "kport bench: OPERATION is \"%.60s\"; is %.60s meant?\n", parts->name,
                meant);
        return EXIT_IMPOSSIBLE;
    }
    if (!options_operation("OPERATION", parts->name, "; or latency, bandwidth, bibandwidth, bsp",
                           &found))
        return EXIT_IMPOSSIBLE;
    bench->barrier = found == KP_BARRIER;
    const struct kp_operation_row *row = kp_operation_row((kp_operation)found);
    snprintf(bench->name, sizeof bench->name, "%s", row->name);
    snprintf(bench->alias, sizeof bench->alias, "%s", row->alias);
    return EXIT_DONE;
}

/* --- Reading lists and sizes --- */

/* Refuses a key that the problem string has and that an option gives, too. */
static int refuse_twice(const char *key, const char *option)
{
    fprintf(stderr, "kport bench: %s is given in the operation and by %s; it may be given once\n",
            key, option);
    return EXIT_IMPOSSIBLE;
}

/* Reads the values of n or k into `list`, from the problem string (`own`) or from the option
 * (`text`). If neither gives the key, the list stays empty. */
static int read_either(const char *key, const char *own, const char *option, const char *text,
                       uint64_t high, struct bench_list *list)
{
    if (own[0] && text)
        return refuse_twice(key, option);
    if (own[0] || text)
        return bench_list_read(own[0] ? key : option, own[0] ? own : text, high, list);
    return EXIT_DONE;
}

/* --- Making the tables --- */

static int parse(const struct parts *parts, const struct bench_table *table, const char *size,
                 kp_problem *problem)
{
    char text[1200];
    snprintf(text, sizeof text, "%s:n=%d,k=%d,%s%s", parts->name, table->n, table->k, size,
             parts->rest);
    return kp_problem_parse(text, problem) ? facts_refuse() : EXIT_DONE;
}

/* Adds a line about an algorithm that does not serve the problem, unless it is there. */
static void leave_out(struct bench_table *table, const kp_problem *problem)
{
    char *text = NULL;
    size_t length;
    const char *before = table->left_out ? table->left_out : "";
    const char *why = kp_last_error()->sentence;
    FILE *out = strstr(before, why) ? NULL : open_memstream(&text, &length);
    if (!out)
        return;
    fprintf(out, "%s%s is left out: %s\n", before, problem->algorithm->name, why);
    fclose(out);
    free(table->left_out);
    table->left_out = text;
}

/* Adds a task for each algorithm of -a that serves the problem. */
static int add_ways(const struct bench *bench, struct bench_table *table, const kp_problem *base)
{
    struct ways ways;
    const size_t before = table->count;
    const bool all = strcmp(bench->algorithms, "all") == 0;
    int status = ways_read("-a", all ? NULL : bench->algorithms, base, &ways);
    for (size_t i = 0; i < ways.count && !status; i++) {
        struct task task = {.problem = *base};
        task.problem.algorithm = ways.list[i].algorithm;
        memcpy(task.problem.values, ways.list[i].values, sizeof task.problem.values);
        if (kp_problem_check(&task.problem) == KP_OK &&
            choice_find(&bench->machine, &task.problem) == KP_OK)
            table->tasks[table->count++] = task;
        else
            leave_out(table, &task.problem);
    }
    if (status || table->count > before)
        return status;
    fprintf(stderr, "kport bench: -a is %s; none of these algorithms serves the problem:\n%s",
            bench->algorithms, table->left_out ? table->left_out : "");
    return EXIT_IMPOSSIBLE;
}

static int add_task(const struct bench *bench, struct bench_table *table, const struct parts *parts,
                    const char *size)
{
    struct task task = {.barrier = false};
    int status = parse(parts, table, size, &task.problem);
    if (!status && bench->algorithms)
        return task.problem.algorithm ? refuse_twice("alg", "-a")
                                      : add_ways(bench, table, &task.problem);
    /* If blocks have lengths of their own, the library would choose by the lengths of all blocks.
     * This command cannot imitate that choice. So it passes the algorithm that it has chosen as a
     * hint. */
    task.left_open = !task.problem.algorithm && !kp_operation_row(task.problem.operation)->lengths;
    if (!status)
        status = choice_make(&bench->machine, &task.problem);
    if (!status)
        table->tasks[table->count++] = task;
    return status;
}

/* Reads -m. Sizes that are less than an element are left out. */
static int read_sizes(const struct bench *bench, uint64_t least, uint64_t *low, uint64_t *high)
{
    const int status = bench_sizes_read(bench->sizes, least, low, high);
    if (status)
        return status;
    if (*high < least) {
        fprintf(stderr, "kport bench: -m is %s; it may end with %llu, the bytes of an element\n",
                bench->sizes, (unsigned long long)least);
        return EXIT_IMPOSSIBLE;
    }
    if (*low >= least && *low % least != 0) {
        fprintf(stderr,
                "kport bench: -m is %s; it may begin with a multiple of %llu, the bytes of an "
                "element, as %llu\n",
                bench->sizes, (unsigned long long)least,
                (unsigned long long)(*low / least + 1) * least);
        return EXIT_IMPOSSIBLE;
    }
    if (*low >= least)
        return status;
    if (processes_prints())
        fprintf(stderr, "kport bench: the sizes begin with %llu, the bytes of an element\n",
                (unsigned long long)least);
    *low = least;
    return EXIT_DONE;
}

static int add_sizes(const struct bench *bench, struct bench_table *table,
                     const struct parts *parts)
{
    char size[32];
    kp_problem first;
    uint64_t low = 1, high = BENCH_LAST_SIZE;
    if (parts->b[0] || parts->count[0]) {
        snprintf(size, sizeof size, "%s=%.20s", parts->b[0] ? "b" : "count",
                 parts->b[0] ? parts->b : parts->count);
        return add_task(bench, table, parts, size);
    }
    int status = parse(parts, table, "b=0", &first); /* only the length of an element is needed */
    if (!status && kp_operation_reduces(first.operation))
        low = kp_element_bytes(&first);
    if (!status && bench->sizes)
        status = read_sizes(bench, low, &low, &high);
    for (uint64_t b = low; !status && b <= high; b *= 2) {
        snprintf(size, sizeof size, "b=%llu", (unsigned long long)b);
        const size_t before = table->count;
        status = add_task(bench, table, parts, size);
        if (status || before == 0 || bench->sizes)
            continue;
        table->cut = memory_wanted(&table->tasks[table->count - 1].problem, 0) > LAST_BYTES;
        if (table->cut) {
            table->count = before;
            break;
        }
    }
    return status;
}

static int add_table(struct bench *bench, const struct parts *parts, uint64_t n, uint64_t k)
{
    struct bench_table *table = &bench->tables[bench->table_count++];
    *table = (struct bench_table){.n = (int)n, .k = (int)k};
    table->tasks = calloc(MOST_SIZES * (bench->algorithms ? MOST_WAYS : 1), sizeof *table->tasks);
    if (!table->tasks) {
        fprintf(stderr, "kport bench: no memory for the rows\n");
        return EXIT_IMPOSSIBLE;
    }
    int status = EXIT_DONE;
    if (bench->barrier) {
        table->tasks[table->count++] =
            (struct task){.barrier = true,
                          .problem = {.operation = KP_BARRIER,
                                      .n = table->n,
                                      .k = table->k,
                                      .per_process = bench->machine.per_process}};
    } else {
        status = add_sizes(bench, table, parts);
    }
    /* The last task has the largest buffers. */
    const kp_problem *last = table->count > 0 ? &table->tasks[table->count - 1].problem : NULL;
    if (!status && !bench->barrier && !memory_fits(last, bench->with_peers ? 2 : 1))
        status = EXIT_IMPOSSIBLE;
    bench->row_count += table->count;
    return status;
}

static int refuse_barriers_keys(const struct bench *bench, const struct parts *parts)
{
    const char *what = bench->sizes        ? "-m"
                       : bench->algorithms ? "-a"
                       : parts->b[0]       ? "b"
                       : parts->count[0]   ? "count"
                                           : NULL;
    const bool shared = strncmp(parts->rest, ",per_process=", 13) == 0;
    if (!what && (!parts->rest[0] || (shared && !strchr(parts->rest + 1, ','))))
        return EXIT_DONE;
    fprintf(
        stderr,
        "kport bench: %s is given; a barrier moves nothing and has n, k and the machine's keys\n",
        what ? what : parts->rest + 1);
    return EXIT_IMPOSSIBLE;
}

static uint64_t usual_n(void)
{
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 2 ? 2 : cores > 64 ? 64 : (uint64_t)cores;
}

/* Finds the processes, if the processors are in several. Their number is then that of the
 * processors. */
static int find_processes(struct bench *bench, struct bench_list *n)
{
    kp_config *machine = &bench->machine;
    int status = trace_file_refuse(bench->trace, machine);
    if (!status && bench->with_peers)
        status = processes_refuse(machine, "--peers", "they are threads of one process");
    if (!status && n->count > 1)
        status = processes_refuse(machine, "more than one n", "the processes stay the same");
    machine->processors = n->count > 0 ? (int)n->values[0] : 0;
    status = status ? status : processes_find(machine);
    if (n->count == 0)
        n->values[n->count++] = processes_several() ? (uint64_t)processes_processors() : usual_n();
    return status;
}

static uint64_t most_ports(uint64_t n)
{
    return n > 1 ? n - 1 : 1;
}

int bench_grid_read(struct bench *bench)
{
    struct parts parts = {.name = ""};
    struct bench_list n = {.count = 0}, k = {.count = 0};
    int status = take_apart(bench, &parts);
    if (!status)
        status = find_operation(bench, &parts);
    if (!status && bench->barrier)
        status = refuse_barriers_keys(bench, &parts);
    if (!status && bench->sizes && (parts.b[0] || parts.count[0]))
        status = refuse_twice(parts.b[0] ? "b" : "count", "-m");
    if (!status)
        status = read_either("n", parts.n, "-n", bench->n_list, BENCH_MOST_N, &n);
    if (!status)
        status = read_either("k", parts.k, "-k", bench->k_list, BENCH_MOST_N, &k);
    if (!status)
        status = find_processes(bench, &n);
    if (status)
        return status;
    bench->tables = calloc(n.count * (k.count + 1), sizeof *bench->tables);
    if (!bench->tables)
        return EXIT_IMPOSSIBLE;
    bool any = k.count == 0; /* some k is possible with some n */
    for (size_t i = 0; i < n.count * k.count; i++)
        any = any || k.values[i % k.count] <= most_ports(n.values[i / k.count]);
    for (size_t i = 0; i < n.count; i++) {
        const uint64_t most = most_ports(n.values[i]);
        for (size_t j = 0; (j < k.count || j == 0) && !status; j++) {
            const uint64_t ports = k.count ? k.values[j] : most;
            if (ports <= most) {
                status = add_table(bench, &parts, n.values[i], ports);
                continue;
            }
            if (!any || processes_prints())
                fprintf(stderr, "kport bench: k is %llu; with n=%llu it may be 1 ... %llu%s\n",
                        (unsigned long long)ports, (unsigned long long)n.values[i],
                        (unsigned long long)most, any ? "; left out" : "");
            status = any ? EXIT_DONE : EXIT_IMPOSSIBLE;
        }
    }
    return status;
}

void bench_grid_free(struct bench *bench)
{
    for (size_t i = 0; i < bench->table_count; i++) {
        free(bench->tables[i].left_out);
        free(bench->tables[i].tasks);
    }
    free(bench->tables);
}
