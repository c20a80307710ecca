/* What the library of BSPlib's functions (lib/bsp/) needs of calls beyond the public headers.
 * libkport exports these functions (ports/face.h says why). */
#ifndef KPORT_LIB_CALL_FACE_H
#define KPORT_LIB_CALL_FACE_H

#include "kport/group.h"
#include "ports/port.h"

#ifndef KP_FACE
#define KP_FACE __attribute__((visibility("default")))
#endif

/* A barrier of the group that is a call of the layer above: members that make another call get
 * KP_EMISMATCH. Each member brings 8 bits, and stores in `all` the bits of all members, combined by
 * OR. Returns 0 or the status of an error, as kp_barrier does. */
KP_FACE int kp_face_meet(kp_group *group, const struct kp_call *call, unsigned bits, unsigned *all);

#endif
