/* This header declares four paths from the root to the target on a torus. No link belongs to two of
 * these paths.
 *
 * Source: Saad and Schultz 1986, section 3.1, Proposition 3.1 and Figures 7 and 8. One side of the
 * torus is called x, the other side y. Root and target are dx links apart along x and dy links
 * along y, so their distance is dx + dy. If both dx and dy are above 0, the four paths have length
 * dx + dy + 2, as in the paper. If dx or dy is 0, one path has length dx + dy, and the other three
 * have at most 4 links more. If root and target are neighbours, the lengths may be 1, 3, 5 and 7.
 *
 * If a path around the torus is at most as long as the longest of these paths, it is used instead
 * of that path. A side of 3 or 4 processors has no room for some detours, so the paths have other
 * shapes there. If x has 3 processors, only three lines run along y, and three paths take one line
 * each. The fourth path goes away from the target and around the torus, so it may be longer than
 * the proposition says. */
#ifndef KPORT_LIB_ALGORITHMS_TORUS_PATHS_H
#define KPORT_LIB_ALGORITHMS_TORUS_PATHS_H

#include "lib/algorithms/paths.h"
#include "lib/algorithms/torus.h"

#define KP_TORUS_LEGS 5

/* A leg: links of a path that all run along the same side. */
struct kp_torus_leg {
    int across;   /* 0: the leg runs along x; 1: along y */
    int64_t step; /* the number of links; negative: the leg leads away from the target */
};

struct kp_torus_paths {
    struct kp_torus torus;
    int64_t side[2];  /* the number of processors along x, and along y */
    int64_t away[2];  /* dx and dy, each at most half of its side */
    int direction[2]; /* along x and y: +1 if the row or column number grows towards the target */
    int rows_first;   /* 1: a link along x changes the row; 0: it changes the column */
    struct kp_torus_leg legs[4][KP_TORUS_LEGS];
    struct kp_paths paths;
};

/* Makes the shortest of the 4 paths, at most `most` of them. The caller must not move `all`,
 * because it has pointers to itself. */
void kp_torus_paths_make(struct kp_torus_paths *all, const kp_problem *problem, int most);

#endif
