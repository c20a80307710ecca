/* The command `kport compare`. It compares the algorithms of an operation by the linear model, for
 * the user's own beta and tau, without a machine. */
#include "tools/kport/chart/chart.h"
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/files/read.h"
#include "tools/kport/predict/operation.h"
#include "tools/kport/predict/ways.h"
#include "tools/kport/schedule/facts.h"

#include "lib/problem/problem.h"
#include "lib/problem/rows.h"
#include "lib/schedule/elements.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The most rows of a table with a row for each algorithm, unless --all is given. */
#define PAGE          24
#define USUAL_LENGTHS "8:1M"
#define MOST_MARKS    8 /* the most marks in the picture if parameters alone change */

/* An algorithm with its parameters at a length. */
struct cost {
    kp_problem problem;
    bool serves;
    uint64_t c1, c2;
    double us;
};

/* From the length `b` on `from` is no longer among the best, and `to` is. */
struct change {
    uint64_t b;
    kp_problem from, to;
};

struct compare {
    /* The options of the command line. */
    const char *operation, *beta, *tau, *lengths_text, *ways_text, *svg;
    uint64_t n, k;
    int csv, json, all;

    kp_problem problem;
    kp_model model;
    uint64_t unit; /* the bytes of an element */
    struct ways ways;
    struct lengths lengths;
    struct cost *costs; /* of each length, for each way */
    struct change *changes;
    size_t change_count, change_room;
};

/* --- Costs --- */

/* The stated costs are those of the formulas, which tests compare with counted ones. */
static int find_cost(struct compare *c, struct way *way, struct cost *cost)
{
    const kp_algorithm *algorithm = cost->problem.algorithm;
    kp_schedule *schedule;
    if (algorithm->stated_cost) {
        algorithm->stated_cost(&cost->problem, &cost->c1, &cost->c2);
    } else {
        int status = ways_schedule(&c->ways, way, &cost->problem, &schedule);
        cost->serves = schedule != NULL;
        if (status || !schedule)
            return status;
        kp_cost counted = kp_schedule_cost(schedule, cost->problem.b);
        cost->c1 = counted.c1;
        cost->c2 = counted.c2;
        kp_schedule_free(schedule);
    }
    cost->us = kp_model_time(&c->model, cost->c1, cost->c2);
    return EXIT_DONE;
}

/* Finds the costs of all ways at a length. Returns the best one, the first of several; NULL after
 * an error, which is on stderr. */
static const struct cost *find_costs(struct compare *c, uint64_t b, struct cost *costs)
{
    const struct cost *best = NULL;
    int status = EXIT_DONE;
    for (size_t i = 0; i < c->ways.count && !status; i++) {
        struct cost *cost = &costs[i];
        struct way *way = &c->ways.list[i];
        cost->serves = false;
        if (!way->is_wrong)
            cost->serves = ways_problem(way, &c->problem, b, &c->model, &cost->problem);
        if (cost->serves)
            status = find_cost(c, way, cost);
        if (!status && cost->serves && (!best || !ways_is_least(best->us, cost->us)))
            best = cost;
    }
    if (!status && !best && !c->ways.some_wrong)
        fprintf(stderr, "kport compare: no algorithm serves b = %" PRIu64 "\n", b);
    return status ? NULL : best;
}

/* Checks the algorithms that are not the library's at all lengths of the table, and marks those
 * that are wrong. */
static int check_own(struct compare *c)
{
    for (size_t i = 0; i < c->ways.count; i++) {
        struct way *way = &c->ways.list[i];
        bool is_own = !kp_row_is_library(way->algorithm);
        for (size_t j = 0; j < c->lengths.count && is_own && !way->is_wrong; j++) {
            kp_problem problem;
            kp_schedule *schedule = NULL;
            int status = EXIT_DONE;
            if (ways_problem(way, &c->problem, c->lengths.list[j], &c->model, &problem))
                status = ways_schedule(&c->ways, way, &problem, &schedule);
            if (status)
                return status;
            if (schedule)
                kp_schedule_free(schedule);
        }
    }
    return EXIT_DONE;
}

