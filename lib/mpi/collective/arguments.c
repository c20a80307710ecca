/* The arguments of collectives: checked, and made kport's. */
#include "lib/mpi/collective.h"

#include <stdlib.h>
#include <string.h>

static bool is_rooted(kp_operation operation)
{
    return operation == KP_BROADCAST || operation == KP_SCATTER || operation == KP_GATHER ||
           operation == KP_SCATTERV || operation == KP_GATHERV || operation == KP_REDUCE;
}

static bool is_reduction(kp_operation operation)
{
    return operation == KP_REDUCE || operation == KP_ALLREDUCE || operation == KP_REDUCE_SCATTER ||
           operation == KP_REDUCE_SCATTERV || operation == KP_SCAN ||
           operation == KP_SCAN_EXCLUSIVE;
}

/* Whether the rank has an outgoing or an incoming buffer. */
static bool has_out(kp_operation operation, bool root)
{
    return operation != KP_BROADCAST &&
           (root || (operation != KP_SCATTER && operation != KP_SCATTERV));
}

static bool has_in(kp_operation operation, bool root)
{
    return root || (operation != KP_GATHER && operation != KP_GATHERV && operation != KP_REDUCE);
}

/* Checks a buffer. `in_place` says that it may be MPI_IN_PLACE; then `type` becomes NULL. A buffer
 * without data may be NULL for the program, and is not for kport. */
static int check_side(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const void *buffer,
                      MPI_Count count, MPI_Datatype handle, bool in_place,
                      struct kp_mpi_type **type)
{
    *type = NULL;
    if (buffer == MPI_IN_PLACE && in_place)
        return MPI_SUCCESS;
    const int error = kp_mpi_check_data(self, comm, buffer, count, handle, type);
    if (!error)
        kp_mpi_type_hold(*type);
    else
        *type = NULL;
    return error;
}

/* A byte has a layout, too, because a call with layouts is none without. */
static const kp_layout *layout_of(const struct kp_mpi_rank *self, const struct kp_mpi_type *type)
{
    return type->layout ? type->layout : self->byte;
}

static int check_counts(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const char *what,
                        struct kp_mpi_list counts, const void *displacements, bool displaced)
{
    if (!counts.values || (displaced && !displacements))
        return kp_mpi_fail(self, comm, MPI_ERR_ARG, "the array of %s is NULL",
                           counts.values ? "displacements" : what);
    for (int i = 0; i < comm->size; i++) {
        const long long count = kp_mpi_list_at(counts, i);
        if (count < 0)
            return kp_mpi_fail(self, comm, MPI_ERR_COUNT, "%s %d is %lld; it may be 0 or more",
                               what, i, count);
    }
    return MPI_SUCCESS;
}

/* How many items blocks of their own lengths have. Wrong counts are reported later. */
static MPI_Count sum_of(struct kp_mpi_list counts, int n)
{
    MPI_Count sum = 0;
    for (int i = 0; i < n && counts.values; i++) {
        const MPI_Count count = kp_mpi_list_at(counts, i);
        sum += count > 0 ? count : 0;
    }
    return sum;
}

/* A buffer whose first block with data begins below it is moved there, so that no displacement is
 * negative. */
static ptrdiff_t fill(size_t *to_counts, size_t *to_displacements, struct kp_mpi_list counts,
                      struct kp_mpi_list displacements, int n)
{
    int64_t least = 0;
    for (int i = 0; i < n; i++)
        to_counts[i] = (size_t)kp_mpi_list_at(counts, i);
    if (!displacements.values)
        return 0;
    for (int i = 0; i < n; i++) {
        const int64_t place = kp_mpi_list_at(displacements, i);
        if (to_counts[i] > 0 && place < least)
            least = place;
    }
    for (int i = 0; i < n; i++)
        to_displacements[i] =
            to_counts[i] > 0 ? (size_t)(kp_mpi_list_at(displacements, i) - least) : 0;
    return (ptrdiff_t)least;
}

/* Fills the arrays of a buffer with blocks of their own lengths. `unit` is the extent in which
 * displacements are. Returns the buffer. */
