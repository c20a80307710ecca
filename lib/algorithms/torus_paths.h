/* Four paths between two processors of a torus that share no link.
 *
 * Saad and Schultz 1986, section 3.1, Proposition 3.1 and Figures 7 and 8. Let dx and dy be the
 * distances in the two directions, dx + dy the distance. As there: not in one line, four paths of
 * length dx + dy + 2; in one line, one of the distance and the others 4 longer at most; neighbours,
 * 1, 3, 5 and 7. Where a way around the torus is as short, it is taken instead. Sides of 3 and 4
 * have no room for some of these detours and need shapes of their own; with a side of 3 only three
 * links go on in the other direction, so the fourth path has to go around it, which may be longer
 * than the proposition says. */
#ifndef KPORT_LIB_ALGORITHMS_TORUS_PATHS_H
#define KPORT_LIB_ALGORITHMS_TORUS_PATHS_H

#include "lib/algorithms/paths.h"
#include "lib/algorithms/torus.h"

#define KP_TORUS_LEGS 5

struct kp_torus_leg {
    int across;   /* 0: along dx, 1: along dy */
    int64_t step; /* links; negative: away from the target */
};

struct kp_torus_paths {
    struct kp_torus torus;
    int64_t side[2];  /* along dx, along dy */
    int64_t away[2];  /* dx, dy: 0 ... half of the side */
    int direction[2]; /* +1 or -1: where the target lies */
    int rows_first;   /* whether dx runs over the rows */
    struct kp_torus_leg legs[4][KP_TORUS_LEGS];
    struct kp_paths paths;
};

/* The `most` shortest of the four. `all->paths` refers to `all`, which may not be moved. */
void kp_torus_paths_make(struct kp_torus_paths *all, const kp_problem *problem, int most);

#endif
