/* The game of life on a torus: a cartesian grid of ranks, borders by derived types, corners by the
 * second exchange. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    HEIGHT = 66,
    WIDTH = 72,
    GENERATIONS = 50
};

static MPI_Comm grid;
static int dims[2], place[2], from[2], extent[2], pitch;
static unsigned char *cells, *others;

static unsigned char *at(unsigned char *c, int y, int x)
{
    return c + y * pitch + x;
}

static void begin(void)
{
    int size, rank, periods[2] = {1, 1}, lengths[2] = {HEIGHT, WIDTH};
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 2, dims);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
    MPI_Comm_rank(grid, &rank);
    MPI_Cart_coords(grid, rank, 2, place);
    for (int d = 0; d < 2; d++) {
        from[d] = lengths[d] * place[d] / dims[d];
        extent[d] = lengths[d] * (place[d] + 1) / dims[d] - from[d];
    }
    pitch = extent[1] + 2;
    cells = calloc((extent[0] + 2) * pitch, 1);
    others = calloc((extent[0] + 2) * pitch, 1);
    for (int y = 1; y <= extent[0]; y++)
        for (int x = 1; x <= extent[1]; x++) {
            unsigned n = (unsigned)(from[0] + y) * 7919u + (unsigned)(from[1] + x) * 104729u;
            *at(cells, y, x) = (n ^ n >> 3 ^ n >> 7) % 3 == 0;
        }
}

static void exchange(MPI_Datatype row, MPI_Datatype column)
{
    int before, after;
    MPI_Cart_shift(grid, 1, 1, &before, &after);
    MPI_Sendrecv(at(cells, 1, extent[1]), 1, column, after, 0, at(cells, 1, 0), 1, column, before,
                 0, grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(at(cells, 1, 1), 1, column, before, 1, at(cells, 1, extent[1] + 1), 1, column,
                 after, 1, grid, MPI_STATUS_IGNORE);
    MPI_Cart_shift(grid, 0, 1, &before, &after);
    MPI_Sendrecv(at(cells, extent[0], 0), 1, row, after, 2, at(cells, 0, 0), 1, row, before, 2,
                 grid, MPI_STATUS_IGNORE);
    MPI_Sendrecv(at(cells, 1, 0), 1, row, before, 3, at(cells, extent[0] + 1, 0), 1, row, after, 3,
                 grid, MPI_STATUS_IGNORE);
}

static void live(void)
{
    for (int y = 1; y <= extent[0]; y++)
        for (int x = 1; x <= extent[1]; x++) {
            int near = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++)
                    near += (dy || dx) && *at(cells, y + dy, x + dx);
            *at(others, y, x) = near == 3 || (near == 2 && *at(cells, y, x));
        }
    unsigned char *old = cells;
    cells = others;
    others = old;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    begin();
    MPI_Datatype row, column;
    MPI_Type_contiguous(pitch, MPI_UNSIGNED_CHAR, &row);
    MPI_Type_vector(extent[0], 1, pitch, MPI_UNSIGNED_CHAR, &column);
    MPI_Type_commit(&row);
    MPI_Type_commit(&column);
    for (int i = 0; i < GENERATIONS; i++) {
        exchange(row, column);
        live();
    }
    long long sums[2] = {0, 0}, totals[2];
    for (int y = 1; y <= extent[0]; y++)
        for (int x = 1; x <= extent[1]; x++) {
            sums[0] += *at(cells, y, x);
            sums[1] += *at(cells, y, x) * ((from[0] + y) * 1000LL + from[1] + x);
        }
    MPI_Reduce(sums, totals, 2, MPI_LONG_LONG, MPI_SUM, 0, grid);
    int rank;
    MPI_Comm_rank(grid, &rank);
    if (rank == 0)
        printf("life: %lld cells live, weighed %lld\n", totals[0], totals[1]);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Comm_free(&grid);
    free(cells);
    free(others);
    MPI_Finalize();
    return 0;
}