static const void *fill_lengths(const void *buffer, ptrdiff_t unit, const size_t **counts,
                                const size_t **displacements, size_t **room,
                                struct kp_mpi_list mine, struct kp_mpi_list apart, int n)
{
    const ptrdiff_t least = fill(*room, *room + n, mine, apart, n);
    *counts = *room;
    if (apart.values)
        *displacements = *room + n;
    *room += 2 * (size_t)n;
    return buffer == MPI_IN_PLACE ? KP_IN_PLACE
                                  : (const void *)((const char *)buffer + least * unit);
}

static int no_memory(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for the lengths of blocks");
}

static int prepare_lengths(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                           const struct kp_mpi_asked *asked, bool out, bool in,
                           struct kp_mpi_collective *c)
{
    kp_arguments *a = &c->arguments;
    const int n = comm->size;
    int error = MPI_SUCCESS;
    size_t *room = c->arrays = malloc(4 * (size_t)n * sizeof *room);
    if (!room)
        return no_memory(self, comm);
    if (out && asked->out_counts.values && asked->out != MPI_IN_PLACE) {
        if ((error = check_counts(self, comm, "sendcounts", asked->out_counts,
                                  asked->out_displacements.values, true)))
            return error;
        a->out =
            fill_lengths(asked->out, c->out_type->extent, &a->out_counts, &a->out_displacements,
                         &room, asked->out_counts, asked->out_displacements, n);
    }
    if (in && asked->in_counts.values && asked->in != MPI_IN_PLACE) {
        if ((error = check_counts(self, comm, "recvcounts", asked->in_counts,
                                  asked->in_displacements.values, true)))
            return error;
        a->in = (void *)(uintptr_t)fill_lengths(asked->in, c->in_type->extent, &a->in_counts,
                                                &a->in_displacements, &room, asked->in_counts,
                                                asked->in_displacements, n);
    }
    return error;
}

/* --- MPI_Alltoallw --- */

static int hold_types(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const MPI_Datatype *from,
                      struct kp_mpi_type **types, const kp_layout **layouts)
{
    for (int i = 0; i < comm->size; i++) {
        const int error = kp_mpi_type_check(self, comm, from[i], &types[i]);
        if (error)
            return types[i] = NULL, error;
        kp_mpi_type_hold(types[i]);
        layouts[i] = layout_of(self, types[i]);
    }
    return MPI_SUCCESS;
}

/* With MPI_IN_PLACE kport does not read the other arrays. */
static int prepare_each(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                        const struct kp_mpi_asked *asked, struct kp_mpi_collective *c)
{
    kp_arguments *a = &c->arguments;
    const size_t n = (size_t)comm->size;
    const bool in_place = asked->out == MPI_IN_PLACE;
    int error = MPI_SUCCESS;
    if (!in_place && (error = check_counts(self, comm, "sendcounts", asked->out_counts,
                                           asked->out_displacements.values, true)))
        return error;
    if ((error = check_counts(self, comm, "recvcounts", asked->in_counts,
                              asked->in_displacements.values, true)))
        return error;
    if (!asked->in_types || (!in_place && !asked->out_types))
        return kp_mpi_fail(self, comm, MPI_ERR_ARG, "the array of datatypes is NULL");
    size_t *room = c->arrays = malloc(4 * n * sizeof *room + 2 * n * sizeof(const kp_layout *));
    c->types = calloc(2 * n, sizeof *c->types);
    c->type_count = c->types ? 2 * comm->size : 0;
    if (!room || !c->types)
        return no_memory(self, comm);
    const kp_layout **layouts = (const kp_layout **)(room + 4 * n);
    a->out = KP_IN_PLACE;
    if (!in_place) {
        error = hold_types(self, comm, asked->out_types, c->types, layouts);
        a->out = fill_lengths(asked->out, 1, &a->out_counts, &a->out_displacements, &room,
                              asked->out_counts, asked->out_displacements, comm->size);
        a->out_layouts = layouts;
    }
    if (error || (error = hold_types(self, comm, asked->in_types, c->types + n, layouts + n)))
        return error;
    a->in =
        (void *)(uintptr_t)fill_lengths(asked->in, 1, &a->in_counts, &a->in_displacements, &room,
                                        asked->in_counts, asked->in_displacements, comm->size);
    a->in_layouts = layouts + n;
    return MPI_SUCCESS;
}

/* --- Reductions --- */

