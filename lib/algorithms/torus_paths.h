/* Four paths between two processors of a torus. They share no link.
 *
 * Source: Saad and Schultz 1986, section 3.1, Proposition 3.1 and Figures 7 and 8. Let dx and dy be
 * the distances along the two sides. The distance of the processors is dx + dy. As in the paper,
 * the four paths have length dx + dy + 2 if the processors are not in one line. If they are in one
 * line, one path has the length of the distance, and the others are at most 4 longer. Between
 * neighbours the lengths are 1, 3, 5 and 7.
 *
 * A path around the torus is used instead if it is not longer. Sides of 3 and 4 have no room for
 * some detours, so they have shapes of their own. With a side of 3 only three links lead on in the
 * other direction. So the fourth path goes around the torus in that direction, and it may be longer
 * than the proposition says. */
#ifndef KPORT_LIB_ALGORITHMS_TORUS_PATHS_H
#define KPORT_LIB_ALGORITHMS_TORUS_PATHS_H

#include "lib/algorithms/paths.h"
#include "lib/algorithms/torus.h"

#define KP_TORUS_LEGS 5

struct kp_torus_leg {
    int across;   /* 0: the leg runs along dx, 1: along dy */
    int64_t step; /* number of links; negative: away from the target */
};

struct kp_torus_paths {
    struct kp_torus torus;
    int64_t side[2];  /* lengths of the sides along dx and along dy */
    int64_t away[2];  /* dx and dy, each at most half of the side */
    int direction[2]; /* +1 or -1: the direction of the target */
    int rows_first;   /* 1: dx counts rows, 0: dx counts columns */
    struct kp_torus_leg legs[4][KP_TORUS_LEGS];
    struct kp_paths paths;
};

/* Makes the `most` shortest of the four paths. `all->paths` points to `all`, so `all` must not be
 * moved. */
void kp_torus_paths_make(struct kp_torus_paths *all, const kp_problem *problem, int most);

#endif
