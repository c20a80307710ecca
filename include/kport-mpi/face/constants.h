/* Constants of MPI that are no handles. mpi.h includes this header. */
#ifndef KPORT_MPI_FACE_CONSTANTS_H
#define KPORT_MPI_FACE_CONSTANTS_H

#define MPI_BOTTOM   ((void *)0)
#define MPI_IN_PLACE ((void *)-1)

#define MPI_ANY_SOURCE (-1)
#define MPI_ANY_TAG    (-1)
#define MPI_PROC_NULL  (-2)
#define MPI_ROOT       (-3)
#define MPI_UNDEFINED  (-32766)

#define MPI_MAX_PROCESSOR_NAME         256
#define MPI_MAX_ERROR_STRING           512
#define MPI_MAX_OBJECT_NAME            64
#define MPI_MAX_LIBRARY_VERSION_STRING 256
#define MPI_MAX_INFO_KEY               255
#define MPI_MAX_INFO_VAL               1024
#define MPI_MAX_PORT_NAME              256
#define MPI_MAX_DATAREP_STRING         128
#define MPI_MAX_STRINGTAG_LEN          256
#define MPI_MAX_PSET_NAME_LEN          256
#define MPI_BSEND_OVERHEAD             64

#define MPI_THREAD_SINGLE     0
#define MPI_THREAD_FUNNELED   1
#define MPI_THREAD_SERIALIZED 2
#define MPI_THREAD_MULTIPLE   3

/* the results of MPI_Comm_compare and MPI_Group_compare */
#define MPI_IDENT     0
#define MPI_CONGRUENT 1
#define MPI_SIMILAR   2
#define MPI_UNEQUAL   3

/* --- Topologies --- */

#define MPI_CART          1
#define MPI_GRAPH         2
#define MPI_DIST_GRAPH    3
#define MPI_UNWEIGHTED    ((int *)-2)
#define MPI_WEIGHTS_EMPTY ((int *)-3)

#define MPI_COMM_TYPE_SHARED      0
#define MPI_COMM_TYPE_HW_UNGUIDED 1
#define MPI_COMM_TYPE_HW_GUIDED   2

/* --- Attributes --- */

#define MPI_KEYVAL_INVALID    (-1)
#define MPI_TAG_UB            1
#define MPI_HOST              2
#define MPI_IO                3
#define MPI_WTIME_IS_GLOBAL   4
#define MPI_UNIVERSE_SIZE     5
#define MPI_APPNUM            6
#define MPI_LASTUSEDCODE      7
#define MPI_WIN_BASE          8
#define MPI_WIN_SIZE          9
#define MPI_WIN_DISP_UNIT     10
#define MPI_WIN_CREATE_FLAVOR 11
#define MPI_WIN_MODEL         12

#define MPI_COMM_NULL_COPY_FN   ((MPI_Comm_copy_attr_function *)0)
#define MPI_COMM_NULL_DELETE_FN ((MPI_Comm_delete_attr_function *)0)
#define MPI_COMM_DUP_FN         ((MPI_Comm_copy_attr_function *)1)
#define MPI_TYPE_NULL_COPY_FN   ((MPI_Type_copy_attr_function *)0)
#define MPI_TYPE_NULL_DELETE_FN ((MPI_Type_delete_attr_function *)0)
#define MPI_TYPE_DUP_FN         ((MPI_Type_copy_attr_function *)1)
#define MPI_WIN_NULL_COPY_FN    ((MPI_Win_copy_attr_function *)0)
#define MPI_WIN_NULL_DELETE_FN  ((MPI_Win_delete_attr_function *)0)
#define MPI_WIN_DUP_FN          ((MPI_Win_copy_attr_function *)1)
#define MPI_NULL_COPY_FN        ((MPI_Copy_function *)0)
#define MPI_NULL_DELETE_FN      ((MPI_Delete_function *)0)
#define MPI_DUP_FN              ((MPI_Copy_function *)1)

/* --- Types --- */

#define MPI_ORDER_C              0
#define MPI_ORDER_FORTRAN        1
#define MPI_DISTRIBUTE_BLOCK     0
#define MPI_DISTRIBUTE_CYCLIC    1
#define MPI_DISTRIBUTE_NONE      2
#define MPI_DISTRIBUTE_DFLT_DARG (-1)
#define MPI_TYPECLASS_INTEGER    1
#define MPI_TYPECLASS_REAL       2
#define MPI_TYPECLASS_COMPLEX    3

