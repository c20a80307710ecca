#include "lib/algorithms/table.h"

const kp_algorithm *const kp_library_algorithms[KP_LIBRARY_ALGORITHMS] = {
#define KP_ALGORITHM_ROW(name) &name,
    KP_ALGORITHMS(KP_ALGORITHM_ROW)
#undef KP_ALGORITHM_ROW
};
