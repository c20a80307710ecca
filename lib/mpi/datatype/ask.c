/* Commits and frees datatypes, and answers questions about them. */
#include "lib/mpi/datatype/data.h"

#include <limits.h>
#include <string.h>

/* Stores a number in an integer of MPI's, or MPI_UNDEFINED if it is too long. */
static int as_int(ptrdiff_t value)
{
    return value <= INT_MAX && value >= INT_MIN ? (int)value : MPI_UNDEFINED;
}

/* Begins a function that asks something about a type. */
#define FIND(handle)                                                                               \
    struct kp_mpi_type *type;                                                                      \
    const int class = kp_mpi_type_find(self, NULL, handle, &type);                                 \
    if (class)                                                                                     \
    return class

/* --- Commit and free --- */

int MPI_Type_commit(MPI_Datatype *datatype)
{
    KP_MPI_ENTER(Type_commit);
    FIND(datatype ? *datatype : MPI_DATATYPE_NULL);
    if (type->committed)
        return MPI_SUCCESS;
    const int failed = kp_mpi_type_lay_out(self, type);
    type->committed = !failed;
    return failed;
}
KP_MPI_NAMES(Type_commit);

int MPI_Type_free(MPI_Datatype *datatype)
{
    KP_MPI_ENTER(Type_free);
    FIND(datatype ? *datatype : MPI_DATATYPE_NULL);
    if (type->contents->basic)
        return kp_mpi_fail(self, NULL, MPI_ERR_TYPE,
                           "%s is a predefined type, which is never freed",
                           type->contents->basic->name);
    const struct kp_mpi_owner owner = {
        .handle = *datatype, .of_type = true, .attributes = &type->attributes};
    const int kept = kp_mpi_attributes_delete(self, &owner);
    if (kept)
        return kept;
    kp_mpi_handle_forget(&self->tables[KP_MPI_TYPE], *datatype);
    kp_mpi_type_release(type);
    *datatype = MPI_DATATYPE_NULL;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_free);

/* --- Size and bounds --- */

int MPI_Type_size(MPI_Datatype datatype, int *size)
{
    KP_MPI_ENTER(Type_size);
    FIND(datatype);
    *size = as_int((ptrdiff_t)type->size);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_size);

int MPI_Type_size_x(MPI_Datatype datatype, MPI_Count *size)
{
    KP_MPI_ENTER(Type_size_x);
    FIND(datatype);
    *size = (MPI_Count)type->size;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_size_x);

int MPI_Type_size_c(MPI_Datatype datatype, MPI_Count *size)
{
    KP_MPI_ENTER(Type_size_c);
    FIND(datatype);
    *size = (MPI_Count)type->size;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_size_c);

int MPI_Type_get_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    KP_MPI_ENTER(Type_get_extent);
    FIND(datatype);
    *lb = type->lower;
    *extent = type->extent;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_extent);

int MPI_Type_get_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    KP_MPI_ENTER(Type_get_extent_x);
    FIND(datatype);
    *lb = type->lower;
    *extent = type->extent;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_extent_x);

int MPI_Type_get_extent_c(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    KP_MPI_ENTER(Type_get_extent_c);
    FIND(datatype);
    *lb = type->lower;
    *extent = type->extent;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_extent_c);

int MPI_Type_get_true_extent(MPI_Datatype datatype, MPI_Aint *lb, MPI_Aint *extent)
{
    KP_MPI_ENTER(Type_get_true_extent);
    FIND(datatype);
    *lb = type->true_lower;
    *extent = type->true_extent;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_true_extent);

int MPI_Type_get_true_extent_x(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    KP_MPI_ENTER(Type_get_true_extent_x);
    FIND(datatype);
    *lb = type->true_lower;
    *extent = type->true_extent;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_true_extent_x);

int MPI_Type_get_true_extent_c(MPI_Datatype datatype, MPI_Count *lb, MPI_Count *extent)
{
    KP_MPI_ENTER(Type_get_true_extent_c);
    FIND(datatype);
    *lb = type->true_lower;
    *extent = type->true_extent;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_true_extent_c);

