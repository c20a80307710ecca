/* What a trace needs to know of a call with a schedule. */
#ifndef KPORT_LIB_TRACED_H
#define KPORT_LIB_TRACED_H

#include "lib/call/plan.h"
#include "ports/pass.h"

/* The member has opened a call that this plan serves: it is traced from here on. */
void kp_traced_open(kp_group *member, struct kp_prepared *call);

#endif
