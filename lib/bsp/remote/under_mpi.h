/* A program that mpirun has started, and not kportrun: its processes are those of the MPI. */
#ifndef KPORT_BSP_UNDER_MPI_H
#define KPORT_BSP_UNDER_MPI_H

#include "lib/bsp/process.h"

/* If mpirun has started this process: makes a machine with all of its processes, lets the calling
 * thread carry this process's processor, and returns the process. Ends the program with an error
 * message if that is not possible. Returns NULL if mpirun has not. */
struct kp_bsp_process *kp_bsp_mpi_join(const struct kp_bsp_place *place);

/* Called by each process at its end. Waits for all others, and frees the machine. Does nothing for
 * a process that has not joined. */
void kp_bsp_mpi_end(struct kp_bsp_process *self);

/* Returns how many processes the last parallel part had, or how many there are under mpirun. 0:
 * mpirun has not started this process. */
int kp_bsp_mpi_processes(const struct kp_bsp_place *place);

#endif
