/* Writes the remark of a figure. The remark says which series is fastest, where two curves cross,
 * or how the best radix depends on the block length. In the paper the best radix grows with the
 * block length (Bruck et al. 1997, section 3.5). */
#include "tools/kport/figures/figures.h"
#include "tools/kport/schedule/choice.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

/* Times that differ from the least time by at most this factor count as equal. */
#define ALIKE      1.1
#define MOST_SIZES 32

static void say(struct figure *figure, const char *format, ...)
{
    size_t length = strlen(figure->remark);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(figure->remark + length, sizeof figure->remark - length, format, arguments);
    va_end(arguments);
}

/* Lists the block lengths of the measured points, in ascending order. Returns their number. */
static int list_sizes(const struct figure *figure, size_t sizes[MOST_SIZES])
{
    int count = 0;
    for (size_t i = 0; i < figure->count && count < MOST_SIZES; i++) {
        size_t b = figure->points[i].task.problem.b;
        bool known = figure->points[i].us <= 0;
        for (int j = 0; j < count && !known; j++)
            known = sizes[j] == b;
        if (!known)
            sizes[count++] = b;
    }
    return count;
}

static bool counts(const struct point *point, size_t b)
{
    return point->us > 0 && point->task.problem.b == b;
}

static const struct point *best_of(const struct figure *figure, size_t b)
{
    const struct point *best = NULL;
    for (size_t i = 0; i < figure->count; i++) {
        const struct point *point = &figure->points[i];
        if (counts(point, b) && (!best || point->us < best->us))
            best = point;
    }
    return best;
}

static const struct point *find(const struct figure *figure, size_t b, const char *series)
{
    for (size_t i = 0; i < figure->count; i++) {
        const struct point *point = &figure->points[i];
        if (counts(point, b) && strcmp(point->series, series) == 0)
            return point;
    }
    return NULL;
}

/* --- The fastest series --- */

static void say_best(struct figure *figure, const size_t *sizes, int count)
{
    char from[32], to[32];
    for (int i = 0, j; i < count; i = j) {
        const struct point *best = best_of(figure, sizes[i]);
        for (j = i + 1; j < count; j++) {
            if (strcmp(best_of(figure, sizes[j])->series, best->series) != 0)
                break;
        }
        bytes_format((double)sizes[i], from, sizeof from);
        bytes_format((double)sizes[j - 1], to, sizeof to);
        say(figure, "%s%s %s%s%s%s", i == 0 ? "Least time: " : "; ", best->series,
            j - i > 1 ? "from " : "at ", from, j - i > 1 ? " to " : "", j - i > 1 ? to : "");
    }
    say(figure, count > 0 ? ". " : "Nothing was measured. ");
}

/* Returns the smallest radix that is at least `radix` and is among the best for blocks of b bytes.
 * Returns 0 if there is none. */
static long next_radix(const struct figure *figure, size_t b, long radix)
{
    const double most = ALIKE * best_of(figure, b)->us;
    long next = 0;
    for (size_t i = 0; i < figure->count; i++) {
        const struct point *point = &figure->points[i];
        long r = point->task.problem.values[0];
        if (counts(point, b) && point->us <= most && r >= radix && (next == 0 || r < next))
            next = r;
    }
    return next;
}

static void say_growth(struct figure *figure, const size_t *sizes, int count)
{
    char text[32];
    long radix = 2, first = 0;
    for (int i = 0; i < count; i++) {
        long next = next_radix(figure, sizes[i], radix);
        if (next == 0) {
            say(figure,
                "The best radix does not grow with the block throughout: at %s it is below "
                "that of a smaller block.",
                bytes_format((double)sizes[i], text, sizeof text));
            return;
        }
        first = i == 0 ? next : first;
        radix = next;
    }
    if (count > 1 && radix > first)
        say(figure,
            "The best radix grows with the block, from %ld to %ld, as in the paper, if times "
            "within 10 %% count as equal.",
            best_of(figure, sizes[0])->task.problem.values[0],
            best_of(figure, sizes[count - 1])->task.problem.values[0]);
    else if (count > 1)
        say(figure, "r = %ld is the best for all of them, or within 10 %% of it.", radix);
}

