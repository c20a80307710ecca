#ifndef KPORT_BENCH_MPI_CALLS_H
#define KPORT_BENCH_MPI_CALLS_H

#include "whole.h"

/* Runs the member of this process. */
void mpi_run_whole(const struct request *request, int rank, struct reply *reply);

#endif
