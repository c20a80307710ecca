#include "tools/kport/schedule/cells.h"

#include "lib/algorithms/torus.h"

#include <math.h>
#include <string.h>

/* --- The letters in formulas --- */

const struct cell_letter cell_letters[] = {
    {"N/b", "M tau", "moving all the words: M of them, tau each; the paper's b is a bandwidth"},
    {"tau", "beta", "a start-up"},
    {"k*", "a", "transfers at once, on bus and shared memory"},
    {"k", "n", "processors"},
    {0},
};

static void translate(const char *formula, char *text, size_t size)
{
    size_t length = 0;
    while (*formula && length + 8 < size) {
        const struct cell_letter *letter = cell_letters;
        while (letter->paper && strncmp(formula, letter->paper, strlen(letter->paper)) != 0)
            letter++;
        if (letter->paper) {
            length += (size_t)snprintf(text + length, size - length, "%s", letter->here);
            formula += strlen(letter->paper);
        } else {
            text[length++] = *formula++;
        }
    }
    text[length] = '\0';
}

/* --- The paper's costs, with this library's letters --- */

static double side(const struct cell_sizes *s)
{
    return sqrt(s->n);
}

static double dimensions(const struct cell_sizes *s)
{
    return log2(s->n);
}

static double turns(const struct cell_sizes *s)
{
    return (double)s->n / s->at_once;
}

static struct cell_cost cost(const struct cell_sizes *s, double startups, double of_all_words)
{
    return (struct cell_cost){startups, of_all_words * (double)s->words};
}

/* The cost of one transfer of all data. The next functions return the costs of other schedules:
 * some have a start-up for each processor, some for each dimension of the hypercube. */
static struct cell_cost once(const struct cell_sizes *s)
{
    return cost(s, 1, 1);
}

static struct cell_cost by_processors(const struct cell_sizes *s)
{
    return cost(s, s->n, 1);
}

static struct cell_cost by_dimensions(const struct cell_sizes *s)
{
    return cost(s, dimensions(s), 1);
}

static struct cell_cost memory_one(const struct cell_sizes *s)
{
    return cost(s, 2, 2);
}

static struct cell_cost memory_broadcast(const struct cell_sizes *s)
{
    return cost(s, 1 + turns(s), 1 + turns(s));
}

static struct cell_cost memory_concat(const struct cell_sizes *s)
{
    return cost(s, 2 * turns(s), (s->n + 1.0) / s->at_once);
}

static struct cell_cost memory_scatter(const struct cell_sizes *s)
{
    return cost(s, 1 + turns(s), 1 + 1.0 / s->at_once);
}

static struct cell_cost memory_index(const struct cell_sizes *s)
{
    return cost(s, 2 * turns(s), 2.0 / s->at_once);
}

static struct cell_cost ring_pipeline(const struct cell_sizes *s)
{
    return cost(s, s->n, 2);
}

static struct cell_cost ring_scatter(const struct cell_sizes *s)
{
    return cost(s, s->n / 2.0, 0.5);
}

static struct cell_cost ring_index(const struct cell_sizes *s)
{
    return cost(s, s->n, 0.5);
}

static struct cell_cost torus_one(const struct cell_sizes *s)
{
    return cost(s, 2 * (side(s) + 6), 0.5);
}

static struct cell_cost torus_all(const struct cell_sizes *s)
{
    return cost(s, 2 * side(s), 1);
}

static struct cell_cost torus_scatter(const struct cell_sizes *s)
{
    return cost(s, 2 * ceil(side(s) / 2), (1 + 1 / side(s)) / 2);
}

static struct cell_cost torus_index(const struct cell_sizes *s)
{
    return cost(s, 2 * side(s), 2 / side(s));
}

static struct cell_cost cube_one(const struct cell_sizes *s)
{
    return cost(s, 2 * (2 + dimensions(s)), 2 / dimensions(s));
}

static struct cell_cost cube_broadcast(const struct cell_sizes *s)
{
    return cost(s, 2 * dimensions(s), 2);
}

static struct cell_cost cube_concat(const struct cell_sizes *s)
{
    return cost(s, 2 * dimensions(s), 2 / dimensions(s));
}

