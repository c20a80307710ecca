/* Writes the data of a figure, and the gnuplot script that draws it. The script reads the data
 * from the CSV file. So the picture always agrees with the data, and a user can draw the figure
 * again. */
#include "tools/kport/figures/figures.h"

#include "lib/problem/operation.h"

#include <math.h>
#include <string.h>

/* The colour and the gnuplot point type of each series. The colours begin in the order of the
 * rainbow, and are dark enough on white. Each series has a point type of its own. */
static const struct style {
    const char *colour;
    int shape;
} styles[] = {{"#5e3c99", 7},  {"#2166ac", 5},  {"#1b9e9e", 9}, {"#33a02c", 11}, {"#a6a100", 13},
              {"#e08214", 15}, {"#d6301f", 6},  {"#c51b7d", 4}, {"#7f5539", 8},  {"#636363", 10},
              {"#000000", 12}, {"#b07fd0", 14}, {"#08306b", 2}, {"#00541b", 1},  {"#67000d", 3}};
#define MOST_SERIES (sizeof styles / sizeof styles[0])

const char *figure_colour(size_t i)
{
    return styles[i % MOST_SERIES].colour;
}

static const struct axis_words {
    const char *column, *label;
} axes[] = {
    [AXIS_BLOCK] = {"block_bytes", "block"},
    [AXIS_RADIX] = {"radix", "radix r"},
    [AXIS_PROCESSORS] = {"processors", "processors n"},
};

/* --- The data --- */

