#include "tools/kport/run/reference.h"

#include "tools/kport/run/reference_reduce.h"

#include <stdlib.h>
#include <string.h>

/* `fill` writes the b bytes of block number `block` of processor `source` to `to`. `compare`
 * returns the position of the first byte that differs from those bytes, or -1 if no byte
 * differs. */
static void fill(uint64_t seed, size_t source, size_t block, unsigned char *to, size_t b)
{
    for (size_t i = 0; i < b; i += sizeof(uint64_t)) {
        uint64_t word = reference_word(seed, source, block, i / sizeof word);
        memcpy(to + i, &word, b - i < sizeof word ? b - i : sizeof word);
    }
}

static int64_t compare(uint64_t seed, size_t source, size_t block, const unsigned char *data,
                       size_t b)
{
    for (size_t i = 0; i < b; i += sizeof(uint64_t)) {
        uint64_t word = reference_word(seed, source, block, i / sizeof word);
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

/* How many blocks a buffer has. NONE: no block; ONE: one block; EACH: one block for each processor;
 * ONE_AT_TARGET: one block at the problem's target, and no block elsewhere. Each function `of_...`
 * below says where block `j` of the incoming buffer of `rank` comes from. The function returns the
 * sender, and the block's number in the sender's outgoing buffer. */
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

static struct origin of_none(const kp_problem *p, size_t rank, size_t j)
{
    (void)p;
    (void)rank;
    return (struct origin){0, j};
}

/* Each of the next three functions returns a number m. The result of `rank` in a reduction combines
 * the operands of processors 0 to m - 1. */
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
    /* Returns the number m: the result of `rank` combines the operands of processors 0 to m - 1.
     * The pointer is NULL if the operation is no reduction. */
    size_t (*operands)(const kp_problem *p, size_t rank);
} definitions[KP_OPERATIONS] = {
    [KP_INDEX] = {EACH, EACH, EACH, EACH, of_index, NULL},
    [KP_CONCAT] = {ONE, ONE, EACH, EACH, of_all, NULL},
    [KP_BROADCAST] = {ONE, NONE, ONE, ONE, of_root, NULL},
    [KP_SCATTER] = {EACH, NONE, ONE, ONE, of_root_for_each, NULL},
    [KP_GATHER] = {ONE, ONE, EACH, NONE, of_all, NULL},
    [KP_INDEXV] = {EACH, EACH, EACH, EACH, of_index, NULL},
    [KP_CONCATV] = {ONE, ONE, EACH, EACH, of_all, NULL},
    [KP_SCATTERV] = {EACH, NONE, ONE, ONE, of_root_for_each, NULL},
    [KP_GATHERV] = {ONE, ONE, EACH, NONE, of_all, NULL},
    [KP_REDUCE] = {ONE, ONE, ONE, NONE, of_none, all_of_them},
    [KP_ALLREDUCE] = {ONE, ONE, ONE, ONE, of_none, all_of_them},
    [KP_REDUCE_SCATTER] = {EACH, EACH, ONE, ONE, of_root_for_each, all_of_them},
    [KP_SCAN] = {ONE, ONE, ONE, ONE, of_none, up_to_own},
    [KP_SCAN_EXCLUSIVE] = {ONE, ONE, ONE, ONE, of_none, before_own},
    [KP_ONE_TO_ONE] = {ONE, NONE, ONE_AT_TARGET, ONE_AT_TARGET, of_root, NULL},
    [KP_REDUCE_SCATTERV] = {EACH, EACH, ONE, ONE, of_root_for_each, all_of_them},
    [KP_BARRIER] = {ONE, ONE, EACH, EACH, of_all, NULL}, /* of no bytes */
};

static bool has_lengths(kp_operation operation)
{
    return (operation >= KP_INDEXV && operation <= KP_GATHERV) || operation == KP_REDUCE_SCATTERV;
}

static bool is_scatter(kp_operation operation)
{
    return operation == KP_SCATTER || operation == KP_SCATTERV;
}

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
    if (problem->in_place && is_scatter(problem->operation) && rank == problem->root)
        return 0;
    return count_of(problem, rank, rank == problem->root ? d->in_at_root : d->in_elsewhere);
}

/* --- The positions of blocks in a buffer --- */

#define WIDEST_GAP 12 /* gaps between blocks are shorter than this many bytes */

/* reference_word has a random word for every position. These two positions are beyond the end of
 * every block. The word at `for_length` determines a block's length. The word at `for_gap`
 * determines the length of the gap before the block. */
static const uint64_t for_length = UINT64_MAX - 1, for_gap = UINT64_MAX - 2;

