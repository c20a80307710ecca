#include "tools/kport/predict/predict.h"

#include "tools/kport/chart/chart.h"
#include "tools/kport/command.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/output_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const struct engine_words {
    const char *name, *key;
} engine_words[] = {[ENGINE_LINEAR] = {"linear", "linear_us"},
                    [ENGINE_LOGGP] = {"LogGP", "loggp_us"},
                    [ENGINE_SIMGRID] = {"SimGrid", "simgrid_us"}};

const char *predict_engine_name(enum engine engine)
{
    return engine_words[engine].name;
}

/* Returns whether no row of the same length has a smaller time by this engine. A schedule that the
 * network does not permit is the least only where all schedules of the length are such. */
static bool is_least(const struct predict *p, const struct predicted *row, enum engine engine)
{
    double least = row->us[engine];
    for (size_t i = 0; i < p->count; i++) {
        double us = p->rows[i].us[engine];
        if (p->rows[i].problem.b != row->problem.b || us < 0)
            continue;
        if (p->rows[i].keeps && !row->keeps)
            return false;
        if (p->rows[i].keeps == row->keeps && us < least)
            least = us;
    }
    return row->us[engine] >= 0 && ways_is_least(row->us[engine], least);
}

/* The limits of SimGrid's times in all rows together. */
static unsigned all_limits(const struct predict *p)
{
    unsigned limits = 0;
    for (size_t i = 0; i < p->count; i++)
        limits |= p->rows[i].limits;
    return limits;
}

/* Returns whether the network permits some of the schedules, and some not. */
static bool is_mixed(const struct predict *p)
{
    bool keeps[2] = {false, false};
    for (size_t i = 0; i < p->count; i++)
        keeps[p->rows[i].keeps] = true;
    return keeps[0] && keeps[1];
}

/* Returns whether only the rows with a star are printed, because all would fill more than a page.
 */
static bool is_short(const struct predict *p)
{
    return !p->all && p->count > 24;
}

static void print_head(const struct predict *p, FILE *out)
{
    char network[1300];
    fprintf(out, "%s on %s%s\n", p->text, network_format(&p->network, network, sizeof network),
            p->barrier ? ", a barrier after every round" : "");
    if (p->has[ENGINE_LINEAR])
        fprintf(out, "linear: C1 beta + C2 tau, beta = %g us, tau = %g us a byte; ",
                p->model.beta_us, p->model.tau_us);
    fprintf(out, "times in us, * the least for each b%s\n",
            is_mixed(p) ? " among those without +" : "");
    if (is_short(p))
        fprintf(out, "the first row with the least time for each b (--all: all %zu rows)\n",
                p->count);
    if (p->lacks[0])
        fprintf(out, "%s\n", p->lacks);
    fprintf(out, "\n%10s  %-28s %6s %10s", "b", "algorithm", "C1", "C2");
    for (int e = 0; e < ENGINES; e++) {
        if (p->has[e])
            fprintf(out, "%14s", engine_words[e].name);
    }
    fprintf(out, "\n");
}

static void print_row(const struct predict *p, const struct predicted *row, FILE *out)
{
    char way[256];
    fprintf(out, "%10zu  %-28s %6" PRIu64 " %10" PRIu64, row->problem.b,
            ways_format(&row->problem, way, sizeof way), row->c1, row->c2);
    int width = 14; /* a star takes the first place of the next column */
    for (int e = 0; e < ENGINES; e++) {
        if (!p->has[e])
            continue;
        bool least = is_least(p, row, (enum engine)e);
        if (row->us[e] < 0)
            fprintf(out, "%*s", width, "-");
        else
            fprintf(out, "%*.3f%s", width, row->us[e], least ? "*" : "");
        width = least ? 13 : 14;
    }
    fprintf(out, "%s\n", row->keeps ? "" : " +");
}

