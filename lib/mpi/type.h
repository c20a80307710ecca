/* Datatypes, and what messages and collectives need of them. */
#ifndef KPORT_LIB_MPI_TYPE_H
#define KPORT_LIB_MPI_TYPE_H

#include "lib/mpi/attr.h"
#include "lib/mpi/rank.h"

struct kp_mpi_type_contents; /* how a derived type was made */

struct kp_mpi_type {
    MPI_Datatype handle;
    size_t size;                       /* the bytes of the data */
    ptrdiff_t lower, extent;           /* the lower bound, and the extent */
    ptrdiff_t true_lower, true_extent; /* the same of the data alone */
    bool dense;                        /* `count` of them are count * size bytes at the address */
    bool predefined, committed;
    kp_type element;         /* of a predefined type kport's type; KP_TYPES: none */
    const kp_layout *layout; /* of one; NULL: a byte, or a type without data (size 0) */
    int references;          /* the handle, and requests and types that use it */
    struct kp_mpi_place made;
    struct kp_mpi_attributes attributes;
    struct kp_mpi_type_contents *contents;
    struct kp_mpi_type *relative; /* with addresses relative to its data, for MPI_BOTTOM */
    size_t signed_count;          /* the count of the signature that was asked for last, */
    uint32_t signature;           /* and the signature; 0: none was */
    char name[MPI_MAX_OBJECT_NAME];
};

/* Returns the type of a handle, or NULL if it is none. */
static inline struct kp_mpi_type *kp_mpi_type_of(struct kp_mpi_rank *self, MPI_Datatype handle)
{
    return kp_mpi_find(&self->tables[KP_MPI_TYPE], KP_MPI_TYPE, handle);
}

/* Puts the predefined types in the rank's table, and frees all types of the rank. */
bool kp_mpi_types_begin(struct kp_mpi_rank *self);
void kp_mpi_types_end(struct kp_mpi_rank *self);

/* Checks a type that need not be committed. Returns MPI_SUCCESS or the class of an error that is
 * reported. */
int kp_mpi_type_find(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Datatype handle,
                     struct kp_mpi_type **type);

/* Checks a type that data are described by: valid and committed. Returns MPI_SUCCESS or the error's
 * class. */
int kp_mpi_type_refuse(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Datatype handle);

static inline int kp_mpi_type_check(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                                    MPI_Datatype handle, struct kp_mpi_type **type)
{
    *type = kp_mpi_type_of(self, handle);
    return *type && (*type)->committed ? MPI_SUCCESS : kp_mpi_type_refuse(self, comm, handle);
}

/* If the buffer is MPI_BOTTOM, so that the type has absolute addresses, makes the buffer the
 * address of the data, and the type one relative to it, which the original holds (bottom.c).
 * Returns MPI_SUCCESS or the class of an error that is reported. */
int kp_mpi_from_bottom(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const void **buffer,
                       size_t count, struct kp_mpi_type **type);

static inline void kp_mpi_type_hold(struct kp_mpi_type *type)
{
    if (!type->predefined)
        type->references++;
}

void kp_mpi_type_let_go(struct kp_mpi_type *type);

static inline void kp_mpi_type_release(struct kp_mpi_type *type)
{
    if (!type->predefined)
        kp_mpi_type_let_go(type);
}

/* A hash of the sequence of predefined types in `count` of the type, of 23 bits, never 0. 0: not
 * known (MPI_PACKED, and any type if checks of signatures are off). */
uint32_t kp_mpi_type_signature(struct kp_mpi_type *type, size_t count);

/* Returns the predefined type of which a message of so many bytes with this signature is, or NULL
 * if it is of several types or its type is not known. */
const struct kp_mpi_type *kp_mpi_type_signed(struct kp_mpi_rank *self, uint32_t signature,
                                             size_t bytes);

/* Whether two elements in `count` of the type share bytes. More than 65536 are not compared. */
bool kp_mpi_type_overlaps(const struct kp_mpi_type *type, size_t count);

/* Copies the data of `count` types from a buffer to contiguous memory, and `bytes` bytes of
 * contiguous memory to a buffer. */
void kp_mpi_type_pack(const struct kp_mpi_type *type, size_t count, const void *from, void *to);
void kp_mpi_type_unpack(const struct kp_mpi_type *type, const void *from, size_t bytes, void *to);

/* Writes how the type was made, such as "vector(3, 1, 4, MPI_INT)". */
void kp_mpi_type_describe(const struct kp_mpi_type *type, char *text, size_t size);
#define KP_MPI_TYPE_WORDS 100

#endif
