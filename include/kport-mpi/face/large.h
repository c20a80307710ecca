/* Functions with counts of type MPI_Count: their names end with _c. Those of windows and files are
 * not served.
 * mpi.h includes this header. */
#include "../mpi.h"

#ifndef KPORT_MPI_FACE_LARGE_H
#define KPORT_MPI_FACE_LARGE_H

typedef int(MPI_Datarep_conversion_function_c)(void *, MPI_Datatype, MPI_Count, void *, MPI_Offset,
                                               void *);

KP_MPI(int, Accumulate_c,
       (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
        int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
        MPI_Op op, MPI_Win win));
KP_MPI(int, Allgather_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Allgather_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Allgatherv_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
        MPI_Comm comm));
KP_MPI(int, Allgatherv_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
        MPI_Info info, MPI_Request *request));
KP_MPI(int, Allreduce_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm));
KP_MPI(int, Allreduce_init_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Alltoall_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Alltoall_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Alltoallv_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Alltoallv_init_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Alltoallw_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm));
KP_MPI(int, Alltoallw_init_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Bcast_c,
       (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm));
KP_MPI(int, Bcast_init_c,
       (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
        MPI_Info info, MPI_Request *request));
KP_MPI(int, Bsend_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm));
KP_MPI(int, Bsend_init_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Buffer_attach_c, (void *buffer, MPI_Count size));
KP_MPI(int, Buffer_detach_c, (void *buffer, MPI_Count *size));
KP_MPI(int, Exscan_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm));
KP_MPI(int, Exscan_init_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, File_get_type_extent_c, (MPI_File fh, MPI_Datatype datatype, MPI_Count *extent));
KP_MPI(int, File_iread_all_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_iread_at_all_c,
       (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iread_at_c,
       (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iread_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_iread_shared_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_iwrite_all_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iwrite_at_all_c,
       (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iwrite_at_c,
       (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iwrite_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iwrite_shared_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_read_all_begin_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype));
KP_MPI(int, File_read_all_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_read_at_all_begin_c,
       (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype));
KP_MPI(int, File_read_at_all_c,
       (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Status *status));
KP_MPI(int, File_read_at_c,
       (MPI_File fh, MPI_Offset offset, void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Status *status));
KP_MPI(int, File_read_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_read_ordered_begin_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype));
KP_MPI(int, File_read_ordered_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_read_shared_c,
       (MPI_File fh, void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_write_all_begin_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype));
KP_MPI(int, File_write_all_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_write_at_all_begin_c,
       (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype));
KP_MPI(int, File_write_at_all_c,
       (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Status *status));
KP_MPI(int, File_write_at_c,
       (MPI_File fh, MPI_Offset offset, const void *buf, MPI_Count count, MPI_Datatype datatype,
        MPI_Status *status));
KP_MPI(int, File_write_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_write_ordered_begin_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype));
KP_MPI(int, File_write_ordered_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_write_shared_c,
       (MPI_File fh, const void *buf, MPI_Count count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, Gather_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm));
KP_MPI(int, Gather_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Gatherv_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
        MPI_Comm comm));
KP_MPI(int, Gatherv_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Get_accumulate_c,
       (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
        void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank,
        MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
        MPI_Win win));
KP_MPI(int, Get_c,
       (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
        MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win));
KP_MPI(int, Get_count_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count));
KP_MPI(int, Get_elements_c, (const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count));
KP_MPI(int, Iallgather_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Iallgatherv_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Iallreduce_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ialltoall_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ialltoallv_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ialltoallw_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Ibcast_c,
       (void *buffer, MPI_Count count, MPI_Datatype datatype, int root, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Ibsend_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Iexscan_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Igather_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Igatherv_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, int root,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Imrecv_c,
       (void *buf, MPI_Count count, MPI_Datatype type, MPI_Message *message, MPI_Request *request));
KP_MPI(int, Ineighbor_allgather_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ineighbor_allgatherv_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Ineighbor_alltoall_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ineighbor_alltoallv_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ineighbor_alltoallw_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Irecv_c,
       (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Ireduce_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        int root, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ireduce_scatter_block_c,
       (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Ireduce_scatter_c,
       (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
        MPI_Op op, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Irsend_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Iscan_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Iscatter_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Iscatterv_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
        MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Isend_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Isendrecv_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
        void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
        MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Isendrecv_replace_c,
       (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
        int recvtag, MPI_Comm comm, MPI_Request *request));
KP_MPI(int, Issend_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Mrecv_c,
       (void *buf, MPI_Count count, MPI_Datatype type, MPI_Message *message, MPI_Status *status));
KP_MPI(int, Neighbor_allgather_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Neighbor_allgather_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Neighbor_allgatherv_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype,
        MPI_Comm comm));
KP_MPI(int, Neighbor_allgatherv_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        const MPI_Count recvcounts[], const MPI_Aint displs[], MPI_Datatype recvtype, MPI_Comm comm,
        MPI_Info info, MPI_Request *request));
KP_MPI(int, Neighbor_alltoall_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Neighbor_alltoall_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Neighbor_alltoallv_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm));
KP_MPI(int, Neighbor_alltoallv_init_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        MPI_Datatype sendtype, void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], MPI_Datatype recvtype, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Neighbor_alltoallw_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm));
KP_MPI(int, Neighbor_alltoallw_init_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint sdispls[],
        const MPI_Datatype sendtypes[], void *recvbuf, const MPI_Count recvcounts[],
        const MPI_Aint rdispls[], const MPI_Datatype recvtypes[], MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Op_create_c, (MPI_User_function_c * user_fn, int commute, MPI_Op *op));
KP_MPI(int, Pack_c,
       (const void *inbuf, MPI_Count incount, MPI_Datatype datatype, void *outbuf,
        MPI_Count outsize, MPI_Count *position, MPI_Comm comm));
KP_MPI(int, Pack_external_c,
       (const char datarep[], const void *inbuf, MPI_Count incount, MPI_Datatype datatype,
        void *outbuf, MPI_Count outsize, MPI_Count *position));
KP_MPI(int, Pack_external_size_c,
       (const char datarep[], MPI_Count incount, MPI_Datatype datatype, MPI_Count *size));
KP_MPI(int, Pack_size_c,
       (MPI_Count incount, MPI_Datatype datatype, MPI_Comm comm, MPI_Count *size));
KP_MPI(int, Put_c,
       (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
        int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
        MPI_Win win));
KP_MPI(int, Raccumulate_c,
       (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
        int target_rank, MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype,
        MPI_Op op, MPI_Win win, MPI_Request *request));
KP_MPI(int, Recv_c,
       (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
        MPI_Status *status));
KP_MPI(int, Recv_init_c,
       (void *buf, MPI_Count count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Reduce_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        int root, MPI_Comm comm));
KP_MPI(int, Reduce_init_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        int root, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Reduce_local_c,
       (const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op));
KP_MPI(int, Reduce_scatter_block_c,
       (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm));
