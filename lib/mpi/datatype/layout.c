/* The layouts of derived types. */
#include "lib/layout/face.h"
#include "lib/mpi/datatype/data.h"

#include <stdlib.h>

/* Makes the layout of groups with places of their own. Returns 0 or a status of kport. */
static int lay_out_places(const struct kp_mpi_map *map, kp_layout **made)
{
    const kp_layout **fields = calloc(map->count + 1, sizeof(const kp_layout *));
    size_t *lengths = map->lengths ? NULL : calloc(map->count + 1, sizeof *lengths);
    int status = KP_EMEMORY;
    if (fields && (map->lengths || lengths)) {
        for (size_t i = 0; i < map->count; i++) {
            fields[i] = (map->fields ? map->fields[i] : map->of)->layout;
            if (lengths)
                lengths[i] = map->length;
        }
        status = kp_layout_struct(map->count, map->lengths ? map->lengths : lengths, map->places,
                                  fields, made);
    }
    free(lengths);
    free(fields);
    return status;
}

/* Makes the layout of groups that are one step apart. */
static int lay_out_steps(const struct kp_mpi_map *map, kp_layout **made)
{
    kp_layout *group = NULL, *spaced = NULL;
    int status = kp_layout_contiguous(map->length, map->of->layout, &group);
    if (status || map->count == 1) {
        *made = group;
        return status;
    }
    status = kp_face_layout_bounded(group, 0, map->step, "group", &spaced);
    if (!status)
        status = kp_layout_contiguous(map->count, spaced, made);
    kp_layout_free(group);
    kp_layout_free(spaced);
    return status;
}

/* Makes the layouts of the types that a type is made of. */
static int lay_out_inner(struct kp_mpi_rank *self, const struct kp_mpi_map *map)
{
    int class = map->of ? kp_mpi_type_lay_out(self, map->of) : MPI_SUCCESS;
    for (size_t i = 0; map->fields && i < map->count && !class; i++)
        class = kp_mpi_type_lay_out(self, map->fields[i]);
    return class;
}

int kp_mpi_type_lay_out(struct kp_mpi_rank *self, struct kp_mpi_type *type)
{
    const struct kp_mpi_map *map = &type->contents->map;
    kp_layout *groups = NULL, *made = NULL;
    char text[KP_MPI_TYPE_WORDS];
    if (type->layout)
        return MPI_SUCCESS;
    const int class = lay_out_inner(self, map);
    if (class)
        return class;
    int status = (map->places ? lay_out_places : lay_out_steps)(map, &groups);
    if (!status) {
        kp_mpi_type_describe(type, text, sizeof text);
        status = kp_face_layout_bounded(groups, type->lower, type->extent, text, &made);
    }
    kp_layout_free(groups);
    if (status)
        return kp_mpi_fail_by(self, NULL, status);
    type->layout = made;
    type->dense = kp_face_layout_is_plain(made);
    return MPI_SUCCESS;
}
