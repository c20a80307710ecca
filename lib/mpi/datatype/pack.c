/* MPI_Pack and MPI_Unpack, also in the representation external32. */
#include "lib/mpi/comm.h"
#include "lib/mpi/datatype/external.h"
#include "lib/mpi/datatype/leaves.h"
#include "lib/mpi/sized.h"

#include <string.h>

/* What the functions of this file are given: elements beside packed data. */
struct packing {
    const void *data;
    MPI_Count count;
    const void *packed;
    MPI_Count size, position; /* of the packed data */
};

/* Checks the arguments, and finds the type. `bytes` becomes the length of the packed elements. */
static int begin(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const struct packing *p,
                 MPI_Datatype handle, bool external, struct kp_mpi_type **type, size_t *bytes)
{
    if (p->count < 0)
        return kp_mpi_fail(self, comm, MPI_ERR_COUNT, "the count is %lld; it may be 0 or more",
                           p->count);
    const int class = kp_mpi_type_check(self, comm, handle, type);
    if (class)
        return class;
    const size_t each = external ? kp_mpi_type_external_bytes(*type) : (*type)->size;
    if (__builtin_mul_overflow((size_t)p->count, each, bytes) || *bytes > PTRDIFF_MAX)
        return kp_mpi_fail(self, comm, MPI_ERR_COUNT, "%lld elements of %zu bytes are too many",
                           p->count, each);
    return MPI_SUCCESS;
}

static int check_room(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const struct packing *p,
                      size_t bytes)
{
    if (p->size < 0 || p->position < 0 || p->position > p->size)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                           "the position is %lld in a packed buffer of %lld bytes", p->position,
                           p->size);
    if (bytes > (size_t)(p->size - p->position))
        return kp_mpi_fail(self, comm, MPI_ERR_TRUNCATE,
                           "%zu bytes are more than the %lld that are left in the packed buffer of "
                           "%lld bytes",
                           bytes, p->size - p->position, p->size);
    if (bytes > 0 && !p->packed)
        return kp_mpi_fail(self, comm, MPI_ERR_BUFFER, "the packed buffer is NULL");
    return MPI_SUCCESS;
}

/* --- As it lies in memory --- */

int KP_MPI_SIZED(Pack)(const void *inbuf, kp_mpi_count incount, MPI_Datatype datatype, void *outbuf,
                       kp_mpi_count outsize, kp_mpi_count *position, MPI_Comm handle)
{
    KP_MPI_SIZED_ENTER(Pack);
    KP_MPI_COMM_OF(handle);
    struct kp_mpi_type *type = NULL;
    size_t bytes = 0;
    const struct packing p = {inbuf, incount, outbuf, outsize, *position};
    int class = begin(self, comm, &p, datatype, false, &type, &bytes);
    if (!class)
        class = check_room(self, comm, &p, bytes);
    if (class)
        return class;
    kp_mpi_type_pack(type, (size_t)incount, inbuf, (char *)outbuf + *position);
    *position += (kp_mpi_count)bytes;
    return MPI_SUCCESS;
}
KP_MPI_SIZED_NAMES(Pack);

int KP_MPI_SIZED(Unpack)(const void *inbuf, kp_mpi_count insize, kp_mpi_count *position,
                         void *outbuf, kp_mpi_count outcount, MPI_Datatype datatype,
                         MPI_Comm handle)
{
    KP_MPI_SIZED_ENTER(Unpack);
    KP_MPI_COMM_OF(handle);
    struct kp_mpi_type *type = NULL;
    size_t bytes = 0;
    const struct packing p = {outbuf, outcount, inbuf, insize, *position};
    int class = begin(self, comm, &p, datatype, false, &type, &bytes);
    if (!class)
        class = check_room(self, comm, &p, bytes);
    if (class)
        return class;
    kp_mpi_type_unpack(type, (const char *)inbuf + *position, bytes, outbuf);
    *position += (kp_mpi_count)bytes;
    return MPI_SUCCESS;
}
KP_MPI_SIZED_NAMES(Unpack);

int KP_MPI_SIZED(Pack_size)(kp_mpi_count incount, MPI_Datatype datatype, MPI_Comm handle,
                            kp_mpi_count *size)
{
    KP_MPI_SIZED_ENTER(Pack_size);
    KP_MPI_COMM_OF(handle);
    struct kp_mpi_type *type = NULL;
    size_t bytes = 0;
    const struct packing p = {.count = incount};
    const int class = begin(self, comm, &p, datatype, false, &type, &bytes);
    if (!class)
        *size = (kp_mpi_count)bytes >= 0 && (size_t)(kp_mpi_count)bytes == bytes
                    ? (kp_mpi_count)bytes
                    : MPI_UNDEFINED;
    return class;
}
KP_MPI_SIZED_NAMES(Pack_size);

/* --- external32 --- */

static int check_name(struct kp_mpi_rank *self, const char *representation)
{
    if (representation && strcmp(representation, "external32") == 0)
        return MPI_SUCCESS;
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "datarep is \"%s\"; it may be \"external32\"",
                       representation ? representation : "(NULL)");
}

int KP_MPI_SIZED(Pack_external)(const char datarep[], const void *inbuf, kp_mpi_count incount,
                                MPI_Datatype datatype, void *outbuf, kp_mpi_position outsize,
                                kp_mpi_position *position)
{
    KP_MPI_SIZED_ENTER(Pack_external);
    struct kp_mpi_type *type = NULL;
    size_t bytes = 0;
    const struct packing p = {inbuf, incount, outbuf, outsize, *position};
    int class = check_name(self, datarep);
    if (!class)
        class = begin(self, NULL, &p, datatype, true, &type, &bytes);
    if (!class)
        class = check_room(self, NULL, &p, bytes);
    if (!class)
        class = kp_mpi_external_pack(self, type, inbuf, (size_t)incount,
                                     (unsigned char *)outbuf + *position);
    if (!class)
        *position += (kp_mpi_position)bytes;
    return class;
}
KP_MPI_SIZED_NAMES(Pack_external);

int KP_MPI_SIZED(Unpack_external)(const char datarep[], const void *inbuf, kp_mpi_position insize,
                                  kp_mpi_position *position, void *outbuf, kp_mpi_count outcount,
                                  MPI_Datatype datatype)
{
    KP_MPI_SIZED_ENTER(Unpack_external);
    struct kp_mpi_type *type = NULL;
    size_t bytes = 0;
    const struct packing p = {outbuf, outcount, inbuf, insize, *position};
    int class = check_name(self, datarep);
    if (!class)
        class = begin(self, NULL, &p, datatype, true, &type, &bytes);
    if (!class)
        class = check_room(self, NULL, &p, bytes);
    if (!class)
        class = kp_mpi_external_unpack(self, type, outbuf, (size_t)outcount,
                                       (const unsigned char *)inbuf + *position);
    if (!class)
        *position += (kp_mpi_position)bytes;
    return class;
}
KP_MPI_SIZED_NAMES(Unpack_external);

int KP_MPI_SIZED(Pack_external_size)(const char datarep[], kp_mpi_count incount,
                                     MPI_Datatype datatype, kp_mpi_position *size)
{
    KP_MPI_SIZED_ENTER(Pack_external_size);
    struct kp_mpi_type *type = NULL;
    size_t bytes = 0;
    const struct packing p = {.count = incount};
    int class = check_name(self, datarep);
    if (!class)
        class = begin(self, NULL, &p, datatype, true, &type, &bytes);
    if (!class)
        *size = (kp_mpi_position)bytes;
    return class;
}
KP_MPI_SIZED_NAMES(Pack_external_size);
