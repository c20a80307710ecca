#include "lib/check/contributions.h"

struct set {
    int64_t cell;
    int first, end;
    int count;
    bool ordered;
    uint64_t left, right; /* the symbols that were combined */
};

static size_t words_of(const struct kp_contributions *c)
{
    return ((size_t)c->n + 63) / 64;
}

static uint64_t singles(const struct kp_contributions *c)
{
    return (uint64_t)c->n * (uint64_t)c->cells;
}

void kp_contributions_begin(struct kp_contributions *c, int n, int64_t cells)
{
    *c = (struct kp_contributions){.n = n, .cells = cells};
}

void kp_contributions_end(struct kp_contributions *c)
{
    kp_vector_free(&c->sets);
    kp_vector_free(&c->members);
}

struct kp_contribution kp_contribution_of(const struct kp_contributions *c, uint64_t symbol)
{
    if (symbol <= singles(c)) {
        int rank = (int)((symbol - 1) / (uint64_t)c->cells);
        return (struct kp_contribution){.cell = (int64_t)((symbol - 1) % (uint64_t)c->cells),
                                        .first = rank,
                                        .end = rank + 1,
                                        .ordered = true,
                                        .count = 1};
    }
    const struct set *set = (const struct set *)c->sets.items + (symbol - singles(c) - 1);
    return (struct kp_contribution){.cell = set->cell,
                                    .first = set->first,
                                    .end = set->end,
                                    .ordered = set->ordered,
                                    .count = set->count};
}

/* Returns word i of the bit set of the processors whose operands are combined in the symbol. */
static uint64_t word_of(const struct kp_contributions *c, uint64_t symbol, size_t i)
{
    if (symbol > singles(c))
        return ((const uint64_t *)c->members.items)[(symbol - singles(c) - 1) * words_of(c) + i];
    size_t rank = (size_t)((symbol - 1) / (uint64_t)c->cells);
    return rank / 64 == i ? UINT64_C(1) << rank % 64 : 0;
}

bool kp_contribution_has(const struct kp_contributions *c, uint64_t symbol, int rank)
{
    return word_of(c, symbol, (size_t)rank / 64) >> rank % 64 & 1;
}

bool kp_contribution_parts(const struct kp_contributions *c, uint64_t symbol, uint64_t *left,
                           uint64_t *right)
{
    if (symbol <= singles(c))
        return false;
    const struct set *set = (const struct set *)c->sets.items + (symbol - singles(c) - 1);
    *left = set->left;
    *right = set->right;
    return true;
}

/* Returns a processor whose operand is in both symbols, or -1 if there is none. */
static int common_member(const struct kp_contributions *c, uint64_t left, uint64_t right)
{
    for (size_t i = 0; i < words_of(c); i++) {
        uint64_t both = word_of(c, left, i) & word_of(c, right, i);
        for (int bit = 0; both; bit++, both >>= 1) {
            if (both & 1)
                return (int)i * 64 + bit;
        }
    }
    return -1;
}

enum kp_clash kp_contributions_combine(struct kp_contributions *c, uint64_t left, uint64_t right,
                                       uint64_t *result, int *member)
{
    struct kp_contribution l = kp_contribution_of(c, left), r = kp_contribution_of(c, right);
    if (l.cell != r.cell)
        return KP_CLASH_CELLS;
    *member = common_member(c, left, right);
    if (*member >= 0)
        return KP_CLASH_MEMBER;
    struct set *set = kp_vector_add(&c->sets, sizeof *set);
    if (!set)
        return KP_CLASH_MEMORY;
    *set = (struct set){.cell = l.cell,
                        .first = l.first < r.first ? l.first : r.first,
                        .end = l.end > r.end ? l.end : r.end,
                        .count = l.count + r.count,
                        .ordered = l.ordered && r.ordered && l.end == r.first,
                        .left = left,
                        .right = right};
    for (size_t i = 0; i < words_of(c); i++) {
        uint64_t *word = kp_vector_add(&c->members, sizeof *word);
        if (!word)
            return KP_CLASH_MEMORY;
        *word = word_of(c, left, i) | word_of(c, right, i);
    }
    *result = singles(c) + c->sets.count;
    return KP_NO_CLASH;
}
