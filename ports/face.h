/* What the library of MPI's functions (lib/mpi/) needs of kport beyond the public headers. It is a
 * shared object of its own, so libkport exports these functions; but they are no part of kport's
 * interface, and may change with every version. */
#ifndef KPORT_PORTS_FACE_H
#define KPORT_PORTS_FACE_H

#include "kport/group.h"
#include "kport/message.h"
#include "kport/request.h"
#include "ports/port.h"
#include "ports/self.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_FACE __attribute__((visibility("default")))

/* --- Processors --- */

/* Every processor has a pointer for the layer above, which is NULL at first. `kp_face_data` returns
 * that of the processor which the calling thread or fiber carries; NULL if it carries none.
 * `kp_face_set_data` sets that of `self`; the processor's own thread calls it. */
static inline void *kp_face_data(void)
{
    return kp_self.carried ? *(void **)kp_self.carried : NULL; /* its first field */
}

KP_FACE void kp_face_set_data(kp_proc *self, void *data);

/* Makes the calling thread carry `self` (NULL: no processor), and returns what it carried before.
 * So one thread of a program hands its processor on to another. The caller sees to it that no two
 * threads use a processor at the same time, and that what the one has written is visible to the
 * other. Not for fibers. */
KP_FACE kp_proc *kp_face_carry(kp_proc *self);

/* Returns whether the processor's program is in a call of kport. Any thread may ask. */
KP_FACE bool kp_face_is_inside(const kp_proc *self);

/* Lets other fibers of the caller's worker run, for at least this time or until each of them has
 * had a turn. `kp_face_sleep` returns how much of the time the caller has still to sleep by a
 * function of the system: all of it if no fiber calls, or if it is in a call of kport. A processor
 * that sleeps does not wait for another one, so there is no deadlock meanwhile. `kp_face_yield`
 * returns whether other fibers could run. */
KP_FACE uint64_t kp_face_sleep(uint64_t nanoseconds);
KP_FACE bool kp_face_yield(void);

/* --- Processes of an MPI --- */

/* Returns whether mpirun has started this process, or the user says so (KPORT_MPI). */
KP_FACE bool kp_face_is_under_mpirun(void);

/* Does what kp_port_started_by_mpirun does. */
KP_FACE int kp_face_started_by_mpirun(void);

/* Returns the number of the first processor of this process. */
KP_FACE int kp_face_first_processor(const kp_machine *machine);

/* --- Messages --- */

struct kp_link;
struct kp_message;

/* A message to send. */
struct kp_outgoing_message {
    const void *data;
    size_t bytes;
    int to, tag;
    bool synchronous;      /* the send ends only when a receive takes the message */
    uint32_t note;         /* 24 bits, which the receiver gets */
    struct kp_typed typed; /* how the data lie (kp_face_typed); all zero: in one piece */
    /* The call sets the rest, which is for ports/message. */
    struct kp_site site;
    struct kp_link *link;       /* the ring; NULL: the message goes without one */
    bool posted;                /* it is on its way */
    int status;                 /* of kp_link_post, once it is posted */
    struct kp_message *offered; /* not NULL: the message stays in the sender's memory */
};

/* What a receiver learns of a message. */
struct kp_envelope {
    int source, tag;
    uint32_t note;
    bool kept; /* it was there before the call that has started the receive */
    size_t bytes;
    struct kp_site site; /* where it was sent */
};

/* A message to receive. */
struct kp_incoming_message {
    void *data;
    size_t bytes; /* of the room there */
    int from, tag;
    struct kp_typed typed;     /* how the data are to lie; all zero: in one piece */
    struct kp_envelope *found; /* where the message is described; may be NULL */
    kp_message_status *status; /* the same for callers of kp_receive; may be NULL */
};

/* These two functions do what kp_send and kp_receive do. If `request` is not NULL, they do what
 * kp_send_start and kp_receive_start do; but what ends at once without an error has no request, so
 * `*request` becomes NULL. `message` is not used after the call. */
KP_FACE int kp_face_send(kp_group *group, struct kp_outgoing_message *message,
                         kp_request **request);
KP_FACE int kp_face_receive(kp_group *group, const struct kp_incoming_message *message,
                            kp_request **request);

/* Returns whether a request of the caller's processor has ended, and lets none go on. The next
 * kp_test or kp_wait says how it has ended. */
KP_FACE bool kp_face_has_ended(const kp_request *request);

/* The same of a request that has not ended, but would if it went on now. */
KP_FACE bool kp_face_can_end(const kp_request *request);

/* Describes a request of the caller's processor that has not ended, as in a report of a deadlock.
 * Returns the processor for which it waits, or -1 if that is any member of the group. */
KP_FACE int kp_face_describe(const kp_request *request, char *text, size_t size);

/* Ends a request of these two functions as kp_wait does, if it has ended already and without an
 * error: then `*request` becomes NULL. Otherwise returns false. */
KP_FACE bool kp_face_take_ended(kp_request **request);

/* Ends a request of one of these two functions, if nobody has begun to take the message, or if no
 * message has come: then `*cancelled` becomes true, and `*request` NULL. Otherwise the request goes
 * on. */
KP_FACE int kp_face_cancel(kp_request **request, bool *cancelled);

/* Makes a group that has started no request carry one request of a collective call at a time. That
 * takes less memory. All members call it. */
KP_FACE void kp_face_one_lane(kp_group *group);

/* Starts a request that ends when kp_face_general_end is called for it, by any thread that belongs
 * to the processor. Reports describe it by `words`, which exist for ever. */
KP_FACE int kp_face_general_start(kp_group *group, const char *words, kp_request **request);
KP_FACE void kp_face_general_end(kp_request *request);

/* Has descriptions of the caller's messages call rank `first` rank 0, and the next one rank 1. */
KP_FACE void kp_face_name_ranks_from(kp_group *group, int first);

/* Finds a message to the caller that nobody has received, and takes none. */
KP_FACE bool kp_face_find_left(const kp_group *group, struct kp_envelope *left);

#endif
