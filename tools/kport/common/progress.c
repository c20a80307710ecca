#include "tools/kport/common/progress.h"

#include "tools/kport/common/processes.h"

#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define BAR_CELLS  20
#define WIDTH      79
#define REDRAW_S   0.1
#define FIRST_S    2.0
#define INTERVAL_S 10.0

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool quiet, begun, drawn;
static const char *command, *unit;
static double all, start, next; /* `next`: when it is told again */
static double end;              /* when the command ends at the latest; 0: not known */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool on_terminal(void)
{
    return isatty(STDERR_FILENO);
}

void progress_quiet(void)
{
    quiet = true;
}

bool progress_is_told(void)
{
    return !quiet && !getenv("KPORT_QUIET") && processes_prints();
}

void progress_begin(const char *name, double count, const char *counted)
{
    pthread_mutex_lock(&lock);
    begun = progress_is_told();
    command = name;
    all = count;
    unit = counted;
    start = now();
    end = 0;
    next = on_terminal() ? start : start + FIRST_S;
    pthread_mutex_unlock(&lock);
}

void progress_until(double seconds)
{
    pthread_mutex_lock(&lock);
    end = now() + seconds;
    pthread_mutex_unlock(&lock);
}

static void wipe(void)
{
    if (drawn)
        fputs("\r\033[K", stderr);
    next = drawn ? 0 : next; /* a bar that was taken away is drawn anew */
    drawn = false;
}

/* Writes "12 of 34 rows, 8 s left". */
static void describe(double done, double passed, char *text, size_t size)
{
    const double most = end > 0 ? end - start - passed : INFINITY;
    const double left = done > 0 && done < all ? fmin(passed / done * (all - done), most) : -1;
    const int used = snprintf(text, size, "%.0f of %.0f %s", done, all, unit);
    if (left >= 0.5)
        snprintf(text + used, size - (size_t)used, ", %.0f s left", left);
}

static void draw_bar(const char *told, const char *what, double share)
{
    char bar[BAR_CELLS + 1];
    const int room = WIDTH - BAR_CELLS - 5 - (int)strlen(told);
    for (int i = 0; i < BAR_CELLS; i++)
        bar[i] = i < (int)(share * BAR_CELLS) ? '#' : '.';
    bar[BAR_CELLS] = '\0';
    fprintf(stderr, "\r\033[K[%s] %s", bar, told);
    if (what && room > 0)
        fprintf(stderr, ": %.*s", room, what);
    fflush(stderr);
    drawn = true;
}

/* What was printed comes first, where output and errors go to one file. */
static void tell_line(const char *told, const char *what)
{
    (void)fflush(stdout);
    fprintf(stderr, "kport %s: %s%s%s\n", command, told, what ? ": " : "", what ? what : "");
}

void progress_at(double done, const char *what)
{
    char told[128];
    pthread_mutex_lock(&lock);
    const double at = now();
    if (begun && at >= next) {
        describe(done, at - start, told, sizeof told);
        if (on_terminal())
            draw_bar(told, what, all > 0 ? done / all : 0);
        else
            tell_line(told, what);
        next = at + (on_terminal() ? REDRAW_S : INTERVAL_S);
    }
    pthread_mutex_unlock(&lock);
}

void progress_wipe(void)
{
    pthread_mutex_lock(&lock);
    wipe();
    pthread_mutex_unlock(&lock);
}

void progress_end(void)
{
    pthread_mutex_lock(&lock);
    wipe();
    begun = false;
    pthread_mutex_unlock(&lock);
}