KP_MPI(int, Reduce_scatter_block_init_c,
       (const void *sendbuf, void *recvbuf, MPI_Count recvcount, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Reduce_scatter_c,
       (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
        MPI_Op op, MPI_Comm comm));
KP_MPI(int, Reduce_scatter_init_c,
       (const void *sendbuf, void *recvbuf, const MPI_Count recvcounts[], MPI_Datatype datatype,
        MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Register_datarep_c,
       (const char *datarep, MPI_Datarep_conversion_function_c *read_conversion_fn,
        MPI_Datarep_conversion_function_c *write_conversion_fn,
        MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state));
KP_MPI(int, Rget_accumulate_c,
       (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
        void *result_addr, MPI_Count result_count, MPI_Datatype result_datatype, int target_rank,
        MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Op op,
        MPI_Win win, MPI_Request *request));
KP_MPI(int, Rget_c,
       (void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype, int target_rank,
        MPI_Aint target_disp, MPI_Count target_count, MPI_Datatype target_datatype, MPI_Win win,
        MPI_Request *request));
KP_MPI(int, Rput_c,
       (const void *origin_addr, MPI_Count origin_count, MPI_Datatype origin_datatype,
        int target_rank, MPI_Aint target_disp, int target_cout, MPI_Datatype target_datatype,
        MPI_Win win, MPI_Request *request));
KP_MPI(int, Rsend_c,
       (const void *ibuf, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
        MPI_Comm comm));
KP_MPI(int, Rsend_init_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Scan_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm));
KP_MPI(int, Scan_init_c,
       (const void *sendbuf, void *recvbuf, MPI_Count count, MPI_Datatype datatype, MPI_Op op,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Scatter_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm));
KP_MPI(int, Scatter_init_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, void *recvbuf,
        MPI_Count recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Info info,
        MPI_Request *request));
KP_MPI(int, Scatterv_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
        MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
        MPI_Comm comm));
KP_MPI(int, Scatterv_init_c,
       (const void *sendbuf, const MPI_Count sendcounts[], const MPI_Aint displs[],
        MPI_Datatype sendtype, void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int root,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Send_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm));
KP_MPI(int, Send_init_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Sendrecv_c,
       (const void *sendbuf, MPI_Count sendcount, MPI_Datatype sendtype, int dest, int sendtag,
        void *recvbuf, MPI_Count recvcount, MPI_Datatype recvtype, int source, int recvtag,
        MPI_Comm comm, MPI_Status *status));
KP_MPI(int, Sendrecv_replace_c,
       (void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int sendtag, int source,
        int recvtag, MPI_Comm comm, MPI_Status *status));
KP_MPI(int, Ssend_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm));
KP_MPI(int, Ssend_init_c,
       (const void *buf, MPI_Count count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
        MPI_Request *request));