static int add_change(struct compare *c, const struct change *change)
{
    if (c->change_count == c->change_room) {
        size_t room = c->change_room ? 2 * c->change_room : 64;
        struct change *larger = realloc(c->changes, room * sizeof *larger);
        if (!larger) {
            fprintf(stderr, "kport compare: no memory for the changes\n");
            return EXIT_IMPOSSIBLE;
        }
        c->changes = larger;
        c->change_room = room;
    }
    c->changes[c->change_count++] = *change;
    return EXIT_DONE;
}

/* Finds out whether a problem is as good at length b as the best there, which is stored in `best`.
 * So of several that are equal the one that was best before stays. */
static int stays_best(struct compare *c, const kp_problem *problem, uint64_t b, kp_problem *best,
                      bool *stays)
{
    struct cost costs[MOST_WAYS], cost = {.problem = *problem};
    struct way way = {.algorithm = problem->algorithm};
    const struct cost *least = find_costs(c, b, costs);
    if (!least)
        return EXIT_IMPOSSIBLE;
    *best = least->problem;
    cost.problem.b = b;
    cost.serves = kp_problem_check(&cost.problem) == KP_OK;
    int status = cost.serves ? find_cost(c, &way, &cost) : EXIT_DONE;
    *stays = cost.serves && ways_is_least(cost.us, least->us);
    return status;
}

/* Finds the changes of the best up to the length `high`. `best` is the best at `low`, and then that
 * at `high`. What is best at two lengths is taken to be the best in between. */
static int find_changes(struct compare *c, uint64_t low, uint64_t high, kp_problem *best)
{
    kp_problem next = *best;
    bool stays;
    int status;
    while (!(status = stays_best(c, best, high, &next, &stays)) && !stays) {
        uint64_t first = high;
        while (!status && first - low > c->unit) {
            kp_problem there;
            uint64_t middle = (low / c->unit + (first / c->unit - low / c->unit) / 2) * c->unit;
            status = stays_best(c, best, middle, &there, &stays);
            low = stays ? middle : low;
            first = stays ? first : middle;
            next = stays ? next : there;
        }
        status = status ? status : add_change(c, &(struct change){first, *best, next});
        if (status)
            return status;
        *best = next;
        low = first;
    }
    return status;
}

static int order(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return (first > second) - (first < second);
}

static int compare_all(struct compare *c)
{
    kp_problem best;
    int status = check_own(c);
    qsort(c->lengths.list, c->lengths.count, sizeof c->lengths.list[0], order);
    c->costs = calloc(c->lengths.count * c->ways.count, sizeof *c->costs);
    if (!c->costs) {
        fprintf(stderr, "kport compare: no memory for the rows\n");
        return EXIT_IMPOSSIBLE;
    }
    for (size_t i = 0; i < c->lengths.count && !status; i++) {
        const uint64_t *lengths = &c->lengths.list[i];
        const struct cost *found = find_costs(c, *lengths, &c->costs[i * c->ways.count]);
        if (!found)
            return c->ways.some_wrong ? EXIT_FAILED : EXIT_IMPOSSIBLE;
        if (i == 0)
            best = found->problem;
        else
            status = find_changes(c, lengths[-1], lengths[0], &best);
    }
    return status;
}

/* --- Printing --- */

/* Returns whether no other cost of the same length is less. */
static bool is_best(const struct compare *c, size_t length, const struct cost *cost)
{
    const struct cost *costs = &c->costs[length * c->ways.count];
    for (size_t i = 0; i < c->ways.count; i++) {
        if (costs[i].serves && !ways_is_least(cost->us, costs[i].us))
            return false;
    }
    return true;
}

static size_t count_rows(const struct compare *c)
{
    size_t rows = 0;
    for (size_t i = 0; i < c->lengths.count * c->ways.count; i++)
        rows += c->costs[i].serves;
    return rows;
}

