/* Heat on a square plate, computed by Jacobi's method. The processors form a grid, and each has a
 * rectangle of the plate.
 *
 * A point's next temperature is the mean of its four neighbours. So in each step a processor needs
 * the outermost rows and columns of the neighbouring rectangles (their halo). A row lies in one
 * piece. A column does not, and has a layout (kp_layout_vector). The messages are started; while
 * they are under way, the processor computes the points that need none of them. */
#include "apps.h"

#define STEPS 40

typedef struct plate {
    size_t size;          /* points in a row; the points beyond the border have temperature 0 */
    size_t high, wide;    /* the grid of processors */
    double *first, *last; /* size x size: before the first step, and after the last one */
} plate;

/* A processor's rectangle. The array has one more row and column on each side, for the halo. */
typedef struct rectangle {
    app_rows rows, columns;
    size_t pitch; /* doubles from one row to the next */
    double *now, *next;
    kp_layout *column;
} rectangle;

/* The four sides: where the neighbour is in the grid, and the tag of what goes that way. */
enum side {
    ABOVE,
    BELOW,
    LEFT,
    RIGHT,
    SIDES
};

static double mean(const double *at, size_t pitch)
{
    return 0.25 * (at[-(ptrdiff_t)pitch] + at[pitch] + at[-1] + at[1]);
}

/* Computes the points of rows first ... end - 1 and columns left ... right - 1. */
static void step(rectangle *r, size_t first, size_t end, size_t left, size_t right)
{
    for (size_t i = first; i < end; i++)
        for (size_t j = left; j < right; j++)
            r->next[i * r->pitch + j] = mean(&r->now[i * r->pitch + j], r->pitch);
}

/* Returns the rank of the neighbour on this side, or -1 if the plate ends there. */
static int neighbour(const plate *p, const rectangle *r, size_t me, enum side side)
{
    const size_t row = me / p->wide, column = me % p->wide;
    const app_rows beyond = side == BELOW   ? app_deal(p->size, p->high, row + 1)
                            : side == RIGHT ? app_deal(p->size, p->wide, column + 1)
                                            : (app_rows){0, 1, 0};
    if (r->rows.count == 0 || r->columns.count == 0 || beyond.count == 0 ||
        (side == ABOVE && row == 0) || (side == BELOW && row + 1 == p->high) ||
        (side == LEFT && column == 0) || (side == RIGHT && column + 1 == p->wide))
        return -1;
    const ptrdiff_t distance[] = {-(ptrdiff_t)p->wide, (ptrdiff_t)p->wide, -1, 1};
    return (int)((ptrdiff_t)me + distance[side]);
}

/* Starts a send to this side of what lies at `own`, and a receive of its halo to `halo`. */
static int start_side(kp_group *world, const rectangle *r, int to, enum side side,
                      kp_request **requests)
{
    static const int back[] = {BELOW, ABOVE, RIGHT, LEFT};
    const size_t rows = r->rows.count, columns = r->columns.count, pitch = r->pitch;
    const int is_row = side == ABOVE || side == BELOW;
    const size_t own[] = {pitch + 1, rows * pitch + 1, pitch + 1, pitch + columns};
    const size_t halo[] = {1, (rows + 1) * pitch + 1, pitch, pitch + columns + 1};
    const kp_layout *layout = is_row ? kp_layout_of(KP_FLOAT64) : r->column;
    const size_t count = is_row ? columns : 1;
    int status = kp_receive_layout_start(world, r->now + halo[side], count, layout, to, back[side],
                                         NULL, &requests[0]);
    return status ? status
                  : kp_send_layout_start(world, r->now + own[side], count, layout, to, (int)side,
                                         &requests[1]);
}

static int advance(kp_group *world, const plate *p, rectangle *r)
{
    const size_t rows = r->rows.count, columns = r->columns.count;
    kp_request *requests[2 * SIDES];
    int started = 0, status = 0;
    for (enum side side = ABOVE; side < SIDES && status == 0; side++) {
        const int to = neighbour(p, r, (size_t)kp_rank(world), side);
        if (to < 0)
            continue;
        status = start_side(world, r, to, side, requests + started);
        started += 2;
    }
    if (status != 0)
        return status;
    if (rows > 2 && columns > 2)
        step(r, 2, rows, 2, columns);
    status = kp_wait_all(started, requests);
    step(r, 1, rows > 0 ? 2 : 1, 1, columns + 1);
    step(r, rows > 1 ? rows : rows + 1, rows + 1, 1, columns + 1);
    step(r, 2, rows, 1, columns > 0 ? 2 : 1);
    step(r, 2, rows, columns > 1 ? columns : columns + 1, columns + 1);
    double *now = r->now;
    r->now = r->next;
    r->next = now;
    return status;
}

