/* The interface for tools (MPI_T_...), which kport does not serve. A call ends the program, and
 * names the function and the place of the call. mpi.h includes this header. */
#include "../mpi.h"

#ifndef KPORT_MPI_FACE_TOOLS_H
#define KPORT_MPI_FACE_TOOLS_H

typedef struct kp_mpi_t_enum *MPI_T_enum;
typedef struct kp_mpi_t_cvar *MPI_T_cvar_handle;
typedef struct kp_mpi_t_pvar *MPI_T_pvar_handle;
typedef struct kp_mpi_t_pvar_session *MPI_T_pvar_session;
typedef struct kp_mpi_t_registration *MPI_T_event_registration;
typedef struct kp_mpi_t_instance *MPI_T_event_instance;

#define MPI_T_ENUM_NULL         ((MPI_T_enum)0)
#define MPI_T_CVAR_HANDLE_NULL  ((MPI_T_cvar_handle)0)
#define MPI_T_PVAR_HANDLE_NULL  ((MPI_T_pvar_handle)0)
#define MPI_T_PVAR_ALL_HANDLES  ((MPI_T_pvar_handle)-1)
#define MPI_T_PVAR_SESSION_NULL ((MPI_T_pvar_session)0)

typedef enum {
    MPI_T_CB_REQUIRE_NONE,
    MPI_T_CB_REQUIRE_MPI_RESTRICTED,
    MPI_T_CB_REQUIRE_THREAD_SAFE,
    MPI_T_CB_REQUIRE_ASYNC_SIGNAL_SAFE
} MPI_T_cb_safety;
typedef enum {
    MPI_T_SOURCE_ORDERED,
    MPI_T_SOURCE_UNORDERED
} MPI_T_source_order;

typedef void(MPI_T_event_cb_function)(MPI_T_event_instance, MPI_T_event_registration,
                                      MPI_T_cb_safety, void *);
typedef void(MPI_T_event_free_cb_function)(MPI_T_event_registration, MPI_T_cb_safety, void *);
typedef void(MPI_T_event_dropped_cb_function)(MPI_Count, MPI_T_event_registration, int,
                                              MPI_T_cb_safety, void *);

enum {
    MPI_T_VERBOSITY_USER_BASIC = 1,
    MPI_T_VERBOSITY_USER_DETAIL,
    MPI_T_VERBOSITY_USER_ALL,
    MPI_T_VERBOSITY_TUNER_BASIC,
    MPI_T_VERBOSITY_TUNER_DETAIL,
    MPI_T_VERBOSITY_TUNER_ALL,
    MPI_T_VERBOSITY_MPIDEV_BASIC,
    MPI_T_VERBOSITY_MPIDEV_DETAIL,
    MPI_T_VERBOSITY_MPIDEV_ALL
};
enum {
    MPI_T_BIND_NO_OBJECT,
    MPI_T_BIND_MPI_COMM,
    MPI_T_BIND_MPI_DATATYPE,
    MPI_T_BIND_MPI_ERRHANDLER,
    MPI_T_BIND_MPI_FILE,
    MPI_T_BIND_MPI_GROUP,
    MPI_T_BIND_MPI_OP,
    MPI_T_BIND_MPI_REQUEST,
    MPI_T_BIND_MPI_WIN,
    MPI_T_BIND_MPI_MESSAGE,
    MPI_T_BIND_MPI_INFO,
    MPI_T_BIND_MPI_SESSION
};
enum {
    MPI_T_SCOPE_CONSTANT,
    MPI_T_SCOPE_READONLY,
    MPI_T_SCOPE_LOCAL,
    MPI_T_SCOPE_GROUP,
    MPI_T_SCOPE_GROUP_EQ,
    MPI_T_SCOPE_ALL,
    MPI_T_SCOPE_ALL_EQ
};
enum {
    MPI_T_PVAR_CLASS_STATE,
    MPI_T_PVAR_CLASS_LEVEL,
    MPI_T_PVAR_CLASS_SIZE,
    MPI_T_PVAR_CLASS_PERCENTAGE,
    MPI_T_PVAR_CLASS_HIGHWATERMARK,
    MPI_T_PVAR_CLASS_LOWWATERMARK,
    MPI_T_PVAR_CLASS_COUNTER,
    MPI_T_PVAR_CLASS_AGGREGATE,
    MPI_T_PVAR_CLASS_TIMER,
    MPI_T_PVAR_CLASS_GENERIC
};

