#include "lib/algorithms/torus_paths.h"

#include "lib/schedule/arithmetic.h"

#include <string.h>

enum {
    X,
    Y
};

static int at(const struct kp_paths *paths, int shape, int64_t hop)
{
    const struct kp_torus_paths *all = paths->family;
    int64_t gone[2] = {0, 0};
    for (int i = 0; i < KP_TORUS_LEGS && hop > 0; i++) {
        const struct kp_torus_leg *leg = &all->legs[shape][i];
        int64_t length = leg->step < 0 ? -leg->step : leg->step, part = kp_least(hop, length);
        gone[leg->across] += leg->step < 0 ? -part : part;
        hop -= part;
    }
    for (int across = X; across <= Y; across++)
        gone[across] *= all->direction[across];
    int root = paths->problem->root, columns = all->torus.columns;
    return kp_torus_at(all->torus, root / columns + gone[all->rows_first ? X : Y],
                       root % columns + gone[all->rows_first ? Y : X]);
}

/* Adds a path that consists of these legs. The unused legs at the end are 0. */
static void add(struct kp_torus_paths *all, const struct kp_torus_leg legs[KP_TORUS_LEGS])
{
    int shape = all->paths.count;
    int64_t length = 0;
    memcpy(all->legs[shape], legs, sizeof all->legs[shape]);
    for (int i = 0; i < KP_TORUS_LEGS; i++)
        length += legs[i].step < 0 ? -legs[i].step : legs[i].step;
    kp_paths_add(&all->paths, shape, length);
}

#define PATH(...) add(all, (const struct kp_torus_leg[KP_TORUS_LEGS]){__VA_ARGS__})

/* --- Root and target in one line: dy = 0 --- */

/* One path goes straight from the root to the target. Two paths use the two lines beside it. The
 * fourth path leaves the root away from the target and goes around the torus. */
static void line_around(struct kp_torus_paths *all)
{
    int64_t dx = all->away[X];
    PATH({X, dx});
    PATH({Y, 1}, {X, dx}, {Y, -1});
    PATH({Y, -1}, {X, dx}, {Y, 1});
    PATH({X, dx - all->side[X]});
}

static void neighbours(struct kp_torus_paths *all)
{
    PATH({X, 1});
    PATH({Y, 1}, {X, 1}, {Y, -1});
    PATH({X, -1}, {Y, -1}, {X, 2}, {Y, 1});
    PATH({Y, -2}, {X, 2}, {Y, 2}, {X, -1});
}

/* Line 0 is the line of root and target, and line i is i links away from it. The four paths begin
 * in the lines 2, 1, 0 and -1. At x = 1, one link from the root towards the target, each path
 * changes to the next lower line. So the paths share no link. */
static void line_shifted(struct kp_torus_paths *all)
{
    int64_t rest = all->away[X] - 1;
    PATH({Y, 2}, {X, 1}, {Y, -1}, {X, rest}, {Y, -1});
    PATH({X, -1}, {Y, 1}, {X, 2}, {Y, -1}, {X, rest});
    PATH({X, 1}, {Y, -1}, {X, rest + 1}, {Y, 1}, {X, -1});
    PATH({Y, -1}, {X, 1}, {Y, -1}, {X, rest}, {Y, 2});
}

/* --- Root and target in different rows and columns --- */

/* Each of the four paths has one corner. Two of them run towards the target. The other two run away
 * from the target and so around the torus. */
static void corners(struct kp_torus_paths *all)
{
    int64_t dx = all->away[X], dy = all->away[Y], a = dx - all->side[X], b = dy - all->side[Y];
    PATH({X, dx}, {Y, dy});
    PATH({Y, dy}, {X, dx});
    PATH({X, a}, {Y, b});
    PATH({Y, b}, {X, a});
}

/* Figure 7 of the paper. Two paths go one link too far before their corner, and come back at the
 * end. The first link of each of the other two leads away from the target. */
