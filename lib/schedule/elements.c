#include "lib/schedule/elements.h"

#include "lib/problem/operation.h"
#include "lib/problem/operator.h"

size_t kp_element_bytes(const kp_problem *problem)
{
    if (!kp_operation_reduces(problem->operation))
        return 1;
    if (problem->type == KP_OPAQUE)
        return problem->op && problem->op->element_bytes ? problem->op->element_bytes : 1;
    size_t bytes = kp_type_bytes(problem->type) * (problem->op == KP_COMPOSE ? 2 : 1);
    return bytes > 0 ? bytes : 1;
}

int64_t kp_elements(const kp_problem *problem)
{
    return (int64_t)(problem->b / kp_element_bytes(problem));
}

const char *kp_units_word(const kp_problem *problem, int64_t units_of_block, int64_t count)
{
    static const char *const words[][2] = {
        {"blocks", "block"}, {"elements", "element"}, {"bytes", "byte"}};
    const int word = units_of_block == 1 ? 0 : kp_operation_reduces(problem->operation) ? 1 : 2;
    return words[word][count == 1];
}

bool kp_is_ordered(const kp_problem *problem)
{
    return kp_operation_reduces(problem->operation) && problem->op && !problem->op->commutative;
}