/* Writes the other algorithms that are as good as a cost: ", as NAME, NAME". */
static void print_equals(const struct compare *c, size_t length, size_t best, FILE *out)
{
    char text[256];
    const char *between = "  also ";
    for (size_t way = best + 1; way < c->ways.count; way++) {
        const struct cost *cost = &c->costs[length * c->ways.count + way];
        if (!cost->serves || !is_best(c, length, cost))
            continue;
        fprintf(out, "%s%s", between, ways_format(&cost->problem, text, sizeof text));
        between = "; ";
    }
}

/* Returns whether this is the cost of the schedule in the file that the command names. */
static bool is_of_file(const struct compare *c, const struct cost *cost)
{
    return read_is_file(c->operation) && cost->problem.algorithm == c->problem.algorithm;
}

/* Prints the rows of a length: all, or only the first that is the best, and that of the file. */
static void print_length(const struct compare *c, size_t length, bool all, FILE *out)
{
    char text[256];
    bool told = false; /* of several that are the best, the first has a row */
    const bool marks = all || read_is_file(c->operation);
    for (size_t way = 0; way < c->ways.count; way++) {
        const struct cost *cost = &c->costs[length * c->ways.count + way];
        const bool best = cost->serves && is_best(c, length, cost);
        if (!cost->serves || !(all || (best ? !told : is_of_file(c, cost))))
            continue;
        fprintf(out, "%10zu  %-28s %6" PRIu64 " %12" PRIu64 " %14.3f%s", cost->problem.b,
                ways_format(&cost->problem, text, sizeof text), cost->c1, cost->c2, cost->us,
                best && marks ? "*" : "");
        if (!all && best)
            print_equals(c, length, way, out);
        told = told || best;
        fprintf(out, "\n");
    }
}

/* Prints which algorithms are the best of all lengths, if no other becomes the best. */
static void print_constant(const struct compare *c, FILE *out)
{
    char text[256];
    size_t found = 0;
    const char *end = "";
    for (size_t way = 0; way < c->ways.count; way++) {
        bool best = c->lengths.count > 0;
        for (size_t i = 0; i < c->lengths.count && best; i++) {
            const struct cost *cost = &c->costs[i * c->ways.count + way];
            best = cost->serves && is_best(c, i, cost);
        }
        if (!best)
            continue;
        const struct cost *cost = &c->costs[way];
        fprintf(out, "%s%s", end, ways_format(&cost->problem, text, sizeof text));
        end = "; ";
        found++;
    }
    fprintf(out, found == 0  ? "no algorithm becomes better than another between these lengths\n"
                 : found > 1 ? ": equally good, and the best, for all these lengths\n"
                             : " is best for all these lengths\n");
}

static void print_text(const struct compare *c, FILE *out)
{
    char text[256], from[256];
    const size_t rows = count_rows(c);
    const bool all = c->all || rows <= PAGE, file = read_is_file(c->operation);
    const char *keys = c->operation + strcspn(c->operation, ":");
    fprintf(out, "%s: ", c->operation);
    if (!operation_key(keys, "n"))
        fprintf(out, "n = %d, ", c->problem.n);
    if (!operation_key(keys, "k"))
        fprintf(out, "k = %d, ", c->problem.k);
    fprintf(out, "beta = %g us, tau = %g us a byte\nC1 beta + C2 tau in us; ", c->model.beta_us,
            c->model.tau_us);
    if (all)
        fprintf(out, "* the least for each b\n");
    else
        fprintf(out, "%sthe best of each length, and those as good%s (--all: all %zu rows)\n",
                file ? "* " : "", file ? "; also the file" : "", rows);
    fprintf(out, "\n%10s  %-28s %6s %12s %14s\n", "b", "algorithm", "C1", "C2", "us");
    for (size_t length = 0; length < c->lengths.count; length++)
        print_length(c, length, all, out);
    fprintf(out, "\n");
    for (size_t i = 0; i < c->change_count; i++)
        fprintf(out, "from b = %" PRIu64 " on %s is best, instead of %s\n", c->changes[i].b,
                ways_format(&c->changes[i].to, text, sizeof text),
                ways_format(&c->changes[i].from, from, sizeof from));
    if (c->change_count == 0)
        print_constant(c, out);
}

