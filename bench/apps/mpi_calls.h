#ifndef KPORT_BENCH_MPI_CALLS_H
#define KPORT_BENCH_MPI_CALLS_H

#include "whole.h"

/* Runs a whole program as the member with this rank, which is the only member in this process. */
void mpi_run_whole(const struct request *request, int rank, struct reply *reply);

#endif
