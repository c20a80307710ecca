/* An array of the program's: counts or displacements, of type int or a larger one. */
#ifndef KPORT_MPI_LIST_H
#define KPORT_MPI_LIST_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct kp_mpi_list {
    const void *values; /* NULL: there is none */
    size_t bytes;       /* of a value: 4 or 8 */
};

#define KP_MPI_LIST(array)                                                                         \
    {                                                                                              \
        array, sizeof *(array)                                                                     \
    }

static inline int64_t kp_mpi_list_at(struct kp_mpi_list list, int i)
{
    const char *at = (const char *)list.values + (size_t)i * list.bytes;
    int32_t value;
    int64_t large;
    if (list.bytes == sizeof value)
        return memcpy(&value, at, sizeof value), value;
    return memcpy(&large, at, sizeof large), large;
}

#endif
