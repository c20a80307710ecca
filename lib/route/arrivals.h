/* Arrivals are the messages that a processor has received by kp_route. They lie in streams
 * (stream.h), one stream from each sender. */
#ifndef KPORT_LIB_ROUTE_ARRIVALS_H
#define KPORT_LIB_ROUTE_ARRIVALS_H

#include "kport/route.h"
#include "lib/route/spare.h"

struct kp_arrived_stream {
    char *at;
    uint64_t bytes; /* the length of the stream, rounded up to a multiple of 8 */
};

struct kp_arrivals_data {
    int n;
    struct kp_spare *spare; /* the store of spare buffers, to which `memory` is given back */
    char *memory[2];        /* the buffers in which the streams lie */
    struct kp_arrived_stream streams[];
};

/* Makes arrivals without streams. The arrivals count as one user of the store `spare`, which exists
 * until its last user is freed (spare.h). Returns NULL if there is no memory. */
struct kp_arrivals_data *kp_arrivals_make(int n, struct kp_spare *spare);
void kp_arrivals_free(struct kp_arrivals_data *data);

#endif