KP_MPI(int, T_category_changed, (int *update_number));
KP_MPI(int, T_category_get_categories, (int cat_index, int len, int indices[]));
KP_MPI(int, T_category_get_cvars, (int cat_index, int len, int indices[]));
KP_MPI(int, T_category_get_events, (int cat_index, int len, int indices[]));
KP_MPI(int, T_category_get_index, (const char *name, int *cat_index));
KP_MPI(int, T_category_get_info,
       (int cat_index, char *name, int *name_len, char *desc, int *desc_len, int *num_cvars,
        int *num_pvars, int *num_categories));
KP_MPI(int, T_category_get_num, (int *num_cat));
KP_MPI(int, T_category_get_num_events, (int cat_index, int *num_events));
KP_MPI(int, T_category_get_pvars, (int cat_index, int len, int indices[]));
KP_MPI(int, T_cvar_get_index, (const char *name, int *cvar_index));
KP_MPI(int, T_cvar_get_info,
       (int cvar_index, char *name, int *name_len, int *verbosity, MPI_Datatype *datatype,
        MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind, int *scope));
KP_MPI(int, T_cvar_get_num, (int *num_cvar));
KP_MPI(int, T_cvar_handle_alloc,
       (int cvar_index, void *obj_handle, MPI_T_cvar_handle *handle, int *count));
KP_MPI(int, T_cvar_handle_free, (MPI_T_cvar_handle * handle));
KP_MPI(int, T_cvar_read, (MPI_T_cvar_handle handle, void *buf));
KP_MPI(int, T_cvar_write, (MPI_T_cvar_handle handle, const void *buf));
KP_MPI(int, T_enum_get_info, (MPI_T_enum enumtype, int *num, char *name, int *name_len));
KP_MPI(int, T_enum_get_item,
       (MPI_T_enum enumtype, int indx, int *value, char *name, int *name_len));
KP_MPI(int, T_event_callback_get_info,
       (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety,
        MPI_Info *info_used));
KP_MPI(int, T_event_callback_set_info,
       (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info));
KP_MPI(int, T_event_copy, (MPI_T_event_instance event_instance, void *buffer));
KP_MPI(int, T_event_get_index, (const char *name, int *event_index));
KP_MPI(int, T_event_get_info,
       (int event_index, char *name, int *name_len, int *verbosity,
        MPI_Datatype array_of_datatypes[], MPI_Aint array_of_displacements[], int *num_elements,
        MPI_T_enum *enumtype, MPI_Info *info, char *desc, int *desc_len, int *bind));
KP_MPI(int, T_event_get_num, (int *num_events));
KP_MPI(int, T_event_get_source, (MPI_T_event_instance event_instance, int *source_index));
KP_MPI(int, T_event_get_timestamp,
       (MPI_T_event_instance event_instance, MPI_Count *event_timestamp));
KP_MPI(int, T_event_handle_alloc,
       (int event_index, void *obj_handle, MPI_Info info,
        MPI_T_event_registration *event_registration));
KP_MPI(int, T_event_handle_free,
       (MPI_T_event_registration event_registration, void *user_data,
        MPI_T_event_free_cb_function *free_cb_function));
KP_MPI(int, T_event_handle_get_info,
       (MPI_T_event_registration event_registration, MPI_Info *info_used));
KP_MPI(int, T_event_handle_set_info, (MPI_T_event_registration event_registration, MPI_Info info));
KP_MPI(int, T_event_read, (MPI_T_event_instance event_instance, int element_index, void *buffer));
KP_MPI(int, T_event_register_callback,
       (MPI_T_event_registration event_registration, MPI_T_cb_safety cb_safety, MPI_Info info,
        void *user_data, MPI_T_event_cb_function *event_cb_function));
KP_MPI(int, T_event_set_dropped_handler,
       (MPI_T_event_registration event_registration,
        MPI_T_event_dropped_cb_function *dropped_cb_function));
