/* The command `kport figures`. It measures the points of figures, fits the cost model to the
 * points, and draws the figures. */
#include "tools/kport/figures/figures.h"

#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/options.h"
#include "tools/kport/common/output.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/computer/computer.h"
#include "tools/kport/schedule/facts.h"

#include "lib/problem/rows.h"
#include "lib/tune/profile.h"

#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_N 4096
/* The time that is kept for the last point, if it takes longer than was guessed, and for writing
 * the files: these seconds, and this share of the announced time. */
#define LAST_SECONDS 1
#define LAST_SHARE   0.05
/* The announced time is the guessed time multiplied by this, because other programs may run. */
#define MARGIN 1.3
#define LEAST  10 /* without --seconds the announced time is at least this many seconds */

/* --- Reading the options --- */

static bool is_among(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        if (strcspn(at, ",") == length && strncmp(at, name, length) == 0)
            return true;
    }
    return false;
}

static int refuse_only(const char *word)
{
    fprintf(stderr, "kport figures: --only is \"%.*s\"; it may be, with commas between,",
            (int)strcspn(word, ","), word);
    for (size_t i = 0; i < figure_kind_count; i++)
        fprintf(stderr, "%s %s", i > 0 ? "," : "", figure_kinds[i].name);
    fprintf(stderr, "\n");
    return EXIT_IMPOSSIBLE;
}

/* Leaves out the kinds of figures that this program cannot measure. If the user has named such a
 * kind, the function prints an error message and returns EXIT_IMPOSSIBLE. */
static int check_kinds(const char *only)
{
    for (size_t i = 0; i < figure_kind_count; i++) {
        const struct figure_kind *kind = &figure_kinds[i];
        const char *why = kind->missing ? kind->missing() : NULL;
        bool wanted = is_among(only, kind->name);
        if (why && (wanted || !only))
            fprintf(stderr, "kport figures: %s cannot be measured: %s%s\n", kind->name, why,
                    wanted ? "" : "; the others are");
        if (why && wanted)
            return EXIT_IMPOSSIBLE;
    }
    return EXIT_DONE;
}

static int check_only(const char *only)
{
    for (const char *at = only; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        bool known = false;
        for (size_t i = 0; i < figure_kind_count && !known; i++)
            known = strlen(figure_kinds[i].name) == strcspn(at, ",") &&
                    strncmp(at, figure_kinds[i].name, strcspn(at, ",")) == 0;
        if (!known)
            return refuse_only(at);
    }
    return check_kinds(only);
}

static int choose_carriers(struct figures *figures)
{
    const char *name = figures->carrier_name;
    for (int c = 0; c < 2; c++)
        figures->carriers[c] = !name || strcmp(name, carrier_format((kp_carrier)c)) == 0;
    if (!figures->carriers[0] && !figures->carriers[1]) {
        fprintf(stderr, "kport figures: --carrier is \"%.60s\"; it may be threads or fibers\n",
                name);
        return EXIT_IMPOSSIBLE;
    }
    if (!kp_fibers() && figures->carriers[KP_CARRIER_FIBERS]) {
        fprintf(stderr, "kport figures: built without fibers (Meson option fibers)%s\n",
                name ? "" : "; threads alone are measured");
        figures->carriers[KP_CARRIER_FIBERS] = false;
        return name ? EXIT_IMPOSSIBLE : EXIT_DONE;
    }
    return EXIT_DONE;
}

