/* The table of the kinds of figures. Figures 4, 5 and 6 are those of Bruck et al. 1997,
 * section 3.5. The authors of the paper measured these figures on 64 nodes of an SP-1, with one
 * port. */
#include "tools/kport/figures/figures.h"
#include "tools/kport/schedule/choice.h"

#include "lib/problem/operation.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define USUAL_N 64

/* A list of block lengths in bytes, or of numbers of processors. Most lists exist twice: for the
 * full grid, and for the coarse grid (--quick). */
struct numbers {
    size_t count;
    int list[14];
};

static const struct numbers all_sizes = {
    14, {8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768, 65536}};
static const struct numbers few_sizes = {4, {8, 64, 512, 4096}};
static const struct numbers radix_sizes = {5, {32, 64, 128, 1024, 8192}};
static const struct numbers few_radix_sizes = {3, {32, 128, 2048}};
static const struct numbers every_second_size = {7, {16, 64, 256, 1024, 4096, 16384, 65536}};
static const struct numbers few_peers_sizes = {2, {16, 1024}};
static const struct numbers all_n = {12, {2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096}};
static const struct numbers few_n = {4, {2, 8, 64, 512}};

static const struct numbers *grid(const struct figures *figures, const struct numbers *all,
                                  const struct numbers *few)
{
    return figures->quick ? few : all;
}

const char *carrier_format(kp_carrier carrier)
{
    return carrier == KP_CARRIER_FIBERS ? "fibers" : "threads";
}

struct point *figure_add(struct figure *figure, const char *series, const kp_problem *problem)
{
    if (figure->count == figure->room) {
        size_t room = figure->room ? 2 * figure->room : 64;
        struct point *points = realloc(figure->points, room * sizeof *points);
        if (!points)
            return NULL;
        figure->points = points;
        figure->room = room;
    }
    struct point *point = &figure->points[figure->count++];
    *point =
        (struct point){.look = LOOK_CURVE, .carrier = figure->carrier, .task.problem = *problem};
    snprintf(point->series, sizeof point->series, "%s", series);
    if (problem->algorithm && problem->algorithm->stated_cost)
        problem->algorithm->stated_cost(problem, &point->c1, &point->c2);
    return point;
}

double point_x(const struct point *point, enum axis axis)
{
    const kp_problem *p = &point->task.problem;
    return axis == AXIS_BLOCK ? (double)p->b : axis == AXIS_RADIX ? (double)p->values[0] : p->n;
}

bool figure_is_drawn(const struct figure *figure)
{
    for (size_t i = 0; i < figure->count; i++) {
        if (figure->points[i].look != LOOK_HIDDEN && figure->points[i].us > 0)
            return true;
    }
    return false;
}

static int processors(const struct figures *figures)
{
    return figures->n ? (int)figures->n : USUAL_N;
}

static void entitle(struct figure *figure, int n, const char *what)
{
    snprintf(figure->title, sizeof figure->title, "%s, %d %s", what, n,
             carrier_format(figure->carrier));
}

/* --- Figures of the index, by radix --- */

static kp_problem index_problem(int n, size_t b, long radix)
{
    return (kp_problem){.operation = KP_INDEX,
                        .n = n,
                        .k = 1,
                        .b = b,
                        .algorithm = kp_algorithm_find(KP_INDEX, "radix"),
                        .values = {radix}};
}

static bool add_radix(struct figure *figure, int n, size_t b, long radix, bool drawn)
{
    char series[48];
    kp_problem problem = index_problem(n, b, radix);
    snprintf(series, sizeof series, "r = %ld", radix);
    struct point *point = figure_add(figure, series, &problem);
    if (point)
        point->look = drawn ? LOOK_CURVE : LOOK_HIDDEN;
    return point != NULL;
}

/* Lists points for the radices 2, 4, 8, ... below n, and for n. All radices of a block length come
 * before the next length, so that points that are compared are measured one after the other. */
static bool plan_powers(const struct figures *figures, struct figure *figure, bool all_drawn)
{
    const struct numbers *sizes = grid(figures, &all_sizes, &few_sizes);
    int n = processors(figures);
    for (size_t i = 0; i < sizes->count; i++) {
        for (long r = 2; r < n; r *= 2) {
            if (!add_radix(figure, n, (size_t)sizes->list[i], r, all_drawn || r == 2))
                return false;
        }
        if (!add_radix(figure, n, (size_t)sizes->list[i], n, true))
            return false;
    }
    return true;
}

static bool plan_by_size(const struct figures *figures, struct figure *figure)
{
    entitle(figure, processors(figures), "Figure 4: index by block and radix");
    return plan_powers(figures, figure, true);
}

