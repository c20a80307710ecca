/* Datatypes of parts of arrays: MPI_Type_create_subarray and MPI_Type_create_darray. */
#include "lib/mpi/datatype/data.h"
#include "lib/mpi/sized.h"

#include <stdlib.h>

static int refuse(struct kp_mpi_rank *self, const char *name, int i, MPI_Count value,
                  MPI_Count least, MPI_Count most)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "%s[%d] is %lld; it may be %lld ... %lld", name, i,
                       value, least, most);
}

static int refuse_null(struct kp_mpi_rank *self)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "an array of arguments, or newtype, is NULL");
}

static int check_shape(struct kp_mpi_rank *self, int dimensions, int order)
{
    if (dimensions < 1)
        return kp_mpi_fail(self, NULL, MPI_ERR_DIMS, "ndims is %d; it may be 1 or more",
                           dimensions);
    if (order != MPI_ORDER_C && order != MPI_ORDER_FORTRAN)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                           "order is %d; it may be MPI_ORDER_C or MPI_ORDER_FORTRAN", order);
    return MPI_SUCCESS;
}

#define IS_LARGE (sizeof(kp_mpi_count) > sizeof(int))

/* --- Dimension by dimension --- */

/* Which positions of a dimension are taken: `length` of them, again and again, `step` apart. */
struct part {
    size_t size; /* of the dimension */
    size_t first, count;
    size_t length, step;
};

static bool fill_map(const struct part *part, struct kp_mpi_type *of, struct kp_mpi_map *map)
{
    const size_t groups = part->count == 0 ? 0 : (part->count - 1) / part->length + 1;
    *map = (struct kp_mpi_map){.count = groups, .of = of};
    map->places = calloc(groups + 1, sizeof *map->places);
    map->lengths = calloc(groups + 1, sizeof *map->lengths);
    if (!map->places || !map->lengths) {
        free(map->places);
        free(map->lengths);
        return false;
    }
    for (size_t i = 0; i < groups; i++) {
        const size_t left = part->count - i * part->length;
        map->lengths[i] = left < part->length ? left : part->length;
        if (__builtin_mul_overflow((ptrdiff_t)(part->first + i * part->step), of->extent,
                                   &map->places[i]))
            map->places[i] = PTRDIFF_MAX; /* which is refused as too far */
    }
    return true;
}

/* Replaces `*type`, a row of the faster dimensions, by the part of a dimension of such rows. */
static int add_dimension(struct kp_mpi_rank *self, const struct part *part,
                         struct kp_mpi_type **type)
{
    struct kp_mpi_type *row = *type;
    struct kp_mpi_map map;
    ptrdiff_t extent;
    *type = NULL;
    int class = fill_map(part, row, &map) ? kp_mpi_type_of_map(self, &map, type)
                                          : kp_mpi_type_no_memory(self);
    if (!class) {
        if (__builtin_mul_overflow((ptrdiff_t)part->size, row->extent, &extent))
            extent = PTRDIFF_MAX;
        class = kp_mpi_type_set_bounds(self, *type, 0, extent);
    }
    kp_mpi_type_release(row);
    if (class && *type)
        kp_mpi_type_release(*type);
    return class;
}

/* Makes the type of all dimensions. The parts are in the order of the arguments. */
static int make_array(struct kp_mpi_rank *self, const struct part *parts, int dimensions, int order,
                      struct kp_mpi_type *of, struct kp_mpi_type **made)
{
    int class = MPI_SUCCESS;
    kp_mpi_type_hold(of);
    *made = of;
    for (int i = 0; i < dimensions && !class; i++)
        class = add_dimension(self, &parts[order == MPI_ORDER_C ? dimensions - 1 - i : i], made);
    return class;
}

static struct part *make_parts(int dimensions)
{
    return calloc((size_t)dimensions, sizeof(struct part));
}

/* --- Subarrays --- */

