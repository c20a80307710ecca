#include "lib/algorithms/index_steps.h"

#include "lib/schedule/arithmetic.h"

/* --- Going through the steps --- */

static void enter_subphase(struct kp_index_step *s)
{
    s->h = kp_least(s->r, (int64_t)kp_ceil_div((uint64_t)s->n, (uint64_t)s->weight));
    s->z = 0;
}

struct kp_index_step kp_index_begin(const kp_problem *problem)
{
    struct kp_index_step s = {
        .n = problem->n, .k = problem->k, .r = problem->values[0], .weight = 1};
    enter_subphase(&s);
    return s;
}

bool kp_index_next(struct kp_index_step *s)
{
    if (s->z + 1 >= s->h && s->weight < s->n) {
        s->weight *= s->r;
        enter_subphase(s);
    }
    if (s->weight >= s->n)
        return false;
    s->z++;
    s->port = (int)((s->z - 1) % s->k);
    s->new_round = s->port == 0;
    return true;
}

int64_t kp_index_distance(const struct kp_index_step *s)
{
    return s->z * s->weight;
}

int64_t kp_index_runs(const struct kp_index_step *s)
{
    int64_t period = s->weight * s->r, first = s->z * s->weight;
    return first < s->n ? (s->n - 1 - first) / period + 1 : 0;
}

int64_t kp_index_run(const struct kp_index_step *s, int64_t i, int64_t *count)
{
    int64_t first = s->z * s->weight + i * s->weight * s->r;
    *count = kp_least(s->weight, s->n - first);
    return first;
}

/* --- The radix --- */

long kp_index_radix_low(const kp_problem *problem)
{
    (void)problem;
    return 2;
}

long kp_index_radix_high(const kp_problem *problem)
{
    return problem->n > 2 ? problem->n : 2;
}

/* --- Cost --- */

/* Returns how many of the numbers 1, 1 + k, 1 + 2k, ... are at most `last`. In every round of a
 * subphase the z of the first step is one of these numbers. */
static uint64_t first_steps(int64_t last, int64_t k)
{
    return last > 0 ? kp_ceil_div((uint64_t)last, (uint64_t)k) : 0;
}

/* Returns the sum, over the rounds of subphase x, of the number of blocks in the round's largest
 * message. The ids 0 ... n - 1 consist of complete periods of r^(x+1) ids and of a last, incomplete
 * period. In the complete periods together, `whole` ids have digit x = z, for each z. The last
 * period has runs of r^x ids for z = 0 ... q - 1, and then a shorter run for z = q. So the number
 * of ids does not grow with z, and the first step of a round has the largest message. */
static uint64_t blocks_of_subphase(int64_t n, int64_t k, int64_t r, int64_t weight, int64_t h)
{
    int64_t whole = n / weight / r * weight;
    int64_t left = n - whole * r;
    int64_t q = left / weight;
    uint64_t below = first_steps(kp_least(q, h) - 1, k);
    uint64_t upto = first_steps(kp_least(q, h - 1), k);
    return first_steps(h - 1, k) * (uint64_t)whole + below * (uint64_t)weight +
           (upto - below) * (uint64_t)(left - q * weight);
}

void kp_index_stated_cost(const kp_problem *problem, uint64_t *c1, uint64_t *c2)
{
    int64_t n = problem->n, k = problem->k, r = problem->values[0];
    uint64_t blocks = 0;
    *c1 = 0;
    for (int64_t weight = 1; weight < n; weight *= r) {
        int64_t h = kp_least(r, (int64_t)kp_ceil_div((uint64_t)n, (uint64_t)weight));
        *c1 += first_steps(h - 1, k);
        blocks += blocks_of_subphase(n, k, r, weight, h);
    }
    *c2 = kp_times(blocks, problem->b);
}