static int program(kp_proc *self, void *shared)
{
    plate *p = shared;
    kp_group *world = kp_world(self);
    const size_t me = (size_t)kp_rank(world);
    rectangle r = {app_deal(p->size, p->high, me / p->wide),
                   app_deal(p->size, p->wide, me % p->wide),
                   0,
                   NULL,
                   NULL,
                   NULL};
    r.pitch = r.columns.count + 2;
    double *room = calloc(2 * (r.rows.count + 2) * r.pitch, sizeof *room);
    int status = room ? kp_layout_vector(r.rows.count, 1, (ptrdiff_t)r.pitch,
                                         kp_layout_of(KP_FLOAT64), &r.column)
                      : kp_fail(self, "there is not enough memory for the points");
    r.now = room;
    r.next = room ? room + (r.rows.count + 2) * r.pitch : NULL;
    for (size_t i = 0; i < r.rows.count && status == 0; i++)
        memcpy(r.now + (i + 1) * r.pitch + 1,
               p->first + (r.rows.first + i) * p->size + r.columns.first,
               r.columns.count * sizeof *r.now);
    for (int i = 0; i < STEPS && status == 0; i++)
        status = advance(world, p, &r);
    for (size_t i = 0; i < r.rows.count && status == 0; i++)
        memcpy(p->last + (r.rows.first + i) * p->size + r.columns.first,
               r.now + (i + 1) * r.pitch + 1, r.columns.count * sizeof *r.now);
    kp_layout_free(r.column);
    free(room);
    return status;
}

/* The same steps on one rectangle that is the plate. */
static void compute_serially(const plate *p, double *room, double *serial)
{
    const size_t n = p->size, pitch = n + 2;
    rectangle r = {{0, n, n}, {0, n, n}, pitch, room, room + pitch * pitch, NULL};
    for (size_t i = 0; i < n; i++)
        memcpy(r.now + (i + 1) * pitch + 1, p->first + i * n, n * sizeof *room);
    for (int i = 0; i < STEPS; i++) {
        step(&r, 1, n + 1, 1, n + 1);
        double *now = r.now;
        r.now = r.next;
        r.next = now;
    }
    for (size_t i = 0; i < n; i++)
        memcpy(serial + i * n, r.now + (i + 1) * pitch + 1, n * sizeof *room);
}

int main(int argc, char **argv)
{
    app a = {.name = "halo", .size_is = "points in a row", .size = 200, .most = 4000};
    if (app_read(&a, argc, argv) != 0)
        return APP_REFUSED;
    const size_t points = a.size * a.size;
    plate p = {.size = a.size,
               .high = 1,
               .first = app_array(&a, points, sizeof(double)),
               .last = app_array(&a, points, sizeof(double))};
    for (size_t high = 1; high * high <= a.processors; high++)
        p.high = a.processors % high == 0 ? high : p.high;
    p.wide = a.processors / p.high;
    uint64_t random = a.seed;
    for (size_t i = 0; i < points; i++)
        p.first[i] = 0.5 + app_uniform(&random);
    double *serial = app_array(&a, points, sizeof *serial);
    double *room = app_array(&a, 2 * (a.size + 2) * (a.size + 2), sizeof *room);
    kp_report report;
    int status = app_run(&a, program, &p, &report);
    app_corrupt(&a, &p.last[points - 1]);
    compute_serially(&p, room, serial);
    if (status == 0)
        status = app_same(&a, p.last, serial, points) ? APP_VERIFIED : APP_WRONG;
    if (status == APP_VERIFIED) {
        printf("a plate of %zu x %zu points, dealt to %zu x %zu processors, has cooled for %d "
               "steps\n",
               a.size, a.size, p.high, p.wide, STEPS);
        app_verified(&a, &report, "temperatures equal to the serial ones bit by bit");
    }
    free(room);
    free(serial);
    free(p.last);
    free(p.first);
    return status;
}
