/* The wires of one process over MPI (carrier/wire.h). wires.c opens and closes them, and wire.c
 * has their functions. remote.c carries messages between processes, and local.c those between
 * processors of this process, which MPI does not see. notices.c carries what processors say beside
 * their messages, and packets.c carries packets. share.c keeps threads on cores.
 *
 * These files use no function of libkport, because they are linked to a shared object of their own
 * for each MPI. They call MPI by its PMPI_ names, so profilers see only the program's own calls.
 *
 * If MPI was initialised with MPI_THREAD_SERIALIZED, a thread takes the process's MPI lock around
 * each call of MPI. With less, the MPI allows only one thread to call it. Locks are taken in this
 * order: the lock of `struct dropping`, the MPI lock, a channel's lock, the lock of `struct
 * process`, a wire's lock. */
#ifndef KPORT_PORTS_MPI_WIRES_H
#define KPORT_PORTS_MPI_WIRES_H

#include "ports/carrier/wire.h"
#include "ports/order.h"

#include <mpi.h>
#include <pthread.h>
#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>

/* A send or receive between two processors of this process. It waits in its channel for its
 * counterpart. */
struct local {
    struct local *next;      /* in the channel */
    struct local *next_own;  /* of the same wire */
    struct wire *owner;      /* NULL: a copy of a short message, in `memory` */
    struct channel *channel; /* NULL: it is done */
    struct kp_wire_message *message;
    bool sends;
    /* Of a copy: its message, whose bytes are in `memory`. */
    struct kp_wire_message own;
    char memory[];
};

/* From one processor to another of this process. The list has sends whose receives have not begun,
 * and receives whose sends have not begun, in the order in which they began. The lock guards the
 * list and all that its entries point to. */
struct channel {
    alignas(64) pthread_mutex_t lock;
    struct local *first, **last;
};

/* A message to or from another process is sent in parts of at most PART_BYTES, because Open MPI 4.1
 * does not receive 2 GiB at once. MPI never gets a message that is longer than its receive: Open
 * MPI 4.1 may write past the end of the receive then, and MPICH may end the program. */
#define PART_BYTES ((size_t)1 << 26)

/* A part of a message, with a request of MPI of its own. */
struct part {
    struct kp_wire_message *message; /* that wants to know its length; NULL: it knows */
    int peer;
};

struct parts {
    MPI_Request *requests;
    struct part *all;
    MPI_Status *statuses;
    int count, room;
    bool any_measured; /* a message wants to know the length that comes */
};

/* A processor tells other processes by this message that it has left, and what it has called. */
struct leaving {
    uint32_t processor, leaves;
    uint64_t packets; /* how many it has posted to this process */
    struct kp_wire_end end;
};

/* A notice to a processor of another process. */
struct told {
    int to;
    struct kp_wire_notice notice;
};

/* The notice that is under way to a process. */
struct telling {
    MPI_Request request;
    struct told told;
};

/* A notice that has come, in a list. */
struct heard {
    struct heard *next;
    struct kp_wire_notice notice;
};

/* After a failure, and at the end, a process receives all messages that nobody here wants any more,
 * so that their senders are done with them, too. This is the one that is being received. */
struct dropping {
    pthread_mutex_t lock;
    MPI_Request message;
    char *bytes;
};

/* A packet on its way, or one that has come. */
struct packet {
    struct packet *next;
    MPI_Request request;
    size_t bytes;
    int from_to[2]; /* the processors; MPI carries it from here */
    char memory[];
};

/* What a process has for packets. */
struct packets {
    pthread_mutex_t lock; /* guards the next three, and the receiving */
    uint64_t *in;         /* by processor: how many have come from it, of another process */
    MPI_Message message;  /* what was found and could not be received for want of memory */
    int length;           /* its length */
    uint64_t *due;        /* how many it had posted when it left last; under the process's lock */
    pthread_mutex_t spare_lock;
    struct packet *spare;
};

struct wire {
    struct kp_wire wire; /* comes first */
    struct process *process;
    struct wire *root;        /* the wire of which this is a branch, or this wire */
    struct wire *next_branch; /* of the root, those in use; then those that are not */
    struct wire *branches, *spare_branches;
    int local;  /* the processor's index within the process */
    bool roams; /* its thread is not kept on the share any more (share.c) */

    /* What goes through MPI. Only the wire's own thread uses these fields. */
    struct parts receives, sends;
    /* If processors do not share the process, the thread keeps the MPI lock from a `begin` into the
     * wait that follows. The stores of a send take long to reach another core, and an instruction
     * that leaves or takes a lock would wait for them. */
    bool holds;
    uint64_t broken_us; /* when it began to cancel because of a failure */
    int64_t looked_ms;  /* when it looked for one before a long message */

    uint32_t leaves;          /* how often this processor has left */
    MPI_Request *notices;     /* the messages that say so to other processes */
    struct leaving *leavings; /* by process */
    struct telling *tellings; /* by process */

