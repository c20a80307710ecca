/* A matrix that is dealt to the members by rows becomes the transposed one, dealt alike. */
#ifndef KPORT_BENCH_TURN_H
#define KPORT_BENCH_TURN_H

#include "whole.h"

struct turn {
    size_t rows, columns;
    size_t bytes;     /* of an element: 8 or 16 */
    const void *from; /* rows x columns, common; a member has written its rows */
    void *to;         /* columns x rows, of which a member writes its own */
    void *out, *in;   /* room for messages, where no memory is shared */
};

void turn(struct talk *t, const struct turn *matrix);
size_t turn_message_bytes(const struct turn *matrix, size_t n);

#endif