static struct cell_cost cube_index(const struct cell_sizes *s)
{
    return cost(s, 2 * dimensions(s), dimensions(s) / s->n);
}

static struct cell_cost switch_broadcast(const struct cell_sizes *s)
{
    return cost(s, 4 * dimensions(s), 4);
}

/* --- The numbers of ports --- */

static int one_port(int n)
{
    (void)n;
    return 1;
}

static int two_ports(int n)
{
    (void)n;
    return 2;
}

static int four_ports(int n)
{
    (void)n;
    return 4;
}

static int port_each_dimension(int n)
{
    return (int)log2(n);
}

static int all_ports(int n)
{
    return n - 1;
}

/* --- Notes that several cells have --- */

static const char packets[] =
    "The table prints the bound 2 (x + y) of (sqrt(x) + sqrt(y))^2, the time with the best number "
    "of "
    "packets, which stands below; counted is the best whole number of them for this beta and tau.";
static const char both_ways[] =
    "The formula is for the shorter way, and 2 (x + y) bounds (sqrt(x) + sqrt(y))^2, the time with "
    "the best number of packets, which stands below; counted are packets that go both ways, so "
    "many "
    "each that both end together, as (3.6) has it with halves.";
static const char all_paths[] =
    "2 (x + y) bounds (sqrt(x) + sqrt(y))^2, the time with the best number of packets, which "
    "stands "
    "below; counted is the best whole number, with more packets on the shorter of the paths, which "
    "are shorter than the longest that the paper allows for.";
static const char others_only[] =
    "A processor's own block stays where it is: 1 of the n blocks less is sent, in a start-up less "
    "where every block has its own.";
static const char others_by_halves[] =
    "A processor's own block stays where it is, so one of the n blocks less is sent. The table "
    "rounds "
    "up what the text has with k - 1, or sqrt(k) - 1, for k, or sqrt(k).";
static const char in_matrix_order[] =
    "Printed with N^2, N the order of the matrix in this section; elsewhere, and here, N is the "
    "number of words.";
static const char turns_rounded[] =
    "a processors at a time make ceil((n - 1) / a) turns for the readers; the paper says k / k*, "
    "and has the root read as well.";

