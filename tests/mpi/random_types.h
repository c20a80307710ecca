/* Random derived datatypes, beside a plain model of each: the list of its leaves and its bounds, by
 * the rules of the standard, block by block. The file is plain MPI, so that it says of another MPI
 * what it says of kport. */
#ifndef KPORT_TESTS_MPI_RANDOM_TYPES_H
#define KPORT_TESTS_MPI_RANDOM_TYPES_H

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEAVES 600
#define MOST_REACH  20000 /* offsets are at most this far from the origin */

/* --- Numbers --- */

static inline unsigned next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(*seed >> 33);
}

static inline int between(uint64_t *seed, int least, int most)
{
    return least + (int)(next_random(seed) % (unsigned)(most - least + 1));
}

/* --- Leaves --- */

struct leaf_row {
    MPI_Datatype type;
    int bytes, alignment;
};

static inline struct leaf_row leaf_row(int i)
{
    const struct leaf_row rows[] = {
        {MPI_CHAR, sizeof(char), _Alignof(char)},
        {MPI_SHORT, sizeof(short), _Alignof(short)},
        {MPI_INT, sizeof(int), _Alignof(int)},
        {MPI_DOUBLE, sizeof(double), _Alignof(double)},
        {MPI_FLOAT, sizeof(float), _Alignof(float)},
        {MPI_BYTE, 1, 1},
        {MPI_LONG_LONG, sizeof(long long), _Alignof(long long)},
        {MPI_C_DOUBLE_COMPLEX, 2 * sizeof(double), _Alignof(double)},
        {MPI_LONG_DOUBLE, sizeof(long double), _Alignof(long double)},
        {MPI_UNSIGNED_SHORT, sizeof(short), _Alignof(short)},
    };
    return rows[i];
}
#define LEAF_ROWS 10

/* --- Models --- */

struct model {
    MPI_Datatype type;
    int leaves;
    struct {
        int row;
        ptrdiff_t at;
    } leaf[MOST_LEAVES];
    ptrdiff_t lower, upper;
    bool lower_set, upper_set, any_lower, any_upper;
    int alignment;
    char words[300]; /* how it was made */
};

static inline void bound(ptrdiff_t *bound, bool *set, bool *any, ptrdiff_t value, bool value_set,
                         bool low)
{
    if (*any && *set && !value_set)
        return;
    if (!*any || (value_set && !*set) || (low ? value < *bound : value > *bound))
        *bound = value;
    *set = value_set;
    *any = true;
}

/* Adds a block of `of` at an offset. */
static inline void place(struct model *m, const struct model *of, ptrdiff_t at)
{
    if (of->any_lower)
        bound(&m->lower, &m->lower_set, &m->any_lower, at + of->lower, of->lower_set, true);
    if (of->any_upper)
        bound(&m->upper, &m->upper_set, &m->any_upper, at + of->upper, of->upper_set, false);
    if (of->alignment > m->alignment)
        m->alignment = of->alignment;
    for (int i = 0; i < of->leaves; i++) {
        if (m->leaves == MOST_LEAVES)
            abort();
        m->leaf[m->leaves].row = of->leaf[i].row;
        m->leaf[m->leaves++].at = at + of->leaf[i].at;
    }
}

static inline ptrdiff_t extent_of(const struct model *m)
{
    return m->upper - m->lower;
}

static inline void place_many(struct model *m, const struct model *of, int count, ptrdiff_t at)
{
    for (int i = 0; i < count; i++)
        place(m, of, at + i * extent_of(of));
}

/* Without a mark, the extent is a multiple of the alignment. */
static inline void end_model(struct model *m)
{
    if (m->alignment > 0 && !m->upper_set) {
        while (extent_of(m) % m->alignment != 0)
            m->upper++;
    }
}

static inline int size_of(const struct model *m)
{
    int size = 0;
    for (int i = 0; i < m->leaves; i++)
        size += leaf_row(m->leaf[i].row).bytes;
    return size;
}

static inline void true_bounds(const struct model *m, ptrdiff_t *lower, ptrdiff_t *upper)
{
    *lower = *upper = 0;
    for (int i = 0; i < m->leaves; i++) {
        const ptrdiff_t begin = m->leaf[i].at, end = begin + leaf_row(m->leaf[i].row).bytes;
        *lower = i == 0 || begin < *lower ? begin : *lower;
        *upper = i == 0 || end > *upper ? end : *upper;
    }
}

