/* Functions of MPI that kport does not serve. A call ends the program, and names the function and
 * the place of the call.
 * mpi.h includes this header. */
#include "../mpi.h"

#ifndef KPORT_MPI_FACE_UNSERVED_H
#define KPORT_MPI_FACE_UNSERVED_H

KP_MPI(int, Accumulate,
       (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
        MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
        MPI_Win win));
KP_MPI(int, Close_port, (const char *port_name));
KP_MPI(int, Comm_accept,
       (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm));
KP_MPI(int, Comm_connect,
       (const char *port_name, MPI_Info info, int root, MPI_Comm comm, MPI_Comm *newcomm));
KP_MPI(int, Comm_create_from_group,
       (MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
        MPI_Comm *newcomm));
KP_MPI(int, Comm_join, (int fd, MPI_Comm *intercomm));
KP_MPI(int, Comm_spawn,
       (const char *command, char *argv[], int maxprocs, MPI_Info info, int root, MPI_Comm comm,
        MPI_Comm *intercomm, int array_of_errcodes[]));
KP_MPI(int, Comm_spawn_multiple,
       (int count, char *array_of_commands[], char **array_of_argv[], const int array_of_maxprocs[],
        const MPI_Info array_of_info[], int root, MPI_Comm comm, MPI_Comm *intercomm,
        int array_of_errcodes[]));
KP_MPI(int, Compare_and_swap,
       (const void *origin_addr, const void *compare_addr, void *result_addr, MPI_Datatype datatype,
        int target_rank, MPI_Aint target_disp, MPI_Win win));
KP_MPI(int, Fetch_and_op,
       (const void *origin_addr, void *result_addr, MPI_Datatype datatype, int target_rank,
        MPI_Aint target_disp, MPI_Op op, MPI_Win win));
KP_MPI(int, File_call_errhandler, (MPI_File fh, int errorcode));
KP_MPI(int, File_close, (MPI_File * fh));
KP_MPI(int, File_create_errhandler,
       (MPI_File_errhandler_function * function, MPI_Errhandler *errhandler));
KP_MPI(int, File_delete, (const char *filename, MPI_Info info));
KP_MPI(int, File_get_amode, (MPI_File fh, int *amode));
KP_MPI(int, File_get_atomicity, (MPI_File fh, int *flag));
KP_MPI(int, File_get_byte_offset, (MPI_File fh, MPI_Offset offset, MPI_Offset *disp));
KP_MPI(int, File_get_errhandler, (MPI_File file, MPI_Errhandler *errhandler));
KP_MPI(int, File_get_group, (MPI_File fh, MPI_Group *group));
KP_MPI(int, File_get_info, (MPI_File fh, MPI_Info *info_used));
KP_MPI(int, File_get_position, (MPI_File fh, MPI_Offset *offset));
KP_MPI(int, File_get_position_shared, (MPI_File fh, MPI_Offset *offset));
KP_MPI(int, File_get_size, (MPI_File fh, MPI_Offset *size));
KP_MPI(int, File_get_type_extent, (MPI_File fh, MPI_Datatype datatype, MPI_Aint *extent));
KP_MPI(int, File_get_view,
       (MPI_File fh, MPI_Offset *disp, MPI_Datatype *etype, MPI_Datatype *filetype, char *datarep));
