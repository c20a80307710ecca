/* Ranks 0 and 3 sum their columns first, the others their rows.
 *
 * ranks: 4
 * goal: deadlock/mismatch
 * names: R0 | MPI_Allreduce | {A} | {B}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = rank, sum;
    MPI_Comm row, column;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    if (rank == 0 || rank == 3) {
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, column); /* A */
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, row);
    } else {
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, row); /* B */
        MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, column);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}
