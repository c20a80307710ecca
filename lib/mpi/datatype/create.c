/* The functions of MPI that make datatypes, except for those of arrays (array.c). */
#include "lib/mpi/attr.h"
#include "lib/mpi/datatype/data.h"

#include <stdlib.h>

/* --- What all of them do --- */

static int check_count(struct kp_mpi_rank *self, int class, const char *name, int count)
{
    return count >= 0
               ? MPI_SUCCESS
               : kp_mpi_fail(self, NULL, class, "%s is %d; it may be 0 or more", name, count);
}

static int check_pointer(struct kp_mpi_rank *self, const char *name, const void *pointer)
{
    return pointer ? MPI_SUCCESS : kp_mpi_fail(self, NULL, MPI_ERR_ARG, "%s is NULL", name);
}

/* Checks what all functions are given, and finds the old type. */
static int begin(struct kp_mpi_rank *self, int count, MPI_Datatype handle, struct kp_mpi_type **of,
                 MPI_Datatype *made)
{
    int class = check_count(self, MPI_ERR_COUNT, "count", count);
    if (!class)
        class = check_pointer(self, "newtype", made);
    return class ? class : kp_mpi_type_find(self, NULL, handle, of);
}

static int check_lengths(struct kp_mpi_rank *self, int count, const int *lengths)
{
    int class = count > 0 ? check_pointer(self, "array_of_blocklengths", lengths) : MPI_SUCCESS;
    for (int i = 0; i < count && !class; i++) {
        if (lengths[i] < 0)
            class =
                kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                            "array_of_blocklengths[%d] is %d; it may be 0 or more", i, lengths[i]);
    }
    return class;
}

/* A list of one integer, and one of an array that may be NULL if it is empty. */
#define ONE(value)                                                                                 \
    {                                                                                              \
        (const int[]){value}, 1                                                                    \
    }
#define MANY(array, count)                                                                         \
    {                                                                                              \
        (count) > 0 ? (array) : (const int[]){0}, (size_t)(count)                                  \
    }

/* --- Groups at equal distances --- */

int MPI_Type_contiguous(int count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_contiguous);
    struct kp_mpi_type *of, *made;
    int class = begin(self, count, oldtype, &of, newtype);
    if (!class)
        class = kp_mpi_type_of_blocks(self, 1, (size_t)count, 0, of, &made);
    if (class)
        return class;
    const struct kp_mpi_arguments arguments = {.combiner = MPI_COMBINER_CONTIGUOUS,
                                               .integers = {ONE(count)},
                                               .types = &of,
                                               .type_count = 1};
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}
KP_MPI_NAMES(Type_contiguous);

/* Makes a vector with a stride in bytes. */
static int make_vector(struct kp_mpi_rank *self, int count, int length, MPI_Aint stride,
                       struct kp_mpi_type *of, struct kp_mpi_type **made)
{
    const int class = check_count(self, MPI_ERR_ARG, "blocklength", length);
    return class ? class
                 : kp_mpi_type_of_blocks(self, (size_t)count, (size_t)length, stride, of, made);
}

int MPI_Type_vector(int count, int blocklength, int stride, MPI_Datatype oldtype,
                    MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_vector);
    struct kp_mpi_type *of, *made;
    MPI_Aint step;
    int class = begin(self, count, oldtype, &of, newtype);
    if (!class && __builtin_mul_overflow((MPI_Aint)stride, of->extent, &step))
        class = kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                            "stride is %d, times an extent of %td: more than what memory can hold",
                            stride, of->extent);
    if (!class)
        class = make_vector(self, count, blocklength, step, of, &made);
    if (class)
        return class;
    const struct kp_mpi_arguments arguments = {
        .combiner = MPI_COMBINER_VECTOR,
        .integers = {ONE(count), ONE(blocklength), ONE(stride)},
        .types = &of,
        .type_count = 1};
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}
KP_MPI_NAMES(Type_vector);

static int create_hvector(struct kp_mpi_rank *self, int count, int length, MPI_Aint stride,
                          MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct kp_mpi_type *of, *made;
    int class = begin(self, count, oldtype, &of, newtype);
    if (!class)
        class = make_vector(self, count, length, stride, of, &made);
    if (class)
        return class;
    const struct kp_mpi_arguments arguments = {.combiner = MPI_COMBINER_HVECTOR,
                                               .integers = {ONE(count), ONE(length)},
                                               .addresses = &stride,
                                               .address_count = 1,
                                               .types = &of,
                                               .type_count = 1};
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}

int MPI_Type_create_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                            MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_hvector);
    return create_hvector(self, count, blocklength, stride, oldtype, newtype);
}
KP_MPI_NAMES(Type_create_hvector);

int MPI_Type_hvector(int count, int blocklength, MPI_Aint stride, MPI_Datatype oldtype,
                     MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_hvector);
    return create_hvector(self, count, blocklength, stride, oldtype, newtype);
}
KP_MPI_NAMES(Type_hvector);