bool conclude_best_series(const struct figures *figures, struct figure *figure)
{
    size_t sizes[MOST_SIZES];
    int count = list_sizes(figure, sizes);
    (void)figures;
    say_best(figure, sizes, count);
    if (count > 0 && best_of(figure, sizes[0])->task.problem.operation == KP_INDEX)
        say_growth(figure, sizes, count);
    return true;
}

bool conclude_by_radix(const struct figures *figures, struct figure *figure)
{
    char size[32], time[32];
    size_t sizes[MOST_SIZES];
    int count = list_sizes(figure, sizes);
    (void)figures;
    for (int i = 0; i < count; i++) {
        const struct point *best = best_of(figure, sizes[i]);
        say(figure, "%s%s: r = %ld (%s)", i == 0 ? "Least time for blocks of " : ", ",
            bytes_format((double)sizes[i], size, sizeof size), best->task.problem.values[0],
            time_format(best->us, time, sizeof time));
    }
    say(figure, count > 0 ? ". " : "Nothing was measured. ");
    say_growth(figure, sizes, count);
    return true;
}

/* --- Figure 5: the break-even of radix 2 and radix n --- */

/* Returns the block length at which the measured times of radix 2 and radix n are equal. Between
 * two measured lengths, log(time of radix 2 / time of radix n) is interpolated linearly over the
 * logarithm of the length. Returns 0 if the times are never equal. */
static double crossing(const struct figure *figure, const size_t *sizes, int count,
                       const char *radix_n)
{
    double before = 0, x_before = 0;
    for (int i = 0; i < count; i++) {
        const struct point *two = find(figure, sizes[i], "r = 2");
        const struct point *all = find(figure, sizes[i], radix_n);
        if (!two || !all)
            continue;
        double ratio = log(two->us / all->us), x = log((double)sizes[i]);
        if (x_before > 0 && before < 0 && ratio >= 0)
            return exp(x_before + (x - x_before) * before / (before - ratio));
        before = ratio;
        x_before = x;
    }
    return 0;
}

/* Returns the block length at which C1 * beta + C2 * tau is equal for radix 2 and radix n. C2 is
 * proportional to the block length. Returns 0 if there is no such length. */
static double crossing_of_model(const struct figure *figure, size_t b, const char *radix_n)
{
    const struct point *two = find(figure, b, "r = 2"), *all = find(figure, b, radix_n);
    if (!two || !all || two->c2 <= all->c2 || figure->tau_us <= 0)
        return 0;
    return ((double)all->c1 - (double)two->c1) * figure->beta_us /
           (((double)two->c2 - (double)all->c2) / (double)b * figure->tau_us);
}

static void mark_crossing(struct figure *figure, double x, double most, const char *whose)
{
    char text[32];
    if (x <= 0) {
        say(figure, "No break-even of r = 2 and r = n %s. ", whose);
        return;
    }
    bytes_format(x, text, sizeof text);
    if (x <= most) {
        struct chart_mark *mark = &figure->marks[figure->mark_count++];
        mark->x = x;
        snprintf(mark->text, sizeof mark->text, "break-even %s: %s", whose, text);
    }
    say(figure, "Break-even of r = 2 and r = n %s: %s. ", whose, text);
}

/* Adds the series "the best of them". For each block length it has the best measured point. */
static bool add_best(struct figure *figure, const size_t *sizes, int count)
{
    for (int i = 0; i < count; i++) {
        const struct point best = *best_of(figure, sizes[i]);
        struct point *point = figure_add(figure, "the best of them", &best.task.problem);
        if (!point)
            return false;
        point->look = LOOK_BROAD;
        point->us = best.us;
        point->least_us = best.least_us;
        point->p90_us = best.p90_us;
        point->calls = best.calls;
    }
    return true;
}

