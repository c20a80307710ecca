#include "reference.h"

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
    EACH,
    ONE_AT_TARGET
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

static const struct definition {
    enum blocks out_at_root, out_elsewhere, in_at_root, in_elsewhere;
    struct origin (*origin)(const kp_problem *p, size_t rank, size_t j);
} definitions[KP_OPERATIONS] = {
    [KP_INDEX] = {EACH, EACH, EACH, EACH, of_index},
    [KP_CONCAT] = {ONE, ONE, EACH, EACH, of_all},
    [KP_BROADCAST] = {ONE, NONE, ONE, ONE, of_root},
    [KP_SCATTER] = {EACH, NONE, ONE, ONE, of_root_for_each},
    [KP_GATHER] = {ONE, ONE, EACH, NONE, of_all},
    [KP_ONE_TO_ONE] = {ONE, NONE, ONE_AT_TARGET, ONE_AT_TARGET, of_root},
};

static size_t count_of(const kp_problem *problem, int rank, enum blocks blocks)
{
    if (blocks == ONE_AT_TARGET)
        return rank == problem->target;
    return blocks == EACH ? (size_t)problem->n : blocks == ONE ? 1 : 0;
}

size_t reference_out_blocks(const kp_problem *problem, int rank)
{
    const struct definition *d = &definitions[problem->operation];
    return count_of(problem, rank, rank == problem->root ? d->out_at_root : d->out_elsewhere);
}

size_t reference_in_blocks(const kp_problem *problem, int rank)
{
    const struct definition *d = &definitions[problem->operation];
    return count_of(problem, rank, rank == problem->root ? d->in_at_root : d->in_elsewhere);
}

void reference_fill_out(const kp_problem *problem, uint64_t seed, int rank, unsigned char *out)
{
    for (size_t j = 0; j < reference_out_blocks(problem, rank); j++)
        fill(seed, (size_t)rank, j, out + j * problem->b, problem->b);
}

bool reference_out_intact(const kp_problem *problem, uint64_t seed, int rank,
                          const unsigned char *out)
{
    for (size_t j = 0; j < reference_out_blocks(problem, rank); j++) {
        if (compare(seed, (size_t)rank, j, out + j * problem->b, problem->b) >= 0)
            return false;
    }
    return true;
}

void reference_spoil_in(const kp_problem *problem, uint64_t seed, int rank, unsigned char *in)
{
    for (size_t j = 0; j < reference_in_blocks(problem, rank); j++) {
        struct origin o = definitions[problem->operation].origin(problem, (size_t)rank, j);
        unsigned char *block = in + j * problem->b;
        fill(seed, o.source, o.block, block, problem->b);
        for (size_t i = 0; i < problem->b; i++)
            block[i] = (unsigned char)~block[i];
    }
}

int64_t reference_first_wrong(const kp_problem *problem, uint64_t seed, int rank,
                              const unsigned char *in)
{
    for (size_t j = 0; j < reference_in_blocks(problem, rank); j++) {
        struct origin o = definitions[problem->operation].origin(problem, (size_t)rank, j);
        int64_t wrong = compare(seed, o.source, o.block, in + j * problem->b, problem->b);
        if (wrong >= 0)
            return (int64_t)(j * problem->b) + wrong;
    }
    return -1;
}
