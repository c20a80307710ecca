/* Probes. A matched probe receives the message at once, into memory of its own; MPI_Mrecv copies it
 * from there. */
#include "lib/mpi/request.h"

#include <stdlib.h>
#include <string.h>

struct kp_mpi_message {
    struct kp_mpi_comm *comm; /* held */
    struct kp_envelope found;
    struct kp_mpi_place made;
    unsigned char data[];
};

static void store_found(MPI_Status *status, const struct kp_mpi_comm *comm,
                        const kp_message_status *found)
{
    if (!status)
        return;
    status->MPI_SOURCE = found->source - comm->offset;
    status->MPI_TAG = found->tag;
    status->kp_bytes = (MPI_Count)found->bytes;
    status->kp_cancelled = 0;
}

static void store_no_source(MPI_Status *status)
{
    kp_mpi_empty_status(status);
    if (status)
        status->MPI_SOURCE = MPI_PROC_NULL;
}

/* Looks for a message, or waits for it if `waits`. */
static int probe(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int source, int tag,
                 bool waits, int *flag, kp_message_status *found)
{
    const int error = kp_mpi_check_peer(self, comm, source, tag, true);
    const int from = source == MPI_ANY_SOURCE ? KP_ANY_SOURCE : comm->offset + source;
    *flag = 1;
    if (error || source == MPI_PROC_NULL)
        return error;
    const int status = waits ? kp_probe(comm->group, from, tag, found)
                             : kp_probe_now(comm->group, from, tag, flag, found);
    if (!status && !*flag)
        kp_mpi_in_vain(self, &(struct kp_mpi_tested){.comm = comm, .source = source, .tag = tag});
    else if (!status && (!waits || source == MPI_ANY_SOURCE))
        kp_mpi_decided(self, found->source - comm->offset);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}

static int look(struct kp_mpi_rank *self, MPI_Comm handle, int source, int tag, bool waits,
                int *flag, MPI_Status *status)
{
    kp_message_status found = {0};
    KP_MPI_COMM_OF(handle);
    const int error = probe(self, comm, source, tag, waits, flag, &found);
    if (error || !*flag)
        return error;
    if (source == MPI_PROC_NULL)
        store_no_source(status);
    else
        store_found(status, comm, &found);
    return MPI_SUCCESS;
}

int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    int flag;
    KP_MPI_ENTER(Probe);
    return look(self, comm, source, tag, true, &flag, status);
}
KP_MPI_NAMES(Probe);

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    KP_MPI_ENTER(Iprobe);
    return look(self, comm, source, tag, false, flag, status);
}
KP_MPI_NAMES(Iprobe);

/* --- Matched probes --- */

static int take(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const kp_message_status *found,
                MPI_Message *handle)
{
    struct kp_mpi_message *message = malloc(sizeof *message + found->bytes);
    if (message)
        *handle = kp_mpi_handle_make(&self->tables[KP_MPI_MESSAGE], KP_MPI_MESSAGE, message);
    if (!message || !*handle) {
        free(message);
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a message of %zu bytes",
                           found->bytes);
    }
    message->comm = comm;
    message->made = self->call;
    kp_mpi_comm_hold(comm);
    kp_mpi_again(self);
    const int status = kp_face_receive(comm->group,
                                       &(struct kp_incoming_message){.data = message->data,
                                                                     .bytes = found->bytes,
                                                                     .from = found->source,
                                                                     .tag = found->tag,
                                                                     .found = &message->found},
                                       NULL);
    return status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
}

static int look_and_take(struct kp_mpi_rank *self, MPI_Comm handle, int source, int tag, bool waits,
                         int *flag, MPI_Message *message, MPI_Status *status)
{
    kp_message_status found = {0};
    KP_MPI_COMM_OF(handle);
    const int error = probe(self, comm, source, tag, waits, flag, &found);
    if (error || !*flag)
        return error;
    if (source == MPI_PROC_NULL) {
        *message = MPI_MESSAGE_NO_PROC;
        store_no_source(status);
        return MPI_SUCCESS;
    }
    store_found(status, comm, &found);
    return take(self, comm, &found, message);
}

int MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status)
{
    int flag;
    KP_MPI_ENTER(Mprobe);
    return look_and_take(self, comm, source, tag, true, &flag, message, status);
}
KP_MPI_NAMES(Mprobe);

int MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                MPI_Status *status)
{
    KP_MPI_ENTER(Improbe);
    return look_and_take(self, comm, source, tag, false, flag, message, status);
}
KP_MPI_NAMES(Improbe);

/* Gives the message to the program, as a part that has ended. `written` becomes its memory, if that
 * is in one piece. */
