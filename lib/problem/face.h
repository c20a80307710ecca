/* What the library of MPI's functions (lib/mpi/) needs of operators. libkport exports this function
 * (ports/face.h says why). */
#ifndef KPORT_LIB_PROBLEM_FACE_H
#define KPORT_LIB_PROBLEM_FACE_H

#include "kport/operator.h"

#ifndef KP_FACE
#define KP_FACE __attribute__((visibility("default")))
#endif

/* Computes to[i] = left[i] op right[i], as `combine` in kp_operator does. The operator knows the
 * type. */
KP_FACE void kp_face_combine(const kp_operator *op, kp_type type, void *to, const void *left,
                             const void *right, size_t count);

#endif
