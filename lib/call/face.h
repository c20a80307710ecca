/* What the libraries of MPI's and of BSPlib's functions (lib/mpi/, lib/bsp/) need of calls beyond
 * the public headers. libkport exports these functions (ports/face.h says why). */
#ifndef KPORT_LIB_CALL_FACE_H
#define KPORT_LIB_CALL_FACE_H

#include "kport/group.h"
#include "kport/persistent.h"
#include "ports/port.h"

#include <stdint.h>

#ifndef KP_FACE
#define KP_FACE __attribute__((visibility("default")))
#endif

/* A barrier of the group that is a call of the layer above: members that make another call get
 * KP_EMISMATCH. Each member brings 8 bits, and stores in `all` the bits of all members, combined by
 * OR. Returns 0 or the status of an error, as kp_barrier does. */
KP_FACE int kp_face_meet(kp_group *group, const struct kp_call *call, unsigned bits, unsigned *all);

/* In a group of two threads, or of two fibers of different workers, 16 bytes can travel beside the
 * barrier's word, so that the other member reads no other cache line. `kp_face_note` returns where
 * a member may write them before its next call of kp_face_meet, or NULL if the group is another
 * one. `kp_face_noted` returns what the other member has written there before the last one. It
 * stays there until the next call. */
#define KP_FACE_NOTE 16
KP_FACE void *kp_face_note(const kp_group *group);
KP_FACE const void *kp_face_noted(const kp_group *group);

/* A collective call that a member keeps. The member finds it again without its arguments. */
struct kp_face_kept {
    const void *call; /* NULL: none */
    uint32_t drops;
};

#define KP_FACE_FORGOTTEN (-1) /* a status of kp_face_again */

/* Returns the kept call with these arguments, which the member has made before. The layouts and the
 * operator must exist as long as the result is used; the operator is one of the library's. For
 * operations with blocks of one length. */
KP_FACE struct kp_face_kept kp_face_keep(kp_group *group, const kp_arguments *a);

/* Makes a kept call with these buffers. Returns what the call returns. Returns KP_FACE_FORGOTTEN if
 * the member does not keep the call any more, or if the buffers need a closer look. Then nothing
 * has happened, and the caller makes the call with all its arguments. */
KP_FACE int kp_face_again(kp_group *group, const struct kp_face_kept *kept, const void *out,
                          void *in);

#endif
