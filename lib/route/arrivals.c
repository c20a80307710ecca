#include "lib/route/arrivals.h"

#include "lib/route/router.h"
#include "lib/route/stream.h"

#include "ports/port.h"

#include <stdlib.h>
#include <string.h>

struct kp_arrivals_data *kp_arrivals_make(int n, struct kp_spare *spare)
{
    struct kp_arrivals_data *data;
    data = calloc(1, sizeof *data + (size_t)n * sizeof data->streams[0]);
    if (!data)
        return NULL;
    data->n = n;
    data->spare = kp_spare_hold(spare);
    return data;
}

void kp_arrivals_free(struct kp_arrivals_data *data)
{
    if (!data)
        return;
    kp_spare_give(data->spare, data->memory[0]);
    kp_spare_give(data->spare, data->memory[1]);
    kp_spare_release(data->spare);
    free(data);
}

void kp_route_free(kp_arrivals *arrivals)
{
    if (!arrivals)
        return;
    kp_arrivals_free(arrivals->data);
    *arrivals = (kp_arrivals){.data = NULL};
}

/* Moves `arrival` to the next run of messages and returns 1, or returns 0 if there is no further
 * run. A run begins where the run before it ends. After the last run of one source comes the first
 * run of the next source. */
static int next_run(const struct kp_arrivals_data *data, kp_arrival *arrival)
{
    const struct kp_arrived_stream *stream = &data->streams[arrival->source];
    const char *at = arrival->next ? arrival->next : stream->at;
    if (at)
        at += kp_rounded_up((uint64_t)(at - stream->at)) - (uint64_t)(at - stream->at);
    while (!at || at == stream->at + stream->bytes) {
        if (arrival->source + 1 == data->n)
            return 0;
        stream = &data->streams[++arrival->source];
        at = stream->bytes > 0 ? stream->at : NULL;
    }
    uint64_t head;
    memcpy(&head, at, sizeof head);
    arrival->bytes = (size_t)(head & ((UINT64_C(1) << KP_RUN_SHIFT) - 1));
    arrival->left = head >> KP_RUN_SHIFT;
    arrival->next = at + sizeof head;
    return 1;
}

int kp_route_next(const kp_arrivals *arrivals, kp_arrival *arrival)
{
    if (!arrivals || !arrival) {
        kp_set_error(KP_EARGUMENT, "%s is NULL; it must be %s", arrivals ? "arrival" : "arrivals",
                     arrivals ? "a place to go on from" : "what kp_route filled in");
        return 0;
    }
    if (!arrivals->data)
        return 0;
    if (arrival->left == 0 && !next_run(arrivals->data, arrival))
        return 0;
    arrival->data = arrival->next;
    arrival->next += kp_run_stride(arrival->bytes);
    arrival->left--;
    return 1;
}

const char *kp_protocol_name(int i)
{
    const struct kp_protocol *row = kp_protocol_row(i);
    return row ? row->name : NULL;
}

const char *kp_protocol_summary(int i)
{
    const struct kp_protocol *row = kp_protocol_row(i);
    return row ? row->summary : NULL;
}
