/* Calls with layouts: four processors move columns of their matrices, without packing them first.
 */
#include <kport.h>
#include <stdio.h>

enum {
    N = 4
};

typedef double matrix[N][N];

/* A layout of one column. The next one begins a double further, so `count` columns may follow. */
static int make_column(kp_layout **column)
{
    kp_layout *whole = NULL;
    int status = kp_layout_vector(N, 1, N, kp_layout_of(KP_FLOAT64), &whole);
    if (status == 0)
        status = kp_layout_resized(whole, 0, sizeof(double), column);
    kp_layout_free(whole);
    return status;
}

/* Column j of `from` becomes a column of `to`, at one member or at all. */
static int equal_blocks(kp_group *world, int me, const kp_layout *column, int *wrong)
{
    matrix from = {{me, me + 10, me + 20, me + 30}}, to = {{0}};
    int status = kp_concat_layout(world, &from[0][1], 1, column, to, 1, column, NULL);
    *wrong += to[0][3] != 13;
    if (status == 0)
        status = kp_scatter_layout(world, from, 1, column, &to[0][0], 1, column, 2, NULL);
    *wrong += to[0][0] != 10 * me + 2;
    if (status == 0)
        status = kp_gather_layout(world, &from[0][3], 1, column, to, 1, column, 0, NULL);
    *wrong += me == 0 && to[0][2] != 32;
    if (status == 0)
        status = kp_one_to_one_layout(world, from, 1, column, to, 1, column, 1, 3, NULL);
    if (status == 0)
        status = kp_broadcast_layout(world, from, 2, column, 3, NULL);
    *wrong += from[0][1] != 13 || from[0][2] != me + 20;
    return status;
}

/* Counts and displacements are in columns. */
static int own_lengths(kp_group *world, int me, const kp_layout *column, int *wrong)
{
    matrix from = {{me, me + 10, me + 20, me + 30}}, to = {{0}};
    const size_t counts[N] = {1, 1, 1, 1}, displacements[N] = {3, 2, 1, 0};
    const kp_layout *layouts[N] = {column, column, column, column};
    int status = kp_concatv_layout(world, from, 1, column, to, counts, displacements, column, NULL);
    *wrong += to[0][0] != 3;
    if (status == 0)
        status = kp_indexv_layout(world, from, counts, NULL, column, to, counts, displacements,
                                  column, NULL);
    *wrong += to[0][0] != 10 * me + 3;
    if (status == 0)
        status = kp_gatherv_layout(world, from, 1, column, to, counts, NULL, column, 0, NULL);
    if (status == 0)
        status = kp_scatterv_layout(world, to, counts, NULL, column, from, 1, column, 0, NULL);
    *wrong += from[0][0] != me;
    /* A layout for each block; displacements are in bytes. */
    const size_t bytes[N] = {0, sizeof(double), 2 * sizeof(double), 3 * sizeof(double)};
    if (status == 0)
        status = kp_indexw(world, from, counts, bytes, layouts, to, counts, bytes, layouts, NULL);
    *wrong += to[0][3] != 10 * me + 3;
    return status;
}

/* A message between a column and a row: the elements are the same, their places differ. */
static int messages(kp_group *world, int me, const kp_layout *column, int *wrong)
{
    matrix from = {{me}, {me + 1}, {me + 2}, {me + 3}};
    double row[N] = {0};
    const kp_layout *number = kp_layout_of(KP_FLOAT64);
    int peer = me ^ 1;
    int status =
        kp_exchange_messages_layout(world, from, 1, column, peer, 0, row, N, number, peer, 0, NULL);
    *wrong += row[3] != peer + 3;
    if (status == 0 && me == 0)
        status = kp_send_layout(world, from, 1, column, 1, 7);
    if (status == 0 && me == 1)
        status = kp_receive_layout(world, row, N, number, 0, 7, NULL);
    *wrong += me == 1 && row[3] != 3;
    return status;
}

static int program(kp_proc *self, void *wrong)
{
    kp_group *world = kp_world(self);
    int me = kp_rank(world), mine = 0;
    kp_layout *column = NULL;
    int status = make_column(&column);
    mine += status == 0 && kp_layout_bytes(column) != N * sizeof(double);
    mine += status == 0 && kp_layout_extent(column) != sizeof(double);
    mine += status == 0 && kp_layout_lower(column) != 0;
    status = status ? status : equal_blocks(world, me, column, &mine);
    status = status ? status : own_lengths(world, me, column, &mine);
    status = status ? status : messages(world, me, column, &mine);
    char text[80] = "";
    if (status == 0 && me == 0 && kp_layout_format(column, text, sizeof text) > 0)
        puts(text);
    kp_layout_free(column);
    ((int *)wrong)[me] = mine;
    return status;
}

int main(void)
{
    int wrong[N] = {0};
    kp_report report;
    if (kp_run(&(kp_config){.processors = N}, program, wrong, &report) != 0) {
        fprintf(stderr, "%s\n", report.error.sentence);
        return 1;
    }
    printf("%d results are wrong\n", wrong[0] + wrong[1] + wrong[2] + wrong[3]);
    return 0;
}
