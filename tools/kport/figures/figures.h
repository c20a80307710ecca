/* The command `kport figures` measures and draws figures. A figure has points. A point is a task
 * (timing.h) that is timed as in `kport bench`. Points of the same series are joined in the
 * picture. Each figure has a remark: sentences that say what the points show. table.c has the table
 * of the kinds of figures. A kind says which points its figures have, and how the remark is
 * computed from the measured points. The code that measures points and writes the CSV file, the
 * picture and the page is the same for all kinds. */
#ifndef KPORT_TOOLS_FIGURES_H
#define KPORT_TOOLS_FIGURES_H

#include "tools/kport/bench/peers.h"
#include "tools/kport/chart/chart.h"
#include "tools/kport/run/timing.h"

#include <pthread.h>

/* How the points of a series are drawn. LOOK_HIDDEN: the points are not drawn. LOOK_CURVE: a line
 * joins the points. LOOK_BROAD: a broad line joins the points, behind all other lines. */
enum look {
    LOOK_HIDDEN,
    LOOK_CURVE,
    LOOK_BROAD
};

struct point {
    char series[48];
    enum look look;
    bool with_peers; /* the peers (peers.h) are timed too, in turns with kport */
    struct task task;
    kp_carrier carrier;
    uint64_t c1, c2;
    double seconds; /* the guessed seconds of the measurement of this point */

    /* The measured times in microseconds; 0: not measured. A point is measured in several turns,
     * whose samples (batch.h) are put together. `us` is their median, or the average of all calls
     * if `with_peers` is set; then there are no quartiles `q1_us` and `q3_us`. */
    double us, least_us, q1_us, q3_us, p90_us;
    uint64_t calls;
    double *samples; /* in nanoseconds; NULL after the last turn */
    size_t sample_count;
    int turns;
    bool done; /* the point needs no further turn */
    double model_us;
    struct peers_times peers;
};

enum axis {
    AXIS_BLOCK,
    AXIS_RADIX,
    AXIS_PROCESSORS
};

/* The reasons why a point may be left out of a figure: too little time, too little memory, or not
 * enough threads. */
enum lack {
    LACK_TIME,
    LACK_MEMORY,
    LACK_THREADS,
    LACK_REASONS
};

/* Which of the files NAME.csv and NAME.svg are written for a figure. A value m means that the first
 * m files of this list are written. */
enum files {
    NO_FILES,   /* no file, because an interrupt came before any point of the figure was measured */
    DATA_ALONE, /* only the CSV file, because no point was measured except hidden points
                   (LOOK_HIDDEN) */
    WITH_PICTURE
};

struct figure {
    const struct figure_kind *kind;
    kp_carrier carrier;
    char name[32], title[128];
    struct point *points;
    size_t count, room;
    /* The beta and tau that were fitted to the points; both are 0 if no model was fitted. */
    double beta_us, tau_us;
    struct chart_mark marks[2];
    int mark_count;
    char remark[1024];             /* sentences that say what the points show */
    size_t left_out[LACK_REASONS]; /* for each reason, the number of points that were left out */
    size_t missing;   /* the number of points that were not measured because of an interrupt */
    enum files files; /* which files are written for the figure */
};

struct figures {
    /* The options of the command line. */
    const char *folder, *only, *carrier_name; /* options with a text; NULL: not given */
    uint64_t n, seconds;                      /* options with a number; 0: not given */
    int quick;

    bool carriers[2]; /* whether the carrier with this number (kp_carrier) is measured */
    struct figure *list;
    size_t count;
    /* When no further point is begun, and when the files are written whatever is being measured,
     * both in nanoseconds of batch_now_ns. */
    int64_t deadline, end;
    /* Held while the points are read or changed, and released while one is measured. Who has it
     * when the time is over writes the files. */
    pthread_mutex_t points;
    char here[256]; /* the machine, the version and the date */
    /* The system's load averages, as "0.42 0.30 0.25"; empty if the system does not tell them. */
    char load_before[32], load_after[32];
    bool wrong; /* in some measurement a processor has received wrong bytes, or a loaded algorithm
                   is wrong and left out */
};

