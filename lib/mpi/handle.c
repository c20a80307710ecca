#include "lib/mpi/handle.h"

#include "lib/mpi/rank.h"

#include <stdlib.h>

#define NUMBER_BITS 7 /* of the generation, in a number of Fortran */

static void *value_of(unsigned kind, uint32_t index, uintptr_t generation)
{
    return (void *)(generation << (4 + KP_MPI_INDEX_BITS) | (uintptr_t)index << 4 | kind);
}

static bool reach(struct kp_mpi_table *table)
{
    const uint32_t room = table->room > 0 ? 2 * table->room : 16;
    if (table->used < table->room)
        return true;
    if (room > 1U << KP_MPI_INDEX_BITS)
        return false;
    struct kp_mpi_slot *slots = realloc(table->slots, room * sizeof *slots);
    if (!slots)
        return false;
    table->slots = slots;
    table->room = room;
    return true;
}

void *kp_mpi_handle_make_by(struct kp_mpi_table *table, unsigned kind, void *object,
                            const struct kp_mpi_place *made)
{
    uint32_t index;
    if (table->free_slots > 0) {
        index = table->free_slots - 1;
        table->free_slots = table->slots[index].next;
    } else {
        if (!reach(table))
            return NULL;
        index = table->used++;
        table->slots[index].generation = 0;
    }
    table->slots[index].object = object;
    table->slots[index].made = *made;
    table->slots[index].kept = false;
    return value_of(kind, index, table->slots[index].generation);
}

void *kp_mpi_handle_make(struct kp_mpi_table *table, unsigned kind, void *object)
{
    static const struct kp_mpi_place none;
    const struct kp_mpi_rank *self = kp_face_data(); /* NULL: the rank begins */
    return kp_mpi_handle_make_by(table, kind, object, self ? &self->call : &none);
}

void kp_mpi_handle_keep(struct kp_mpi_table *table, const void *handle)
{
    kp_mpi_slot_of(table, handle)->kept = true;
}

bool kp_mpi_handle_is_empty(const struct kp_mpi_table *table, unsigned kind, const void *handle)
{
    const uintptr_t value = (uintptr_t)handle;
    const uint32_t index = (uint32_t)(value >> 4) & ((1U << KP_MPI_INDEX_BITS) - 1);
    return (value & 15) == kind && index < table->used && !table->slots[index].object &&
           table->slots[index].generation == value >> (4 + KP_MPI_INDEX_BITS);
}

static void forget(struct kp_mpi_table *table, struct kp_mpi_slot *slot)
{
    slot->object = NULL;
    table->forgotten++;
    slot->generation = (slot->generation + 1) & UINTPTR_MAX >> (4 + KP_MPI_INDEX_BITS);
}

void kp_mpi_handle_forget(struct kp_mpi_table *table, const void *handle)
{
    struct kp_mpi_slot *slot = kp_mpi_slot_of(table, handle);
    forget(table, slot);
    slot->next = table->free_slots;
    table->free_slots = (uint32_t)(slot - table->slots) + 1;
}

int kp_mpi_handle_number(const void *handle)
{
    const uintptr_t value = (uintptr_t)handle >> 4;
    return handle ? (int)(value & ((1U << (KP_MPI_INDEX_BITS + NUMBER_BITS)) - 1)) : -1;
}

void *kp_mpi_handle_of_number(const struct kp_mpi_table *table, unsigned kind, int number)
{
    const uint32_t index = (uint32_t)number & ((1U << KP_MPI_INDEX_BITS) - 1);
    if (number < 0 || index >= table->used)
        return NULL;
    const uintptr_t generation = table->slots[index].generation;
    if ((generation & ((1U << NUMBER_BITS) - 1)) != (uint32_t)number >> KP_MPI_INDEX_BITS)
        return NULL;
    return value_of(kind, index, generation);
}

void kp_mpi_table_free(struct kp_mpi_table *table)
{
    free(table->slots);
    *table = (struct kp_mpi_table){0};
}
