/* The functions of MPI that kport does not serve. */
#include <stddef.h>

/* clang-format off */
#define UNSERVED(X) \
    X(Accumulate) X(Accumulate_c) X(Close_port) X(Comm_accept) X(Comm_connect)                \
    X(Comm_create_from_group) X(Comm_join) X(Comm_spawn) X(Comm_spawn_multiple)               \
    X(Compare_and_swap) X(Fetch_and_op) X(File_call_errhandler) X(File_close)                 \
    X(File_create_errhandler) X(File_delete) X(File_get_amode) X(File_get_atomicity)          \
    X(File_get_byte_offset) X(File_get_errhandler) X(File_get_group) X(File_get_info)         \
    X(File_get_position) X(File_get_position_shared) X(File_get_size) X(File_get_type_extent) \
    X(File_get_type_extent_c) X(File_get_view) X(File_iread) X(File_iread_all)                \
    X(File_iread_all_c) X(File_iread_at) X(File_iread_at_all) X(File_iread_at_all_c)          \
    X(File_iread_at_c) X(File_iread_c) X(File_iread_shared) X(File_iread_shared_c)            \
    X(File_iwrite) X(File_iwrite_all) X(File_iwrite_all_c) X(File_iwrite_at)                  \
    X(File_iwrite_at_all) X(File_iwrite_at_all_c) X(File_iwrite_at_c) X(File_iwrite_c)        \
    X(File_iwrite_shared) X(File_iwrite_shared_c) X(File_open) X(File_preallocate)            \
    X(File_read) X(File_read_all) X(File_read_all_begin) X(File_read_all_begin_c)             \
    X(File_read_all_c) X(File_read_all_end) X(File_read_at) X(File_read_at_all)               \
    X(File_read_at_all_begin) X(File_read_at_all_begin_c) X(File_read_at_all_c)               \
    X(File_read_at_all_end) X(File_read_at_c) X(File_read_c) X(File_read_ordered)             \
    X(File_read_ordered_begin) X(File_read_ordered_begin_c) X(File_read_ordered_c)            \
    X(File_read_ordered_end) X(File_read_shared) X(File_read_shared_c) X(File_seek)           \
    X(File_seek_shared) X(File_set_atomicity) X(File_set_errhandler) X(File_set_info)         \
    X(File_set_size) X(File_set_view) X(File_sync) X(File_write) X(File_write_all)            \
    X(File_write_all_begin) X(File_write_all_begin_c) X(File_write_all_c)                     \
    X(File_write_all_end) X(File_write_at) X(File_write_at_all) X(File_write_at_all_begin)    \
    X(File_write_at_all_begin_c) X(File_write_at_all_c) X(File_write_at_all_end)              \
    X(File_write_at_c) X(File_write_c) X(File_write_ordered) X(File_write_ordered_begin)      \
    X(File_write_ordered_begin_c) X(File_write_ordered_c) X(File_write_ordered_end)           \
    X(File_write_shared) X(File_write_shared_c) X(Get) X(Get_accumulate) X(Get_accumulate_c)  \
    X(Get_c) X(Group_from_session_pset)                \
    X(Intercomm_create_from_groups) X(Lookup_name) X(Open_port) X(Parrived) X(Pready)         \
    X(Pready_list) X(Pready_range) X(Precv_init) X(Psend_init) X(Publish_name) X(Put) X(Put_c)\
    X(Raccumulate) X(Raccumulate_c) X(Register_datarep) X(Register_datarep_c) X(Rget)         \
    X(Rget_accumulate) X(Rget_accumulate_c) X(Rget_c) X(Rput) X(Rput_c)                       \
    X(Session_call_errhandler) X(Session_create_errhandler) X(Session_finalize)               \
    X(Session_get_errhandler) X(Session_get_info) X(Session_get_nth_pset)                     \
    X(Session_get_num_psets) X(Session_get_pset_info) X(Session_init)                         \
    X(Session_set_errhandler) X(T_category_changed) X(T_category_get_categories)              \
    X(T_category_get_cvars) X(T_category_get_events) X(T_category_get_index)                  \
    X(T_category_get_info) X(T_category_get_num) X(T_category_get_num_events)                 \
    X(T_category_get_pvars) X(T_cvar_get_index) X(T_cvar_get_info) X(T_cvar_get_num)          \
    X(T_cvar_handle_alloc) X(T_cvar_handle_free) X(T_cvar_read) X(T_cvar_write)               \
    X(T_enum_get_info) X(T_enum_get_item) X(T_event_callback_get_info)                        \
    X(T_event_callback_set_info) X(T_event_copy) X(T_event_get_index) X(T_event_get_info)     \
    X(T_event_get_num) X(T_event_get_source) X(T_event_get_timestamp) X(T_event_handle_alloc) \
    X(T_event_handle_free) X(T_event_handle_get_info) X(T_event_handle_set_info)              \
    X(T_event_read) X(T_event_register_callback) X(T_event_set_dropped_handler) X(T_finalize) \
    X(T_init_thread) X(T_pvar_get_index) X(T_pvar_get_info) X(T_pvar_get_num)                 \
    X(T_pvar_handle_alloc) X(T_pvar_handle_free) X(T_pvar_read) X(T_pvar_readreset)           \
    X(T_pvar_reset) X(T_pvar_session_create) X(T_pvar_session_free) X(T_pvar_start)           \
    X(T_pvar_stop) X(T_pvar_write) X(T_source_get_info) X(T_source_get_num)                   \
    X(T_source_get_timestamp) X(Unpublish_name) X(Win_allocate) X(Win_allocate_c)             \
    X(Win_allocate_shared) X(Win_allocate_shared_c) X(Win_attach) X(Win_call_errhandler)      \
    X(Win_complete) X(Win_create) X(Win_create_c) X(Win_create_dynamic)                       \
    X(Win_create_errhandler) X(Win_create_keyval) X(Win_delete_attr) X(Win_detach)            \
    X(Win_fence) X(Win_flush) X(Win_flush_all) X(Win_flush_local) X(Win_flush_local_all)      \
    X(Win_free) X(Win_free_keyval) X(Win_get_attr) X(Win_get_errhandler) X(Win_get_group)     \
    X(Win_get_info) X(Win_get_name) X(Win_lock) X(Win_lock_all) X(Win_post) X(Win_set_attr)   \
    X(Win_set_errhandler) X(Win_set_info) X(Win_set_name) X(Win_shared_query)                 \
    X(Win_shared_query_c) X(Win_start) X(Win_sync) X(Win_test) X(Win_unlock) X(Win_unlock_all)\
    X(Win_wait)
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
