/* Writes a schedule of kport as a file of MSCCL. Returns an exit status (command.h); if it is not
 * 0, an error message is on stderr. */
#ifndef KPORT_TOOLS_MSCCL_WRITE_H
#define KPORT_TOOLS_MSCCL_WRITE_H

#include "kport.h"

#include <stdio.h>

int write_msccl(const kp_schedule *schedule, FILE *out);

#endif
