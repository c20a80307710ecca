#include "lib/mpi/collective/arrays.h"

#include "lib/call/face.h"

#include <stdlib.h>

#define LISTS (int)(sizeof((struct kp_mpi_arrays *)NULL)->lists / sizeof(struct kp_mpi_list))

static size_t bytes_of(const struct kp_mpi_arrays *arrays, int list)
{
    const struct kp_mpi_list *l = &arrays->lists[list];
    return l->values ? (size_t)arrays->n * l->bytes : 0;
}

uint64_t kp_mpi_arrays_hash(const struct kp_mpi_arrays *arrays)
{
    uint64_t hash = 0;
    for (int list = 0; list < LISTS; list++) {
        hash = kp_hash(hash, bytes_of(arrays, list));
        for (int i = 0; i < arrays->n && arrays->lists[list].values; i++)
            hash = kp_hash(hash, (uint64_t)kp_mpi_list_at(arrays->lists[list], i));
    }
    return hash;
}

struct kp_mpi_arrays *kp_mpi_arrays_copy(const struct kp_mpi_arrays *arrays)
{
    size_t all = 0;
    for (int list = 0; list < LISTS; list++)
        all += bytes_of(arrays, list);
    struct kp_mpi_arrays *copy = malloc(sizeof *copy + all);
    if (!copy)
        return NULL;
    *copy = *arrays;
    char *room = (char *)(copy + 1);
    for (int list = 0; list < LISTS; list++) {
        const size_t bytes = bytes_of(arrays, list);
        if (bytes == 0)
            continue;
        memcpy(room, arrays->lists[list].values, bytes);
        copy->lists[list].values = room;
        room += bytes;
    }
    return copy;
}

bool kp_mpi_arrays_are_equal(const struct kp_mpi_arrays *a, const struct kp_mpi_arrays *b)
{
    for (int list = 0; list < LISTS; list++) {
        const size_t bytes = bytes_of(a, list);
        if (bytes != bytes_of(b, list) ||
            (bytes > 0 && memcmp(a->lists[list].values, b->lists[list].values, bytes) != 0))
            return false;
    }
    return true;
}
