/* The sides of a torus. */
#ifndef KPORT_LIB_TOPOLOGY_SIDES_H
#define KPORT_LIB_TOPOLOGY_SIDES_H

/* The larger of the two factors of n that are nearest to each other is n divided by this one. */
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