static void print_csv(const struct compare *c, FILE *out)
{
    char text[256];
    fprintf(out, "block_bytes,algorithm,c1_rounds,c2_bytes,linear_us,best\n");
    for (size_t i = 0; i < c->lengths.count * c->ways.count; i++) {
        const struct cost *cost = &c->costs[i];
        if (cost->serves)
            fprintf(out, "%zu,\"%s\",%" PRIu64 ",%" PRIu64 ",%.9g,%d\n", cost->problem.b,
                    ways_format(&cost->problem, text, sizeof text), cost->c1, cost->c2, cost->us,
                    is_best(c, i / c->ways.count, cost));
    }
}

static json_t *json_of(const struct compare *c)
{
    char text[256], from[256];
    json_t *rows = json_array(), *changes = json_array();
    for (size_t i = 0; i < c->lengths.count * c->ways.count; i++) {
        const struct cost *cost = &c->costs[i];
        if (!cost->serves)
            continue;
        kp_problem_format(&cost->problem, text, sizeof text);
        json_array_append_new(rows,
                              json_pack("{s:s, s:I, s:I, s:I, s:f, s:b}", "problem", text, "b",
                                        (json_int_t)cost->problem.b, "c1", (json_int_t)cost->c1,
                                        "c2", (json_int_t)cost->c2, "linear_us", cost->us, "best",
                                        (int)is_best(c, i / c->ways.count, cost)));
    }
    for (size_t i = 0; i < c->change_count; i++)
        json_array_append_new(changes,
                              json_pack("{s:I, s:s, s:s}", "b", (json_int_t)c->changes[i].b, "from",
                                        ways_format(&c->changes[i].from, from, sizeof from), "to",
                                        ways_format(&c->changes[i].to, text, sizeof text)));
    return json_pack("{s:f, s:f, s:o, s:o}", "beta_us", c->model.beta_us, "tau_us", c->model.tau_us,
                     "rows", rows, "changes", changes);
}

/* Marks where the best algorithm changes, and, if there are few changes, where its parameters do.
 */
static size_t set_marks(const struct compare *c, struct chart_mark *marks)
{
    char text[256];
    size_t count = 0;
    for (size_t i = 0; i < c->change_count; i++) {
        const struct change *change = &c->changes[i];
        if (c->change_count > MOST_MARKS && change->from.algorithm == change->to.algorithm)
            continue;
        marks[count].x = (double)change->b;
        snprintf(marks[count++].text, sizeof marks[0].text, "%.60s from %" PRIu64 " B",
                 ways_format(&change->to, text, sizeof text), change->b);
    }
    return count;
}

/* Returns the first way whose times are those of this one at all lengths: itself, or one before. */
static size_t same_curve(const struct compare *c, size_t way)
{
    for (size_t other = 0; other < way; other++) {
        bool same = true;
        for (size_t i = 0; i < c->lengths.count && same; i++) {
            const struct cost *row = &c->costs[i * c->ways.count];
            same = row[way].serves == row[other].serves &&
                   (!row[way].serves || row[way].us == row[other].us);
        }
        if (same)
            return other;
    }
    return way;
}

/* Adds the points of a way and its name. A way whose parameters change with the length has only its
 * algorithm's name. */