static int subarray_parts(struct kp_mpi_rank *self, int dimensions, const kp_mpi_count *sizes,
                          const kp_mpi_count *subsizes, const kp_mpi_count *starts,
                          struct part *parts)
{
    for (int i = 0; i < dimensions; i++) {
        if (sizes[i] < 1)
            return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                               "array_of_sizes[%d] is %lld; it may be 1 or more", i,
                               (MPI_Count)sizes[i]);
        if (subsizes[i] < 1 || subsizes[i] > sizes[i])
            return refuse(self, "array_of_subsizes", i, subsizes[i], 1, sizes[i]);
        if (starts[i] < 0 || starts[i] > sizes[i] - subsizes[i])
            return refuse(self, "array_of_starts", i, starts[i], 0, sizes[i] - subsizes[i]);
        parts[i] = (struct part){.size = (size_t)sizes[i],
                                 .first = (size_t)starts[i],
                                 .count = (size_t)subsizes[i],
                                 .length = (size_t)subsizes[i]};
    }
    return MPI_SUCCESS;
}

int KP_MPI_SIZED(Type_create_subarray)(int ndims, const kp_mpi_count sizes[],
                                       const kp_mpi_count subsizes[], const kp_mpi_count starts[],
                                       int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_create_subarray);
    struct kp_mpi_type *of, *made;
    int class = check_shape(self, ndims, order);
    if (!class && !(sizes && subsizes && starts && newtype))
        class = refuse_null(self);
    if (!class)
        class = kp_mpi_type_find(self, NULL, oldtype, &of);
    if (class)
        return class;
    struct part *parts = make_parts(ndims);
    class = parts ? subarray_parts(self, ndims, sizes, subsizes, starts, parts)
                  : kp_mpi_type_no_memory(self);
    if (!class)
        class = make_array(self, parts, ndims, order, of, &made);
    free(parts);
    if (class)
        return class;
    const size_t n = (size_t)ndims;
    const struct kp_mpi_arguments arguments = {.combiner = MPI_COMBINER_SUBARRAY,
                                               .integers = {{&ndims, 1, false},
                                                            {sizes, n, IS_LARGE},
                                                            {subsizes, n, IS_LARGE},
                                                            {starts, n, IS_LARGE},
                                                            {&order, 1, false}},
                                               .types = &of,
                                               .type_count = 1};
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}
KP_MPI_SIZED_NAMES(Type_create_subarray);

/* --- Distributed arrays --- */

/* What MPI_Type_create_darray was given for one dimension, and this rank's coordinate. */
struct dimension {
    int i, distribution, argument, processes, coordinate;
    MPI_Count size;
};

static int block_part(struct kp_mpi_rank *self, const struct dimension *d, struct part *part)
{
    const MPI_Count least = (d->size - 1) / d->processes + 1;
    const MPI_Count length = d->argument == MPI_DISTRIBUTE_DFLT_DARG ? least : d->argument;
    if (length < least)
        return kp_mpi_fail(
            self, NULL, MPI_ERR_ARG,
            "array_of_dargs[%d] is %d; it may be MPI_DISTRIBUTE_DFLT_DARG, or %lld or "
            "more, as %d blocks hold %lld elements",
            d->i, d->argument, least, d->processes, d->size);
    const size_t first = (size_t)length * (size_t)d->coordinate, size = (size_t)d->size;
    const size_t left = first < size ? size - first : 0;
    part->first = first;
    part->length = (size_t)length;
    part->count = left < part->length ? left : part->length;
    return MPI_SUCCESS;
}

static int cyclic_part(struct kp_mpi_rank *self, const struct dimension *d, struct part *part)
{
    const int length = d->argument == MPI_DISTRIBUTE_DFLT_DARG ? 1 : d->argument;
    if (length < 1)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                           "array_of_dargs[%d] is %d; it may be MPI_DISTRIBUTE_DFLT_DARG, or 1 or "
                           "more",
                           d->i, d->argument);
    part->length = (size_t)length;
    part->step = part->length * (size_t)d->processes;
    part->first = part->length * (size_t)d->coordinate;
    for (size_t at = part->first; at < part->size; at += part->step) {
        const size_t left = part->size - at;
        part->count += left < part->length ? left : part->length;
    }
    return MPI_SUCCESS;
}