KP_MPI(int, Type_contiguous_c, (MPI_Count count, MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_create_darray_c,
       (int size, int rank, int ndims, const MPI_Count gsizes[], const int distribs[],
        const int dargs[], const int psizes[], int order, MPI_Datatype oldtype,
        MPI_Datatype *newtype));
KP_MPI(int, Type_create_hindexed_block_c,
       (MPI_Count count, MPI_Count blocklength, const MPI_Count displacements[],
        MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_create_hindexed_c,
       (MPI_Count count, const MPI_Count lengths[], const MPI_Count displacements[],
        MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_create_hvector_c,
       (MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
        MPI_Datatype *newtype));
KP_MPI(int, Type_create_indexed_block_c,
       (MPI_Count count, MPI_Count blocklength, const MPI_Count displacements[],
        MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_create_resized_c,
       (MPI_Datatype oldtype, MPI_Count lb, MPI_Count extent, MPI_Datatype *newtype));
KP_MPI(int, Type_create_struct_c,
       (MPI_Count count, const MPI_Count lengths[], const MPI_Count displacements[],
        const MPI_Datatype types[], MPI_Datatype *newtype));
KP_MPI(int, Type_create_subarray_c,
       (int ndims, const MPI_Count sizes[], const MPI_Count subsizes[], const MPI_Count starts[],
        int order, MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_get_contents_c,
       (MPI_Datatype datatype, MPI_Count max_integers, MPI_Count max_addresses,
        MPI_Count max_large_counts, MPI_Count max_datatypes, int integers[], MPI_Aint addresses[],
        MPI_Count large_counts[], MPI_Datatype datatypes[]));
KP_MPI(int, Type_get_envelope_c,
       (MPI_Datatype datatype, MPI_Count *num_integers, MPI_Count *num_addresses,
        MPI_Count *num_large_counts, MPI_Count *num_datatypes, int *combiner));
KP_MPI(int, Type_get_extent_c, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent));
KP_MPI(int, Type_get_true_extent_c, (MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent));
KP_MPI(int, Type_indexed_c,
       (MPI_Count count, const MPI_Count lengths[], const MPI_Count displacements[],
        MPI_Datatype oldtype, MPI_Datatype *newtype));
KP_MPI(int, Type_size_c, (MPI_Datatype datatype, MPI_Count *size));
KP_MPI(int, Type_vector_c,
       (MPI_Count count, MPI_Count blocklength, MPI_Count stride, MPI_Datatype oldtype,
        MPI_Datatype *newtype));
KP_MPI(int, Unpack_c,
       (const void *inbuf, MPI_Count insize, MPI_Count *position, void *outbuf, MPI_Count outcount,
        MPI_Datatype datatype, MPI_Comm comm));
KP_MPI(int, Unpack_external_c,
       (const char datarep[], const void *inbuf, MPI_Count insize, MPI_Count *position,
        void *outbuf, MPI_Count outcount, MPI_Datatype datatype));
KP_MPI(int, Win_allocate_c,
       (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
        MPI_Win *win));
KP_MPI(int, Win_allocate_shared_c,
       (MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr,
        MPI_Win *win));
KP_MPI(int, Win_create_c,
       (void *base, MPI_Aint size, MPI_Aint disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win));
KP_MPI(int, Win_shared_query_c,
       (MPI_Win win, int rank, MPI_Aint *size, MPI_Aint *disp_unit, void *baseptr));

#ifndef KP_NO_CALL_SITES
#define MPI_Accumulate_c(...)              KP_MPI_PLACED(MPI_Accumulate_c, __VA_ARGS__)
#define PMPI_Accumulate_c(...)             KP_MPI_PLACED(PMPI_Accumulate_c, __VA_ARGS__)
#define MPI_Allgather_c(...)               KP_MPI_PLACED(MPI_Allgather_c, __VA_ARGS__)
#define PMPI_Allgather_c(...)              KP_MPI_PLACED(PMPI_Allgather_c, __VA_ARGS__)
#define MPI_Allgather_init_c(...)          KP_MPI_PLACED(MPI_Allgather_init_c, __VA_ARGS__)
#define PMPI_Allgather_init_c(...)         KP_MPI_PLACED(PMPI_Allgather_init_c, __VA_ARGS__)
#define MPI_Allgatherv_c(...)              KP_MPI_PLACED(MPI_Allgatherv_c, __VA_ARGS__)
#define PMPI_Allgatherv_c(...)             KP_MPI_PLACED(PMPI_Allgatherv_c, __VA_ARGS__)
#define MPI_Allgatherv_init_c(...)         KP_MPI_PLACED(MPI_Allgatherv_init_c, __VA_ARGS__)
#define PMPI_Allgatherv_init_c(...)        KP_MPI_PLACED(PMPI_Allgatherv_init_c, __VA_ARGS__)
#define MPI_Allreduce_c(...)               KP_MPI_PLACED(MPI_Allreduce_c, __VA_ARGS__)
#define PMPI_Allreduce_c(...)              KP_MPI_PLACED(PMPI_Allreduce_c, __VA_ARGS__)
#define MPI_Allreduce_init_c(...)          KP_MPI_PLACED(MPI_Allreduce_init_c, __VA_ARGS__)
#define PMPI_Allreduce_init_c(...)         KP_MPI_PLACED(PMPI_Allreduce_init_c, __VA_ARGS__)
#define MPI_Alltoall_c(...)                KP_MPI_PLACED(MPI_Alltoall_c, __VA_ARGS__)
#define PMPI_Alltoall_c(...)               KP_MPI_PLACED(PMPI_Alltoall_c, __VA_ARGS__)
#define MPI_Alltoall_init_c(...)           KP_MPI_PLACED(MPI_Alltoall_init_c, __VA_ARGS__)
#define PMPI_Alltoall_init_c(...)          KP_MPI_PLACED(PMPI_Alltoall_init_c, __VA_ARGS__)
#define MPI_Alltoallv_c(...)               KP_MPI_PLACED(MPI_Alltoallv_c, __VA_ARGS__)
#define PMPI_Alltoallv_c(...)              KP_MPI_PLACED(PMPI_Alltoallv_c, __VA_ARGS__)
#define MPI_Alltoallv_init_c(...)          KP_MPI_PLACED(MPI_Alltoallv_init_c, __VA_ARGS__)
#define PMPI_Alltoallv_init_c(...)         KP_MPI_PLACED(PMPI_Alltoallv_init_c, __VA_ARGS__)
#define MPI_Alltoallw_c(...)               KP_MPI_PLACED(MPI_Alltoallw_c, __VA_ARGS__)
#define PMPI_Alltoallw_c(...)              KP_MPI_PLACED(PMPI_Alltoallw_c, __VA_ARGS__)
#define MPI_Alltoallw_init_c(...)          KP_MPI_PLACED(MPI_Alltoallw_init_c, __VA_ARGS__)
#define PMPI_Alltoallw_init_c(...)         KP_MPI_PLACED(PMPI_Alltoallw_init_c, __VA_ARGS__)
#define MPI_Bcast_c(...)                   KP_MPI_PLACED(MPI_Bcast_c, __VA_ARGS__)
#define PMPI_Bcast_c(...)                  KP_MPI_PLACED(PMPI_Bcast_c, __VA_ARGS__)
#define MPI_Bcast_init_c(...)              KP_MPI_PLACED(MPI_Bcast_init_c, __VA_ARGS__)
#define PMPI_Bcast_init_c(...)             KP_MPI_PLACED(PMPI_Bcast_init_c, __VA_ARGS__)
#define MPI_Bsend_c(...)                   KP_MPI_PLACED(MPI_Bsend_c, __VA_ARGS__)
#define PMPI_Bsend_c(...)                  KP_MPI_PLACED(PMPI_Bsend_c, __VA_ARGS__)
#define MPI_Bsend_init_c(...)              KP_MPI_PLACED(MPI_Bsend_init_c, __VA_ARGS__)
#define PMPI_Bsend_init_c(...)             KP_MPI_PLACED(PMPI_Bsend_init_c, __VA_ARGS__)
#define MPI_Buffer_attach_c(...)           KP_MPI_PLACED(MPI_Buffer_attach_c, __VA_ARGS__)
#define PMPI_Buffer_attach_c(...)          KP_MPI_PLACED(PMPI_Buffer_attach_c, __VA_ARGS__)
#define MPI_Buffer_detach_c(...)           KP_MPI_PLACED(MPI_Buffer_detach_c, __VA_ARGS__)
#define PMPI_Buffer_detach_c(...)          KP_MPI_PLACED(PMPI_Buffer_detach_c, __VA_ARGS__)
#define MPI_Exscan_c(...)                  KP_MPI_PLACED(MPI_Exscan_c, __VA_ARGS__)
#define PMPI_Exscan_c(...)                 KP_MPI_PLACED(PMPI_Exscan_c, __VA_ARGS__)
#define MPI_Exscan_init_c(...)             KP_MPI_PLACED(MPI_Exscan_init_c, __VA_ARGS__)
#define PMPI_Exscan_init_c(...)            KP_MPI_PLACED(PMPI_Exscan_init_c, __VA_ARGS__)
#define MPI_File_get_type_extent_c(...)    KP_MPI_PLACED(MPI_File_get_type_extent_c, __VA_ARGS__)
#define PMPI_File_get_type_extent_c(...)   KP_MPI_PLACED(PMPI_File_get_type_extent_c, __VA_ARGS__)
#define MPI_File_iread_all_c(...)          KP_MPI_PLACED(MPI_File_iread_all_c, __VA_ARGS__)
#define PMPI_File_iread_all_c(...)         KP_MPI_PLACED(PMPI_File_iread_all_c, __VA_ARGS__)
#define MPI_File_iread_at_all_c(...)       KP_MPI_PLACED(MPI_File_iread_at_all_c, __VA_ARGS__)
#define PMPI_File_iread_at_all_c(...)      KP_MPI_PLACED(PMPI_File_iread_at_all_c, __VA_ARGS__)
#define MPI_File_iread_at_c(...)           KP_MPI_PLACED(MPI_File_iread_at_c, __VA_ARGS__)
#define PMPI_File_iread_at_c(...)          KP_MPI_PLACED(PMPI_File_iread_at_c, __VA_ARGS__)
#define MPI_File_iread_c(...)              KP_MPI_PLACED(MPI_File_iread_c, __VA_ARGS__)
#define PMPI_File_iread_c(...)             KP_MPI_PLACED(PMPI_File_iread_c, __VA_ARGS__)
#define MPI_File_iread_shared_c(...)       KP_MPI_PLACED(MPI_File_iread_shared_c, __VA_ARGS__)
#define PMPI_File_iread_shared_c(...)      KP_MPI_PLACED(PMPI_File_iread_shared_c, __VA_ARGS__)
#define MPI_File_iwrite_all_c(...)         KP_MPI_PLACED(MPI_File_iwrite_all_c, __VA_ARGS__)
#define PMPI_File_iwrite_all_c(...)        KP_MPI_PLACED(PMPI_File_iwrite_all_c, __VA_ARGS__)
#define MPI_File_iwrite_at_all_c(...)      KP_MPI_PLACED(MPI_File_iwrite_at_all_c, __VA_ARGS__)
#define PMPI_File_iwrite_at_all_c(...)     KP_MPI_PLACED(PMPI_File_iwrite_at_all_c, __VA_ARGS__)
#define MPI_File_iwrite_at_c(...)          KP_MPI_PLACED(MPI_File_iwrite_at_c, __VA_ARGS__)
#define PMPI_File_iwrite_at_c(...)         KP_MPI_PLACED(PMPI_File_iwrite_at_c, __VA_ARGS__)
#define MPI_File_iwrite_c(...)             KP_MPI_PLACED(MPI_File_iwrite_c, __VA_ARGS__)
#define PMPI_File_iwrite_c(...)            KP_MPI_PLACED(PMPI_File_iwrite_c, __VA_ARGS__)
#define MPI_File_iwrite_shared_c(...)      KP_MPI_PLACED(MPI_File_iwrite_shared_c, __VA_ARGS__)
#define PMPI_File_iwrite_shared_c(...)     KP_MPI_PLACED(PMPI_File_iwrite_shared_c, __VA_ARGS__)
#define MPI_File_read_all_begin_c(...)     KP_MPI_PLACED(MPI_File_read_all_begin_c, __VA_ARGS__)
#define PMPI_File_read_all_begin_c(...)    KP_MPI_PLACED(PMPI_File_read_all_begin_c, __VA_ARGS__)
#define MPI_File_read_all_c(...)           KP_MPI_PLACED(MPI_File_read_all_c, __VA_ARGS__)
#define PMPI_File_read_all_c(...)          KP_MPI_PLACED(PMPI_File_read_all_c, __VA_ARGS__)
#define MPI_File_read_at_all_begin_c(...)  KP_MPI_PLACED(MPI_File_read_at_all_begin_c, __VA_ARGS__)
#define PMPI_File_read_at_all_begin_c(...) KP_MPI_PLACED(PMPI_File_read_at_all_begin_c, __VA_ARGS__)
#define MPI_File_read_at_all_c(...)        KP_MPI_PLACED(MPI_File_read_at_all_c, __VA_ARGS__)
#define PMPI_File_read_at_all_c(...)       KP_MPI_PLACED(PMPI_File_read_at_all_c, __VA_ARGS__)
#define MPI_File_read_at_c(...)            KP_MPI_PLACED(MPI_File_read_at_c, __VA_ARGS__)
#define PMPI_File_read_at_c(...)           KP_MPI_PLACED(PMPI_File_read_at_c, __VA_ARGS__)
#define MPI_File_read_c(...)               KP_MPI_PLACED(MPI_File_read_c, __VA_ARGS__)
#define PMPI_File_read_c(...)              KP_MPI_PLACED(PMPI_File_read_c, __VA_ARGS__)
#define MPI_File_read_ordered_begin_c(...) KP_MPI_PLACED(MPI_File_read_ordered_begin_c, __VA_ARGS__)
#define PMPI_File_read_ordered_begin_c(...)                                                        \
    KP_MPI_PLACED(PMPI_File_read_ordered_begin_c, __VA_ARGS__)
#define MPI_File_read_ordered_c(...)       KP_MPI_PLACED(MPI_File_read_ordered_c, __VA_ARGS__)
#define PMPI_File_read_ordered_c(...)      KP_MPI_PLACED(PMPI_File_read_ordered_c, __VA_ARGS__)
#define MPI_File_read_shared_c(...)        KP_MPI_PLACED(MPI_File_read_shared_c, __VA_ARGS__)
#define PMPI_File_read_shared_c(...)       KP_MPI_PLACED(PMPI_File_read_shared_c, __VA_ARGS__)
#define MPI_File_write_all_begin_c(...)    KP_MPI_PLACED(MPI_File_write_all_begin_c, __VA_ARGS__)
#define PMPI_File_write_all_begin_c(...)   KP_MPI_PLACED(PMPI_File_write_all_begin_c, __VA_ARGS__)
#define MPI_File_write_all_c(...)          KP_MPI_PLACED(MPI_File_write_all_c, __VA_ARGS__)
#define PMPI_File_write_all_c(...)         KP_MPI_PLACED(PMPI_File_write_all_c, __VA_ARGS__)
#define MPI_File_write_at_all_begin_c(...) KP_MPI_PLACED(MPI_File_write_at_all_begin_c, __VA_ARGS__)
#define PMPI_File_write_at_all_begin_c(...)                                                        \
    KP_MPI_PLACED(PMPI_File_write_at_all_begin_c, __VA_ARGS__)
#define MPI_File_write_at_all_c(...)  KP_MPI_PLACED(MPI_File_write_at_all_c, __VA_ARGS__)
#define PMPI_File_write_at_all_c(...) KP_MPI_PLACED(PMPI_File_write_at_all_c, __VA_ARGS__)
#define MPI_File_write_at_c(...)      KP_MPI_PLACED(MPI_File_write_at_c, __VA_ARGS__)
#define PMPI_File_write_at_c(...)     KP_MPI_PLACED(PMPI_File_write_at_c, __VA_ARGS__)
#define MPI_File_write_c(...)         KP_MPI_PLACED(MPI_File_write_c, __VA_ARGS__)
#define PMPI_File_write_c(...)        KP_MPI_PLACED(PMPI_File_write_c, __VA_ARGS__)
#define MPI_File_write_ordered_begin_c(...)                                                        \
    KP_MPI_PLACED(MPI_File_write_ordered_begin_c, __VA_ARGS__)
#define PMPI_File_write_ordered_begin_c(...)                                                       \
    KP_MPI_PLACED(PMPI_File_write_ordered_begin_c, __VA_ARGS__)
#define MPI_File_write_ordered_c(...)      KP_MPI_PLACED(MPI_File_write_ordered_c, __VA_ARGS__)
#define PMPI_File_write_ordered_c(...)     KP_MPI_PLACED(PMPI_File_write_ordered_c, __VA_ARGS__)
#define MPI_File_write_shared_c(...)       KP_MPI_PLACED(MPI_File_write_shared_c, __VA_ARGS__)
#define PMPI_File_write_shared_c(...)      KP_MPI_PLACED(PMPI_File_write_shared_c, __VA_ARGS__)
#define MPI_Gather_c(...)                  KP_MPI_PLACED(MPI_Gather_c, __VA_ARGS__)
#define PMPI_Gather_c(...)                 KP_MPI_PLACED(PMPI_Gather_c, __VA_ARGS__)
#define MPI_Gather_init_c(...)             KP_MPI_PLACED(MPI_Gather_init_c, __VA_ARGS__)
#define PMPI_Gather_init_c(...)            KP_MPI_PLACED(PMPI_Gather_init_c, __VA_ARGS__)
#define MPI_Gatherv_c(...)                 KP_MPI_PLACED(MPI_Gatherv_c, __VA_ARGS__)
#define PMPI_Gatherv_c(...)                KP_MPI_PLACED(PMPI_Gatherv_c, __VA_ARGS__)
#define MPI_Gatherv_init_c(...)            KP_MPI_PLACED(MPI_Gatherv_init_c, __VA_ARGS__)
#define PMPI_Gatherv_init_c(...)           KP_MPI_PLACED(PMPI_Gatherv_init_c, __VA_ARGS__)
#define MPI_Get_accumulate_c(...)          KP_MPI_PLACED(MPI_Get_accumulate_c, __VA_ARGS__)
#define PMPI_Get_accumulate_c(...)         KP_MPI_PLACED(PMPI_Get_accumulate_c, __VA_ARGS__)
#define MPI_Get_c(...)                     KP_MPI_PLACED(MPI_Get_c, __VA_ARGS__)
#define PMPI_Get_c(...)                    KP_MPI_PLACED(PMPI_Get_c, __VA_ARGS__)
#define MPI_Get_count_c(...)               KP_MPI_PLACED(MPI_Get_count_c, __VA_ARGS__)
#define PMPI_Get_count_c(...)              KP_MPI_PLACED(PMPI_Get_count_c, __VA_ARGS__)
#define MPI_Get_elements_c(...)            KP_MPI_PLACED(MPI_Get_elements_c, __VA_ARGS__)
#define PMPI_Get_elements_c(...)           KP_MPI_PLACED(PMPI_Get_elements_c, __VA_ARGS__)
#define MPI_Iallgather_c(...)              KP_MPI_PLACED(MPI_Iallgather_c, __VA_ARGS__)
#define PMPI_Iallgather_c(...)             KP_MPI_PLACED(PMPI_Iallgather_c, __VA_ARGS__)
#define MPI_Iallgatherv_c(...)             KP_MPI_PLACED(MPI_Iallgatherv_c, __VA_ARGS__)
#define PMPI_Iallgatherv_c(...)            KP_MPI_PLACED(PMPI_Iallgatherv_c, __VA_ARGS__)
#define MPI_Iallreduce_c(...)              KP_MPI_PLACED(MPI_Iallreduce_c, __VA_ARGS__)
#define PMPI_Iallreduce_c(...)             KP_MPI_PLACED(PMPI_Iallreduce_c, __VA_ARGS__)
#define MPI_Ialltoall_c(...)               KP_MPI_PLACED(MPI_Ialltoall_c, __VA_ARGS__)
#define PMPI_Ialltoall_c(...)              KP_MPI_PLACED(PMPI_Ialltoall_c, __VA_ARGS__)
#define MPI_Ialltoallv_c(...)              KP_MPI_PLACED(MPI_Ialltoallv_c, __VA_ARGS__)
#define PMPI_Ialltoallv_c(...)             KP_MPI_PLACED(PMPI_Ialltoallv_c, __VA_ARGS__)
#define MPI_Ialltoallw_c(...)              KP_MPI_PLACED(MPI_Ialltoallw_c, __VA_ARGS__)
#define PMPI_Ialltoallw_c(...)             KP_MPI_PLACED(PMPI_Ialltoallw_c, __VA_ARGS__)
#define MPI_Ibcast_c(...)                  KP_MPI_PLACED(MPI_Ibcast_c, __VA_ARGS__)
#define PMPI_Ibcast_c(...)                 KP_MPI_PLACED(PMPI_Ibcast_c, __VA_ARGS__)
#define MPI_Ibsend_c(...)                  KP_MPI_PLACED(MPI_Ibsend_c, __VA_ARGS__)
#define PMPI_Ibsend_c(...)                 KP_MPI_PLACED(PMPI_Ibsend_c, __VA_ARGS__)
#define MPI_Iexscan_c(...)                 KP_MPI_PLACED(MPI_Iexscan_c, __VA_ARGS__)
#define PMPI_Iexscan_c(...)                KP_MPI_PLACED(PMPI_Iexscan_c, __VA_ARGS__)
#define MPI_Igather_c(...)                 KP_MPI_PLACED(MPI_Igather_c, __VA_ARGS__)
#define PMPI_Igather_c(...)                KP_MPI_PLACED(PMPI_Igather_c, __VA_ARGS__)
#define MPI_Igatherv_c(...)                KP_MPI_PLACED(MPI_Igatherv_c, __VA_ARGS__)
#define PMPI_Igatherv_c(...)               KP_MPI_PLACED(PMPI_Igatherv_c, __VA_ARGS__)
#define MPI_Imrecv_c(...)                  KP_MPI_PLACED(MPI_Imrecv_c, __VA_ARGS__)
#define PMPI_Imrecv_c(...)                 KP_MPI_PLACED(PMPI_Imrecv_c, __VA_ARGS__)
#define MPI_Ineighbor_allgather_c(...)     KP_MPI_PLACED(MPI_Ineighbor_allgather_c, __VA_ARGS__)
#define PMPI_Ineighbor_allgather_c(...)    KP_MPI_PLACED(PMPI_Ineighbor_allgather_c, __VA_ARGS__)
#define MPI_Ineighbor_allgatherv_c(...)    KP_MPI_PLACED(MPI_Ineighbor_allgatherv_c, __VA_ARGS__)
#define PMPI_Ineighbor_allgatherv_c(...)   KP_MPI_PLACED(PMPI_Ineighbor_allgatherv_c, __VA_ARGS__)
#define MPI_Ineighbor_alltoall_c(...)      KP_MPI_PLACED(MPI_Ineighbor_alltoall_c, __VA_ARGS__)
#define PMPI_Ineighbor_alltoall_c(...)     KP_MPI_PLACED(PMPI_Ineighbor_alltoall_c, __VA_ARGS__)
#define MPI_Ineighbor_alltoallv_c(...)     KP_MPI_PLACED(MPI_Ineighbor_alltoallv_c, __VA_ARGS__)
#define PMPI_Ineighbor_alltoallv_c(...)    KP_MPI_PLACED(PMPI_Ineighbor_alltoallv_c, __VA_ARGS__)
#define MPI_Ineighbor_alltoallw_c(...)     KP_MPI_PLACED(MPI_Ineighbor_alltoallw_c, __VA_ARGS__)
#define PMPI_Ineighbor_alltoallw_c(...)    KP_MPI_PLACED(PMPI_Ineighbor_alltoallw_c, __VA_ARGS__)
#define MPI_Irecv_c(...)                   KP_MPI_PLACED(MPI_Irecv_c, __VA_ARGS__)
#define PMPI_Irecv_c(...)                  KP_MPI_PLACED(PMPI_Irecv_c, __VA_ARGS__)
#define MPI_Ireduce_c(...)                 KP_MPI_PLACED(MPI_Ireduce_c, __VA_ARGS__)
#define PMPI_Ireduce_c(...)                KP_MPI_PLACED(PMPI_Ireduce_c, __VA_ARGS__)
#define MPI_Ireduce_scatter_block_c(...)   KP_MPI_PLACED(MPI_Ireduce_scatter_block_c, __VA_ARGS__)
#define PMPI_Ireduce_scatter_block_c(...)  KP_MPI_PLACED(PMPI_Ireduce_scatter_block_c, __VA_ARGS__)
#define MPI_Ireduce_scatter_c(...)         KP_MPI_PLACED(MPI_Ireduce_scatter_c, __VA_ARGS__)
#define PMPI_Ireduce_scatter_c(...)        KP_MPI_PLACED(PMPI_Ireduce_scatter_c, __VA_ARGS__)
#define MPI_Irsend_c(...)                  KP_MPI_PLACED(MPI_Irsend_c, __VA_ARGS__)
#define PMPI_Irsend_c(...)                 KP_MPI_PLACED(PMPI_Irsend_c, __VA_ARGS__)
#define MPI_Iscan_c(...)                   KP_MPI_PLACED(MPI_Iscan_c, __VA_ARGS__)
#define PMPI_Iscan_c(...)                  KP_MPI_PLACED(PMPI_Iscan_c, __VA_ARGS__)
#define MPI_Iscatter_c(...)                KP_MPI_PLACED(MPI_Iscatter_c, __VA_ARGS__)
#define PMPI_Iscatter_c(...)               KP_MPI_PLACED(PMPI_Iscatter_c, __VA_ARGS__)
#define MPI_Iscatterv_c(...)               KP_MPI_PLACED(MPI_Iscatterv_c, __VA_ARGS__)
#define PMPI_Iscatterv_c(...)              KP_MPI_PLACED(PMPI_Iscatterv_c, __VA_ARGS__)
#define MPI_Isend_c(...)                   KP_MPI_PLACED(MPI_Isend_c, __VA_ARGS__)
#define PMPI_Isend_c(...)                  KP_MPI_PLACED(PMPI_Isend_c, __VA_ARGS__)
#define MPI_Isendrecv_c(...)               KP_MPI_PLACED(MPI_Isendrecv_c, __VA_ARGS__)
#define PMPI_Isendrecv_c(...)              KP_MPI_PLACED(PMPI_Isendrecv_c, __VA_ARGS__)
#define MPI_Isendrecv_replace_c(...)       KP_MPI_PLACED(MPI_Isendrecv_replace_c, __VA_ARGS__)
#define PMPI_Isendrecv_replace_c(...)      KP_MPI_PLACED(PMPI_Isendrecv_replace_c, __VA_ARGS__)
#define MPI_Issend_c(...)                  KP_MPI_PLACED(MPI_Issend_c, __VA_ARGS__)
#define PMPI_Issend_c(...)                 KP_MPI_PLACED(PMPI_Issend_c, __VA_ARGS__)
#define MPI_Mrecv_c(...)                   KP_MPI_PLACED(MPI_Mrecv_c, __VA_ARGS__)
#define PMPI_Mrecv_c(...)                  KP_MPI_PLACED(PMPI_Mrecv_c, __VA_ARGS__)
#define MPI_Neighbor_allgather_c(...)      KP_MPI_PLACED(MPI_Neighbor_allgather_c, __VA_ARGS__)
#define PMPI_Neighbor_allgather_c(...)     KP_MPI_PLACED(PMPI_Neighbor_allgather_c, __VA_ARGS__)
#define MPI_Neighbor_allgather_init_c(...) KP_MPI_PLACED(MPI_Neighbor_allgather_init_c, __VA_ARGS__)
#define PMPI_Neighbor_allgather_init_c(...)                                                        \
    KP_MPI_PLACED(PMPI_Neighbor_allgather_init_c, __VA_ARGS__)
#define MPI_Neighbor_allgatherv_c(...)  KP_MPI_PLACED(MPI_Neighbor_allgatherv_c, __VA_ARGS__)
#define PMPI_Neighbor_allgatherv_c(...) KP_MPI_PLACED(PMPI_Neighbor_allgatherv_c, __VA_ARGS__)
#define MPI_Neighbor_allgatherv_init_c(...)                                                        \
    KP_MPI_PLACED(MPI_Neighbor_allgatherv_init_c, __VA_ARGS__)
#define PMPI_Neighbor_allgatherv_init_c(...)                                                       \
    KP_MPI_PLACED(PMPI_Neighbor_allgatherv_init_c, __VA_ARGS__)
#define MPI_Neighbor_alltoall_c(...)       KP_MPI_PLACED(MPI_Neighbor_alltoall_c, __VA_ARGS__)
#define PMPI_Neighbor_alltoall_c(...)      KP_MPI_PLACED(PMPI_Neighbor_alltoall_c, __VA_ARGS__)
#define MPI_Neighbor_alltoall_init_c(...)  KP_MPI_PLACED(MPI_Neighbor_alltoall_init_c, __VA_ARGS__)
#define PMPI_Neighbor_alltoall_init_c(...) KP_MPI_PLACED(PMPI_Neighbor_alltoall_init_c, __VA_ARGS__)
#define MPI_Neighbor_alltoallv_c(...)      KP_MPI_PLACED(MPI_Neighbor_alltoallv_c, __VA_ARGS__)
#define PMPI_Neighbor_alltoallv_c(...)     KP_MPI_PLACED(PMPI_Neighbor_alltoallv_c, __VA_ARGS__)
#define MPI_Neighbor_alltoallv_init_c(...) KP_MPI_PLACED(MPI_Neighbor_alltoallv_init_c, __VA_ARGS__)
#define PMPI_Neighbor_alltoallv_init_c(...)                                                        \
    KP_MPI_PLACED(PMPI_Neighbor_alltoallv_init_c, __VA_ARGS__)
#define MPI_Neighbor_alltoallw_c(...)      KP_MPI_PLACED(MPI_Neighbor_alltoallw_c, __VA_ARGS__)
#define PMPI_Neighbor_alltoallw_c(...)     KP_MPI_PLACED(PMPI_Neighbor_alltoallw_c, __VA_ARGS__)
#define MPI_Neighbor_alltoallw_init_c(...) KP_MPI_PLACED(MPI_Neighbor_alltoallw_init_c, __VA_ARGS__)
#define PMPI_Neighbor_alltoallw_init_c(...)                                                        \
    KP_MPI_PLACED(PMPI_Neighbor_alltoallw_init_c, __VA_ARGS__)
#define MPI_Op_create_c(...)             KP_MPI_PLACED(MPI_Op_create_c, __VA_ARGS__)
#define PMPI_Op_create_c(...)            KP_MPI_PLACED(PMPI_Op_create_c, __VA_ARGS__)
#define MPI_Pack_c(...)                  KP_MPI_PLACED(MPI_Pack_c, __VA_ARGS__)
#define PMPI_Pack_c(...)                 KP_MPI_PLACED(PMPI_Pack_c, __VA_ARGS__)
#define MPI_Pack_external_c(...)         KP_MPI_PLACED(MPI_Pack_external_c, __VA_ARGS__)
#define PMPI_Pack_external_c(...)        KP_MPI_PLACED(PMPI_Pack_external_c, __VA_ARGS__)
#define MPI_Pack_external_size_c(...)    KP_MPI_PLACED(MPI_Pack_external_size_c, __VA_ARGS__)
#define PMPI_Pack_external_size_c(...)   KP_MPI_PLACED(PMPI_Pack_external_size_c, __VA_ARGS__)
#define MPI_Pack_size_c(...)             KP_MPI_PLACED(MPI_Pack_size_c, __VA_ARGS__)
#define PMPI_Pack_size_c(...)            KP_MPI_PLACED(PMPI_Pack_size_c, __VA_ARGS__)
#define MPI_Put_c(...)                   KP_MPI_PLACED(MPI_Put_c, __VA_ARGS__)
#define PMPI_Put_c(...)                  KP_MPI_PLACED(PMPI_Put_c, __VA_ARGS__)
#define MPI_Raccumulate_c(...)           KP_MPI_PLACED(MPI_Raccumulate_c, __VA_ARGS__)
#define PMPI_Raccumulate_c(...)          KP_MPI_PLACED(PMPI_Raccumulate_c, __VA_ARGS__)
#define MPI_Recv_c(...)                  KP_MPI_PLACED(MPI_Recv_c, __VA_ARGS__)
#define PMPI_Recv_c(...)                 KP_MPI_PLACED(PMPI_Recv_c, __VA_ARGS__)
#define MPI_Recv_init_c(...)             KP_MPI_PLACED(MPI_Recv_init_c, __VA_ARGS__)
#define PMPI_Recv_init_c(...)            KP_MPI_PLACED(PMPI_Recv_init_c, __VA_ARGS__)
#define MPI_Reduce_c(...)                KP_MPI_PLACED(MPI_Reduce_c, __VA_ARGS__)
#define PMPI_Reduce_c(...)               KP_MPI_PLACED(PMPI_Reduce_c, __VA_ARGS__)
#define MPI_Reduce_init_c(...)           KP_MPI_PLACED(MPI_Reduce_init_c, __VA_ARGS__)
#define PMPI_Reduce_init_c(...)          KP_MPI_PLACED(PMPI_Reduce_init_c, __VA_ARGS__)
#define MPI_Reduce_local_c(...)          KP_MPI_PLACED(MPI_Reduce_local_c, __VA_ARGS__)
#define PMPI_Reduce_local_c(...)         KP_MPI_PLACED(PMPI_Reduce_local_c, __VA_ARGS__)
#define MPI_Reduce_scatter_block_c(...)  KP_MPI_PLACED(MPI_Reduce_scatter_block_c, __VA_ARGS__)
#define PMPI_Reduce_scatter_block_c(...) KP_MPI_PLACED(PMPI_Reduce_scatter_block_c, __VA_ARGS__)
#define MPI_Reduce_scatter_block_init_c(...)                                                       \
    KP_MPI_PLACED(MPI_Reduce_scatter_block_init_c, __VA_ARGS__)
#define PMPI_Reduce_scatter_block_init_c(...)                                                      \
    KP_MPI_PLACED(PMPI_Reduce_scatter_block_init_c, __VA_ARGS__)
#define MPI_Reduce_scatter_c(...)       KP_MPI_PLACED(MPI_Reduce_scatter_c, __VA_ARGS__)
#define PMPI_Reduce_scatter_c(...)      KP_MPI_PLACED(PMPI_Reduce_scatter_c, __VA_ARGS__)
#define MPI_Reduce_scatter_init_c(...)  KP_MPI_PLACED(MPI_Reduce_scatter_init_c, __VA_ARGS__)
#define PMPI_Reduce_scatter_init_c(...) KP_MPI_PLACED(PMPI_Reduce_scatter_init_c, __VA_ARGS__)
#define MPI_Register_datarep_c(...)     KP_MPI_PLACED(MPI_Register_datarep_c, __VA_ARGS__)
#define PMPI_Register_datarep_c(...)    KP_MPI_PLACED(PMPI_Register_datarep_c, __VA_ARGS__)
#define MPI_Rget_accumulate_c(...)      KP_MPI_PLACED(MPI_Rget_accumulate_c, __VA_ARGS__)
#define PMPI_Rget_accumulate_c(...)     KP_MPI_PLACED(PMPI_Rget_accumulate_c, __VA_ARGS__)
#define MPI_Rget_c(...)                 KP_MPI_PLACED(MPI_Rget_c, __VA_ARGS__)
#define PMPI_Rget_c(...)                KP_MPI_PLACED(PMPI_Rget_c, __VA_ARGS__)
#define MPI_Rput_c(...)                 KP_MPI_PLACED(MPI_Rput_c, __VA_ARGS__)
#define PMPI_Rput_c(...)                KP_MPI_PLACED(PMPI_Rput_c, __VA_ARGS__)
#define MPI_Rsend_c(...)                KP_MPI_PLACED(MPI_Rsend_c, __VA_ARGS__)
#define PMPI_Rsend_c(...)               KP_MPI_PLACED(PMPI_Rsend_c, __VA_ARGS__)
#define MPI_Rsend_init_c(...)           KP_MPI_PLACED(MPI_Rsend_init_c, __VA_ARGS__)
#define PMPI_Rsend_init_c(...)          KP_MPI_PLACED(PMPI_Rsend_init_c, __VA_ARGS__)
#define MPI_Scan_c(...)                 KP_MPI_PLACED(MPI_Scan_c, __VA_ARGS__)
#define PMPI_Scan_c(...)                KP_MPI_PLACED(PMPI_Scan_c, __VA_ARGS__)
#define MPI_Scan_init_c(...)            KP_MPI_PLACED(MPI_Scan_init_c, __VA_ARGS__)
#define PMPI_Scan_init_c(...)           KP_MPI_PLACED(PMPI_Scan_init_c, __VA_ARGS__)
#define MPI_Scatter_c(...)              KP_MPI_PLACED(MPI_Scatter_c, __VA_ARGS__)
#define PMPI_Scatter_c(...)             KP_MPI_PLACED(PMPI_Scatter_c, __VA_ARGS__)
#define MPI_Scatter_init_c(...)         KP_MPI_PLACED(MPI_Scatter_init_c, __VA_ARGS__)
#define PMPI_Scatter_init_c(...)        KP_MPI_PLACED(PMPI_Scatter_init_c, __VA_ARGS__)
#define MPI_Scatterv_c(...)             KP_MPI_PLACED(MPI_Scatterv_c, __VA_ARGS__)
#define PMPI_Scatterv_c(...)            KP_MPI_PLACED(PMPI_Scatterv_c, __VA_ARGS__)
#define MPI_Scatterv_init_c(...)        KP_MPI_PLACED(MPI_Scatterv_init_c, __VA_ARGS__)
#define PMPI_Scatterv_init_c(...)       KP_MPI_PLACED(PMPI_Scatterv_init_c, __VA_ARGS__)
#define MPI_Send_c(...)                 KP_MPI_PLACED(MPI_Send_c, __VA_ARGS__)
#define PMPI_Send_c(...)                KP_MPI_PLACED(PMPI_Send_c, __VA_ARGS__)
#define MPI_Send_init_c(...)            KP_MPI_PLACED(MPI_Send_init_c, __VA_ARGS__)
#define PMPI_Send_init_c(...)           KP_MPI_PLACED(PMPI_Send_init_c, __VA_ARGS__)
#define MPI_Sendrecv_c(...)             KP_MPI_PLACED(MPI_Sendrecv_c, __VA_ARGS__)
#define PMPI_Sendrecv_c(...)            KP_MPI_PLACED(PMPI_Sendrecv_c, __VA_ARGS__)
#define MPI_Sendrecv_replace_c(...)     KP_MPI_PLACED(MPI_Sendrecv_replace_c, __VA_ARGS__)
#define PMPI_Sendrecv_replace_c(...)    KP_MPI_PLACED(PMPI_Sendrecv_replace_c, __VA_ARGS__)
#define MPI_Ssend_c(...)                KP_MPI_PLACED(MPI_Ssend_c, __VA_ARGS__)
#define PMPI_Ssend_c(...)               KP_MPI_PLACED(PMPI_Ssend_c, __VA_ARGS__)
#define MPI_Ssend_init_c(...)           KP_MPI_PLACED(MPI_Ssend_init_c, __VA_ARGS__)
#define PMPI_Ssend_init_c(...)          KP_MPI_PLACED(PMPI_Ssend_init_c, __VA_ARGS__)
#define MPI_Type_contiguous_c(...)      KP_MPI_PLACED(MPI_Type_contiguous_c, __VA_ARGS__)
#define PMPI_Type_contiguous_c(...)     KP_MPI_PLACED(PMPI_Type_contiguous_c, __VA_ARGS__)
#define MPI_Type_create_darray_c(...)   KP_MPI_PLACED(MPI_Type_create_darray_c, __VA_ARGS__)
#define PMPI_Type_create_darray_c(...)  KP_MPI_PLACED(PMPI_Type_create_darray_c, __VA_ARGS__)
#define MPI_Type_create_hindexed_block_c(...)                                                      \
    KP_MPI_PLACED(MPI_Type_create_hindexed_block_c, __VA_ARGS__)
#define PMPI_Type_create_hindexed_block_c(...)                                                     \
    KP_MPI_PLACED(PMPI_Type_create_hindexed_block_c, __VA_ARGS__)
#define MPI_Type_create_hindexed_c(...)  KP_MPI_PLACED(MPI_Type_create_hindexed_c, __VA_ARGS__)
#define PMPI_Type_create_hindexed_c(...) KP_MPI_PLACED(PMPI_Type_create_hindexed_c, __VA_ARGS__)
#define MPI_Type_create_hvector_c(...)   KP_MPI_PLACED(MPI_Type_create_hvector_c, __VA_ARGS__)
#define PMPI_Type_create_hvector_c(...)  KP_MPI_PLACED(PMPI_Type_create_hvector_c, __VA_ARGS__)
#define MPI_Type_create_indexed_block_c(...)                                                       \
    KP_MPI_PLACED(MPI_Type_create_indexed_block_c, __VA_ARGS__)
#define PMPI_Type_create_indexed_block_c(...)                                                      \
    KP_MPI_PLACED(PMPI_Type_create_indexed_block_c, __VA_ARGS__)
#define MPI_Type_create_resized_c(...)   KP_MPI_PLACED(MPI_Type_create_resized_c, __VA_ARGS__)
#define PMPI_Type_create_resized_c(...)  KP_MPI_PLACED(PMPI_Type_create_resized_c, __VA_ARGS__)
#define MPI_Type_create_struct_c(...)    KP_MPI_PLACED(MPI_Type_create_struct_c, __VA_ARGS__)
#define PMPI_Type_create_struct_c(...)   KP_MPI_PLACED(PMPI_Type_create_struct_c, __VA_ARGS__)
#define MPI_Type_create_subarray_c(...)  KP_MPI_PLACED(MPI_Type_create_subarray_c, __VA_ARGS__)
#define PMPI_Type_create_subarray_c(...) KP_MPI_PLACED(PMPI_Type_create_subarray_c, __VA_ARGS__)
#define MPI_Type_get_contents_c(...)     KP_MPI_PLACED(MPI_Type_get_contents_c, __VA_ARGS__)
#define PMPI_Type_get_contents_c(...)    KP_MPI_PLACED(PMPI_Type_get_contents_c, __VA_ARGS__)
#define MPI_Type_get_envelope_c(...)     KP_MPI_PLACED(MPI_Type_get_envelope_c, __VA_ARGS__)
#define PMPI_Type_get_envelope_c(...)    KP_MPI_PLACED(PMPI_Type_get_envelope_c, __VA_ARGS__)
#define MPI_Type_get_extent_c(...)       KP_MPI_PLACED(MPI_Type_get_extent_c, __VA_ARGS__)
#define PMPI_Type_get_extent_c(...)      KP_MPI_PLACED(PMPI_Type_get_extent_c, __VA_ARGS__)
#define MPI_Type_get_true_extent_c(...)  KP_MPI_PLACED(MPI_Type_get_true_extent_c, __VA_ARGS__)
#define PMPI_Type_get_true_extent_c(...) KP_MPI_PLACED(PMPI_Type_get_true_extent_c, __VA_ARGS__)
#define MPI_Type_indexed_c(...)          KP_MPI_PLACED(MPI_Type_indexed_c, __VA_ARGS__)
#define PMPI_Type_indexed_c(...)         KP_MPI_PLACED(PMPI_Type_indexed_c, __VA_ARGS__)
#define MPI_Type_size_c(...)             KP_MPI_PLACED(MPI_Type_size_c, __VA_ARGS__)
#define PMPI_Type_size_c(...)            KP_MPI_PLACED(PMPI_Type_size_c, __VA_ARGS__)
#define MPI_Type_vector_c(...)           KP_MPI_PLACED(MPI_Type_vector_c, __VA_ARGS__)
#define PMPI_Type_vector_c(...)          KP_MPI_PLACED(PMPI_Type_vector_c, __VA_ARGS__)
#define MPI_Unpack_c(...)                KP_MPI_PLACED(MPI_Unpack_c, __VA_ARGS__)
#define PMPI_Unpack_c(...)               KP_MPI_PLACED(PMPI_Unpack_c, __VA_ARGS__)
#define MPI_Unpack_external_c(...)       KP_MPI_PLACED(MPI_Unpack_external_c, __VA_ARGS__)
#define PMPI_Unpack_external_c(...)      KP_MPI_PLACED(PMPI_Unpack_external_c, __VA_ARGS__)
#define MPI_Win_allocate_c(...)          KP_MPI_PLACED(MPI_Win_allocate_c, __VA_ARGS__)
#define PMPI_Win_allocate_c(...)         KP_MPI_PLACED(PMPI_Win_allocate_c, __VA_ARGS__)
#define MPI_Win_allocate_shared_c(...)   KP_MPI_PLACED(MPI_Win_allocate_shared_c, __VA_ARGS__)
#define PMPI_Win_allocate_shared_c(...)  KP_MPI_PLACED(PMPI_Win_allocate_shared_c, __VA_ARGS__)
#define MPI_Win_create_c(...)            KP_MPI_PLACED(MPI_Win_create_c, __VA_ARGS__)
#define PMPI_Win_create_c(...)           KP_MPI_PLACED(PMPI_Win_create_c, __VA_ARGS__)
#define MPI_Win_shared_query_c(...)      KP_MPI_PLACED(MPI_Win_shared_query_c, __VA_ARGS__)
#define PMPI_Win_shared_query_c(...)     KP_MPI_PLACED(PMPI_Win_shared_query_c, __VA_ARGS__)
#endif

#endif