    /* What stays in this process. Peers subtract from `pending`, the numbers of receives and of
     * sends that are not done, under the lock. */
    pthread_mutex_t lock;
    pthread_cond_t woken;
    atomic_int pending[2];
    struct local *begun, *spare;

    /* The notices that have come to this processor, guarded by `lock`. `has_heard` says that there
     * are any. */
    struct heard *heard;
    atomic_bool has_heard;

    /* The packets that have come to this processor, guarded by `lock`. `has_come` says that there
     * are any. */
    struct packet *come, *last_come;
    atomic_bool has_come;
    struct packet *taken;                /* the packet that the caller uses */
    struct packet *posted, *last_posted; /* the packets that MPI has not sent yet */
    uint64_t *packets_out;               /* by process: how many it has posted */
    unsigned looks_in_vain;
};

struct process {
    struct kp_wires wires; /* comes first */
    struct kp_wires_host host;
    MPI_Comm comm;
    int rank, size, per_process, threads;
    bool locks;     /* MPI calls are made under the MPI lock */
    bool own_cores; /* this computer has a core for each thread that carries processors */
    struct wires_share *share; /* NULL: the threads of the process are kept nowhere */
    struct wire *own;
    struct kp_wire **pointers;
    int channel_count;
    struct channel *channels; /* from local processor i to j: i * per_process + j */

    /* The first error by which a processor gave up. It does not change after `broken` is set. */
    pthread_mutex_t lock;
    atomic_bool broken;
    bool all_settled; /* at the end: no process has messages under way */
    kp_error_record why;
    /* By processor: how often it has left, as far as is known here, and what it said the last two
     * times, because it may be a run ahead of this process. Written under `lock`. */
    _Atomic uint32_t *leaves;
    struct kp_wire_end (*ends)[2];
    struct dropping dropping;
    struct packets packets;
    int packet_tag;
    MPI_Request *farewells; /* the messages that carry `why` to other processes */
    int farewell_count, farewell_tag;

    char network[MPI_MAX_LIBRARY_VERSION_STRING];
};

/* Returns whether the processor shares this process. */
static inline bool wires_is_local(const struct process *process, int processor)
{
    const int local = processor - process->wires.first;
    return local >= 0 && local < process->per_process;
}

/* The lock around calls of MPI. MPI is one for the process, so all machines have the same lock. */
extern pthread_mutex_t wires_mpi_lock;

/* Takes the MPI lock if one is needed. If not `waits`, returns false if another thread has it. */
static inline bool wires_enter(const struct process *process, bool waits)
{
    if (!process->locks)
        return true;
    return (waits ? pthread_mutex_lock : pthread_mutex_trylock)(&wires_mpi_lock) == 0;
}

static inline void wires_leave(const struct process *process)
{
    if (process->locks)
        pthread_mutex_unlock(&wires_mpi_lock);
}

/* Leaves the MPI lock if the wire's thread has kept it (`holds`). */
static inline void wires_let_go(struct wire *self)
{
    if (self->holds)
        wires_leave(self->process);
    self->holds = false;
}

/* Sets the error of a call of MPI. Returns its status. */
int wires_mpi_error(const struct process *process, const char *call, int code);

/* --- wire.c --- */

extern const struct kp_wire wires_functions;

/* Cancels the messages of a wire, and of its branches. */
void wires_cancel(struct wire *self);

/* Returns whether all that has begun on a wire and its branches is done. */
bool wires_all_done(struct wire *self);

/* Frees the branches of a wire. */
void wires_free_branches(struct wire *self);

/* Frees what a wire, or a branch, has begun with. */
void wires_free(struct wire *self);

/* --- share.c --- */

/* Keeps the threads of this process on its share of the cores, if it has one. `here` has all
 * processes of this computer, and all of them call this. */
void wires_share_make(struct process *process, MPI_Comm here);

void wires_share_free(struct process *process);

/* This function is one of wires (carrier/wire.h). */
int wires_share_cpus(struct kp_wires *wires, unsigned long *set, size_t bytes);

/* Lets the calling thread run anywhere, if the threads are not kept any more. The process has a
 * share. */
void wires_share_leave(struct wire *self);

/* A thread of the process begins a long wait (1), goes on with it (0), or ends it (-1). */
void wires_share_note(struct process *process, int change);

/* --- packets.c --- */

/* These functions are those of a wire (carrier/wire.h). */
int wires_post(struct kp_wire *wire, int to, const struct kp_wire_packet *asked);
int wires_take(struct kp_wire *wire, struct kp_wire_packet *packet, kp_error_record *why);
bool wires_is_gone(struct kp_wire *wire, int processor);

/* Receives the packets that have come to this process. */
void wires_packets_receive(struct process *process);

/* Returns whether all packets have come that a processor had posted to this process when it left.
 */