const struct cell_row cell_rows[CELLS] = {
    {"bus", KP_ONE_TO_ONE, "N/b + tau", "(3.1)", once, "direct", one_port, NULL, NULL},
    {"bus", KP_BROADCAST, "N/b + tau", "3.2", once, "tree", all_ports, NULL, NULL},
    {"bus", KP_CONCAT, "N/b + k tau", "(3.26)", by_processors, "in-turn", all_ports, NULL, NULL},
    {"bus", KP_SCATTER, "N/b + k tau", "(3.36)", by_processors, "direct", one_port, NULL,
     others_only},
    {"bus", KP_INDEX, "N/b + k tau", "3.5", by_processors, "in-turn", all_ports, NULL,
     "Each processor sends the n - 1 blocks for others, not its own."},

    {"shared-memory", KP_ONE_TO_ONE, "2 (N/b + tau)", "(3.2)", memory_one, "shared-memory",
     one_port, "Table 1 prints 2 N/b + tau; it lacks a 2 on tau.", NULL},
    {"shared-memory", KP_BROADCAST, "(N/b + tau) (1 + k/k*)", "(3.15)", memory_broadcast,
     "shared-memory", all_ports, "(3.15) prints the switch's bandwidth b_S for b_M.",
     turns_rounded},
    {"shared-memory", KP_CONCAT, "(N/b (k + 1)/k + 2 tau) k/k*", "(3.27)", memory_concat,
     "shared-memory", all_ports, "Table 1 lacks a factor k on tau.",
     "Nobody reads its own block back, so one of the n blocks less is read; and a processors at a "
     "time make ceil(n / a) turns."},
    {"shared-memory", KP_SCATTER, "N/b (1 + 1/k*) + tau (1 + k/k*)", "before (3.37)",
     memory_scatter, "shared-memory", all_ports,
     "(3.37), and Table 1 differently, do not follow from the derivation before (3.37), which "
     "gives "
     "this for k >= k*.",
     "The root neither writes nor reads its own block; a processors at a time make ceil((n - 1) / "
     "a) turns."},
    {"shared-memory", KP_INDEX, "2 (N/b/k + tau) k/k*", "(3.42)", memory_index, "shared-memory",
     all_ports, "Table 1 prints 2 (N/b + tau) (1 + k/k*), which is not (3.42).",
     "The own block of each processor is neither written nor read; a processors at a time make "
     "ceil(n / a) turns."},

    {"ring", KP_ONE_TO_ONE, "2 N/b + k tau", "(3.5), i = k/2", ring_pipeline, "ring", two_ports,
     NULL, both_ways},
    {"ring", KP_BROADCAST, "2 N/b + k tau", "(3.17)", ring_pipeline, "ring", two_ports, NULL,
     packets},
    {"ring", KP_CONCAT, "N/b + k tau", "Table 1, (3.28)", by_processors, "ring", one_port, NULL,
     others_by_halves},
    {"ring", KP_SCATTER, "N/b/2 + k/2 tau", "(3.38)", ring_scatter, "ring", two_ports, NULL,
     "Blocks go floor(n / 2) places to one side."},
    {"ring", KP_INDEX, "N/b/2 + k tau", "(3.43)", ring_index, "ring", one_port, NULL,
     "The data is rotated n - 1 times, not n, and without the own block: n (n - 1) / 2 blocks pass "
     "a link."},

    {"torus", KP_ONE_TO_ONE, "N/b/2 + 2 (sqrt(k) + 6) tau", "(3.11)", torus_one, "torus",
     four_ports, "Table 2 lacks a 2 on tau.", all_paths},
    {"torus", KP_BROADCAST, "N/b + 2 sqrt(k) tau", "(3.19)", torus_all, "torus", four_ports,
     "Table 2 lacks a 2 on tau.",
     "2 (x + y) bounds (sqrt(x) + sqrt(y))^2, which stands below. The printed way leaves the "
     "root's "
     "row and column without one half, and its remedy needs links that still carry the other; a "
     "half "
     "that goes along its lines in one direction reaches all, but over about 3/2 sqrt(n) links."},
    {"torus", KP_CONCAT, "N/b + 2 sqrt(k) tau", "(3.32)", torus_all, "torus", one_port, NULL,
     others_by_halves},
    {"torus", KP_SCATTER, "N/b (1 + 1/sqrt(k))/2 + 2 ceil(sqrt(k)/2) tau", "(3.39)", torus_scatter,
     "torus", two_ports,
     "(3.39) prints ceil(k/2) under the root for ceil(sqrt(k)/2); Table 2 prints N/b + 2 sqrt(k) "
     "tau.",
     "Bundles go floor(columns / 2) links and blocks floor(rows / 2), which (3.39) rounds up."},
    {"torus", KP_INDEX, "2 (N/b/sqrt(k) + sqrt(k) tau)", "(3.44)", torus_index, "torus", one_port,
     "Table 2 lacks a factor sqrt(k) in N's denominator.",
     "As printed, gathering on the diagonal and scattering down its columns, blocks do not reach "
     "every column; counted is an index along the rows, then along the columns, without own "
     "blocks: "
     "about N/(b sqrt(k)) + 2 sqrt(k) tau."},

    {"hypercube", KP_ONE_TO_ONE, "2 (N/b/log(k) + (2 + log(k)) tau)", "3.1 (E)", cube_one,
     "hypercube-paths", port_each_dimension, "Table 2 lacks a 2 on tau.", all_paths},
    {"hypercube", KP_BROADCAST, "2 (N/b + log(k) tau)", "(3.21)", cube_broadcast, "hypercube",
     port_each_dimension, NULL, packets},
    {"hypercube", KP_CONCAT, "2 N/b/log(k) + 2 log(k) tau", "(3.33)", cube_concat, "tea2-grouped",
     port_each_dimension, NULL,
     "(3.33) holds for large k. Even and odd processors send by turns and the half-steps are "
     "grouped, so there are log(n) + 1 start-ups; each step's blocks are divided among the links "
     "and rounded up, and the own block is not sent."},
    {"hypercube", KP_SCATTER, "N/b + log(k) tau", "(3.40)", by_dimensions, "tree", one_port, NULL,
     others_only},
    {"hypercube", KP_INDEX, "log(k) (N/b/k + 2 tau)", "3.5 (E)", cube_index, "alternate-halves",
     one_port, in_matrix_order, NULL},

    {"switch", KP_ONE_TO_ONE, "N/b + tau", "3.1 (F)", once, "direct", one_port, NULL, NULL},
    {"switch", KP_BROADCAST, "4 (N/b + log(k) tau)", "(3.25)", switch_broadcast, "circulant",
     one_port, NULL,
     "Counted is a broadcast on a circulant graph (Traff 2023), which sends a packet in every "
     "round, where the paper's binary tree sends every packet twice; and the paper prints 2 (x + "
     "y) "
     "for (sqrt(x) + sqrt(y))^2."},
    {"switch", KP_CONCAT, "N/b + log(k) tau", "(3.35)", by_dimensions, "circulant", one_port,
     "The loop of (3.35) has to begin at i = 0.", others_only},
    {"switch", KP_SCATTER, "N/b + log(k) tau", "(3.41)", by_dimensions, "tree", one_port, NULL,
     others_only},
    {"switch", KP_INDEX, "log(k) (N/b/k + 2 tau)", "3.5 (F)", cube_index, "radix", one_port,
     in_matrix_order,
     "A switch carries both directions at once, so an exchange is one start-up, and half of the "
     "blocks go in it."},
};