/* --- One more level --- */

struct choice {
    uint64_t *seed;
    struct model *of, *of2; /* the types to make another one of */
    struct model *made;
};

static inline void say_made(struct model *m, const char *word, const struct model *of)
{
    snprintf(m->words, sizeof m->words, "%s(%.250s)", word, of->words);
}

static inline void make_basic(struct choice *c)
{
    struct model *m = c->made;
    const int row = between(c->seed, 0, LEAF_ROWS - 1);
    const struct leaf_row leaf = leaf_row(row);
    memset(m, 0, sizeof *m);
    m->leaves = 1;
    m->leaf[0].row = row;
    m->upper = leaf.bytes;
    m->any_lower = m->any_upper = true;
    m->alignment = leaf.alignment;
    snprintf(m->words, sizeof m->words, "%d bytes", leaf.bytes);
    MPI_Type_dup(leaf.type, &m->type);
}

static inline void make_contiguous(struct choice *c)
{
    const int count = between(c->seed, 0, 4);
    place_many(c->made, c->of, count, 0);
    MPI_Type_contiguous(count, c->of->type, &c->made->type);
    say_made(c->made, "contiguous", c->of);
}

static inline void make_vector(struct choice *c)
{
    const int count = between(c->seed, 0, 4), length = between(c->seed, 0, 3);
    const bool bytes = between(c->seed, 0, 1);
    const int stride = bytes ? between(c->seed, -40, 60) : between(c->seed, -5, 6);
    for (int i = 0; i < count; i++)
        place_many(c->made, c->of, length, i * (bytes ? stride : stride * extent_of(c->of)));
    if (bytes)
        MPI_Type_create_hvector(count, length, stride, c->of->type, &c->made->type);
    else
        MPI_Type_vector(count, length, stride, c->of->type, &c->made->type);
    say_made(c->made, bytes ? "hvector" : "vector", c->of);
}

static inline void make_indexed(struct choice *c)
{
    const int count = between(c->seed, 0, 4), kind = between(c->seed, 0, 3);
    const bool bytes = kind & 1, equal = kind & 2;
    int lengths[4], places[4];
    MPI_Aint far[4];
    for (int i = 0; i < count; i++) {
        lengths[i] = equal && i > 0 ? lengths[0] : between(c->seed, 0, 3);
        places[i] = between(c->seed, -6, 9);
        far[i] = between(c->seed, -90, 120);
        place_many(c->made, c->of, lengths[i], bytes ? far[i] : places[i] * extent_of(c->of));
    }
    const int length = count > 0 ? lengths[0] : 1;
    if (kind == 0)
        MPI_Type_indexed(count, lengths, places, c->of->type, &c->made->type);
    else if (kind == 1)
        MPI_Type_create_hindexed(count, lengths, far, c->of->type, &c->made->type);
    else if (kind == 2)
        MPI_Type_create_indexed_block(count, length, places, c->of->type, &c->made->type);
    else
        MPI_Type_create_hindexed_block(count, length, far, c->of->type, &c->made->type);
    say_made(c->made, "indexed", c->of);
}

static inline void make_struct(struct choice *c)
{
    const int count = between(c->seed, 0, 4);
    int lengths[4];
    MPI_Aint far[4];
    MPI_Datatype types[4];
    for (int i = 0; i < count; i++) {
        const struct model *of = between(c->seed, 0, 1) ? c->of : c->of2;
        lengths[i] = between(c->seed, 0, 2);
        far[i] = between(c->seed, -90, 200);
        types[i] = of->type;
        place_many(c->made, of, lengths[i], far[i]);
    }
    MPI_Type_create_struct(count, lengths, far, types, &c->made->type);
    snprintf(c->made->words, sizeof c->made->words, "struct(%.140s, %.140s)", c->of->words,
             c->of2->words);
}

static inline void mark_bounds(struct model *m, ptrdiff_t lower, ptrdiff_t extent)
{
    m->lower = lower;
    m->upper = lower + extent;
    m->lower_set = m->upper_set = m->any_lower = m->any_upper = true;
}

