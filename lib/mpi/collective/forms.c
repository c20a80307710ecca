/* The three forms of a collective. */
#include "lib/mpi/collective.h"

#include "lib/call/face.h"
#include "lib/mpi/check/places.h"
#include "lib/mpi/neighbours.h"

#include <stdlib.h>

int kp_mpi_carry_out(kp_group *group, const struct kp_mpi_collective *c)
{
    const kp_arguments *a = &c->arguments;
    switch (c->operation) {
    case KP_INDEX:
        return kp_index_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                               a->in_layout, NULL);
    case KP_CONCAT:
        return kp_concat_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                a->in_layout, NULL);
    case KP_BROADCAST:
        return kp_broadcast_layout(group, a->in, a->in_count, a->in_layout, a->root, NULL);
    case KP_SCATTER:
        return kp_scatter_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                 a->in_layout, a->root, NULL);
    case KP_GATHER:
        return kp_gather_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_count,
                                a->in_layout, a->root, NULL);
    case KP_INDEXV:
        if (a->in_layouts)
            return kp_indexw(group, a->out, a->out_counts, a->out_displacements, a->out_layouts,
                             a->in, a->in_counts, a->in_displacements, a->in_layouts, NULL);
        return kp_indexv_layout(group, a->out, a->out_counts, a->out_displacements, a->out_layout,
                                a->in, a->in_counts, a->in_displacements, a->in_layout, NULL);
    case KP_CONCATV:
        return kp_concatv_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_counts,
                                 a->in_displacements, a->in_layout, NULL);
    case KP_SCATTERV:
        return kp_scatterv_layout(group, a->out, a->out_counts, a->out_displacements, a->out_layout,
                                  a->in, a->in_count, a->in_layout, a->root, NULL);
    case KP_GATHERV:
        return kp_gatherv_layout(group, a->out, a->out_count, a->out_layout, a->in, a->in_counts,
                                 a->in_displacements, a->in_layout, a->root, NULL);
    case KP_REDUCE:
        return kp_reduce(group, a->out, a->in, a->count, a->type, a->op, a->root, NULL);
    case KP_ALLREDUCE:
        return kp_allreduce(group, a->out, a->in, a->count, a->type, a->op, NULL);
    case KP_REDUCE_SCATTER:
        return kp_reduce_scatter(group, a->out, a->in, a->count, a->type, a->op, NULL);
    case KP_REDUCE_SCATTERV:
        return kp_reduce_scatterv(group, a->out, a->in, a->out_counts, a->type, a->op, NULL);
    case KP_SCAN:
        return kp_scan(group, a->out, a->in, a->count, a->type, a->op, NULL);
    case KP_SCAN_EXCLUSIVE:
    default: /* no other operation is prepared; a barrier has a way of its own */
        return kp_scan_exclusive(group, a->out, a->in, a->count, a->type, a->op, NULL);
    }
}

int kp_mpi_carry_out_later(kp_group *group, const struct kp_mpi_collective *c, kp_request **request)
{
    if (c->operation == KP_MPI_BARRIER)
        return kp_barrier_start(group, request);
    return kp_call_start(group, &c->arguments, request);
}

static int store(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    kp_mpi_store(request->collective);
    return kp_mpi_order_compare(self, request);
}

/* A side of a call in one piece, or an empty span. */
static struct kp_mpi_span span_of(const void *buffer, const struct kp_mpi_type *type,
                                  MPI_Count count, int blocks)
{
    const bool known = type && type->dense && buffer && buffer != MPI_IN_PLACE;
    return (struct kp_mpi_span){buffer, known ? type->size * (size_t)count * (size_t)blocks : 0};
}

/* The same of blocks with their own lengths, if they lie one after another in any order, and the
 * first one at the buffer. Without displacements they lie so. */
static struct kp_mpi_span span_of_blocks(const void *buffer, const struct kp_mpi_type *type,
                                         struct kp_mpi_list counts,
                                         struct kp_mpi_list displacements, int blocks)
{
    MPI_Count sum = 0, end = 0;
    for (int i = 0; i < blocks; i++) {
        const MPI_Count count = kp_mpi_list_at(counts, i);
        sum += count;
        if (!displacements.values || count <= 0)
            continue;
        const MPI_Count place = kp_mpi_list_at(displacements, i);
        if (place < 0)
            return (struct kp_mpi_span){buffer, 0};
        if (place + count > end)
            end = place + count;
    }
    return span_of(buffer, type, displacements.values && end != sum ? 0 : sum, 1);
}

