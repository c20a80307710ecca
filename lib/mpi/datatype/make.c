/* Makes datatypes: computes their sizes and bounds. */
#include "lib/mpi/datatype/data.h"

#include "lib/layout/face.h"

#include <stdlib.h>
#include <string.h>

/* Offsets are at most this far from 0, so that sums of a few of them do not overflow. */
#define MOST (PTRDIFF_MAX / 8)

static int refuse_far(struct kp_mpi_rank *self)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_ARG,
                       "the type would have offsets, bounds or data beyond what memory can hold; "
                       "%td bytes from its origin they may be",
                       MOST);
}

int kp_mpi_type_no_memory(struct kp_mpi_rank *self)
{
    return kp_mpi_fail(self, NULL, MPI_ERR_NO_MEM, "no memory for a datatype");
}

/* --- Groups --- */

struct group {
    struct kp_mpi_type *of;
    size_t length;
    ptrdiff_t place;
};

static struct group group_of(const struct kp_mpi_map *map, size_t i)
{
    return (struct group){
        .of = map->fields ? map->fields[i] : map->of,
        .length = map->lengths ? map->lengths[i] : map->length,
        .place = map->places ? map->places[i] : (ptrdiff_t)i * map->step,
    };
}

/* --- Bounds --- */

/* Adds the bound `value` to a bound so far. A mark counts alone. */
static void join(ptrdiff_t *bound, bool *set, bool *any, ptrdiff_t value, bool value_set, bool low)
{
    if (*set && !value_set)
        return;
    const bool first = !*any || (value_set && !*set);
    if (first || (low ? value < *bound : value > *bound))
        *bound = value;
    *set = value_set;
    *any = true;
}

/* What is known of a type that is being made. */
struct making {
    struct kp_mpi_bounds bounds;
    size_t size, leaves;
    bool any_lower, any_upper;
};

/* Adds the bounds of a block at `place`. */
static void add_block(struct making *m, const struct kp_mpi_bounds *of, ptrdiff_t place)
{
    struct kp_mpi_bounds *b = &m->bounds;
    if (of->any_data || of->lower_set)
        join(&b->lower, &b->lower_set, &m->any_lower, place + of->lower, of->lower_set, true);
    if (of->any_data || of->upper_set)
        join(&b->upper, &b->upper_set, &m->any_upper, place + of->upper, of->upper_set, false);
    if (!of->any_data)
        return;
    const ptrdiff_t low = place + of->true_lower, high = place + of->true_upper;
    b->true_lower = !b->any_data || low < b->true_lower ? low : b->true_lower;
    b->true_upper = !b->any_data || high > b->true_upper ? high : b->true_upper;
    b->any_data = true;
}

static bool is_near(ptrdiff_t offset)
{
    return offset <= MOST && offset >= -MOST;
}

/* Computes first + steps * step. Returns false if it is far. */
static bool along(ptrdiff_t first, size_t steps, ptrdiff_t step, ptrdiff_t *at)
{
    return is_near(first) && steps <= (size_t)MOST &&
           !__builtin_mul_overflow((ptrdiff_t)steps, step, at) && is_near(*at) &&
           is_near(*at += first);
}

/* Adds a group. Only its first and its last block can be at its bounds. */
static bool add_group(struct making *m, const struct group *group)
{
    const struct kp_mpi_type *of = group->of;
    ptrdiff_t last;
    size_t size, leaves;
    if (group->length == 0)
        return true;
    if (!along(group->place, group->length - 1, of->extent, &last) ||
        __builtin_mul_overflow(group->length, of->size, &size) || size > (size_t)MOST - m->size ||
        __builtin_mul_overflow(group->length, of->contents->leaves, &leaves))
        return false;
    add_block(m, &of->contents->bounds, group->place);
    add_block(m, &of->contents->bounds, last);
    m->size += size;
    m->leaves += leaves;
    if (of->contents->bounds.alignment > m->bounds.alignment)
        m->bounds.alignment = of->contents->bounds.alignment;
    return true;
}

