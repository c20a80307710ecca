/* Compares an MPI with the model of random datatypes. The file is plain MPI. */
#ifndef KPORT_TESTS_MPI_CHECK_TYPES_H
#define KPORT_TESTS_MPI_CHECK_TYPES_H

#include "random_types.h"

/* Both ranks of a pair do the same checks of the same types. */
struct checker {
    uint64_t seed;
    int rank; /* 0 or 1 */
    int failures;
    int skipped;             /* types that another MPI gives other bounds */
    unsigned long long type; /* the number of the type, which makes it again */
    const struct model *model;
};

static inline void check(struct checker *c, bool right, const char *what)
{
    if (right)
        return;
    c->failures++;
    if (c->failures < 10)
        printf("rank %d, type %llu, %s: %s\n", c->rank, c->type, c->model->words, what);
}

/* --- Size and bounds --- */

static inline void check_bounds(struct checker *c)
{
    const struct model *m = c->model;
    int size;
    MPI_Aint lower, extent;
    ptrdiff_t true_lower, true_upper;
    MPI_Type_size(m->type, &size);
    check(c, size == size_of(m), "the size");
    MPI_Type_get_extent(m->type, &lower, &extent);
    check(c, lower == m->lower && extent == extent_of(m), "the bounds");
    true_bounds(m, &true_lower, &true_upper);
    MPI_Type_get_true_extent(m->type, &lower, &extent);
    if (m->leaves > 0)
        check(c, lower == true_lower && extent == true_upper - true_lower, "the true bounds");
}

/* --- Packing --- */

static inline void check_pack(struct checker *c, MPI_Datatype type, const char *what)
{
    const struct model *m = c->model;
    const int count = between(&c->seed, 1, 3), bytes = count * size_of(m);
    struct memory memory = make_memory(m, count, &c->seed);
    unsigned char *expected = calloc(1, (size_t)bytes + 1), *packed = calloc(1, (size_t)bytes + 1);
    int position = 0;
    model_copy(m, count, memory.bytes + memory.origin, expected, true);
    MPI_Pack(memory.bytes + memory.origin, count, type, packed, bytes, &position, MPI_COMM_SELF);
    check(c, position == bytes && memcmp(packed, expected, (size_t)bytes) == 0, what);
    if (!overlaps(m, count, &memory)) {
        unsigned char *model = malloc(memory.size);
        for (int i = 0; i < bytes; i++)
            packed[i] = (unsigned char)next_random(&c->seed);
        memcpy(model, memory.bytes, memory.size);
        model_copy(m, count, model + memory.origin, packed, false);
        position = 0;
        MPI_Unpack(packed, bytes, &position, memory.bytes + memory.origin, count, type,
                   MPI_COMM_SELF);
        check(c, memcmp(model, memory.bytes, memory.size) == 0, "unpacked");
        free(model);
    }
    free(packed);
    free(expected);
    free(memory.bytes);
}

/* --- The same type again, from its contents --- */

static inline MPI_Datatype rebuild(MPI_Datatype type);

struct contents {
    int integers, addresses, types, combiner;
    int *integer;
    MPI_Aint *address;
    MPI_Datatype *type;
};

static inline MPI_Datatype build(const struct contents *c)
{
    const int *i = c->integer;
    const int n = c->integers > 0 ? i[0] : 0;
    MPI_Datatype made = MPI_DATATYPE_NULL;
    if (c->combiner == MPI_COMBINER_DUP)
        MPI_Type_dup(c->type[0], &made);
    else if (c->combiner == MPI_COMBINER_CONTIGUOUS)
        MPI_Type_contiguous(n, c->type[0], &made);
    else if (c->combiner == MPI_COMBINER_VECTOR)
        MPI_Type_vector(n, i[1], i[2], c->type[0], &made);
    else if (c->combiner == MPI_COMBINER_HVECTOR)
        MPI_Type_create_hvector(n, i[1], c->address[0], c->type[0], &made);
    else if (c->combiner == MPI_COMBINER_INDEXED)
        MPI_Type_indexed(n, i + 1, i + 1 + n, c->type[0], &made);
    else if (c->combiner == MPI_COMBINER_HINDEXED)
        MPI_Type_create_hindexed(n, i + 1, c->address, c->type[0], &made);
    else if (c->combiner == MPI_COMBINER_INDEXED_BLOCK)
        MPI_Type_create_indexed_block(n, i[1], i + 2, c->type[0], &made);
    else if (c->combiner == MPI_COMBINER_HINDEXED_BLOCK)
        MPI_Type_create_hindexed_block(n, i[1], c->address, c->type[0], &made);
    else if (c->combiner == MPI_COMBINER_STRUCT)
        MPI_Type_create_struct(n, i + 1, c->address, c->type, &made);
    else if (c->combiner == MPI_COMBINER_RESIZED)
        MPI_Type_create_resized(c->type[0], c->address[0], c->address[1], &made);
    else if (c->combiner == MPI_COMBINER_SUBARRAY)
        MPI_Type_create_subarray(n, i + 1, i + 1 + n, i + 1 + 2 * n, i[1 + 3 * n], c->type[0],
                                 &made);
    else if (c->combiner == MPI_COMBINER_DARRAY)
        MPI_Type_create_darray(i[0], i[1], i[2], i + 3, i + 3 + i[2], i + 3 + 2 * i[2],
                               i + 3 + 3 * i[2], i[3 + 4 * i[2]], c->type[0], &made);
    return made;
}

