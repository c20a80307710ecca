/* Writes the data of a figure as CSV, and its picture as SVG. */
#include "tools/kport/figures/figures.h"

#include "lib/problem/operation.h"

#include <stdlib.h>
#include <string.h>

/* --- The data --- */

static const char *const columns[] = {
    "series",  "operation",   "algorithm", "radix",    "processors", "ports",
    "carrier", "block_bytes", "c1_rounds", "c2_bytes", "time_us",    "least_us",
    "q1_us",   "q3_us",       "p90_us",    "calls",    "model_us"};

/* Writes a time. If there is no time, writes nothing. */
static void write_time(FILE *out, double us)
{
    if (us > 0)
        fprintf(out, "%.4g", us);
}

static void csv_row(const struct point *point, FILE *out)
{
    const kp_problem *p = &point->task.problem;
    bool barrier = point->task.barrier;
    fprintf(out, "\"%s\",%s,%s,", point->series, kp_operation_name(p->operation),
            p->algorithm ? p->algorithm->name : "");
    if (p->values[0] > 0 && p->operation == KP_INDEX)
        fprintf(out, "%ld", p->values[0]);
    fprintf(out, ",%d,%d,%s,", p->n, p->k, carrier_format(point->carrier));
    if (!barrier)
        fprintf(out, "%zu", p->b);
    fprintf(out, ",");
    if (point->c1)
        fprintf(out, "%llu,%llu", (unsigned long long)point->c1, (unsigned long long)point->c2);
    else
        fprintf(out, ",");
    const double times[] = {point->us, point->least_us, point->q1_us, point->q3_us, point->p90_us};
    for (size_t i = 0; i < sizeof times / sizeof times[0]; i++) {
        fprintf(out, ",");
        write_time(out, times[i]);
    }
    fprintf(out, ",");
    if (point->calls)
        fprintf(out, "%llu", (unsigned long long)point->calls);
    fprintf(out, ",");
    write_time(out, point->model_us);
    fprintf(out, "\n");
}

void figure_csv(const struct figure *figure, FILE *out)
{
    size_t count = sizeof columns / sizeof columns[0];
    for (size_t i = 0; i < count; i++)
        fprintf(out, "%s%s", columns[i], i + 1 < count ? "," : "\n");
    for (size_t i = 0; i < figure->count; i++)
        csv_row(&figure->points[i], out);
}

/* --- The picture --- */

static const char *const x_labels[] = {
    [AXIS_BLOCK] = "block", [AXIS_RADIX] = "radix r", [AXIS_PROCESSORS] = "processors n"};

/* Returns the number of the series, which it appends to the chart if it is new. */
static size_t series_of(struct chart *chart, const char *name)
{
    size_t i = 0;
    while (i < chart->name_count && strcmp(chart->names[i], name) != 0)
        i++;
    if (i == chart->name_count)
        snprintf(chart->names[chart->name_count++], sizeof chart->names[0], "%s", name);
    return i;
}

/* Adds the points that are drawn, and the model's time of each of them. */
static void add_points(const struct figure *figure, struct chart *chart)
{
    for (size_t i = 0; i < figure->count; i++) {
        const struct point *p = &figure->points[i];
        if (p->look == LOOK_HIDDEN || p->us <= 0)
            continue;
        struct chart_point point = {.series = series_of(chart, p->series),
                                    .stroke = p->look == LOOK_BROAD ? CHART_BROAD : CHART_SOLID,
                                    .x = point_x(p, figure->kind->axis),
                                    .y = p->us,
                                    .low = p->q1_us,
                                    .high = p->q3_us};
        chart->points[chart->count++] = point;
        if (p->model_us > 0)
            chart->points[chart->count++] =
                (struct chart_point){point.series, CHART_DOTTED, point.x, p->model_us, 0, 0};
    }
}

bool figure_draw(const struct figures *figures, const struct figure *figure, FILE *out)
{
    char beta[32], tau[32], model[128] = "";
    char note[192], here[320];
    struct chart chart = {.title = figure->title,
                          .notes = {note, here},
                          .x_label = x_labels[figure->kind->axis],
                          .y_label = figure->kind->of_turns ? "time of a call (median of turns)"
                                                            : "time of a call (median)",
                          .counts = figure->kind->axis != AXIS_BLOCK,
                          .points = calloc(2 * figure->count, sizeof *chart.points),
                          .names = calloc(figure->count, sizeof *chart.names),
                          .marks = figure->marks,
                          .mark_count = (size_t)figure->mark_count};
    if (figure->beta_us > 0 || figure->tau_us > 0)
        snprintf(model, sizeof model,
                 "; dots: the linear model C1 β + C2 τ, β = %s a round, τ = %s a KiB",
                 time_format(figure->beta_us, beta, sizeof beta),
                 time_format(1024 * figure->tau_us, tau, sizeof tau));
    snprintf(note, sizeof note, "%s%s",
             figure->kind->of_turns ? "Medians of turns with the others"
                                    : "Bands: from the first to the third quartile",
             model);
    snprintf(here, sizeof here, "%s%s%.*s", figures->here, *figures->load_before ? ", load " : "",
             (int)strcspn(figures->load_before, " "), figures->load_before);
    bool right = chart.points && chart.names;
    if (right) {
        add_points(figure, &chart);
        chart_write(&chart, out);
    }
    free(chart.points);
    free(chart.names);
    return right;
}
