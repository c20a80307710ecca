#include "lib/route/stream.h"

#include <string.h>

/* --- Writing one stream in several parts --- */

/* Returns the number of successive messages of the same length, from the current message on. */
static uint64_t run_ahead(const struct kp_stream_writer *w)
{
    uint64_t most = w->messages < KP_RUN_MOST ? w->messages : KP_RUN_MOST, run = 1;
    size_t bytes = w->parcels[w->order[0]].bytes;
    while (run < most && w->parcels[w->order[run]].bytes == bytes)
        run++;
    return run;
}

static void skip(struct kp_stream_writer *w, uint64_t messages)
{
    w->order += messages;
    w->messages -= messages;
    w->run -= messages;
}

/* Writes the next bytes of the current message and of the padding behind it, at most `room` bytes.
 * Returns the number of bytes written. */
static size_t write_part(struct kp_stream_writer *w, char *to, size_t room)
{
    const kp_parcel *parcel = &w->parcels[w->order[0]];
    size_t stride = kp_run_stride(parcel->bytes), left = stride - w->within;
    size_t part = left < room ? left : room, data = 0;
    if (parcel->bytes > w->within) {
        data = parcel->bytes - w->within < part ? parcel->bytes - w->within : part;
        memcpy(to, (const char *)parcel->data + w->within, data);
    }
    memset(to + data, 0, part - data);
    w->within += part;
    if (w->within == stride) {
        w->within = 0;
        skip(w, 1);
    }
    return part;
}

void kp_stream_write(struct kp_stream_writer *w, char *to, size_t bytes)
{
    size_t at = 0;
    while (at < bytes) {
        if (w->run == 0 && at % 8 != 0) {
            to[at++] = 0;
            continue;
        }
        if (w->run == 0) {
            w->run = run_ahead(w);
            uint64_t length = w->parcels[w->order[0]].bytes, head = length | w->run << KP_RUN_SHIFT;
            memcpy(to + at, &head, sizeof head);
            at += sizeof head;
            if (length == 0)
                skip(w, w->run);
            continue;
        }
        at += write_part(w, to + at, bytes - at);
    }
}

void kp_stream_sort(const kp_parcel *parcels, size_t count, size_t n,
                    const struct kp_stream *streams, uint32_t *order, size_t *ends)
{
    size_t at = 0;
    for (size_t j = 0; j < n; j++) {
        ends[j] = at;
        at += streams[j].messages;
    }
    for (size_t i = 0; i < count; i++)
        order[ends[parcels[i].to]++] = (uint32_t)i;
}

/* --- Writing all streams in one pass --- */

static void end_run(struct kp_stream_target *target)
{
    if (target->head)
        *target->head = target->last | target->run << KP_RUN_SHIFT;
    while ((uintptr_t)target->to % 8 != 0)
        *target->to++ = 0;
}

/* Begins a new run of messages. Returns false if there is no room for its head and one message. */
static bool begin_run(struct kp_stream_target *target, uint64_t bytes, uint64_t stride)
{
    end_run(target);
    if (stride + KP_RUN_BYTES > (uint64_t)(target->end - target->to))
        return false;
    target->head = (uint64_t *)(void *)target->to;
    target->last = bytes;
    target->run = 0;
    target->to += KP_RUN_BYTES;
    return true;
}

static bool write_one(struct kp_stream_target *target, const kp_parcel *parcel)
{
    uint64_t bytes = parcel->bytes, stride = kp_run_stride(bytes);
    if (bytes > KP_LONGEST || (!parcel->data && bytes > 0))
        return false;
    if (!target->head || target->last != bytes || target->run == KP_RUN_MOST) {
        if (!begin_run(target, bytes, stride))
            return false;
    } else if (stride > (uint64_t)(target->end - target->to)) {
        return false;
    }
    if (bytes > 0)
        memcpy(target->to, parcel->data, bytes);
    memset(target->to + bytes, 0, stride - bytes);
    target->to += stride;
    target->run++;
    return true;
}

size_t kp_stream_write_all(const kp_parcel *parcels, size_t count, size_t n,
                           struct kp_stream_target *targets)
{
    size_t i = 0;
    for (; i < count; i++) {
        const kp_parcel *parcel = &parcels[i];
        if (parcel->to < 0 || (size_t)parcel->to >= n)
            break;
        struct kp_stream_target *target = &targets[parcel->to];
        /* Most often a message of 8 bytes follows another one in the same stream. This case has a
         * short path of its own. */
        if (parcel->bytes == 8 && target->last == 8 && target->run - 1 < KP_RUN_MOST - 1 &&
            target->end - target->to >= 8 && parcel->data) {
            memcpy(target->to, parcel->data, 8);
            target->to += 8;
            target->run++;
        } else if (!write_one(target, parcel)) {
            break;
        }
        target->messages++;
        target->payload += parcel->bytes;
    }
    for (size_t j = 0; j < n; j++)
        end_run(&targets[j]);
    return i;
}