/* Returns whether the row is the first with the least time of its length, by some engine. */
static bool is_first(const struct predict *p, const struct predicted *row)
{
    for (int e = 0; e < ENGINES; e++) {
        const struct predicted *first = p->rows;
        while (first < row && !(first->problem.b == row->problem.b && p->has[e] &&
                                is_least(p, first, (enum engine)e)))
            first++;
        if (first == row && p->has[e] && is_least(p, row, (enum engine)e))
            return true;
    }
    return false;
}

static void print_text(const struct predict *p, FILE *out)
{
    bool marked = false;
    print_head(p, out);
    for (size_t i = 0; i < p->count; i++) {
        if (is_short(p) && !is_first(p, &p->rows[i]))
            continue;
        print_row(p, &p->rows[i], out);
        marked = marked || !p->rows[i].keeps;
    }
    if (marked)
        fprintf(out,
                "+ a schedule that uses a missing link or breaks the port rule of the %s:\n  %s.\n"
                "  `kport check --on %s` tells where. LogGP counts the latency of a message over "
                "all\n  links on its way, and nobody waits for a link\n",
                p->network.kind->name, p->network.topology.port_rule, p->network.kind->name);
    for (int i = 0; i < SIMGRID_LIMITS; i++) {
        if (all_limits(p) & 1U << i)
            fprintf(out, "SimGrid: %s\n", simgrid_limit_of[i].sentence);
    }
}

static void print_csv(const struct predict *p, FILE *out)
{
    char way[256];
    fprintf(out, "block_bytes,algorithm,c1_rounds,c2_bytes,linear_us,loggp_us,simgrid_us,"
                 "keeps_to_links,simgrid_limits\n");
    for (size_t i = 0; i < p->count; i++) {
        const struct predicted *row = &p->rows[i];
        fprintf(out, "%zu,\"%s\",%" PRIu64 ",%" PRIu64, row->problem.b,
                ways_format(&row->problem, way, sizeof way), row->c1, row->c2);
        for (int e = 0; e < ENGINES; e++) {
            fprintf(out, ",");
            if (row->us[e] >= 0)
                fprintf(out, "%.9g", row->us[e]);
        }
        fprintf(out, ",%d,", row->keeps);
        const char *between = "";
        for (int j = 0; j < SIMGRID_LIMITS; j++) {
            if (!(row->limits & 1U << j))
                continue;
            fprintf(out, "%s%s", between, simgrid_limit_of[j].word);
            between = " ";
        }
        fprintf(out, "\n");
    }
}

/* The words or the sentences of limits. */
static json_t *json_of_limits(unsigned limits, bool sentences)
{
    json_t *list = json_array();
    for (int i = 0; i < SIMGRID_LIMITS; i++) {
        const struct simgrid_limit *limit = &simgrid_limit_of[i];
        if (limits & 1U << i)
            json_array_append_new(list, json_string(sentences ? limit->sentence : limit->word));
    }
    return list;
}

static json_t *json_of(const struct predict *p)
{
    char text[1300];
    json_t *list = json_array(), *network;
    const struct network *net = &p->network;
    network = json_pack("{s:s, s:f, s:f, s:f, s:f, s:I, s:f}", "name",
                        network_format(net, text, sizeof text), "L_us", net->latency_us, "o_us",
                        net->overhead_us, "g_us", net->gap_us, "G_us", net->byte_us, "S_bytes",
                        (json_int_t)net->eager_bytes, "startup_us", net->startup_us);
    if (!net->has_constants)
        network = json_pack("{s:s}", "name", net->path);
    for (size_t i = 0; i < p->count; i++) {
        const struct predicted *row = &p->rows[i];
        kp_problem_format(&row->problem, text, sizeof text);
        json_t *object = json_pack("{s:s, s:I, s:I, s:I, s:b, s:o}", "problem", text, "b",
                                   (json_int_t)row->problem.b, "c1", (json_int_t)row->c1, "c2",
                                   (json_int_t)row->c2, "keeps_to_links", (int)row->keeps,
                                   "simgrid_limits", json_of_limits(row->limits, false));
        for (int e = 0; e < ENGINES; e++)
            json_object_set_new(object, engine_words[e].key,
                                row->us[e] >= 0 ? json_real(row->us[e]) : json_null());
        json_array_append_new(list, object);
    }
    return json_pack("{s:o, s:b, s:f, s:f, s:o, s:o}", "network", network, "barrier", p->barrier,
                     "beta_us", p->model.beta_us, "tau_us", p->model.tau_us, "rows", list,
                     "simgrid_notes", json_of_limits(all_limits(p), true));
}

