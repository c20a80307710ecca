/* A passage has the packets for other processors that a processor holds until it can send them on.
 * It has a queue for each destination. The memory of a packet that has left is used again for later
 * packets. */
#ifndef KPORT_LIB_ROUTE_PASSAGE_H
#define KPORT_LIB_ROUTE_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The head of a block. In a round each processor sends a block to each processor. A block has room
 * for one packet. */
struct kp_packet_head {
    int32_t source;      /* the rank of the message's sender; KP_NO_PACKET: the block is empty */
    int32_t destination; /* the rank of the message's receiver */
    uint32_t number;     /* the packet's number in its stream, from 0 */
    uint32_t bytes;      /* the number of the packet's bytes, which follow the head */
};

struct kp_passing;

struct kp_passage {
    struct kp_passing **first, **last; /* one queue for each destination */
    struct kp_passing *unused;
    size_t packet_bytes;
};

bool kp_passage_begin(struct kp_passage *passage, size_t n, size_t packet_bytes);
void kp_passage_end(struct kp_passage *passage, size_t n);

/* Copies the block's head and its packet to the end of the queue of the packet's destination.
 * Returns false if there is no memory. */
bool kp_passage_keep(struct kp_passage *passage, const char *block);

/* Removes the oldest packet from the queue of a destination and writes it to `block`, with its
 * head. The queue must not be empty. */
void kp_passage_take(struct kp_passage *passage, int32_t destination, char *block);

/* Returns the length in bytes of the longest packet in the queues. */
size_t kp_passage_longest(const struct kp_passage *passage, size_t n);

#endif
