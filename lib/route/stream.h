/* A stream has all messages from one processor to another one, as a sequence of bytes.
 *
 * Successive messages of the same length form a run. A run begins at a multiple of 8 bytes with a
 * head of eight bytes. The head has the length of the messages and their number. The messages
 * follow the head. A message of 1, 2 or 4 bytes begins at a multiple of its length, and every other
 * message at a multiple of 8. So a small message costs little more than its own bytes, and no
 * message needs memory of its own. A stream can be cut into parts at any multiple of 8. The
 * receiver can put the parts together without reading them. */
#ifndef KPORT_LIB_ROUTE_STREAM_H
#define KPORT_LIB_ROUTE_STREAM_H

#include "kport/route.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_RUN_BYTES 8 /* the bytes of a run's head */
#define KP_RUN_MOST  UINT64_C(0xffff)
#define KP_RUN_SHIFT 48 /* a run's head is length | number << KP_RUN_SHIFT */
#if SIZE_MAX > UINT32_MAX
#define KP_LONGEST ((UINT64_C(1) << KP_RUN_SHIFT) - 8)
#else
#define KP_LONGEST ((uint64_t)SIZE_MAX / 2 - 7) /* no object in memory has more bytes */
#endif

static inline uint64_t kp_rounded_up(uint64_t bytes)
{
    return (bytes + 7) & ~UINT64_C(7);
}

/* Returns the distance in bytes from one message of a run to the next, if messages have `bytes`
 * bytes. */
static inline uint64_t kp_run_stride(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 ? bytes : kp_rounded_up(bytes);
}

/* The length of a stream, counted while messages are added to it. */
struct kp_stream {
    uint64_t bytes; /* the end of the last message */
    /* The last run, that is, the last series of equally long messages: `last` is the length of each
     * of these messages, and `run` is their number. If `run` is 0, there is no run yet. */
    uint64_t last;
    uint64_t run;
    uint64_t messages;
    uint64_t payload; /* the sum of all messages' lengths */
};

/* Adds a message of `bytes` bytes. If the stream would then be longer than KP_LONGEST, changes
 * nothing and returns false. */
static inline bool kp_stream_add(struct kp_stream *stream, uint64_t bytes)
{
    uint64_t stride = kp_run_stride(bytes);
    if (bytes > KP_LONGEST - 16 || stream->bytes > KP_LONGEST - 16 - stride)
        return false;
    if (stream->run == 0 || stream->last != bytes || stream->run == KP_RUN_MOST) {
        stream->bytes = kp_rounded_up(stream->bytes) + KP_RUN_BYTES;
        stream->last = bytes;
        stream->run = 0;
    }
    stream->run++;
    stream->messages++;
    stream->payload += bytes;
    stream->bytes += stride;
    return true;
}

/* The state of writing one stream part by part. */
struct kp_stream_writer {
    const kp_parcel *parcels;
    /* The indices of the stream's messages in `parcels`, from the current message on. */
    const uint32_t *order;
    uint64_t messages; /* the number of messages left, including the current message */
    uint64_t run;      /* the number of messages left in the current run */
    uint64_t within;   /* the number of bytes of the current message that have been written */
};

/* Writes the next `bytes` bytes of the stream to `to`. `bytes` is a multiple of 8 and at most the
 * number of bytes that the stream has left. */
void kp_stream_write(struct kp_stream_writer *writer, char *to, size_t bytes);

/* Writes the indices of the messages to `order`, sorted by destination. Messages for the same
 * destination keep their order. `order` has room for `count` indices. In `order`, the indices for
 * destination j end just before position ends[j]. */
void kp_stream_sort(const kp_parcel *parcels, size_t count, size_t n,
                    const struct kp_stream *streams, uint32_t *order, size_t *ends);

/* `kp_stream_write_all` writes all streams in one pass over the messages. The stream for processor
 * j begins at targets[j].to, a multiple of 8, and has room up to targets[j].end. If a message is
 * invalid or has no room, the function stops before it. Returns the number of messages written. */
struct kp_stream_target {
    char *to, *end;
    /* The head of the last run, which is written when the run ends; NULL: no run yet. */
    uint64_t *head;
    uint64_t last, run;
    uint64_t messages, payload;
};
size_t kp_stream_write_all(const kp_parcel *parcels, size_t count, size_t n,
                           struct kp_stream_target *targets);

#endif
