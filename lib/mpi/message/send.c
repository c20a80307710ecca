/* Sends and receives that wait. */
#include "lib/layout/face.h"
#include "lib/mpi/request.h"
#include "lib/mpi/sized.h"

#include <stdlib.h>

/* What a message reads or writes, if it is in one piece. */
static struct kp_mpi_span span_of(const struct kp_mpi_message_args *args)
{
    const bool known = args->peer != MPI_PROC_NULL && args->type->dense;
    return (struct kp_mpi_span){args->buffer, known ? args->type->size * args->count : 0};
}

/* A message that is sent or received at once shares no memory with a request. */
static void compare(struct kp_mpi_rank *self, const struct kp_mpi_message_args *args)
{
    static const struct kp_mpi_span none;
    if (!KP_MPI_HAS_REQUESTS(self))
        return;
    const struct kp_mpi_span span = span_of(args);
    if (!args->type->dense && args->peer != MPI_PROC_NULL)
        kp_mpi_owned_compare_gaps(self, args->type, args->count, args->buffer, args->receives);
    kp_mpi_owned_compare(self, args->receives ? none : span, args->receives ? span : none);
}

static int send(struct kp_mpi_rank *self, const void *buffer, MPI_Count count, MPI_Datatype type,
                int to, int tag, MPI_Comm handle, enum kp_mpi_mode mode)
{
    struct kp_mpi_message_args args;
    struct kp_mpi_part part;
    KP_MPI_COMM_OF(handle);
    const int error = kp_mpi_check_send(self, comm, &args, buffer, count, type, to, tag, mode);
    if (error)
        return error;
    compare(self, &args);
    if (mode == KP_MPI_BUFFERED || (mode == KP_MPI_READY && self->world->job->strict))
        return kp_mpi_send_buffered(self, comm, &args);
    part.status = kp_mpi_part_start(self, comm, comm->group, &args, &part, true);
    return kp_mpi_part_end(self, comm, &part);
}

int KP_MPI_SIZED(Send)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                       int tag, MPI_Comm comm)
{
    KP_MPI_SIZED_ENTER(Send);
    return send(self, buf, count, datatype, dest, tag, comm, KP_MPI_STANDARD);
}
KP_MPI_SIZED_NAMES(Send);

int KP_MPI_SIZED(Bsend)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                        int tag, MPI_Comm comm)
{
    KP_MPI_SIZED_ENTER(Bsend);
    return send(self, buf, count, datatype, dest, tag, comm, KP_MPI_BUFFERED);
}
KP_MPI_SIZED_NAMES(Bsend);

int KP_MPI_SIZED(Ssend)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                        int tag, MPI_Comm comm)
{
    KP_MPI_SIZED_ENTER(Ssend);
    return send(self, buf, count, datatype, dest, tag, comm, KP_MPI_SYNCHRONOUS);
}
KP_MPI_SIZED_NAMES(Ssend);

int KP_MPI_SIZED(Rsend)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                        int tag, MPI_Comm comm)
{
    KP_MPI_SIZED_ENTER(Rsend);
    return send(self, buf, count, datatype, dest, tag, comm, KP_MPI_READY);
}
KP_MPI_SIZED_NAMES(Rsend);

int KP_MPI_SIZED(Recv)(void *buf, kp_mpi_count count, MPI_Datatype datatype, int source, int tag,
                       MPI_Comm handle, MPI_Status *status)
{
    struct kp_mpi_message_args args;
    struct kp_mpi_part part;
    KP_MPI_SIZED_ENTER(Recv);
    KP_MPI_COMM_OF(handle);
    const int error = kp_mpi_check_receive(self, comm, &args, buf, count, datatype, source, tag);
    if (error)
        return error;
    compare(self, &args);
    part.status = kp_mpi_part_start(self, comm, comm->group, &args, &part, true);
    kp_mpi_store_status(status, comm, &part);
    return kp_mpi_part_end(self, comm, &part);
}
KP_MPI_SIZED_NAMES(Recv);

/* --- Both at once --- */

/* Starts one of two parts. If that fails, the part ends with its error. */
static void start_part(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                       const struct kp_mpi_message_args *args, struct kp_mpi_part *part)
{
    part->status = kp_mpi_part_start(self, comm, comm->group, args, part, false);
    if (part->status)
        part->error = kp_mpi_part_end(self, comm, part);
}

