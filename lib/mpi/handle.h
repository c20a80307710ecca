/* Handles. The value of a handle is a kind (4 bits), an index in a table of the rank (24 bits), and
 * a generation, which counts how often the index was used before. So a handle that was freed, or
 * that was never one, is told from one that is valid, and never read through. */
#ifndef KPORT_MPI_HANDLE_H
#define KPORT_MPI_HANDLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KP_MPI_INDEX_BITS 24

/* A call in the program. If its macro was not used, `file` is NULL, and `caller` the return address
 * of the call. */
struct kp_mpi_place {
    const char *function;
    const char *file;
    int line;
    const void *caller;
};

struct kp_mpi_slot {
    void *object;             /* NULL: free */
    struct kp_mpi_place made; /* the call that has made it; function NULL: predefined */
    bool kept;                /* nobody misses it if the program does not free it */
    uintptr_t generation;     /* of the present or the next object */
    uint32_t next;            /* the next free index + 1; 0: none */
};

struct kp_mpi_table {
    struct kp_mpi_slot *slots;
    uint32_t room, used; /* `used`: the number of slots that have ever had an object */
    uint32_t free_slots; /* the first free index + 1; 0: none */
    uint32_t forgotten;  /* how often a handle was forgotten */
};

/* Returns the object of a handle, or NULL. */
static inline void *kp_mpi_find(const struct kp_mpi_table *table, unsigned kind, const void *handle)
{
    const uintptr_t value = (uintptr_t)handle;
    const uint32_t index = (uint32_t)(value >> 4) & ((1U << KP_MPI_INDEX_BITS) - 1);
    if ((value & 15) != kind || index >= table->used ||
        table->slots[index].generation != value >> (4 + KP_MPI_INDEX_BITS))
        return NULL;
    return table->slots[index].object;
}

/* Returns a new handle of an object, or NULL if there is no memory. The first handles of a table
 * are 0, 1, 2 ... with generation 0, as those of predefined objects must be. The object is made by
 * the calling rank's present call; `kp_mpi_handle_make_by` gets this call from the caller. */
void *kp_mpi_handle_make(struct kp_mpi_table *table, unsigned kind, void *object);
void *kp_mpi_handle_make_by(struct kp_mpi_table *table, unsigned kind, void *object,
                            const struct kp_mpi_place *made);

static inline struct kp_mpi_slot *kp_mpi_slot_of(const struct kp_mpi_table *table,
                                                 const void *handle)
{
    const uintptr_t index = (uintptr_t)handle >> 4 & ((1U << KP_MPI_INDEX_BITS) - 1);
    return &table->slots[index];
}

/* Forgets a handle whose object will be made again, and returns the handle that the object will
 * have then; and makes it again. They keep the place where the slot was first used. */
static inline void *kp_mpi_handle_rest(const struct kp_mpi_table *table, const void *handle)
{
    const uintptr_t one = (uintptr_t)1 << (4 + KP_MPI_INDEX_BITS); /* more of the generation */
    struct kp_mpi_slot *slot = kp_mpi_slot_of(table, handle);
    const uintptr_t next = (uintptr_t)handle + one;
    slot->object = NULL;
    slot->generation = next >> (4 + KP_MPI_INDEX_BITS);
    return (void *)next;
}

static inline void kp_mpi_handle_use(const struct kp_mpi_table *table, const void *handle,
                                     void *object)
{
    kp_mpi_slot_of(table, handle)->object = object;
}

/* Returns whether a handle is valid but for its object, which was taken from it by
 * kp_mpi_handle_use with NULL. */
bool kp_mpi_handle_is_empty(const struct kp_mpi_table *table, unsigned kind, const void *handle);

/* The handle is the library's: nobody misses it if the program does not free it. */
void kp_mpi_handle_keep(struct kp_mpi_table *table, const void *handle);

/* Forgets a handle, which is valid. */
void kp_mpi_handle_forget(struct kp_mpi_table *table, const void *handle);

/* Handles as numbers of Fortran: index and the last 7 bits of the generation; -1 for NULL. */
int kp_mpi_handle_number(const void *handle);
void *kp_mpi_handle_of_number(const struct kp_mpi_table *table, unsigned kind, int number);

void kp_mpi_table_free(struct kp_mpi_table *table);

#endif