/* Returns a type like a derived type. */
static inline MPI_Datatype rebuild(MPI_Datatype type)
{
    struct contents c;
    MPI_Type_get_envelope(type, &c.integers, &c.addresses, &c.types, &c.combiner);
    c.integer = calloc((size_t)c.integers + 1, sizeof *c.integer);
    c.address = calloc((size_t)c.addresses + 1, sizeof *c.address);
    c.type = calloc((size_t)c.types + 1, sizeof *c.type);
    MPI_Type_get_contents(type, c.integers, c.addresses, c.types, c.integer, c.address, c.type);
    bool derived[MOST_LEAVES];
    for (int i = 0; i < c.types; i++) {
        int unused[3], combiner;
        MPI_Type_get_envelope(c.type[i], &unused[0], &unused[1], &unused[2], &combiner);
        derived[i] = combiner != MPI_COMBINER_NAMED;
        if (derived[i]) {
            MPI_Datatype again = rebuild(c.type[i]);
            MPI_Type_free(&c.type[i]);
            c.type[i] = again;
        }
    }
    MPI_Datatype made = build(&c);
    for (int i = 0; i < c.types; i++) {
        if (derived[i])
            MPI_Type_free(&c.type[i]);
    }
    free(c.type);
    free(c.address);
    free(c.integer);
    return made;
}

static inline void check_contents(struct checker *c)
{
    MPI_Datatype again = rebuild(c->model->type);
    MPI_Aint lower, extent;
    check(c, again != MPI_DATATYPE_NULL, "the type is made again from its contents");
    MPI_Type_commit(&again);
    MPI_Type_get_extent(again, &lower, &extent);
    check(c, lower == c->model->lower && extent == extent_of(c->model),
          "the bounds of the type made again");
    check_pack(c, again, "packed by the type made again");
    MPI_Type_free(&again);
}

/* --- Elements in so many bytes --- */

static inline void check_elements(struct checker *c)
{
    const struct model *m = c->model;
    const int size = size_of(m);
    MPI_Status status;
    int count, elements, bytes = 0;
    if (size == 0)
        return;
    memset(&status, 0, sizeof status);
    const int wanted = between(&c->seed, 0, 3 * m->leaves);
    for (int i = 0; i < wanted; i++)
        bytes += leaf_row(m->leaf[i % m->leaves].row).bytes;
    MPI_Status_set_elements(&status, MPI_BYTE, bytes);
    MPI_Get_elements(&status, m->type, &elements);
    check(c, elements == wanted, "elements in whole leaves");
    MPI_Get_count(&status, m->type, &count);
    check(c, count == (bytes % size ? MPI_UNDEFINED : bytes / size), "the count");
    if (leaf_row(m->leaf[wanted % m->leaves].row).bytes > 1) {
        MPI_Status_set_elements(&status, MPI_BYTE, bytes + 1);
        MPI_Get_elements(&status, m->type, &elements);
        check(c, elements == MPI_UNDEFINED, "elements that end within a leaf");
    }
}

/* --- external32 --- */