KP_MPI(int, T_finalize, (void));
KP_MPI(int, T_init_thread, (int required, int *provided));
KP_MPI(int, T_pvar_get_index, (const char *name, int var_class, int *pvar_index));
KP_MPI(int, T_pvar_get_info,
       (int pvar_index, char *name, int *name_len, int *verbosity, int *var_class,
        MPI_Datatype *datatype, MPI_T_enum *enumtype, char *desc, int *desc_len, int *bind,
        int *readonly, int *continuous, int *atomic));
KP_MPI(int, T_pvar_get_num, (int *num_pvar));
KP_MPI(int, T_pvar_handle_alloc,
       (MPI_T_pvar_session session, int pvar_index, void *obj_handle, MPI_T_pvar_handle *handle,
        int *count));
KP_MPI(int, T_pvar_handle_free, (MPI_T_pvar_session session, MPI_T_pvar_handle *handle));
KP_MPI(int, T_pvar_read, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf));
KP_MPI(int, T_pvar_readreset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, void *buf));
KP_MPI(int, T_pvar_reset, (MPI_T_pvar_session session, MPI_T_pvar_handle handle));
KP_MPI(int, T_pvar_session_create, (MPI_T_pvar_session * session));
KP_MPI(int, T_pvar_session_free, (MPI_T_pvar_session * session));
KP_MPI(int, T_pvar_start, (MPI_T_pvar_session session, MPI_T_pvar_handle handle));
KP_MPI(int, T_pvar_stop, (MPI_T_pvar_session session, MPI_T_pvar_handle handle));
KP_MPI(int, T_pvar_write, (MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void *buf));
KP_MPI(int, T_source_get_info,
       (int source_index, char *name, int *name_len, char *desc, int *desc_len,
        MPI_T_source_order *ordering, MPI_Count *ticks_per_second, MPI_Count *max_ticks,
        MPI_Info *info));
KP_MPI(int, T_source_get_num, (int *num_sources));
KP_MPI(int, T_source_get_timestamp, (int source_index, MPI_Count *timestamp));

#ifndef KP_NO_CALL_SITES
#define MPI_T_category_changed(...)        KP_MPI_PLACED(MPI_T_category_changed, __VA_ARGS__)
#define PMPI_T_category_changed(...)       KP_MPI_PLACED(PMPI_T_category_changed, __VA_ARGS__)
#define MPI_T_category_get_categories(...) KP_MPI_PLACED(MPI_T_category_get_categories, __VA_ARGS__)
#define PMPI_T_category_get_categories(...)                                                        \
    KP_MPI_PLACED(PMPI_T_category_get_categories, __VA_ARGS__)
#define MPI_T_category_get_cvars(...)      KP_MPI_PLACED(MPI_T_category_get_cvars, __VA_ARGS__)
#define PMPI_T_category_get_cvars(...)     KP_MPI_PLACED(PMPI_T_category_get_cvars, __VA_ARGS__)
#define MPI_T_category_get_events(...)     KP_MPI_PLACED(MPI_T_category_get_events, __VA_ARGS__)
#define PMPI_T_category_get_events(...)    KP_MPI_PLACED(PMPI_T_category_get_events, __VA_ARGS__)
#define MPI_T_category_get_index(...)      KP_MPI_PLACED(MPI_T_category_get_index, __VA_ARGS__)
#define PMPI_T_category_get_index(...)     KP_MPI_PLACED(PMPI_T_category_get_index, __VA_ARGS__)
#define MPI_T_category_get_info(...)       KP_MPI_PLACED(MPI_T_category_get_info, __VA_ARGS__)
#define PMPI_T_category_get_info(...)      KP_MPI_PLACED(PMPI_T_category_get_info, __VA_ARGS__)
#define MPI_T_category_get_num(...)        KP_MPI_PLACED(MPI_T_category_get_num, __VA_ARGS__)
#define PMPI_T_category_get_num(...)       KP_MPI_PLACED(PMPI_T_category_get_num, __VA_ARGS__)
#define MPI_T_category_get_num_events(...) KP_MPI_PLACED(MPI_T_category_get_num_events, __VA_ARGS__)
#define PMPI_T_category_get_num_events(...)                                                        \
    KP_MPI_PLACED(PMPI_T_category_get_num_events, __VA_ARGS__)
