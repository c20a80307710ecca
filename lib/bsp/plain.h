/* A program that kportrun has not started: its process becomes process 0, and threads of its own
 * become the others. */
#ifndef KPORT_BSP_PLAIN_H
#define KPORT_BSP_PLAIN_H

#include "lib/bsp/process.h"

/* Keeps the function that the threads call. */
void kp_bsp_plain_init(void (*spmd)(void));

/* Makes a machine, and lets the calling thread carry its processor 0. Otherwise ends the program
 * with an error message. */
void kp_bsp_plain_begin(const struct kp_bsp_place *place, int processes);

/* Called by each process at its end. The first waits for the threads of the others, and frees the
 * machine. Does nothing in a job of kp_bsp_run. */
void kp_bsp_plain_end(struct kp_bsp_process *self);

/* Returns how many processes there were, or may be. */
int kp_bsp_plain_processes(void);

#endif