static void overshooting(struct kp_torus_paths *all)
{
    int64_t dx = all->away[X], dy = all->away[Y];
    PATH({X, dx + 1}, {Y, dy}, {X, -1});
    PATH({Y, dy + 1}, {X, dx}, {Y, -1});
    PATH({X, -1}, {Y, dy}, {X, dx + 1});
    PATH({Y, -1}, {X, dx}, {Y, dy + 1});
}

/* The paths if x has 3 processors and dx = 1. */
static void beside_three(struct kp_torus_paths *all)
{
    int64_t dy = all->away[Y];
    PATH({X, 1}, {Y, dy});
    PATH({Y, dy}, {X, 1});
    PATH({X, -1}, {Y, dy}, {X, -1});
    PATH({Y, dy + 1 - all->side[Y]}, {X, 1}, {Y, -1});
}

/* The paths if x has 4 processors and dx = 2. */
static void beside_four(struct kp_torus_paths *all)
{
    int64_t dy = all->away[Y];
    PATH({X, 1}, {Y, dy}, {X, 1});
    PATH({X, -1}, {Y, dy}, {X, -1});
    PATH({Y, dy + 1}, {X, 2}, {Y, -1});
    PATH({Y, -1}, {X, 2}, {Y, dy + 1});
}

/* --- Choosing the shape --- */

static void choose_line(struct kp_torus_paths *all)
{
    int64_t dx = all->away[X], around = all->side[X] - dx;
    if (all->side[Y] == 3 || around <= (dx == 1 ? 7 : dx + 4))
        line_around(all);
    else if (dx == 1)
        neighbours(all);
    else
        line_shifted(all);
}

static void choose(struct kp_torus_paths *all)
{
    int64_t sides = all->side[X] + all->side[Y], distance = all->away[X] + all->away[Y];
    if (distance == 0)
        return;
    if (all->away[Y] == 0)
        choose_line(all);
    else if (sides <= 2 * distance + 2)
        corners(all);
    else if (all->side[X] == 3)
        beside_three(all);
    else if (all->side[X] == 4 && all->away[X] == 2)
        beside_four(all);
    else
        overshooting(all);
}

/* Returns 1 if x has to be the side along which the row changes. `rows` and `columns` each hold the
 * length of a side and the distance of root and target along it. If root and target are in one
 * line, x runs along this line, so dy = 0. Otherwise x runs along a side that has no room for a
 * detour, if there is such a side. */
static int take_rows_first(const int64_t rows[2], const int64_t columns[2])
{
    if (rows[1] == 0 || columns[1] == 0)
        return columns[1] == 0;
    if (rows[0] == 3 || columns[0] == 3)
        return rows[0] == 3;
    return !(columns[0] == 4 && columns[1] == 2);
}

void kp_torus_paths_make(struct kp_torus_paths *all, const kp_problem *p, int most)
{
    all->torus = kp_torus_of(p->n);
    all->paths = (struct kp_paths){.at = at, .problem = p, .family = all};
    int columns = all->torus.columns;
    int64_t sides[2] = {all->torus.rows, columns}, away[2];
    int direction[2];
    away[0] = kp_mod((int64_t)p->target / columns - p->root / columns, sides[0]);
    away[1] = kp_mod((int64_t)p->target % columns - p->root % columns, sides[1]);
    for (int i = 0; i < 2; i++) {
        direction[i] = away[i] <= sides[i] - away[i] ? 1 : -1;
        away[i] = kp_least(away[i], sides[i] - away[i]);
    }
    all->rows_first =
        take_rows_first((int64_t[]){sides[0], away[0]}, (int64_t[]){sides[1], away[1]});
    for (int i = 0; i < 2; i++) {
        int across = all->rows_first ? i : 1 - i;
        all->side[across] = sides[i];
        all->away[across] = away[i];
        all->direction[across] = direction[i];
    }
    choose(all);
    kp_paths_keep(&all->paths, most);
}
