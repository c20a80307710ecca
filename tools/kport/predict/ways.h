/* The block lengths and the algorithms that `kport predict` and `kport compare` go through, and the
 * numbers of their options. Each function returns an exit status, unless it says otherwise. If the
 * status is not 0, an error message is on stderr. */
#ifndef KPORT_TOOLS_WAYS_H
#define KPORT_TOOLS_WAYS_H

#include "kport.h"

#include <stdbool.h>

#define MOST_LENGTHS 64
#define MOST_WAYS    64

/* Reads the value of an option as a number of microseconds, 0 ... 1e9. */
int ways_read_us(const char *option, const char *text, double *us);

struct lengths {
    uint64_t list[MOST_LENGTHS];
    size_t count;
};

/* Reads block lengths: a list, as in 8,1K,64K, or MIN:MAX, which stands for MIN, twice MIN, four
 * times MIN, ... up to MAX. A K, M or G may stand behind a number. Each length must be a multiple
 * of `unit`, the bytes of an element. */
int lengths_read(const char *option, const char *text, uint64_t unit, struct lengths *lengths);

/* An algorithm, with values for those parameters that the user has fixed; the others are 0. */
struct way {
    const kp_algorithm *algorithm;
    long values[KP_PARAMETERS];
    bool is_wrong; /* ways_schedule has found the algorithm to be wrong */
};

struct ways {
    struct way list[MOST_WAYS];
    size_t count;
    bool all;        /* the user has named none */
    bool some_wrong; /* some way is_wrong */
};

/* Reads the algorithms, as in radix/r=2,radix/r=8,@FILE. The algorithm that the problem names
 * stands before them. If `text` is NULL and the problem names none, these are all of its operation.
 */
int ways_read(const char *option, const char *text, const kp_problem *problem, struct ways *ways);

/* Adds all algorithms of the problem's operation. */
void ways_add_all(const kp_problem *problem, struct ways *ways);

/* Says on stderr at which lengths a way that the user has named, or a file, does not serve, and
 * drops the lengths at which none of these ways serves. A way that serves no length is an error. */
int ways_check(const struct ways *ways, const kp_problem *base, const kp_model *model,
               struct lengths *lengths);

/* Makes the problem of a way: `base` with blocks of b bytes and the algorithm. The model chooses
 * open parameters. Returns whether the algorithm serves the problem; if it does not, the thread's
 * latest error has the reason, and nothing is on stderr. */
bool ways_problem(const struct way *way, const kp_problem *base, uint64_t b, const kp_model *model,
                  kp_problem *problem);

/* Builds the schedule of a way's problem, which is complete. If the algorithm is not the library's
 * and wrong, stores NULL, says so on stderr with its name, and marks the way. Returns EXIT_DONE
 * then. */
int ways_schedule(struct ways *ways, struct way *way, const kp_problem *problem,
                  kp_schedule **schedule);

/* Returns whether a time is the least one. Times that differ only by the rounding of their sums
 * are the same. */
bool ways_is_least(double us, double least);

/* Writes the algorithm and its parameters, as in "radix,r=4". Returns `text`. */
const char *ways_format(const kp_problem *problem, char *text, size_t size);

#endif
