/* The programs in this folder share this header. Its functions read the arguments, give each
 * processor its rows, draw random numbers, run the machine, and print the result.
 *
 *     PROGRAM [PROCESSORS [SIZE [SEED [PORTS]]]] [--corrupt]
 *
 * The exit status is 0 if the parallel result is verified, 1 if it is wrong, and 2 if the arguments
 * are invalid or the machine could not run. With --corrupt the program changes one value of the
 * parallel result, by the smallest amount that the verification must detect. So the exit status
 * must then be 1. */
#ifndef KPORT_APPS_H
#define KPORT_APPS_H

#include <errno.h>
#include <inttypes.h>
#include <kport.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    APP_VERIFIED = 0,
    APP_WRONG = 1,
    APP_REFUSED = 2
};

typedef struct app {
    const char *name;
    const char *size_is; /* what SIZE counts, for the error message */
    /* `size`: the default of SIZE; app_read replaces it by the argument. `most`: the greatest
     * SIZE. */
    size_t size, most;
    size_t processors, seed;
    size_t ports; /* 0: n - 1 ports, so one round reaches all other processors */
    int corrupt;
} app;

/* Reads the arguments and returns 0. If an argument is invalid, prints a sentence and returns
 * APP_REFUSED. */
static inline int app_read(app *a, int argc, char **argv)
{
    const struct {
        const char *name, *is;
        size_t *value, least, most;
    } known[] = {
        {"PROCESSORS", "threads", &a->processors, 1, 256},
        {"SIZE", a->size_is, &a->size, 1, a->most},
        {"SEED", "of the random input", &a->seed, 0, 1000000000},
        {"PORTS", "messages a round; 0: as many as there are others", &a->ports, 0, 255},
    };
    size_t read = 0;
    a->processors = 4;
    a->seed = 1;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--corrupt") == 0) {
            a->corrupt = 1;
            continue;
        }
        if (read == sizeof known / sizeof known[0]) {
            fprintf(stderr,
                    "%s: nothing may follow PROCESSORS, SIZE, SEED and PORTS, but \"%s\" does\n",
                    a->name, argv[i]);
            return APP_REFUSED;
        }
        char *end = argv[i];
        errno = 0;
        unsigned long long value = strtoull(argv[i], &end, 10);
        int digits = argv[i][0] >= '0' && argv[i][0] <= '9' && *end == '\0' && errno == 0;
        if (!digits || value < known[read].least || value > known[read].most) {
            fprintf(stderr, "%s: %s is \"%s\", and may be %zu ... %zu (%s)\n", a->name,
                    known[read].name, argv[i], known[read].least, known[read].most, known[read].is);
            return APP_REFUSED;
        }
        *known[read++].value = (size_t)value;
    }
    return 0;
}

/* Runs `program` on all processors and returns 0. If the run fails, prints the error's sentence and
 * returns APP_REFUSED. */
static inline int app_run(const app *a, kp_program *program, void *shared, kp_report *report)
{
    kp_config config = {.processors = (int)a->processors, .ports = (int)a->ports};
    if (kp_run(&config, program, shared, report) == 0)
        return 0;
    fprintf(stderr, "%s: %s\n", a->name, report->error.sentence);
    return APP_REFUSED;
}

/* Prints that there is not enough memory, and ends the process. Only the main thread may call this
 * function; a processor's program calls kp_fail instead. */
static inline void app_no_memory(const app *a)
{
    fprintf(stderr, "%s: there is not enough memory for SIZE %zu\n", a->name, a->size);
    exit(APP_REFUSED);
}

/* Returns an array of `count` items of `bytes` zero bytes each. */
static inline void *app_array(const app *a, size_t count, size_t bytes)
{
    void *array = calloc(count, bytes);
    if (array == NULL)
        app_no_memory(a);
    return array;
}

/* With --corrupt, changes *value by the smallest possible amount. A comparison bit by bit must
 * detect this change. */
static inline void app_corrupt(const app *a, double *value)
{
    if (a->corrupt)
        *value = nextafter(*value, INFINITY);
}

/* Returns whether both arrays hold the same `count` doubles, bit by bit. If they differ, prints the
 * first difference. The same operations in the same order give the same bits, unless the compiler
 * fuses a product and a sum in the parallel computation alone or in the serial one alone.
 * -ffp-contract=off in meson.build forbids this. */
static inline int app_same(const app *a, const void *parallel_values, const void *serial_values,
                           size_t count)
{
    const double *parallel = parallel_values, *serial = serial_values;
    for (size_t i = 0; i < count; i++) {
        if (memcmp(&parallel[i], &serial[i], sizeof serial[i]) != 0) {
            fprintf(stderr, "%s: not verified: value %zu of %zu is %.17g, and serially %.17g\n",
                    a->name, i, count, parallel[i], serial[i]);
            return 0;
        }
    }
    return 1;
}

/* Returns whether error <= bound. If this is false, or if `error` is not a number, prints `error`
 * and `bound`. */
static inline int app_within(const app *a, const char *what, double error, double bound)
{
    if (error <= bound)
        return 1;
    fprintf(stderr, "%s: not verified: %s is %g, and may be %g\n", a->name, what, error, bound);
    return 0;
}

/* Prints the last line of a program whose result is right. Returns APP_VERIFIED. */
static inline int app_verified(const app *a, const kp_report *report, const char *how)
{
    printf("verified: %s; n = %zu, C1 = %" PRIu64 " rounds, C2 = %" PRIu64 " bytes\n", how,
           a->processors, report->c1, report->c2);
    return APP_VERIFIED;
}

/* The rows of one processor: rows `first` to `first + count - 1` of all `size` rows. Since kp_index
 * and kp_concat move blocks of equal size, each processor has room for `most` = ceil(size / n)
 * rows. The last processors may own fewer rows, or no row. */
typedef struct app_rows {
    size_t first, count, most;
} app_rows;

static inline app_rows app_deal(size_t size, size_t processors, size_t processor)
{
    size_t most = (size + processors - 1) / processors;
    size_t first = processor * most < size ? processor * most : size;
    return (app_rows){first, size - first < most ? size - first : most, most};
}

/* Random numbers (SplitMix64: Steele, Lea and Flood 2014). `app_random` returns the next 64-bit
 * number, and `app_uniform` the next number in [0, 1). */
static inline uint64_t app_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

static inline double app_uniform(uint64_t *state)
{
    return (double)(app_random(state) >> 11) * 0x1p-53;
}

#endif
