/* Init, Finalize, Abort, error handlers, info objects, and handles as numbers of Fortran.
 * mpi.h includes this header. */
#include "../mpi.h"

#ifndef KPORT_MPI_FACE_ENVIRONMENT_H
#define KPORT_MPI_FACE_ENVIRONMENT_H

KP_MPI(int, Abort, (MPI_Comm comm, int errorcode));
KP_MPI(int, Add_error_class, (int *errorclass));
KP_MPI(int, Add_error_code, (int errorclass, int *errorcode));
KP_MPI(int, Add_error_string, (int errorcode, const char *string));
KP_MPI(int, Alloc_mem, (MPI_Aint size, MPI_Info info, void *baseptr));
KP_MPI(MPI_Fint, Comm_c2f, (MPI_Comm comm));
KP_MPI(MPI_Comm, Comm_f2c, (MPI_Fint comm));
KP_MPI(MPI_Fint, Errhandler_c2f, (MPI_Errhandler errhandler));
KP_MPI(int, Errhandler_create, (MPI_Handler_function * function, MPI_Errhandler *errhandler));
KP_MPI(MPI_Errhandler, Errhandler_f2c, (MPI_Fint errhandler));
KP_MPI(int, Errhandler_free, (MPI_Errhandler * errhandler));
KP_MPI(int, Errhandler_get, (MPI_Comm comm, MPI_Errhandler *errhandler));
KP_MPI(int, Errhandler_set, (MPI_Comm comm, MPI_Errhandler errhandler));
KP_MPI(int, Error_class, (int errorcode, int *errorclass));
KP_MPI(int, Error_string, (int errorcode, char *string, int *resultlen));
KP_MPI(MPI_Fint, File_c2f, (MPI_File file));
KP_MPI(MPI_File, File_f2c, (MPI_Fint file));
KP_MPI(int, Finalize, (void));
KP_MPI(int, Finalized, (int *flag));
KP_MPI(int, Free_mem, (void *base));
KP_MPI(int, Get_library_version, (char *version, int *resultlen));
KP_MPI(int, Get_processor_name, (char *name, int *resultlen));
KP_MPI(int, Get_version, (int *version, int *subversion));
KP_MPI(MPI_Fint, Group_c2f, (MPI_Group group));
KP_MPI(MPI_Group, Group_f2c, (MPI_Fint group));
KP_MPI(MPI_Fint, Info_c2f, (MPI_Info info));
KP_MPI(int, Info_create, (MPI_Info * info));
KP_MPI(int, Info_create_env, (int argc, char *argv[], MPI_Info *info));
KP_MPI(int, Info_delete, (MPI_Info info, const char *key));
KP_MPI(int, Info_dup, (MPI_Info info, MPI_Info *newinfo));
KP_MPI(MPI_Info, Info_f2c, (MPI_Fint info));
KP_MPI(int, Info_free, (MPI_Info * info));
KP_MPI(int, Info_get, (MPI_Info info, const char *key, int valuelen, char *value, int *flag));
KP_MPI(int, Info_get_nkeys, (MPI_Info info, int *nkeys));
KP_MPI(int, Info_get_nthkey, (MPI_Info info, int n, char *key));
KP_MPI(int, Info_get_string, (MPI_Info info, const char *key, int *buflen, char *value, int *flag));
KP_MPI(int, Info_get_valuelen, (MPI_Info info, const char *key, int *valuelen, int *flag));
KP_MPI(int, Info_set, (MPI_Info info, const char *key, const char *value));
KP_MPI(int, Init, (int *argc, char ***argv));
KP_MPI(int, Init_thread, (int *argc, char ***argv, int required, int *provided));
KP_MPI(int, Initialized, (int *flag));
KP_MPI(int, Is_thread_main, (int *flag));
KP_MPI(MPI_Fint, Message_c2f, (MPI_Message message));
KP_MPI(MPI_Message, Message_f2c, (MPI_Fint message));
KP_MPI(MPI_Fint, Op_c2f, (MPI_Op op));
KP_MPI(MPI_Op, Op_f2c, (MPI_Fint op));
KP_MPI(int, Pcontrol, (const int level, ...));
KP_MPI(int, Query_thread, (int *provided));
KP_MPI(MPI_Fint, Request_c2f, (MPI_Request request));
KP_MPI(MPI_Request, Request_f2c, (MPI_Fint request));
KP_MPI(MPI_Fint, Session_c2f, (MPI_Session session));
KP_MPI(MPI_Session, Session_f2c, (MPI_Fint session));
KP_MPI(MPI_Fint, Type_c2f, (MPI_Datatype datatype));
KP_MPI(MPI_Datatype, Type_f2c, (MPI_Fint datatype));
KP_MPI(MPI_Fint, Win_c2f, (MPI_Win win));
KP_MPI(MPI_Win, Win_f2c, (MPI_Fint win));
KP_MPI(double, Wtick, (void));
KP_MPI(double, Wtime, (void));