static inline bool is_little_endian(void)
{
    const unsigned short one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* Of leaves whose representation differs in the order of bytes alone. */
static inline void check_external(struct checker *c)
{
    const struct model *m = c->model;
    unsigned char packed[MOST_LEAVES * 16], *at = packed;
    MPI_Aint size, position = 0;
    for (int i = 0; i < m->leaves; i++) {
        if (leaf_row(m->leaf[i].row).type == MPI_LONG_DOUBLE)
            return;
    }
    MPI_Pack_external_size("external32", 1, m->type, &size);
    check(c, size == size_of(m), "the size in external32");
    struct memory memory = make_memory(m, 1, &c->seed);
    MPI_Pack_external("external32", memory.bytes + memory.origin, 1, m->type, packed, sizeof packed,
                      &position);
    check(c, position == size, "the position in external32");
    for (int i = 0; i < m->leaves; i++) {
        const struct leaf_row row = leaf_row(m->leaf[i].row);
        const bool two = row.type == MPI_C_DOUBLE_COMPLEX;
        const int bytes = two ? row.bytes / 2 : row.bytes;
        for (int j = 0; j < row.bytes; j++, at++) {
            const int k = is_little_endian() ? j / bytes * bytes + bytes - 1 - j % bytes : j;
            if (*at != memory.bytes[memory.origin + m->leaf[i].at + k]) {
                check(c, false, "packed in external32");
                i = m->leaves - 1;
                break;
            }
        }
    }
    if (!overlaps(m, 1, &memory)) {
        unsigned char *before = malloc(memory.size);
        memcpy(before, memory.bytes, memory.size);
        for (int i = 0; i < m->leaves; i++)
            memset(memory.bytes + memory.origin + m->leaf[i].at, 0, 1);
        position = 0;
        MPI_Unpack_external("external32", packed, size, &position, memory.bytes + memory.origin, 1,
                            m->type);
        check(c, memcmp(before, memory.bytes, memory.size) == 0, "unpacked from external32");
        free(before);
    }
    free(memory.bytes);
}

/* --- From rank to rank --- */

/* Moves data from rank 0 to rank 1. */
typedef void move(const struct checker *c, void *data, int count, MPI_Datatype type);

static inline void move_by_message(const struct checker *c, void *data, int count,
                                   MPI_Datatype type)
{
    if (c->rank == 0)
        MPI_Send(data, count, type, 1, 5, MPI_COMM_WORLD);
    else
        MPI_Recv(data, count, type, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static inline void move_by_broadcast(const struct checker *c, void *data, int count,
                                     MPI_Datatype type)
{
    (void)c;
    MPI_Bcast(data, count, type, 0, MPI_COMM_WORLD);
}

/* Rank 0 sends elements of one type, and rank 1 receives them as another type of the same leaves.
 */
static inline void check_move(struct checker *c, const struct model *from, const struct model *to,
                              move *moves, const char *what)
{
    const int count = between(&c->seed, 0, 3), bytes = count * size_of(from);
    struct memory out = make_memory(from, count, &c->seed), in = make_memory(to, count, &c->seed);
    unsigned char *packed = calloc(1, (size_t)bytes + 1), *model = malloc(in.size);
    const bool possible = !overlaps(to, count, &in);
    model_copy(from, count, out.bytes + out.origin, packed, true);
    memcpy(model, in.bytes, in.size);
    model_copy(to, count, model + in.origin, packed, false);
    if (possible && c->rank == 0) {
        moves(c, out.bytes + out.origin, count, from->type);
    } else if (possible) {
        moves(c, in.bytes + in.origin, count, to->type);
        check(c, memcmp(model, in.bytes, in.size) == 0, what);
    }
    free(model);
    free(packed);
    free(in.bytes);
    free(out.bytes);
}

static inline void check_moves(struct checker *c)
{
    const struct model *m = c->model;
    struct model *twin = twin_of(m, &c->seed);
    MPI_Type_commit(&twin->type);
    check_move(c, m, m, move_by_message, "sent and received");
    check_move(c, m, twin, move_by_message, "received as another type");
    check_move(c, twin, m, move_by_message, "sent as another type");
    check_move(c, m, m, move_by_broadcast, "broadcast");
    check_move(c, twin, m, move_by_broadcast, "broadcast, with other types");
    free_type(twin);
}

/* --- All of it --- */

/* Whether the MPI has bounds of its own for the type. Open MPI has some for types that contain
 * others without data, pads structs after each field, not at the end alone, and takes blocks that
 * touch each other backwards for blocks that do so forwards. */
static inline bool differs(const struct model *m)
{
#ifdef OPEN_MPI
    MPI_Aint lower, extent;
    ptrdiff_t true_lower, true_upper;
    MPI_Type_get_extent(m->type, &lower, &extent);
    if (lower != m->lower || extent != extent_of(m))
        return true;
    true_bounds(m, &true_lower, &true_upper);
    MPI_Type_get_true_extent(m->type, &lower, &extent);
    return m->leaves > 0 && (lower != true_lower || extent != true_upper - true_lower);
#else
    (void)m;
    return false;
#endif
}

/* Checks `count` types, the first of which has the number `first`. Returns the failures. */
static inline int check_types(unsigned long long first, int count)
{
    struct checker c = {.type = first};
    MPI_Comm_rank(MPI_COMM_WORLD, &c.rank);
    for (int i = 0; i < count; i++, c.type++) {
        c.seed = c.type * UINT64_C(0x9e3779b97f4a7c15);
        (void)next_random(&c.seed);
        struct model *m = random_type(&c.seed, between(&c.seed, 0, 3));
        c.model = m;
        MPI_Type_commit(&m->type);
        if (differs(m)) {
            c.skipped++;
            free_type(m);
            continue;
        }
        check_bounds(&c);
        check_pack(&c, m->type, "packed");
        check_contents(&c);
        check_elements(&c);
        check_external(&c);
        if (c.rank < 2)
            check_moves(&c);
        free_type(m);
    }
    if (c.skipped > count / 10) {
        printf("%d of %d types have other bounds\n", c.skipped, count);
        c.failures++;
    }
    return c.failures;
}

#endif
