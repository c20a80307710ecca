#include "reference.h"

#include "reference_reduce.h"

#include <stdlib.h>
#include <string.h>

/* One word of a block's contents (the finalizer of splitmix64 over a number for each word). */
static uint64_t word_of(uint64_t seed, size_t source, size_t block, uint64_t position)
{
    uint64_t x = seed + 0x9e3779b97f4a7c15u * (position + 1) + 0xbf58476d1ce4e5b9u * (source + 1) +
                 0x94d049bb133111ebu * (block + 1);
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/* Fills `to` with block `block` of the outgoing buffer of `source`, or compares: the first place
 * that differs, -1 if none does. */
static void fill(uint64_t seed, size_t source, size_t block, unsigned char *to, size_t b)
{
    for (size_t i = 0; i < b; i += sizeof(uint64_t)) {
        uint64_t word = word_of(seed, source, block, i / sizeof word);
        memcpy(to + i, &word, b - i < sizeof word ? b - i : sizeof word);
    }
}

static int64_t compare(uint64_t seed, size_t source, size_t block, const unsigned char *data,
                       size_t b)
{
    for (size_t i = 0; i < b; i += sizeof(uint64_t)) {
        uint64_t word = word_of(seed, source, block, i / sizeof word);
        size_t bytes = b - i < sizeof word ? b - i : sizeof word;
        if (memcmp(data + i, &word, bytes) == 0)
            continue;
        unsigned char expected[sizeof word];
        memcpy(expected, &word, sizeof word);
        while (data[i] == expected[i % sizeof word])
            i++;
        return (int64_t)i;
    }
    return -1;
}

/* By operation: who has how many blocks, and which block of which source belongs into block `j` of
 * `rank`. */
enum blocks {
    NONE,
    ONE,
    EACH
};

struct origin {
    size_t source, block;
};

static struct origin of_index(const kp_problem *p, size_t rank, size_t j)
{
    (void)p;
    return (struct origin){j, rank};
}

static struct origin of_all(const kp_problem *p, size_t rank, size_t j)
{
    (void)p;
    (void)rank;
    return (struct origin){j, 0};
}

static struct origin of_root(const kp_problem *p, size_t rank, size_t j)
{
    (void)rank;
    return (struct origin){(size_t)p->root, j};
}

static struct origin of_root_for_each(const kp_problem *p, size_t rank, size_t j)
{
    (void)j;
    return (struct origin){(size_t)p->root, rank};
}

static struct origin of_none(const kp_problem *p, size_t rank, size_t j)
{
    (void)p;
    (void)rank;
    return (struct origin){0, j};
}

/* How many processors' operands, from processor 0 on, `rank` is to have combined. */
static size_t all_of_them(const kp_problem *p, size_t rank)
{
    (void)rank;
    return (size_t)p->n;
}

static size_t up_to_own(const kp_problem *p, size_t rank)
{
    (void)p;
    return rank + 1;
}

static size_t before_own(const kp_problem *p, size_t rank)
{
    (void)p;
    return rank;
}

static const struct definition {
    enum blocks out_at_root, out_elsewhere, in_at_root, in_elsewhere;
    struct origin (*origin)(const kp_problem *p, size_t rank, size_t j);
    size_t (*operands)(const kp_problem *p, size_t rank); /* reductions: origin says which block */
} definitions[KP_OPERATIONS] = {
    [KP_INDEX] = {EACH, EACH, EACH, EACH, of_index, NULL},
    [KP_CONCAT] = {ONE, ONE, EACH, EACH, of_all, NULL},
    [KP_BROADCAST] = {ONE, NONE, ONE, ONE, of_root, NULL},
    [KP_SCATTER] = {EACH, NONE, ONE, ONE, of_root_for_each, NULL},
    [KP_GATHER] = {ONE, ONE, EACH, NONE, of_all, NULL},
    [KP_REDUCE] = {ONE, ONE, ONE, NONE, of_none, all_of_them},
    [KP_ALLREDUCE] = {ONE, ONE, ONE, ONE, of_none, all_of_them},
    [KP_REDUCE_SCATTER] = {EACH, EACH, ONE, ONE, of_root_for_each, all_of_them},
    [KP_SCAN] = {ONE, ONE, ONE, ONE, of_none, up_to_own},
    [KP_SCAN_EXCLUSIVE] = {ONE, ONE, ONE, ONE, of_none, before_own},
};

static size_t count_of(const kp_problem *problem, enum blocks blocks)
{
    return blocks == EACH ? (size_t)problem->n : blocks == ONE ? 1 : 0;
}

size_t reference_out_blocks(const kp_problem *problem, int rank)
{
    const struct definition *d = &definitions[problem->operation];
    return count_of(problem, rank == problem->root ? d->out_at_root : d->out_elsewhere);
}

size_t reference_in_blocks(const kp_problem *problem, int rank)
{
    const struct definition *d = &definitions[problem->operation];
    return count_of(problem, rank == problem->root ? d->in_at_root : d->in_elsewhere);
}

/* Whether a reduction leaves the incoming buffer of `rank` as it is. */
static bool left_alone(const kp_problem *problem, int rank)
{
    const struct definition *d = &definitions[problem->operation];
    return d->operands && d->operands(problem, (size_t)rank) == 0;
}

/* The first byte of a block that is not that of a list, which is freed. */
static int64_t first_difference(const unsigned char *block, unsigned char *expected, size_t b)
{
    int64_t at = -1;
    for (size_t i = 0; i < b && at < 0; i++)
        at = block[i] != expected[i] ? (int64_t)i : -1;
    free(expected);
    return at;
}

/* What belongs into block j of the incoming buffer. */
static void fill_in(const kp_problem *problem, uint64_t seed, int rank, size_t j, unsigned char *to)
{
    const struct definition *d = &definitions[problem->operation];
    struct origin o = d->origin(problem, (size_t)rank, j);
    if (!d->operands)
        fill(seed, o.source, o.block, to, problem->b);
    else if (!left_alone(problem, rank))
        reference_combined(problem, seed, d->operands(problem, (size_t)rank), o.block, to);
    else
        memset(to, 0x3C, problem->b);
}

static int64_t compare_in(const kp_problem *problem, uint64_t seed, int rank, size_t j,
                          const unsigned char *block)
{
    const struct definition *d = &definitions[problem->operation];
    struct origin o = d->origin(problem, (size_t)rank, j);
    if (!d->operands)
        return compare(seed, o.source, o.block, block, problem->b);
    unsigned char *expected = malloc(problem->b + 1);
    if (!expected)
        return 0;
    fill_in(problem, seed, rank, j, expected);
    for (size_t i = 0; left_alone(problem, rank) && i < problem->b; i++)
        expected[i] = (unsigned char)~expected[i]; /* as it was spoiled */
    return first_difference(block, expected, problem->b);
}

static void fill_out(const kp_problem *problem, uint64_t seed, int rank, size_t j,
                     unsigned char *to)
{
    if (definitions[problem->operation].operands)
        reference_operands(problem, seed, (size_t)rank, j, to);
    else
        fill(seed, (size_t)rank, j, to, problem->b);
}

void reference_fill_out(const kp_problem *problem, uint64_t seed, int rank, unsigned char *out)
{
    for (size_t j = 0; j < reference_out_blocks(problem, rank); j++)
        fill_out(problem, seed, rank, j, out + j * problem->b);
}

bool reference_out_intact(const kp_problem *problem, uint64_t seed, int rank,
                          const unsigned char *out)
{
    for (size_t j = 0; j < reference_out_blocks(problem, rank); j++) {
        const unsigned char *block = out + j * problem->b;
        if (!definitions[problem->operation].operands) {
            if (compare(seed, (size_t)rank, j, block, problem->b) >= 0)
                return false;
            continue;
        }
        unsigned char *expected = malloc(problem->b + 1);
        if (!expected)
            return false;
        fill_out(problem, seed, rank, j, expected);
        if (first_difference(block, expected, problem->b) >= 0)
            return false;
    }
    return true;
}

void reference_spoil_in(const kp_problem *problem, uint64_t seed, int rank, unsigned char *in)
{
    for (size_t j = 0; j < reference_in_blocks(problem, rank); j++) {
        unsigned char *block = in + j * problem->b;
        fill_in(problem, seed, rank, j, block);
        for (size_t i = 0; i < problem->b; i++)
            block[i] = (unsigned char)~block[i];
    }
}

int64_t reference_first_wrong(const kp_problem *problem, uint64_t seed, int rank,
                              const unsigned char *in)
{
    for (size_t j = 0; j < reference_in_blocks(problem, rank); j++) {
        int64_t wrong = compare_in(problem, seed, rank, j, in + j * problem->b);
        if (wrong >= 0)
            return (int64_t)(j * problem->b) + wrong;
    }
    return -1;
}