KP_MPI(int, File_iread,
       (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_iread_all,
       (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_iread_at,
       (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iread_at_all,
       (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iread_shared,
       (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_iwrite,
       (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_iwrite_all,
       (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_iwrite_at,
       (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iwrite_at_all,
       (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
        MPI_Request *request));
KP_MPI(int, File_iwrite_shared,
       (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Request *request));
KP_MPI(int, File_open,
       (MPI_Comm comm, const char *filename, int amode, MPI_Info info, MPI_File *fh));
KP_MPI(int, File_preallocate, (MPI_File fh, MPI_Offset size));
KP_MPI(int, File_read,
       (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_read_all,
       (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_read_all_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype));
KP_MPI(int, File_read_all_end, (MPI_File fh, void *buf, MPI_Status *status));
KP_MPI(int, File_read_at,
       (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
        MPI_Status *status));
KP_MPI(int, File_read_at_all,
       (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype,
        MPI_Status *status));
KP_MPI(int, File_read_at_all_begin,
       (MPI_File fh, MPI_Offset offset, void *buf, int count, MPI_Datatype datatype));
KP_MPI(int, File_read_at_all_end, (MPI_File fh, void *buf, MPI_Status *status));
KP_MPI(int, File_read_ordered,
       (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_read_ordered_begin, (MPI_File fh, void *buf, int count, MPI_Datatype datatype));
KP_MPI(int, File_read_ordered_end, (MPI_File fh, void *buf, MPI_Status *status));
KP_MPI(int, File_read_shared,
       (MPI_File fh, void *buf, int count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_seek, (MPI_File fh, MPI_Offset offset, int whence));
KP_MPI(int, File_seek_shared, (MPI_File fh, MPI_Offset offset, int whence));
KP_MPI(int, File_set_atomicity, (MPI_File fh, int flag));
KP_MPI(int, File_set_errhandler, (MPI_File file, MPI_Errhandler errhandler));
KP_MPI(int, File_set_info, (MPI_File fh, MPI_Info info));
KP_MPI(int, File_set_size, (MPI_File fh, MPI_Offset size));
KP_MPI(int, File_set_view,
       (MPI_File fh, MPI_Offset disp, MPI_Datatype etype, MPI_Datatype filetype,
        const char *datarep, MPI_Info info));
KP_MPI(int, File_sync, (MPI_File fh));
KP_MPI(int, File_write,
       (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_write_all,
       (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_write_all_begin, (MPI_File fh, const void *buf, int count, MPI_Datatype datatype));
KP_MPI(int, File_write_all_end, (MPI_File fh, const void *buf, MPI_Status *status));
KP_MPI(int, File_write_at,
       (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
        MPI_Status *status));
KP_MPI(int, File_write_at_all,
       (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype,
        MPI_Status *status));
KP_MPI(int, File_write_at_all_begin,
       (MPI_File fh, MPI_Offset offset, const void *buf, int count, MPI_Datatype datatype));
KP_MPI(int, File_write_at_all_end, (MPI_File fh, const void *buf, MPI_Status *status));
KP_MPI(int, File_write_ordered,
       (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, File_write_ordered_begin,
       (MPI_File fh, const void *buf, int count, MPI_Datatype datatype));
KP_MPI(int, File_write_ordered_end, (MPI_File fh, const void *buf, MPI_Status *status));
KP_MPI(int, File_write_shared,
       (MPI_File fh, const void *buf, int count, MPI_Datatype datatype, MPI_Status *status));
KP_MPI(int, Get,
       (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
        MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win));
KP_MPI(int, Get_accumulate,
       (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
        int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
        int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win));
KP_MPI(int, Group_from_session_pset,
       (MPI_Session session, const char *pset_name, MPI_Group *newgroup));
KP_MPI(int, Intercomm_create_from_groups,
       (MPI_Group local_group, int local_leader, MPI_Group remote_group, int remote_leader,
        const char *stringtag, MPI_Info info, MPI_Errhandler errhandler, MPI_Comm *newintercomm));
KP_MPI(int, Lookup_name, (const char *service_name, MPI_Info info, char *port_name));
KP_MPI(int, Open_port, (MPI_Info info, char *port_name));
KP_MPI(int, Parrived, (MPI_Request request, int partition, int *flag));
KP_MPI(int, Pready, (int partition, MPI_Request request));
KP_MPI(int, Pready_list, (int length, const int array_of_partitions[], MPI_Request request));
KP_MPI(int, Pready_range, (int partition_low, int partition_high, MPI_Request request));
KP_MPI(int, Precv_init,
       (void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int source, int tag,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Psend_init,
       (const void *buf, int partitions, MPI_Count count, MPI_Datatype datatype, int dest, int tag,
        MPI_Comm comm, MPI_Info info, MPI_Request *request));
KP_MPI(int, Publish_name, (const char *service_name, MPI_Info info, const char *port_name));
KP_MPI(int, Put,
       (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
        MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win));
KP_MPI(int, Raccumulate,
       (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
        MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Op op,
        MPI_Win win, MPI_Request *request));
KP_MPI(int, Register_datarep,
       (const char *datarep, MPI_Datarep_conversion_function *read_conversion_fn,
        MPI_Datarep_conversion_function *write_conversion_fn,
        MPI_Datarep_extent_function *dtype_file_extent_fn, void *extra_state));
KP_MPI(int, Rget,
       (void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
        MPI_Aint target_disp, int target_count, MPI_Datatype target_datatype, MPI_Win win,
        MPI_Request *request));
KP_MPI(int, Rget_accumulate,
       (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, void *result_addr,
        int result_count, MPI_Datatype result_datatype, int target_rank, MPI_Aint target_disp,
        int target_count, MPI_Datatype target_datatype, MPI_Op op, MPI_Win win,
        MPI_Request *request));
KP_MPI(int, Rput,
       (const void *origin_addr, int origin_count, MPI_Datatype origin_datatype, int target_rank,
        MPI_Aint target_disp, int target_cout, MPI_Datatype target_datatype, MPI_Win win,
        MPI_Request *request));
KP_MPI(int, Session_call_errhandler, (MPI_Session session, int error_code));
KP_MPI(int, Session_create_errhandler,
       (MPI_Session_errhandler_function * errhandler_fn, MPI_Errhandler *errhandler));
KP_MPI(int, Session_finalize, (MPI_Session * session));
KP_MPI(int, Session_get_errhandler, (MPI_Session session, MPI_Errhandler *errhandler));
KP_MPI(int, Session_get_info, (MPI_Session session, MPI_Info *info_used));
KP_MPI(int, Session_get_nth_pset,
       (MPI_Session session, MPI_Info info, int n, int *pset_len, char *pset_name));
KP_MPI(int, Session_get_num_psets, (MPI_Session session, MPI_Info info, int *npset_names));
KP_MPI(int, Session_get_pset_info, (MPI_Session session, const char *pset_name, MPI_Info *info));
KP_MPI(int, Session_init, (MPI_Info info, MPI_Errhandler errhandler, MPI_Session *session));
KP_MPI(int, Session_set_errhandler, (MPI_Session session, MPI_Errhandler errhandler));
KP_MPI(int, Unpublish_name, (const char *service_name, MPI_Info info, const char *port_name));
KP_MPI(int, Win_allocate,
       (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win));
KP_MPI(int, Win_allocate_shared,
       (MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, void *baseptr, MPI_Win *win));
KP_MPI(int, Win_attach, (MPI_Win win, void *base, MPI_Aint size));
KP_MPI(int, Win_call_errhandler, (MPI_Win win, int errorcode));
KP_MPI(int, Win_complete, (MPI_Win win));
KP_MPI(int, Win_create,
       (void *base, MPI_Aint size, int disp_unit, MPI_Info info, MPI_Comm comm, MPI_Win *win));
KP_MPI(int, Win_create_dynamic, (MPI_Info info, MPI_Comm comm, MPI_Win *win));
KP_MPI(int, Win_create_errhandler,
       (MPI_Win_errhandler_function * win_errhandler_fn, MPI_Errhandler *errhandler));
KP_MPI(int, Win_create_keyval,
       (MPI_Win_copy_attr_function * win_copy_attr_fn,
        MPI_Win_delete_attr_function *win_delete_attr_fn, int *win_keyval, void *extra_state));
KP_MPI(int, Win_delete_attr, (MPI_Win win, int win_keyval));
KP_MPI(int, Win_detach, (MPI_Win win, const void *base));
KP_MPI(int, Win_fence, (int assert, MPI_Win win));
KP_MPI(int, Win_flush, (int rank, MPI_Win win));
KP_MPI(int, Win_flush_all, (MPI_Win win));
KP_MPI(int, Win_flush_local, (int rank, MPI_Win win));
KP_MPI(int, Win_flush_local_all, (MPI_Win win));
KP_MPI(int, Win_free, (MPI_Win * win));
KP_MPI(int, Win_free_keyval, (int *win_keyval));
KP_MPI(int, Win_get_attr, (MPI_Win win, int win_keyval, void *attribute_val, int *flag));
KP_MPI(int, Win_get_errhandler, (MPI_Win win, MPI_Errhandler *errhandler));
KP_MPI(int, Win_get_group, (MPI_Win win, MPI_Group *group));
KP_MPI(int, Win_get_info, (MPI_Win win, MPI_Info *info_used));
KP_MPI(int, Win_get_name, (MPI_Win win, char *win_name, int *resultlen));
KP_MPI(int, Win_lock, (int lock_type, int rank, int assert, MPI_Win win));
KP_MPI(int, Win_lock_all, (int assert, MPI_Win win));
KP_MPI(int, Win_post, (MPI_Group group, int assert, MPI_Win win));
KP_MPI(int, Win_set_attr, (MPI_Win win, int win_keyval, void *attribute_val));
KP_MPI(int, Win_set_errhandler, (MPI_Win win, MPI_Errhandler errhandler));
KP_MPI(int, Win_set_info, (MPI_Win win, MPI_Info info));
KP_MPI(int, Win_set_name, (MPI_Win win, const char *win_name));
KP_MPI(int, Win_shared_query,
       (MPI_Win win, int rank, MPI_Aint *size, int *disp_unit, void *baseptr));
KP_MPI(int, Win_start, (MPI_Group group, int assert, MPI_Win win));
KP_MPI(int, Win_sync, (MPI_Win win));
KP_MPI(int, Win_test, (MPI_Win win, int *flag));
KP_MPI(int, Win_unlock, (int rank, MPI_Win win));
KP_MPI(int, Win_unlock_all, (MPI_Win win));
KP_MPI(int, Win_wait, (MPI_Win win));

#ifndef KP_NO_CALL_SITES
#define MPI_Accumulate(...)                KP_MPI_PLACED(MPI_Accumulate, __VA_ARGS__)
#define PMPI_Accumulate(...)               KP_MPI_PLACED(PMPI_Accumulate, __VA_ARGS__)
#define MPI_Close_port(...)                KP_MPI_PLACED(MPI_Close_port, __VA_ARGS__)
#define PMPI_Close_port(...)               KP_MPI_PLACED(PMPI_Close_port, __VA_ARGS__)
#define MPI_Comm_accept(...)               KP_MPI_PLACED(MPI_Comm_accept, __VA_ARGS__)
#define PMPI_Comm_accept(...)              KP_MPI_PLACED(PMPI_Comm_accept, __VA_ARGS__)
#define MPI_Comm_connect(...)              KP_MPI_PLACED(MPI_Comm_connect, __VA_ARGS__)
#define PMPI_Comm_connect(...)             KP_MPI_PLACED(PMPI_Comm_connect, __VA_ARGS__)
#define MPI_Comm_create_from_group(...)    KP_MPI_PLACED(MPI_Comm_create_from_group, __VA_ARGS__)
#define PMPI_Comm_create_from_group(...)   KP_MPI_PLACED(PMPI_Comm_create_from_group, __VA_ARGS__)
#define MPI_Comm_join(...)                 KP_MPI_PLACED(MPI_Comm_join, __VA_ARGS__)
#define PMPI_Comm_join(...)                KP_MPI_PLACED(PMPI_Comm_join, __VA_ARGS__)
#define MPI_Comm_spawn(...)                KP_MPI_PLACED(MPI_Comm_spawn, __VA_ARGS__)
#define PMPI_Comm_spawn(...)               KP_MPI_PLACED(PMPI_Comm_spawn, __VA_ARGS__)
#define MPI_Comm_spawn_multiple(...)       KP_MPI_PLACED(MPI_Comm_spawn_multiple, __VA_ARGS__)
#define PMPI_Comm_spawn_multiple(...)      KP_MPI_PLACED(PMPI_Comm_spawn_multiple, __VA_ARGS__)
#define MPI_Compare_and_swap(...)          KP_MPI_PLACED(MPI_Compare_and_swap, __VA_ARGS__)
#define PMPI_Compare_and_swap(...)         KP_MPI_PLACED(PMPI_Compare_and_swap, __VA_ARGS__)
#define MPI_Fetch_and_op(...)              KP_MPI_PLACED(MPI_Fetch_and_op, __VA_ARGS__)
#define PMPI_Fetch_and_op(...)             KP_MPI_PLACED(PMPI_Fetch_and_op, __VA_ARGS__)
#define MPI_File_call_errhandler(...)      KP_MPI_PLACED(MPI_File_call_errhandler, __VA_ARGS__)
#define PMPI_File_call_errhandler(...)     KP_MPI_PLACED(PMPI_File_call_errhandler, __VA_ARGS__)
#define MPI_File_close(...)                KP_MPI_PLACED(MPI_File_close, __VA_ARGS__)
#define PMPI_File_close(...)               KP_MPI_PLACED(PMPI_File_close, __VA_ARGS__)
#define MPI_File_create_errhandler(...)    KP_MPI_PLACED(MPI_File_create_errhandler, __VA_ARGS__)
#define PMPI_File_create_errhandler(...)   KP_MPI_PLACED(PMPI_File_create_errhandler, __VA_ARGS__)
#define MPI_File_delete(...)               KP_MPI_PLACED(MPI_File_delete, __VA_ARGS__)
#define PMPI_File_delete(...)              KP_MPI_PLACED(PMPI_File_delete, __VA_ARGS__)
#define MPI_File_get_amode(...)            KP_MPI_PLACED(MPI_File_get_amode, __VA_ARGS__)
#define PMPI_File_get_amode(...)           KP_MPI_PLACED(PMPI_File_get_amode, __VA_ARGS__)
#define MPI_File_get_atomicity(...)        KP_MPI_PLACED(MPI_File_get_atomicity, __VA_ARGS__)
#define PMPI_File_get_atomicity(...)       KP_MPI_PLACED(PMPI_File_get_atomicity, __VA_ARGS__)
#define MPI_File_get_byte_offset(...)      KP_MPI_PLACED(MPI_File_get_byte_offset, __VA_ARGS__)
#define PMPI_File_get_byte_offset(...)     KP_MPI_PLACED(PMPI_File_get_byte_offset, __VA_ARGS__)
#define MPI_File_get_errhandler(...)       KP_MPI_PLACED(MPI_File_get_errhandler, __VA_ARGS__)
#define PMPI_File_get_errhandler(...)      KP_MPI_PLACED(PMPI_File_get_errhandler, __VA_ARGS__)
#define MPI_File_get_group(...)            KP_MPI_PLACED(MPI_File_get_group, __VA_ARGS__)
#define PMPI_File_get_group(...)           KP_MPI_PLACED(PMPI_File_get_group, __VA_ARGS__)
#define MPI_File_get_info(...)             KP_MPI_PLACED(MPI_File_get_info, __VA_ARGS__)
#define PMPI_File_get_info(...)            KP_MPI_PLACED(PMPI_File_get_info, __VA_ARGS__)
#define MPI_File_get_position(...)         KP_MPI_PLACED(MPI_File_get_position, __VA_ARGS__)
#define PMPI_File_get_position(...)        KP_MPI_PLACED(PMPI_File_get_position, __VA_ARGS__)
#define MPI_File_get_position_shared(...)  KP_MPI_PLACED(MPI_File_get_position_shared, __VA_ARGS__)
#define PMPI_File_get_position_shared(...) KP_MPI_PLACED(PMPI_File_get_position_shared, __VA_ARGS__)
#define MPI_File_get_size(...)             KP_MPI_PLACED(MPI_File_get_size, __VA_ARGS__)
#define PMPI_File_get_size(...)            KP_MPI_PLACED(PMPI_File_get_size, __VA_ARGS__)
#define MPI_File_get_type_extent(...)      KP_MPI_PLACED(MPI_File_get_type_extent, __VA_ARGS__)
#define PMPI_File_get_type_extent(...)     KP_MPI_PLACED(PMPI_File_get_type_extent, __VA_ARGS__)
#define MPI_File_get_view(...)             KP_MPI_PLACED(MPI_File_get_view, __VA_ARGS__)
#define PMPI_File_get_view(...)            KP_MPI_PLACED(PMPI_File_get_view, __VA_ARGS__)
#define MPI_File_iread(...)                KP_MPI_PLACED(MPI_File_iread, __VA_ARGS__)
#define PMPI_File_iread(...)               KP_MPI_PLACED(PMPI_File_iread, __VA_ARGS__)
#define MPI_File_iread_all(...)            KP_MPI_PLACED(MPI_File_iread_all, __VA_ARGS__)
#define PMPI_File_iread_all(...)           KP_MPI_PLACED(PMPI_File_iread_all, __VA_ARGS__)
#define MPI_File_iread_at(...)             KP_MPI_PLACED(MPI_File_iread_at, __VA_ARGS__)
#define PMPI_File_iread_at(...)            KP_MPI_PLACED(PMPI_File_iread_at, __VA_ARGS__)
#define MPI_File_iread_at_all(...)         KP_MPI_PLACED(MPI_File_iread_at_all, __VA_ARGS__)
#define PMPI_File_iread_at_all(...)        KP_MPI_PLACED(PMPI_File_iread_at_all, __VA_ARGS__)
#define MPI_File_iread_shared(...)         KP_MPI_PLACED(MPI_File_iread_shared, __VA_ARGS__)
#define PMPI_File_iread_shared(...)        KP_MPI_PLACED(PMPI_File_iread_shared, __VA_ARGS__)
#define MPI_File_iwrite(...)               KP_MPI_PLACED(MPI_File_iwrite, __VA_ARGS__)
#define PMPI_File_iwrite(...)              KP_MPI_PLACED(PMPI_File_iwrite, __VA_ARGS__)
#define MPI_File_iwrite_all(...)           KP_MPI_PLACED(MPI_File_iwrite_all, __VA_ARGS__)
#define PMPI_File_iwrite_all(...)          KP_MPI_PLACED(PMPI_File_iwrite_all, __VA_ARGS__)
#define MPI_File_iwrite_at(...)            KP_MPI_PLACED(MPI_File_iwrite_at, __VA_ARGS__)
#define PMPI_File_iwrite_at(...)           KP_MPI_PLACED(PMPI_File_iwrite_at, __VA_ARGS__)
#define MPI_File_iwrite_at_all(...)        KP_MPI_PLACED(MPI_File_iwrite_at_all, __VA_ARGS__)
#define PMPI_File_iwrite_at_all(...)       KP_MPI_PLACED(PMPI_File_iwrite_at_all, __VA_ARGS__)
#define MPI_File_iwrite_shared(...)        KP_MPI_PLACED(MPI_File_iwrite_shared, __VA_ARGS__)
#define PMPI_File_iwrite_shared(...)       KP_MPI_PLACED(PMPI_File_iwrite_shared, __VA_ARGS__)
#define MPI_File_open(...)                 KP_MPI_PLACED(MPI_File_open, __VA_ARGS__)
#define PMPI_File_open(...)                KP_MPI_PLACED(PMPI_File_open, __VA_ARGS__)
#define MPI_File_preallocate(...)          KP_MPI_PLACED(MPI_File_preallocate, __VA_ARGS__)
#define PMPI_File_preallocate(...)         KP_MPI_PLACED(PMPI_File_preallocate, __VA_ARGS__)
#define MPI_File_read(...)                 KP_MPI_PLACED(MPI_File_read, __VA_ARGS__)
#define PMPI_File_read(...)                KP_MPI_PLACED(PMPI_File_read, __VA_ARGS__)
#define MPI_File_read_all(...)             KP_MPI_PLACED(MPI_File_read_all, __VA_ARGS__)
#define PMPI_File_read_all(...)            KP_MPI_PLACED(PMPI_File_read_all, __VA_ARGS__)
#define MPI_File_read_all_begin(...)       KP_MPI_PLACED(MPI_File_read_all_begin, __VA_ARGS__)
#define PMPI_File_read_all_begin(...)      KP_MPI_PLACED(PMPI_File_read_all_begin, __VA_ARGS__)
#define MPI_File_read_all_end(...)         KP_MPI_PLACED(MPI_File_read_all_end, __VA_ARGS__)
#define PMPI_File_read_all_end(...)        KP_MPI_PLACED(PMPI_File_read_all_end, __VA_ARGS__)
#define MPI_File_read_at(...)              KP_MPI_PLACED(MPI_File_read_at, __VA_ARGS__)
#define PMPI_File_read_at(...)             KP_MPI_PLACED(PMPI_File_read_at, __VA_ARGS__)
#define MPI_File_read_at_all(...)          KP_MPI_PLACED(MPI_File_read_at_all, __VA_ARGS__)
#define PMPI_File_read_at_all(...)         KP_MPI_PLACED(PMPI_File_read_at_all, __VA_ARGS__)
#define MPI_File_read_at_all_begin(...)    KP_MPI_PLACED(MPI_File_read_at_all_begin, __VA_ARGS__)
#define PMPI_File_read_at_all_begin(...)   KP_MPI_PLACED(PMPI_File_read_at_all_begin, __VA_ARGS__)
#define MPI_File_read_at_all_end(...)      KP_MPI_PLACED(MPI_File_read_at_all_end, __VA_ARGS__)
#define PMPI_File_read_at_all_end(...)     KP_MPI_PLACED(PMPI_File_read_at_all_end, __VA_ARGS__)
#define MPI_File_read_ordered(...)         KP_MPI_PLACED(MPI_File_read_ordered, __VA_ARGS__)
#define PMPI_File_read_ordered(...)        KP_MPI_PLACED(PMPI_File_read_ordered, __VA_ARGS__)
#define MPI_File_read_ordered_begin(...)   KP_MPI_PLACED(MPI_File_read_ordered_begin, __VA_ARGS__)
#define PMPI_File_read_ordered_begin(...)  KP_MPI_PLACED(PMPI_File_read_ordered_begin, __VA_ARGS__)
#define MPI_File_read_ordered_end(...)     KP_MPI_PLACED(MPI_File_read_ordered_end, __VA_ARGS__)
#define PMPI_File_read_ordered_end(...)    KP_MPI_PLACED(PMPI_File_read_ordered_end, __VA_ARGS__)
#define MPI_File_read_shared(...)          KP_MPI_PLACED(MPI_File_read_shared, __VA_ARGS__)
#define PMPI_File_read_shared(...)         KP_MPI_PLACED(PMPI_File_read_shared, __VA_ARGS__)
#define MPI_File_seek(...)                 KP_MPI_PLACED(MPI_File_seek, __VA_ARGS__)
#define PMPI_File_seek(...)                KP_MPI_PLACED(PMPI_File_seek, __VA_ARGS__)
#define MPI_File_seek_shared(...)          KP_MPI_PLACED(MPI_File_seek_shared, __VA_ARGS__)
#define PMPI_File_seek_shared(...)         KP_MPI_PLACED(PMPI_File_seek_shared, __VA_ARGS__)
#define MPI_File_set_atomicity(...)        KP_MPI_PLACED(MPI_File_set_atomicity, __VA_ARGS__)
#define PMPI_File_set_atomicity(...)       KP_MPI_PLACED(PMPI_File_set_atomicity, __VA_ARGS__)
#define MPI_File_set_errhandler(...)       KP_MPI_PLACED(MPI_File_set_errhandler, __VA_ARGS__)
#define PMPI_File_set_errhandler(...)      KP_MPI_PLACED(PMPI_File_set_errhandler, __VA_ARGS__)
#define MPI_File_set_info(...)             KP_MPI_PLACED(MPI_File_set_info, __VA_ARGS__)
#define PMPI_File_set_info(...)            KP_MPI_PLACED(PMPI_File_set_info, __VA_ARGS__)
#define MPI_File_set_size(...)             KP_MPI_PLACED(MPI_File_set_size, __VA_ARGS__)
#define PMPI_File_set_size(...)            KP_MPI_PLACED(PMPI_File_set_size, __VA_ARGS__)
#define MPI_File_set_view(...)             KP_MPI_PLACED(MPI_File_set_view, __VA_ARGS__)
#define PMPI_File_set_view(...)            KP_MPI_PLACED(PMPI_File_set_view, __VA_ARGS__)
#define MPI_File_sync(...)                 KP_MPI_PLACED(MPI_File_sync, __VA_ARGS__)
#define PMPI_File_sync(...)                KP_MPI_PLACED(PMPI_File_sync, __VA_ARGS__)
#define MPI_File_write(...)                KP_MPI_PLACED(MPI_File_write, __VA_ARGS__)
#define PMPI_File_write(...)               KP_MPI_PLACED(PMPI_File_write, __VA_ARGS__)
#define MPI_File_write_all(...)            KP_MPI_PLACED(MPI_File_write_all, __VA_ARGS__)
#define PMPI_File_write_all(...)           KP_MPI_PLACED(PMPI_File_write_all, __VA_ARGS__)
#define MPI_File_write_all_begin(...)      KP_MPI_PLACED(MPI_File_write_all_begin, __VA_ARGS__)
#define PMPI_File_write_all_begin(...)     KP_MPI_PLACED(PMPI_File_write_all_begin, __VA_ARGS__)
#define MPI_File_write_all_end(...)        KP_MPI_PLACED(MPI_File_write_all_end, __VA_ARGS__)
#define PMPI_File_write_all_end(...)       KP_MPI_PLACED(PMPI_File_write_all_end, __VA_ARGS__)
#define MPI_File_write_at(...)             KP_MPI_PLACED(MPI_File_write_at, __VA_ARGS__)
#define PMPI_File_write_at(...)            KP_MPI_PLACED(PMPI_File_write_at, __VA_ARGS__)
#define MPI_File_write_at_all(...)         KP_MPI_PLACED(MPI_File_write_at_all, __VA_ARGS__)
#define PMPI_File_write_at_all(...)        KP_MPI_PLACED(PMPI_File_write_at_all, __VA_ARGS__)
#define MPI_File_write_at_all_begin(...)   KP_MPI_PLACED(MPI_File_write_at_all_begin, __VA_ARGS__)
#define PMPI_File_write_at_all_begin(...)  KP_MPI_PLACED(PMPI_File_write_at_all_begin, __VA_ARGS__)
#define MPI_File_write_at_all_end(...)     KP_MPI_PLACED(MPI_File_write_at_all_end, __VA_ARGS__)
#define PMPI_File_write_at_all_end(...)    KP_MPI_PLACED(PMPI_File_write_at_all_end, __VA_ARGS__)
#define MPI_File_write_ordered(...)        KP_MPI_PLACED(MPI_File_write_ordered, __VA_ARGS__)
#define PMPI_File_write_ordered(...)       KP_MPI_PLACED(PMPI_File_write_ordered, __VA_ARGS__)
#define MPI_File_write_ordered_begin(...)  KP_MPI_PLACED(MPI_File_write_ordered_begin, __VA_ARGS__)
#define PMPI_File_write_ordered_begin(...) KP_MPI_PLACED(PMPI_File_write_ordered_begin, __VA_ARGS__)
#define MPI_File_write_ordered_end(...)    KP_MPI_PLACED(MPI_File_write_ordered_end, __VA_ARGS__)
#define PMPI_File_write_ordered_end(...)   KP_MPI_PLACED(PMPI_File_write_ordered_end, __VA_ARGS__)
#define MPI_File_write_shared(...)         KP_MPI_PLACED(MPI_File_write_shared, __VA_ARGS__)
#define PMPI_File_write_shared(...)        KP_MPI_PLACED(PMPI_File_write_shared, __VA_ARGS__)
#define MPI_Get(...)                       KP_MPI_PLACED(MPI_Get, __VA_ARGS__)
#define PMPI_Get(...)                      KP_MPI_PLACED(PMPI_Get, __VA_ARGS__)
#define MPI_Get_accumulate(...)            KP_MPI_PLACED(MPI_Get_accumulate, __VA_ARGS__)
#define PMPI_Get_accumulate(...)           KP_MPI_PLACED(PMPI_Get_accumulate, __VA_ARGS__)
#define MPI_Group_from_session_pset(...)   KP_MPI_PLACED(MPI_Group_from_session_pset, __VA_ARGS__)
#define PMPI_Group_from_session_pset(...)  KP_MPI_PLACED(PMPI_Group_from_session_pset, __VA_ARGS__)
#define MPI_Intercomm_create_from_groups(...)                                                      \
    KP_MPI_PLACED(MPI_Intercomm_create_from_groups, __VA_ARGS__)
#define PMPI_Intercomm_create_from_groups(...)                                                     \
    KP_MPI_PLACED(PMPI_Intercomm_create_from_groups, __VA_ARGS__)
#define MPI_Lookup_name(...)               KP_MPI_PLACED(MPI_Lookup_name, __VA_ARGS__)
#define PMPI_Lookup_name(...)              KP_MPI_PLACED(PMPI_Lookup_name, __VA_ARGS__)
#define MPI_Open_port(...)                 KP_MPI_PLACED(MPI_Open_port, __VA_ARGS__)
#define PMPI_Open_port(...)                KP_MPI_PLACED(PMPI_Open_port, __VA_ARGS__)
#define MPI_Parrived(...)                  KP_MPI_PLACED(MPI_Parrived, __VA_ARGS__)
#define PMPI_Parrived(...)                 KP_MPI_PLACED(PMPI_Parrived, __VA_ARGS__)
#define MPI_Pready(...)                    KP_MPI_PLACED(MPI_Pready, __VA_ARGS__)
#define PMPI_Pready(...)                   KP_MPI_PLACED(PMPI_Pready, __VA_ARGS__)
#define MPI_Pready_list(...)               KP_MPI_PLACED(MPI_Pready_list, __VA_ARGS__)
#define PMPI_Pready_list(...)              KP_MPI_PLACED(PMPI_Pready_list, __VA_ARGS__)
#define MPI_Pready_range(...)              KP_MPI_PLACED(MPI_Pready_range, __VA_ARGS__)
#define PMPI_Pready_range(...)             KP_MPI_PLACED(PMPI_Pready_range, __VA_ARGS__)
#define MPI_Precv_init(...)                KP_MPI_PLACED(MPI_Precv_init, __VA_ARGS__)
#define PMPI_Precv_init(...)               KP_MPI_PLACED(PMPI_Precv_init, __VA_ARGS__)
#define MPI_Psend_init(...)                KP_MPI_PLACED(MPI_Psend_init, __VA_ARGS__)
#define PMPI_Psend_init(...)               KP_MPI_PLACED(PMPI_Psend_init, __VA_ARGS__)
#define MPI_Publish_name(...)              KP_MPI_PLACED(MPI_Publish_name, __VA_ARGS__)
#define PMPI_Publish_name(...)             KP_MPI_PLACED(PMPI_Publish_name, __VA_ARGS__)
#define MPI_Put(...)                       KP_MPI_PLACED(MPI_Put, __VA_ARGS__)
#define PMPI_Put(...)                      KP_MPI_PLACED(PMPI_Put, __VA_ARGS__)
#define MPI_Raccumulate(...)               KP_MPI_PLACED(MPI_Raccumulate, __VA_ARGS__)
#define PMPI_Raccumulate(...)              KP_MPI_PLACED(PMPI_Raccumulate, __VA_ARGS__)
#define MPI_Register_datarep(...)          KP_MPI_PLACED(MPI_Register_datarep, __VA_ARGS__)
#define PMPI_Register_datarep(...)         KP_MPI_PLACED(PMPI_Register_datarep, __VA_ARGS__)
#define MPI_Rget(...)                      KP_MPI_PLACED(MPI_Rget, __VA_ARGS__)
#define PMPI_Rget(...)                     KP_MPI_PLACED(PMPI_Rget, __VA_ARGS__)
#define MPI_Rget_accumulate(...)           KP_MPI_PLACED(MPI_Rget_accumulate, __VA_ARGS__)
#define PMPI_Rget_accumulate(...)          KP_MPI_PLACED(PMPI_Rget_accumulate, __VA_ARGS__)
#define MPI_Rput(...)                      KP_MPI_PLACED(MPI_Rput, __VA_ARGS__)
#define PMPI_Rput(...)                     KP_MPI_PLACED(PMPI_Rput, __VA_ARGS__)
#define MPI_Session_call_errhandler(...)   KP_MPI_PLACED(MPI_Session_call_errhandler, __VA_ARGS__)
#define PMPI_Session_call_errhandler(...)  KP_MPI_PLACED(PMPI_Session_call_errhandler, __VA_ARGS__)
#define MPI_Session_create_errhandler(...) KP_MPI_PLACED(MPI_Session_create_errhandler, __VA_ARGS__)
#define PMPI_Session_create_errhandler(...)                                                        \
    KP_MPI_PLACED(PMPI_Session_create_errhandler, __VA_ARGS__)
#define MPI_Session_finalize(...)        KP_MPI_PLACED(MPI_Session_finalize, __VA_ARGS__)
#define PMPI_Session_finalize(...)       KP_MPI_PLACED(PMPI_Session_finalize, __VA_ARGS__)
#define MPI_Session_get_errhandler(...)  KP_MPI_PLACED(MPI_Session_get_errhandler, __VA_ARGS__)
#define PMPI_Session_get_errhandler(...) KP_MPI_PLACED(PMPI_Session_get_errhandler, __VA_ARGS__)
#define MPI_Session_get_info(...)        KP_MPI_PLACED(MPI_Session_get_info, __VA_ARGS__)
#define PMPI_Session_get_info(...)       KP_MPI_PLACED(PMPI_Session_get_info, __VA_ARGS__)
#define MPI_Session_get_nth_pset(...)    KP_MPI_PLACED(MPI_Session_get_nth_pset, __VA_ARGS__)
#define PMPI_Session_get_nth_pset(...)   KP_MPI_PLACED(PMPI_Session_get_nth_pset, __VA_ARGS__)
#define MPI_Session_get_num_psets(...)   KP_MPI_PLACED(MPI_Session_get_num_psets, __VA_ARGS__)
#define PMPI_Session_get_num_psets(...)  KP_MPI_PLACED(PMPI_Session_get_num_psets, __VA_ARGS__)
#define MPI_Session_get_pset_info(...)   KP_MPI_PLACED(MPI_Session_get_pset_info, __VA_ARGS__)
#define PMPI_Session_get_pset_info(...)  KP_MPI_PLACED(PMPI_Session_get_pset_info, __VA_ARGS__)
#define MPI_Session_init(...)            KP_MPI_PLACED(MPI_Session_init, __VA_ARGS__)
#define PMPI_Session_init(...)           KP_MPI_PLACED(PMPI_Session_init, __VA_ARGS__)
#define MPI_Session_set_errhandler(...)  KP_MPI_PLACED(MPI_Session_set_errhandler, __VA_ARGS__)
#define PMPI_Session_set_errhandler(...) KP_MPI_PLACED(PMPI_Session_set_errhandler, __VA_ARGS__)
#define MPI_Unpublish_name(...)          KP_MPI_PLACED(MPI_Unpublish_name, __VA_ARGS__)
#define PMPI_Unpublish_name(...)         KP_MPI_PLACED(PMPI_Unpublish_name, __VA_ARGS__)
#define MPI_Win_allocate(...)            KP_MPI_PLACED(MPI_Win_allocate, __VA_ARGS__)
#define PMPI_Win_allocate(...)           KP_MPI_PLACED(PMPI_Win_allocate, __VA_ARGS__)
#define MPI_Win_allocate_shared(...)     KP_MPI_PLACED(MPI_Win_allocate_shared, __VA_ARGS__)
#define PMPI_Win_allocate_shared(...)    KP_MPI_PLACED(PMPI_Win_allocate_shared, __VA_ARGS__)
#define MPI_Win_attach(...)              KP_MPI_PLACED(MPI_Win_attach, __VA_ARGS__)
#define PMPI_Win_attach(...)             KP_MPI_PLACED(PMPI_Win_attach, __VA_ARGS__)
#define MPI_Win_call_errhandler(...)     KP_MPI_PLACED(MPI_Win_call_errhandler, __VA_ARGS__)
#define PMPI_Win_call_errhandler(...)    KP_MPI_PLACED(PMPI_Win_call_errhandler, __VA_ARGS__)
#define MPI_Win_complete(...)            KP_MPI_PLACED(MPI_Win_complete, __VA_ARGS__)
#define PMPI_Win_complete(...)           KP_MPI_PLACED(PMPI_Win_complete, __VA_ARGS__)
#define MPI_Win_create(...)              KP_MPI_PLACED(MPI_Win_create, __VA_ARGS__)
#define PMPI_Win_create(...)             KP_MPI_PLACED(PMPI_Win_create, __VA_ARGS__)
#define MPI_Win_create_dynamic(...)      KP_MPI_PLACED(MPI_Win_create_dynamic, __VA_ARGS__)
#define PMPI_Win_create_dynamic(...)     KP_MPI_PLACED(PMPI_Win_create_dynamic, __VA_ARGS__)
#define MPI_Win_create_errhandler(...)   KP_MPI_PLACED(MPI_Win_create_errhandler, __VA_ARGS__)
#define PMPI_Win_create_errhandler(...)  KP_MPI_PLACED(PMPI_Win_create_errhandler, __VA_ARGS__)
#define MPI_Win_create_keyval(...)       KP_MPI_PLACED(MPI_Win_create_keyval, __VA_ARGS__)
#define PMPI_Win_create_keyval(...)      KP_MPI_PLACED(PMPI_Win_create_keyval, __VA_ARGS__)
#define MPI_Win_delete_attr(...)         KP_MPI_PLACED(MPI_Win_delete_attr, __VA_ARGS__)
#define PMPI_Win_delete_attr(...)        KP_MPI_PLACED(PMPI_Win_delete_attr, __VA_ARGS__)
#define MPI_Win_detach(...)              KP_MPI_PLACED(MPI_Win_detach, __VA_ARGS__)
#define PMPI_Win_detach(...)             KP_MPI_PLACED(PMPI_Win_detach, __VA_ARGS__)
#define MPI_Win_fence(...)               KP_MPI_PLACED(MPI_Win_fence, __VA_ARGS__)
#define PMPI_Win_fence(...)              KP_MPI_PLACED(PMPI_Win_fence, __VA_ARGS__)
#define MPI_Win_flush(...)               KP_MPI_PLACED(MPI_Win_flush, __VA_ARGS__)
#define PMPI_Win_flush(...)              KP_MPI_PLACED(PMPI_Win_flush, __VA_ARGS__)
#define MPI_Win_flush_all(...)           KP_MPI_PLACED(MPI_Win_flush_all, __VA_ARGS__)
#define PMPI_Win_flush_all(...)          KP_MPI_PLACED(PMPI_Win_flush_all, __VA_ARGS__)
#define MPI_Win_flush_local(...)         KP_MPI_PLACED(MPI_Win_flush_local, __VA_ARGS__)
#define PMPI_Win_flush_local(...)        KP_MPI_PLACED(PMPI_Win_flush_local, __VA_ARGS__)
#define MPI_Win_flush_local_all(...)     KP_MPI_PLACED(MPI_Win_flush_local_all, __VA_ARGS__)
#define PMPI_Win_flush_local_all(...)    KP_MPI_PLACED(PMPI_Win_flush_local_all, __VA_ARGS__)
#define MPI_Win_free(...)                KP_MPI_PLACED(MPI_Win_free, __VA_ARGS__)
#define PMPI_Win_free(...)               KP_MPI_PLACED(PMPI_Win_free, __VA_ARGS__)
#define MPI_Win_free_keyval(...)         KP_MPI_PLACED(MPI_Win_free_keyval, __VA_ARGS__)
#define PMPI_Win_free_keyval(...)        KP_MPI_PLACED(PMPI_Win_free_keyval, __VA_ARGS__)
#define MPI_Win_get_attr(...)            KP_MPI_PLACED(MPI_Win_get_attr, __VA_ARGS__)
#define PMPI_Win_get_attr(...)           KP_MPI_PLACED(PMPI_Win_get_attr, __VA_ARGS__)
#define MPI_Win_get_errhandler(...)      KP_MPI_PLACED(MPI_Win_get_errhandler, __VA_ARGS__)
#define PMPI_Win_get_errhandler(...)     KP_MPI_PLACED(PMPI_Win_get_errhandler, __VA_ARGS__)
#define MPI_Win_get_group(...)           KP_MPI_PLACED(MPI_Win_get_group, __VA_ARGS__)
#define PMPI_Win_get_group(...)          KP_MPI_PLACED(PMPI_Win_get_group, __VA_ARGS__)
#define MPI_Win_get_info(...)            KP_MPI_PLACED(MPI_Win_get_info, __VA_ARGS__)
#define PMPI_Win_get_info(...)           KP_MPI_PLACED(PMPI_Win_get_info, __VA_ARGS__)
#define MPI_Win_get_name(...)            KP_MPI_PLACED(MPI_Win_get_name, __VA_ARGS__)
#define PMPI_Win_get_name(...)           KP_MPI_PLACED(PMPI_Win_get_name, __VA_ARGS__)
#define MPI_Win_lock(...)                KP_MPI_PLACED(MPI_Win_lock, __VA_ARGS__)
#define PMPI_Win_lock(...)               KP_MPI_PLACED(PMPI_Win_lock, __VA_ARGS__)
#define MPI_Win_lock_all(...)            KP_MPI_PLACED(MPI_Win_lock_all, __VA_ARGS__)
#define PMPI_Win_lock_all(...)           KP_MPI_PLACED(PMPI_Win_lock_all, __VA_ARGS__)
#define MPI_Win_post(...)                KP_MPI_PLACED(MPI_Win_post, __VA_ARGS__)
#define PMPI_Win_post(...)               KP_MPI_PLACED(PMPI_Win_post, __VA_ARGS__)
#define MPI_Win_set_attr(...)            KP_MPI_PLACED(MPI_Win_set_attr, __VA_ARGS__)
#define PMPI_Win_set_attr(...)           KP_MPI_PLACED(PMPI_Win_set_attr, __VA_ARGS__)
#define MPI_Win_set_errhandler(...)      KP_MPI_PLACED(MPI_Win_set_errhandler, __VA_ARGS__)
#define PMPI_Win_set_errhandler(...)     KP_MPI_PLACED(PMPI_Win_set_errhandler, __VA_ARGS__)
#define MPI_Win_set_info(...)            KP_MPI_PLACED(MPI_Win_set_info, __VA_ARGS__)
#define PMPI_Win_set_info(...)           KP_MPI_PLACED(PMPI_Win_set_info, __VA_ARGS__)
#define MPI_Win_set_name(...)            KP_MPI_PLACED(MPI_Win_set_name, __VA_ARGS__)
#define PMPI_Win_set_name(...)           KP_MPI_PLACED(PMPI_Win_set_name, __VA_ARGS__)
#define MPI_Win_shared_query(...)        KP_MPI_PLACED(MPI_Win_shared_query, __VA_ARGS__)
#define PMPI_Win_shared_query(...)       KP_MPI_PLACED(PMPI_Win_shared_query, __VA_ARGS__)
#define MPI_Win_start(...)               KP_MPI_PLACED(MPI_Win_start, __VA_ARGS__)
#define PMPI_Win_start(...)              KP_MPI_PLACED(PMPI_Win_start, __VA_ARGS__)
#define MPI_Win_sync(...)                KP_MPI_PLACED(MPI_Win_sync, __VA_ARGS__)
#define PMPI_Win_sync(...)               KP_MPI_PLACED(PMPI_Win_sync, __VA_ARGS__)
#define MPI_Win_test(...)                KP_MPI_PLACED(MPI_Win_test, __VA_ARGS__)
#define PMPI_Win_test(...)               KP_MPI_PLACED(PMPI_Win_test, __VA_ARGS__)
#define MPI_Win_unlock(...)              KP_MPI_PLACED(MPI_Win_unlock, __VA_ARGS__)
#define PMPI_Win_unlock(...)             KP_MPI_PLACED(PMPI_Win_unlock, __VA_ARGS__)
#define MPI_Win_unlock_all(...)          KP_MPI_PLACED(MPI_Win_unlock_all, __VA_ARGS__)
#define PMPI_Win_unlock_all(...)         KP_MPI_PLACED(PMPI_Win_unlock_all, __VA_ARGS__)
#define MPI_Win_wait(...)                KP_MPI_PLACED(MPI_Win_wait, __VA_ARGS__)
#define PMPI_Win_wait(...)               KP_MPI_PLACED(PMPI_Win_wait, __VA_ARGS__)
#endif

#endif
