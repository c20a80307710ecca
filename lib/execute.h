/* One processor's way through a schedule. */
#ifndef KPORT_LIB_EXECUTE_H
#define KPORT_LIB_EXECUTE_H

#include "lib/plan.h"

/* Carries out a prepared call. `scratch` holds the schedule's scratch units. 0, or the status of
 * the error that is set at the processor. */
int kp_execute(kp_group *seat, const struct kp_prepared *call, const char *out, char *in,
               char *scratch, void (*describe)(const void *subject, char *text, size_t size));

#endif
