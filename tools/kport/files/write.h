/* The functions that write a schedule in a format of this folder. Each returns an exit status
 * (command.h); if it is not 0, an error message is on stderr. */
#ifndef KPORT_TOOLS_WRITE_H
#define KPORT_TOOLS_WRITE_H

#include "kport.h"

#include <stdio.h>

int write_text(const kp_schedule *schedule, FILE *out);
int write_json(const kp_schedule *schedule, FILE *out);
int write_dot(const kp_schedule *schedule, FILE *out);
int write_tikz(const kp_schedule *schedule, FILE *out);

#endif
