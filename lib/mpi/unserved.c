/* The functions of MPI that kport does not serve. */
#include <stddef.h>

/* clang-format off */
#define UNSERVED(X) \
    X(Accumulate) X(Close_port) X(Comm_accept) X(Comm_connect) X(Comm_create_from_group)          \
    X(Comm_join) X(Comm_spawn) X(Comm_spawn_multiple) X(Compare_and_swap) X(Fetch_and_op)         \
    X(File_call_errhandler) X(File_close) X(File_create_errhandler) X(File_delete)                \
    X(File_get_amode) X(File_get_atomicity) X(File_get_byte_offset) X(File_get_errhandler)        \
    X(File_get_group) X(File_get_info) X(File_get_position) X(File_get_position_shared)           \
    X(File_get_size) X(File_get_type_extent) X(File_get_view) X(File_iread) X(File_iread_all)     \
    X(File_iread_at) X(File_iread_at_all) X(File_iread_shared) X(File_iwrite) X(File_iwrite_all)  \
    X(File_iwrite_at) X(File_iwrite_at_all) X(File_iwrite_shared) X(File_open)                    \
    X(File_preallocate) X(File_read) X(File_read_all) X(File_read_all_begin)                      \
    X(File_read_all_end) X(File_read_at) X(File_read_at_all) X(File_read_at_all_begin)            \
    X(File_read_at_all_end) X(File_read_ordered) X(File_read_ordered_begin)                       \
    X(File_read_ordered_end) X(File_read_shared) X(File_seek) X(File_seek_shared)                 \
    X(File_set_atomicity) X(File_set_errhandler) X(File_set_info) X(File_set_size)                \
    X(File_set_view) X(File_sync) X(File_write) X(File_write_all) X(File_write_all_begin)         \
    X(File_write_all_end) X(File_write_at) X(File_write_at_all) X(File_write_at_all_begin)        \
    X(File_write_at_all_end) X(File_write_ordered) X(File_write_ordered_begin)                    \
    X(File_write_ordered_end) X(File_write_shared) X(Get) X(Get_accumulate) X(Grequest_complete)  \
    X(Grequest_start) X(Group_from_session_pset) X(Intercomm_create_from_groups) X(Lookup_name)   \
    X(Open_port) X(Parrived) X(Pready) X(Pready_list)      \
    X(Pready_range) X(Precv_init) X(Psend_init) X(Publish_name) X(Put) X(Raccumulate)             \
    X(Register_datarep) X(Rget) X(Rget_accumulate) X(Rput) X(Session_call_errhandler)             \
    X(Session_create_errhandler) X(Session_finalize) X(Session_get_errhandler)                    \
    X(Session_get_info) X(Session_get_nth_pset) X(Session_get_num_psets)                          \
    X(Session_get_pset_info) X(Session_init) X(Session_set_errhandler) X(Status_c2f)              \
    X(Status_f2c) X(Type_create_f90_complex) X(Type_create_f90_integer) X(Type_create_f90_real)   \
    X(Unpublish_name) X(Win_allocate) X(Win_allocate_shared) X(Win_attach)     \
    X(Win_call_errhandler) X(Win_complete) X(Win_create) X(Win_create_dynamic)                    \
    X(Win_create_errhandler) X(Win_create_keyval) X(Win_delete_attr) X(Win_detach) X(Win_fence)   \
    X(Win_flush) X(Win_flush_all) X(Win_flush_local) X(Win_flush_local_all) X(Win_free)           \
    X(Win_free_keyval) X(Win_get_attr) X(Win_get_errhandler) X(Win_get_group) X(Win_get_info)     \
    X(Win_get_name) X(Win_lock) X(Win_lock_all) X(Win_post) X(Win_set_attr)                       \
    X(Win_set_errhandler) X(Win_set_info) X(Win_set_name) X(Win_shared_query) X(Win_start)        \
    X(Win_sync) X(Win_test) X(Win_unlock) X(Win_unlock_all) X(Win_wait)
/* clang-format on */

_Noreturn void kp_mpi_unserved(const char *function, const void *caller);

/* None of them looks at its arguments, so here they have none. */
#define DEFINE(name)                                                                               \
    __attribute__((visibility("default"))) int MPI_##name(void);                                   \
    __attribute__((visibility("default"), alias("MPI_" #name))) int PMPI_##name(void);             \
    int MPI_##name(void)                                                                           \
    {                                                                                              \
        kp_mpi_unserved("MPI_" #name, __builtin_return_address(0));                                \
    }
UNSERVED(DEFINE)
