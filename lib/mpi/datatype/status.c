/* How much a receive has got: counts and elements of a status. */
#include "lib/mpi/datatype/leaves.h"

#include <limits.h>

/* Whole elements of the type, or MPI_UNDEFINED. */
static MPI_Count count_of(const struct kp_mpi_type *type, MPI_Count bytes)
{
    const MPI_Count size = (MPI_Count)type->size;
    if (size == 0)
        return bytes == 0 ? 0 : MPI_UNDEFINED;
    return bytes % size == 0 ? bytes / size : MPI_UNDEFINED;
}

static MPI_Count leaves_of(const struct kp_mpi_type *type, MPI_Count bytes)
{
    const MPI_Count leaves = kp_mpi_type_leaves(type, (size_t)bytes);
    return leaves < 0 ? MPI_UNDEFINED : leaves;
}

static int as_int(MPI_Count value)
{
    return value <= INT_MAX ? (int)value : MPI_UNDEFINED;
}

/* Checks a status and a type. */
static int begin(struct kp_mpi_rank *self, const MPI_Status *status, MPI_Datatype handle,
                 struct kp_mpi_type **type)
{
    if (status == MPI_STATUS_IGNORE)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                           "the status is MPI_STATUS_IGNORE, which tells nothing");
    return kp_mpi_type_check(self, NULL, handle, type);
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    KP_MPI_ENTER(Get_count);
    struct kp_mpi_type *type = NULL;
    const int class = begin(self, status, datatype, &type);
    if (!class)
        *count = as_int(count_of(type, status->kp_bytes));
    return class;
}
KP_MPI_NAMES(Get_count);

int MPI_Get_count_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    KP_MPI_ENTER(Get_count_c);
    struct kp_mpi_type *type = NULL;
    const int class = begin(self, status, datatype, &type);
    if (!class)
        *count = count_of(type, status->kp_bytes);
    return class;
}
KP_MPI_NAMES(Get_count_c);

int MPI_Get_elements(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    KP_MPI_ENTER(Get_elements);
    struct kp_mpi_type *type = NULL;
    const int class = begin(self, status, datatype, &type);
    if (!class)
        *count = as_int(leaves_of(type, status->kp_bytes));
    return class;
}
KP_MPI_NAMES(Get_elements);

int MPI_Get_elements_x(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    KP_MPI_ENTER(Get_elements_x);
    struct kp_mpi_type *type = NULL;
    const int class = begin(self, status, datatype, &type);
    if (!class)
        *count = leaves_of(type, status->kp_bytes);
    return class;
}
KP_MPI_NAMES(Get_elements_x);

int MPI_Get_elements_c(const MPI_Status *status, MPI_Datatype datatype, MPI_Count *count)
{
    KP_MPI_ENTER(Get_elements_c);
    struct kp_mpi_type *type = NULL;
    const int class = begin(self, status, datatype, &type);
    if (!class)
        *count = leaves_of(type, status->kp_bytes);
    return class;
}
KP_MPI_NAMES(Get_elements_c);

static int set_elements(struct kp_mpi_rank *self, MPI_Status *status, MPI_Datatype handle,
                        MPI_Count count)
{
    struct kp_mpi_type *type = NULL;
    const int class = begin(self, status, handle, &type);
    if (class)
        return class;
    if (count < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_COUNT, "count is %lld; it may be 0 or more", count);
    status->kp_bytes = (MPI_Count)kp_mpi_type_bytes_of(type, (size_t)count);
    return MPI_SUCCESS;
}

int MPI_Status_set_elements(MPI_Status *status, MPI_Datatype datatype, int count)
{
    KP_MPI_ENTER(Status_set_elements);
    return set_elements(self, status, datatype, count);
}
KP_MPI_NAMES(Status_set_elements);

int MPI_Status_set_elements_x(MPI_Status *status, MPI_Datatype datatype, MPI_Count count)
{
    KP_MPI_ENTER(Status_set_elements_x);
    return set_elements(self, status, datatype, count);
}
KP_MPI_NAMES(Status_set_elements_x);
