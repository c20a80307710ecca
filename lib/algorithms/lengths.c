#include "lib/algorithms/lengths.h"

#include "lib/schedule/arithmetic.h"
#include "lib/schedule/elements.h"

kp_problem kp_problem_of_lender(const kp_problem *problem)
{
    kp_problem lent = *problem;
    lent.algorithm = problem->algorithm->same_schedule_as;
    lent.operation = lent.algorithm->operation;
    lent.b = kp_element_bytes(&lent);
    return lent;
}

void kp_lengths_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2)
{
    kp_problem lent = kp_problem_of_lender(problem);
    uint64_t bytes, header = (uint64_t)problem->algorithm->length_bytes;
    lent.algorithm->stated_cost(&lent, c1, &bytes);
    *c2 = kp_times(bytes / lent.b, kp_plus(problem->b, header));
}

void kp_lengths_backwards_cost(const kp_algorithm *forwards, const kp_problem *problem,
                               uint64_t *c1, uint64_t *c2)
{
    kp_problem other = *problem;
    other.algorithm = forwards;
    other.operation = forwards->operation;
    forwards->stated_cost(&other, c1, c2);
}