#ifndef KP_NO_CALL_SITES
#define MPI_Abort(...)                KP_MPI_PLACED(MPI_Abort, __VA_ARGS__)
#define PMPI_Abort(...)               KP_MPI_PLACED(PMPI_Abort, __VA_ARGS__)
#define MPI_Add_error_class(...)      KP_MPI_PLACED(MPI_Add_error_class, __VA_ARGS__)
#define PMPI_Add_error_class(...)     KP_MPI_PLACED(PMPI_Add_error_class, __VA_ARGS__)
#define MPI_Add_error_code(...)       KP_MPI_PLACED(MPI_Add_error_code, __VA_ARGS__)
#define PMPI_Add_error_code(...)      KP_MPI_PLACED(PMPI_Add_error_code, __VA_ARGS__)
#define MPI_Add_error_string(...)     KP_MPI_PLACED(MPI_Add_error_string, __VA_ARGS__)
#define PMPI_Add_error_string(...)    KP_MPI_PLACED(PMPI_Add_error_string, __VA_ARGS__)
#define MPI_Alloc_mem(...)            KP_MPI_PLACED(MPI_Alloc_mem, __VA_ARGS__)
#define PMPI_Alloc_mem(...)           KP_MPI_PLACED(PMPI_Alloc_mem, __VA_ARGS__)
#define MPI_Comm_c2f(...)             KP_MPI_PLACED(MPI_Comm_c2f, __VA_ARGS__)
#define PMPI_Comm_c2f(...)            KP_MPI_PLACED(PMPI_Comm_c2f, __VA_ARGS__)
#define MPI_Comm_f2c(...)             KP_MPI_PLACED(MPI_Comm_f2c, __VA_ARGS__)
#define PMPI_Comm_f2c(...)            KP_MPI_PLACED(PMPI_Comm_f2c, __VA_ARGS__)
#define MPI_Errhandler_c2f(...)       KP_MPI_PLACED(MPI_Errhandler_c2f, __VA_ARGS__)
#define PMPI_Errhandler_c2f(...)      KP_MPI_PLACED(PMPI_Errhandler_c2f, __VA_ARGS__)
#define MPI_Errhandler_create(...)    KP_MPI_PLACED(MPI_Errhandler_create, __VA_ARGS__)
#define PMPI_Errhandler_create(...)   KP_MPI_PLACED(PMPI_Errhandler_create, __VA_ARGS__)
#define MPI_Errhandler_f2c(...)       KP_MPI_PLACED(MPI_Errhandler_f2c, __VA_ARGS__)
#define PMPI_Errhandler_f2c(...)      KP_MPI_PLACED(PMPI_Errhandler_f2c, __VA_ARGS__)
#define MPI_Errhandler_free(...)      KP_MPI_PLACED(MPI_Errhandler_free, __VA_ARGS__)
#define PMPI_Errhandler_free(...)     KP_MPI_PLACED(PMPI_Errhandler_free, __VA_ARGS__)
#define MPI_Errhandler_get(...)       KP_MPI_PLACED(MPI_Errhandler_get, __VA_ARGS__)
#define PMPI_Errhandler_get(...)      KP_MPI_PLACED(PMPI_Errhandler_get, __VA_ARGS__)
#define MPI_Errhandler_set(...)       KP_MPI_PLACED(MPI_Errhandler_set, __VA_ARGS__)
#define PMPI_Errhandler_set(...)      KP_MPI_PLACED(PMPI_Errhandler_set, __VA_ARGS__)
#define MPI_Error_class(...)          KP_MPI_PLACED(MPI_Error_class, __VA_ARGS__)
#define PMPI_Error_class(...)         KP_MPI_PLACED(PMPI_Error_class, __VA_ARGS__)
#define MPI_Error_string(...)         KP_MPI_PLACED(MPI_Error_string, __VA_ARGS__)
#define PMPI_Error_string(...)        KP_MPI_PLACED(PMPI_Error_string, __VA_ARGS__)
#define MPI_File_c2f(...)             KP_MPI_PLACED(MPI_File_c2f, __VA_ARGS__)
#define PMPI_File_c2f(...)            KP_MPI_PLACED(PMPI_File_c2f, __VA_ARGS__)
#define MPI_File_f2c(...)             KP_MPI_PLACED(MPI_File_f2c, __VA_ARGS__)
#define PMPI_File_f2c(...)            KP_MPI_PLACED(PMPI_File_f2c, __VA_ARGS__)
#define MPI_Finalize(...)             KP_MPI_PLACED(MPI_Finalize, __VA_ARGS__)
#define PMPI_Finalize(...)            KP_MPI_PLACED(PMPI_Finalize, __VA_ARGS__)
#define MPI_Finalized(...)            KP_MPI_PLACED(MPI_Finalized, __VA_ARGS__)
#define PMPI_Finalized(...)           KP_MPI_PLACED(PMPI_Finalized, __VA_ARGS__)
#define MPI_Free_mem(...)             KP_MPI_PLACED(MPI_Free_mem, __VA_ARGS__)
#define PMPI_Free_mem(...)            KP_MPI_PLACED(PMPI_Free_mem, __VA_ARGS__)
#define MPI_Get_library_version(...)  KP_MPI_PLACED(MPI_Get_library_version, __VA_ARGS__)
#define PMPI_Get_library_version(...) KP_MPI_PLACED(PMPI_Get_library_version, __VA_ARGS__)
#define MPI_Get_processor_name(...)   KP_MPI_PLACED(MPI_Get_processor_name, __VA_ARGS__)
#define PMPI_Get_processor_name(...)  KP_MPI_PLACED(PMPI_Get_processor_name, __VA_ARGS__)
#define MPI_Get_version(...)          KP_MPI_PLACED(MPI_Get_version, __VA_ARGS__)
#define PMPI_Get_version(...)         KP_MPI_PLACED(PMPI_Get_version, __VA_ARGS__)
#define MPI_Group_c2f(...)            KP_MPI_PLACED(MPI_Group_c2f, __VA_ARGS__)
#define PMPI_Group_c2f(...)           KP_MPI_PLACED(PMPI_Group_c2f, __VA_ARGS__)
#define MPI_Group_f2c(...)            KP_MPI_PLACED(MPI_Group_f2c, __VA_ARGS__)
#define PMPI_Group_f2c(...)           KP_MPI_PLACED(PMPI_Group_f2c, __VA_ARGS__)
#define MPI_Info_c2f(...)             KP_MPI_PLACED(MPI_Info_c2f, __VA_ARGS__)
#define PMPI_Info_c2f(...)            KP_MPI_PLACED(PMPI_Info_c2f, __VA_ARGS__)
#define MPI_Info_create(...)          KP_MPI_PLACED(MPI_Info_create, __VA_ARGS__)
#define PMPI_Info_create(...)         KP_MPI_PLACED(PMPI_Info_create, __VA_ARGS__)
#define MPI_Info_create_env(...)      KP_MPI_PLACED(MPI_Info_create_env, __VA_ARGS__)
#define PMPI_Info_create_env(...)     KP_MPI_PLACED(PMPI_Info_create_env, __VA_ARGS__)
#define MPI_Info_delete(...)          KP_MPI_PLACED(MPI_Info_delete, __VA_ARGS__)
#define PMPI_Info_delete(...)         KP_MPI_PLACED(PMPI_Info_delete, __VA_ARGS__)
#define MPI_Info_dup(...)             KP_MPI_PLACED(MPI_Info_dup, __VA_ARGS__)
#define PMPI_Info_dup(...)            KP_MPI_PLACED(PMPI_Info_dup, __VA_ARGS__)
#define MPI_Info_f2c(...)             KP_MPI_PLACED(MPI_Info_f2c, __VA_ARGS__)
#define PMPI_Info_f2c(...)            KP_MPI_PLACED(PMPI_Info_f2c, __VA_ARGS__)
#define MPI_Info_free(...)            KP_MPI_PLACED(MPI_Info_free, __VA_ARGS__)
#define PMPI_Info_free(...)           KP_MPI_PLACED(PMPI_Info_free, __VA_ARGS__)
#define MPI_Info_get(...)             KP_MPI_PLACED(MPI_Info_get, __VA_ARGS__)
#define PMPI_Info_get(...)            KP_MPI_PLACED(PMPI_Info_get, __VA_ARGS__)
#define MPI_Info_get_nkeys(...)       KP_MPI_PLACED(MPI_Info_get_nkeys, __VA_ARGS__)
#define PMPI_Info_get_nkeys(...)      KP_MPI_PLACED(PMPI_Info_get_nkeys, __VA_ARGS__)
#define MPI_Info_get_nthkey(...)      KP_MPI_PLACED(MPI_Info_get_nthkey, __VA_ARGS__)
#define PMPI_Info_get_nthkey(...)     KP_MPI_PLACED(PMPI_Info_get_nthkey, __VA_ARGS__)
#define MPI_Info_get_string(...)      KP_MPI_PLACED(MPI_Info_get_string, __VA_ARGS__)
#define PMPI_Info_get_string(...)     KP_MPI_PLACED(PMPI_Info_get_string, __VA_ARGS__)
#define MPI_Info_get_valuelen(...)    KP_MPI_PLACED(MPI_Info_get_valuelen, __VA_ARGS__)
#define PMPI_Info_get_valuelen(...)   KP_MPI_PLACED(PMPI_Info_get_valuelen, __VA_ARGS__)
#define MPI_Info_set(...)             KP_MPI_PLACED(MPI_Info_set, __VA_ARGS__)
#define PMPI_Info_set(...)            KP_MPI_PLACED(PMPI_Info_set, __VA_ARGS__)
#define MPI_Init(...)                 KP_MPI_PLACED(MPI_Init, __VA_ARGS__)
#define PMPI_Init(...)                KP_MPI_PLACED(PMPI_Init, __VA_ARGS__)
#define MPI_Init_thread(...)          KP_MPI_PLACED(MPI_Init_thread, __VA_ARGS__)
#define PMPI_Init_thread(...)         KP_MPI_PLACED(PMPI_Init_thread, __VA_ARGS__)
#define MPI_Initialized(...)          KP_MPI_PLACED(MPI_Initialized, __VA_ARGS__)
#define PMPI_Initialized(...)         KP_MPI_PLACED(PMPI_Initialized, __VA_ARGS__)
#define MPI_Is_thread_main(...)       KP_MPI_PLACED(MPI_Is_thread_main, __VA_ARGS__)
#define PMPI_Is_thread_main(...)      KP_MPI_PLACED(PMPI_Is_thread_main, __VA_ARGS__)
#define MPI_Message_c2f(...)          KP_MPI_PLACED(MPI_Message_c2f, __VA_ARGS__)
#define PMPI_Message_c2f(...)         KP_MPI_PLACED(PMPI_Message_c2f, __VA_ARGS__)
#define MPI_Message_f2c(...)          KP_MPI_PLACED(MPI_Message_f2c, __VA_ARGS__)
#define PMPI_Message_f2c(...)         KP_MPI_PLACED(PMPI_Message_f2c, __VA_ARGS__)
#define MPI_Op_c2f(...)               KP_MPI_PLACED(MPI_Op_c2f, __VA_ARGS__)
#define PMPI_Op_c2f(...)              KP_MPI_PLACED(PMPI_Op_c2f, __VA_ARGS__)
#define MPI_Op_f2c(...)               KP_MPI_PLACED(MPI_Op_f2c, __VA_ARGS__)
#define PMPI_Op_f2c(...)              KP_MPI_PLACED(PMPI_Op_f2c, __VA_ARGS__)
#define MPI_Pcontrol(...)             KP_MPI_PLACED(MPI_Pcontrol, __VA_ARGS__)
#define PMPI_Pcontrol(...)            KP_MPI_PLACED(PMPI_Pcontrol, __VA_ARGS__)
#define MPI_Query_thread(...)         KP_MPI_PLACED(MPI_Query_thread, __VA_ARGS__)
#define PMPI_Query_thread(...)        KP_MPI_PLACED(PMPI_Query_thread, __VA_ARGS__)
#define MPI_Request_c2f(...)          KP_MPI_PLACED(MPI_Request_c2f, __VA_ARGS__)
#define PMPI_Request_c2f(...)         KP_MPI_PLACED(PMPI_Request_c2f, __VA_ARGS__)
#define MPI_Request_f2c(...)          KP_MPI_PLACED(MPI_Request_f2c, __VA_ARGS__)
#define PMPI_Request_f2c(...)         KP_MPI_PLACED(PMPI_Request_f2c, __VA_ARGS__)
#define MPI_Session_c2f(...)          KP_MPI_PLACED(MPI_Session_c2f, __VA_ARGS__)
#define PMPI_Session_c2f(...)         KP_MPI_PLACED(PMPI_Session_c2f, __VA_ARGS__)
#define MPI_Session_f2c(...)          KP_MPI_PLACED(MPI_Session_f2c, __VA_ARGS__)
#define PMPI_Session_f2c(...)         KP_MPI_PLACED(PMPI_Session_f2c, __VA_ARGS__)
#define MPI_Type_c2f(...)             KP_MPI_PLACED(MPI_Type_c2f, __VA_ARGS__)
#define PMPI_Type_c2f(...)            KP_MPI_PLACED(PMPI_Type_c2f, __VA_ARGS__)
#define MPI_Type_f2c(...)             KP_MPI_PLACED(MPI_Type_f2c, __VA_ARGS__)
#define PMPI_Type_f2c(...)            KP_MPI_PLACED(PMPI_Type_f2c, __VA_ARGS__)
#define MPI_Win_c2f(...)              KP_MPI_PLACED(MPI_Win_c2f, __VA_ARGS__)
#define PMPI_Win_c2f(...)             KP_MPI_PLACED(PMPI_Win_c2f, __VA_ARGS__)
#define MPI_Win_f2c(...)              KP_MPI_PLACED(MPI_Win_f2c, __VA_ARGS__)
#define PMPI_Win_f2c(...)             KP_MPI_PLACED(PMPI_Win_f2c, __VA_ARGS__)
#define MPI_Wtick(...)                KP_MPI_PLACED(MPI_Wtick, __VA_ARGS__)
#define PMPI_Wtick(...)               KP_MPI_PLACED(PMPI_Wtick, __VA_ARGS__)
#define MPI_Wtime(...)                KP_MPI_PLACED(MPI_Wtime, __VA_ARGS__)
#define PMPI_Wtime(...)               KP_MPI_PLACED(PMPI_Wtime, __VA_ARGS__)
#endif

#endif
