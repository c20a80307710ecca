/* The lengths of a torus's sides. */
#ifndef KPORT_LIB_TOPOLOGY_SIDES_H
#define KPORT_LIB_TOPOLOGY_SIDES_H

/* Returns the shorter side of a torus that is as near to a square as n allows: the largest factor
 * of n that is at most sqrt(n). The other side is n divided by this factor. */
static inline int kp_near_square(int n)
{
    int side = 1;
    for (int i = 2; i <= n / i; i++) {
        if (n % i == 0)
            side = i;
    }
    return side;
}

#endif
