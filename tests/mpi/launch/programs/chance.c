/* Each run writes the next letter of the second argument. The first names a file that has a byte
 * for each run so far. So two runs of a seed may write the same by chance, as with a time. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank;
    (void)argc;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        FILE *file = fopen(argv[1], "ab");
        if (!file)
            MPI_Abort(MPI_COMM_WORLD, 3);
        fseek(file, 0, SEEK_END);
        const size_t runs = (size_t)ftell(file);
        printf("%c\n", argv[2][runs % strlen(argv[2])]);
        fputc('.', file);
        fclose(file);
    }
    MPI_Finalize();
    return 0;
}
