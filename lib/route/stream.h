/* The messages from one processor to one other, as a stream of bytes.
 *
 * Messages of the same length that follow each other form a run. A run begins with a head of eight
 * bytes, which has the length and the number of the messages. The messages follow. A message of 1,
 * 2 or 4 bytes begins at a multiple of its length, every other message at a multiple of 8. Runs
 * begin at multiples of 8. So small messages cost little more than their bytes, and a message needs
 * no memory of its own. A stream can be cut at any multiple of 8, and the parts can be put together
 * without reading them. */
#ifndef KPORT_LIB_ROUTE_STREAM_H
#define KPORT_LIB_ROUTE_STREAM_H

#include "kport/route.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_RUN_BYTES 8 /* bytes of the head of a run */
#define KP_RUN_MOST  UINT64_C(0xffff)
#define KP_RUN_SHIFT 48 /* the head is length | number << KP_RUN_SHIFT */
#if SIZE_MAX > UINT32_MAX
#define KP_LONGEST ((UINT64_C(1) << KP_RUN_SHIFT) - 8)
#else
#define KP_LONGEST ((uint64_t)SIZE_MAX / 2 - 7) /* no object has more bytes */
#endif

static inline uint64_t kp_rounded_up(uint64_t bytes)
{
    return (bytes + 7) & ~UINT64_C(7);
}

/* Returns the distance from one message of a run to the next. */
static inline uint64_t kp_run_stride(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 ? bytes : kp_rounded_up(bytes);
}

/* The length of a stream, for the messages that have been added so far. */
struct kp_stream {
    uint64_t bytes; /* end of the last message */
    uint64_t last;  /* length of each message of the last run */
    uint64_t run;   /* number of messages in the last run; 0: there is no run */
    uint64_t messages;
    uint64_t payload; /* sum of the messages' lengths */
};

/* Adds a message. Returns false, and changes nothing, if the stream would be longer than
 * KP_LONGEST. */
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

/* Writes a stream, one part at a time. */
struct kp_stream_writer {
    const kp_parcel *parcels;
    const uint32_t *order; /* indices of its messages in `parcels` */
    uint64_t messages;     /* messages that are left, the current one included */
    uint64_t run;          /* messages that are left of the current run */
    uint64_t within;       /* bytes of the current message that are written already */
};

/* Writes the next `bytes` bytes of the stream. `bytes` is a multiple of 8, and the stream has as
 * many bytes left. */
void kp_stream_write(struct kp_stream_writer *writer, char *to, size_t bytes);

/* Sorts the indices of the messages by destination and keeps the order of equal ones. `order` has
 * room for all indices. ends[j] becomes the end of the part of `order` for destination j. */
void kp_stream_sort(const kp_parcel *parcels, size_t count, size_t n,
                    const struct kp_stream *streams, uint32_t *order, size_t *ends);

/* Writes all streams in one pass over the messages. The stream for j goes to
 * places[j].to ... places[j].end - 1 and begins at a multiple of 8. The function stops before a
 * message that is invalid or finds no room. It returns the number of messages that it has written.
 */
struct kp_stream_place {
    char *to, *end;
    uint64_t *head; /* head of the last run, written when the run ends; NULL: no run has begun */
    uint64_t last, run;
    uint64_t messages, payload;
};
size_t kp_stream_write_all(const kp_parcel *parcels, size_t count, size_t n,
                           struct kp_stream_place *places);

#endif