static void own_reduction(const struct kp_mpi_comm *comm, const struct kp_mpi_asked *asked,
                          const struct kp_mpi_collective *c, struct kp_mpi_span *out,
                          struct kp_mpi_span *in)
{
    const struct kp_mpi_type *type = c->in_type ? c->in_type : c->out_type;
    const bool in_place = asked->out == MPI_IN_PLACE;
    const struct kp_mpi_list none = {0};
    const int blocks = c->operation == KP_REDUCE_SCATTER ? comm->size : 1;
    if (!asked->in_counts.values) {
        *out = span_of(asked->out, type, asked->in_count, blocks);
        *in = span_of(asked->in, type, asked->in_count, in_place ? blocks : 1);
        return;
    }
    *out = span_of_blocks(asked->out, type, asked->in_counts, none, comm->size);
    *in = in_place ? span_of_blocks(asked->in, type, asked->in_counts, none, comm->size)
                   : span_of(asked->in, type, kp_mpi_list_at(asked->in_counts, comm->rank), 1);
}

static void own_blocks(const struct kp_mpi_comm *comm, const struct kp_mpi_asked *asked,
                       const struct kp_mpi_collective *c, struct kp_mpi_span *out,
                       struct kp_mpi_span *in)
{
    const kp_operation operation = c->operation;
    const bool all_out = operation == KP_INDEX || operation == KP_SCATTER;
    const bool all_in = operation == KP_INDEX || operation == KP_CONCAT || operation == KP_GATHER;
    *out = asked->out_counts.values && c->out_type
               ? span_of_blocks(asked->out, c->out_type, asked->out_counts,
                                asked->out_displacements, comm->size)
               : span_of(asked->out, c->out_type, asked->out_count, all_out ? comm->size : 1);
    *in = asked->in_counts.values && c->in_type
              ? span_of_blocks(asked->in, c->in_type, asked->in_counts, asked->in_displacements,
                               comm->size)
              : span_of(asked->in, c->in_type, asked->in_count, all_in ? comm->size : 1);
}

/* The same of blocks with types of their own, whose places are in bytes. */
static struct kp_mpi_span span_of_each(const void *buffer, struct kp_mpi_type *const *types,
                                       struct kp_mpi_list counts, struct kp_mpi_list places, int n)
{
    size_t sum = 0, end = 0;
    for (int i = 0; i < n; i++) {
        const size_t bytes = types[i]->size * (size_t)kp_mpi_list_at(counts, i);
        const MPI_Count place = kp_mpi_list_at(places, i);
        if (bytes == 0)
            continue;
        if (place < 0 || !types[i]->dense)
            return (struct kp_mpi_span){0};
        sum += bytes;
        end = (size_t)place + bytes > end ? (size_t)place + bytes : end;
    }
    return (struct kp_mpi_span){buffer, buffer && end == sum ? sum : 0};
}

static void own_each(const struct kp_mpi_comm *comm, const struct kp_mpi_asked *asked,
                     const struct kp_mpi_collective *c, struct kp_mpi_owned *owned)
{
    if (asked->out != MPI_IN_PLACE)
        owned->read = span_of_each(asked->out, c->types, asked->out_counts,
                                   asked->out_displacements, comm->size);
    owned->written = span_of_each(asked->in, c->types + comm->size, asked->in_counts,
                                  asked->in_displacements, comm->size);
}

/* Says what a call reads and writes, if these are in one piece. */
static void own(const struct kp_mpi_comm *comm, const struct kp_mpi_asked *asked,
                const struct kp_mpi_collective *c, struct kp_mpi_owned *owned)
{
    struct kp_mpi_span out, in;
    if (c->operation == KP_MPI_BARRIER)
        return;
    if (asked->in_types) {
        own_each(comm, asked, c, owned);
        return;
    }
    if (c->reduces)
        own_reduction(comm, asked, c, &out, &in);
    else
        own_blocks(comm, asked, c, &out, &in);
    if (!c->arguments.out)
        out.bytes = 0;
    if (!c->arguments.in)
        in.bytes = 0;
    const bool sends = c->operation == KP_BROADCAST && asked->root == comm->rank;
    owned->read = sends ? in : out;
    owned->written = sends ? (struct kp_mpi_span){0} : in;
}

static int make_now(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                    const struct kp_mpi_asked *asked)
{
    struct kp_mpi_collective collective;
    struct kp_mpi_owned owned = {0};
    KP_MPI_COMM_OF(handle);
    if (comm->inter)
        return kp_mpi_between_now(self, comm, operation, asked);
    const int error = kp_mpi_prepare(self, comm, operation, asked, &collective);
    if (error)
        return error;
    own(comm, asked, &collective, &owned);
    if (KP_MPI_HAS_REQUESTS(self))
        kp_mpi_owned_compare(self, owned.read, owned.written);
    comm->calls++;
    kp_mpi_load(&collective);
    int status = kp_mpi_carry_out(comm->group, &collective);
    if (!status) {
        kp_mpi_store(&collective);
        kp_mpi_collective_remember(self, comm, asked, &collective, &owned);
        status = kp_face_come_back(comm->group);
    }
    kp_mpi_release(&collective);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}

