/* The predefined datatypes. */
#include "lib/mpi/type.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* The types of C, and kport's types. Types of Fortran are those of GNU Fortran. */
#define LAYOUTS_OF(X)                                                                              \
    X(CHAR, char, KP_INT8)                                                                         \
    X(SIGNED_CHAR, signed char, KP_INT8)                                                           \
    X(UNSIGNED_CHAR, unsigned char, KP_UINT8)                                                      \
    X(BYTE, char, KP_TYPES)                                                                        \
    X(WCHAR, wchar_t, KP_INT32)                                                                    \
    X(SHORT, short, KP_INT16)                                                                      \
    X(UNSIGNED_SHORT, unsigned short, KP_UINT16)                                                   \
    X(INT, int, KP_INT32)                                                                          \
    X(UNSIGNED, unsigned, KP_UINT32)                                                               \
    X(LONG, long, sizeof(long) == 8 ? KP_INT64 : KP_INT32)                                         \
    X(UNSIGNED_LONG, unsigned long, sizeof(long) == 8 ? KP_UINT64 : KP_UINT32)                     \
    X(LONG_LONG_INT, long long, KP_INT64)                                                          \
    X(UNSIGNED_LONG_LONG, unsigned long long, KP_UINT64)                                           \
    X(FLOAT, float, KP_FLOAT32)                                                                    \
    X(DOUBLE, double, KP_FLOAT64)

static const struct row {
    MPI_Datatype handle;
    const char *name;
    size_t bytes;
    kp_type element;
} rows[] = {
#define ROW(name, c_type, element) {MPI_##name, "MPI_" #name, sizeof(c_type), element},
    LAYOUTS_OF(ROW)
#undef ROW
};

static struct kp_mpi_type *make(struct kp_mpi_rank *self, int number)
{
    struct kp_mpi_type *type = calloc(1, sizeof *type);
    if (!type)
        return NULL;
    type->predefined = type->committed = type->dense = true;
    type->references = 1;
    type->element = KP_TYPES;
    type->handle = kp_mpi_handle_make(&self->tables[KP_MPI_TYPE], KP_MPI_TYPE, type);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].handle == KP_MPI_CONSTANT(MPI_Datatype, KP_MPI_TYPE, number)) {
            type->size = rows[i].bytes;
            type->element = rows[i].element;
            snprintf(type->name, sizeof type->name, "%s", rows[i].name);
        }
    }
    type->extent = type->true_extent = (ptrdiff_t)type->size;
    type->layout = type->element == KP_TYPES ? NULL : kp_layout_of(type->element);
    return type;
}

bool kp_mpi_types_begin(struct kp_mpi_rank *self)
{
    for (int i = 0; i < KP_MPI_TYPE_COUNT; i++) {
        if (!make(self, i))
            return false;
    }
    return true;
}

void kp_mpi_types_end(struct kp_mpi_rank *self)
{
    struct kp_mpi_table *table = &self->tables[KP_MPI_TYPE];
    for (uint32_t i = 0; i < table->used; i++)
        free(table->slots[i].object);
}

int kp_mpi_type_check(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Datatype handle,
                      struct kp_mpi_type **type)
{
    *type = kp_mpi_type_of(self, handle);
    if (!*type)
        return kp_mpi_fail(self, comm, MPI_ERR_TYPE,
                           handle == MPI_DATATYPE_NULL
                               ? "the datatype is MPI_DATATYPE_NULL"
                               : "the datatype is not valid: it was freed, or never made");
    if (!(*type)->committed)
        return kp_mpi_fail(self, comm, MPI_ERR_TYPE,
                           "the datatype is not committed (MPI_Type_commit)");
    return MPI_SUCCESS;
}

void kp_mpi_type_hold(struct kp_mpi_type *type)
{
    type->references++;
}

void kp_mpi_type_release(struct kp_mpi_type *type)
{
    if (--type->references == 0)
        free(type);
}

uint32_t kp_mpi_type_signature(const struct kp_mpi_type *type, size_t count)
{
    (void)type;
    (void)count;
    return 0;
}

void kp_mpi_type_pack(const struct kp_mpi_type *type, size_t count, const void *from, void *to)
{
    memcpy(to, from, count * type->size);
}

void kp_mpi_type_unpack(const struct kp_mpi_type *type, const void *from, size_t bytes, void *to)
{
    (void)type;
    memcpy(to, from, bytes);
}

int MPI_Get_count(const MPI_Status *status, MPI_Datatype datatype, int *count)
{
    KP_MPI_ENTER(Get_count);
    const struct kp_mpi_type *type = kp_mpi_type_of(self, datatype);
    *count = (int)((size_t)status->kp_bytes / type->size);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Get_count);
