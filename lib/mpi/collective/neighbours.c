/* Neighbourhood collectives: each is a receive from every source and a send to every target of the
 * topology, in the communicator's context for the library's own messages. */
#include "lib/mpi/neighbours.h"

#include "lib/mpi/check/places.h"
#include "lib/mpi/topology.h"

#include <stdlib.h>

/* The messages of a call: the receives, then the sends. */
struct kp_mpi_neighbours {
    int count;
    struct kp_mpi_message_args message[]; /* each holds its type */
};

struct kp_mpi_neighbours *kp_mpi_neighbours_new(size_t most)
{
    struct kp_mpi_neighbours *made = malloc(sizeof *made + most * sizeof made->message[0]);
    if (made)
        made->count = 0;
    return made;
}

int kp_mpi_neighbours_count(const struct kp_mpi_neighbours *neighbours)
{
    return neighbours->count;
}

struct kp_mpi_message_args *kp_mpi_neighbours_next(struct kp_mpi_neighbours *neighbours)
{
    return &neighbours->message[neighbours->count];
}

void kp_mpi_neighbours_add(struct kp_mpi_neighbours *neighbours)
{
    neighbours->count++;
}

void kp_mpi_neighbours_free(struct kp_mpi_neighbours *neighbours)
{
    for (int i = 0; i < neighbours->count; i++)
        kp_mpi_type_release(neighbours->message[i].type);
    free(neighbours);
}

/* --- Messages --- */

/* Which of the five neighbourhood collectives a call is. */
static int what_of(const struct kp_mpi_neighbour_call *call)
{
    return call->out.shared | !!call->in.counts.values << 1 | !!call->in.types << 2;
}

/* On a grid, what goes up in a dimension comes from below, also if both neighbours there are the
 * same rank. Neighbours 2 i and 2 i + 1 are the lower and the upper one of dimension i. In a graph
 * the messages of two neighbours that are the same rank match in their order. */
static int tag_of(const struct kp_mpi_topology *topology, int what, int i, bool receives)
{
    return KP_MPI_OWN_TAG(what, topology->kind != MPI_CART ? 0 : receives ? i : i ^ 1);
}

/* The rest of a tag: calls that wait, requests and persistent ones do not match; in a strict job
 * calls do not match either that have another place in the order of the communicator's collectives.
 */
static int rest_of_tag(const struct kp_mpi_rank *self, const struct kp_mpi_request *request,
                       bool waits)
{
    const int form = request->persistent ? 2 : waits;
    const bool ordered = self->world->job->strict && !request->persistent;
    return KP_MPI_OWN_TAG_FORM(form) | KP_MPI_OWN_TAG_ORDER(ordered ? request->comm->calls : 0);
}

static ptrdiff_t place_of(const struct kp_mpi_neighbour_side *side, const struct kp_mpi_type *type,
                          int i)
{
    if (side->places)
        return side->places[i];
    if (side->counts.values)
        return (ptrdiff_t)kp_mpi_list_at(side->displacements, i) * type->extent;
    return side->shared ? 0 : (ptrdiff_t)(i * side->count) * type->extent;
}

static int add_message(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                       const struct kp_mpi_neighbour_side *side, int what, int i, bool receives,
                       struct kp_mpi_neighbours *to)
{
    const struct kp_mpi_topology *topology = comm->topology;
    const MPI_Count count = side->counts.values ? kp_mpi_list_at(side->counts, i) : side->count;
    struct kp_mpi_type *type;
    const int error = kp_mpi_check_data(self, comm, side->buffer, count,
                                        side->types ? side->types[i] : side->type, &type);
    if (error)
        return error;
    kp_mpi_type_hold(type);
    to->message[to->count++] =
        (struct kp_mpi_message_args){.receives = receives,
                                     .mode = KP_MPI_STANDARD,
                                     .buffer = (char *)side->buffer + place_of(side, type, i),
                                     .count = (size_t)count,
                                     .type = type,
                                     .peer = (receives ? topology->sources : topology->targets)[i],
                                     .tag = tag_of(topology, what, i, receives)};
    return MPI_SUCCESS;
}

static int check_side(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                      const struct kp_mpi_neighbour_side *side)
{
    if (side->buffer == MPI_IN_PLACE)
        return kp_mpi_fail(self, comm, MPI_ERR_BUFFER,
                           "a buffer is MPI_IN_PLACE, which neighbourhood collectives do not know");
    return MPI_SUCCESS;
}

static int make_messages(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                         const struct kp_mpi_neighbour_call *call, struct kp_mpi_neighbours **made)
{
    const struct kp_mpi_topology *topology = comm->topology;
    if (!topology)
        return kp_mpi_no_topology(self, comm, "topology");
    int error = check_side(self, comm, &call->out);
    if (!error)
        error = check_side(self, comm, &call->in);
    if (error)
        return error;
    const size_t count = (size_t)topology->source_count + (size_t)topology->target_count;
    *made = kp_mpi_neighbours_new(count);
    if (!*made)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for messages to neighbours");
    for (int i = 0; i < topology->source_count && !error; i++)
        error = add_message(self, comm, &call->in, what_of(call), i, true, *made);
    for (int i = 0; i < topology->target_count && !error; i++)
        error = add_message(self, comm, &call->out, what_of(call), i, false, *made);
    if (error)
        kp_mpi_neighbours_free(*made);
    return error;
}

