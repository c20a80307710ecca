/* This header declares the interface of a wire. A wire carries messages between processors that
 * share no memory. The processors live in different processes, or in threads that act as if they
 * shared no memory. Each processor has a machine of its own, which carries only this processor. */
#ifndef KPORT_PORTS_CARRIER_WIRE_H
#define KPORT_PORTS_CARRIER_WIRE_H

#include "kport/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

    /* Waits until all processors of all processes have left as often as those of this process, for
     * at most a minute. Returns 0, or, if a processor has called `give_up`, the status of the
     * record that it stores in `why`. The processors of this process have left before. */
    int (*await_ends)(struct kp_wires *wires, kp_error_record *why);

    /* Stores, in `bytes` bytes, the set of cores on which the threads of this process should stay,
     * and returns how many they are. Returns 0 if they may run anywhere. It may be NULL. */
    int (*cpus)(struct kp_wires *wires, unsigned long *set, size_t bytes);

    /* Frees the wires. */
    void (*close)(struct kp_wires *wires);
};

/* What libkport gives to a shared object that makes wires. By the version and the lengths of
 * structures the shared object sees whether it was built with this libkport (kp_wires_fit).
 * `set_error` sets the calling thread's error, and returns its status. */
struct kp_wires_host {
    const char *version; /* of kport */
    size_t record_bytes, wire_bytes, wires_bytes, notice_bytes;
    int (*set_error)(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
};

/* A shared object that makes wires exports a function of this type, by the name
 * KP_WIRES_OPEN_NAME. The version is a part of the name. `comm` points to the network's own handle
 * of the processes that take part (MPI: an MPI_Comm); NULL: all processes. Every process gets
 * `per_process` processors, which `threads` threads carry. All these processes call the function,
 * in the same order. It returns 0, or the status of the error that it set. */
typedef int kp_wires_open(const struct kp_wires_host *host, const void *comm, int per_process,
                          int threads, struct kp_wires **wires);
#define KP_WIRES_OPEN_NAME "kp_wires_open_7"

/* A message whose length its receiver does not know is shorter than this. A message that is shorter
 * goes at once, whether or not its receiver waits for it. */
#define KP_WIRE_SHORT 4000

/* With fewer bits a tag cannot tell a call and a length (ports/sync/wired.h). */
#define KP_LEAST_LONE_BITS 24

/* A message to be sent or received. The wire uses the message and its bytes from `begin` to the end
 * of the wait for it. */
struct kp_wire_message {
    int peer;     /* the other processor */
    bool exact;   /* the receiver does not ask for the length of what comes */
    uint64_t tag; /* at most `most_tag`, or one of those after it (`lone_bits`) */
    char *bytes;
    /* At a receiver that does not know the length: KP_WIRE_SHORT. The wait then stores the length,
     * unless the receiver does not ask for it. */
    size_t length;
};

/* What a processor waits for: all messages that it receives, or also those that it sends, or that
 * the wire's `go_on` returns true. */
enum kp_wire_what {
    KP_WIRE_RECEIVES,
    KP_WIRE_ALL,
    KP_WIRE_UNTIL
};

/* A packet is a message that its receiver does not expect. It has any length, in two parts. */
struct kp_wire_packet {
    const void *head, *body; /* of a packet that has come, all bytes are at `head` */
    size_t head_bytes, body_bytes;
};

/* What `test` returns if something is not done. */
#define KP_WIRE_WAITS 1

/* A notice lists at most so many of the processors that its sender waits for. */
#define KP_WIRE_AWAITED 8

/* What a processor says of its call while it waits (ports/fail/watch.c). A wire carries notices
 * without reading them, except `kind` and `processor`. */
struct kp_wire_notice {
    int kind;
    int processor;              /* the processor that says this */
    int round, line, of_all;    /* `of_all`: the call is one of the group of all processors */
    int awaited_count, refused; /* `refused`: this processor refuses the call */
    int awaited[KP_WIRE_AWAITED];
    int64_t waited_ms;
    uint64_t group, position, mark; /* struct kp_wired */
    char call[120], file[64];
};

/* What a processor says of all its calls when it leaves. */
struct kp_wire_end {
    uint64_t runs;     /* the number of its runs so far */
    uint64_t mark;     /* a hash of all its calls in the group of all processors */
    uint64_t groups;   /* the sum of these numbers of all processors is 0 if the calls in all other
                          groups agree */
    uint64_t messages; /* messages with tags: those sent to other processors, less those received;
                          the sum over all processors is the number that nobody has received */
};

/* A wire, as one machine sees it. Only the machine's processor calls the functions, one at a
 * time. The functions after `give_up` may be NULL; those from
 * `test` on only if no member starts a call or sends a message with a tag. */
struct kp_wire {
    int processor;     /* the number of the processor that this machine carries */
    uint64_t most_tag; /* at least 32767 */
    /* The tags after `most_tag` are 2 to this power, which is 0 or at least KP_LEAST_LONE_BITS.
     * They are for messages that are not short (ports/sync/wired.h). 0: there are none. */
    unsigned lone_bits;

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

