/* Transposes a matrix whose rows are distributed among the members. The rows of the result are
 * distributed alike. */
#ifndef KPORT_BENCH_TURN_H
#define KPORT_BENCH_TURN_H

#include "whole.h"

struct turn {
    size_t rows, columns;
    size_t bytes;     /* the bytes of an element: 8 or 16 */
    const void *from; /* rows x columns, shared or not; each member has written its rows */
    void *to;         /* columns x rows; each member writes its rows */
    void *out, *in;   /* room for messages, if no memory is shared */
};

void turn(struct talk *t, const struct turn *matrix);
size_t turn_message_bytes(const struct turn *matrix, size_t n);

#endif