static inline void make_resized(struct choice *c)
{
    const int lower = between(c->seed, -30, 30), extent = between(c->seed, 0, 90);
    place(c->made, c->of, 0);
    mark_bounds(c->made, lower, extent);
    MPI_Type_create_resized(c->of->type, lower, extent, &c->made->type);
    say_made(c->made, "resized", c->of);
}

static inline void make_dup(struct choice *c)
{
    *c->made = *c->of;
    MPI_Type_dup(c->of->type, &c->made->type);
    say_made(c->made, "dup", c->of);
}

/* Adds the elements of an array of two dimensions that `takes` says of each dimension. */
static inline void place_array(struct choice *c, const int *sizes, bool (*takes)[6], int order)
{
    const int slow = order == MPI_ORDER_C ? 0 : 1, fast = 1 - slow;
    for (int i = 0; i < sizes[slow]; i++) {
        for (int j = 0; j < sizes[fast]; j++) {
            if (takes[slow][i] && takes[fast][j])
                place(c->made, c->of, (i * sizes[fast] + j) * extent_of(c->of));
        }
    }
    mark_bounds(c->made, 0, sizes[0] * sizes[1] * extent_of(c->of));
}

static inline void make_subarray(struct choice *c)
{
    const int order = between(c->seed, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    int sizes[2], parts[2], starts[2];
    bool takes[2][6] = {{false}};
    for (int d = 0; d < 2; d++) {
        sizes[d] = between(c->seed, 1, 4);
        parts[d] = between(c->seed, 1, sizes[d]);
        starts[d] = between(c->seed, 0, sizes[d] - parts[d]);
        for (int i = 0; i < parts[d]; i++)
            takes[d][starts[d] + i] = true;
    }
    place_array(c, sizes, takes, order);
    MPI_Type_create_subarray(2, sizes, parts, starts, order, c->of->type, &c->made->type);
    say_made(c->made, "subarray", c->of);
}

static inline void make_darray(struct choice *c)
{
#ifdef OPEN_MPI /* refuses types without data */
    if (c->of->leaves == 0) {
        make_dup(c);
        return;
    }
#endif
    const int order = between(c->seed, 0, 1) ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    int sizes[2], kinds[2], arguments[2], processes[2];
    bool takes[2][6] = {{false}};
    for (int d = 0; d < 2; d++) {
        sizes[d] = between(c->seed, 1, 6);
        kinds[d] = between(c->seed, 0, 2);
        processes[d] = kinds[d] == 2 ? 1 : between(c->seed, 1, 3);
    }
    const int rank = between(c->seed, 0, processes[0] * processes[1] - 1);
    for (int d = 0; d < 2; d++) {
        const int mine = d == 0 ? rank / processes[1] : rank % processes[1];
        const int least = kinds[d] == 0 ? (sizes[d] + processes[d] - 1) / processes[d] : 1;
        const int length = between(c->seed, least, least + 1);
        const bool by_default = between(c->seed, 0, 2) == 0;
        const int block = by_default ? least : length;
        arguments[d] = by_default || kinds[d] == 2 ? MPI_DISTRIBUTE_DFLT_DARG : length;
        for (int i = 0; i < sizes[d]; i++)
            takes[d][i] = kinds[d] == 2 || i / block % processes[d] == mine;
        kinds[d] = kinds[d] == 0   ? MPI_DISTRIBUTE_BLOCK
                   : kinds[d] == 1 ? MPI_DISTRIBUTE_CYCLIC
                                   : MPI_DISTRIBUTE_NONE;
    }
    place_array(c, sizes, takes, order);
    MPI_Type_create_darray(processes[0] * processes[1], rank, 2, sizes, kinds, arguments, processes,
                           order, c->of->type, &c->made->type);
    say_made(c->made, "darray", c->of);
}

/* --- A random type --- */

/* Makes a random type with up to `depth` levels above the leaves. It is not committed. */
static inline struct model *random_type(uint64_t *seed, int depth)
{
    static void (*const makers[])(struct choice *) = {
        make_contiguous, make_vector, make_indexed, make_struct,   make_resized,
        make_dup,        make_vector, make_indexed, make_subarray, make_darray};
    struct model *m = calloc(1, sizeof *m);
    struct choice c = {.seed = seed, .made = m};
    if (depth == 0) {
        make_basic(&c);
        return m;
    }
    c.of = random_type(seed, between(seed, 0, depth - 1));
    c.of2 = random_type(seed, between(seed, 0, depth - 1));
    const int maker = between(seed, 0, (int)(sizeof makers / sizeof makers[0]) - 1);
    const int most = c.of->leaves > c.of2->leaves ? c.of->leaves : c.of2->leaves;
    const ptrdiff_t reach = extent_of(c.of) > extent_of(c.of2) ? extent_of(c.of) : extent_of(c.of2);
    if (most * 36 > MOST_LEAVES || reach * 60 > MOST_REACH)
        make_dup(&c);
    else
        makers[maker](&c);
    end_model(m);
    MPI_Type_free(&c.of->type);
    MPI_Type_free(&c.of2->type);
    free(c.of);
    free(c.of2);
    return m;
}

static inline void free_type(struct model *m)
{
    MPI_Type_free(&m->type);
    free(m);
}

/* --- Memory --- */

/* Memory for `count` elements of a type, filled with random bytes. */
struct memory {
    unsigned char *bytes;
    size_t size;
    ptrdiff_t origin; /* of the first element, from the beginning of the memory */
};

static inline struct memory make_memory(const struct model *m, int count, uint64_t *seed)
{
    ptrdiff_t lower, upper;
    true_bounds(m, &lower, &upper);
    ptrdiff_t least = lower, most = upper;
    for (int i = 0; i < count; i++) {
        const ptrdiff_t at = i * extent_of(m);
        least = at + lower < least ? at + lower : least;
        most = at + upper > most ? at + upper : most;
    }
    struct memory memory = {.size = (size_t)(most - least) + 64, .origin = 32 - least};
    memory.bytes = malloc(memory.size);
    for (size_t i = 0; i < memory.size; i++)
        memory.bytes[i] = (unsigned char)next_random(seed);
    return memory;
}

/* Copies the data of `count` elements to `packed`, or back. */
static inline void model_copy(const struct model *m, int count, unsigned char *origin,
                              unsigned char *packed, bool packs)
{
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < m->leaves; j++) {
            const size_t bytes = (size_t)leaf_row(m->leaf[j].row).bytes;
            unsigned char *at = origin + i * extent_of(m) + m->leaf[j].at;
            memcpy(packs ? packed : at, packs ? at : packed, bytes);
            packed += bytes;
        }
    }
}

