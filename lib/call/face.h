/* What the libraries of MPI's and of BSPlib's functions (lib/mpi/, lib/bsp/) need of calls beyond
 * the public headers. libkport exports these functions (ports/face.h says why). */
#ifndef KPORT_LIB_CALL_FACE_H
#define KPORT_LIB_CALL_FACE_H

#include "kport/group.h"
#include "kport/persistent.h"
#include "ports/port.h"

#include <stdbool.h>
#include <stdint.h>

#ifndef KP_FACE
#define KP_FACE __attribute__((visibility("default")))
#endif

/* A barrier of the group that is a call of the layer above: members that make another call get
 * KP_EMISMATCH. Each member brings 8 bits, and stores in `all` the bits of all members, combined by
 * OR. Returns 0 or the status of an error, as kp_barrier does. */
KP_FACE int kp_face_meet(kp_group *group, const struct kp_call *call, unsigned bits, unsigned *all);

/* In a group of two threads, or of two fibers of different workers, a note of 16 bytes can travel
 * beside the barrier's word, so that the other member reads no other cache line. */
struct kp_face_note {
    uint64_t words[2];
};

/* What the other member has brought. */
struct kp_face_met {
    unsigned bits;
    struct kp_face_note note;
};

/* Returns whether the group is such a group. */
KP_FACE bool kp_face_has_notes(const kp_group *group);

/* Does for such a group what kp_face_meet does, and exchanges notes. Without bits there is no note.
 * A trace does not show it. */
KP_FACE int kp_face_meet_noting(kp_group *group, const struct kp_call *call, unsigned bits,
                                struct kp_face_note note, struct kp_face_met *met);

/* A collective call that a member keeps. The member finds it again without its arguments. */
struct kp_face_kept {
    const void *call; /* NULL: none */
    uint32_t drops;
};

#define KP_FACE_FORGOTTEN 1 /* a result of kp_face_again; statuses are 0 or less */

/* Returns the kept call with these arguments, which the member has made before. The layouts and the
 * operator must exist as long as the result is used; the operator is one of the library's. For
 * operations with blocks of one length. */
KP_FACE struct kp_face_kept kp_face_keep(kp_group *group, const kp_arguments *a);

/* Makes a kept call with these buffers. Returns what the call returns. Returns KP_FACE_FORGOTTEN if
 * the member does not keep the call any more, or if the buffers need a closer look. Then nothing
 * has happened, and the caller makes the call with all its arguments.
 *
 * With `early` a member does not wait for the others when it has nothing more to do in the call
 * (ports/member.h). Its processor waits when it makes its next call. If the call that it has left
 * has failed, the next call of the group by `again` returns the error, after it has been made.
 * `kp_face_come_back` waits at once if the processor has left a call, and returns the error of an
 * earlier call of the group, once, or 0. A processor calls it before its program ends, before it
 * gives back what is kept of the call, and after a blocking call by another function. */
KP_FACE int kp_face_again(kp_group *group, const struct kp_face_kept *kept, const void *out,
                          void *in, bool early);
KP_FACE int kp_face_come_back(kp_group *group);

/* The same for an operation whose blocks have lengths of their own, if its calls go directly
 * (lib/lengths/direct.h). The caller owns what `kp_face_keep_lengths` returns, and gives it back to
 * `kp_face_drop_lengths`. It is NULL if the call needs a closer look each time, or if there is no
 * memory. The arrays of `a` are copied. */
struct kp_face_lengths;
KP_FACE struct kp_face_lengths *kp_face_keep_lengths(kp_group *group, const kp_arguments *a);
KP_FACE int kp_face_again_lengths(struct kp_face_lengths *kept, const void *out, void *in,
                                  bool early);
KP_FACE void kp_face_drop_lengths(struct kp_face_lengths *kept);

#endif
