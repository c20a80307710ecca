#include "lib/problem/face.h"

#include "lib/problem/operator.h"

void kp_face_combine(const kp_operator *op, kp_type type, void *to, const void *left,
                     const void *right, size_t count)
{
    kp_operator_loops(op, type).combine(to, left, right, count, op->context);
}