/* --- The picture --- */

static const enum chart_stroke strokes[] = {
    [ENGINE_LINEAR] = CHART_DOTTED, [ENGINE_LOGGP] = CHART_SOLID, [ENGINE_SIMGRID] = CHART_DASHED};

/* Gives every way that has rows a colour, and writes its name. A way whose parameters change with
 * the length has only its algorithm's name. */
static size_t name_ways(const struct predict *p, size_t colours[MOST_WAYS],
                        char names[MOST_WAYS][64])
{
    size_t count = 0;
    char text[256];
    for (size_t way = 0; way < p->ways.count; way++) {
        const struct predicted *first = NULL;
        bool same = true;
        for (size_t i = 0; i < p->count; i++) {
            const struct predicted *row = &p->rows[i];
            if (row->way != way)
                continue;
            first = first ? first : row;
            same = same && memcmp(first->problem.values, row->problem.values,
                                  sizeof row->problem.values) == 0;
        }
        if (!first)
            continue;
        colours[way] = count;
        snprintf(names[count++], sizeof names[0], "%.63s",
                 same ? ways_format(&first->problem, text, sizeof text)
                      : p->ways.list[way].algorithm->name);
    }
    return count;
}

static void draw(const struct predict *p, struct chart_point *points, FILE *out)
{
    static char names[MOST_WAYS][64];
    size_t colours[MOST_WAYS];
    char title[200], note[128], network[1300];
    struct chart chart = {.title = title,
                          .notes = {network_format(&p->network, network, sizeof network), note},
                          .x_label = "block",
                          .y_label = "predicted time",
                          .points = points,
                          .names = names};
    chart.name_count = name_ways(p, colours, names);
    for (size_t i = 0; i < p->count; i++) {
        for (int e = 0; e < ENGINES; e++)
            points[chart.count++] = (struct chart_point){
                colours[p->rows[i].way], strokes[e], (double)p->rows[i].problem.b,
                p->rows[i].us[e],        0,          0};
    }
    snprintf(title, sizeof title, "%s, n = %d, k = %d: predicted times",
             kp_operation_name(p->problem.operation), p->problem.n, p->problem.k);
    snprintf(note, sizeof note, "%s%s%s", p->has[ENGINE_LOGGP] ? "solid: LogGP" : "",
             p->has[ENGINE_SIMGRID] ? "; dashed: SimGrid" : "",
             p->has[ENGINE_LINEAR] ? "; dotted: C1 beta + C2 tau" : "");
    chart.notes[1] = note + (*note == ';' ? 2 : 0);
    chart_write(&chart, out);
}

static int write_picture(const struct predict *p)
{
    struct chart_point *points = calloc(p->count * ENGINES + 1, sizeof *points);
    FILE *out = points ? output_begin() : NULL;
    if (out)
        draw(p, points, out);
    free(points);
    return out ? output_end_in(out, EXIT_DONE, p->svg) : EXIT_IMPOSSIBLE;
}

int predict_print(const struct predict *p)
{
    int status = p->svg ? write_picture(p) : EXIT_DONE;
    if (status || (p->svg && strcmp(p->svg, "-") == 0))
        return status;
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    if (p->json)
        output_json(out, "predict", json_of(p));
    else if (p->csv)
        print_csv(p, out);
    else
        print_text(p, out);
    return output_end(out, EXIT_DONE);
}
