/* The functions of MPI that make datatypes, except for those of arrays (array.c). */
#include "lib/mpi/attr.h"
#include "lib/mpi/datatype/data.h"
#include "lib/mpi/sized.h"

#include <stdlib.h>

/* --- What all of them do --- */

static int check_count(struct kp_mpi_rank *self, int class, const char *name, MPI_Count count)
{
    return count >= 0
               ? MPI_SUCCESS
               : kp_mpi_fail(self, NULL, class, "%s is %lld; it may be 0 or more", name, count);
}

static int check_pointer(struct kp_mpi_rank *self, const char *name, const void *pointer)
{
    return pointer ? MPI_SUCCESS : kp_mpi_fail(self, NULL, MPI_ERR_ARG, "%s is NULL", name);
}

/* Checks what all functions are given, and finds the old type. */
static int begin(struct kp_mpi_rank *self, MPI_Count count, MPI_Datatype handle,
                 struct kp_mpi_type **of, MPI_Datatype *made)
{
    int class = check_count(self, MPI_ERR_COUNT, "count", count);
    if (!class)
        class = check_pointer(self, "newtype", made);
    return class ? class : kp_mpi_type_find(self, NULL, handle, of);
}

static int check_lengths(struct kp_mpi_rank *self, kp_mpi_count count, const kp_mpi_count *lengths)
{
    int class = count > 0 ? check_pointer(self, "array_of_blocklengths", lengths) : MPI_SUCCESS;
    for (kp_mpi_count i = 0; i < count && !class; i++) {
        if (lengths[i] < 0)
            class = kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                                "array_of_blocklengths[%lld] is %lld; it may be 0 or more",
                                (MPI_Count)i, (MPI_Count)lengths[i]);
    }
    return class;
}

/* A list of one count, and one of an array that may be NULL if it is empty. */
#define IS_LARGE (sizeof(kp_mpi_count) > sizeof(int))
#define ONE(value)                                                                                 \
    {                                                                                              \
        (const kp_mpi_count[]){value}, 1, IS_LARGE                                                 \
    }
#define MANY(array, count)                                                                         \
    {                                                                                              \
        (count) > 0 ? (array) : (const kp_mpi_count[]){0}, (size_t)(count), IS_LARGE               \
    }

/* Adds positions in bytes to the arguments: as addresses, or as large counts. */
static void add_positions(struct kp_mpi_arguments *arguments, struct kp_mpi_integers *list,
                          const kp_mpi_position *positions, size_t count)
{
#ifdef KP_MPI_LARGE
    (void)arguments;
    *list = (struct kp_mpi_integers)MANY(positions, count);
#else
    (void)list;
    arguments->addresses = positions;
    arguments->address_count = count;
#endif
}

/* --- Groups at equal distances --- */

int KP_MPI_SIZED(Type_contiguous)(kp_mpi_count count, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_contiguous);
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
KP_MPI_SIZED_NAMES(Type_contiguous);

/* Makes a vector with a stride in bytes. */
static int make_vector(struct kp_mpi_rank *self, kp_mpi_count count, kp_mpi_count length,
                       MPI_Aint stride, struct kp_mpi_type *of, struct kp_mpi_type **made)
{
    const int class = check_count(self, MPI_ERR_ARG, "blocklength", length);
    return class ? class
                 : kp_mpi_type_of_blocks(self, (size_t)count, (size_t)length, stride, of, made);
}

int KP_MPI_SIZED(Type_vector)(kp_mpi_count count, kp_mpi_count blocklength, kp_mpi_count stride,
                              MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_vector);
    struct kp_mpi_type *of, *made;
    MPI_Aint step;
    int class = begin(self, count, oldtype, &of, newtype);
    if (!class && __builtin_mul_overflow((MPI_Aint)stride, of->extent, &step))
        class =
            kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                        "stride is %lld, times an extent of %td: more than what memory can hold",
                        (MPI_Count)stride, of->extent);
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
KP_MPI_SIZED_NAMES(Type_vector);

static int create_hvector(struct kp_mpi_rank *self, kp_mpi_count count, kp_mpi_count length,
                          kp_mpi_position stride, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    struct kp_mpi_type *of, *made;
    int class = begin(self, count, oldtype, &of, newtype);
    if (!class)
        class = make_vector(self, count, length, (MPI_Aint)stride, of, &made);
    if (class)
        return class;
    struct kp_mpi_arguments arguments = {.combiner = MPI_COMBINER_HVECTOR,
                                         .integers = {ONE(count), ONE(length)},
                                         .types = &of,
                                         .type_count = 1};
    add_positions(&arguments, &arguments.integers[2], &stride, 1);
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}

int KP_MPI_SIZED(Type_create_hvector)(kp_mpi_count count, kp_mpi_count blocklength,
                                      kp_mpi_position stride, MPI_Datatype oldtype,
                                      MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_create_hvector);
    return create_hvector(self, count, blocklength, stride, oldtype, newtype);
}
KP_MPI_SIZED_NAMES(Type_create_hvector);

#ifndef KP_MPI_LARGE
int MPI_Type_hvector(kp_mpi_count count, kp_mpi_count blocklength, kp_mpi_position stride,
                     MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_hvector);
    return create_hvector(self, count, blocklength, stride, oldtype, newtype);
}
KP_MPI_NAMES(Type_hvector);
#endif

/* --- Groups with places of their own --- */