#define MPI_T_category_get_pvars(...)      KP_MPI_PLACED(MPI_T_category_get_pvars, __VA_ARGS__)
#define PMPI_T_category_get_pvars(...)     KP_MPI_PLACED(PMPI_T_category_get_pvars, __VA_ARGS__)
#define MPI_T_cvar_get_index(...)          KP_MPI_PLACED(MPI_T_cvar_get_index, __VA_ARGS__)
#define PMPI_T_cvar_get_index(...)         KP_MPI_PLACED(PMPI_T_cvar_get_index, __VA_ARGS__)
#define MPI_T_cvar_get_info(...)           KP_MPI_PLACED(MPI_T_cvar_get_info, __VA_ARGS__)
#define PMPI_T_cvar_get_info(...)          KP_MPI_PLACED(PMPI_T_cvar_get_info, __VA_ARGS__)
#define MPI_T_cvar_get_num(...)            KP_MPI_PLACED(MPI_T_cvar_get_num, __VA_ARGS__)
#define PMPI_T_cvar_get_num(...)           KP_MPI_PLACED(PMPI_T_cvar_get_num, __VA_ARGS__)
#define MPI_T_cvar_handle_alloc(...)       KP_MPI_PLACED(MPI_T_cvar_handle_alloc, __VA_ARGS__)
#define PMPI_T_cvar_handle_alloc(...)      KP_MPI_PLACED(PMPI_T_cvar_handle_alloc, __VA_ARGS__)
#define MPI_T_cvar_handle_free(...)        KP_MPI_PLACED(MPI_T_cvar_handle_free, __VA_ARGS__)
#define PMPI_T_cvar_handle_free(...)       KP_MPI_PLACED(PMPI_T_cvar_handle_free, __VA_ARGS__)
#define MPI_T_cvar_read(...)               KP_MPI_PLACED(MPI_T_cvar_read, __VA_ARGS__)
#define PMPI_T_cvar_read(...)              KP_MPI_PLACED(PMPI_T_cvar_read, __VA_ARGS__)
#define MPI_T_cvar_write(...)              KP_MPI_PLACED(MPI_T_cvar_write, __VA_ARGS__)
#define PMPI_T_cvar_write(...)             KP_MPI_PLACED(PMPI_T_cvar_write, __VA_ARGS__)
#define MPI_T_enum_get_info(...)           KP_MPI_PLACED(MPI_T_enum_get_info, __VA_ARGS__)
#define PMPI_T_enum_get_info(...)          KP_MPI_PLACED(PMPI_T_enum_get_info, __VA_ARGS__)
#define MPI_T_enum_get_item(...)           KP_MPI_PLACED(MPI_T_enum_get_item, __VA_ARGS__)
#define PMPI_T_enum_get_item(...)          KP_MPI_PLACED(PMPI_T_enum_get_item, __VA_ARGS__)
#define MPI_T_event_callback_get_info(...) KP_MPI_PLACED(MPI_T_event_callback_get_info, __VA_ARGS__)
#define PMPI_T_event_callback_get_info(...)                                                        \
    KP_MPI_PLACED(PMPI_T_event_callback_get_info, __VA_ARGS__)
#define MPI_T_event_callback_set_info(...) KP_MPI_PLACED(MPI_T_event_callback_set_info, __VA_ARGS__)
#define PMPI_T_event_callback_set_info(...)                                                        \
    KP_MPI_PLACED(PMPI_T_event_callback_set_info, __VA_ARGS__)
