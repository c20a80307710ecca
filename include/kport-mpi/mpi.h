/* MPI for C and C++ programs whose ranks are the threads or fibers of one process. Names, values
 * and rules are those of MPI 4.0; doc/manual/guides/mpi-programs.md says what is served. A program
 * is compiled by kportcc and started by kportrun.
 *
 * Each function is also a macro, which notes the file and line of the call for error sentences. A
 * program that defines a function of this name itself defines KP_NO_CALL_SITES before it includes
 * this header. */
#ifndef KPORT_MPI_H
#define KPORT_MPI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MPI_VERSION    4
#define MPI_SUBVERSION 0
#define KPORT_MPI      1 /* tells this header from those of other MPIs */

typedef ptrdiff_t MPI_Aint;
typedef long long MPI_Offset;
typedef long long MPI_Count;
typedef int MPI_Fint;

/* --- Handles. A value is a kind (4 bits), a number, and how often the number was used before; so
 * a handle that was freed, or was never one, is told from one that is valid. --- */

typedef struct kp_mpi_comm *MPI_Comm;
typedef struct kp_mpi_group *MPI_Group;
typedef struct kp_mpi_type *MPI_Datatype;
typedef struct kp_mpi_op *MPI_Op;
typedef struct kp_mpi_request *MPI_Request;
typedef struct kp_mpi_errhandler *MPI_Errhandler;
typedef struct kp_mpi_info *MPI_Info;
typedef struct kp_mpi_message *MPI_Message;
typedef struct kp_mpi_win *MPI_Win;
typedef struct kp_mpi_file *MPI_File;
typedef struct kp_mpi_session *MPI_Session;

enum kp_mpi_kind {
    KP_MPI_COMM = 1,
    KP_MPI_GROUP,
    KP_MPI_TYPE,
    KP_MPI_OP,
    KP_MPI_REQUEST,
    KP_MPI_ERRHANDLER,
    KP_MPI_INFO,
    KP_MPI_MESSAGE,
    KP_MPI_KINDS
};
#define KP_MPI_CONSTANT(type, kind, number) ((type)(intptr_t)((number)*16 + (kind)))

#define MPI_COMM_NULL       ((MPI_Comm)0)
#define MPI_GROUP_NULL      ((MPI_Group)0)
#define MPI_DATATYPE_NULL   ((MPI_Datatype)0)
#define MPI_OP_NULL         ((MPI_Op)0)
#define MPI_REQUEST_NULL    ((MPI_Request)0)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0)
#define MPI_INFO_NULL       ((MPI_Info)0)
#define MPI_MESSAGE_NULL    ((MPI_Message)0)
#define MPI_WIN_NULL        ((MPI_Win)0)
#define MPI_FILE_NULL       ((MPI_File)0)
#define MPI_SESSION_NULL    ((MPI_Session)0)

#define MPI_COMM_WORLD       KP_MPI_CONSTANT(MPI_Comm, KP_MPI_COMM, 0)
#define MPI_COMM_SELF        KP_MPI_CONSTANT(MPI_Comm, KP_MPI_COMM, 1)
#define MPI_GROUP_EMPTY      KP_MPI_CONSTANT(MPI_Group, KP_MPI_GROUP, 0)
#define MPI_MESSAGE_NO_PROC  KP_MPI_CONSTANT(MPI_Message, KP_MPI_MESSAGE, 0)
#define MPI_ERRORS_ARE_FATAL KP_MPI_CONSTANT(MPI_Errhandler, KP_MPI_ERRHANDLER, 0)
#define MPI_ERRORS_RETURN    KP_MPI_CONSTANT(MPI_Errhandler, KP_MPI_ERRHANDLER, 1)
#define MPI_ERRORS_ABORT     KP_MPI_CONSTANT(MPI_Errhandler, KP_MPI_ERRHANDLER, 2)
#define MPI_INFO_ENV         KP_MPI_CONSTANT(MPI_Info, KP_MPI_INFO, 0)

/* --- What a receive or a test has found --- */