static void add_way(const struct compare *c, size_t way, struct chart *chart)
{
    const kp_problem *first = NULL, *other = NULL;
    bool same = true;
    char text[256], others[256] = "";
    const size_t as = same_curve(c, way);
    for (size_t i = 0; i < c->lengths.count; i++) {
        const struct cost *cost = &c->costs[i * c->ways.count + way];
        if (!cost->serves)
            continue;
        if (!first && as < way)
            other = &c->costs[i * c->ways.count + as].problem;
        first = first ? first : &cost->problem;
        same = same && memcmp(first->values, cost->problem.values, sizeof first->values) == 0;
        chart->points[chart->count++] = (struct chart_point){
            chart->name_count, CHART_SOLID, (double)cost->problem.b, cost->us, 0, 0};
    }
    if (first)
        snprintf(chart->names[chart->name_count++], sizeof chart->names[0], "%.40s%s%.17s",
                 same ? ways_format(first, text, sizeof text) : first->algorithm->name,
                 other ? " = " : "", other ? ways_format(other, others, sizeof others) : "");
}

static void draw(const struct compare *c, struct chart_point *points, struct chart_mark *marks,
                 FILE *out)
{
    static char names[MOST_WAYS][64];
    char title[200], note[200];
    struct chart chart = {.title = title,
                          .notes = {note},
                          .x_label = "block",
                          .y_label = "time by the model",
                          .points = points,
                          .names = names,
                          .marks = marks,
                          .mark_count = set_marks(c, marks)};
    for (size_t way = 0; way < c->ways.count; way++)
        add_way(c, way, &chart);
    snprintf(title, sizeof title, "%s, n = %d, k = %d", kp_operation_name(c->problem.operation),
             c->problem.n, c->problem.k);
    snprintf(note, sizeof note, "C1 beta + C2 tau, beta = %g us, tau = %g us a byte",
             c->model.beta_us, c->model.tau_us);
    chart_write(&chart, out);
}

static int write_picture(const struct compare *c)
{
    struct chart_point *points = calloc(c->lengths.count * c->ways.count, sizeof *points);
    struct chart_mark *marks = calloc(c->change_count + 1, sizeof *marks);
    FILE *out = points && marks ? output_begin() : NULL;
    if (out)
        draw(c, points, marks, out);
    free(points);
    free(marks);
    return out ? output_end_in(out, EXIT_DONE, c->svg) : EXIT_IMPOSSIBLE;
}

static int print(const struct compare *c)
{
    int status = c->svg ? write_picture(c) : EXIT_DONE;
    if (status || (c->svg && strcmp(c->svg, "-") == 0))
        return status;
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (c->json)
        output_json(out, "compare", json_of(c));
    else if (c->csv)
        print_csv(c, out);
    else
        print_text(c, out);
    return output_end(out, EXIT_DONE);
}

/* --- The command --- */

static int refuse_number(const struct compare *c, const char *option, uint64_t given, int own)
{
    fprintf(stderr,
            "kport compare: %s is %" PRIu64 ", but the schedule of %s is for %d; leave it "
            "out\n",
            option, given, c->operation, own);
    return EXIT_IMPOSSIBLE;
}

/* Reads a file, which has n and k of its own. */
static int read_file(struct compare *c)
{
    int status = read_argument(c->operation, &c->problem);
    if (!status && c->n && c->n != (uint64_t)c->problem.n)
        status = refuse_number(c, "--n", c->n, c->problem.n);
    if (!status && c->k && c->k != (uint64_t)c->problem.k)
        status = refuse_number(c, "--k", c->k, c->problem.k);
    return status;
}

/* A file that splits blocks is for one length. */
static void take_own_length(struct compare *c)
{
    static char length[32];
    kp_problem longer = c->problem;
    longer.b *= 2;
    if (kp_problem_check(&longer) == KP_OK)
        return;
    snprintf(length, sizeof length, "%zu", c->problem.b);
    c->lengths_text = length;
}

