#include "lib/algorithms/segments.h"

#include "kport/model.h"
#include "lib/schedule/arithmetic.h"

int kp_segment_sizes(int n, int k, int64_t sizes[KP_SEGMENT_ROUNDS])
{
    int d = kp_ceil_log((uint64_t)n, (uint64_t)k + 1);
    int64_t least = (int64_t)kp_ceil_div((uint64_t)n - 1, (uint64_t)k), sum = 0;
    for (int t = d; t >= 1; t--) {
        sizes[t - 1] = kp_least(1 + k * sum, least - sum - (t - 1));
        sum += sizes[t - 1];
    }
    return d;
}

struct kp_segment kp_segment_piece(struct kp_segment held, int64_t size, int64_t q)
{
    int64_t end = held.first + held.count - q * size;
    int64_t count = kp_least(size, end - held.first - 1);
    return count > 0 ? (struct kp_segment){end - count, count} : (struct kp_segment){end, 0};
}

static int64_t given_away(struct kp_segment held, int64_t size, int k)
{
    return kp_least(held.count - 1, size * k);
}

int kp_segment_number(struct kp_segment held, int64_t size, const kp_problem *p)
{
    int64_t kept = held.count - given_away(held, size, p->k);
    if (p->rank < held.first + kept)
        return -1;
    int64_t q = (held.first + held.count - 1 - p->rank) / size;
    return kp_segment_piece(held, size, q).first == p->rank ? (int)q : -1;
}

struct kp_segment kp_segment_after(struct kp_segment held, int64_t size, const kp_problem *p)
{
    int64_t kept = held.count - given_away(held, size, p->k);
    if (p->rank < held.first + kept)
        return (struct kp_segment){held.first, kept};
    return kp_segment_piece(held, size, (held.first + held.count - 1 - p->rank) / size);
}
