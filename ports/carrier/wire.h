/* This header declares the interface of a wire. A wire carries messages between processors that
 * share no memory. The processors live in different processes, or in threads that act as if they
 * shared no memory. Each processor has a machine of its own, which carries only this processor. */
#ifndef KPORT_PORTS_CARRIER_WIRE_H
#define KPORT_PORTS_CARRIER_WIRE_H

#include "kport/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kp_wire;

/* The wires of one process. Each of its processors, `first` ... `first + count - 1`, has a wire. */
struct kp_wires {
    int processors; /* n: the processors of all processes */
    int first, count;
    struct kp_wire *const *wire;
    const char *network; /* what carries the bytes, and its version; valid until `close` */
    double crowd; /* how many processors share a core, on the computer where most do; at least 1 */

    /* Tells all other processes `status`, which says whether this one could make its machines, and
     * `what`, a number that all processes must give alike. Returns 0, or the status of the error
     * that it sets at every process if some process could not or gives another number. All
     * processes call it once, after opening the wires. */
    int (*agree)(struct kp_wires *wires, int status, uint64_t what);

    /* Waits, for a limited time, until no message uses the memory that the machines gave to the
     * wires. All processes call it, after the last use of their wires. Returns false if a message
     * still does, after a failure. The caller then frees neither this memory nor the wires. */
    bool (*settle)(struct kp_wires *wires);

    /* Frees the wires. */
    void (*close)(struct kp_wires *wires);
};

/* What libkport gives to a shared object that makes wires. `set_error` sets the calling thread's
 * error, and returns its status. */
struct kp_wires_host {
    size_t record_bytes; /* sizeof(kp_error_record), by which a wire of another version is seen */
    int (*set_error)(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
};

/* A shared object that makes wires exports a function of this type, by the name
 * KP_WIRES_OPEN_NAME. The version is a part of the name. `comm` points to the network's own handle
 * of the processes that take part (MPI: an MPI_Comm); NULL: all processes. Every process gets
 * `per_process` processors. All these processes call the function, in the same order. It returns 0,
 * or the status of the error that it set. */
typedef int kp_wires_open(const struct kp_wires_host *host, const void *comm, int per_process,
                          struct kp_wires **wires);
#define KP_WIRES_OPEN_NAME "kp_wires_open_2"

/* A message whose length its receiver does not know is shorter than this. */
#define KP_WIRE_SHORT 4000

/* A message to be sent or received. The wire uses the message and its bytes from `begin` to the end
 * of the wait for it. */
struct kp_wire_message {
    int peer;     /* the other processor */
    bool exact;   /* both processors know the length, and both say so */
    uint64_t tag; /* at most `most_tag` */
    char *bytes;
    size_t length; /* KP_WIRE_SHORT at a receiver that does not know it; the wait stores it then */
};

/* What a processor waits for: all messages that it receives, or also those that it sends. */
enum kp_wire_what {
    KP_WIRE_RECEIVES,
    KP_WIRE_ALL
};

/* A wire, as one machine sees it. Only the machine's processor calls the functions, one at a
 * time. */
struct kp_wire {
    int processor;     /* the number of the processor that this machine carries */
    uint64_t most_tag; /* at least 32767 */

    /* Begins to receive and to send messages. Messages from one processor to another with the same
     * tag arrive in the order in which they were sent. A message may be sent before its receiver
     * expects it. Returns 0, or the status of the error that it set (ports/error.h). */
    int (*begin)(struct kp_wire *wire, struct kp_wire_message *receives, int receive_count,
                 struct kp_wire_message *sends, int send_count);

    /* Waits until all receives that were begun are done, or all receives and sends. Returns 0.
     * Returns KP_ETIMEOUT after `limit_ms` milliseconds (0: no limit). Returns KP_ELOST if an
     * awaited processor is gone, and stores that processor's number in `why->processor`. If another
     * processor has called `give_up`, stores the record that the other processor gave in `why`, and
     * returns the record's status. */
    int (*wait)(struct kp_wire *wire, enum kp_wire_what what, unsigned limit_ms,
                kp_error_record *why);

    /* Cancels the sends and receives of this processor, and sends `why` to all other processors.
     * Their waits end with this record, now and later. `give_up` waits for no processor; it may
     * wait for a short time until messages have left the caller's memory. */
    void (*give_up)(struct kp_wire *wire, const kp_error_record *why);

    /* Says that this processor sends and receives nothing more in this run. If another processor
     * still waits for it, that wait ends with KP_ELOST. Every processor leaves once in a run. NULL:
     * the wire sees without that which processors are gone. */
    void (*leave)(struct kp_wire *wire);
};

#endif