typedef struct MPI_Status {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int kp_cancelled;
    MPI_Count kp_bytes;
} MPI_Status;

/* The same in Fortran: an array of integers, or a type of the module mpi_f08. */
#define MPI_F_STATUS_SIZE 6
#define MPI_F_SOURCE      0
#define MPI_F_TAG         1
#define MPI_F_ERROR       2
typedef struct {
    MPI_Fint kp_status[MPI_F_STATUS_SIZE];
} MPI_F08_status;

#define MPI_STATUS_IGNORE   ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)

/* --- Functions of the program --- */

typedef void(MPI_User_function)(void *, void *, int *, MPI_Datatype *);
typedef void(MPI_User_function_c)(void *, void *, MPI_Count *, MPI_Datatype *);
typedef int(MPI_Comm_copy_attr_function)(MPI_Comm, int, void *, void *, void *, int *);
typedef int(MPI_Comm_delete_attr_function)(MPI_Comm, int, void *, void *);
typedef int(MPI_Type_copy_attr_function)(MPI_Datatype, int, void *, void *, void *, int *);
typedef int(MPI_Type_delete_attr_function)(MPI_Datatype, int, void *, void *);
typedef int(MPI_Win_copy_attr_function)(MPI_Win, int, void *, void *, void *, int *);
typedef int(MPI_Win_delete_attr_function)(MPI_Win, int, void *, void *);
typedef void(MPI_Comm_errhandler_function)(MPI_Comm *, int *, ...);
typedef void(MPI_Win_errhandler_function)(MPI_Win *, int *, ...);
typedef void(MPI_File_errhandler_function)(MPI_File *, int *, ...);
typedef void(MPI_Session_errhandler_function)(MPI_Session *, int *, ...);
typedef int(MPI_Grequest_query_function)(void *, MPI_Status *);
typedef int(MPI_Grequest_free_function)(void *);
typedef int(MPI_Grequest_cancel_function)(void *, int);
typedef int(MPI_Datarep_extent_function)(MPI_Datatype, MPI_Aint *, void *);
typedef int(MPI_Datarep_conversion_function)(void *, MPI_Datatype, int, void *, MPI_Offset, void *);

/* the former names */
typedef MPI_Comm_copy_attr_function MPI_Copy_function;
typedef MPI_Comm_delete_attr_function MPI_Delete_function;
typedef MPI_Comm_errhandler_function MPI_Handler_function;
typedef MPI_Comm_errhandler_function MPI_Comm_errhandler_fn;
typedef MPI_Win_errhandler_function MPI_Win_errhandler_fn;
typedef MPI_File_errhandler_function MPI_File_errhandler_fn;

#ifdef __cplusplus
}
#endif

#include "face/constants.h"
#include "face/types.h"

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif

/* Notes the place of the calling rank's next call. */
void kp_mpi_here(const char *file, int line);

#ifdef __cplusplus
} /* C++ programs may write ::MPI_Send, so a macro has to begin with a name */
struct kp_mpi_placed {
    template <class F> F *of(F *function) const
    {
        return function;
    }
};
inline kp_mpi_placed kp_mpi_at(const char *file, int line)
{
    kp_mpi_here(file, line);
    return kp_mpi_placed();
}
extern "C" {
#endif

#ifdef __cplusplus
#define KP_MPI_PLACED(function, ...) kp_mpi_at(__FILE__, __LINE__).of(function)(__VA_ARGS__)
#else
#define KP_MPI_PLACED(function, ...) (kp_mpi_here(__FILE__, __LINE__), function(__VA_ARGS__))
#endif
#define KP_MPI(type, name, parameters)                                                             \
    type MPI_##name parameters;                                                                    \
    type PMPI_##name parameters

#include "face/collective.h"
#include "face/communicator.h"
#include "face/environment.h"
#include "face/large.h"
#include "face/point.h"
#include "face/tools.h"
#include "face/type.h"
#include "face/unserved.h"

#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#ifdef __cplusplus
}
#endif

#endif
