/* What is private: globals, functions of libc with a state, the line of output that is being
 * written, the arguments; and what names of the program hide. */
#include <getopt.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int global;
static int hidden;
static _Thread_local int of_thread = 7;

/* libc has a function of this name. */
int error(int x)
{
    return x + 100;
}

static int calls(void)
{
    static int count;
    return ++count;
}

static void at_end(void)
{
    printf("end %d\n", global);
}

int main(int argc, char **argv)
{
    char words[] = "a b c", *word = strtok(words, " ");
    int option, options = 0, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    atexit(at_end);
    global = rank;
    hidden = 2 * rank;
    of_thread += rank;
    srand((unsigned)rank + 1);
    srand48(rank);
    calls();
    while ((option = getopt(argc, argv, "ab:")) != -1) {
        options = 10 * options + (option == 'b' ? atoi(optarg) : 1);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("rank %d", rank);
    MPI_Barrier(MPI_COMM_WORLD);
    printf(" words");
    for (; word; word = strtok(NULL, " ")) {
        printf(" %s", word);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf(" options %d rest %s rand %d %ld", options, argv[optind], rand(), lrand48());
    int right = global == rank && hidden == 2 * rank && of_thread == 7 + rank && calls() == 2 &&
                error(1) == 101;
    printf(" %s\n", right ? "right" : "wrong");
    MPI_Finalize();
    return 0;
}