static void say_regret(struct figure *figure, const size_t *sizes, int count)
{
    double sum = 0, most = 0;
    int compared = 0;
    for (int i = 0; i < count; i++) {
        const struct point *chosen = find(figure, sizes[i], "the tuner's choice");
        if (!chosen)
            continue;
        double more = chosen->us / best_of(figure, sizes[i])->us - 1;
        sum += more;
        most = more > most ? more : most;
        compared++;
    }
    if (compared > 0)
        say(figure,
            "What the tuner chooses takes %.0f %% more than the best on average, %.0f %% at "
            "most. ",
            100 * sum / compared, 100 * most);
}

static void say_by_what(struct figure *figure)
{
    kp_profile *profile = NULL;
    char by[512] = "";
    bool refused = kp_profile_find(&profile, by, sizeof by) != KP_OK;
    say(figure, "%s is by %s. ", refused ? "A profile is refused; the choice" : "The choice", by);
    kp_profile_free(profile);
}

bool conclude_break_even(const struct figures *figures, struct figure *figure)
{
    char radix_n[48];
    size_t sizes[MOST_SIZES];
    int count = list_sizes(figure, sizes);
    (void)figures;
    if (count == 0)
        return true;
    snprintf(radix_n, sizeof radix_n, "r = %d", figure->points[0].task.problem.n);
    double most = (double)sizes[count - 1];
    mark_crossing(figure, crossing(figure, sizes, count, radix_n), most, "measured");
    mark_crossing(figure, crossing_of_model(figure, sizes[0], radix_n), most, "of the model");
    say_regret(figure, sizes, count);
    say_by_what(figure);
    return add_best(figure, sizes, count);
}

int chosen_radix(kp_carrier carrier, const kp_problem *problem)
{
    const kp_config machine = {.carrier = carrier};
    kp_problem chosen = *problem;
    return choice_make(&machine, &chosen) ? 2 : (int)chosen.values[0];
}

/* --- Other figures --- */

bool conclude_scaling(const struct figures *figures, struct figure *figure)
{
    static const char *const names[] = {"barrier", "allreduce", "index"};
    char time[32];
    (void)figures;
    for (int i = 0; i < 3; i++) {
        const struct point *last[2] = {NULL, NULL};
        for (size_t j = 0; j < figure->count; j++) {
            const struct point *p = &figure->points[j];
            if (p->us > 0 && strncmp(p->series, names[i], strlen(names[i])) == 0)
                last[p->carrier == KP_CARRIER_FIBERS] = p;
        }
        for (int c = 0; c < 2; c++) {
            if (last[c])
                say(figure, "%s, n = %d: %s. ", last[c]->series, last[c]->task.problem.n,
                    time_format(last[c]->us, time, sizeof time));
        }
    }
    return true;
}

static bool add_peers(struct figure *figure, size_t count, int column)
{
    for (size_t i = 0; i < count; i++) {
        const struct point own = figure->points[i];
        double us = own.peers.us[column];
        struct point *point =
            us > 0 ? figure_add(figure, peers_columns[column].title, &own.task.problem) : NULL;
        if (us > 0 && !point)
            return false;
        if (point) {
            point->us = us;
            point->c1 = point->c2 = 0;
            point->task.problem.algorithm = NULL;
            point->task.problem.values[0] = 0;
        }
    }
    return true;
}

bool conclude_peers(const struct figures *figures, struct figure *figure)
{
    size_t count = figure->count;
    (void)figures;
    for (int column = 0; column < PEERS_COLUMNS; column++) {
        const struct point first = figure->points[0];
        const kp_config config = {.carrier = first.carrier};
        const char *missing = peers_column_missing(column, &first.task, &config);
        if (!add_peers(figure, count, column))
            return false;
        if (missing)
            say(figure, "%s: %s. ", peers_columns[column].title, missing);
    }
    return true;
}