static size_t length_of(const kp_problem *p, uint64_t seed, struct origin o)
{
    /* If a call is in place, the two blocks that a pair of processors exchanges must have the same
     * length. So the length of both blocks comes from the processor with the lower rank. */
    bool pair = p->in_place && p->operation == KP_INDEXV && o.source > o.block;
    /* All operands of a result have the same length, of complete elements. */
    const bool reduces = definitions[p->operation].operands != NULL;
    const size_t element = reduces ? reference_element_bytes(p) : 1;
    const size_t source = reduces ? 0 : pair ? o.block : o.source;
    uint64_t word = reference_word(seed, source, pair ? o.source : o.block, for_length);
    if (!has_lengths(p->operation))
        return p->b;
    return word % 4 == 0 ? 0 : (size_t)(word / 4 % (p->b / element + 1)) * element;
}

struct walk {
    const kp_problem *problem;
    uint64_t seed;
    size_t rank, blocks;
    bool incoming;
    const unsigned char *results; /* the table of a reduction's results (reference.h), or NULL */
    size_t gap;                   /* the position of the gap before the current block */
    size_t at, length;            /* the position and the length of the current block */
    size_t j;                     /* the number of the current block, plus 1 */
    /* The processor that sends the current block, and the block's number in that processor's
     * outgoing buffer. */
    struct origin from;
};

static struct walk walk_of(const kp_problem *problem, uint64_t seed, int rank, bool incoming)
{
    return (struct walk){
        .problem = problem,
        .seed = seed,
        .rank = (size_t)rank,
        .incoming = incoming,
        .blocks =
            incoming ? reference_in_blocks(problem, rank) : reference_out_blocks(problem, rank),
    };
}

static bool next_block(struct walk *w)
{
    const kp_problem *p = w->problem;
    if (w->j == w->blocks)
        return false;
    w->from = w->incoming ? definitions[p->operation].origin(p, w->rank, w->j)
                          : (struct origin){w->rank, w->j};
    w->gap = w->at += w->length;
    if (has_lengths(p->operation) && !definitions[p->operation].operands)
        w->at += reference_word(w->seed + w->incoming, w->rank, w->j, for_gap) % WIDEST_GAP;
    w->length = length_of(p, w->seed, w->from);
    w->j++;
    return true;
}

size_t reference_bytes(const kp_problem *problem, uint64_t seed, int rank, bool incoming)
{
    struct walk w = walk_of(problem, seed, rank, incoming);
    while (next_block(&w))
        continue;
    return w.at + w.length;
}

void reference_lengths(const kp_problem *problem, uint64_t seed, int rank, bool incoming,
                       size_t *counts, size_t *displacements)
{
    struct walk w = walk_of(problem, seed, rank, incoming);
    while (next_block(&w)) {
        counts[w.j - 1] = w.length;
        displacements[w.j - 1] = w.at;
    }
}

/* Returns the position of the first changed byte in the gap before the current block, or -1. */
static int64_t changed_gap(const struct walk *w, const unsigned char *data)
{
    for (size_t i = w->gap; i < w->at; i++) {
        if (data[i] != REFERENCE_GAP)
            return (int64_t)i;
    }
    return -1;
}

/* --- The table of a reduction's results --- */

/* Returns whether all processors that get a result get the same block. */
static bool has_one_result(const struct definition *d)
{
    return d->operands == all_of_them && d->origin == of_none;
}

size_t reference_results_bytes(const kp_problem *problem)
{
    const struct definition *d = &definitions[problem->operation];
    if (!d->operands)
        return 0;
    return has_one_result(d) ? problem->b : (size_t)problem->n * problem->b;
}

unsigned char *reference_results(const kp_problem *problem, uint64_t seed)
{
    const struct definition *d = &definitions[problem->operation];
    size_t n = (size_t)problem->n, blocks = has_one_result(d) ? 1 : n;
    unsigned char *results = malloc(reference_results_bytes(problem) + 1);
    if (!results || !d->operands)
        return results;
    if (d->operands != all_of_them)
        reference_running(problem, seed, results);
    for (size_t block = 0; d->operands == all_of_them && block < blocks; block++)
        reference_combined(problem, seed, n, block, results + block * problem->b);
    return results;
}

/* Returns the position of the result for `rank` in the table. If every result combines all
 * operands, the table is ordered by block. Otherwise (in a scan) the table is ordered by the number
 * of combined operands, from 1. */