static bool plan_break_even(const struct figures *figures, struct figure *figure)
{
    const struct numbers *sizes = grid(figures, &all_sizes, &few_sizes);
    int n = processors(figures);
    entitle(figure, n, "Figure 5: index, r = 2, r = n and the best");
    if (!plan_powers(figures, figure, false))
        return false;
    for (size_t i = 0; i < sizes->count; i++) {
        kp_problem problem = index_problem(n, (size_t)sizes->list[i], 0);
        problem.values[0] = chosen_radix(figure->carrier, &problem);
        if (!figure_add(figure, "the tuner's choice", &problem))
            return false;
    }
    return true;
}

static bool plan_by_radix(const struct figures *figures, struct figure *figure)
{
    const struct numbers *sizes = grid(figures, &radix_sizes, &few_radix_sizes);
    int n = processors(figures);
    entitle(figure, n, "Figure 6: index by radix");
    for (size_t i = 0; i < sizes->count; i++) {
        /* The full grid has every radix. The coarse grid has about eight radices for each factor of
         * ten. */
        for (long r = 2, step = 1; r <= n; r = r < n && r + step > n ? n : r + step) {
            char series[48], size[32];
            kp_problem problem = index_problem(n, (size_t)sizes->list[i], r);
            snprintf(series, sizeof series, "blocks of %s",
                     bytes_format((double)problem.b, size, sizeof size));
            if (!figure_add(figure, series, &problem))
                return false;
            step = figures->quick ? 1 + r / 3 : 1;
        }
    }
    return true;
}

/* --- Other figures --- */

static bool plan_concat(const struct figures *figures, struct figure *figure)
{
    const struct numbers *sizes = grid(figures, &every_second_size, &few_sizes);
    int n = processors(figures);
    entitle(figure, n, "Concatenation by algorithm");
    for (size_t i = 0; i < sizes->count; i++) {
        for (int a = 0; kp_algorithm_at(a); a++) {
            const kp_algorithm *algorithm = kp_algorithm_at(a);
            kp_problem problem = {.operation = KP_CONCAT,
                                  .n = n,
                                  .k = 1,
                                  .b = (size_t)sizes->list[i],
                                  .algorithm = algorithm};
            if (algorithm->operation != KP_CONCAT ||
                (algorithm->serves && algorithm->serves(&problem)) || kp_tune(&problem, NULL))
                continue;
            if (!figure_add(figure, algorithm->name, &problem))
                return false;
        }
    }
    return true;
}

static bool add_scaling(struct figure *figure, const char *name, bool barrier,
                        const kp_problem *problem, kp_carrier carrier)
{
    char series[48];
    kp_problem tuned = *problem;
    const kp_config machine = {.carrier = carrier};
    if (!barrier && choice_make(&machine, &tuned))
        return false;
    snprintf(series, sizeof series, "%s on %s", name, carrier_format(carrier));
    struct point *point = figure_add(figure, series, &tuned);
    if (point) {
        point->carrier = carrier;
        point->task.barrier = barrier;
        point->task.left_open = !barrier;
    }
    return point != NULL;
}

static bool plan_scaling(const struct figures *figures, struct figure *figure)
{
    const struct numbers *n = grid(figures, &all_n, &few_n);
    int most = figures->n ? (int)figures->n : n->list[n->count - 1];
    snprintf(figure->title, sizeof figure->title, "By number of processors, blocks of 8 B");
    for (size_t i = 0; i < n->count && n->list[i] <= most; i++) {
        for (int c = 0; c < 2; c++) {
            kp_problem p = {.n = n->list[i], .k = 1, .b = 8};
            kp_problem barrier = {.operation = KP_BARRIER, .n = p.n, .k = 1}, sum = p, index = p;
            sum.operation = KP_ALLREDUCE;
            sum.type = KP_FLOAT64;
            sum.op = KP_SUM;
            index.operation = KP_INDEX;
            if (figures->carriers[c] &&
                !(add_scaling(figure, "barrier", true, &barrier, (kp_carrier)c) &&
                  add_scaling(figure, "allreduce", false, &sum, (kp_carrier)c) &&
                  add_scaling(figure, "index", false, &index, (kp_carrier)c)))
                return false;
        }
    }
    return true;
}

static bool plan_beside_peers(const struct figures *figures, struct figure *figure,
                              const kp_problem *asked, const char *what)
{
    const struct numbers *sizes = grid(figures, &every_second_size, &few_peers_sizes);
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    int n = cores < 2 ? 2 : cores > USUAL_N ? USUAL_N : (int)cores;
    figure->carrier =
        figures->carriers[KP_CARRIER_THREADS] ? KP_CARRIER_THREADS : KP_CARRIER_FIBERS;
    entitle(figure, n, what);
    for (size_t i = 0; i < sizes->count; i++) {
        kp_problem problem = *asked;
        problem.n = n;
        problem.k = n - 1;
        problem.b = (size_t)sizes->list[i];
        const kp_config machine = {.carrier = figure->carrier};
        struct point *point =
            choice_make(&machine, &problem) ? NULL : figure_add(figure, "kport", &problem);
        if (!point)
            return false;
        point->with_peers = point->task.left_open = true;
    }
    return true;
}