/* Starts the receive, then the send, which are the parts of the request. */
static int start_both(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                      const struct kp_mpi_message_args *in, const struct kp_mpi_message_args *out,
                      struct kp_mpi_request *request)
{
    struct kp_mpi_part *received = kp_mpi_part(request, 0), *sent = kp_mpi_part(request, 1);
    start_part(self, comm, in, received);
    kp_mpi_again(self);
    start_part(self, comm, out, sent);
    request->active = true;
    return received->error ? received->error : sent->error;
}

/* Receives beside a send that has been started, and waits for both. */
static int receive_beside(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                          const struct kp_mpi_message_args *in, struct kp_mpi_part *sent,
                          MPI_Status *status)
{
    struct kp_mpi_request *request = kp_mpi_request_make(self, comm, 2);
    if (!request) {
        const int error = kp_wait(&sent->request);
        if (sent->type) /* else the send has failed and ended */
            kp_mpi_type_release(sent->type);
        return error ? kp_mpi_fail_by(self, comm, error) : MPI_ERR_NO_MEM;
    }
    *kp_mpi_part(request, 1) = *sent;
    kp_mpi_again(self);
    start_part(self, comm, in, kp_mpi_part(request, 0));
    request->active = true;
    return kp_mpi_request_end(self, request, NULL, status);
}

/* A short send mostly ends at once. Then only the receive is left, and no request is needed. */
static int send_and_receive(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                            const struct kp_mpi_message_args *in,
                            const struct kp_mpi_message_args *out, MPI_Status *status)
{
    struct kp_mpi_part sent, received;
    start_part(self, comm, out, &sent);
    if (sent.request || sent.status)
        return receive_beside(self, comm, in, &sent, status);
    (void)kp_mpi_part_end(self, comm, &sent);
    kp_mpi_again(self);
    received.status = kp_mpi_part_start(self, comm, comm->group, in, &received, true);
    kp_mpi_store_status(status, comm, &received);
    return kp_mpi_part_end(self, comm, &received);
}

/* The request owns both buffers, of which `out` may be NULL. */
static void own(struct kp_mpi_rank *self, struct kp_mpi_request *request,
                const struct kp_mpi_message_args *out, struct kp_mpi_message_args *in)
{
    if (out)
        request->owned.read = span_of(out);
    request->owned.written = span_of(in);
    kp_mpi_owned_begin(self, request);
    if (request->owned.apart)
        in->buffer = request->owned.apart;
}

static bool overlap(const struct kp_mpi_rank *self, const struct kp_mpi_message_args *a,
                    const struct kp_mpi_message_args *b)
{
    const size_t a_bytes = a->type->size * a->count, b_bytes = b->type->size * b->count;
    const bool gaps = !a->type->dense || !b->type->dense;
    if (a->peer == MPI_PROC_NULL || b->peer == MPI_PROC_NULL || a_bytes == 0 || b_bytes == 0 ||
        (gaps && !self->world->job->strict))
        return false;
    return kp_face_layouts_share(
        a->buffer, a->type->dense ? NULL : a->type->layout, a->type->dense ? a_bytes : a->count,
        b->buffer, b->type->dense ? NULL : b->type->layout, b->type->dense ? b_bytes : b->count);
}

static int check_apart(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                       const struct kp_mpi_message_args *out, const struct kp_mpi_message_args *in)
{
    return overlap(self, out, in)
               ? kp_mpi_fail(self, comm, MPI_ERR_BUFFER,
                             "the buffer of the receive overlaps that of the send "
                             "(MPI_Sendrecv_replace has one buffer for both)")
               : MPI_SUCCESS;
}

int KP_MPI_SIZED(Sendrecv)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                           int dest, int sendtag, void *recvbuf, kp_mpi_count recvcount,
                           MPI_Datatype recvtype, int source, int recvtag, MPI_Comm handle,
                           MPI_Status *status)
{
    struct kp_mpi_message_args out, in;
    int error;
    KP_MPI_SIZED_ENTER(Sendrecv);
    KP_MPI_COMM_OF(handle);
    if ((error = kp_mpi_check_send(self, comm, &out, sendbuf, sendcount, sendtype, dest, sendtag,
                                   KP_MPI_STANDARD)) ||
        (error =
             kp_mpi_check_receive(self, comm, &in, recvbuf, recvcount, recvtype, source, recvtag)))
        return error;
    if ((error = check_apart(self, comm, &out, &in)))
        return error;
    if (KP_MPI_HAS_REQUESTS(self))
        kp_mpi_owned_compare(self, span_of(&out), span_of(&in));
    return send_and_receive(self, comm, &in, &out, status);
}
KP_MPI_SIZED_NAMES(Sendrecv);

/* The data that are sent are copied before any are received. Their memory is freed with the
 * request. */