static int read_all(struct compare *c)
{
    if (c->csv && c->json) {
        fprintf(stderr, "kport compare: --csv and --json are both given; it may be one of them\n");
        return EXIT_IMPOSSIBLE;
    }
    int status = read_is_file(c->operation) ? read_file(c)
                                            : operation_read(c->operation, c->n, c->k, &c->problem);
    if (status)
        return status;
    c->model = kp_model_builtin(c->problem.n, c->problem.k);
    if (!status && c->beta)
        status = ways_read_us("--beta", c->beta, &c->model.beta_us);
    if (!status && c->tau)
        status = ways_read_us("--tau", c->tau, &c->model.tau_us);
    c->model.copy_us = 0;
    c->unit = kp_element_bytes(&c->problem);
    if (strcmp(c->lengths_text, USUAL_LENGTHS) == 0 && read_is_file(c->operation))
        take_own_length(c);
    status = status ? status : lengths_read("-m", c->lengths_text, c->unit, &c->lengths);
    status = status ? status : ways_read("-a", c->ways_text, &c->problem, &c->ways);
    if (!status && !c->ways_text && read_is_file(c->operation))
        ways_add_all(&c->problem, &c->ways);
    return status ? status : ways_check(&c->ways, &c->problem, &c->model, &c->lengths);
}

static int run(const struct command *command, int count, char **arguments)
{
    static struct compare c = {.lengths_text = USUAL_LENGTHS};
    const struct option_row rows[] = {
        {"--n", OPTION_NUMBER, &c.n, 1, 1048575},   {"--k", OPTION_NUMBER, &c.k, 1, 1048575},
        {"--beta", OPTION_TEXT, &c.beta, 0, 0},     {"--tau", OPTION_TEXT, &c.tau, 0, 0},
        {"-m", OPTION_TEXT, &c.lengths_text, 0, 0}, {"-b", OPTION_TEXT, &c.lengths_text, 0, 0},
        {"-a", OPTION_TEXT, &c.ways_text, 0, 0},    {"--all", OPTION_FLAG, &c.all, 0, 0},
        {"--svg", OPTION_TEXT, &c.svg, 0, 0},       {"--csv", OPTION_FLAG, &c.csv, 0, 0},
        {"--json", OPTION_FLAG, &c.json, 0, 0},     {0}};
    int given = options_read(command, rows, count, arguments, &c.operation, 1);
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport compare: OPERATION is missing; usage: kport compare %s\n",
                command->usage);
        return EXIT_IMPOSSIBLE;
    }
    int status = read_all(&c);
    status = status ? status : compare_all(&c);
    status = status ? status : print(&c);
    status = status || !c.ways.some_wrong ? status : EXIT_FAILED;
    free(c.costs);
    free(c.changes);
    return status;
}

const struct command command_compare = {
    .name = "compare",
    .usage = "OPERATION|@FILE [--n N] [--k K] [--beta US] [--tau US] [-m|-b LIST] [-a LIST] "
             "[--all] [--csv|--json] [--svg FILE]",
    .summary = "Algorithms by block length, for beta and tau of one's own",
    .help =
        "Prints the algorithm with the least C1 beta + C2 tau for each block length, each with\n"
        "its best parameters, and the lengths from which on another one is the best. If there\n"
        "are up to 24 rows in all, or with --all, every algorithm has a row. CSV, JSON and the\n"
        "picture always have all.\n\n"
        "  --n, --k       processors (64) and ports (n - 1) of an OPERATION\n"
        "  --beta, --tau  microseconds of a round and of a byte (the built-in guesses)\n"
        "  -m, -b LIST    block lengths: 8,1K,64K, or MIN:MAX by powers of 2 (8:1M)\n"
        "  -a LIST        algorithms: radix/r=2,radix/r=8,pairwise (all that serve); a schedule\n"
        "                 in a file is @FILE\n"
        "  --all          a row for each algorithm at each length\n"
        "  --csv, --json  the whole for programs\n"
        "  --svg FILE     also a picture; - is standard output, in place of the table\n\n"
        "OPERATION may have keys behind a colon, n and k too, as in "
        "allreduce:n=8,type=int32,op=max. @FILE is a\n"
        "schedule in a file, which has a row beside the algorithms for its n and k.\n\n"
        "Example: kport compare index --n 64 --k 1 --beta 10 --tau 0.001 -m 8:64K\n",
    .run = run,
};