static bool plan_peers(const struct figures *figures, struct figure *figure)
{
    return plan_beside_peers(figures, figure, &(kp_problem){.operation = KP_INDEX},
                             "Index beside what one would use instead");
}

static bool plan_peers_concat(const struct figures *figures, struct figure *figure)
{
    return plan_beside_peers(figures, figure, &(kp_problem){.operation = KP_CONCAT},
                             "Concatenation beside what one would use instead");
}

static bool plan_peers_allreduce(const struct figures *figures, struct figure *figure)
{
    const kp_problem sum = {.operation = KP_ALLREDUCE, .type = KP_FLOAT64, .op = KP_SUM};
    return plan_beside_peers(figures, figure, &sum, "Allreduce beside what one would use instead");
}

const struct figure_kind figure_kinds[] = {
    {.name = "figure4",
     .caption = "The time of the index operation by the size of a block, a curve for each radix "
                "that is a power of two (Bruck et al. 1997, Figure 4).",
     .axis = AXIS_BLOCK,
     .each_carrier = true,
     .modelled = true,
     .plan = plan_by_size,
     .conclude = conclude_best_series},
    {.name = "figure5",
     .caption = "Radix 2, radix n, the best power of two, and the radix that is chosen where none "
                "is named (Bruck et al. 1997, Figure 5).",
     .axis = AXIS_BLOCK,
     .each_carrier = true,
     .modelled = true,
     .reuses = true,
     .plan = plan_break_even,
     .conclude = conclude_break_even},
    {.name = "figure6",
     .caption = "The time of the index operation by radix, a curve for each size of a block (Bruck "
                "et al. 1997, Figure 6).",
     .axis = AXIS_RADIX,
     .each_carrier = true,
     .modelled = true,
     .plan = plan_by_radix,
     .conclude = conclude_by_radix},
    {.name = "concat",
     .caption = "The algorithms of the concatenation, by the size of a block.",
     .axis = AXIS_BLOCK,
     .each_carrier = true,
     .modelled = true,
     .plan = plan_concat,
     .conclude = conclude_best_series},
    {.name = "scaling",
     .caption = "Threads and fibers, from two processors to thousands: the barrier, the sum of a "
                "float64, and the index operation.",
     .axis = AXIS_PROCESSORS,
     .plan = plan_scaling,
     .conclude = conclude_scaling},
    {.name = "peers",
     .caption =
         "The index operation, which is MPI's alltoall, among as many processors as there are "
         "cores, timed in turns with what one would use instead, as Open MPI; of each kind "
         "the best.",
     .axis = AXIS_BLOCK,
     .of_turns = true,
     .missing = peers_missing,
     .plan = plan_peers,
     .conclude = conclude_peers},
    {.name = "peers-concat",
     .caption = "The same of the concatenation, which is MPI's allgather.",
     .axis = AXIS_BLOCK,
     .of_turns = true,
     .missing = peers_missing,
     .plan = plan_peers_concat,
     .conclude = conclude_peers},
    {.name = "peers-allreduce",
     .caption = "The same of the allreduce: sums of float64.",
     .axis = AXIS_BLOCK,
     .of_turns = true,
     .missing = peers_missing,
     .plan = plan_peers_allreduce,
     .conclude = conclude_peers},
};

const size_t figure_kind_count = sizeof figure_kinds / sizeof figure_kinds[0];

/* --- Names, and numbers with units --- */

size_t left_out_count(const struct figure *figure)
{
    size_t all = 0;
    for (int i = 0; i < LACK_REASONS; i++)
        all += figure->left_out[i];
    return all;
}

const char *left_out_format(const struct figure *figure, char *text, size_t size)
{
    static const char *const lacks[LACK_REASONS] = {"time", "memory", "threads"};
    size_t all = left_out_count(figure);
    text[0] = '\0';
    if (all == 0)
        return text;
    snprintf(text, size, "%zu of %zu points are left out", all, figure->count);
    for (int i = 0, said = 0; i < LACK_REASONS; i++) {
        size_t length = strlen(text);
        if (figure->left_out[i] > 0)
            snprintf(text + length, size - length, "%s %zu for want of %s", said++ ? "," : ":",
                     figure->left_out[i], lacks[i]);
    }
    return text;
}
