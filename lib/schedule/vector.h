/* Arrays that grow. If there is no memory, adding returns NULL and the array stays as it was. */
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

/* Returns a new last item of `size` bytes with undefined contents. There are fewer than 2^32 items,
 * because schedules index their arrays with 32 bits. */
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

/* Returns the items, cut to the used ones. The caller owns them, and the vector becomes empty. */
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