enum {
    MPI_COMBINER_NAMED = 1,
    MPI_COMBINER_DUP,
    MPI_COMBINER_CONTIGUOUS,
    MPI_COMBINER_VECTOR,
    MPI_COMBINER_HVECTOR,
    MPI_COMBINER_INDEXED,
    MPI_COMBINER_HINDEXED,
    MPI_COMBINER_INDEXED_BLOCK,
    MPI_COMBINER_HINDEXED_BLOCK,
    MPI_COMBINER_STRUCT,
    MPI_COMBINER_SUBARRAY,
    MPI_COMBINER_DARRAY,
    MPI_COMBINER_F90_REAL,
    MPI_COMBINER_F90_COMPLEX,
    MPI_COMBINER_F90_INTEGER,
    MPI_COMBINER_RESIZED,
    MPI_COMBINER_VALUE_INDEX
};

/* --- Processes, windows and files, for programs that name these constants --- */

#define MPI_ARGV_NULL         ((char **)0)
#define MPI_ARGVS_NULL        ((char ***)0)
#define MPI_ERRCODES_IGNORE   ((int *)0)
#define MPI_F_STATUS_IGNORE   ((MPI_Fint *)0)
#define MPI_F_STATUSES_IGNORE ((MPI_Fint *)0)

#define MPI_MODE_CREATE          1
#define MPI_MODE_RDONLY          2
#define MPI_MODE_WRONLY          4
#define MPI_MODE_RDWR            8
#define MPI_MODE_DELETE_ON_CLOSE 16
#define MPI_MODE_UNIQUE_OPEN     32
#define MPI_MODE_EXCL            64
#define MPI_MODE_APPEND          128
#define MPI_MODE_SEQUENTIAL      256
#define MPI_DISPLACEMENT_CURRENT (-54278278)
#define MPI_SEEK_SET             600
#define MPI_SEEK_CUR             602
#define MPI_SEEK_END             604
#define MPI_MODE_NOCHECK         1
#define MPI_MODE_NOPRECEDE       2
#define MPI_MODE_NOPUT           4
#define MPI_MODE_NOSTORE         8
#define MPI_MODE_NOSUCCEED       16
#define MPI_LOCK_EXCLUSIVE       1
#define MPI_LOCK_SHARED          2
#define MPI_WIN_FLAVOR_CREATE    1
#define MPI_WIN_FLAVOR_ALLOCATE  2
#define MPI_WIN_FLAVOR_DYNAMIC   3
#define MPI_WIN_FLAVOR_SHARED    4
#define MPI_WIN_UNIFIED          0
#define MPI_WIN_SEPARATE         1
#define MPI_CONVERSION_FN_NULL   ((MPI_Datarep_conversion_function *)0)

/* --- Error classes: name, value, meaning --- */