/* What a function of this section was given. */
struct indexed {
    int combiner;
    kp_mpi_count count;
    const kp_mpi_count *lengths; /* NULL: all groups have `length` blocks */
    kp_mpi_count length;
    const kp_mpi_count *extents;  /* the places in extents of the type, or */
    const kp_mpi_position *bytes; /* the places in bytes */
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
    for (kp_mpi_count i = 0; i < g->count; i++) {
        if (g->lengths)
            map->lengths[i] = (size_t)g->lengths[i];
        if (g->bytes)
            map->places[i] = (ptrdiff_t)g->bytes[i];
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
        *list++ = (struct kp_mpi_integers){&g->length, 1, IS_LARGE};
    if (g->combiner == MPI_COMBINER_INDEXED || g->combiner == MPI_COMBINER_INDEXED_BLOCK)
        *list = (struct kp_mpi_integers)MANY(g->extents, g->count);
    else
        add_positions(&arguments, list, g->bytes, map.count);
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}

int KP_MPI_SIZED(Type_indexed)(kp_mpi_count count, const kp_mpi_count lengths[],
                               const kp_mpi_count displacements[], MPI_Datatype oldtype,
                               MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_indexed);
    const struct indexed g = {MPI_COMBINER_INDEXED, count, .lengths = lengths,
                              .extents = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_SIZED_NAMES(Type_indexed);

int KP_MPI_SIZED(Type_create_hindexed)(kp_mpi_count count, const kp_mpi_count lengths[],
                                       const kp_mpi_position displacements[], MPI_Datatype oldtype,
                                       MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_create_hindexed);
    const struct indexed g = {MPI_COMBINER_HINDEXED, count, .lengths = lengths,
                              .bytes = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_SIZED_NAMES(Type_create_hindexed);

#ifndef KP_MPI_LARGE
int MPI_Type_hindexed(kp_mpi_count count, int lengths[], kp_mpi_position displacements[],
                      MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_hindexed);
    const struct indexed g = {MPI_COMBINER_HINDEXED, count, .lengths = lengths,
                              .bytes = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_NAMES(Type_hindexed);
#endif

int KP_MPI_SIZED(Type_create_indexed_block)(kp_mpi_count count, kp_mpi_count blocklength,
                                            const kp_mpi_count displacements[],
                                            MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_create_indexed_block);
    const struct indexed g = {MPI_COMBINER_INDEXED_BLOCK, count, .length = blocklength,
                              .extents = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_SIZED_NAMES(Type_create_indexed_block);

int KP_MPI_SIZED(Type_create_hindexed_block)(kp_mpi_count count, kp_mpi_count blocklength,
                                             const kp_mpi_position displacements[],
                                             MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_create_hindexed_block);
    const struct indexed g = {MPI_COMBINER_HINDEXED_BLOCK, count, .length = blocklength,
                              .bytes = displacements};
    return create_indexed(self, &g, oldtype, newtype);
}
KP_MPI_SIZED_NAMES(Type_create_hindexed_block);

/* --- Structs --- */

static int find_fields(struct kp_mpi_rank *self, kp_mpi_count count, const MPI_Datatype *handles,
                       struct kp_mpi_type **fields)
{
    int class = count > 0 ? check_pointer(self, "array_of_types", handles) : MPI_SUCCESS;
    for (kp_mpi_count i = 0; i < count && !class; i++) {
        fields[i] = kp_mpi_type_of(self, handles[i]);
        if (!fields[i])
            class = kp_mpi_fail(
                self, NULL, MPI_ERR_TYPE, "array_of_types[%lld] is %s", (MPI_Count)i,
                handles[i] == MPI_DATATYPE_NULL ? "MPI_DATATYPE_NULL"
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
    struct kp_mpi_arguments arguments = {.combiner = MPI_COMBINER_STRUCT,
                                         .integers = {ONE(g->count), MANY(g->lengths, g->count)},
                                         .types = fields,
                                         .type_count = map.count};
    add_positions(&arguments, &arguments.integers[2], g->bytes, map.count);
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

int KP_MPI_SIZED(Type_create_struct)(kp_mpi_count count, const kp_mpi_count lengths[],
                                     const kp_mpi_position displacements[],
                                     const MPI_Datatype types[], MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_create_struct);
    const struct indexed g = {MPI_COMBINER_STRUCT, count, .lengths = lengths,
                              .bytes = displacements};
    return create_struct(self, &g, types, newtype);
}
KP_MPI_SIZED_NAMES(Type_create_struct);

#ifndef KP_MPI_LARGE
int MPI_Type_struct(kp_mpi_count count, int lengths[], kp_mpi_position displacements[],
                    MPI_Datatype types[], MPI_Datatype *newtype)
{
    KP_MPI_ENTER(Type_struct);
    const struct indexed g = {MPI_COMBINER_STRUCT, count, .lengths = lengths,
                              .bytes = displacements};
    return create_struct(self, &g, types, newtype);
}
KP_MPI_NAMES(Type_struct);
#endif

/* --- Other bounds, and the same type again --- */

int KP_MPI_SIZED(Type_create_resized)(MPI_Datatype oldtype, kp_mpi_position lb,
                                      kp_mpi_position extent, MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_create_resized);
    struct kp_mpi_type *of, *made;
    int class = begin(self, 0, oldtype, &of, newtype);
    if (!class)
        class = kp_mpi_type_of_blocks(self, 1, 1, 0, of, &made);
    if (class)
        return class;
    class = kp_mpi_type_set_bounds(self, made, (ptrdiff_t)lb, (ptrdiff_t)extent);
    if (class) {
        kp_mpi_type_release(made);
        return class;
    }
    struct kp_mpi_arguments arguments = {
        .combiner = MPI_COMBINER_RESIZED, .types = &of, .type_count = 1};
    add_positions(&arguments, &arguments.integers[0], (const kp_mpi_position[]){lb, extent}, 2);
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}
KP_MPI_SIZED_NAMES(Type_create_resized);

#ifndef KP_MPI_LARGE
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
#endif
