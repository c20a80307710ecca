/* The messages from one processor to one other as a stream of bytes.
 *
 * Messages of the same length that follow each other are a run: eight bytes that say how long and
 * how many, then the messages, each at a multiple of 8, or of its length where that is 1, 2 or 4.
 * Runs begin at multiples of 8. So small messages cost little more than their bytes, nothing is
 * kept for a message, and a stream may be cut at any multiple of 8 and put together again without
 * looking into it. */
#ifndef KPORT_LIB_ROUTE_STREAM_H
#define KPORT_LIB_ROUTE_STREAM_H

#include "kport/route.h"

#include <stdbool.h>
#include <stdint.h>

#define KP_RUN_BYTES 8 /* of what stands before a run */
#define KP_RUN_MOST  UINT64_C(0xffff)
#define KP_RUN_SHIFT 48 /* the number stands above the length */
#if SIZE_MAX > UINT32_MAX
#define KP_LONGEST ((UINT64_C(1) << KP_RUN_SHIFT) - 8)
#else
#define KP_LONGEST ((uint64_t)SIZE_MAX / 2 - 7) /* of no object there are more bytes */
#endif

static inline uint64_t kp_rounded_up(uint64_t bytes)
{
    return (bytes + 7) & ~UINT64_C(7);
}

/* From one message of a run to the next. */
static inline uint64_t kp_run_stride(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 ? bytes : kp_rounded_up(bytes);
}

/* How long a stream is, as far as its messages are known. */
struct kp_stream {
    uint64_t bytes; /* up to the end of the last message */
    uint64_t last;  /* length of the messages of the last run */
    uint64_t run;   /* how many it has; 0: there is none */
    uint64_t messages;
    uint64_t payload; /* bytes of the messages alone */
};

/* One message more. Streams that get longer than KP_LONGEST stay as they are: false. */
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

/* Writes streams out, a part at a time. */
struct kp_stream_writer {
    const kp_parcel *parcels;
    const uint32_t *order; /* its messages, by their places in `parcels` */
    uint64_t messages;     /* how many are left, the current one included */
    uint64_t run;          /* left of the run */
    uint64_t within;       /* bytes of the current message that are written */
};

/* Writes the next `bytes` bytes, a multiple of 8, of which there are so many. */
void kp_stream_write(struct kp_stream_writer *writer, char *to, size_t bytes);

/* Sorts messages by destination, stable: `order` has room for all, `ends` becomes the end of each
 * destination's part. */
void kp_stream_sort(const kp_parcel *parcels, size_t count, size_t n,
                    const struct kp_stream *streams, uint32_t *order, size_t *ends);

/* Writes all streams in one pass over the messages: that for j to places[j].to ... end - 1, which
 * begins at a multiple of 8. Ends before a message that cannot be, or finds no room; so many
 * messages were written. */
struct kp_stream_place {
    char *to, *end;
    uint64_t *head; /* of the last run, to be filled in when it ends; NULL: none has begun */
    uint64_t last, run;
    uint64_t messages, payload;
};
size_t kp_stream_write_all(const kp_parcel *parcels, size_t count, size_t n,
                           struct kp_stream_place *places);

#endif