#define KP_MPI_CLASSES(X)                                                                          \
    X(MPI_SUCCESS, 0, "no error")                                                                  \
    X(MPI_ERR_BUFFER, 1, "invalid buffer")                                                         \
    X(MPI_ERR_COUNT, 2, "invalid count")                                                           \
    X(MPI_ERR_TYPE, 3, "invalid datatype")                                                         \
    X(MPI_ERR_TAG, 4, "invalid tag")                                                               \
    X(MPI_ERR_COMM, 5, "invalid communicator")                                                     \
    X(MPI_ERR_RANK, 6, "invalid rank")                                                             \
    X(MPI_ERR_REQUEST, 7, "invalid request")                                                       \
    X(MPI_ERR_ROOT, 8, "invalid root")                                                             \
    X(MPI_ERR_GROUP, 9, "invalid group")                                                           \
    X(MPI_ERR_OP, 10, "invalid reduction operator")                                                \
    X(MPI_ERR_TOPOLOGY, 11, "invalid topology")                                                    \
    X(MPI_ERR_DIMS, 12, "invalid dimensions")                                                      \
    X(MPI_ERR_ARG, 13, "invalid argument")                                                         \
    X(MPI_ERR_UNKNOWN, 14, "unknown error")                                                        \
    X(MPI_ERR_TRUNCATE, 15, "message longer than the receive buffer")                              \
    X(MPI_ERR_OTHER, 16, "other error")                                                            \
    X(MPI_ERR_INTERN, 17, "error inside the library")                                              \
    X(MPI_ERR_IN_STATUS, 18, "the error code is in the status")                                    \
    X(MPI_ERR_PENDING, 19, "pending request")                                                      \
    X(MPI_ERR_ACCESS, 20, "permission denied")                                                     \
    X(MPI_ERR_AMODE, 21, "invalid access mode")                                                    \
    X(MPI_ERR_ASSERT, 22, "invalid assertion")                                                     \
    X(MPI_ERR_BAD_FILE, 23, "invalid file name")                                                   \
    X(MPI_ERR_BASE, 24, "invalid base")                                                            \
    X(MPI_ERR_CONVERSION, 25, "error in a conversion function")                                    \
    X(MPI_ERR_DISP, 26, "invalid displacement")                                                    \
    X(MPI_ERR_DUP_DATAREP, 27, "the data representation is defined already")                       \
    X(MPI_ERR_FILE_EXISTS, 28, "the file exists")                                                  \
    X(MPI_ERR_FILE_IN_USE, 29, "the file is in use")                                               \
    X(MPI_ERR_FILE, 30, "invalid file handle")                                                     \
    X(MPI_ERR_INFO_KEY, 31, "invalid key of an info object")                                       \
    X(MPI_ERR_INFO_NOKEY, 32, "the info object has no such key")                                   \
    X(MPI_ERR_INFO_VALUE, 33, "invalid value of an info object")                                   \
    X(MPI_ERR_INFO, 34, "invalid info object")                                                     \
    X(MPI_ERR_IO, 35, "error of input or output")                                                  \
    X(MPI_ERR_KEYVAL, 36, "invalid attribute key")                                                 \
    X(MPI_ERR_LOCKTYPE, 37, "invalid kind of lock")                                                \
    X(MPI_ERR_NAME, 38, "invalid service name")                                                    \
    X(MPI_ERR_NO_MEM, 39, "there is not enough memory")                                            \
    X(MPI_ERR_NOT_SAME, 40, "arguments differ between ranks")                                      \
    X(MPI_ERR_NO_SPACE, 41, "not enough space for the file")                                       \
    X(MPI_ERR_NO_SUCH_FILE, 42, "no such file")                                                    \
    X(MPI_ERR_PORT, 43, "invalid port name")                                                       \
    X(MPI_ERR_QUOTA, 44, "quota exceeded")                                                         \
    X(MPI_ERR_READ_ONLY, 45, "read-only file or file system")                                      \
    X(MPI_ERR_RMA_CONFLICT, 46, "conflicting accesses to a window")                                \
    X(MPI_ERR_RMA_SYNC, 47, "wrong synchronisation of a window")                                   \
    X(MPI_ERR_SERVICE, 48, "invalid service name")                                                 \
    X(MPI_ERR_SIZE, 49, "invalid size")                                                            \
    X(MPI_ERR_SPAWN, 50, "processes cannot be started")                                            \
    X(MPI_ERR_UNSUPPORTED_DATAREP, 51, "unsupported data representation")                          \
    X(MPI_ERR_UNSUPPORTED_OPERATION, 52, "unsupported operation")                                  \
    X(MPI_ERR_WIN, 53, "invalid window")                                                           \
    X(MPI_ERR_RMA_RANGE, 54, "memory outside the window")                                          \
    X(MPI_ERR_RMA_ATTACH, 55, "memory cannot be attached")                                         \
    X(MPI_ERR_RMA_SHARED, 56, "memory cannot be shared")                                           \
    X(MPI_ERR_RMA_FLAVOR, 57, "wrong kind of window")                                              \
    X(MPI_ERR_PROC_ABORTED, 58, "a rank has ended early")                                          \
    X(MPI_ERR_VALUE_TOO_LARGE, 59, "the value is too large to be stored")                          \
    X(MPI_ERR_SESSION, 60, "invalid session")                                                      \
    X(MPI_ERR_ERRHANDLER, 61, "invalid error handler")                                             \
    X(MPI_ERR_LASTCODE, 1023, "the last error code of the library")

enum {
#define KP_MPI_CLASS(name, value, text) name = value,
    KP_MPI_CLASSES(KP_MPI_CLASS)
#undef KP_MPI_CLASS
};

#endif
