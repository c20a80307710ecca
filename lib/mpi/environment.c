/* What a program asks of its surroundings, and handles as numbers of Fortran. */
#include "lib/mpi/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int MPI_Get_processor_name(char *name, int *length)
{
    (void)kp_mpi_enter("MPI_Get_processor_name", __builtin_return_address(0));
    char host[MPI_MAX_PROCESSOR_NAME] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        strcpy(host, "localhost");
    *length = (int)strlen(host);
    memcpy(name, host, (size_t)*length + 1);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Get_processor_name);

int MPI_Get_version(int *version, int *subversion)
{
    *version = MPI_VERSION;
    *subversion = MPI_SUBVERSION;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Get_version);

int MPI_Get_library_version(char *version, int *length)
{
    *length = snprintf(version, MPI_MAX_LIBRARY_VERSION_STRING,
                       "kport %s: ranks are threads or fibers of one process", kp_version());
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Get_library_version);

int MPI_Query_thread(int *provided)
{
    const struct kp_mpi_rank *self = kp_mpi_thread_rank(); /* of any thread, at any time */
    if (!self || self->phase != KP_MPI_RUNNING)
        self = kp_mpi_enter("MPI_Query_thread", __builtin_return_address(0));
    *provided = self->thread_level;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Query_thread);

int MPI_Pcontrol(const int level, ...)
{
    (void)kp_mpi_enter("MPI_Pcontrol", __builtin_return_address(0));
    (void)level;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Pcontrol);

int MPI_Alloc_mem(MPI_Aint size, MPI_Info info, void *memory)
{
    KP_MPI_ENTER(Alloc_mem);
    (void)info;
    if (size < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "the size is %td; it may be 0 or more", size);
    *(void **)memory = malloc(size > 0 ? (size_t)size : 1);
    return *(void **)memory
               ? MPI_SUCCESS
               : kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory of %td bytes", size);
}
KP_MPI_NAMES(Alloc_mem);

int MPI_Free_mem(void *memory)
{
    (void)kp_mpi_enter("MPI_Free_mem", __builtin_return_address(0));
    free(memory);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Free_mem);

/* --- Handles as numbers --- */

#define NUMBERS(word, type, kind)                                                                  \
    MPI_Fint MPI_##word##_c2f(type handle)                                                         \
    {                                                                                              \
        return kp_mpi_handle_number(handle);                                                       \
    }                                                                                              \
    KP_MPI_NAMES(word##_c2f);                                                                      \
    type MPI_##word##_f2c(MPI_Fint number)                                                         \
    {                                                                                              \
        struct kp_mpi_rank *self = kp_mpi_enter_any("MPI_" #word "_f2c", NULL);                    \
        return self ? kp_mpi_handle_of_number(&self->tables[kind], kind, number) : NULL;           \
    }                                                                                              \
    KP_MPI_NAMES(word##_f2c)

NUMBERS(Comm, MPI_Comm, KP_MPI_COMM);
NUMBERS(Errhandler, MPI_Errhandler, KP_MPI_ERRHANDLER);
NUMBERS(Group, MPI_Group, KP_MPI_GROUP);
NUMBERS(Info, MPI_Info, KP_MPI_INFO);
NUMBERS(Message, MPI_Message, KP_MPI_MESSAGE);
NUMBERS(Op, MPI_Op, KP_MPI_OP);
NUMBERS(Request, MPI_Request, KP_MPI_REQUEST);
NUMBERS(Type, MPI_Datatype, KP_MPI_TYPE);

/* There are no windows, files and sessions. */
#define NO_NUMBERS(word, type)                                                                     \
    MPI_Fint MPI_##word##_c2f(type handle)                                                         \
    {                                                                                              \
        return kp_mpi_handle_number(handle);                                                       \
    }                                                                                              \
    KP_MPI_NAMES(word##_c2f);                                                                      \
    type MPI_##word##_f2c(MPI_Fint number)                                                         \
    {                                                                                              \
        (void)number;                                                                              \
        return NULL;                                                                               \
    }                                                                                              \
    KP_MPI_NAMES(word##_f2c)

NO_NUMBERS(Win, MPI_Win);
NO_NUMBERS(File, MPI_File);
NO_NUMBERS(Session, MPI_Session);
