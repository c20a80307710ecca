#include "lib/algorithms/table.h"

#include "ports/port.h"

#include <stddef.h>
#include <string.h>

static const kp_algorithm *const table[] = {
#define KP_ALGORITHM_ROW(name) &name,
    KP_ALGORITHMS(KP_ALGORITHM_ROW)
#undef KP_ALGORITHM_ROW
};

const kp_algorithm *kp_algorithm_at(int i)
{
    return i >= 0 && (size_t)i < sizeof table / sizeof table[0] ? table[i] : NULL;
}

const kp_algorithm *kp_algorithm_find(kp_operation operation, const char *name)
{
    const kp_algorithm *algorithm;
    if (!name) {
        kp_set_error(KP_EALGORITHM, "name is NULL; it may be an algorithm's");
        return NULL;
    }
    for (int i = 0; (algorithm = kp_algorithm_at(i)) != NULL; i++) {
        if (algorithm->operation == operation && strcmp(algorithm->name, name) == 0)
            return algorithm;
    }
    return NULL;
}