static int read_arguments(struct figures *figures, const struct command *command, int count,
                          char **arguments, bool *goes_on)
{
    const struct option_row rows[] = {{"--only", OPTION_TEXT, &figures->only, 0, 0},
                                      {"--carrier", OPTION_TEXT, &figures->carrier_name, 0, 0},
                                      {"--n", OPTION_NUMBER, &figures->n, 2, MOST_N},
                                      {"--quick", OPTION_FLAG, &figures->quick, 0, 0},
                                      {"--seconds", OPTION_NUMBER, &figures->seconds, 1, 1000000},
                                      {0}};
    int given = options_read(command, rows, count, arguments, &figures->folder, 1);
    *goes_on = given > 0;
    if (given < 0)
        return options_status(given);
    if (given == 0) {
        fprintf(stderr, "kport figures: DIR is missing; usage: kport figures %s\n", command->usage);
        return EXIT_IMPOSSIBLE;
    }
    int status = check_only(figures->only);
    if (!status)
        status = choose_carriers(figures);
    return status ? status : folder_check(figures->folder);
}

/* --- Listing the figures --- */

static bool add_figure(struct figures *figures, const struct figure_kind *kind, kp_carrier carrier)
{
    struct figure *figure = &figures->list[figures->count++];
    *figure = (struct figure){.kind = kind, .carrier = carrier};
    snprintf(figure->name, sizeof figure->name, "%s%s%s", kind->name, kind->each_carrier ? "-" : "",
             kind->each_carrier ? carrier_format(carrier) : "");
    return kind->plan(figures, figure);
}

static int plan(struct figures *figures)
{
    bool right = true;
    figures->list = calloc(2 * figure_kind_count, sizeof *figures->list);
    for (size_t i = 0; i < figure_kind_count && figures->list; i++) {
        const struct figure_kind *kind = &figure_kinds[i];
        if ((figures->only && !is_among(figures->only, kind->name)) ||
            (kind->missing && kind->missing()))
            continue;
        for (int c = 0; c < (kind->each_carrier ? 2 : 1) && right; c++) {
            if (!kind->each_carrier || figures->carriers[c])
                right = add_figure(figures, kind, (kp_carrier)c);
        }
    }
    if (figures->list && right)
        return EXIT_DONE;
    fprintf(stderr, "kport figures: no memory for the points\n");
    return EXIT_IMPOSSIBLE;
}

static void remove_algorithm(struct figure *figure, const kp_algorithm *algorithm)
{
    size_t kept = 0;
    for (size_t i = 0; i < figure->count; i++) {
        if (figure->points[i].task.problem.algorithm != algorithm)
            figure->points[kept++] = figure->points[i];
    }
    figure->count = kept;
}

/* Names the loaded algorithms that are wrong at some point, and drops their points. */
static int leave_out_wrong(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        struct figure *figure = &figures->list[i];
        for (size_t j = 0; j < figure->count;) {
            const kp_problem *p = &figure->points[j].task.problem;
            kp_schedule *schedule;
            const bool own = p->algorithm && !kp_row_is_library(p->algorithm);
            const int status = own ? facts_build_right(p, &schedule) : EXIT_DONE;
            if (own)
                kp_schedule_free(schedule);
            if (status == EXIT_IMPOSSIBLE)
                return status;
            j = status ? 0 : j + 1;
            if (status)
                remove_algorithm(figure, p->algorithm);
            figures->wrong = figures->wrong || status;
        }
    }
    return EXIT_DONE;
}

static int conclude(struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        struct figure *figure = &figures->list[i];
        if (figure->kind->modelled)
            figure_fit(figure);
        if (!figure->kind->conclude(figures, figure)) {
            fprintf(stderr, "kport figures: no memory for the points\n");
            return EXIT_IMPOSSIBLE;
        }
    }
    return EXIT_DONE;
}

/* --- The machine, the date and the load --- */

static void describe_here(struct figures *figures)
{
    struct kp_revision revision;
    struct tm date;
    time_t now = time(NULL);
    char text[32] = "";
    kp_revision_here(&revision);
    if (gmtime_r(&now, &date))
        strftime(text, sizeof text, ", %Y-%m-%d %H:%M UTC", &date);
    computer_load(figures->load_before, sizeof figures->load_before);
    snprintf(figures->here, sizeof figures->here, "%s; kport %s, compiled with %s%s",
             revision.machine, kp_version(), KP_COMPILED_WITH, text);
}

