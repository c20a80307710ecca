/* Sends and receives that do not wait, and persistent ones. */
#include "lib/mpi/message/start.h"
#include "lib/mpi/sized.h"

KP_MPI_INLINE int send_start(struct kp_mpi_rank *self, const void *buffer, MPI_Count count,
                             MPI_Datatype type, int to, int tag, MPI_Comm handle,
                             enum kp_mpi_mode mode, MPI_Request *request)
{
    struct kp_mpi_message_args args;
    KP_MPI_COMM_OF(handle);
    const int error = kp_mpi_check_send(self, comm, &args, buffer, count, type, to, tag, mode);
    return error ? error : kp_mpi_message_begin(self, comm, args, request);
}

int KP_MPI_SIZED(Isend)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                        int tag, MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_SIZED_ENTER(Isend);
    return send_start(self, buf, count, datatype, dest, tag, comm, KP_MPI_STANDARD, request);
}
KP_MPI_SIZED_NAMES(Isend);

int KP_MPI_SIZED(Ibsend)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                         int tag, MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_SIZED_ENTER(Ibsend);
    return send_start(self, buf, count, datatype, dest, tag, comm, KP_MPI_BUFFERED, request);
}
KP_MPI_SIZED_NAMES(Ibsend);

int KP_MPI_SIZED(Issend)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                         int tag, MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_SIZED_ENTER(Issend);
    return send_start(self, buf, count, datatype, dest, tag, comm, KP_MPI_SYNCHRONOUS, request);
}
KP_MPI_SIZED_NAMES(Issend);

int KP_MPI_SIZED(Irsend)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                         int tag, MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_SIZED_ENTER(Irsend);
    return send_start(self, buf, count, datatype, dest, tag, comm, KP_MPI_READY, request);
}
KP_MPI_SIZED_NAMES(Irsend);

int KP_MPI_SIZED(Irecv)(void *buf, kp_mpi_count count, MPI_Datatype datatype, int source, int tag,
                        MPI_Comm handle, MPI_Request *request)
{
    struct kp_mpi_message_args args;
    KP_MPI_SIZED_ENTER(Irecv);
    KP_MPI_COMM_OF(handle);
    const int error = kp_mpi_check_receive(self, comm, &args, buf, count, datatype, source, tag);
    return error ? error : kp_mpi_message_begin(self, comm, args, request);
}
KP_MPI_SIZED_NAMES(Irecv);

/* --- Persistent ones --- */

static int send_keep(struct kp_mpi_rank *self, const void *buffer, MPI_Count count,
                     MPI_Datatype type, int to, int tag, MPI_Comm handle, enum kp_mpi_mode mode,
                     MPI_Request *request)
{
    struct kp_mpi_message_args args;
    KP_MPI_COMM_OF(handle);
    const int error = kp_mpi_check_send(self, comm, &args, buffer, count, type, to, tag, mode);
    return error ? error : kp_mpi_message_keep(self, comm, &args, request);
}

int KP_MPI_SIZED(Send_init)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                            int tag, MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_SIZED_ENTER(Send_init);
    return send_keep(self, buf, count, datatype, dest, tag, comm, KP_MPI_STANDARD, request);
}
KP_MPI_SIZED_NAMES(Send_init);

int KP_MPI_SIZED(Bsend_init)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                             int tag, MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_SIZED_ENTER(Bsend_init);
    return send_keep(self, buf, count, datatype, dest, tag, comm, KP_MPI_BUFFERED, request);
}
KP_MPI_SIZED_NAMES(Bsend_init);

int KP_MPI_SIZED(Ssend_init)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                             int tag, MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_SIZED_ENTER(Ssend_init);
    return send_keep(self, buf, count, datatype, dest, tag, comm, KP_MPI_SYNCHRONOUS, request);
}
KP_MPI_SIZED_NAMES(Ssend_init);

int KP_MPI_SIZED(Rsend_init)(const void *buf, kp_mpi_count count, MPI_Datatype datatype, int dest,
                             int tag, MPI_Comm comm, MPI_Request *request)
{
    KP_MPI_SIZED_ENTER(Rsend_init);
    return send_keep(self, buf, count, datatype, dest, tag, comm, KP_MPI_READY, request);
}
KP_MPI_SIZED_NAMES(Rsend_init);

int KP_MPI_SIZED(Recv_init)(void *buf, kp_mpi_count count, MPI_Datatype datatype, int source,
                            int tag, MPI_Comm handle, MPI_Request *request)
{
    struct kp_mpi_message_args args;
    KP_MPI_SIZED_ENTER(Recv_init);
    KP_MPI_COMM_OF(handle);
    const int error = kp_mpi_check_receive(self, comm, &args, buf, count, datatype, source, tag);
    return error ? error : kp_mpi_message_keep(self, comm, &args, request);
}
KP_MPI_SIZED_NAMES(Recv_init);
