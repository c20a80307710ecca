/* The command `kport figures` measures and draws figures. A figure is a list of points. A point is
 * a task, timed as `kport bench` times it. The picture joins the points of a series. The table of
 * kinds says which points a figure has and which remark follows from them. Measuring, CSV, picture
 * and page are the same for all kinds. */
#ifndef KPORT_TOOLS_FIGURES_H
#define KPORT_TOOLS_FIGURES_H

#include "tools/kport/bench/peers.h"
#include "tools/kport/run/timing.h"

#include <stdio.h>

#define FIGURE_TURNS 3

/* How the points of a series are drawn: not at all, joined by a line, or as a broad line behind the
 * other lines. */
enum look {
    LOOK_HIDDEN,
    LOOK_CURVE,
    LOOK_BAND
};

struct point {
    char series[48];
    enum look look;
    bool with_peers; /* the peers are timed too, in turns with kport */
    struct task task;
    kp_carrier carrier;
    uint64_t c1, c2;
    double seconds; /* a guess of the seconds that the measurement takes */

    /* The results, in microseconds; 0 means no result. With peers `us` is the average, otherwise
     * the median. */
    double us, least_us, p90_us;
    uint64_t calls;
    double turn_us[FIGURE_TURNS], turn_p90_us[FIGURE_TURNS];
    int turns;
    bool done; /* the point needs no more turns */
    double model_us;
    struct peers_times peers;
};

enum axis {
    AXIS_BLOCK,
    AXIS_RADIX,
    AXIS_PROCESSORS
};

/* The reasons for which a point is left out: too little time, too little memory, or too few
 * threads. */
enum lack {
    LACK_TIME,
    LACK_MEMORY,
    LACK_THREADS,
    LACK_REASONS
};

/* A vertical line in the picture. */
struct mark {
    double x;
    char text[64];
};

/* How many of the files NAME.csv, NAME.gp, NAME.svg and NAME.png are written for a figure. */
enum files {
    NO_FILES,   /* the program was interrupted before the figure had a point */
    DATA_ALONE, /* the figure has no point that is drawn */
    WITH_SCRIPT,
    WITH_PICTURES = 4
};

struct figure {
    const struct figure_kind *kind;
    kp_carrier carrier;
    char name[32], title[128];
    struct point *points;
    size_t count, room;
    double beta_us, tau_us; /* fitted to the points; both are 0 if there is no fit */
    struct mark marks[2];
    int mark_count;
    char remark[1024];             /* what the points show, in sentences */
    size_t left_out[LACK_REASONS]; /* the number of points left out, by reason */
    size_t missing;                /* the number of points missing after an interrupt */
    enum files files;              /* the files that are or will be written */
};

struct figures {
    /* The options of the command line. */
    const char *folder, *only, *carrier_name; /* NULL: option not given */
    uint64_t n, seconds;                      /* 0: option not given */
    int quick;

    bool carriers[2]; /* whether to measure a carrier; the index is a kp_carrier */
    struct figure *list;
    size_t count;
    int64_t deadline; /* in nanoseconds of the clock batch_now_ns */
    bool has_gnuplot;
    bool wrong; /* some received bytes were wrong */
};

struct figure_kind {
    const char *name;
    const char *caption;
    enum axis axis;
    bool each_carrier; /* each carrier has its own figure; otherwise both carriers share one */
    bool modelled;     /* the linear model is fitted to the points */
    bool reuses;       /* a point that an earlier figure has measured is not measured again */
    bool averages;     /* times are averages, as the peers' times are; otherwise medians */
    const char *(*missing)(void); /* Returns why this program cannot measure the figure, or NULL.
                                     The pointer is NULL for figures that can always be measured. */
    /* Lists the points and sets the title. Returns false if there is no memory. */
    bool (*plan)(const struct figures *figures, struct figure *figure);
    /* Adds points computed from measured points, the marks, and the remark. Returns false if there
     * is no memory. */
    bool (*conclude)(const struct figures *figures, struct figure *figure);
};

/* --- In table.c --- */

extern const struct figure_kind figure_kinds[];
extern const size_t figure_kind_count;

/* Appends a new point. Returns NULL if there is no memory. */
struct point *figure_add(struct figure *figure, const char *series, const kp_problem *problem);

const char *carrier_format(kp_carrier carrier);

double point_x(const struct point *point, enum axis axis);

/* Returns whether a point that is drawn was measured. Without such a point the figure has no
 * picture. */
bool figure_is_drawn(const struct figure *figure);

/* Returns the number of points left out for any reason. */
size_t left_out_count(const struct figure *figure);

/* Writes "3 of 7 points are left out: 2 for want of time, 1 for want of memory", or an empty text
 * if no point is left out. */
const char *left_out_format(const struct figure *figure, char *text, size_t size);

/* Writes a length as "512 B" or "64 KiB". */
const char *bytes_format(double bytes, char *text, size_t size);

/* Writes a time as "12 µs" or "3.4 ms". */
const char *time_format(double us, char *text, size_t size);

/* --- In read.c: what is to be read off a figure, and what follows from its points --- */

bool conclude_by_radix(const struct figures *figures, struct figure *figure);
bool conclude_break_even(const struct figures *figures, struct figure *figure);
bool conclude_best_series(const struct figures *figures, struct figure *figure);
bool conclude_scaling(const struct figures *figures, struct figure *figure);
bool conclude_peers(const struct figures *figures, struct figure *figure);

/* Returns the radix that the library chooses for a call without hints. */
int chosen_radix(kp_carrier carrier, const kp_problem *problem);

/* --- In fit.c --- */

/* Fits beta and tau to the figure's measured points, and predicts the times of all its points. */
void figure_fit(struct figure *figure);

/* --- In measure.c --- */

/* Guesses the seconds that all figures take, for the announcement. */
double figures_guess(const struct figures *figures);

/* Measures all points until the deadline or an interrupt. Prints which points are left out for want
 * of time or are missing after an interrupt. Returns an exit status. */
int figures_measure(struct figures *figures);

/* --- In plot.c --- */

void figure_csv(const struct figure *figure, FILE *out);

/* Writes the gnuplot script. It reads NAME.csv and writes NAME.svg and NAME.png in the folder in
 * which gnuplot runs. */
void figure_script(const struct figure *figure, FILE *out);

/* --- In page.c --- */

/* Writes one page with all figures. The pictures are read from the open folder. Returns false after
 * a message. */
bool figures_page(const struct figures *figures, int folder, FILE *out);

/* --- In folder.c --- */

/* Tests, before anything is measured, that the folder can be written. Returns an exit status, other
 * than 0 after a message. */
int folder_check(const char *folder);

/* Does the same for the files in the folder that will be replaced. */
int folder_check_files(const struct figures *figures);

/* Returns whether a gnuplot can be run. */
bool folder_has_gnuplot(void);

/* Writes and draws all files in a temporary folder, then moves them into the folder file by file,
 * the page last. A failure before the first move leaves the folder unchanged. After an interrupt,
 * draws no more pictures and moves the files that are ready. Returns an exit status. */
int folder_fill(struct figures *figures);

#endif
