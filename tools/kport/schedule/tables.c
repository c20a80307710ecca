/* The command `kport tables`. It prints Tables 1 and 2 of Saad and Schultz 1986, with the formulas
 * of the paper and the counted costs of this library's schedules. */
#include "tools/kport/command.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/schedule/cells.h"
#include "tools/kport/schedule/facts.h"

#include <inttypes.h>
#include <string.h>

/* The smallest n for which a hypercube and a torus with sides of at least 3 both exist. */
#define LEAST_N        16
#define MOST_N         256
#define MOST_WORDS     100000000
#define USUAL_AT_ONCE  4
#define USUAL_N        64
#define USUAL_BETA     100
#define MOST_TIME      1000000000
#define NOTES          (CELLS * CELL_NOTES)
#define CELLS_OF_TABLE 15

struct tables {
    struct cell_sizes sizes;
    struct cell cells[CELLS];
    const char *notes[NOTES]; /* the notes of all cells, in the order of first use; note number i +
                                 1 is at index i */
    int note_count;
};

/* Returns the number of a note. A note that has no number yet gets the next number. */
static int number_of(struct tables *t, const char *note)
{
    int i = 0;
    while (i < t->note_count && strcmp(t->notes[i], note) != 0)
        i++;
    if (i == t->note_count)
        t->notes[t->note_count++] = note;
    return i + 1;
}

static int find_all(struct tables *t)
{
    for (int i = 0; i < CELLS; i++) {
        struct cell *cell = &t->cells[i];
        if (cell_find(&cell_rows[i], &t->sizes, cell)) {
            fprintf(stderr, "kport: %s, %s: %s\n", cell_rows[i].architecture,
                    cell_operation(cell_rows[i].operation), kp_last_error()->sentence);
            return kp_last_error()->status == KP_EMEMORY ? EXIT_IMPOSSIBLE : EXIT_FAILED;
        }
        for (int j = 0; j < CELL_NOTES && cell->notes[j]; j++)
            number_of(t, cell->notes[j]);
    }
    return EXIT_DONE;
}

/* --- Printing as text --- */

static void print_cell(struct tables *t, const struct cell *cell, FILE *out)
{
    char text[256];
    kp_problem_format(&cell->problem, text, sizeof text);
    fprintf(out, "  %-12s  %s %s\n", cell_operation(cell->row->operation), cell->formula,
            cell->row->where);
    fprintf(out, "    paper      %12.10g start-ups %14.10g words   time %14.10g\n",
            cell->paper.startups, cell->paper.words, cell_time(&t->sizes, cell->paper));
    fprintf(out, "    counted    %12.10g start-ups %14.10g words   time %14.10g   %s\n",
            cell->counted.startups, cell->counted.words, cell_time(&t->sizes, cell->counted), text);
    if (cell_differs(cell))
        fprintf(out, "    difference %+12.10g start-ups %+14.10g words   time %+14.10g",
                cell->counted.startups - cell->paper.startups,
                cell->counted.words - cell->paper.words,
                cell_time(&t->sizes, cell->counted) - cell_time(&t->sizes, cell->paper));
    else
        fprintf(out, "    no difference");
    for (int i = 0; i < CELL_NOTES && cell->notes[i]; i++)
        fprintf(out, " [%d]", number_of(t, cell->notes[i]));
    fprintf(out, "\n");
    if (cell->pipeline)
        fprintf(out, "    with the best number of packets, %s %s: time %.10g\n",
                cell->pipeline_formula, cell->pipeline->where, cell->pipeline_time);
}

static void print(struct tables *t, FILE *out)
{
    fprintf(out,
            "Saad and Schultz 1986, Tables 1 and 2: n=%d processors, M=%" PRIu64
            " words, beta=%g, tau=%g, a=%d\n"
            "time = start-ups * beta + words * tau. The paper's letters, and those here:\n",
            t->sizes.n, t->sizes.words, t->sizes.model.beta_us, t->sizes.model.tau_us,
            t->sizes.at_once);
    for (const struct cell_letter *letter = cell_letters; letter->paper; letter++)
        fprintf(out, "  %-4s %-6s %s\n", letter->paper, letter->here, letter->meaning);
    for (int i = 0; i < CELLS; i++) {
        const struct cell *cell = &t->cells[i];
        if (i % CELLS_OF_TABLE == 0)
            fprintf(out, "\nTable %d\n", i / CELLS_OF_TABLE + 1);
        if (i == 0 || strcmp(cell_rows[i - 1].architecture, cell->row->architecture) != 0)
            fprintf(out, "%s (%s)\n", cell->row->architecture,
                    kp_topology_find(cell->row->architecture)->port_rule);
        print_cell(t, cell, out);
    }
    fprintf(out, "\n");
    for (int i = 0; i < t->note_count; i++)
        fprintf(out, "[%d] %s\n", i + 1, t->notes[i]);
}

/* --- Printing as JSON --- */

static json_t *cost_json(const struct tables *t, struct cell_cost cost)
{
    return json_pack("{s:f, s:f, s:f}", "startups", cost.startups, "words", cost.words, "time",
                     cell_time(&t->sizes, cost));
}

