#include "lib/algorithms/torus.h"

#include "lib/schedule/arithmetic.h"

#define LONGEST_RING 4096

const char kp_ring_restriction[] = "n up to 4096";

const char *kp_ring_serves(const kp_problem *p)
{
    return p->n > LONGEST_RING ? kp_ring_restriction : NULL;
}

int kp_ring_to_the_right(const kp_problem *p)
{
    return p->k == 1 ? p->n - 1 : p->n / 2;
}

const char kp_torus_restriction[] = "n = rows times columns up to 4096, both at least 3";

const char *kp_torus_serves(const kp_problem *p)
{
    struct kp_torus torus = kp_torus_of(p->n);
    return p->n > LONGEST_RING || torus.rows < 3 ? kp_torus_restriction : NULL;
}

const char kp_torus_two_ports_restriction[] = "k at least 2, n = rows times columns up to 4096";

const char *kp_torus_two_ports_serves(const kp_problem *p)
{
    return p->n > LONGEST_RING || (p->k < 2 && p->n > 2) ? kp_torus_two_ports_restriction : NULL;
}

struct kp_torus kp_torus_of(int n)
{
    int rows = kp_near_square(n);
    return (struct kp_torus){.rows = rows, .columns = n / rows};
}

int kp_torus_at(struct kp_torus torus, int64_t row, int64_t column)
{
    return (int)(kp_mod(row, torus.rows) * torus.columns + kp_mod(column, torus.columns));
}