#define MPI_T_event_copy(...)              KP_MPI_PLACED(MPI_T_event_copy, __VA_ARGS__)
#define PMPI_T_event_copy(...)             KP_MPI_PLACED(PMPI_T_event_copy, __VA_ARGS__)
#define MPI_T_event_get_index(...)         KP_MPI_PLACED(MPI_T_event_get_index, __VA_ARGS__)
#define PMPI_T_event_get_index(...)        KP_MPI_PLACED(PMPI_T_event_get_index, __VA_ARGS__)
#define MPI_T_event_get_info(...)          KP_MPI_PLACED(MPI_T_event_get_info, __VA_ARGS__)
#define PMPI_T_event_get_info(...)         KP_MPI_PLACED(PMPI_T_event_get_info, __VA_ARGS__)
#define MPI_T_event_get_num(...)           KP_MPI_PLACED(MPI_T_event_get_num, __VA_ARGS__)
#define PMPI_T_event_get_num(...)          KP_MPI_PLACED(PMPI_T_event_get_num, __VA_ARGS__)
#define MPI_T_event_get_source(...)        KP_MPI_PLACED(MPI_T_event_get_source, __VA_ARGS__)
#define PMPI_T_event_get_source(...)       KP_MPI_PLACED(PMPI_T_event_get_source, __VA_ARGS__)
#define MPI_T_event_get_timestamp(...)     KP_MPI_PLACED(MPI_T_event_get_timestamp, __VA_ARGS__)
#define PMPI_T_event_get_timestamp(...)    KP_MPI_PLACED(PMPI_T_event_get_timestamp, __VA_ARGS__)
#define MPI_T_event_handle_alloc(...)      KP_MPI_PLACED(MPI_T_event_handle_alloc, __VA_ARGS__)
#define PMPI_T_event_handle_alloc(...)     KP_MPI_PLACED(PMPI_T_event_handle_alloc, __VA_ARGS__)
#define MPI_T_event_handle_free(...)       KP_MPI_PLACED(MPI_T_event_handle_free, __VA_ARGS__)
#define PMPI_T_event_handle_free(...)      KP_MPI_PLACED(PMPI_T_event_handle_free, __VA_ARGS__)
#define MPI_T_event_handle_get_info(...)   KP_MPI_PLACED(MPI_T_event_handle_get_info, __VA_ARGS__)
#define PMPI_T_event_handle_get_info(...)  KP_MPI_PLACED(PMPI_T_event_handle_get_info, __VA_ARGS__)
#define MPI_T_event_handle_set_info(...)   KP_MPI_PLACED(MPI_T_event_handle_set_info, __VA_ARGS__)
#define PMPI_T_event_handle_set_info(...)  KP_MPI_PLACED(PMPI_T_event_handle_set_info, __VA_ARGS__)
#define MPI_T_event_read(...)              KP_MPI_PLACED(MPI_T_event_read, __VA_ARGS__)
#define PMPI_T_event_read(...)             KP_MPI_PLACED(PMPI_T_event_read, __VA_ARGS__)
#define MPI_T_event_register_callback(...) KP_MPI_PLACED(MPI_T_event_register_callback, __VA_ARGS__)
#define PMPI_T_event_register_callback(...)                                                        \
    KP_MPI_PLACED(PMPI_T_event_register_callback, __VA_ARGS__)
#define MPI_T_event_set_dropped_handler(...)                                                       \
    KP_MPI_PLACED(MPI_T_event_set_dropped_handler, __VA_ARGS__)
#define PMPI_T_event_set_dropped_handler(...)                                                      \
    KP_MPI_PLACED(PMPI_T_event_set_dropped_handler, __VA_ARGS__)
