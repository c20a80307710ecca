/* Packets of others that lie with a processor until they can go on: a queue for each destination.
 * What was once taken from memory is used again until the end. */
#ifndef KPORT_LIB_ROUTE_PASSAGE_H
#define KPORT_LIB_ROUTE_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At the head of every block of a round. */
struct kp_packet_head {
    int32_t source;      /* whose message it is, or KP_NO_PACKET where the block is empty */
    int32_t destination; /* whom it is for */
    uint32_t number;     /* of the packet in the stream */
    uint32_t bytes;      /* that follow */
};

struct kp_passing;

struct kp_passage {
    struct kp_passing **first, **last; /* n each */
    struct kp_passing *unused;
    size_t packet_bytes;
};

bool kp_passage_begin(struct kp_passage *passage, size_t n, size_t packet_bytes);
void kp_passage_end(struct kp_passage *passage, size_t n);

/* Keeps a copy of a block, head and bytes. False: no memory. */
bool kp_passage_keep(struct kp_passage *passage, const char *block);

/* Writes the oldest block for a destination; there is one. */
void kp_passage_take(struct kp_passage *passage, int32_t destination, char *block);

/* Bytes of the longest packet that is kept. */
size_t kp_passage_longest(const struct kp_passage *passage, size_t n);

#endif
