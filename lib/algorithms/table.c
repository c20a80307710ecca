/* The one list of algorithms. Tests, tuner, command line and documentation all walk it. Of two with
 * the same predicted time the tuner takes the first. */
#include "lib/algorithms/table.h"

#include <stddef.h>
#include <string.h>

static const kp_algorithm *const table[] = {
    &kp_index_radix,      &kp_index_literal,
    &kp_concat_circulant, &kp_concat_recursive_doubling,
    &kp_concat_ring,      &kp_concat_gather_broadcast,
};

const kp_algorithm *kp_algorithm_at(int i)
{
    return i >= 0 && (size_t)i < sizeof table / sizeof table[0] ? table[i] : NULL;
}

const kp_algorithm *kp_algorithm_find(kp_operation operation, const char *name)
{
    const kp_algorithm *algorithm;
    for (int i = 0; (algorithm = kp_algorithm_at(i)) != NULL; i++) {
        if (algorithm->operation == operation && strcmp(algorithm->name, name) == 0)
            return algorithm;
    }
    return NULL;
}