static const char *const columns[] = {"series",     "operation", "algorithm", "radix",
                                      "processors", "ports",     "carrier",   "block_bytes",
                                      "c1_rounds",  "c2_bytes",  "time_us",   "least_us",
                                      "p90_us",     "calls",     "model_us"};

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
    const double times[] = {point->us, point->least_us, point->p90_us};
    for (int i = 0; i < 3; i++) {
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

/* --- The script --- */

/* The range of the values that are drawn on an axis. */
struct range {
    double low, high;
};

static void widen(struct range *range, double value)
{
    if (value <= 0)
        return;
    range->low = range->low == 0 || value < range->low ? value : range->low;
    range->high = value > range->high ? value : range->high;
}

/* For each series that is drawn, stores the first point that has a time. Returns the number of
 * these series. */
static size_t list_series(const struct figure *figure, const struct point *series[MOST_SERIES])
{
    size_t count = 0;
    for (size_t i = 0; i < figure->count; i++) {
        const struct point *point = &figure->points[i];
        bool known = point->look == LOOK_HIDDEN || point->us <= 0;
        for (size_t j = 0; j < count && !known; j++)
            known = strcmp(series[j]->series, point->series) == 0;
        if (!known && count < MOST_SERIES)
            series[count++] = point;
    }
    return count;
}

/* Labels an axis at `first` times the powers of `factor`, with numbers and units. gnuplot itself
 * would write "10^4" and "kiB". */
static void write_tics(FILE *out, char axis, const struct range *range, double first, double factor,
                       const char *(*format)(double value, char *text, size_t size))
{
    char text[32];
    fprintf(out, "set %ctics out nomirror (", axis);
    for (double at = first; at <= 1.001 * range->high * factor; at *= factor)
        fprintf(out, "%s\"%s\" %.10g", at > first ? ", " : "", format(at, text, sizeof text), at);
    fprintf(out, ")\n");
}

static const char *count_format(double value, char *text, size_t size)
{
    snprintf(text, size, "%.0f", value);
    return text;
}

/* Draws the vertical lines of the figure. The text of a line extends towards the middle of the
 * picture. */
static void write_marks(const struct figure *figure, const struct range *x, FILE *out)
{
    for (int i = 0; i < figure->mark_count; i++) {
        const struct mark *mark = &figure->marks[i];
        bool right = mark->x * mark->x > x->low * x->high;
        fprintf(out,
                "set arrow from first %g, graph 0 to first %g, graph 1 nohead dashtype %d "
                "linecolor rgb \"#808080\"\n",
                mark->x, mark->x, i + 1);
        fprintf(out,
                "set label \"%s\" at first %g, graph %g %s offset %s,0 noenhanced textcolor rgb "
                "\"#505050\"\n",
                mark->text, mark->x, 0.04 + 0.05 * i, right ? "right" : "left",
                right ? "-0.6" : "0.6");
    }
}

static void write_axes(const struct figure *figure, FILE *out)
{
    struct range x = {0}, y = {0};
    for (size_t i = 0; i < figure->count; i++) {
        const struct point *point = &figure->points[i];
        if (point->look == LOOK_HIDDEN || point->us <= 0)
            continue;
        widen(&x, point_x(point, figure->kind->axis));
        widen(&y, point->us);
        widen(&y, point->model_us);
    }
    fprintf(out, "set logscale x 2\nset logscale y 10\nset mytics 10\n");
    fprintf(out, "set xrange [%g:%g]\nset yrange [%g:%g]\n", x.low / 1.15, x.high * 1.15,
            y.low / 1.4, y.high * 1.4);
    bool block = figure->kind->axis == AXIS_BLOCK;
    write_tics(out, 'x', &x, exp2(floor(log2(x.low))), x.high > 64 * x.low ? 4 : 2,
               block ? bytes_format : count_format);
    write_tics(out, 'y', &y, 0.01, 10, time_format);
    fprintf(out, "set xlabel \"%s\"\nset ylabel \"time of a call (%s)\"\n",
            axes[figure->kind->axis].label, figure->kind->averages ? "average" : "median");
    write_marks(figure, &x, out);
}

static void write_curve(const struct figure *figure, const char *series, const char *column,
                        FILE *out)
{
    fprintf(out, "  data using (of(\"%s\") * column(\"%s\")):\"%s\" with ", series,
            axes[figure->kind->axis].column, column);
}

/* Draws the measured points of each series, joined by lines. The model is a dashed line in the same
 * colour. */
static void write_plot(const struct figure *figure, FILE *out)
{
    const struct point *series[MOST_SERIES];
    size_t count = list_series(figure, series);
    fprintf(out, "of(name) = strcol(\"series\") eq name ? 1 : NaN\nplot \\\n");
    for (size_t i = 0; i < count; i++) {
        if (series[i]->look != LOOK_BAND)
            continue;
        write_curve(figure, series[i]->series, "time_us", out);
        fprintf(out, "lines linewidth 9 linecolor rgb \"#d9d9d9\" title \"%s\", \\\n",
                series[i]->series);
    }
    for (size_t i = 0; i < count; i++) {
        if (series[i]->model_us <= 0)
            continue;
        write_curve(figure, series[i]->series, "model_us", out);
        fprintf(out, "lines dashtype 2 linewidth 1 linecolor rgb \"%s\" notitle, \\\n",
                styles[i].colour);
    }
    for (size_t i = 0; i < count; i++) {
        if (series[i]->look != LOOK_CURVE)
            continue;
        write_curve(figure, series[i]->series, "time_us", out);
        fprintf(out,
                "linespoints linewidth 1.6 pointtype %d pointsize 0.7 linecolor rgb \"%s\" title "
                "\"%s\", \\\n",
                styles[i].shape, styles[i].colour, series[i]->series);
    }
    fprintf(out, "  NaN notitle\n");
}

/* Writes the title of the figure. If the model was fitted, a second line has beta and tau. */
static void write_title(const struct figure *figure, FILE *out)
{
    char beta[32], tau[32];
    fprintf(out, "set title \"%s", figure->title);
    if (figure->beta_us > 0 || figure->tau_us > 0)
        fprintf(
            out,
            "\\n{/*0.8 dashed: the linear model T = C_1 β + C_2 τ, β = %s a round, τ = %s a KiB}",
            time_format(figure->beta_us, beta, sizeof beta),
            time_format(1024 * figure->tau_us, tau, sizeof tau));
    fprintf(out, "\"\n");
}

static const char preamble[] =
    "set encoding utf8\n"
    "set datafile separator \",\"\n"
    "set datafile columnheaders\n"
    "set datafile missing NaN\n"
    "set border 3 linecolor rgb \"#404040\"\n"
    "set grid xtics ytics linetype 1 linewidth 0.5 linecolor rgb \"#dddddd\"\n"
    "set key outside right top vertical Left reverse samplen 2.5 noenhanced\n";

void figure_script(const struct figure *figure, FILE *out)
{
    fprintf(out, "# gnuplot %s.gp draws %s.svg and %s.png from %s.csv.\n", figure->name,
            figure->name, figure->name, figure->name);
    fprintf(out, "data = \"%s.csv\"\n%s", figure->name, preamble);
    write_title(figure, out);
    write_axes(figure, out);
    fprintf(out,
            "set terminal svg size 960,560 font \"sans-serif,14\" background rgb \"white\"\n"
            "set output \"%s.svg\"\n",
            figure->name);
    write_plot(figure, out);
    fprintf(out,
            "set terminal pngcairo size 1920,1120 font \"sans-serif,14\" fontscale 2 linewidth 2 "
            "pointscale 2\n"
            "set output \"%s.png\"\nreplot\nset output\n",
            figure->name);
}
