/* Types with absolute addresses, whose buffer is MPI_BOTTOM. kport takes no NULL for data, so such
 * a type gets a twin with addresses relative to its first byte. */
#include "lib/layout/face.h"
#include "lib/mpi/datatype/data.h"
#include "lib/mpi/type.h"

#include <stdlib.h>

static int make_relative(const struct kp_mpi_type *type, struct kp_mpi_type *made)
{
    static const size_t one = 1;
    const ptrdiff_t back = -type->true_lower;
    char text[KP_MPI_TYPE_WORDS];
    kp_layout *moved = NULL, *bounded = NULL;
    *made = *type;
    made->attributes = (struct kp_mpi_attributes){0};
    made->references = 1;
    made->relative = NULL;
    made->lower += back;
    made->true_lower = 0;
    int status = kp_layout_struct(1, &one, &back, &type->layout, &moved);
    if (!status) {
        kp_mpi_type_describe(type, text, sizeof text);
        status = kp_face_layout_bounded(moved, made->lower, made->extent, text, &bounded);
    }
    kp_layout_free(moved);
    made->layout = bounded;
    made->dense = !status && kp_face_layout_is_plain(bounded);
    return status;
}

int kp_mpi_from_bottom(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const void **buffer,
                       size_t count, struct kp_mpi_type **type)
{
    struct kp_mpi_type *of = *type, *made = of->relative;
    if (*buffer || count == 0 || of->size == 0 || of->predefined || of->true_lower == 0)
        return MPI_SUCCESS;
    if (!made) {
        made = malloc(sizeof *made);
        if (!made)
            return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a type");
        const int status = make_relative(of, made);
        if (status) {
            free(made);
            return kp_mpi_fail_by(self, comm, status);
        }
        made->contents->holders++;
        of->relative = made;
    }
    *buffer = (const void *)of->true_lower;
    *type = made;
    return MPI_SUCCESS;
}