/* --- The times with packets --- */

static double all_data(const struct cell_sizes *s)
{
    (void)s;
    return 1;
}

static double half_of_data(const struct cell_sizes *s)
{
    (void)s;
    return 0.5;
}

static double quarter_of_data(const struct cell_sizes *s)
{
    (void)s;
    return 0.25;
}

static double data_by_dimensions(const struct cell_sizes *s)
{
    return 1 / dimensions(s);
}

static double half_ring(const struct cell_sizes *s)
{
    return s->n / 2.0;
}

static double side_and_six(const struct cell_sizes *s)
{
    return side(s) + 6;
}

static double dimensions_less_one(const struct cell_sizes *s)
{
    return dimensions(s) - 1;
}

static const struct cell_pipeline pipelines[] = {
    {"ring", KP_ONE_TO_ONE, "(sqrt(N/b) + sqrt((k/2 - 1) tau))^2", "(3.5)", 1, all_data, half_ring},
    {"ring", KP_BROADCAST, "(sqrt(N/b) + sqrt((k/2 - 1) tau))^2", "(3.17)", 1, all_data, half_ring},
    {"torus", KP_ONE_TO_ONE, "(sqrt(N/b/4) + sqrt((sqrt(k) + 5) tau))^2", "(3.11)", 1,
     quarter_of_data, side_and_six},
    {"torus", KP_BROADCAST, "(sqrt(N/b/2) + sqrt((sqrt(k) - 1) tau))^2", "(3.19)", 1, half_of_data,
     side},
    {"hypercube", KP_ONE_TO_ONE, "(sqrt(N/b/log(k)) + sqrt((log(k) - 1) tau))^2", "3.1 (E)", 1,
     data_by_dimensions, dimensions},
    {"hypercube", KP_BROADCAST, "(sqrt(N/b) + sqrt((log(k) - 1) tau))^2", "(3.21)", 1, all_data,
     dimensions},
    {"switch", KP_BROADCAST, "2 (sqrt(N/b) + sqrt((log(k) - 2) tau))^2", "(3.25)", 2, all_data,
     dimensions_less_one},
};

static void find_pipeline(struct cell *cell, const struct cell_sizes *s)
{
    for (size_t i = 0; i < sizeof pipelines / sizeof pipelines[0]; i++) {
        const struct cell_pipeline *p = &pipelines[i];
        if (strcmp(p->architecture, cell->row->architecture) != 0 ||
            p->operation != cell->row->operation)
            continue;
        double root = sqrt(p->share(s) * (double)s->words * s->model.tau_us) +
                      sqrt((p->links(s) - 1) * s->model.beta_us);
        cell->pipeline = p;
        cell->pipeline_time = p->times * root * root;
        translate(p->formula, cell->pipeline_formula, sizeof cell->pipeline_formula);
    }
}

/* --- The cost of one cell --- */