struct figure_kind {
    const char *name;
    const char *caption;
    enum axis axis;
    bool each_carrier; /* each carrier has its own figure; otherwise one figure shows both carriers
                        */
    bool modelled;     /* the linear model is fitted to the points (fit.c) */
    bool reuses;       /* the figure reuses the result of an earlier point with the same task */
    bool of_turns; /* the figure shows medians of turns, like the times of the peers; otherwise it
                      shows medians of calls */
    /* Returns why this program cannot measure the figure, or NULL if it can. The pointer `missing`
     * itself is NULL if every program can measure the figure. */
    const char *(*missing)(void);
    /* Lists the points of the figure and sets its title. Returns false if there is no memory. */
    bool (*plan)(const struct figures *figures, struct figure *figure);
    /* Called after the measurement. Adds the points that are computed from other points, the
     * vertical lines, and the remark. Returns false if there is no memory. */
    bool (*conclude)(const struct figures *figures, struct figure *figure);
};

/* --- Functions of table.c --- */

extern const struct figure_kind figure_kinds[];
extern const size_t figure_kind_count;

/* Appends a new point to the figure and returns it. Returns NULL if there is no memory. */
struct point *figure_add(struct figure *figure, const char *series, const kp_problem *problem);

const char *carrier_format(kp_carrier carrier);

double point_x(const struct point *point, enum axis axis);

/* Returns whether the figure has a picture. It has one if some point was measured that is not
 * hidden (LOOK_HIDDEN). */
bool figure_is_drawn(const struct figure *figure);

/* Returns the number of points that were left out, summed over all reasons. */
size_t left_out_count(const struct figure *figure);

/* Writes a sentence such as "3 of 7 points are left out: 2 for want of time, 1 for want of memory"
 * to `text`. If no point is left out, the text is empty. Returns `text`. */
const char *left_out_format(const struct figure *figure, char *text, size_t size);

/* --- Functions of read.c, each of which concludes one kind of figure (figure_kind.conclude) --- */

bool conclude_by_radix(const struct figures *figures, struct figure *figure);
bool conclude_break_even(const struct figures *figures, struct figure *figure);
bool conclude_best_series(const struct figures *figures, struct figure *figure);
bool conclude_scaling(const struct figures *figures, struct figure *figure);
bool conclude_peers(const struct figures *figures, struct figure *figure);

/* Returns the radix that the library chooses for the index `problem` if the call has no hints. */
int chosen_radix(kp_carrier carrier, const kp_problem *problem);

/* --- Functions of fit.c --- */

/* Fits beta and tau to the measured points of the figure. Then computes the time of each point by
 * the linear model (`model_us`). */
void figure_fit(struct figure *figure);

/* --- Functions of measure.c --- */

/* Guesses how many seconds it takes to measure all figures. */
double figures_guess(const struct figures *figures);

/* Measures the points of all figures, until the deadline or an interrupt. Prints how many points
 * were left out for each reason, and after an interrupt how many are missing. Returns an exit
 * status. */
int figures_measure(struct figures *figures);

/* Leaves out all points that are not measured yet, for want of time, and says so. The caller holds
 * `points` and never releases it. */
void figures_end_now(struct figures *figures);

/* --- Functions of plot.c --- */

void figure_csv(const struct figure *figure, FILE *out);

/* Draws the figure as SVG. Returns false if there is no memory. */
bool figure_draw(const struct figures *figures, const struct figure *figure, FILE *out);

/* --- Functions of page.c --- */

/* Writes one HTML page with all figures. Returns false if there is no memory. */
bool figures_page(const struct figures *figures, FILE *out);

/* --- Functions of folder.c --- */

/* Tests whether new files can be written in the folder. The command calls this function before it
 * measures anything. Returns an exit status; if it is not 0, an error message is on stderr. */
int folder_check(const char *folder);

/* Tests whether the command can write those files in the folder that it will replace. Returns the
 * same statuses as folder_check. */
int folder_check_files(const struct figures *figures);

/* Makes the CSV files, the pictures and the page, each beside its final path, and then moves them
 * there, the page last. If something fails before the first file is moved, the folder is unchanged.
 * Returns an exit status. */
int folder_fill(struct figures *figures);

#endif
