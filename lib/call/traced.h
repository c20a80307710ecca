/* This header declares how a trace learns of a call that has a schedule. */
#ifndef KPORT_LIB_TRACED_H
#define KPORT_LIB_TRACED_H

#include "lib/call/prepared.h"
#include "ports/member.h"

/* Tells the trace that the member has opened a call, and which schedule the call has. */
void kp_traced_open(kp_group *member, struct kp_prepared *call);

#endif
