/* A vector is an array that grows. If there is no memory for a new item, kp_vector_add returns NULL
 * and the array stays as it was. */
#ifndef KPORT_LIB_VECTOR_H
#define KPORT_LIB_VECTOR_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct kp_vector {
    void *items;
    size_t count;
    size_t capacity;
};

/* Adds an item of `size` bytes at the end and returns the item, whose contents are undefined. An
 * array has fewer than 2^32 items, because schedules store indices in 32 bits. */
static inline void *kp_vector_add(struct kp_vector *vector, size_t size)
{
    if (vector->count == vector->capacity) {
        size_t capacity = vector->capacity ? vector->capacity * 2 : 16;
        if (capacity > UINT32_MAX || capacity > SIZE_MAX / size)
            return NULL;
        void *items = realloc(vector->items, capacity * size);
        if (!items)
            return NULL;
        vector->items = items;
        vector->capacity = capacity;
    }
    return (char *)vector->items + size * vector->count++;
}

/* Returns the array's memory, shortened to the array's items. The caller owns this memory from now
 * on, and the vector becomes empty. */
static inline void *kp_vector_take(struct kp_vector *vector, size_t size)
{
    void *items = vector->items;
    if (vector->count > 0) {
        void *cut = realloc(items, vector->count * size);
        items = cut ? cut : items;
    }
    *vector = (struct kp_vector){.items = NULL};
    return items;
}

static inline void kp_vector_free(struct kp_vector *vector)
{
    free(vector->items);
    *vector = (struct kp_vector){.items = NULL};
}

#endif