static int part_of(struct kp_mpi_rank *self, const struct dimension *d, struct part *part)
{
    *part = (struct part){.size = (size_t)d->size, .length = 1};
    switch (d->distribution) {
    case MPI_DISTRIBUTE_BLOCK:
        return block_part(self, d, part);
    case MPI_DISTRIBUTE_CYCLIC:
        return cyclic_part(self, d, part);
    case MPI_DISTRIBUTE_NONE:
        part->count = part->length = part->size;
        return d->processes == 1
                   ? MPI_SUCCESS
                   : kp_mpi_fail(
                         self, NULL, MPI_ERR_ARG,
                         "array_of_psizes[%d] is %d; it may be 1 where the dimension is not "
                         "distributed (MPI_DISTRIBUTE_NONE)",
                         d->i, d->processes);
    default:
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                           "array_of_distribs[%d] is %d; it may be MPI_DISTRIBUTE_BLOCK, "
                           "MPI_DISTRIBUTE_CYCLIC or MPI_DISTRIBUTE_NONE",
                           d->i, d->distribution);
    }
}

static int check_processes(struct kp_mpi_rank *self, int size, int rank, int dimensions,
                           const int *processes)
{
    long long all = 1;
    for (int i = 0; i < dimensions; i++) {
        if (processes[i] < 1 || processes[i] > size)
            return refuse(self, "array_of_psizes", i, processes[i], 1, size);
        all *= processes[i];
        if (all > size)
            break;
    }
    if (all != size)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                           "size is %d; it may be the product of array_of_psizes", size);
    if (rank < 0 || rank >= size)
        return kp_mpi_fail(self, NULL, MPI_ERR_ARG, "rank is %d; it may be 0 ... %d", rank,
                           size - 1);
    return MPI_SUCCESS;
}

static int darray_parts(struct kp_mpi_rank *self, int rank, int dimensions,
                        const kp_mpi_count *sizes, const int *distributions, const int *arguments,
                        const int *processes, struct part *parts)
{
    int class = MPI_SUCCESS;
    /* The processes are numbered in C's order, whatever the array's order is. */
    for (int i = dimensions - 1; i >= 0 && !class; rank /= processes[i--]) {
        const struct dimension d = {.i = i,
                                    .size = sizes[i],
                                    .distribution = distributions[i],
                                    .argument = arguments[i],
                                    .processes = processes[i],
                                    .coordinate = rank % processes[i]};
        class = sizes[i] > 0 ? part_of(self, &d, &parts[i])
                             : kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                                           "array_of_gsizes[%d] is %lld; it may be 1 or more", i,
                                           (MPI_Count)sizes[i]);
    }
    return class;
}

int KP_MPI_SIZED(Type_create_darray)(int size, int rank, int ndims, const kp_mpi_count gsizes[],
                                     const int distribs[], const int dargs[], const int psizes[],
                                     int order, MPI_Datatype oldtype, MPI_Datatype *newtype)
{
    KP_MPI_SIZED_ENTER(Type_create_darray);
    struct kp_mpi_type *of, *made;
    int class = check_shape(self, ndims, order);
    if (!class && !(gsizes && distribs && dargs && psizes && newtype))
        class = refuse_null(self);
    if (!class)
        class = check_processes(self, size, rank, ndims, psizes);
    if (!class)
        class = kp_mpi_type_find(self, NULL, oldtype, &of);
    if (class)
        return class;
    struct part *parts = make_parts(ndims);
    class = parts ? darray_parts(self, rank, ndims, gsizes, distribs, dargs, psizes, parts)
                  : kp_mpi_type_no_memory(self);
    if (!class)
        class = make_array(self, parts, ndims, order, of, &made);
    free(parts);
    if (class)
        return class;
    const size_t n = (size_t)ndims;
    const struct kp_mpi_arguments arguments = {.combiner = MPI_COMBINER_DARRAY,
                                               .integers = {{&size, 1, false},
                                                            {&rank, 1, false},
                                                            {&ndims, 1, false},
                                                            {gsizes, n, IS_LARGE},
                                                            {distribs, n, false},
                                                            {dargs, n, false},
                                                            {psizes, n, false},
                                                            {&order, 1, false}},
                                               .types = &of,
                                               .type_count = 1};
    return kp_mpi_type_finish(self, made, &arguments, newtype);
}
KP_MPI_SIZED_NAMES(Type_create_darray);
