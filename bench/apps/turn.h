/* Transposes a matrix whose rows are distributed among the members. The rows of the result are
 * distributed in the same way. */
#ifndef KPORT_BENCH_TURN_H
#define KPORT_BENCH_TURN_H

#include "whole.h"

struct turn {
    size_t rows, columns;
    size_t bytes;     /* the bytes of an element: 8 or 16 */
    const void *from; /* the matrix, with `rows` x `columns` elements; each member has written its
                         own rows */
    void *to; /* the result, with `columns` x `rows` elements; each member writes its own rows */
    void *out, *in; /* room for messages, if members do not share memory */
};

void turn(struct talk *t, const struct turn *matrix);
size_t turn_message_bytes(const struct turn *matrix, size_t n);

#endif