static int replace(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                   struct kp_mpi_message_args *in, const struct kp_mpi_message_args *out,
                   bool waits, struct kp_mpi_request **made)
{
    const size_t bytes = out->type->size * out->count;
    struct kp_mpi_request *request = *made = kp_mpi_request_make(self, comm, 2);
    if (!request)
        return MPI_ERR_NO_MEM;
    request->data = malloc(bytes > 0 ? bytes : 1);
    if (!request->data) {
        kp_mpi_request_free(self, request);
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory to copy the data");
    }
    kp_mpi_type_pack(out->type, out->count, out->buffer, request->data);
    if (!waits)
        own(self, request, NULL, in);
    struct kp_mpi_part *received = kp_mpi_part(request, 0), *sent = kp_mpi_part(request, 1);
    received->status = kp_mpi_part_start(self, comm, comm->group, in, received, false);
    if (received->status)
        received->error = kp_mpi_part_end(self, comm, received);
    *sent = (struct kp_mpi_part){.type = out->type};
    kp_mpi_type_hold(out->type);
    kp_mpi_again(self);
    if (out->peer != MPI_PROC_NULL)
        sent->status = kp_face_send(
            comm->group,
            &(struct kp_outgoing_message){.data = request->data,
                                          .bytes = bytes,
                                          .to = comm->offset + out->peer,
                                          .tag = out->tag,
                                          .note = kp_mpi_type_signature(out->type, out->count)},
            &sent->request);
    if (sent->status)
        sent->error = kp_mpi_part_end(self, comm, sent);
    request->active = true;
    return MPI_SUCCESS;
}

int KP_MPI_SIZED(Sendrecv_replace)(void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                                   int sendtag, int source, int recvtag, MPI_Comm handle,
                                   MPI_Status *status)
{
    struct kp_mpi_message_args out, in;
    struct kp_mpi_request *request;
    int error;
    KP_MPI_SIZED_ENTER(Sendrecv_replace);
    KP_MPI_COMM_OF(handle);
    if ((error = kp_mpi_check_send(self, comm, &out, buf, count, datatype, dest, sendtag,
                                   KP_MPI_STANDARD)) ||
        (error = kp_mpi_check_receive(self, comm, &in, buf, count, datatype, source, recvtag)) ||
        (error = replace(self, comm, &in, &out, true, &request)))
        return error;
    return kp_mpi_request_end(self, request, NULL, status);
}
KP_MPI_SIZED_NAMES(Sendrecv_replace);

int KP_MPI_SIZED(Isendrecv)(const void *sendbuf, kp_mpi_count sendcount, MPI_Datatype sendtype,
                            int dest, int sendtag, void *recvbuf, kp_mpi_count recvcount,
                            MPI_Datatype recvtype, int source, int recvtag, MPI_Comm handle,
                            MPI_Request *made)
{
    struct kp_mpi_message_args out, in;
    int error;
    KP_MPI_SIZED_ENTER(Isendrecv);
    KP_MPI_COMM_OF(handle);
    if ((error = kp_mpi_check_send(self, comm, &out, sendbuf, sendcount, sendtype, dest, sendtag,
                                   KP_MPI_STANDARD)) ||
        (error = kp_mpi_check_receive(self, comm, &in, recvbuf, recvcount, recvtype, source,
                                      recvtag)) ||
        (error = check_apart(self, comm, &out, &in)))
        return error;
    struct kp_mpi_request *request = kp_mpi_request_make(self, comm, 2);
    if (!request)
        return MPI_ERR_NO_MEM;
    *made = request->handle;
    own(self, request, &out, &in);
    return start_both(self, comm, &in, &out, request);
}
KP_MPI_SIZED_NAMES(Isendrecv);

int KP_MPI_SIZED(Isendrecv_replace)(void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                                    int sendtag, int source, int recvtag, MPI_Comm handle,
                                    MPI_Request *made)
{
    struct kp_mpi_message_args out, in;
    struct kp_mpi_request *request;
    int error;
    KP_MPI_SIZED_ENTER(Isendrecv_replace);
    KP_MPI_COMM_OF(handle);
    if ((error = kp_mpi_check_send(self, comm, &out, buf, count, datatype, dest, sendtag,
                                   KP_MPI_STANDARD)) ||
        (error = kp_mpi_check_receive(self, comm, &in, buf, count, datatype, source, recvtag)) ||
        (error = replace(self, comm, &in, &out, false, &request)))
        return error;
    *made = request->handle;
    return MPI_SUCCESS;
}
KP_MPI_SIZED_NAMES(Isendrecv_replace);