int MPI_Type_extent(MPI_Datatype datatype, MPI_Aint *extent)
{
    KP_MPI_ENTER(Type_extent);
    FIND(datatype);
    *extent = type->extent;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_extent);

int MPI_Type_lb(MPI_Datatype datatype, MPI_Aint *displacement)
{
    KP_MPI_ENTER(Type_lb);
    FIND(datatype);
    *displacement = type->lower;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_lb);

int MPI_Type_ub(MPI_Datatype datatype, MPI_Aint *displacement)
{
    KP_MPI_ENTER(Type_ub);
    FIND(datatype);
    *displacement = type->lower + type->extent;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_ub);

/* --- Names --- */

int MPI_Type_set_name(MPI_Datatype datatype, const char *name)
{
    KP_MPI_ENTER(Type_set_name);
    FIND(datatype);
    if (!name)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "type_name is NULL");
    strncpy(type->name, name, sizeof type->name - 1);
    type->name[sizeof type->name - 1] = '\0';
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_set_name);

int MPI_Type_get_name(MPI_Datatype datatype, char *name, int *length)
{
    KP_MPI_ENTER(Type_get_name);
    if (datatype == MPI_DATATYPE_NULL) {
        strcpy(name, "MPI_DATATYPE_NULL");
        *length = (int)strlen(name);
        return MPI_SUCCESS;
    }
    FIND(datatype);
    strcpy(name, type->name);
    *length = (int)strlen(name);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Type_get_name);

/* --- Types by size --- */

int MPI_Type_match_size(int typeclass, int size, MPI_Datatype *datatype)
{
    static const struct {
        int class, size;
        MPI_Datatype type;
    } rows[] = {{MPI_TYPECLASS_INTEGER, 1, MPI_INTEGER1},
                {MPI_TYPECLASS_INTEGER, 2, MPI_INTEGER2},
                {MPI_TYPECLASS_INTEGER, 4, MPI_INTEGER4},
                {MPI_TYPECLASS_INTEGER, 8, MPI_INTEGER8},
                {MPI_TYPECLASS_REAL, 4, MPI_REAL4},
                {MPI_TYPECLASS_REAL, 8, MPI_REAL8},
                {MPI_TYPECLASS_COMPLEX, 8, MPI_COMPLEX8},
                {MPI_TYPECLASS_COMPLEX, 16, MPI_COMPLEX16},
                {MPI_TYPECLASS_REAL, sizeof(long double), MPI_LONG_DOUBLE},
                {MPI_TYPECLASS_COMPLEX, 2 * sizeof(long double), MPI_C_LONG_DOUBLE_COMPLEX}};
    KP_MPI_ENTER(Type_match_size);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].class == typeclass && rows[i].size == size) {
            *datatype = rows[i].type;
            return MPI_SUCCESS;
        }
    }
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                       "there is no type of class %d with %d bytes; integers have 1, 2, 4 or 8, "
                       "reals 4, 8 or %zu, complex numbers twice as many",
                       typeclass, size, sizeof(long double));
}
KP_MPI_NAMES(Type_match_size);

/* --- Addresses --- */

int MPI_Get_address(const void *location, MPI_Aint *address)
{
    KP_MPI_ENTER(Get_address);
    (void)self;
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Get_address);

int MPI_Address(void *location, MPI_Aint *address)
{
    KP_MPI_ENTER(Address);
    (void)self;
    *address = (MPI_Aint)location;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Address);

MPI_Aint MPI_Aint_add(MPI_Aint base, MPI_Aint displacement)
{
    return (MPI_Aint)((uintptr_t)base + (uintptr_t)displacement);
}
KP_MPI_NAMES(Aint_add);

MPI_Aint MPI_Aint_diff(MPI_Aint address, MPI_Aint subtracted)
{
    return (MPI_Aint)((uintptr_t)address - (uintptr_t)subtracted);
}
KP_MPI_NAMES(Aint_diff);
