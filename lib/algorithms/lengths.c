#include "lib/algorithms/lengths.h"

#include "lib/schedule/arithmetic.h"

kp_problem kp_problem_of_lender(const kp_problem *problem)
{
    kp_problem lent = *problem;
    lent.algorithm = problem->algorithm->same_schedule_as;
    lent.operation = lent.algorithm->operation;
    lent.b = 1;
    return lent;
}

void kp_lengths_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2)
{
    kp_problem lent = kp_problem_of_lender(problem);
    uint64_t blocks, header = (uint64_t)problem->algorithm->length_bytes;
    lent.algorithm->stated_cost(&lent, c1, &blocks);
    *c2 = kp_times(blocks, kp_plus(problem->b, header));
}