static uint64_t block_of(const struct cell_row *row, const struct cell_sizes *s, int *rounded)
{
    uint64_t n = (uint64_t)s->n, parts = 1;
    if (row->operation == KP_CONCAT || row->operation == KP_SCATTER)
        parts = n;
    if (row->operation == KP_INDEX)
        parts = n * n;
    *rounded = s->words % parts != 0;
    return s->words / parts + (uint64_t)*rounded;
}

/* Returns the processor with the greatest distance from the root, which is processor 0. */
static int target_of(const struct cell_row *row, int n)
{
    struct kp_torus torus = kp_torus_of(n);
    if (strcmp(row->architecture, "ring") == 0)
        return n / 2;
    if (strcmp(row->architecture, "torus") == 0)
        return kp_torus_at(torus, torus.rows / 2, torus.columns / 2);
    return n - 1;
}

/* Returns the value of the first parameter of the paper's algorithm. The cost model chooses the
 * other parameters. */
static long value_of(const struct cell_row *row, const struct cell_sizes *s)
{
    if (strcmp(row->algorithm, "shared-memory") == 0 && row->operation != KP_ONE_TO_ONE)
        return s->at_once;
    return strcmp(row->algorithm, "radix") == 0 ? 2 : 0;
}

static int count(struct cell *cell, const struct cell_sizes *s)
{
    kp_topology topology = *kp_topology_find(cell->row->architecture);
    kp_schedule *schedule;
    if (strcmp(topology.name, "shared-memory") == 0)
        topology.at_once = s->at_once;
    int status = kp_schedule_build(&cell->problem, &schedule);
    if (status)
        return status;
    status = kp_schedule_check_on(schedule, &topology, NULL);
    kp_transfer_cost counted = kp_topology_cost(&topology, schedule, cell->problem.b);
    cell->counted = (struct cell_cost){(double)counted.startups, (double)counted.words};
    kp_schedule_free(schedule);
    return status;
}

static void add_note(struct cell *cell, const char *note)
{
    int i = 0;
    while (cell->notes[i])
        i++;
    cell->notes[i] = note;
}

static void add_notes(struct cell *cell, const struct cell_sizes *s, int rounded)
{
    double root = sqrt(s->n);
    if (cell->row->slip)
        add_note(cell, cell->row->slip);
    if (!cell_differs(cell))
        return;
    if (cell->row->why)
        add_note(cell, cell->row->why);
    if (rounded)
        add_note(cell,
                 "Blocks are whole words: M / n, or M / n^2 for a transposition, rounded up.");
    if (strcmp(cell->row->architecture, "torus") == 0 && root != floor(root))
        add_note(cell, "The torus has sides of sqrt(n/2) and sqrt(2 n), not of sqrt(n).");
}

int cell_find(const struct cell_row *row, const struct cell_sizes *s, struct cell *cell)
{
    int rounded;
    *cell = (struct cell){.row = row, .paper = row->cost(s)};
    translate(row->formula, cell->formula, sizeof cell->formula);
    find_pipeline(cell, s);
    cell->problem = (kp_problem){.operation = row->operation,
                                 .n = s->n,
                                 .k = row->ports(s->n),
                                 .b = block_of(row, s, &rounded),
                                 .algorithm = kp_algorithm_find(row->operation, row->algorithm),
                                 .values = {value_of(row, s)}};
    if (row->operation == KP_ONE_TO_ONE)
        cell->problem.target = target_of(row, s->n);
    int status = kp_tune(&cell->problem, &s->model);
    if (status == KP_OK)
        status = count(cell, s);
    if (status == KP_OK)
        add_notes(cell, s, rounded);
    return status;
}

double cell_time(const struct cell_sizes *s, struct cell_cost c)
{
    return c.startups * s->model.beta_us + c.words * s->model.tau_us;
}

int cell_differs(const struct cell *cell)
{
    const double least = 1e-6;
    return fabs(cell->paper.startups - cell->counted.startups) > least ||
           fabs(cell->paper.words - cell->counted.words) > least * (1 + cell->paper.words);
}

const char *cell_operation(kp_operation operation)
{
    static const char *const names[KP_OPERATIONS] = {
        [KP_ONE_TO_ONE] = "one to one", [KP_BROADCAST] = "one to all", [KP_CONCAT] = "all to all",
        [KP_SCATTER] = "scatter",       [KP_INDEX] = "multiscatter",
    };
    return names[operation];
}