/* Makes memory for the items of a reduction that do not lie in the program's buffers as kport needs
 * them: operands, then results. With MPI_IN_PLACE the operands become the results. */
static int prepare_items(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                         const struct kp_mpi_asked *asked, bool in, struct kp_mpi_collective *c)
{
    const bool scatters = c->operation == KP_REDUCE_SCATTER || c->operation == KP_REDUCE_SCATTERV;
    const bool in_place = asked->out == MPI_IN_PLACE;
    size_t all = 0, own = (size_t)asked->in_count;
    for (int i = 0; i < comm->size && asked->in_counts.values; i++)
        all += (size_t)kp_mpi_list_at(asked->in_counts, i);
    if (asked->in_counts.values)
        own = (size_t)kp_mpi_list_at(asked->in_counts, comm->rank);
    else
        all = scatters ? own * (size_t)comm->size : own;
    char *items = c->items = calloc(all + own + 1, c->reduction.bytes);
    if (!items)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for the items of a reduction");
    c->load_from = in_place ? asked->in : asked->out;
    c->load_to = items;
    c->load_count = all;
    c->store_to = in ? asked->in : NULL;
    c->store_count = own;
    c->arguments.out = in_place ? KP_IN_PLACE : items;
    c->arguments.in = in ? in_place ? items : items + all * c->reduction.bytes : NULL;
    /* The first rank of an exclusive scan gets no result, and its buffer stays as it is. */
    if (c->operation == KP_SCAN_EXCLUSIVE && comm->rank == 0)
        c->store_count = 0;
    return MPI_SUCCESS;
}

void kp_mpi_load(const struct kp_mpi_collective *c)
{
    if (c->items)
        kp_mpi_reduction_load(&c->reduction, c->load_to, c->load_from, c->load_count);
}

void kp_mpi_store(const struct kp_mpi_collective *c)
{
    if (c->items && c->store_to)
        kp_mpi_reduction_store(&c->reduction, c->store_to, c->arguments.in, c->store_count);
}

static int prepare_reduction(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                             const struct kp_mpi_asked *asked, bool in, struct kp_mpi_collective *c)
{
    kp_arguments *a = &c->arguments;
    int error;
    const bool split = c->operation == KP_REDUCE_SCATTERV;
    if (split && (error = check_counts(self, comm, "recvcounts", asked->in_counts, NULL, false)))
        return error;
    const MPI_Count count = split ? 0 : asked->in_count,
                    all = split ? sum_of(asked->in_counts, comm->size) : count,
                    own = !split ? count
                          : asked->out == MPI_IN_PLACE
                              ? all
                              : kp_mpi_list_at(asked->in_counts, comm->rank);
    if ((error = check_side(self, comm, asked->out, all, asked->in_type, true, &c->out_type)) ||
        (in &&
         (error = check_side(self, comm, asked->in, own, asked->in_type, false, &c->in_type))))
        return error;
    struct kp_mpi_type *type = c->in_type ? c->in_type : c->out_type;
    if (!type)
        return kp_mpi_fail(self, comm, MPI_ERR_BUFFER,
                           "sendbuf may be MPI_IN_PLACE only at the "
                           "root");
    error = kp_mpi_reduction_of(self, comm, asked->op, type, &c->reduction);
    if (error)
        return error;
    c->reduces = true;
    a->type = c->reduction.type;
    a->op = c->reduction.op;
    a->count = (size_t)count * c->reduction.per_item;
    if (!split)
        return c->reduction.in_place ? MPI_SUCCESS : prepare_items(self, comm, asked, in, c);
    size_t *counts = c->arrays = malloc((size_t)comm->size * sizeof *counts);
    if (!counts)
        return no_memory(self, comm);
    for (int i = 0; i < comm->size; i++)
        counts[i] = (size_t)kp_mpi_list_at(asked->in_counts, i) * c->reduction.per_item;
    a->out_counts = counts;
    return c->reduction.in_place ? MPI_SUCCESS : prepare_items(self, comm, asked, in, c);
}

/* --- All others --- */

/* Moves a buffer and its type, which is held, away from MPI_BOTTOM. */
static int from_bottom(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Count count,
                       const void *asked, const void **buffer, struct kp_mpi_type **type)
{
    struct kp_mpi_type *before = *type;
    const void *at = asked;
    const int error = kp_mpi_from_bottom(self, comm, &at, (size_t)count, type);
    if (error || *type == before)
        return error;
    *buffer = at;
    kp_mpi_type_hold(*type);
    kp_mpi_type_release(before);
    return MPI_SUCCESS;
}

