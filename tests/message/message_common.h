/* The tests of messages with tags share this header: numbered messages of many lengths, whose
 * contents tell who sent them, and as which. */
#ifndef KPORT_TESTS_MESSAGE_COMMON_H
#define KPORT_TESTS_MESSAGE_COMMON_H

#include "tests/common/machine_common.h"

#include <kport.h>

#define MOST_BYTES 20000

/* Lengths on both sides of each way by which messages travel: a slot of a ring, a buffer, the
 * sender's memory. */
static const size_t lengths[] = {0,   1,    8,    39,   40,   41,   64,    100,  255,
                                 256, 1000, 4095, 4096, 4097, 5000, 16384, 20000};
enum {
    LENGTHS = sizeof lengths / sizeof lengths[0]
};

static inline size_t length_of(uint64_t number)
{
    return lengths[number % LENGTHS];
}

/* What message `number` of processor `from` is made from. */
static inline uint64_t key_of(int from, uint64_t number)
{
    return random_of(77, (uint64_t)from, number);
}

static inline int send_numbered(kp_group *group, int to, int tag, int from, uint64_t number)
{
    unsigned char data[MOST_BYTES];
    const size_t bytes = length_of(number);
    fill(data, bytes, key_of(from, number));
    int status = kp_send(group, data, bytes, to, tag);
    memset(data, 0xdd, bytes); /* kport no longer reads it */
    return status;
}

/* Receives message `number` of `from`. Returns WRONG_BYTES if it is another one. */
static inline int receive_numbered(kp_group *group, int source, int tag, int from, uint64_t number)
{
    unsigned char data[MOST_BYTES + 1];
    kp_message_status found;
    memset(data, 0xee, sizeof data);
    int status = kp_receive(group, data, MOST_BYTES, source, tag, &found);
    if (status)
        return status;
    bool right = found.source == from && found.bytes == length_of(number) &&
                 (tag == KP_ANY_TAG || found.tag == tag) &&
                 holds(data, found.bytes, key_of(from, number)) && data[found.bytes] == 0xee;
    return right ? 0 : WRONG_BYTES;
}

#endif