/* Without a mark, the upper bound leaves room for the strictest alignment. */
static void align(struct kp_mpi_bounds *b)
{
    const ptrdiff_t alignment = (ptrdiff_t)b->alignment, extent = b->upper - b->lower;
    const ptrdiff_t over = alignment > 0 ? extent % alignment : 0;
    if (!b->upper_set && over > 0)
        b->upper += alignment - over;
    if (!b->upper_set && over < 0)
        b->upper -= over;
}

static bool measure(struct making *m, const struct kp_mpi_map *map)
{
    const bool equal_groups = !map->lengths && !map->places && !map->fields;
    for (size_t i = 0; i < map->count && !equal_groups; i++) {
        const struct group group = group_of(map, i);
        if (!add_group(m, &group))
            return false;
    }
    if (equal_groups && map->count > 0) {
        struct group group = group_of(map, 0);
        size_t size, leaves;
        if (!add_group(m, &group) || !along(group.place, map->count - 1, map->step, &group.place) ||
            !add_group(m, &group) ||
            __builtin_mul_overflow(map->count, map->length * map->of->size, &size) ||
            __builtin_mul_overflow(map->count, map->length * map->of->contents->leaves, &leaves) ||
            size > (size_t)MOST)
            return false;
        m->size = size;
        m->leaves = leaves;
    }
    align(&m->bounds);
    const struct kp_mpi_bounds *b = &m->bounds;
    return is_near(b->lower) && is_near(b->upper) && is_near(b->true_lower) &&
           is_near(b->true_upper);
}

/* --- Making --- */

static void free_arrays(const struct kp_mpi_map *map)
{
    free(map->lengths);
    free(map->places);
    free(map->fields);
}

/* Sets what others read of the type's bounds. */
static void show_bounds(struct kp_mpi_type *type)
{
    const struct kp_mpi_bounds *b = &type->contents->bounds;
    type->lower = b->lower;
    type->extent = b->upper - b->lower;
    type->true_lower = b->true_lower;
    type->true_extent = b->true_upper - b->true_lower;
}

static struct kp_mpi_type *make(const struct kp_mpi_map *map, const struct making *m)
{
    struct kp_mpi_type *type = calloc(1, sizeof *type);
    struct kp_mpi_type_contents *contents = calloc(1, sizeof *contents);
    if (!type || !contents) {
        free(type);
        free(contents);
        return NULL;
    }
    *contents = (struct kp_mpi_type_contents){
        .holders = 1, .leaves = m->leaves, .bounds = m->bounds, .map = *map};
    type->contents = contents;
    type->references = 1;
    type->element = KP_TYPES;
    type->size = m->size;
    show_bounds(type);
    for (size_t i = 0; map->fields && i < map->count; i++)
        kp_mpi_type_hold(map->fields[i]);
    if (map->of)
        kp_mpi_type_hold(map->of);
    return type;
}

int kp_mpi_type_of_map(struct kp_mpi_rank *self, const struct kp_mpi_map *map,
                       struct kp_mpi_type **made)
{
    struct making m = {.size = 0};
    const bool is_near_enough = measure(&m, map);
    *made = is_near_enough ? make(map, &m) : NULL;
    if (*made)
        return MPI_SUCCESS;
    free_arrays(map);
    return is_near_enough ? kp_mpi_type_no_memory(self) : refuse_far(self);
}

int kp_mpi_type_of_blocks(struct kp_mpi_rank *self, size_t count, size_t length, ptrdiff_t step,
                          struct kp_mpi_type *of, struct kp_mpi_type **made)
{
    const struct kp_mpi_map map = {.count = count, .length = length, .step = step, .of = of};
    return kp_mpi_type_of_map(self, &map, made);
}

