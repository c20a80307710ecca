/* The functions of the general requests of these programs. They count their calls. */
#ifndef GENERAL_H
#define GENERAL_H

#include <mpi.h>

struct state {
    int queries, frees;
};

static int query(void *argument, MPI_Status *status)
{
    ((struct state *)argument)->queries++;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int release(void *argument)
{
    ((struct state *)argument)->frees++;
    return MPI_SUCCESS;
}

static int cancel(void *argument, int complete)
{
    (void)argument;
    (void)complete;
    return MPI_SUCCESS;
}

#endif
