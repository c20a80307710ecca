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

#include "large_sites.h"

#endif
