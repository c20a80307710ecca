/* kport figures: what is measured and drawn. A figure is a list of points, each a task that is
 * timed as `kport bench` times it; points of one series are joined in the picture. A table of kinds
 * says which points a figure has and what is to be read off it; everything else (measuring, CSV,
 * picture, page) is the same for all of them. */
#ifndef KPORT_TOOLS_FIGURES_H
#define KPORT_TOOLS_FIGURES_H

#include "tools/kport/bench/peers.h"
#include "tools/kport/run/timing.h"

#include <stdio.h>

#define FIGURE_TURNS 3

/* How the points of a series are drawn: not at all, joined by a line, or as a broad line behind
 * those. */
enum look {
    LOOK_HIDDEN,
    LOOK_CURVE,
    LOOK_BAND
};

struct point {
    char series[48];
    enum look look;
    bool with_peers; /* what one would use instead is timed too, in turns */
    struct task task;
    kp_carrier carrier;
    uint64_t c1, c2;
    double seconds; /* that measuring it takes, by a guess */

    /* What came out, in microseconds; 0: nothing did. */
    double us, least_us, p90_us; /* the first is the median, or the average beside peers */
    uint64_t calls;
    double turn_us[FIGURE_TURNS], turn_p90_us[FIGURE_TURNS];
    int turns;
    bool done; /* no more turns */
    double model_us;
    struct peers_times peers;
};

enum axis {
    AXIS_BLOCK,
    AXIS_RADIX,
    AXIS_PROCESSORS
};

/* What there is too little of to measure a point. */
enum lack {
    LACK_TIME,
    LACK_MEMORY,
    LACK_THREADS,
    LACK_REASONS
};

/* An upright line in the picture. */
struct mark {
    double x;
    char text[64];
};

/* How many of NAME.csv, NAME.gp, NAME.svg and NAME.png are written of a figure. */
enum files {
    NO_FILES,   /* interrupted before it had a point */
    DATA_ALONE, /* it has no point that is drawn */
    WITH_SCRIPT,
    WITH_PICTURES = 4
};

struct figure {
    const struct figure_kind *kind;
    kp_carrier carrier;
    char name[32], title[128];
    struct point *points;
    size_t count, room;
    double beta_us, tau_us; /* fitted to the points; both 0: they are not */
    struct mark marks[2];
    int mark_count;
    char remark[1024];             /* what came out, in sentences */
    size_t left_out[LACK_REASONS]; /* points, for want of what */
    size_t missing;                /* points, as it was interrupted before */
    enum files files;              /* that are written of it, or will be */
};

struct figures {
    /* What was asked for. */
    const char *folder, *only, *carrier_name; /* NULL: not said */
    uint64_t n, seconds;                      /* 0: not said */
    int quick;

    bool carriers[2]; /* by kp_carrier */
    struct figure *list;
    size_t count;
    int64_t deadline; /* nanoseconds of batch_now_ns */
    bool has_gnuplot;
    bool wrong; /* bytes were, somewhere */
};

struct figure_kind {
    const char *name;
    const char *caption;
    enum axis axis;
    bool each_carrier;            /* a figure for each, else both in one */
    bool modelled;                /* the linear model is fitted to the points */
    bool reuses;                  /* takes a point that an earlier figure has measured */
    bool averages;                /* times are averages, as those of the peers are; else medians */
    const char *(*missing)(void); /* why this program cannot measure it, or NULL; NULL: it can */
    /* Lists the points, and says the title. False: no memory. */
    bool (*plan)(const struct figures *figures, struct figure *figure);
    /* Adds the points that follow from those measured, marks, and the remark. False: no memory. */
    bool (*conclude)(const struct figures *figures, struct figure *figure);
};

/* --- In table.c --- */

extern const struct figure_kind figure_kinds[];
extern const size_t figure_kind_count;

/* A new point at the end; NULL: no memory. */
struct point *figure_add(struct figure *figure, const char *series, const kp_problem *problem);

const char *carrier_format(kp_carrier carrier);

double point_x(const struct point *point, enum axis axis);

/* Whether any point that is drawn was measured. Without one there is no picture. */
bool figure_is_drawn(const struct figure *figure);

/* How many of its points are left out, for want of whatever. */
size_t left_out_count(const struct figure *figure);

/* "3 of 7 points are left out: 2 for want of time, 1 for want of memory"; empty where none is. */
const char *left_out_format(const struct figure *figure, char *text, size_t size);

/* "512 B", "64 KiB". */
const char *bytes_format(double bytes, char *text, size_t size);

/* "12 µs", "3.4 ms". */
const char *time_format(double us, char *text, size_t size);

/* --- In read.c: what is to be read off a figure, and what follows from its points --- */

bool conclude_by_radix(const struct figures *figures, struct figure *figure);
bool conclude_break_even(const struct figures *figures, struct figure *figure);
bool conclude_best_series(const struct figures *figures, struct figure *figure);
bool conclude_scaling(const struct figures *figures, struct figure *figure);
bool conclude_peers(const struct figures *figures, struct figure *figure);

/* The radix that a call which leaves it open is served with. */
int chosen_radix(kp_carrier carrier, const kp_problem *problem);

/* --- In fit.c --- */

/* Fits beta and tau to the points of the figure that were measured, and predicts all of them. */
void figure_fit(struct figure *figure);

/* --- In measure.c --- */

/* A guess of the seconds that all figures take, for the announcement. */
double figures_guess(const struct figures *figures);

/* Measures all points within the time there is, or until interrupted. Those there is no time for
 * are left out, which is said, as is what is missing after an interrupt. An exit status. */
int figures_measure(struct figures *figures);

/* --- In plot.c --- */

void figure_csv(const struct figure *figure, FILE *out);

/* For gnuplot: reads NAME.csv, writes NAME.svg and NAME.png, all in the folder it is run in. */
void figure_script(const struct figure *figure, FILE *out);

/* --- In page.c --- */

/* Everything in one page: the pictures are read from the open folder. False after a message. */
bool figures_page(const struct figures *figures, int folder, FILE *out);

/* --- In folder.c --- */

/* Whether the folder can be written, before anything is measured: an exit status, other than 0
 * after a message. */
int folder_check(const char *folder);

/* The same of the files that are there already and will be replaced. */
int folder_check_files(const struct figures *figures);

/* Whether there is a gnuplot that runs. */
bool folder_has_gnuplot(void);

/* Writes and draws everything beside what the folder holds, then puts it in place file by file, the
 * page last: a failure leaves the folder as it was. When interrupted it draws no more, and puts in
 * place what there is. An exit status. */
int folder_fill(struct figures *figures);

#endif