static size_t place_in_results(const struct walk *w)
{
    const struct definition *d = &definitions[w->problem->operation];
    size_t operands = d->operands(w->problem, w->rank);
    return (d->operands == all_of_them ? w->from.block : operands - 1) * w->problem->b;
}

/* --- Filling and comparing buffers --- */

/* Returns whether the reduction leaves the incoming buffer of `rank` unchanged. An exclusive scan
 * does so for rank 0. */
static bool left_alone(const kp_problem *problem, int rank)
{
    const struct definition *d = &definitions[problem->operation];
    return d->operands && d->operands(problem, (size_t)rank) == 0;
}

/* Returns the problem, with the length of the current block as the length of all blocks. */
static kp_problem of_block(const struct walk *w)
{
    kp_problem p = *w->problem;
    p.b = w->length;
    return p;
}

/* Writes the current block to `to`. For an outgoing buffer these are the bytes to send. For an
 * incoming buffer these are the bytes that the call must deliver. */
static void fill_block(const struct walk *w, unsigned char *to)
{
    const struct definition *d = &definitions[w->problem->operation];
    const kp_problem block = of_block(w);
    if (!d->operands)
        fill(w->seed, w->from.source, w->from.block, to, w->length);
    else if (!w->incoming)
        reference_operands(&block, w->seed, w->rank, w->from.block, to);
    else if (left_alone(w->problem, (int)w->rank))
        memset(to, 0x3C, w->length);
    else if (w->results)
        memcpy(to, w->results + place_in_results(w), w->length);
    else
        reference_combined(&block, w->seed, d->operands(w->problem, w->rank), w->from.block, to);
}

/* Returns the position of the first wrong byte in the current block, or -1. */
static int64_t compare_block(const struct walk *w, const unsigned char *block)
{
    if (!definitions[w->problem->operation].operands)
        return compare(w->seed, w->from.source, w->from.block, block, w->length);
    const kp_problem block_alone = of_block(w);
    unsigned char *expected = malloc(w->length + 1);
    bool untouched = w->incoming && left_alone(w->problem, (int)w->rank);
    bool spoiled = untouched && !w->problem->in_place;
    if (expected && untouched && !spoiled)
        reference_operands(&block_alone, w->seed, w->rank, 0, expected);
    else if (expected)
        fill_block(w, expected);
    for (size_t i = 0; expected && spoiled && i < w->length; i++)
        expected[i] = (unsigned char)~expected[i];
    const int64_t at = expected ? reference_differs(&block_alone, expected, block) : 0;
    free(expected);
    return at;
}

void reference_fill_out(const kp_problem *problem, uint64_t seed, int rank, unsigned char *out)
{
    struct walk w = walk_of(problem, seed, rank, false);
    while (next_block(&w))
        fill_block(&w, out + w.at);
}

bool reference_out_intact(const kp_problem *problem, uint64_t seed, int rank,
                          const unsigned char *out)
{
    struct walk w = walk_of(problem, seed, rank, false);
    while (next_block(&w)) {
        if (changed_gap(&w, out) >= 0 || compare_block(&w, out + w.at) >= 0)
            return false;
    }
    return true;
}

void reference_spoil_in(const kp_problem *problem, uint64_t seed, int rank,
                        const unsigned char *results, unsigned char *in)
{
    struct walk w = walk_of(problem, seed, rank, true);
    w.results = results;
    while (next_block(&w)) {
        fill_block(&w, in + w.at);
        for (size_t i = 0; i < w.length; i++)
            in[w.at + i] = (unsigned char)~in[w.at + i];
    }
}

void reference_fill_in_place(const kp_problem *problem, uint64_t seed, int rank, unsigned char *in)
{
    bool all = definitions[problem->operation].out_at_root == EACH;
    struct walk w = walk_of(problem, seed, rank, true);
    if (definitions[problem->operation].operands) {
        reference_fill_out(problem, seed, rank, in);
        return;
    }
    while (next_block(&w)) {
        size_t j = w.j - 1;
        if (all || j == (size_t)rank)
            fill(seed, (size_t)rank, all ? j : 0, in + w.at, w.length);
    }
}

int64_t reference_first_wrong(const kp_problem *problem, uint64_t seed, int rank,
                              const unsigned char *results, const unsigned char *in)
{
    struct walk w = walk_of(problem, seed, rank, true);
    w.results = results;
    while (next_block(&w)) {
        int64_t gap = changed_gap(&w, in);
        int64_t wrong = compare_block(&w, in + w.at);
        if (gap >= 0 || wrong >= 0)
            return gap >= 0 ? gap : (int64_t)w.at + wrong;
    }
    return -1;
}