static int prepare_blocks(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                          const struct kp_mpi_asked *asked, bool out, bool in,
                          struct kp_mpi_collective *c)
{
    kp_arguments *a = &c->arguments;
    const bool root = asked->root == comm->rank;
    const bool scatters = c->operation == KP_SCATTER || c->operation == KP_SCATTERV;
    const bool gathers = c->operation == KP_GATHER || c->operation == KP_GATHERV;
    int error;
    if (out && (error = check_side(self, comm, asked->out,
                                   asked->out_counts.values ? sum_of(asked->out_counts, comm->size)
                                                            : asked->out_count,
                                   asked->out_type, !scatters && (!gathers || root), &c->out_type)))
        return error;
    if (in && (error = check_side(self, comm, asked->in,
                                  asked->in_counts.values ? sum_of(asked->in_counts, comm->size)
                                                          : asked->in_count,
                                  asked->in_type, scatters && root, &c->in_type)))
        return error;
    if (c->out_type &&
        (error = from_bottom(self, comm, asked->out_counts.values ? 1 : asked->out_count,
                             asked->out, &a->out, &c->out_type)))
        return error;
    const void *incoming = a->in;
    if (c->in_type &&
        (error = from_bottom(self, comm, asked->in_counts.values ? 1 : asked->in_count, asked->in,
                             &incoming, &c->in_type)))
        return error;
    a->in = (void *)(uintptr_t)incoming;
    if (c->out_type) {
        a->out_layout = layout_of(self, c->out_type);
        a->out_count = c->out_type->size > 0 ? (size_t)asked->out_count : 0;
    }
    if (c->in_type) {
        a->in_layout = layout_of(self, c->in_type);
        a->in_count = c->in_type->size > 0 ? (size_t)asked->in_count : 0;
    }
    if (asked->out_counts.values || asked->in_counts.values)
        return prepare_lengths(self, comm, asked, out, in, c);
    return MPI_SUCCESS;
}

static int prepare(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                   const struct kp_mpi_asked *asked, struct kp_mpi_collective *c)
{
    static max_align_t nothing; /* in place of a buffer without data */
    kp_arguments *a = &c->arguments;
    if (is_rooted(c->operation) && (asked->root < 0 || asked->root >= comm->size))
        return kp_mpi_fail(self, comm, MPI_ERR_ROOT, "the root is rank %d; it may be 0 ... %d",
                           asked->root, comm->size - 1);
    const bool root = !is_rooted(c->operation) || asked->root == comm->rank;
    const bool out = has_out(c->operation, root), in = has_in(c->operation, root);
    a->operation = c->operation;
    a->root = asked->root;
    a->out = out ? asked->out : NULL;
    a->in = in ? asked->in : NULL;
    if (out && !a->out && !asked->out_types)
        a->out = &nothing;
    if (in && !a->in)
        a->in = &nothing;
    if (asked->in_types)
        return prepare_each(self, comm, asked, c);
    if (is_reduction(c->operation))
        return prepare_reduction(self, comm, asked, in, c);
    return prepare_blocks(self, comm, asked, out, in, c);
}

int kp_mpi_prepare(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, kp_operation operation,
                   const struct kp_mpi_asked *asked, struct kp_mpi_collective *c)
{
    memset(c, 0, sizeof *c);
    c->operation = operation;
    if (operation == KP_MPI_BARRIER)
        return MPI_SUCCESS;
    const int error = prepare(self, comm, asked, c);
    if (error)
        kp_mpi_release(c);
    return error;
}

void kp_mpi_release(struct kp_mpi_collective *c)
{
    (void)kp_plan_free(c->plan);
    if (c->out_type)
        kp_mpi_type_release(c->out_type);
    if (c->in_type)
        kp_mpi_type_release(c->in_type);
    for (int i = 0; i < c->type_count; i++) {
        if (c->types[i])
            kp_mpi_type_release(c->types[i]);
    }
    if (c->reduces)
        kp_mpi_reduction_release(&c->reduction);
    free(c->items);
    free(c->types);
    free(c->arrays);
}
