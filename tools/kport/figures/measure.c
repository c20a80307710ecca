/* Measures the points of all figures. Points with the same n and the same block length form a
 * group. The points of a group are measured in turns: each point once, then each point again. So a
 * temporary disturbance of the computer does not favour a point. The median and the quartiles of a
 * point are those of all its samples, of all turns together.
 *
 * Each group may use a share of the remaining time that is proportional to its guessed time. Time
 * that a group does not use is left for later groups. If a point cannot end in time, it is left
 * out. Block lengths grow from group to group. So the time of the last point shows how wrong the
 * guesses are. */
#include "tools/kport/figures/figures.h"

#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/memory.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/common/sorted.h"

#include <stdlib.h>
#include <string.h>

/* The effort for each point: first for the full grid, then for the coarse grid (--quick). */
static const struct effort {
    double batch_ns;
    int turns;
} efforts[] = {{20e6, 3}, {8e6, 2}};

#define TURN_SECONDS 0.015 /* the seconds that a turn takes before its batch */
/* If a turn takes more than this many seconds, the point has no further turn. */
#define LONG_TURN    0.4
#define FIGURE_SHARE 2.0 /* a figure may use this many times its share of the time */
/* A turn has at least this many calls, even if a call takes longer than a batch. */
#define LEAST_CALLS   5
#define PEERS_NS      10e6
#define PEERS_SECONDS 6.0
#define PEERS_BATCHES 5
#define CALLS         12   /* the expected calls of a point whose calls take longer than a batch */
#define BYTE_SECONDS  3e-9 /* the seconds to fill and compare one byte of a buffer */

/* For each carrier, the seconds in a turn to make, start and end one processor. */
static const double make_seconds[] = {[KP_CARRIER_THREADS] = 5e-4, [KP_CARRIER_FIBERS] = 5e-5};

static double guess(const struct figures *figures, const struct point *point)
{
    const kp_problem *p = &point->task.problem;
    const struct effort *effort = &efforts[figures->quick];
    kp_model model = kp_model_builtin(p->n, p->k);
    double call_us =
        point->task.barrier ? model.beta_us : kp_model_time(&model, point->c1, point->c2);
    double bytes = point->task.barrier ? 0 : memory_wanted(p, 0);
    double turn = 1e-9 * effort->batch_ns + TURN_SECONDS + make_seconds[point->carrier] * p->n;
    return turn * effort->turns + CALLS * 1e-6 * call_us + BYTE_SECONDS * bytes +
           (point->with_peers ? PEERS_SECONDS : 0);
}

/* Returns the point of an earlier figure, or an earlier point of this figure, that has the same
 * task and carrier. Returns NULL if there is none, or if the kind of figure does not reuse
 * points. */
static const struct point *measured(const struct figures *figures, const struct figure *figure,
                                    const struct point *point)
{
    const kp_problem *p = &point->task.problem;
    if (!figure->kind->reuses)
        return NULL;
    for (const struct figure *f = figures->list; f <= figure; f++) {
        for (size_t i = 0; i < f->count; i++) {
            const struct point *other = &f->points[i];
            const kp_problem *q = &other->task.problem;
            if (other == point)
                return NULL;
            if (f->kind->modelled && other->carrier == point->carrier && q->n == p->n &&
                q->b == p->b && q->algorithm == p->algorithm && q->values[0] == p->values[0])
                return other;
        }
    }
    return NULL;
}

double figures_guess(const struct figures *figures)
{
    double seconds = 0;
    for (size_t i = 0; i < figures->count; i++) {
        struct figure *figure = &figures->list[i];
        for (size_t j = 0; j < figure->count; j++) {
            struct point *point = &figure->points[j];
            point->seconds = measured(figures, figure, point) ? 0 : guess(figures, point);
            seconds += point->seconds;
        }
    }
    return seconds;
}

/* --- Measuring a point --- */

struct work {
    struct figures *figures;
    kp_machine *machine; /* the machine of the last point, which is used again if the next point
                            needs the same configuration */
    kp_config config;
    double seconds; /* the guessed seconds of all points that are not yet measured */
    int64_t end; /* when the measurement of this figure must end, so that later figures keep their
                    share of the time */
    double slowness; /* the measured time of the last point, divided by its guessed time */
};

static double percentile_us(const struct point *point, unsigned percent)
{
    return sorted_percentile(point->samples, point->sample_count, percent) / 1000;
}

/* Returns what is compared with the peers (PEERS_TIMED). */
static double median_of_turns(const struct timing *timing)
{
    double turns[TIMING_BATCHES];
    memcpy(turns, timing->result.batch_us, sizeof turns);
    return sorted_median(turns, (size_t)timing->result.batches);
}

/* Adds the samples of a turn to those of the turns before, and computes the times from all of them.
 * Returns false if there is no memory. */
