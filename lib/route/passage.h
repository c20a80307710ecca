/* The packets of other processors that a processor holds until it can send them on. There is a
 * queue for each destination. The memory of a packet that has left serves later packets. */
#ifndef KPORT_LIB_ROUTE_PASSAGE_H
#define KPORT_LIB_ROUTE_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The head of every block of a round. */
struct kp_packet_head {
    int32_t source;      /* rank of the message's sender; KP_NO_PACKET: the block is empty */
    int32_t destination; /* rank of the receiver of the message */
    uint32_t number;     /* the packet's number in its stream */
    uint32_t bytes;      /* bytes of the packet, which follow the head */
};

struct kp_passing;

struct kp_passage {
    struct kp_passing **first, **last; /* queues, one for each destination */
    struct kp_passing *unused;
    size_t packet_bytes;
};

bool kp_passage_begin(struct kp_passage *passage, size_t n, size_t packet_bytes);
void kp_passage_end(struct kp_passage *passage, size_t n);

/* Appends a copy of the block, head and bytes, to the queue of its destination. Returns false if
 * there is no memory. */
bool kp_passage_keep(struct kp_passage *passage, const char *block);

/* Removes the oldest block from the queue of a destination and writes it to `block`. The queue must
 * not be empty. */
void kp_passage_take(struct kp_passage *passage, int32_t destination, char *block);

/* Returns the bytes of the longest packet in the queues. */
size_t kp_passage_longest(const struct kp_passage *passage, size_t n);

#endif
