#include "lib/algorithms/hypercube_paths.h"

static int at(const struct kp_paths *paths, int shape, int64_t hop)
{
    const struct kp_hypercube_paths *all = paths->family;
    int rank = paths->problem->root, changed = 0;
    bool detour = shape >= all->distance;
    if (detour && hop > 0)
        rank ^= 1 << all->bits[shape];
    for (; changed < all->distance && changed + detour < hop; changed++)
        rank ^= 1 << all->bits[(changed + (detour ? 0 : shape)) % all->distance];
    return detour && hop > all->distance + 1 ? rank ^ 1 << all->bits[shape] : rank;
}

void kp_hypercube_paths_make(struct kp_hypercube_paths *all, const kp_problem *p, int most)
{
    int d = kp_hypercube_dimensions(p->n), differing = p->root ^ p->target, count = 0;
    for (int wanted = 1; wanted >= 0; wanted--) {
        for (int bit = 0; bit < d; bit++) {
            if ((differing >> bit & 1) == wanted)
                all->bits[count++] = bit;
        }
    }
    all->distance = kp_weight(differing);
    all->paths = (struct kp_paths){.at = at, .problem = p, .family = all};
    for (int shape = 0; shape < d && differing; shape++)
        kp_paths_add(&all->paths, shape, all->distance + (shape < all->distance ? 0 : 2));
    kp_paths_keep(&all->paths, most);
}
