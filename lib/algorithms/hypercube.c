#include "lib/algorithms/hypercube.h"

#include "lib/schedule/arithmetic.h"

#include <stdlib.h>

const char kp_hypercube_restriction[] = "n a power of 2";

const char *kp_hypercube_serves(const kp_problem *problem)
{
    return (problem->n & (problem->n - 1)) == 0 ? NULL : kp_hypercube_restriction;
}

int kp_hypercube_dimensions(int n)
{
    int d = 0;
    while (n >> d > 1)
        d++;
    return d;
}

int kp_weight(int label)
{
    int weight = 0;
    for (; label > 0; label &= label - 1)
        weight++;
    return weight;
}

int64_t kp_choose(int d, int i)
{
    int64_t sets = 1;
    for (int j = 1; j <= i; j++)
        sets = sets * (d - i + j) / j;
    return sets;
}

/* --- Choosing a link for every label --- */

/* Returns the label after its d bits have moved up by `by` positions; `by` is 0 ... d - 1. Bits
 * that leave at the top come back at the bottom. */
static int rotate(int label, int by, int d)
{
    int64_t moved = (int64_t)label << by;
    return (int)((moved | moved >> d) & ((1 << d) - 1));
}

/* Chooses the links of `label`, whose bit 0 is set, and of all its rotations. For t = first,
 * first + 1, ... (mod d) the rotation by t positions gets link t, until the next rotation has a
 * link already. Link t is a valid choice, because this rotation has bit t set. If the label has c
 * different rotations, any c consecutive values of t give each rotation once. Returns the link that
 * follows the last link used. */
static int share_class(signed char *link_of, int label, int first, int d)
{
    int link = first;
    do {
        link_of[rotate(label, link, d)] = (signed char)link;
        link = (link + 1) % d;
    } while (link_of[rotate(label, link, d)] < 0);
    return link;
}

/* Chooses a link for every label. The rotations of a label form a class; all of them have the same
 * weight. The first class of a weight begins at link 0. Each further class begins at the link after
 * the last link of the class before it. So for each weight the numbers of labels of any two links
 * differ by at most one, and the lower links have more. The loop finds the least label of a class
 * first. Bit 0 of this label is set, because otherwise a rotation of it would be less. */
static void share_all(signed char *link_of, int d)
{
    int next[KP_MOST_DIMENSIONS + 1] = {0};
    for (int label = 1; label < 1 << d; label++)
        link_of[label] = -1;
    for (int label = 1; label < 1 << d; label++) {
        int *link = &next[kp_weight(label)];
        if (link_of[label] < 0)
            *link = share_class(link_of, label, *link, d);
    }
}

static int key_of(int d, int weight, int link)
{
    return (weight - 1) * d + link;
}

static void sort_by_key(struct kp_shares *shares, const signed char *link_of)
{
    int d = shares->d, filled[KP_MOST_DIMENSIONS * KP_MOST_DIMENSIONS] = {0};
    for (int label = 1; label < 1 << d; label++)
        shares->begin[key_of(d, kp_weight(label), link_of[label]) + 1]++;
    for (int key = 0; key < d * d; key++)
        shares->begin[key + 1] += shares->begin[key];
    for (int label = 1; label < 1 << d; label++) {
        int key = key_of(d, kp_weight(label), link_of[label]);
        shares->labels[shares->begin[key] + filled[key]++] = label;
    }
}

bool kp_shares_make(struct kp_shares *shares, int d)
{
    size_t labels = (size_t)1 << d;
    *shares = (struct kp_shares){.d = d, .labels = malloc(labels * sizeof *shares->labels)};
    signed char *link_of = malloc(labels);
    bool room = shares->labels && link_of;
    if (room) {
        share_all(link_of, d);
        sort_by_key(shares, link_of);
    } else {
        kp_shares_free(shares);
    }
    free(link_of);
    return room;
}

void kp_shares_free(struct kp_shares *shares)
{
    free(shares->labels);
    shares->labels = NULL;
}

const int *kp_share(const struct kp_shares *shares, int weight, int link, int *count)
{
    const int *begin = &shares->begin[key_of(shares->d, weight, link)];
    *count = begin[1] - begin[0];
    return shares->labels + begin[0];
}

/* --- Messages --- */

void kp_shares_build_pieces(kp_builder *b, const struct kp_shares *shares, int low, int high,
                            int link, int into)
{
    for (int weight = low; weight <= high; weight++) {
        int count;
        const int *labels = kp_share(shares, weight, link, &count);
        for (int i = 0; i < count; i++)
            kp_build_piece(b, kp_run_of(KP_IN, into ^ labels[i], 1));
    }
}

bool kp_shares_any(const struct kp_shares *shares, int low, int high, int link)
{
    int count = 0;
    for (int weight = low; weight <= high && count == 0; weight++)
        kp_share(shares, weight, link, &count);
    return count > 0;
}

void kp_shares_add_step(int d, int k, int low, int high, uint64_t *rounds, uint64_t *blocks)
{
    uint64_t all_links = kp_ceil_div((uint64_t)d, (uint64_t)k), used = 0;
    for (int weight = low; weight <= high; weight++) {
        uint64_t labels = (uint64_t)kp_choose(d, weight);
        uint64_t each = labels / (uint64_t)d;
        uint64_t fuller = kp_ceil_div(labels % (uint64_t)d, (uint64_t)k);
        uint64_t busy = each > 0 ? all_links : fuller;
        *blocks += all_links * each + fuller;
        used = busy > used ? busy : used;
    }
    *rounds += used;
}