int kp_mpi_type_at(struct kp_mpi_rank *self, ptrdiff_t place, struct kp_mpi_type *of,
                   struct kp_mpi_type **made)
{
    struct kp_mpi_map map = {.count = 1, .length = 1, .of = of};
    *made = NULL;
    map.places = malloc(sizeof *map.places);
    if (!map.places)
        return kp_mpi_type_no_memory(self);
    map.places[0] = place;
    return kp_mpi_type_of_map(self, &map, made);
}

int kp_mpi_type_set_bounds(struct kp_mpi_rank *self, struct kp_mpi_type *made, ptrdiff_t lower,
                           ptrdiff_t extent)
{
    struct kp_mpi_bounds *b = &made->contents->bounds;
    if (!is_near(lower) || !is_near(extent))
        return refuse_far(self);
    b->lower = lower;
    b->upper = lower + extent;
    b->lower_set = b->upper_set = true;
    show_bounds(made);
    return MPI_SUCCESS;
}

struct kp_mpi_type *kp_mpi_type_copy(const struct kp_mpi_type *type)
{
    struct kp_mpi_type *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = *type;
    made->references = 1;
    made->handle = MPI_DATATYPE_NULL;
    made->attributes = (struct kp_mpi_attributes){0};
    made->name[0] = '\0';
    made->contents->holders++;
    if (made->layout)
        kp_face_layout_hold(made->layout);
    return made;
}

/* --- Arguments --- */

static bool make_room(struct kp_mpi_type_contents *c, const struct kp_mpi_arguments *a)
{
    for (const struct kp_mpi_integers *list = a->integers; list->values; list++)
        *(list->large ? &c->counts : &c->integers) += list->count;
    c->addresses = a->address_count;
    c->types = a->type_count;
    /* One more of each, so that none of the arrays is empty. */
    c->integer = calloc(c->integers + 1, sizeof *c->integer);
    c->large = calloc(c->counts + 1, sizeof *c->large);
    c->address = calloc(c->addresses + 1, sizeof *c->address);
    c->type = calloc(c->types + 1, sizeof(struct kp_mpi_type *));
    if (c->integer && c->large && c->address && c->type)
        return true;
    c->types = 0; /* none is held */
    return false;
}

static bool keep(struct kp_mpi_type_contents *c, const struct kp_mpi_arguments *a)
{
    size_t at = 0, large_at = 0;
    if (!make_room(c, a))
        return false;
    for (const struct kp_mpi_integers *list = a->integers; list->values; list++) {
        if (list->large)
            memcpy(c->large + large_at, list->values, list->count * sizeof *c->large);
        else
            memcpy(c->integer + at, list->values, list->count * sizeof *c->integer);
        *(list->large ? &large_at : &at) += list->count;
    }
    if (a->address_count > 0)
        memcpy(c->address, a->addresses, a->address_count * sizeof *c->address);
    for (size_t i = 0; i < a->type_count; i++) {
        c->type[i] = a->types[i];
        kp_mpi_type_hold(a->types[i]);
    }
    c->combiner = a->combiner;
    return true;
}

int kp_mpi_type_give_handle(struct kp_mpi_rank *self, struct kp_mpi_type *made,
                            MPI_Datatype *handle)
{
    made->handle = kp_mpi_handle_make(&self->tables[KP_MPI_TYPE], KP_MPI_TYPE, made);
    made->made = self->call;
    *handle = made->handle;
    if (made->handle)
        return MPI_SUCCESS;
    kp_mpi_type_release(made);
    return kp_mpi_type_no_memory(self);
}

int kp_mpi_type_finish(struct kp_mpi_rank *self, struct kp_mpi_type *made,
                       const struct kp_mpi_arguments *arguments, MPI_Datatype *handle)
{
    *handle = MPI_DATATYPE_NULL;
    if (keep(made->contents, arguments))
        return kp_mpi_type_give_handle(self, made, handle);
    kp_mpi_type_release(made);
    return kp_mpi_type_no_memory(self);
}