/* --- Requests --- */

static int make(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                const struct kp_mpi_neighbour_call *call, struct kp_mpi_request **made)
{
    struct kp_mpi_neighbours *neighbours = NULL;
    const int error = make_messages(self, comm, call, &neighbours);
    if (error)
        return error;
    *made = kp_mpi_request_make(self, comm, neighbours->count > 0 ? neighbours->count : 1);
    if (*made) {
        (*made)->neighbours = neighbours;
        return MPI_SUCCESS;
    }
    kp_mpi_neighbours_free(neighbours);
    return MPI_ERR_NO_MEM;
}

/* What the messages of one direction read or write, if it is in one piece; or if they all have the
 * same. */
static struct kp_mpi_span span_of(const struct kp_mpi_neighbours *neighbours, bool receives)
{
    const char *from = NULL, *to = NULL;
    size_t sum = 0, most = 0;
    for (int i = 0; i < neighbours->count; i++) {
        const struct kp_mpi_message_args *message = &neighbours->message[i];
        const char *at = message->buffer;
        const size_t bytes = message->type->size * message->count;
        if (message->receives != receives || message->peer == MPI_PROC_NULL || bytes == 0)
            continue;
        if (!message->type->dense)
            return (struct kp_mpi_span){0};
        from = !from || at < from ? at : from;
        to = !to || at + bytes > to ? at + bytes : to;
        most = bytes > most ? bytes : most;
        sum += bytes;
    }
    const size_t all = (size_t)(to - from);
    return (struct kp_mpi_span){from, sum == all || most == all ? all : 0};
}

/* A message that cannot be started ends with its error when the request is waited for. */
static void start(struct kp_mpi_rank *self, struct kp_mpi_request *request, bool waits)
{
    const struct kp_mpi_neighbours *neighbours = request->neighbours;
    const struct kp_mpi_owned *owned = &request->owned;
    kp_group *group = request->own ? request->own : request->comm->inner;
    const int rest = rest_of_tag(self, request, waits);
    request->active = true;
    for (int i = 0; i < neighbours->count; i++) {
        struct kp_mpi_part *part = kp_mpi_part(request, i);
        struct kp_mpi_message_args message = neighbours->message[i];
        message.tag |= rest;
        if (owned->apart && message.receives && message.peer != MPI_PROC_NULL &&
            message.type->size * message.count > 0)
            message.buffer =
                (char *)owned->apart + ((char *)message.buffer - (const char *)owned->written.at);
        kp_mpi_again(self);
        part->status = kp_mpi_part_start(self, request->comm, group, &message, part, false);
        part->exact = message.receives && message.peer != MPI_PROC_NULL;
    }
    /* In a strict job a collective between two sides ends only when all ranks have started it, and
     * have told each other what a reduction compares. */
    if (request->meets)
        kp_mpi_request_meet(self, request, group);
}

int kp_mpi_neighbours_again(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    kp_mpi_remember(&self->call, request->made.function);
    request->owned.read = span_of(request->neighbours, false);
    request->owned.written = span_of(request->neighbours, true);
    kp_mpi_owned_begin(self, request);
    start(self, request, false);
    return MPI_SUCCESS;
}

int kp_mpi_neighbours_later(struct kp_mpi_rank *self, MPI_Comm handle,
                            const struct kp_mpi_neighbour_call *call, MPI_Request *made)
{
    struct kp_mpi_request *request;
    KP_MPI_COMM_OF(handle);
    const int error = make(self, comm, call, &request);
    *made = error ? MPI_REQUEST_NULL : request->handle;
    if (error)
        return error;
    comm->calls++;
    return kp_mpi_neighbours_again(self, request);
}

int kp_mpi_neighbours_keep(struct kp_mpi_rank *self, MPI_Comm handle,
                           const struct kp_mpi_neighbour_call *call, MPI_Request *made)
{
    struct kp_mpi_request *request;
    KP_MPI_COMM_OF(handle);
    const int error = make(self, comm, call, &request);
    return error ? error : kp_mpi_request_keep(self, request, 0, made);
}

int kp_mpi_neighbours_now(struct kp_mpi_rank *self, MPI_Comm handle,
                          const struct kp_mpi_neighbour_call *call)
{
    struct kp_mpi_request *request;
    KP_MPI_COMM_OF(handle);
    const int error = make(self, comm, call, &request);
    return error ? error : kp_mpi_neighbours_wait(self, request);
}

int kp_mpi_neighbours_wait(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    MPI_Request own = request->handle;
    if (self->owners > 0)
        kp_mpi_owned_compare(self, span_of(request->neighbours, false),
                             span_of(request->neighbours, true));
    request->comm->calls++;
    start(self, request, true);
    return kp_mpi_request_end(self, request, &own, MPI_STATUS_IGNORE);
}