static int give(struct kp_mpi_rank *self, void *buffer, MPI_Count count, MPI_Datatype datatype,
                MPI_Message *handle, MPI_Status *status, struct kp_mpi_span *written)
{
    struct kp_mpi_message *message =
        kp_mpi_find(&self->tables[KP_MPI_MESSAGE], KP_MPI_MESSAGE, *handle);
    struct kp_mpi_part part = {.receives = true, .count = (size_t)count};
    if (!message)
        return kp_mpi_fail(self, NULL, MPI_ERR_REQUEST,
                           "the message is not valid: it was received, or never matched");
    struct kp_mpi_comm *comm = message->comm;
    int error = kp_mpi_check_data(self, comm, buffer, count, datatype, &part.type);
    if (error)
        return error;
    kp_mpi_type_hold(part.type);
    part.found = message->found;
    *written = (struct kp_mpi_span){buffer, part.type->dense ? part.type->size * part.count : 0};
    kp_mpi_store_status(status, comm, &part);
    if (part.found.bytes > part.type->size * part.count) {
        error = kp_mpi_fail(self, comm, MPI_ERR_TRUNCATE,
                            "the message has %zu bytes; the receive buffer has %zu",
                            part.found.bytes, part.type->size * part.count);
        kp_mpi_type_release(part.type);
    } else {
        if (part.found.bytes > 0)
            kp_mpi_type_unpack(part.type, message->data, part.found.bytes, buffer);
        error = kp_mpi_part_end(self, comm, &part);
    }
    kp_mpi_handle_forget(&self->tables[KP_MPI_MESSAGE], *handle);
    *handle = MPI_MESSAGE_NULL;
    kp_mpi_comm_release(self, comm);
    free(message);
    return error;
}

static int receive(struct kp_mpi_rank *self, void *buf, MPI_Count count, MPI_Datatype datatype,
                   MPI_Message *message, MPI_Status *status)
{
    struct kp_mpi_span written;
    if (*message != MPI_MESSAGE_NO_PROC)
        return give(self, buf, count, datatype, message, status, &written);
    *message = MPI_MESSAGE_NULL;
    store_no_source(status);
    return MPI_SUCCESS;
}

int MPI_Mrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message, MPI_Status *status)
{
    KP_MPI_ENTER(Mrecv);
    return receive(self, buf, count, datatype, message, status);
}
KP_MPI_NAMES(Mrecv);

int MPI_Mrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
                MPI_Status *status)
{
    KP_MPI_ENTER(Mrecv_c);
    return receive(self, buf, count, datatype, message, status);
}
KP_MPI_NAMES(Mrecv_c);

static int receive_later(struct kp_mpi_rank *self, void *buf, MPI_Count count,
                         MPI_Datatype datatype, MPI_Message *message, MPI_Request *handle)
{
    MPI_Status status = {0};
    const bool no_one = *message == MPI_MESSAGE_NO_PROC; /* its handle has no message */
    const struct kp_mpi_message *matched =
        no_one ? NULL : kp_mpi_find(&self->tables[KP_MPI_MESSAGE], KP_MPI_MESSAGE, *message);
    struct kp_mpi_comm *comm = matched ? matched->comm : self->comm_world;
    struct kp_mpi_request *request = kp_mpi_request_make(self, comm, 1);
    if (!request)
        return MPI_ERR_NO_MEM;
    request->active = request->is_message = true;
    request->first.receives = true;
    *handle = request->handle;
    if (no_one) {
        request->first.found.source = comm->offset + MPI_PROC_NULL;
        request->first.found.tag = MPI_ANY_TAG;
        *message = MPI_MESSAGE_NULL;
        return MPI_SUCCESS;
    }
    struct kp_mpi_span written;
    const int error = give(self, buf, count, datatype, message, &status, &written);
    request->first.found.source = comm->offset + status.MPI_SOURCE;
    request->first.found.tag = status.MPI_TAG;
    request->first.found.bytes = (size_t)status.kp_bytes;
    if (error) {
        kp_mpi_request_free(self, request);
        *handle = MPI_REQUEST_NULL;
    } else { /* the message is there, but the program may not touch it yet */
        request->owned.written = written;
        kp_mpi_owned_begin(self, request);
    }
    return error;
}

int MPI_Imrecv(void *buf, int count, MPI_Datatype datatype, MPI_Message *message,
               MPI_Request *request)
{
    KP_MPI_ENTER(Imrecv);
    return receive_later(self, buf, count, datatype, message, request);
}
KP_MPI_NAMES(Imrecv);

int MPI_Imrecv_c(void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Message *message,
                 MPI_Request *request)
{
    KP_MPI_ENTER(Imrecv_c);
    return receive_later(self, buf, count, datatype, message, request);
}
KP_MPI_NAMES(Imrecv_c);