    /* Begins to receive one message whose length is exact, and to send one, both of at most
     * KP_WIRE_SHORT bytes. Then waits for both as `wait` does. It takes less time than `begin` and
     * `wait`. NULL: the wire has no such way. */
    int (*swap)(struct kp_wire *wire, struct kp_wire_message *receive, struct kp_wire_message *send,
                unsigned limit_ms, kp_error_record *why);

    /* Cancels the sends and receives of this processor, and sends `why` to all other processors.
     * Their waits end with this record, now and later. `give_up` waits for no processor; it may
     * wait for a short time until messages have left the caller's memory. */
    void (*give_up)(struct kp_wire *wire, const kp_error_record *why);

    /* Says that this processor sends and receives nothing more in this run, and what it has called.
     * If another processor still waits for it, that wait ends with KP_ELOST. Every processor leaves
     * once in a run; run r of one processor is a run with run r of every other. NULL: the wire sees
     * without that which processors are gone. */
    void (*leave)(struct kp_wire *wire, const struct kp_wire_end *end);

    /* Returns whether a processor has left `run` (1 is the first run), as far as is known here. If
     * so, stores in `end` what it said when it left that run, or a later one. Any thread may call
     * this. */
    bool (*has_ended)(struct kp_wire *wire, int processor, uint64_t run, struct kp_wire_end *end);

    /* `notify` sends a notice to a processor, and waits for nobody. It returns false, and sends
     * nothing, if an earlier notice may not have been received yet; so few notices are ever under
     * way. `hear` takes the next notice that has come to this processor. If none has, it waits for
     * one, for at most `limit_us` microseconds, and returns false if none comes. A processor that
     * does not listen gets the newest notice of each sender and kind later. */
    bool (*notify)(struct kp_wire *wire, int to, const struct kp_wire_notice *notice);
    bool (*hear)(struct kp_wire *wire, unsigned limit_us, struct kp_wire_notice *notice);

    /* Stores the processors that this one waits for, at most `most`, and returns how many. */
    int (*awaited)(struct kp_wire *wire, int *processors, int most);

    /* Looks whether all that `wait` would wait for is done, and does not wait. Returns 0 if it is,
     * KP_WIRE_WAITS if not, or an error as `wait` does. */
    int (*test)(struct kp_wire *wire, enum kp_wire_what what, kp_error_record *why);

    /* `branch` returns another wire of this processor, or NULL if there is no memory. It has
     * `begin`, `test` and `awaited`, which concern the messages that are begun on it, and nothing
     * else. Its tags are those of the wire. `join` takes back a branch on which nothing is under
     * way, or after a failure. */
    struct kp_wire *(*branch)(struct kp_wire *wire);
    void (*join)(struct kp_wire *wire, struct kp_wire *branch);

