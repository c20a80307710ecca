/* Programs of BSPlib: running them, and what their supersteps cost. */
#ifndef KPORT_KPORTRUN_BSP_H
#define KPORT_KPORTRUN_BSP_H

#include "options.h"

#include "lib/bsp/job.h"

/* Does what kp_bsp_run does, and writes the report that --bsp-report asks for. */
int bsp_run(struct kp_bsp_job *job, const struct options *options,
            int (*process_main)(int number, void *argument), kp_report *report, int *exit_status);

/* Measures g and l, and prints them. Returns the exit status. */
int bsp_print_parameters(const struct options *options);

#endif
