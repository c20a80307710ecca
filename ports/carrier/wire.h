/* Messages between processors that share no memory: what a machine is made over whose processors
 * live in different processes, or in threads that act so. Each of them makes a machine of its own,
 * of which it carries one processor; the wire brings their messages together. */
#ifndef KPORT_PORTS_CARRIER_WIRE_H
#define KPORT_PORTS_CARRIER_WIRE_H

#include "kport/machine.h"

#include <stddef.h>
#include <stdint.h>

/* Called by the processor that the machine carries, one call at a time. */
struct kp_wire {
    int processor; /* which one this is */

    /* Begin to send and to receive; the bytes stay where they are until `wait` is over, which says
     * in `came` how many have come. Messages from one processor to another with the same tag come
     * in the order in which they were sent, however long before they are asked for. A message that
     * is longer than `most` is received up to there; `came` is its whole length. 0, or a status
     * with its sentence. */
    int (*send)(struct kp_wire *wire, int to, uint64_t tag, const void *bytes, size_t length);
    int (*receive)(struct kp_wire *wire, int from, uint64_t tag, void *bytes, size_t most,
                   size_t *came);

    /* Until all that was begun is done. Else KP_ETIMEOUT after so many milliseconds (0: none), or
     * KP_ELOST if who is waited for is gone, whom `why->processor` names; or the status that
     * another has given up with: then `why` is what that one said. */
    int (*wait)(struct kp_wire *wire, unsigned limit_ms, kp_error_record *why);

    /* This processor goes no further in what it has begun: all others are told why, and their waits
     * end, now and later. Waits for nobody. */
    void (*give_up)(struct kp_wire *wire, const kp_error_record *why);
};

#endif
