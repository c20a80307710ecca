/* Counts the leaves of datatypes, and goes over them. */
#include "lib/mpi/datatype/leaves.h"

#include <stdlib.h>

/* --- How many leaves are in so many bytes --- */

static size_t length_of(const struct kp_mpi_map *map, size_t group)
{
    return map->lengths ? map->lengths[group] : map->length;
}

static const struct kp_mpi_type *type_of(const struct kp_mpi_map *map, size_t group)
{
    return map->fields ? map->fields[group] : map->of;
}

/* Either of the two things that are counted: bytes, or leaves. */
static size_t all_of(const struct kp_mpi_type *type, bool bytes)
{
    return bytes ? type->size : type->contents->leaves;
}

static size_t leaf_bytes(const struct kp_mpi_leaf *leaf)
{
    return (size_t)leaf->bytes * leaf->numbers;
}

/* Converts the first `given` bytes of one element to leaves, or the first leaves to bytes.
 * `*within` becomes true if the bytes end within a leaf. */
static size_t convert(const struct kp_mpi_type *type, size_t given, bool bytes, bool *within)
{
    size_t result = 0;
    if (type->contents->basic) {
        for (size_t i = 0; i < type->contents->leaves && given > 0; i++) {
            const size_t length = leaf_bytes(&type->contents->basic->leaf[i]),
                         wanted = bytes ? length : 1;
            *within = given < wanted;
            if (*within)
                return result;
            given -= wanted;
            result += bytes ? 1 : length;
        }
        return result;
    }
    for (size_t i = 0; i < type->contents->map.count && given > 0; i++) {
        const struct kp_mpi_type *of = type_of(&type->contents->map, i);
        const size_t each = all_of(of, bytes), blocks = length_of(&type->contents->map, i);
        if (each == 0)
            continue;
        const size_t whole = given / each < blocks ? given / each : blocks;
        given -= whole * each;
        result += whole * all_of(of, !bytes);
        if (whole < blocks)
            return result + convert(of, given, bytes, within);
    }
    return result;
}

/* The same for as many elements as are needed. */
static size_t convert_all(const struct kp_mpi_type *type, size_t given, bool bytes, bool *within)
{
    const size_t each = all_of(type, bytes);
    *within = false;
    if (each == 0) {
        *within = given > 0;
        return 0;
    }
    return given / each * all_of(type, !bytes) + convert(type, given % each, bytes, within);
}

MPI_Count kp_mpi_type_leaves(const struct kp_mpi_type *type, size_t bytes)
{
    bool within;
    const size_t leaves = convert_all(type, bytes, true, &within);
    return within ? -1 : (MPI_Count)leaves;
}

size_t kp_mpi_type_bytes_of(const struct kp_mpi_type *type, size_t leaves)
{
    bool within;
    return convert_all(type, leaves, false, &within);
}

/* --- From leaf to leaf --- */

static int visit_block(const struct kp_mpi_type *type, ptrdiff_t place, kp_mpi_visit *visit,
                       void *context)
{
    int status = 0;
    if (type->contents->basic) {
        for (size_t i = 0; i < type->contents->leaves && !status; i++)
            status = visit(&type->contents->basic->leaf[i],
                           place + (i > 0 ? type->contents->basic->second : 0), context);
        return status;
    }
    const struct kp_mpi_map *map = &type->contents->map;
    for (size_t i = 0; i < map->count && !status; i++) {
        const struct kp_mpi_type *of = type_of(map, i);
        const ptrdiff_t first = place + (map->places ? map->places[i] : (ptrdiff_t)i * map->step);
        const size_t blocks = of->contents->leaves > 0 ? length_of(map, i) : 0;
        for (size_t j = 0; j < blocks && !status; j++)
            status = visit_block(of, first + (ptrdiff_t)j * of->extent, visit, context);
    }
    return status;
}

int kp_mpi_type_visit(const struct kp_mpi_type *type, size_t count, kp_mpi_visit *visit,
                      void *context)
{
    int status = 0;
    for (size_t i = 0; i < count && type->contents->leaves > 0 && !status; i++)
        status = visit_block(type, (ptrdiff_t)i * type->extent, visit, context);
    return status;
}

static int add_external(const struct kp_mpi_leaf *leaf, ptrdiff_t place, void *context)
{
    size_t *bytes = context;
    (void)place;
    *bytes += (size_t)leaf->external * leaf->numbers;
    return 0;
}

size_t kp_mpi_type_external_bytes(const struct kp_mpi_type *type)
{
    size_t bytes = 0;
    (void)kp_mpi_type_visit(type, 1, add_external, &bytes);
    return bytes;
}

/* --- Leaves that share bytes --- */

struct piece {
    ptrdiff_t from, to;
};

struct pieces {
    struct piece *all;
    size_t count;
};

static int add_piece(const struct kp_mpi_leaf *leaf, ptrdiff_t place, void *context)
{
    struct pieces *pieces = context;
    pieces->all[pieces->count++] =
        (struct piece){place, place + (ptrdiff_t)leaf->bytes * leaf->numbers};
    return 0;
}

static int by_place(const void *one, const void *other)
{
    const struct piece *a = one, *b = other;
    return (a->from > b->from) - (a->from < b->from);
}

bool kp_mpi_type_overlaps(const struct kp_mpi_type *type, size_t count)
{
    static const size_t most = 65536;
    const size_t leaves = type->contents->leaves;
    bool found = false;
    if (type->dense || leaves == 0 || count > most / leaves)
        return false;
    struct pieces pieces = {malloc((count * leaves + 1) * sizeof *pieces.all), 0};
    if (!pieces.all)
        return false;
    (void)kp_mpi_type_visit(type, count, add_piece, &pieces);
    qsort(pieces.all, pieces.count, sizeof *pieces.all, by_place);
    for (size_t i = 1; i < pieces.count && !found; i++)
        found = pieces.all[i].from < pieces.all[i - 1].to;
    free(pieces.all);
    return found;
}
