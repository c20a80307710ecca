/* What a wire over sockets consists of (socket_wire.c). */
#ifndef KPORT_TESTS_SOCKET_WIRE_DATA_H
#define KPORT_TESTS_SOCKET_WIRE_DATA_H

#include "tests/common/socket_wire.h"

struct head {
    uint64_t tag, length;
};

/* A message on a socket: a head, and a body of `length` bytes. The frame has arrived or is being
 * sent. */
struct frame {
    struct frame *next;
    struct head head;
    /* The bytes sent so far, of head and body. In a frame that is arriving: the bytes of the body
     * received so far. */
    size_t done;
    const char *body;
    int *unsent;   /* counts the frames of a wire whose bodies are the caller's, or NULL */
    char memory[]; /* the body, if the frame has its own copy of it */
};

struct receive {
    struct kp_wire_message *message;
    unsigned order; /* how many were begun before it, on any branch */
    bool done;
};

struct peer {
    int fd;
    bool gone;
    struct frame *coming; /* the frame whose body is arriving; NULL: none */
    struct head head;
    size_t head_done;
    struct frame *first, **last; /* the frames that have arrived and were not yet asked for */
    struct frame *first_out, **last_out; /* the frames that are still to be sent */
};

/* A wire, or a branch of one. */
struct branch {
    struct kp_wire wire;
    struct sockets *sockets;
    struct receive *receives;
    int receive_count, receive_room;
    int unsent;
    struct branch *next;
};

struct sockets {
    struct branch root; /* comes first */
    int n;
    struct peer *peers;
    struct pollfd *polled;
    struct branch *branches;
    struct frame *taken; /* the packet that the caller uses */
    unsigned came;       /* how many frames have come */
    unsigned begun;      /* how many receives were begun */
    bool broken;
    kp_error_record why;
};

#endif
