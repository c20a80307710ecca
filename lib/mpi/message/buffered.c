/* Buffered sends. The messages lie in memory of the library; the buffer that the program attaches
 * only says how much of it may be in use. */
#include "lib/mpi/request.h"

#include <limits.h>
#include <stdlib.h>

struct kp_mpi_buffer {
    void *address;
    size_t bytes, used;
};

void kp_mpi_buffer_give_back(struct kp_mpi_rank *self, size_t bytes)
{
    if (self->buffer)
        self->buffer->used -= bytes;
}

static int no_room(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, size_t bytes)
{
    if (!self->buffer)
        return kp_mpi_fail(self, comm, MPI_ERR_BUFFER, "no buffer is attached (MPI_Buffer_attach)");
    return kp_mpi_fail(self, comm, MPI_ERR_BUFFER,
                       "the attached buffer has %zu bytes, of which %zu are in use; a message of "
                       "%zu bytes (with MPI_BSEND_OVERHEAD) does not fit",
                       self->buffer->bytes, self->buffer->used, bytes);
}

int kp_mpi_send_buffered(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                         const struct kp_mpi_message_args *args)
{
    const bool ready = args->mode == KP_MPI_READY;
    const size_t bytes = args->type->size * args->count, counted = bytes + MPI_BSEND_OVERHEAD;
    if (args->peer == MPI_PROC_NULL)
        return MPI_SUCCESS;
    if (!ready && self->buffer && self->buffer->used + counted > self->buffer->bytes) {
        kp_mpi_reap(self, false);
        kp_mpi_again(self);
    }
    if (!ready && (!self->buffer || self->buffer->used + counted > self->buffer->bytes))
        return no_room(self, comm, counted);
    struct kp_mpi_request *request = kp_mpi_request_make(self, comm, 1);
    if (!request)
        return MPI_ERR_NO_MEM;
    request->data = malloc(bytes > 0 ? bytes : 1);
    if (!request->data) {
        kp_mpi_request_free(self, request);
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a message of %zu bytes",
                           bytes);
    }
    kp_mpi_type_pack(args->type, args->count, args->buffer, request->data);
    const int status = kp_face_send(
        comm->group,
        &(struct kp_outgoing_message){.data = request->data,
                                      .bytes = bytes,
                                      .to = comm->offset + args->peer,
                                      .tag = args->tag,
                                      .note = kp_mpi_type_signature(args->type, args->count) |
                                              (ready ? KP_MPI_NOTE_READY : 0)},
        &request->first.request);
    if (status) {
        kp_mpi_request_free(self, request);
        return kp_mpi_fail_by(self, comm, status);
    }
    request->active = true;
    request->buffered = !ready;
    request->first.count = counted;
    if (!ready)
        self->buffer->used += counted;
    kp_mpi_request_leave(self, request);
    kp_mpi_reap(self, false);
    return MPI_SUCCESS;
}

static int attach(struct kp_mpi_rank *self, void *buffer, MPI_Count size)
{
    if (self->buffer)
        return kp_mpi_fail(self, NULL, MPI_ERR_BUFFER, "a buffer is attached already");
    if (size < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "the size is %lld; it may be 0 or more", size);
    if (!buffer && size > 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_BUFFER, "the buffer is NULL, with %lld bytes", size);
    self->buffer = malloc(sizeof *self->buffer);
    if (!self->buffer)
        return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory to attach a buffer");
    *self->buffer = (struct kp_mpi_buffer){buffer, (size_t)size, 0};
    return MPI_SUCCESS;
}

int MPI_Buffer_attach(void *buffer, int size)
{
    KP_MPI_ENTER(Buffer_attach);
    return attach(self, buffer, size);
}
KP_MPI_NAMES(Buffer_attach);

int MPI_Buffer_attach_c(void *buffer, MPI_Count size)
{
    KP_MPI_ENTER(Buffer_attach_c);
    return attach(self, buffer, size);
}
KP_MPI_NAMES(Buffer_attach_c);

void kp_mpi_buffer_end(struct kp_mpi_rank *self)
{
    free(self->buffer);
    self->buffer = NULL;
}

static int detach(struct kp_mpi_rank *self, void *buffer, MPI_Count *size)
{
    if (!self->buffer)
        return kp_mpi_fail(self, NULL, MPI_ERR_BUFFER, "no buffer is attached");
    kp_mpi_reap(self, true);
    *(void **)buffer = self->buffer->address;
    *size = (MPI_Count)self->buffer->bytes;
    kp_mpi_buffer_end(self);
    return MPI_SUCCESS;
}

int MPI_Buffer_detach(void *buffer, int *size)
{
    KP_MPI_ENTER(Buffer_detach);
    MPI_Count large = 0;
    const int error = detach(self, buffer, &large);
    if (!error)
        *size = large <= INT_MAX ? (int)large : MPI_UNDEFINED;
    return error;
}
KP_MPI_NAMES(Buffer_detach);

int MPI_Buffer_detach_c(void *buffer, MPI_Count *size)
{
    KP_MPI_ENTER(Buffer_detach_c);
    return detach(self, buffer, size);
}
KP_MPI_NAMES(Buffer_detach_c);