/* --- Groups with places of their own --- */

/* What a function of this section was given. */
struct indexed {
    int combiner, count;
    const int *lengths; /* NULL: all groups have `length` blocks */
    int length;
    const int *extents;    /* the places in extents of the type, or */
    const MPI_Aint *bytes; /* the places in bytes */
};

/* Allocates and fills the arrays of a map. */
static bool fill_map(const struct indexed *g, struct kp_mpi_type *of, struct kp_mpi_map *map)
{
    *map = (struct kp_mpi_map){.count = (size_t)g->count, .length = (size_t)g->length, .of = of};
    map->places = calloc(map->count + 1, sizeof *map->places);
    map->lengths = g->lengths ? calloc(map->count + 1, sizeof *map->lengths) : NULL;
    if (!map->places || (g->lengths && !map->lengths)) {
        free(map->places);
        free(map->lengths);
        return false;
    }
    for (int i = 0; i < g->count; i++) {
        if (g->lengths)
            map->lengths[i] = (size_t)g->lengths[i];
        if (g->bytes)
            map->places[i] = g->bytes[i];
        else if (__builtin_mul_overflow((ptrdiff_t)g->extents[i], of ? of->extent : 1,
                                        &map->places[i]))
            map->places[i] = PTRDIFF_MAX; /* which is refused as too far */
    }
    return true;
}

static int check_groups(struct kp_mpi_rank *self, const struct indexed *g)
{
    const void *places = g->bytes ? (const void *)g->bytes : g->extents;
    int class =
        g->combiner == MPI_COMBINER_INDEXED_BLOCK || g->combiner == MPI_COMBINER_HINDEXED_BLOCK
            ? check_count(self, MPI_ERR_ARG, "blocklength", g->length)
            : check_lengths(self, g->count, g->lengths);
    if (!class && g->count > 0)
        class = check_pointer(self, "array_of_displacements", places);
    return class;
}

static int create_indexed(struct kp_mpi_rank *self, const struct indexed *g, MPI_Datatype oldtype,
                          MPI_Datatype *newtype)
{
    struct kp_mpi_type *of, *made;
    struct kp_mpi_map map;
    int class = begin(self, g->count, oldtype, &of, newtype);
    if (!class)
        class = check_groups(self, g);
    if (!class)
        class = fill_map(g, of, &map) ? kp_mpi_type_of_map(self, &map, &made)
                                      : kp_mpi_type_no_memory(self);
    if (class)
        return class;
    struct kp_mpi_arguments arguments = {
        .combiner = g->combiner, .integers = {ONE(g->count)}, .types = &of, .type_count = 1};
    struct kp_mpi_integers *list = &arguments.integers[1];
    if (g->combiner == MPI_COMBINER_INDEXED || g->combiner == MPI_COMBINER_HINDEXED)
        *list++ = (struct kp_mpi_integers)MANY(g->lengths, g->count);
    else
        *list++ = (struct kp_mpi_integers){&g->length, 1};
    if (g->combiner == MPI_COMBINER_INDEXED || g->combiner == MPI_COMBINER_INDEXED_BLOCK)
        *list = (struct kp_mpi_integers)MANY(g->extents, g->count);
    arguments.addresses = g->bytes;
    arguments.address_count = g->bytes ? map.count : 0;
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}

