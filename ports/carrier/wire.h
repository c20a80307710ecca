/* Messages between processors that share no memory. The processors live in different processes, or
 * in threads that act as if they did. Each makes a machine of its own, which carries that one
 * processor. The wire carries messages between them. */
#ifndef KPORT_PORTS_CARRIER_WIRE_H
#define KPORT_PORTS_CARRIER_WIRE_H

#include "kport/machine.h"

#include <stddef.h>
#include <stdint.h>

/* The machine's processor calls these functions, one call at a time. */
struct kp_wire {
    int processor; /* the number of the processor that this machine carries */

    /* `send` and `receive` begin to send and to receive. The caller leaves the bytes alone until
     * `wait` has returned. `wait` puts the number of received bytes into `came`. Messages from one
     * processor to another with the same tag arrive in the order in which they were sent. A message
     * may be sent long before it is received. Of a message longer than `most` the first `most`
     * bytes are received, and `came` is its whole length. Both return 0, or a status with its
     * sentence. */
    int (*send)(struct kp_wire *wire, int to, uint64_t tag, const void *bytes, size_t length);
    int (*receive)(struct kp_wire *wire, int from, uint64_t tag, void *bytes, size_t most,
                   size_t *came);

    /* Waits until all sends and receives are done, and returns 0. Returns KP_ETIMEOUT after
     * `limit_ms` milliseconds (0: no limit). Returns KP_ELOST if an awaited processor is gone, and
     * `why->processor` names that processor. If another processor has given up, returns the status
     * that this processor gave, and `why` is the record that it gave. */
    int (*wait)(struct kp_wire *wire, unsigned limit_ms, kp_error_record *why);

    /* Ends what this processor has begun. All other processors learn why, and their waits end, now
     * and later. This function does not wait. */
    void (*give_up)(struct kp_wire *wire, const kp_error_record *why);
};

#endif