/* --- Announcing the time --- */

/* Returns the seconds in which all points are measured. */
static double wanted_seconds(const struct figures *figures)
{
    return ceil(MARGIN * figures_guess(figures) + LAST_SECONDS);
}

/* Returns whether every figure is drawn. Prints the names of the figures that are not drawn. A
 * figure without any data because of an interrupt does not count. */
static bool all_are_drawn(const struct figures *figures)
{
    bool all = true;
    for (size_t i = 0; i < figures->count; i++) {
        const struct figure *figure = &figures->list[i];
        if (figure->files == NO_FILES || figure_is_drawn(figure))
            continue;
        fprintf(stderr, "kport figures: %s has no point, and is not drawn\n", figure->name);
        all = false;
    }
    return all;
}

static int tell(const struct figures *figures)
{
    FILE *out = output_begin();
    if (!out)
        return EXIT_IMPOSSIBLE;
    for (size_t i = 0; i < figures->count; i++) {
        if (figure_is_drawn(&figures->list[i]) && figures->list[i].remark[0])
            fprintf(out, "%s: %s\n", figures->list[i].name, figures->list[i].remark);
    }
    return output_end(out, EXIT_DONE);
}

/* Returns whether any figure has data. After an early interrupt there may be no data. */
static bool is_worth_writing(const struct figures *figures)
{
    for (size_t i = 0; i < figures->count; i++) {
        if (figures->list[i].files != NO_FILES)
            return true;
    }
    fprintf(stderr, "kport figures: nothing is written\n");
    return false;
}

/* Returns the exit status of the command after the folder was filled. After an interrupt the status
 * does not report missing pictures, but it does report wrong bytes. */
static int conclude_status(const struct figures *figures)
{
    bool whole = all_are_drawn(figures);
    if (figures->wrong || (!whole && !interrupt_came()))
        return EXIT_FAILED;
    return interrupt_status(tell(figures));
}

static void announce(struct figures *figures)
{
    const double wanted = wanted_seconds(figures);
    const double usual = wanted < LEAST ? LEAST : wanted;
    const double seconds = figures->seconds ? (double)figures->seconds : usual;
    double rest = (1 - LAST_SHARE) * seconds - LAST_SECONDS;
    double measuring = rest > 0.5 * seconds ? rest : 0.5 * seconds;
    figures->deadline = batch_now_ns() + (int64_t)(measuring * 1e9);
    figures->end = batch_now_ns() + (int64_t)((seconds - LAST_SECONDS / 2.0) * 1e9);
    if (progress_is_told())
        fprintf(stderr, "kport figures: %zu figure%s, at most %.0f s\n", figures->count,
                figures->count == 1 ? "" : "s", seconds);
    if (seconds < wanted)
        fprintf(stderr,
                "kport figures: all points want about %.0f s; with less time some are missing\n",
                wanted);
}

/* Writes the files from what was measured. */
static int write_all(struct figures *figures)
{
    computer_load(figures->load_after, sizeof figures->load_after);
    if (!is_worth_writing(figures))
        return interrupt_status(EXIT_DONE);
    int status = conclude(figures);
    status = status ? status : folder_fill(figures);
    return status ? status : conclude_status(figures);
}

/* A thread that ends the program when the announced time is over, whatever is being measured. */
static void *end_in_time(void *argument)
{
    struct figures *figures = argument;
    const int64_t left = figures->end - batch_now_ns(), ns = left > 0 ? left : 0;
    const struct timespec rest = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    nanosleep(&rest, NULL);
    pthread_mutex_lock(&figures->points); /* the other thread is measuring, and will wait here */
    progress_end();
    fprintf(stderr, "kport figures: the time announced is over; --seconds allows more\n");
    figures_end_now(figures);
    _exit(write_all(figures));
}