int MPI_Type_indexed(int count, const int lengths[], const int displacements[],
                     MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_indexed);
    const struct indexed g = {MPI_COMBINER_INDEXED, count, .lengths = lengths,
                              .extents = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_NAMES(Type_indexed);

int MPI_Type_create_hindexed(int count, const int lengths[], const MPI_Aint displacements[],
                             MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_hindexed);
    const struct indexed g = {MPI_COMBINER_HINDEXED, count, .lengths = lengths,
                              .bytes = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_NAMES(Type_create_hindexed);

int MPI_Type_hindexed(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype oldtype,
                      MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_hindexed);
    const struct indexed g = {MPI_COMBINER_HINDEXED, count, .lengths = lengths,
                              .bytes = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_NAMES(Type_hindexed);

int MPI_Type_create_indexed_block(int count, int blocklength, const int displacements[],
                                  MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_indexed_block);
    const struct indexed g = {MPI_COMBINER_INDEXED_BLOCK, count, .length = blocklength,
                              .extents = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_NAMES(Type_create_indexed_block);

int MPI_Type_create_hindexed_block(int count, int blocklength, const MPI_Aint displacements[],
                                   MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_hindexed_block);
    const struct indexed g = {MPI_COMBINER_HINDEXED_BLOCK, count, .length = blocklength,
                              .bytes = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_NAMES(Type_create_hindexed_block);

/* --- Structs --- */

static int find_fields(struct kp_mpi_rank *self, int count, const MPI_Datatype *handles,
                       struct kp_mpi_type **fields)
{
    int class = count > 0 ? check_pointer(self, "array_of_types", handles) : MPI_SUCCESS;
    for (int i = 0; i < count && !class; i++) {
        fields[i] = kp_mpi_type_of(self, handles[i]);
        if (!fields[i])
            class = kp_mpi_fail(self, NULL, MPI_ERR_TYPE, "array_of_types[%d] is %s", i,
                                handles[i] == MPI_DATATYPE_NULL
                                    ? "MPI_DATATYPE_NULL"
                                    : "not valid: it was freed, or never made");
    }
    return class;
}

static int make_struct(struct kp_mpi_rank *self, const struct indexed *g,
                       struct kp_mpi_type **fields, MPI_Datatype *newtype)
{
    struct kp_mpi_map map;
    struct kp_mpi_type *made;
    if (!fill_map(g, NULL, &map)) {
        free(fields);
        return kp_mpi_type_no_memory(self);
    }
    map.fields = fields; /* kp_mpi_type_of_map frees it */
    const int class = kp_mpi_type_of_map(self, &map, &made);
    if (class)
        return class;
    const struct kp_mpi_arguments arguments = {
        .combiner = MPI_COMBINER_STRUCT,
        .integers = {ONE(g->count), MANY(g->lengths, g->count)},
        .addresses = g->bytes,
        .address_count = map.count,
        .types = fields,
        .type_count = map.count};
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}

static int create_struct(struct kp_mpi_rank *self, const struct indexed *g,
                         const MPI_Datatype *types, MPI_Datatype *newtype)
{
    int class = check_count(self, MPI_ERR_COUNT, "count", g->count);
    if (!class)
        class = check_pointer(self, "newtype", newtype);
    if (!class)
        class = check_groups(self, g);
    if (class)
        return class;
    struct kp_mpi_type **fields = calloc((size_t)g->count + 1, sizeof(struct kp_mpi_type *));
    if (!fields)
        return kp_mpi_type_no_memory(self);
    class = find_fields(self, g->count, types, fields);
    if (!class)
        return make_struct(self, g, fields, newtype);
    free(fields);
    return class;
}

int MPI_Type_create_struct(int count, const int lengths[], const MPI_Aint displacements[],
                           const MPI_Datatype types[], MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_struct);
    const struct indexed g = {MPI_COMBINER_STRUCT, count, .lengths = lengths,
                              .bytes = displacements};
    return create_struct(self, &g, types, newtype);
}
KP_MPI_NAMES(Type_create_struct);

int MPI_Type_struct(int count, int lengths[], MPI_Aint displacements[], MPI_Datatype types[],
                    MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_struct);
    const struct indexed g = {MPI_COMBINER_STRUCT, count, .lengths = lengths,
                              .bytes = displacements};
    return create_struct(self, &g, types, newtype);
}
KP_MPI_NAMES(Type_struct);

/* --- Other bounds, and the same type again --- */

int MPI_Type_create_resized(MPI_Datatype oldtype, MPI_Aint lb, MPI_Aint extent,
                            MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_create_resized);
    struct kp_mpi_type *of, *made;
    int class = begin(self, 0, oldtype, &of, newtype);
    if (!class)
        class = kp_mpi_type_of_blocks(self, 1, 1, 0, of, &made);
    if (class)
        return class;
    class = kp_mpi_type_set_bounds(self, made, lb, extent);
    if (class) {
        kp_mpi_type_release(made);
        return class;
    }
    const struct kp_mpi_arguments arguments = {.combiner = MPI_COMBINER_RESIZED,
                                               .addresses = (const MPI_Aint[]){lb, extent},
                                               .address_count = 2,
                                               .types = &of,
                                               .type_count = 1};
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}
KP_MPI_NAMES(Type_create_resized);

int MPI_Type_dup(MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_dup);
    struct kp_mpi_type *of, *made;
    int class = begin(self, 0, oldtype, &of, newtype);
    if (!class)
        class = kp_mpi_type_of_blocks(self, 1, 1, 0, of, &made);
    if (class)
        return class;
    made->contents->bounds = of->contents->bounds;
    made->committed = of->committed;
    class = of->committed ? kp_mpi_type_lay_out(self, made) : MPI_SUCCESS;
    if (class) {
        kp_mpi_type_release(made);
        return class;
    }
    const struct kp_mpi_owner from = {
        .handle = oldtype, .of_type = true, .attributes = &of->attributes};
    class = kp_mpi_attributes_copy(self, &from, &made->attributes);
    if (class) {
        kp_mpi_type_release(made);
        return class;
    }
    const struct kp_mpi_arguments arguments = {
        .combiner = MPI_COMBINER_DUP, .types = &of, .type_count = 1};
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}
KP_MPI_NAMES(Type_dup);
