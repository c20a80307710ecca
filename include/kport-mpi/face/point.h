/* Messages from one rank to another, and requests.
 * mpi.h includes this header. */
#include "../mpi.h"

#ifndef KPORT_MPI_FACE_POINT_H
#define KPORT_MPI_FACE_POINT_H

KP_MPI(int, Bsend,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm));
KP_MPI(int, Bsend_init,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Buffer_attach, (void *buffer, int size));
KP_MPI(int, Buffer_detach, (void *buffer, int *size));
KP_MPI(int, Cancel, (MPI_Request * request));
/* Without a macro: another thread of the rank may call it while one waits for the request. */
KP_MPI(int, Grequest_complete, (MPI_Request request));
KP_MPI(int, Grequest_start,
       (MPI_Grequest_query_function * query_fn, MPI_Grequest_free_function *free_fn,
        MPI_Grequest_cancel_function *cancel_fn, void *extra_state, MPI_Request *request));
KP_MPI(int, Ibsend,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Improbe,
       (int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message, MPI_Status *status));
KP_MPI(int, Imrecv,
       (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request));
KP_MPI(int, Iprobe, (int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status));
KP_MPI(int, Irecv,
       (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Irsend,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Isend,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Isendrecv,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
        void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Isendrecv_replace,
       (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Issend,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Mprobe, (int source, int tag, MPI_Comm comm, MPI_Message *message, MPI_Status *status));
KP_MPI(int, Mrecv,
       (void *buf, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status));
KP_MPI(int, Probe, (int source, int tag, MPI_Comm comm, MPI_Status *status));
KP_MPI(int, Recv,
       (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
        MPI_Status *status));
KP_MPI(int, Recv_init,
       (void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Request_free, (MPI_Request * request));
KP_MPI(int, Request_get_status, (MPI_Request request, int *flag, MPI_Status *status));
KP_MPI(int, Rsend,
       (const void *ibuf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm));
KP_MPI(int, Rsend_init,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Send,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm));
KP_MPI(int, Send_init,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Sendrecv,
       (const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest, int sendtag,
        void *recvbuf, int recvcount, MPI_Datatype recvtype, int source, int recvtag, MPI_Comm comm,
        MPI_Status *status));
KP_MPI(int, Sendrecv_replace,
       (void *buf, int count, MPI_Datatype datatype, int dest, int sendtag, int source, int recvtag,
        MPI_Comm comm, MPI_Status *status));
KP_MPI(int, Ssend,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm));
KP_MPI(int, Ssend_init,
       (const void *buf, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Start, (MPI_Request * request));
KP_MPI(int, Startall, (int count, MPI_Request array_of_requests[]));
KP_MPI(int, Status_set_cancelled, (MPI_Status * status, int flag));
KP_MPI(int, Test, (MPI_Request * request, int *flag, MPI_Status *status));
KP_MPI(int, Test_cancelled, (const MPI_Status *status, int *flag));
KP_MPI(int, Testall,
       (int count, MPI_Request array_of_requests[], int *flag, MPI_Status array_of_statuses[]));
KP_MPI(int, Testany,
       (int count, MPI_Request array_of_requests[], int *index, int *flag, MPI_Status *status));
KP_MPI(int, Testsome,
       (int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
        MPI_Status array_of_statuses[]));
KP_MPI(int, Wait, (MPI_Request * request, MPI_Status *status));
KP_MPI(int, Waitall, (int count, MPI_Request array_of_requests[], MPI_Status *array_of_statuses));
KP_MPI(int, Waitany, (int count, MPI_Request array_of_requests[], int *index, MPI_Status *status));
KP_MPI(int, Waitsome,
       (int incount, MPI_Request array_of_requests[], int *outcount, int array_of_indices[],
        MPI_Status array_of_statuses[]));

#ifndef KP_NO_CALL_SITES
#define MPI_Bsend(...)                 KP_MPI_PLACED(MPI_Bsend, __VA_ARGS__)
#define PMPI_Bsend(...)                KP_MPI_PLACED(PMPI_Bsend, __VA_ARGS__)
#define MPI_Bsend_init(...)            KP_MPI_PLACED(MPI_Bsend_init, __VA_ARGS__)
#define PMPI_Bsend_init(...)           KP_MPI_PLACED(PMPI_Bsend_init, __VA_ARGS__)
#define MPI_Buffer_attach(...)         KP_MPI_PLACED(MPI_Buffer_attach, __VA_ARGS__)
#define PMPI_Buffer_attach(...)        KP_MPI_PLACED(PMPI_Buffer_attach, __VA_ARGS__)
#define MPI_Buffer_detach(...)         KP_MPI_PLACED(MPI_Buffer_detach, __VA_ARGS__)
#define PMPI_Buffer_detach(...)        KP_MPI_PLACED(PMPI_Buffer_detach, __VA_ARGS__)
#define MPI_Cancel(...)                KP_MPI_PLACED(MPI_Cancel, __VA_ARGS__)
#define PMPI_Cancel(...)               KP_MPI_PLACED(PMPI_Cancel, __VA_ARGS__)
#define MPI_Grequest_start(...)        KP_MPI_PLACED(MPI_Grequest_start, __VA_ARGS__)
#define PMPI_Grequest_start(...)       KP_MPI_PLACED(PMPI_Grequest_start, __VA_ARGS__)
#define MPI_Ibsend(...)                KP_MPI_PLACED(MPI_Ibsend, __VA_ARGS__)
#define PMPI_Ibsend(...)               KP_MPI_PLACED(PMPI_Ibsend, __VA_ARGS__)
#define MPI_Improbe(...)               KP_MPI_PLACED(MPI_Improbe, __VA_ARGS__)
#define PMPI_Improbe(...)              KP_MPI_PLACED(PMPI_Improbe, __VA_ARGS__)
#define MPI_Imrecv(...)                KP_MPI_PLACED(MPI_Imrecv, __VA_ARGS__)
#define PMPI_Imrecv(...)               KP_MPI_PLACED(PMPI_Imrecv, __VA_ARGS__)
#define MPI_Iprobe(...)                KP_MPI_PLACED(MPI_Iprobe, __VA_ARGS__)
#define PMPI_Iprobe(...)               KP_MPI_PLACED(PMPI_Iprobe, __VA_ARGS__)
#define MPI_Irecv(...)                 KP_MPI_PLACED(MPI_Irecv, __VA_ARGS__)
#define PMPI_Irecv(...)                KP_MPI_PLACED(PMPI_Irecv, __VA_ARGS__)
#define MPI_Irsend(...)                KP_MPI_PLACED(MPI_Irsend, __VA_ARGS__)
#define PMPI_Irsend(...)               KP_MPI_PLACED(PMPI_Irsend, __VA_ARGS__)
#define MPI_Isend(...)                 KP_MPI_PLACED(MPI_Isend, __VA_ARGS__)
#define PMPI_Isend(...)                KP_MPI_PLACED(PMPI_Isend, __VA_ARGS__)
#define MPI_Isendrecv(...)             KP_MPI_PLACED(MPI_Isendrecv, __VA_ARGS__)
#define PMPI_Isendrecv(...)            KP_MPI_PLACED(PMPI_Isendrecv, __VA_ARGS__)
#define MPI_Isendrecv_replace(...)     KP_MPI_PLACED(MPI_Isendrecv_replace, __VA_ARGS__)
#define PMPI_Isendrecv_replace(...)    KP_MPI_PLACED(PMPI_Isendrecv_replace, __VA_ARGS__)
#define MPI_Issend(...)                KP_MPI_PLACED(MPI_Issend, __VA_ARGS__)
#define PMPI_Issend(...)               KP_MPI_PLACED(PMPI_Issend, __VA_ARGS__)
#define MPI_Mprobe(...)                KP_MPI_PLACED(MPI_Mprobe, __VA_ARGS__)
#define PMPI_Mprobe(...)               KP_MPI_PLACED(PMPI_Mprobe, __VA_ARGS__)
#define MPI_Mrecv(...)                 KP_MPI_PLACED(MPI_Mrecv, __VA_ARGS__)
#define PMPI_Mrecv(...)                KP_MPI_PLACED(PMPI_Mrecv, __VA_ARGS__)
#define MPI_Probe(...)                 KP_MPI_PLACED(MPI_Probe, __VA_ARGS__)
#define PMPI_Probe(...)                KP_MPI_PLACED(PMPI_Probe, __VA_ARGS__)
#define MPI_Recv(...)                  KP_MPI_PLACED(MPI_Recv, __VA_ARGS__)
#define PMPI_Recv(...)                 KP_MPI_PLACED(PMPI_Recv, __VA_ARGS__)
#define MPI_Recv_init(...)             KP_MPI_PLACED(MPI_Recv_init, __VA_ARGS__)
#define PMPI_Recv_init(...)            KP_MPI_PLACED(PMPI_Recv_init, __VA_ARGS__)
#define MPI_Request_free(...)          KP_MPI_PLACED(MPI_Request_free, __VA_ARGS__)
#define PMPI_Request_free(...)         KP_MPI_PLACED(PMPI_Request_free, __VA_ARGS__)
#define MPI_Request_get_status(...)    KP_MPI_PLACED(MPI_Request_get_status, __VA_ARGS__)
#define PMPI_Request_get_status(...)   KP_MPI_PLACED(PMPI_Request_get_status, __VA_ARGS__)
#define MPI_Rsend(...)                 KP_MPI_PLACED(MPI_Rsend, __VA_ARGS__)
#define PMPI_Rsend(...)                KP_MPI_PLACED(PMPI_Rsend, __VA_ARGS__)
#define MPI_Rsend_init(...)            KP_MPI_PLACED(MPI_Rsend_init, __VA_ARGS__)
#define PMPI_Rsend_init(...)           KP_MPI_PLACED(PMPI_Rsend_init, __VA_ARGS__)
#define MPI_Send(...)                  KP_MPI_PLACED(MPI_Send, __VA_ARGS__)
#define PMPI_Send(...)                 KP_MPI_PLACED(PMPI_Send, __VA_ARGS__)
#define MPI_Send_init(...)             KP_MPI_PLACED(MPI_Send_init, __VA_ARGS__)
#define PMPI_Send_init(...)            KP_MPI_PLACED(PMPI_Send_init, __VA_ARGS__)
#define MPI_Sendrecv(...)              KP_MPI_PLACED(MPI_Sendrecv, __VA_ARGS__)
#define PMPI_Sendrecv(...)             KP_MPI_PLACED(PMPI_Sendrecv, __VA_ARGS__)
#define MPI_Sendrecv_replace(...)      KP_MPI_PLACED(MPI_Sendrecv_replace, __VA_ARGS__)
#define PMPI_Sendrecv_replace(...)     KP_MPI_PLACED(PMPI_Sendrecv_replace, __VA_ARGS__)
#define MPI_Ssend(...)                 KP_MPI_PLACED(MPI_Ssend, __VA_ARGS__)
#define PMPI_Ssend(...)                KP_MPI_PLACED(PMPI_Ssend, __VA_ARGS__)
#define MPI_Ssend_init(...)            KP_MPI_PLACED(MPI_Ssend_init, __VA_ARGS__)
#define PMPI_Ssend_init(...)           KP_MPI_PLACED(PMPI_Ssend_init, __VA_ARGS__)
#define MPI_Start(...)                 KP_MPI_PLACED(MPI_Start, __VA_ARGS__)
#define PMPI_Start(...)                KP_MPI_PLACED(PMPI_Start, __VA_ARGS__)
#define MPI_Startall(...)              KP_MPI_PLACED(MPI_Startall, __VA_ARGS__)
#define PMPI_Startall(...)             KP_MPI_PLACED(PMPI_Startall, __VA_ARGS__)
#define MPI_Status_set_cancelled(...)  KP_MPI_PLACED(MPI_Status_set_cancelled, __VA_ARGS__)
#define PMPI_Status_set_cancelled(...) KP_MPI_PLACED(PMPI_Status_set_cancelled, __VA_ARGS__)
#define MPI_Test(...)                  KP_MPI_PLACED(MPI_Test, __VA_ARGS__)
#define PMPI_Test(...)                 KP_MPI_PLACED(PMPI_Test, __VA_ARGS__)
#define MPI_Test_cancelled(...)        KP_MPI_PLACED(MPI_Test_cancelled, __VA_ARGS__)
#define PMPI_Test_cancelled(...)       KP_MPI_PLACED(PMPI_Test_cancelled, __VA_ARGS__)
#define MPI_Testall(...)               KP_MPI_PLACED(MPI_Testall, __VA_ARGS__)
#define PMPI_Testall(...)              KP_MPI_PLACED(PMPI_Testall, __VA_ARGS__)
#define MPI_Testany(...)               KP_MPI_PLACED(MPI_Testany, __VA_ARGS__)
#define PMPI_Testany(...)              KP_MPI_PLACED(PMPI_Testany, __VA_ARGS__)
#define MPI_Testsome(...)              KP_MPI_PLACED(MPI_Testsome, __VA_ARGS__)
#define PMPI_Testsome(...)             KP_MPI_PLACED(PMPI_Testsome, __VA_ARGS__)
#define MPI_Wait(...)                  KP_MPI_PLACED(MPI_Wait, __VA_ARGS__)
#define PMPI_Wait(...)                 KP_MPI_PLACED(PMPI_Wait, __VA_ARGS__)
#define MPI_Waitall(...)               KP_MPI_PLACED(MPI_Waitall, __VA_ARGS__)
#define PMPI_Waitall(...)              KP_MPI_PLACED(PMPI_Waitall, __VA_ARGS__)
#define MPI_Waitany(...)               KP_MPI_PLACED(MPI_Waitany, __VA_ARGS__)
#define PMPI_Waitany(...)              KP_MPI_PLACED(PMPI_Waitany, __VA_ARGS__)
#define MPI_Waitsome(...)              KP_MPI_PLACED(MPI_Waitsome, __VA_ARGS__)
#define PMPI_Waitsome(...)             KP_MPI_PLACED(PMPI_Waitsome, __VA_ARGS__)
#endif

#endif
