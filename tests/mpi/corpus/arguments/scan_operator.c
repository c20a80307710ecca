/* The prefix is of minima at rank 0 and of bits at rank 1.
 *
 * ranks: 2
 * goal: mismatch
 * names: R0 | R1 | MPI_Scan | MPI_MIN/op=min | MPI_BOR/op=bit/op=or/op=bor | {A} | op differs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int x = 5, y;
    MPI_Scan(&x, &y, 1, MPI_INT, rank == 0 ? MPI_MIN : MPI_BOR, MPI_COMM_WORLD); /* A */
    MPI_Finalize();
    return 0;
}