/* Starts the thread. It gets no signal: Ctrl-C is for the thread that measures. */
static int watch_time(struct figures *figures)
{
    pthread_t watcher;
    sigset_t all, before;
    sigfillset(&all);
    pthread_mutex_init(&figures->points, NULL);
    pthread_mutex_lock(&figures->points);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool failed = pthread_create(&watcher, NULL, end_in_time, figures) != 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!failed)
        return EXIT_DONE;
    fprintf(stderr, "kport figures: no thread to watch the time\n");
    return EXIT_IMPOSSIBLE;
}

static int carry_out(struct figures *figures)
{
    int status = plan(figures);
    status = status ? status : leave_out_wrong(figures);
    if (status)
        return status;
    for (size_t i = 0; i < figures->count; i++)
        figures->list[i].files = WITH_PICTURE;
    status = folder_check_files(figures);
    if (status)
        return status;
    describe_here(figures);
    interrupt_watch();
    announce(figures);
    status = watch_time(figures);
    status = status ? status : figures_measure(figures);
    return status ? status : write_all(figures);
}

static int run(const struct command *command, int count, char **arguments)
{
    static struct figures figures = {.folder = NULL}; /* end_in_time may have it to the end */
    bool goes_on;
    int status = read_arguments(&figures, command, count, arguments, &goes_on);
    if (!status && goes_on)
        status = carry_out(&figures);
    for (size_t i = 0; i < figures.count; i++)
        free(figures.list[i].points);
    free(figures.list);
    return status;
}

const struct command command_figures = {
    .name = "figures",
    .usage = "DIR [--only NAME[,NAME...]] [--carrier C] [--n N] [--quick] [--seconds S]",
    .summary = "Measures and draws the paper's Figures 4, 5 and 6, and some more",
    .help =
        "DIR: a folder, made if there is none. For each figure it gets the data NAME.csv and the\n"
        "picture NAME.svg, and one page with all of them, index.html, that needs no other file.\n"
        "Files of these names are overwritten, when all is done; others stay.\n\n"
        "  figure4   index by the size of a block, 8 B ... 64 KiB, for each radix 2, 4, ..., n\n"
        "  figure5   the same for r = 2, r = n, the best and the tuner's choice; the break-even\n"
        "  figure6   index by radix, 2 ... n, for some sizes\n"
        "  concat    the algorithms of the concatenation, by size\n"
        "  scaling   barrier, allreduce and index for n = 2 ... 4096, threads and fibers\n"
        "  peers     index beside what one would use instead (see kport bench --peers)\n"
        "  peers-concat, peers-allreduce\n"
        "            the same of the concatenation and of the allreduce\n\n"
        "The first four are drawn for threads and fibers apart, with the linear model\n"
        "T = C1 beta + C2 tau, fitted to the points, as dotted curves. A curve joins the medians.\n"
        "Half of the measured times lie in its band, between the first and the third quartile.\n"
        "The page says on which machine, when and under which load they were measured.\n\n"
        "  --only NAME    these figures alone\n"
        "  --carrier C    threads or fibers (both)\n"
        "  --n N          processors of the first four, and the most of scaling (64; 4096)\n"
        "  --quick        a coarse grid\n"
        "  --seconds S    all of it takes at most so long; without it as long as all points\n"
        "                 want; it is announced on standard error. Points are measured less "
        "often,\n"
        "                 or left out, which is said, where time does not allow more. When the\n"
        "                 time is over, the figures are drawn with the points that are there. A\n"
        "                 figure without a point is not drawn, and the status is 1.\n\n"
        "Ctrl-C ends the measuring. What was measured is written and drawn; the page and\n"
        "standard error say what is missing, and the status is 130 (SIGTERM: 143). A second "
        "Ctrl-C\n"
        "ends it at once, and nothing is written.\n\n"
        "Example: kport figures /tmp/figures --only figure4,figure5 --carrier threads --quick\n",
    .run = run,
};
