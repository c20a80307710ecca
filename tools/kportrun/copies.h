/* Copies of the program, one for each rank. */
#ifndef KPORT_KPORTRUN_COPIES_H
#define KPORT_KPORTRUN_COPIES_H

#include "lib/mpi/private/host.h"

/* Loads a copy of the program in `file` for each of `ranks` ranks, or one copy for all if it was
 * linked by kportcc -fno-private. `loading` is called with the rank before its copy's constructors
 * run, and at the end with -1. Stores the copies in copies[0 ... ranks - 1]. Returns 0, or prints
 * an error message and returns the exit status. */
int copies_load(int file, const char *path, int ranks, void (*loading)(int rank),
                const struct kp_copy **copies);

#endif