static bool keep(struct point *point, const struct timing *timing)
{
    size_t more = timing->sample_count, count = point->sample_count + more;
    double *samples = more > 0 ? realloc(point->samples, count * sizeof *samples) : NULL;
    if (!samples)
        return more == 0;
    memcpy(samples + point->sample_count, timing->samples, more * sizeof *samples);
    sorted_by_value(samples, count);
    point->samples = samples;
    point->sample_count = count;
    point->turns++;
    point->calls += timing->result.iterations;
    point->us = point->with_peers ? median_of_turns(timing) : percentile_us(point, 50);
    point->q1_us = point->with_peers ? 0 : percentile_us(point, 25);
    point->q3_us = point->with_peers ? 0 : percentile_us(point, 75);
    point->p90_us = percentile_us(point, 90);
    point->least_us = samples[0] / 1000;
    return true;
}

static void take_machine(struct work *work, const struct point *point)
{
    const kp_problem *p = &point->task.problem;
    kp_config config = {.processors = p->n, .ports = p->k, .carrier = point->carrier};
    if (work->machine &&
        (work->config.processors != config.processors || work->config.ports != config.ports ||
         work->config.carrier != config.carrier)) {
        kp_machine_destroy(work->machine);
        work->machine = NULL;
    }
    work->config = config;
}

static int all_batches(struct work *work, struct point *point, struct timing *timing)
{
    const struct effort *effort = &efforts[work->figures->quick];
    bool peers = point->with_peers && peers_begin(&point->task, &work->config, false, PEERS_NS);
    uint64_t least = peers ? UINT64_MAX : LEAST_CALLS;
    int status = 0;
    for (int i = 0; !status && !interrupt_came() && i < PEERS_BATCHES &&
                    (i == 0 || timing->result.iterations < least);
         i++) {
        status = timing_batch(timing, effort->batch_ns, UINT64_MAX);
        if (!status && peers)
            peers_repeat();
    }
    if (peers)
        peers_end(&point->peers);
    return status;
}

/* Measures a point for one turn. Returns a status of kport; if it is not 0, an error message is on
 * stderr. */
static int measure_point(struct work *work, struct point *point)
{
    static const struct timing_settings settings = {.seed = 1, .warm_up = TIMING_WARM_UP};
    struct timing timing;
    char text[256];
    take_machine(work, point);
    pthread_mutex_unlock(&work->figures->points);
    int status = timing_begin(&timing, &point->task, &settings, &work->config, &work->machine);
    if (!status)
        status = all_batches(work, point, &timing);
    if (!status)
        (void)timing_conclude(&timing);
    pthread_mutex_lock(&work->figures->points);
    if (!status)
        work->figures->wrong = work->figures->wrong || timing.result.wrong > 0;
    if (!status && !interrupt_came() && !keep(point, &timing)) {
        snprintf(timing.sentence, sizeof timing.sentence, "no memory for the times");
        status = KP_EMEMORY;
    }
    if (status) {
        task_format(&point->task, text, sizeof text);
        fprintf(stderr, "kport figures: %s on %s: %s\n", text, carrier_format(point->carrier),
                timing.sentence);
    }
    timing_end(&timing);
    return status;
}

/* --- Measuring all points --- */

static double seconds_until(int64_t end)
{
    return (double)(end - batch_now_ns()) / 1e9;
}

static void begin_figure(struct work *work, const struct figure *figure)
{
    double seconds = 0, left = seconds_until(work->figures->deadline);
    for (size_t i = 0; i < figure->count; i++)
        seconds += figure->points[i].seconds;
    double share = work->seconds > 0 ? FIGURE_SHARE * left * seconds / work->seconds : 0;
    work->end = batch_now_ns() + (int64_t)((share < left ? share : left) * 1e9);
    work->slowness = 1;
}

/* Returns the reason why this point must be left out, or LACK_REASONS if there is none. */
static enum lack lack_before(const struct work *work, const struct point *point)
{
    double times = work->slowness > 1 ? work->slowness : 1;
    if (point->seconds * times >= seconds_until(work->end))
        return LACK_TIME;
    return point->task.barrier || memory_fits(&point->task.problem, 1) ? LACK_REASONS : LACK_MEMORY;
}

/* Returns why a point whose measurement has returned `status` must be left out. Returns
 * LACK_REASONS if it need not be left out for a lack of threads or memory. */
static enum lack lack_after(int status)
{
    return status == KP_ETHREAD ? LACK_THREADS : status == KP_EMEMORY ? LACK_MEMORY : LACK_REASONS;
}

/* Carries out the next turn of the point, unless the point must be left out. */
static int one_turn(struct work *work, struct figure *figure, struct point *point)
{
    int64_t begun = batch_now_ns();
    enum lack lack = point->turns > 0 ? LACK_REASONS : lack_before(work, point);
    int status = lack == LACK_REASONS ? measure_point(work, point) : KP_OK;
    double seconds = (double)(batch_now_ns() - begun) / 1e9;
    lack = lack == LACK_REASONS ? lack_after(status) : lack;
    if (lack != LACK_REASONS) {
        figure->left_out[lack] += point->turns == 0;
        point->done = true;
        return EXIT_DONE;
    }
    if (point->turns == 1)
        work->slowness = seconds / point->seconds;
    point->done = point->with_peers || seconds > LONG_TURN;
    return status ? EXIT_FAILED : EXIT_DONE;
}

