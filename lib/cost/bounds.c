/* The lower bounds of Bruck et al. 1997, section 2. */
#include "kport/model.h"

#include "lib/problem/operation.h"
#include "lib/schedule/arithmetic.h"
#include "ports/port.h"

int kp_ceil_log(uint64_t n, uint64_t base)
{
    int d = 0;
    if (base < 2) {
        kp_set_error(KP_EARGUMENT, "base is %llu; it may be 2 or more", (unsigned long long)base);
        return -1;
    }
    for (uint64_t power = 1; power < n; power = kp_times(power, base))
        d++;
    return d;
}

static int can_be(kp_operation operation, int n, int k)
{
    if (!kp_operation_row(operation))
        kp_set_error(KP_EPROBLEM, "operation is %d; it may be 0 ... %d", (int)operation,
                     (int)KP_OPERATIONS - 1);
    else if (n < 1 || k < 1)
        kp_set_error(KP_EPROBLEM, "n is %d and k is %d; they may be 1 or more", n, k);
    else
        return 1;
    return 0;
}

uint64_t kp_bound_c1(kp_operation operation, int n, int k)
{
    if (!can_be(operation, n, k))
        return 0;
    if (kp_operation_has_target(operation))
        return n > 1;
    return (uint64_t)kp_ceil_log((uint64_t)n, (uint64_t)k + 1);
}

uint64_t kp_bound_c2(kp_operation operation, int n, int k, size_t b)
{
    if (!can_be(operation, n, k))
        return 0;
    enum kp_traffic traffic = kp_operation_row(operation)->traffic;
    if (kp_operation_row(operation)->no_bytes)
        return 0;
    if (traffic == KP_TRAFFIC_BLOCK_ONE)
        return n > 1 ? kp_ceil_div(b, (uint64_t)k) : 0;
    /* Each of the b bytes of a block is sent at least n - 1 times to collect the operands of all
     * processors, and n - 1 times to distribute the result. The messages share n k ports. */
    if (traffic == KP_TRAFFIC_GOSSIP)
        return kp_ceil_div(kp_times(kp_times(2, b), (uint64_t)n - 1),
                           kp_times((uint64_t)n, (uint64_t)k));
    /* Computes ceil(b (n - 1) / k). To avoid overflow, b is split into whole * k + rest. */
    uint64_t whole = b / (uint64_t)k, rest = b % (uint64_t)k, others = (uint64_t)n - 1;
    return kp_plus(kp_times(whole, others), kp_ceil_div(rest * others, (uint64_t)k));
}

int kp_bound_index_c2_at_least_rounds(int n, int k, size_t b, uint64_t *c2)
{
    uint64_t digits = 0, power = 1;
    if (!can_be(KP_INDEX, n, k))
        return 0;
    if (!c2) {
        kp_set_error(KP_EARGUMENT, "c2 is NULL; it must be where the bound goes");
        return 0;
    }
    for (; k >= 1 && n > 1 && power < (uint64_t)n; power *= (uint64_t)k + 1)
        digits++;
    if (digits == 0 || power != (uint64_t)n)
        return 0;
    *c2 = kp_times(kp_times(b, (uint64_t)n / ((uint64_t)k + 1)), digits);
    return 1;
}

uint64_t kp_bound_index_c1_at_least_bytes(int n, int k)
{
    return can_be(KP_INDEX, n, k) ? kp_ceil_div((uint64_t)n - 1, (uint64_t)k) : 0;
}
