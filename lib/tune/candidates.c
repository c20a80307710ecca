#include "lib/tune/candidates.h"

#include "lib/problem/problem.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Returns the least of the powers base^0, base^1, ... that is greater than `value`. May return any
 * power above INT32_MAX. */
static long power_above(long base, long value)
{
    long power = 1;
    while (power <= value && power <= INT32_MAX)
        power *= base;
    return power;
}

/* Returns whether the numbers 0 ... n - 1 have at most `digits` digits in radix `radix`. */
static bool has_digits(long n, long radix, int digits)
{
    int64_t power = 1;
    for (int i = 0; i < digits && power < n; i++)
        power *= radix;
    return power >= n;
}

/* Returns the least radix above `value` in which 0 ... n - 1 have fewer digits than in radix
 * `value`. Among all radices with the same number of digits, and so of rounds, this radix sends the
 * fewest bytes. */
static long root_above(long n, long value)
{
    for (int digits = 32; digits >= 1; digits--) {
        long low = 2, high = n > 2 ? n : 2;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (has_digits(n, middle, digits))
                high = middle;
            else
                low = middle + 1;
        }
        if (low > value)
            return low;
    }
    return INT32_MAX;
}

static long least(long a, long b)
{
    return a < b ? a : b;
}

static long few_above(const kp_parameter *parameter, const kp_problem *p, long value)
{
    if (parameter->words)
        return value + 1;
    if (strcmp(parameter->name, "r") == 0)
        return least(least(power_above(2, value), power_above(p->k + 1, value)),
                     root_above(p->n, value));
    long next = power_above(4, value);
    next = p->k > value ? least(next, p->k) : next;
    return p->n > value ? least(next, p->n) : next;
}

static long next_value(const kp_parameter *parameter, const kp_problem *p, long value,
                       enum kp_values values)
{
    return values == KP_FEW_VALUES ? few_above(parameter, p, value) : value + 1;
}

/* Sets the open parameters to the next values. The last parameter varies fastest. Returns false
 * after the last values. */
static bool next_values(kp_problem *candidate, const kp_problem *asked, int count,
                        enum kp_values values)
{
    for (int i = count - 1; i >= 0; i--) {
        const kp_parameter *parameter = &candidate->algorithm->parameters[i];
        if (asked->values[i] != 0)
            continue;
        candidate->values[i] = next_value(parameter, candidate, candidate->values[i], values);
        if (candidate->values[i] <= kp_parameter_high(parameter, candidate))
            return true;
        candidate->values[i] = kp_parameter_low(parameter, candidate);
    }
    return false;
}

bool kp_candidate_serves(const kp_problem *candidate)
{
    const kp_algorithm *algorithm = candidate->algorithm;
    return algorithm->operation == candidate->operation && algorithm->stated_cost &&
           (!candidate->same_order || kp_algorithm_has_same_order(algorithm)) &&
           !(algorithm->serves && algorithm->serves(candidate));
}

void kp_candidates_of(const kp_problem *asked, const kp_algorithm *algorithm, enum kp_values values,
                      kp_visit_candidate *visit, void *arg)
{
    kp_problem candidate = *asked;
    candidate.algorithm = algorithm;
    int count = kp_parameter_count(algorithm);
    for (int i = 0; i < count; i++) {
        if (asked->values[i] == 0)
            candidate.values[i] = kp_parameter_low(&algorithm->parameters[i], &candidate);
    }
    do
        visit(&candidate, arg);
    while (next_values(&candidate, asked, count, values));
}

void kp_candidates(const kp_problem *asked, enum kp_values values, kp_visit_candidate *visit,
                   void *arg)
{
    if (asked->algorithm) {
        kp_candidates_of(asked, asked->algorithm, values, visit, arg);
        return;
    }
    const kp_algorithm *algorithm;
    for (int i = 0; (algorithm = kp_algorithm_at(i)) != NULL; i++) {
        kp_problem candidate = *asked;
        candidate.algorithm = algorithm;
        if (kp_candidate_serves(&candidate))
            kp_candidates_of(asked, algorithm, values, visit, arg);
    }
}
