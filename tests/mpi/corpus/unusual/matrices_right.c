/* A program's operator multiplies matrices, which do not commute, by their own type.
 *
 * ranks: 4
 * goal: right
 */
#include <mpi.h>

static void multiply(void *in, void *inout, int *count, MPI_Datatype *type)
{
    int *a = in, *b = inout;
    (void)type;
    for (int i = 0; i < *count; i++, a += 4, b += 4) {
        const int c[4] = {a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3],
                          a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]};
        for (int j = 0; j < 4; j++)
            b[j] = c[j];
    }
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x[4] = {1, rank, rank % 2, 1}, y[4], z[4];
    MPI_Datatype matrix;
    MPI_Op op;
    MPI_Type_contiguous(4, MPI_INT, &matrix);
    MPI_Type_commit(&matrix);
    MPI_Op_create(multiply, 0, &op);
    MPI_Allreduce(x, y, 1, matrix, op, MPI_COMM_WORLD);
    MPI_Scan(x, z, 1, matrix, op, MPI_COMM_WORLD);
    if (y[0] != 4 || y[1] != 6 || y[2] != 4 || y[3] != 6 || (rank == 3 && z[1] != 6))
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Op_free(&op);
    MPI_Type_free(&matrix);
    MPI_Finalize();
    return 0;
}
