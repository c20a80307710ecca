/* How processes that share no memory move what the slots have not carried (remote.h). */
#include "lib/bsp/process.h"
#include "lib/bsp/remote/remote.h"

#include <stdlib.h>
#include <string.h>

/* --- A call with a block for each pair --- */

static int move_by_indexv(struct kp_bsp_process *self, const struct kp_bsp_streams *out,
                          const struct kp_bsp_streams *in)
{
    return kp_indexv(self->group, out->memory, out->rest_bytes, out->rest, in->memory,
                     in->rest_bytes, in->rest, NULL);
}

/* --- A message for each pair that has something --- */

static int start(struct kp_bsp_process *self, const struct kp_bsp_streams *out,
                 const struct kp_bsp_streams *in, kp_request **requests, int *count)
{
    int status = KP_OK;
    const int size = self->team->size;
    for (int pid = 0; pid < size && !status; pid++) {
        if (in->rest_bytes[pid] > 0)
            status = kp_receive_start(self->group, in->memory + in->rest[pid], in->rest_bytes[pid],
                                      pid, 0, NULL, &requests[(*count)++]);
    }
    /* Each begins with the one after it, so that not all send to the same one at once. */
    for (int i = 1; i < size && !status; i++) {
        const int pid = (self->pid + i) % size;
        if (out->rest_bytes[pid] > 0)
            status = kp_send_start(self->group, out->memory + out->rest[pid], out->rest_bytes[pid],
                                   pid, 0, &requests[(*count)++]);
    }
    return status;
}

static int move_by_messages(struct kp_bsp_process *self, const struct kp_bsp_streams *out,
                            const struct kp_bsp_streams *in)
{
    int count = 0;
    kp_request **requests = calloc(2 * (size_t)self->team->size, sizeof *requests);
    int status = requests ? start(self, out, in, requests, &count) : KP_EMEMORY;
    if (!status)
        status = kp_wait_all(count, requests);
    free(requests);
    return status;
}

/* --- Routing --- */

static int move_by_route(struct kp_bsp_process *self, const struct kp_bsp_streams *out,
                         const struct kp_bsp_streams *in)
{
    const int size = self->team->size;
    kp_parcel *parcels = calloc((size_t)size, sizeof *parcels);
    kp_arrivals arrivals = {0};
    kp_arrival arrival = {0};
    size_t count = 0;
    for (int pid = 0; parcels && pid < size; pid++) {
        if (out->rest_bytes[pid] > 0)
            parcels[count++] = (kp_parcel){pid, out->memory + out->rest[pid], out->rest_bytes[pid]};
    }
    const int status =
        parcels ? kp_route(self->group, parcels, count, &arrivals, NULL) : KP_EMEMORY;
    while (!status && kp_route_next(&arrivals, &arrival))
        memcpy(in->memory + in->rest[arrival.source], arrival.data, arrival.bytes);
    kp_route_free(&arrivals);
    free(parcels);
    return status;
}

const struct kp_bsp_way kp_bsp_way_regular = {"indexv", move_by_indexv};
const struct kp_bsp_way kp_bsp_way_irregular = {"messages", move_by_messages};
const struct kp_bsp_way kp_bsp_way_route = {"route", move_by_route};