static void copy_result(struct point *point, const struct point *other)
{
    point->us = other->us;
    point->least_us = other->least_us;
    point->q1_us = other->q1_us;
    point->q3_us = other->q3_us;
    point->p90_us = other->p90_us;
    point->calls = other->calls;
    point->done = true;
}

static void forget_samples(struct point *point)
{
    free(point->samples);
    point->samples = NULL;
    point->sample_count = 0;
}

/* Measures a group of `count` points, which begins at `first`. */
static int one_group(struct work *work, struct figure *figure, struct point *first, size_t count)
{
    double seconds = 0;
    for (size_t i = 0; i < count; i++) {
        const struct point *other = measured(work->figures, figure, &first[i]);
        if (other)
            copy_result(&first[i], other);
        seconds += first[i].seconds;
    }
    double share =
        seconds > 0 ? seconds_until(work->figures->deadline) * seconds / work->seconds : 0;
    int64_t end = batch_now_ns() + (int64_t)(0.9 * share * 1e9);
    int status = EXIT_DONE;
    for (int turn = 0; turn < efforts[work->figures->quick].turns && !status; turn++) {
        for (size_t i = 0; i < count && !status && (turn == 0 || batch_now_ns() < end); i++) {
            if (!first[i].done && !interrupt_came())
                status = one_turn(work, figure, &first[i]);
        }
    }
    for (size_t i = 0; i < count; i++)
        forget_samples(&first[i]);
    work->seconds -= seconds;
    return status;
}

static size_t group_at(const struct figure *figure, size_t first)
{
    size_t count = 1;
    const kp_problem *p = &figure->points[first].task.problem;
    for (; first + count < figure->count; count++) {
        const kp_problem *q = &figure->points[first + count].task.problem;
        if (q->n != p->n || q->b != p->b)
            break;
    }
    return count;
}

/* Prints how many points of each figure are missing. The command calls this function after an
 * interrupt. */
static void say_missing(struct figures *figures)
{
    fprintf(stderr, "kport figures: interrupted; missing are");
    for (size_t i = 0; i < figures->count; i++) {
        struct figure *figure = &figures->list[i];
        size_t there = 0;
        for (size_t j = 0; j < figure->count; j++)
            there += figure->points[j].us > 0;
        figure->missing = figure->count - there - left_out_count(figure);
        figure->files = there > 0 ? figure->files : NO_FILES;
        fprintf(stderr, "%s %zu of %zu points of %s", i > 0 ? "," : "", figure->missing,
                figure->count, figure->name);
    }
    fprintf(stderr, "\n");
}

static void say_left_out(const struct figure *figure)
{
    char text[160];
    if (*left_out_format(figure, text, sizeof text))
        fprintf(stderr, "kport figures: %s: %s\n", figure->name, text);
}

void figures_end_now(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        struct figure *figure = &figures->list[i];
        size_t there = 0;
        for (size_t j = 0; j < figure->count; j++)
            there += figure->points[j].us > 0;
        const size_t missing = figure->count - there - left_out_count(figure);
        figure->left_out[LACK_TIME] += missing;
        if (missing > 0)
            say_left_out(figure);
    }
}

/* Measures the first point without keeping the result, because the first measurement of a process
 * is slower than later ones. */
static int warm_up(struct work *work)
{
    struct point *first = work->figures->count > 0 ? work->figures->list[0].points : NULL;
    if (!first || lack_before(work, first) != LACK_REASONS)
        return EXIT_DONE;
    struct point point = *first;
    point.with_peers = false;
    int status = measure_point(work, &point);
    forget_samples(&point);
    return status && lack_after(status) == LACK_REASONS ? EXIT_FAILED : EXIT_DONE;
}

int figures_measure(struct figures *figures)
{
    struct work work = {.figures = figures,
                        .seconds = figures_guess(figures),
                        .end = figures->deadline,
                        .slowness = 1};
    double points = 0, done = 0;
    for (size_t i = 0; i < figures->count; i++)
        points += (double)figures->list[i].count;
    progress_begin("figures", points, "points");
    progress_until(seconds_until(figures->deadline));
    int status = warm_up(&work);
    for (size_t i = 0; i < figures->count && !status; i++) {
        struct figure *figure = &figures->list[i];
        begin_figure(&work, figure);
        for (size_t j = 0, count; j < figure->count && !status; j += count) {
            count = group_at(figure, j);
            progress_at(done + (double)j, figure->name);
            status = one_group(&work, figure, &figure->points[j], count);
        }
        done += (double)figure->count;
        progress_wipe();
        say_left_out(figure);
    }
    progress_end();
    kp_machine_destroy(work.machine);
    if (!status && interrupt_came())
        say_missing(figures);
    return status;
}