    /* `post` sends a packet to another processor, waits for nobody, and is done with the packet's
     * memory. Packets from one processor to another come in the order in which they were posted.
     * Returns 0, or the status of the error that it set. `take` takes the next packet that has come
     * to this processor. `head` is NULL if there is none. The memory of a packet lasts until the
     * next `take`. Returns 0, or an error as `wait` does if a processor has called `give_up`. */
    int (*post)(struct kp_wire *wire, int to, const struct kp_wire_packet *packet);
    int (*take)(struct kp_wire *wire, struct kp_wire_packet *packet, kp_error_record *why);

    /* Returns whether a processor has left the run in which this one is, and all that it has posted
     * to this processor can be taken or has been. False after a call of `give_up`. */
    bool (*is_gone)(struct kp_wire *wire, int processor);

    /* These fields are the machine's. `wait` calls `watch` before it sleeps, after some
     * milliseconds and then about once a millisecond. `waited_ms` is how long it has waited. If
     * `watch` returns a status, `wait` ends with this status and `why`. */
    int (*watch)(struct kp_wire *wire, unsigned waited_ms, kp_error_record *why);
    kp_group *waiting; /* the member in whose call `wait` was called */
    /* If this is not NULL, `wait` calls it in every turn before it rests. It may use branches,
     * `post` and `take`. If it returns true, a wait for KP_WIRE_UNTIL is over. */
    bool (*go_on)(struct kp_wire *wire);
    bool watched; /* `watch` has been called since this was false */
    /* If this is not NULL, the processor is a fiber. `wait` and `hear` call it in every turn before
     * they rest. It lets the other processors of this thread run. `news` says that this processor
     * has done more than to look since its last call. Returns whether another one has, since
     * then; if so, the caller does not rest. */
    bool (*others)(struct kp_wire *wire, bool news);

    /* After a failure: the number of this processor's messages whose memory the network may still
     * use, until the machine is destroyed, and the other processor of one of them. */
    int held, held_with;
};

/* --- Threads that are kept on cores, of one machine (keeping.c) or of several processes --- */

/* With at least this number of threads for each core, they are kept on cores by default. A thread
 * that is kept on a core finds the data of the core's other threads in the cache, and the threads
 * of a core arrive at a barrier together. doc/design.md has the measured gain (special case
 * `kept-on-cores`). With one thread for each core the system itself places the threads well, and it
 * can move a thread whose core another program wants. */
#define KP_THREADS_A_CORE 2

/* Cores may be idle for this time without consequence, in microseconds. */
#define KP_IDLE_PATIENCE_US 10000

/* Returns whether threads are let go whose cores have been idle for so long, in a time of
 * `passed_us` microseconds. */
static inline bool kp_is_idle_too_long(uint64_t idle_us, uint64_t passed_us)
{
    return idle_us > KP_IDLE_PATIENCE_US + passed_us / 8;
}

/* These say what a host is, and whether a shared object was built together with it. */
#define KP_WIRES_HOST(of_version, sets_error)                                                      \
    {                                                                                              \
        .version = (of_version), .record_bytes = sizeof(kp_error_record),                          \
        .wire_bytes = sizeof(struct kp_wire), .wires_bytes = sizeof(struct kp_wires),              \
        .notice_bytes = sizeof(struct kp_wire_notice), .set_error = (sets_error)                   \
    }

/* Returns whether they were. */
static inline bool kp_wires_fit(const struct kp_wires_host *host, const char *version)
{
    return strcmp(host->version, version) == 0 && host->record_bytes == sizeof(kp_error_record) &&
           host->wire_bytes == sizeof(struct kp_wire) &&
           host->wires_bytes == sizeof(struct kp_wires) &&
           host->notice_bytes == sizeof(struct kp_wire_notice);
}

#endif