#define MPI_T_finalize(...)              KP_MPI_PLACED(MPI_T_finalize, __VA_ARGS__)
#define PMPI_T_finalize(...)             KP_MPI_PLACED(PMPI_T_finalize, __VA_ARGS__)
#define MPI_T_init_thread(...)           KP_MPI_PLACED(MPI_T_init_thread, __VA_ARGS__)
#define PMPI_T_init_thread(...)          KP_MPI_PLACED(PMPI_T_init_thread, __VA_ARGS__)
#define MPI_T_pvar_get_index(...)        KP_MPI_PLACED(MPI_T_pvar_get_index, __VA_ARGS__)
#define PMPI_T_pvar_get_index(...)       KP_MPI_PLACED(PMPI_T_pvar_get_index, __VA_ARGS__)
#define MPI_T_pvar_get_info(...)         KP_MPI_PLACED(MPI_T_pvar_get_info, __VA_ARGS__)
#define PMPI_T_pvar_get_info(...)        KP_MPI_PLACED(PMPI_T_pvar_get_info, __VA_ARGS__)
#define MPI_T_pvar_get_num(...)          KP_MPI_PLACED(MPI_T_pvar_get_num, __VA_ARGS__)
#define PMPI_T_pvar_get_num(...)         KP_MPI_PLACED(PMPI_T_pvar_get_num, __VA_ARGS__)
#define MPI_T_pvar_handle_alloc(...)     KP_MPI_PLACED(MPI_T_pvar_handle_alloc, __VA_ARGS__)
#define PMPI_T_pvar_handle_alloc(...)    KP_MPI_PLACED(PMPI_T_pvar_handle_alloc, __VA_ARGS__)
#define MPI_T_pvar_handle_free(...)      KP_MPI_PLACED(MPI_T_pvar_handle_free, __VA_ARGS__)
#define PMPI_T_pvar_handle_free(...)     KP_MPI_PLACED(PMPI_T_pvar_handle_free, __VA_ARGS__)
#define MPI_T_pvar_read(...)             KP_MPI_PLACED(MPI_T_pvar_read, __VA_ARGS__)
#define PMPI_T_pvar_read(...)            KP_MPI_PLACED(PMPI_T_pvar_read, __VA_ARGS__)
#define MPI_T_pvar_readreset(...)        KP_MPI_PLACED(MPI_T_pvar_readreset, __VA_ARGS__)
#define PMPI_T_pvar_readreset(...)       KP_MPI_PLACED(PMPI_T_pvar_readreset, __VA_ARGS__)
#define MPI_T_pvar_reset(...)            KP_MPI_PLACED(MPI_T_pvar_reset, __VA_ARGS__)
#define PMPI_T_pvar_reset(...)           KP_MPI_PLACED(PMPI_T_pvar_reset, __VA_ARGS__)
#define MPI_T_pvar_session_create(...)   KP_MPI_PLACED(MPI_T_pvar_session_create, __VA_ARGS__)
#define PMPI_T_pvar_session_create(...)  KP_MPI_PLACED(PMPI_T_pvar_session_create, __VA_ARGS__)
#define MPI_T_pvar_session_free(...)     KP_MPI_PLACED(MPI_T_pvar_session_free, __VA_ARGS__)
#define PMPI_T_pvar_session_free(...)    KP_MPI_PLACED(PMPI_T_pvar_session_free, __VA_ARGS__)
#define MPI_T_pvar_start(...)            KP_MPI_PLACED(MPI_T_pvar_start, __VA_ARGS__)
#define PMPI_T_pvar_start(...)           KP_MPI_PLACED(PMPI_T_pvar_start, __VA_ARGS__)
#define MPI_T_pvar_stop(...)             KP_MPI_PLACED(MPI_T_pvar_stop, __VA_ARGS__)
#define PMPI_T_pvar_stop(...)            KP_MPI_PLACED(PMPI_T_pvar_stop, __VA_ARGS__)
#define MPI_T_pvar_write(...)            KP_MPI_PLACED(MPI_T_pvar_write, __VA_ARGS__)
#define PMPI_T_pvar_write(...)           KP_MPI_PLACED(PMPI_T_pvar_write, __VA_ARGS__)
#define MPI_T_source_get_info(...)       KP_MPI_PLACED(MPI_T_source_get_info, __VA_ARGS__)
#define PMPI_T_source_get_info(...)      KP_MPI_PLACED(PMPI_T_source_get_info, __VA_ARGS__)
#define MPI_T_source_get_num(...)        KP_MPI_PLACED(MPI_T_source_get_num, __VA_ARGS__)
#define PMPI_T_source_get_num(...)       KP_MPI_PLACED(PMPI_T_source_get_num, __VA_ARGS__)
#define MPI_T_source_get_timestamp(...)  KP_MPI_PLACED(MPI_T_source_get_timestamp, __VA_ARGS__)
#define PMPI_T_source_get_timestamp(...) KP_MPI_PLACED(PMPI_T_source_get_timestamp, __VA_ARGS__)
#endif

#endif