static json_t *cell_json(struct tables *t, int i)
{
    const struct cell *cell = &t->cells[i];
    struct cell_cost difference = {cell->counted.startups - cell->paper.startups,
                                   cell->counted.words - cell->paper.words};
    char text[256];
    json_t *o = json_object(), *slips = json_array(), *reasons = json_array();
    kp_problem_format(&cell->problem, text, sizeof text);
    for (int j = 0; j < CELL_NOTES && cell->notes[j]; j++)
        json_array_append_new(cell->notes[j] == cell->row->slip ? slips : reasons,
                              json_integer(number_of(t, cell->notes[j])));
    json_object_set_new(o, "table", json_integer(i / CELLS_OF_TABLE + 1));
    json_object_set_new(o, "architecture", json_string(cell->row->architecture));
    json_object_set_new(o, "operation", json_string(cell_operation(cell->row->operation)));
    json_object_set_new(o, "formula_in_paper", json_string(cell->row->formula));
    json_object_set_new(o, "formula", json_string(cell->formula));
    json_object_set_new(o, "where", json_string(cell->row->where));
    json_object_set_new(o, "schedule", json_string(text));
    json_object_set_new(o, "paper", cost_json(t, cell->paper));
    json_object_set_new(o, "counted", cost_json(t, cell->counted));
    json_object_set_new(o, "difference", cost_json(t, difference));
    json_object_set_new(o, "best_packets",
                        cell->pipeline
                            ? json_pack("{s:s, s:s, s:f}", "formula", cell->pipeline_formula,
                                        "where", cell->pipeline->where, "time", cell->pipeline_time)
                            : json_null());
    json_object_set_new(o, "differs", json_boolean(cell_differs(cell)));
    json_object_set_new(o, "slips", slips);
    json_object_set_new(o, "reasons", reasons);
    return o;
}

static json_t *to_json(struct tables *t)
{
    json_t *o = json_object(), *rows = json_array(), *notes = json_array();
    for (int i = 0; i < CELLS; i++)
        json_array_append_new(rows, cell_json(t, i));
    for (int i = 0; i < t->note_count; i++)
        json_array_append_new(notes, json_string(t->notes[i]));
    json_object_set_new(o, "n", json_integer(t->sizes.n));
    json_object_set_new(o, "words", json_integer((json_int_t)t->sizes.words));
    json_object_set_new(o, "beta", json_real(t->sizes.model.beta_us));
    json_object_set_new(o, "tau", json_real(t->sizes.model.tau_us));
    json_object_set_new(o, "at_once", json_integer(t->sizes.at_once));
    json_object_set_new(o, "rows", rows);
    json_object_set_new(o, "notes", notes);
    return o;
}

/* --- The command --- */

static int read_sizes(const struct command *command, uint64_t n, uint64_t words)
{
    if (words == 0) {
        fprintf(stderr, "kport tables: --words is missing; usage: kport tables %s\n",
                command->usage);
        return 0;
    }
    if ((n & (n - 1)) == 0)
        return 1;
    fprintf(stderr,
            "kport: --n is \"%" PRIu64 "\"; it may be a power of 2, %d ... %d, for the hypercube\n",
            n, LEAST_N, MOST_N);
    return 0;
}

static int run(const struct command *command, int count, char **arguments)
{
    int json = 0;
    uint64_t n = USUAL_N, words = 0, beta = USUAL_BETA, tau = 1, at_once = USUAL_AT_ONCE;
    const struct option_row rows[] = {{"--json", OPTION_FLAG, &json, 0, 0},
                                      {"--n", OPTION_NUMBER, &n, LEAST_N, MOST_N},
                                      {"--words", OPTION_NUMBER, &words, 1, MOST_WORDS},
                                      {"--beta", OPTION_NUMBER, &beta, 0, MOST_TIME},
                                      {"--tau", OPTION_NUMBER, &tau, 0, MOST_TIME},
                                      {"--at-once", OPTION_NUMBER, &at_once, 1, LEAST_N - 1},
                                      {0}};
    int given = options_read(command, rows, count, arguments, NULL, 0);
    if (given < 0)
        return options_status(given);
    if (!read_sizes(command, n, words))
        return EXIT_IMPOSSIBLE;
    struct tables t = {.sizes = {.n = (int)n,
                                 .words = words,
                                 .at_once = (int)at_once,
                                 .model = {.beta_us = (double)beta, .tau_us = (double)tau}}};
    int status = find_all(&t);
    FILE *out = status ? NULL : output_begin();
    if (!out)
        return status ? status : EXIT_IMPOSSIBLE;
    if (json)
        output_json(out, "tables", to_json(&t));
    else
        print(&t, out);
    return output_end(out, EXIT_DONE);
}

const struct command command_tables = {
    .name = "tables",
    .usage = "--words M [--n N] [OPTION N...] [--json]",
    .summary = "What operations cost on six architectures, beside the paper's formulas",
    .help =
        "Prints Tables 1 and 2 of Saad and Schultz 1986, for bus, shared memory, ring, torus,\n"
        "hypercube and switch: the paper's formula, and the cost of a schedule that uses only the\n"
        "links of that architecture and keeps its port rule. If data is cut into packets, their\n"
        "number is the best for the two times.\n\n"
        "  --words M    words of all data together\n"
        "  --n N        processors, a power of 2 from 16 to 256 (64)\n"
        "  --beta B     time of a start-up (100)\n"
        "  --tau T      time of a word (1)\n"
        "  --at-once A  processors that use the shared memory at once (4)\n\n"
        "Example: kport tables --n 16 --words 65536\n",
    .run = run,
};
