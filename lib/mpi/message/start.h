/* Messages are started. These functions are inline, because messages may be short and many: so a
 * send tests nothing that concerns receives only, and arguments need no memory. */
#ifndef KPORT_MPI_MESSAGE_START_H
#define KPORT_MPI_MESSAGE_START_H

#include "lib/layout/face.h"
#include "lib/mpi/check/own.h"

#define KP_MPI_INLINE static inline __attribute__((always_inline))

/* How the data of a message lie. They move from the one buffer to the other without a packed copy.
 */
KP_MPI_INLINE struct kp_typed kp_mpi_typed_of(struct kp_mpi_message_args args)
{
    return args.type->dense || args.type->size == 0 ? (struct kp_typed){0}
                                                    : kp_face_typed(args.type->layout, args.count);
}

KP_MPI_INLINE int kp_mpi_begin_send(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                    kp_group *group, struct kp_mpi_message_args args,
                                    struct kp_mpi_part *part, bool waits)
{
    const size_t bytes = args.type->size * args.count;
    const bool signs = !(self->world->job->unchecked & KP_MPI_NO_SIGNATURES);
    struct kp_outgoing_message message = {.data = args.buffer,
                                          .bytes = bytes,
                                          .to = comm->offset + args.peer,
                                          .tag = args.tag,
                                          .synchronous = args.mode == KP_MPI_SYNCHRONOUS,
                                          .typed = kp_mpi_typed_of(args)};
    if (signs)
        message.note = kp_mpi_type_signature(args.type, args.count);
    if (args.mode == KP_MPI_READY)
        message.note |= KP_MPI_NOTE_READY;
    return kp_face_send(group, &message, waits ? NULL : &part->request);
}

KP_MPI_INLINE int kp_mpi_part_begin(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                    kp_group *group, struct kp_mpi_message_args args,
                                    struct kp_mpi_part *part, bool waits)
{
    const size_t bytes = args.type->size * args.count;
    part->request = NULL;
    part->receives = args.receives;
    part->cancelled = false;
    part->exact = false;
    part->any = args.peer == MPI_ANY_SOURCE;
    part->status = KP_OK;
    part->error = MPI_SUCCESS;
    part->found = (struct kp_envelope){0};
    part->type = args.type;
    part->count = args.count;
    kp_mpi_type_hold(args.type);
    if (args.peer == MPI_PROC_NULL) {
        part->found.source = comm->offset + MPI_PROC_NULL;
        part->found.tag = MPI_ANY_TAG;
        return KP_OK;
    }
    if (!args.receives)
        return kp_mpi_begin_send(self, comm, group, args, part, waits);
    const int from = args.peer == MPI_ANY_SOURCE ? KP_ANY_SOURCE : comm->offset + args.peer;
    const struct kp_incoming_message message = {.data = args.buffer,
                                                .bytes = bytes,
                                                .from = from,
                                                .tag = args.tag,
                                                .typed = kp_mpi_typed_of(args),
                                                .found = &part->found};
    return kp_face_receive(group, &message, waits ? NULL : &part->request);
}

/* Whether a send ends at once, because its message is copied. */
static inline bool kp_mpi_is_copied(const struct kp_mpi_rank *self, enum kp_mpi_mode mode)
{
    return mode == KP_MPI_BUFFERED || (mode == KP_MPI_READY && self->world->job->strict);
}

/* Starts the message of a request. */
KP_MPI_INLINE int kp_mpi_message_of(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                                    struct kp_mpi_message_args args)
{
    struct kp_mpi_part *part = &request->first;
    request->is_message = request->active = true;
    request->plain = !request->persistent;
    request->given_up = false; /* which concerns an earlier start of a persistent request */
    kp_mpi_owns_nothing(&request->owned);
    if (args.peer != MPI_PROC_NULL && args.type->dense) {
        const struct kp_mpi_span span = {args.buffer, args.type->size * args.count};
        *(args.receives ? &request->owned.written : &request->owned.read) = span;
        kp_mpi_own(self, request);
        if (request->owned.apart)
            args.buffer = request->owned.apart;
    } else if (args.peer != MPI_PROC_NULL) {
        args.buffer =
            kp_mpi_owned_gaps(self, request, args.type, args.count, args.buffer, args.receives);
    }
    if (kp_mpi_is_copied(self, args.mode)) {
        *part = (struct kp_mpi_part){0};
        const struct kp_mpi_message_args copied = args;
        return kp_mpi_send_buffered(self, request->comm, &copied);
    }
    part->status = kp_mpi_part_begin(self, request->comm, request->comm->group, args, part, false);
    return part->status ? kp_mpi_part_end(self, request->comm, part) : MPI_SUCCESS;
}

/* Starts a message with a request, and stores its handle. */
KP_MPI_INLINE int kp_mpi_message_begin(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                       struct kp_mpi_message_args args, MPI_Request *handle)
{
    struct kp_mpi_request *request = kp_mpi_request_of_message(self, comm);
    if (!request)
        return MPI_ERR_NO_MEM;
    const int error = kp_mpi_message_of(self, request, args);
    if (error)
        kp_mpi_request_free(self, request);
    *handle = error ? MPI_REQUEST_NULL : request->handle;
    return error;
}

#endif