/* Returns whether data of `count` elements overlap, so that they cannot be received. */
static inline bool overlaps(const struct model *m, int count, const struct memory *memory)
{
    bool found = false;
    unsigned char *taken = calloc(1, memory->size);
    for (int i = 0; i < count && !found; i++) {
        for (int j = 0; j < m->leaves && !found; j++) {
            unsigned char *at = taken + memory->origin + i * extent_of(m) + m->leaf[j].at;
            for (int k = 0; k < leaf_row(m->leaf[j].row).bytes; k++)
                found = found || at[k]++;
        }
    }
    free(taken);
    return found;
}

/* Makes a type of the same leaves in the same order, with gaps of its own: what is sent as the one
 * may be received as the other. */
static inline struct model *twin_of(const struct model *m, uint64_t *seed)
{
    struct model *twin = calloc(1, sizeof *twin);
    int lengths[MOST_LEAVES];
    MPI_Aint places[MOST_LEAVES];
    MPI_Datatype types[MOST_LEAVES];
    ptrdiff_t at = 0;
    for (int i = 0; i < m->leaves; i++) {
        const struct leaf_row row = leaf_row(m->leaf[i].row);
        lengths[i] = 1;
        places[i] = at += between(seed, 0, 9);
        types[i] = row.type;
        twin->leaf[i].row = m->leaf[i].row;
        twin->leaf[i].at = at;
        at += row.bytes;
    }
    twin->leaves = m->leaves;
    MPI_Datatype all;
    MPI_Type_create_struct(m->leaves, lengths, places, types, &all);
    MPI_Type_create_resized(all, 0, at + 3, &twin->type);
    MPI_Type_free(&all);
    mark_bounds(twin, 0, at + 3);
    snprintf(twin->words, sizeof twin->words, "twin");
    return twin;
}

#endif