bool wires_packets_are_in(struct process *process, int processor);

/* Returns whether all packets that this processor has posted are sent. */
bool wires_packets_sent(struct wire *self);

void wires_packets_free(struct process *process);

/* --- notices.c --- */

/* These functions are those of a wire (carrier/wire.h). */
void wires_give_up(struct kp_wire *wire, const kp_error_record *why);
void wires_leave_run(struct kp_wire *wire, const struct kp_wire_end *end);
bool wires_has_ended(struct kp_wire *wire, int processor, uint64_t run, struct kp_wire_end *end);
bool wires_notify(struct kp_wire *wire, int to, const struct kp_wire_notice *notice);
bool wires_hear(struct kp_wire *wire, unsigned limit_us, struct kp_wire_notice *notice);
int wires_await_ends(struct kp_wires *wires, kp_error_record *why);

/* Waits until all messages are done, for at most some seconds. Returns whether they are. */
bool wires_drain(struct process *process);

/* Receives one of the messages that nobody wants any more, or goes on with it. Returns whether
 * there was one. */
bool wires_drop(struct process *process);

/* Looks what other processes have said. */
void wires_look_for_farewell(struct process *process);

/* `wires_is_broken` returns whether a processor has given up. If so, `wires_why_broken` stores why,
 * and returns the status. */
static inline bool wires_is_broken(const struct process *process)
{
    return atomic_load_explicit(&process->broken, KP_ORDER_UNLOCKED);
}
int wires_why_broken(struct process *process, kp_error_record *why);

/* Waits until the messages by which this processor has left are sent. They are so short that MPI
 * sends them at once, whether or not they are received. */
void wires_await_notices(struct wire *self);

/* Returns whether a processor has left the run in which this one is. */
bool wires_has_left(const struct wire *self, int processor);

uint64_t wires_now_us(void);
void wires_sleep_us(unsigned microseconds);

/* --- remote.c: messages between processes --- */

/* Begins messages, also those within the process. This is the function of a wire. */
int wires_begin(struct kp_wire *wire, struct kp_wire_message *receives, int receive_count,
                struct kp_wire_message *sends, int send_count);

/* Makes room for one more part. */
bool wires_make_room(struct parts *parts);

/* Begins to send one short message and to receive another one, and looks once. The process has one
 * processor, and nothing else has begun. Returns 0 if both are done, KP_WIRE_WAITS
 * if not, or the status of an error, which `why` describes. */
int wires_remote_swap(struct wire *self, const struct kp_wire_message *receive,
                      const struct kp_wire_message *send, kp_error_record *why);

/* Looks what is done. If not `waits`, does nothing while another thread has the MPI lock. Returns 0
 * or the status of an error, which `why` describes. */
int wires_remote_test(struct wire *self, enum kp_wire_what what, bool waits, kp_error_record *why);

/* Returns whether all that has begun is done, as far as the last look has seen. */
static inline bool wires_remote_done(const struct wire *self, enum kp_wire_what what)
{
    return self->receives.count == 0 && (what == KP_WIRE_RECEIVES || self->sends.count == 0);
}

/* Returns a processor that this one waits for, or -1. `wires_remote_list` stores at most `most` of
 * them, and returns how many: those whose messages it waits for, and then those that have not
 * received what it sends. A processor may stand there twice. */
int wires_remote_awaited(const struct wire *self);
int wires_remote_list(const struct wire *self, int *processors, int most);

/* Returns a processor that this one waits for and that has left, or -1. */
int wires_remote_lost(const struct wire *self);

/* Cancels the receives. MPI cannot cancel a receive whose message is arriving, and no sends. So
 * these are awaited for a short time. */
void wires_remote_cancel(struct wire *self);

/* --- local.c: messages within the process --- */

/* Begins a send or a receive. */
int wires_local_begin(struct wire *self, struct kp_wire_message *message, bool sends);

/* Returns whether all that has begun is done. If it is, the memory of the messages belongs to the
 * caller again. */
bool wires_local_end(struct wire *self, enum kp_wire_what what);
static inline bool wires_local_done(struct wire *self, enum kp_wire_what what)
{
    return !self->begun || wires_local_end(self, what);
}

/* Returns a processor that this one waits for, or -1. */
int wires_local_awaited(struct wire *self);

/* Returns a processor that this one waits for and that has left, or -1. */
int wires_local_lost(struct wire *self);

void wires_local_cancel(struct wire *self);

/* Frees the short messages of a channel that nobody has received. */
void wires_local_free(struct channel *channel);

/* Sleeps until all that has begun is done, or the time is over. */
void wires_local_sleep(struct wire *self, enum kp_wire_what what, unsigned microseconds);

/* Ends the waits of this process with `why`, now and later. Returns false if they ended before with
 * another error. */
bool wires_break(struct process *process, const kp_error_record *why);

#endif