int kp_mpi_collective_now(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                          const struct kp_mpi_asked *asked)
{
    struct kp_mpi_comm *known;
    int status;
    if (kp_mpi_collective_known(self, handle, operation, asked, &known, &status)) {
        known->calls++;
        return status ? kp_mpi_fail_by(self, known, status) : MPI_SUCCESS;
    }
    return make_now(self, handle, operation, asked);
}

/* Makes the request of a collective, which has the collective's arguments. */
static int make(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_operation operation,
                const struct kp_mpi_asked *asked, struct kp_mpi_request **made)
{
    if (comm->inter)
        return kp_mpi_between_make(self, comm, operation, asked, made);
    struct kp_mpi_collective *collective = malloc(sizeof *collective);
    if (!collective)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a request");
    const int error = kp_mpi_prepare(self, comm, operation, asked, collective);
    if (error) {
        free(collective);
        return error;
    }
    const bool meets = self->world->job->strict;
    const int parts = meets && operation != KP_MPI_BARRIER ? 2 : 1; /* a barrier is a meeting */
    struct kp_mpi_request *request = *made = kp_mpi_request_make(self, comm, parts);
    if (!request) {
        kp_mpi_collective_free(self, collective);
        return MPI_ERR_NO_MEM;
    }
    request->meets = meets;
    request->collective = collective;
    own(comm, asked, collective, &request->owned);
    request->ended = store;
    return MPI_SUCCESS;
}

static kp_group *group_of(const struct kp_mpi_request *request)
{
    return request->own ? request->own : request->comm->group;
}

static int start_once(const struct kp_mpi_request *request, kp_request **started)
{
    struct kp_mpi_collective call = *request->collective;
    if (request->owned.apart && call.arguments.in == request->owned.written.at)
        call.arguments.in = request->owned.apart;
    return kp_mpi_carry_out_later(group_of(request), &call, started);
}

/* A persistent collective is prepared once, by its first start. If that fails, the call is started
 * without a plan, which refuses it for the other ranks as well. */
static int start_plan(const struct kp_mpi_request *request, kp_request **started)
{
    struct kp_mpi_collective *c = request->collective;
    if (c->operation == KP_MPI_BARRIER)
        return kp_barrier_start(group_of(request), started);
    if (!c->plan && kp_plan_make(group_of(request), &c->arguments, &c->plan))
        return start_once(request, started);
    return kp_plan_start(c->plan, started);
}

int kp_mpi_collective_again(struct kp_mpi_rank *self, struct kp_mpi_request *request)
{
    struct kp_mpi_part *part = &request->first;
    if (request->neighbours)
        return kp_mpi_neighbours_again(self, request);
    *part = (struct kp_mpi_part){0};
    kp_mpi_remember(&self->call, request->made.function);
    kp_mpi_owned_begin(self, request);
    kp_mpi_load(request->collective);
    const bool only_meets = request->meets && kp_mpi_parts(request) == 1;
    const int status = only_meets ? KP_OK
                       : request->persistent && !request->owned.apart
                           ? start_plan(request, &part->request)
                           : start_once(request, &part->request);
    if (status) {
        kp_mpi_owned_end(self, request);
        return kp_mpi_fail_by(self, request->comm, status);
    }
    if (request->meets) /* so it ends only when all ranks have started it */
        kp_mpi_request_meet(self, request, group_of(request));
    request->active = true;
    return MPI_SUCCESS;
}

int kp_mpi_collective_later(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                            const struct kp_mpi_asked *asked, MPI_Request *made)
{
    struct kp_mpi_request *request = NULL;
    KP_MPI_COMM_OF(handle);
    int error = make(self, comm, operation, asked, &request);
    if (error)
        return error;
    comm->calls++;
    if (!comm->inter)
        error = kp_mpi_order_tell(self, request, comm);
    if (!error)
        error = kp_mpi_collective_again(self, request);
    if (error)
        kp_mpi_request_free(self, request);
    *made = error ? MPI_REQUEST_NULL : request->handle;
    return error;
}

int kp_mpi_collective_keep(struct kp_mpi_rank *self, MPI_Comm handle, kp_operation operation,
                           const struct kp_mpi_asked *asked, MPI_Request *made)
{
    struct kp_mpi_request *request = NULL;
    KP_MPI_COMM_OF(handle);
    const int error = make(self, comm, operation, asked, &request);
    return error ? error : kp_mpi_request_keep(self, request, asked ? asked->root : 0, made);
}

void kp_mpi_collective_free(struct kp_mpi_rank *self, struct kp_mpi_collective *collective)
{
    (void)self;
    kp_mpi_release(collective);
    free(collective);
}
