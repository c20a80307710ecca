/* How kport combines by the operators of a program, and MPI_Reduce_local. */
#include "lib/layout/face.h"
#include "lib/mpi/datatype/data.h"
#include "lib/mpi/op.h"
#include "lib/problem/face.h"

#include <limits.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SCRATCH_BYTES ((size_t)4096)

/* An operator of a program, used with items of a datatype. In the buffers that kport combines,
 * items lie `bytes` bytes apart, each from its first byte of data on. */
struct kp_mpi_use {
    kp_operator own;
    struct kp_mpi_rank *self;
    struct kp_mpi_op *op;
    struct kp_mpi_type *type;
    size_t bytes;
    bool borrowed;   /* the type has a handle for the program's function alone */
    bool one_by_one; /* items of the datatype do not lie so far apart, so the function gets each */
    /* SCRATCH_BYTES or one item, if the operator is not commutative */
    alignas(max_align_t) char scratch[];
};

/* --- Calls of the program's function --- */

/* Returns a handle of the type. If the program has freed its own meanwhile, the type gets another
 * one until the reduction has ended. */
static MPI_Datatype handle_of(struct kp_mpi_use *use)
{
    struct kp_mpi_type *type = use->type;
    if (kp_mpi_type_of(use->self, type->handle) != type) {
        type->handle = kp_mpi_handle_make(&use->self->tables[KP_MPI_TYPE], KP_MPI_TYPE, type);
        use->borrowed = type->handle;
    }
    return type->handle;
}

static void call(struct kp_mpi_use *use, const void *left, void *right, size_t count)
{
    MPI_Datatype handle = handle_of(use);
    void *in = (void *)(uintptr_t)left;
    int length = (int)count;
    MPI_Count large_length = (MPI_Count)count;
    if (use->op->large)
        use->op->large(in, right, &large_length, &handle);
    else
        use->op->function(in, right, &length, &handle);
}

static void apply(struct kp_mpi_use *use, const char *left, char *right, size_t count)
{
    const size_t most = use->one_by_one ? 1 : use->op->large ? PTRDIFF_MAX : INT_MAX;
    const ptrdiff_t origin = use->type->true_lower;
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < most ? count - done : most;
        call(use, left + done * use->bytes - origin, right + done * use->bytes - origin, now);
    }
}

/* MPI's functions write the result over the right operand. Where it is to replace the left one, the
 * right one is copied to the scratch memory, as many items at a time as fit there. */
static void combine(void *to, const void *left, const void *right, size_t count, void *context)
{
    struct kp_mpi_use *use = context;
    if (to != left) {
        if (to != right)
            memcpy(to, right, count * use->bytes);
        apply(use, left, to, count);
        return;
    }
    if (use->op->commutative) {
        apply(use, right, to, count);
        return;
    }
    const size_t room = use->bytes < SCRATCH_BYTES ? SCRATCH_BYTES / use->bytes : 1;
    for (size_t done = 0, now; done < count; done += now) {
        const size_t at = done * use->bytes;
        now = count - done < room ? count - done : room;
        memcpy(use->scratch, (const char *)right + at, now * use->bytes);
        apply(use, (char *)to + at, use->scratch, now);
        memcpy((char *)to + at, use->scratch, now * use->bytes);
    }
}

/* --- Reductions --- */

static int reduce_by_program(struct kp_mpi_rank *self, struct kp_mpi_comm *comm,
                             struct kp_mpi_op *op, struct kp_mpi_type *type,
                             struct kp_mpi_reduction *reduction)
{
    const bool one_by_one = type->extent < type->true_extent;
    const size_t wanted =
        one_by_one ? ((size_t)type->true_extent + 15) / 16 * 16 : (size_t)type->extent;
    const size_t bytes = wanted > 0 ? wanted : 1;
    const size_t scratch = bytes < SCRATCH_BYTES ? SCRATCH_BYTES : bytes;
    struct kp_mpi_use *use = malloc(sizeof *use + (op->commutative ? 0 : scratch));
    if (!use)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a reduction");
    *use = (struct kp_mpi_use){.own = {.name = op->name,
                                       .combine = combine,
                                       .context = use,
                                       .element_bytes = bytes,
                                       .commutative = op->commutative},
                               .self = self,
                               .op = op,
                               .type = type,
                               .bytes = bytes,
                               .one_by_one = one_by_one};
    op->references += !op->predefined;
    kp_mpi_type_hold(type);
    *reduction = (struct kp_mpi_reduction){.type = KP_OPAQUE,
                                           .op = &use->own,
                                           .per_item = 1,
                                           .in_place = type->dense,
                                           .bytes = bytes,
                                           .use = use};
    return MPI_SUCCESS;
}

int kp_mpi_reduction_of(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Op handle,
                        struct kp_mpi_type *type, struct kp_mpi_reduction *reduction)
{
    struct kp_mpi_op *op = kp_mpi_op_of(self, handle);
    if (!op)
        return kp_mpi_fail(self, comm, MPI_ERR_OP, "%s",
                           handle == MPI_OP_NULL
                               ? "the operator is MPI_OP_NULL"
                               : "the operator is not valid: it was freed, or never made");
    return (op->predefined ? kp_mpi_reduce_predefined : reduce_by_program)(self, comm, op, type,
                                                                           reduction);
}

void kp_mpi_reduction_release(struct kp_mpi_reduction *reduction)
{
    struct kp_mpi_use *use = reduction->use;
    reduction->use = NULL;
    if (!use)
        return;
    if (use->borrowed)
        kp_mpi_handle_forget(&use->self->tables[KP_MPI_TYPE], use->type->handle);
    kp_mpi_op_release(use->op);
    kp_mpi_type_release(use->type);
    free(use);
}

/* --- Buffers --- */

static void copy(const struct kp_mpi_reduction *reduction, char *buffer, char *data, size_t count,
                 bool loads)
{
    const struct kp_mpi_use *use = reduction->use;
    const struct kp_mpi_type *type = use->type;
    const size_t at_once = use->one_by_one ? 1 : count;
    for (size_t i = 0; i < count; i += at_once) {
        const struct kp_face_position ours = {buffer + i * use->bytes - type->true_lower,
                                              type->layout, 0};
        const struct kp_face_position theirs = {data, type->layout, i * type->size};
        kp_face_layout_copy(loads ? ours : theirs, loads ? theirs : ours, at_once * type->size);
    }
}

void kp_mpi_reduction_load(const struct kp_mpi_reduction *reduction, void *buffer, const void *data,
                           size_t count)
{
    copy(reduction, buffer, (char *)data, count, true);
}

void kp_mpi_reduction_store(const struct kp_mpi_reduction *reduction, void *data,
                            const void *buffer, size_t count)
{
    copy(reduction, (char *)buffer, data, count, false);
}

/* --- Buffers of the program --- */

void kp_mpi_reduction_apply(const struct kp_mpi_reduction *reduction, const void *in, void *inout,
                            size_t count)
{
    struct kp_mpi_use *use = reduction->use;
    if (count == 0)
        return;
    if (!use) {
        kp_face_combine(reduction->op, reduction->type, inout, in, inout,
                        count * reduction->per_item);
        return;
    }
    /* The items lie as the program's function expects them. */
    const size_t most = use->op->large ? PTRDIFF_MAX : INT_MAX, extent = (size_t)use->type->extent;
    for (size_t done = 0, now; done < count; done += now) {
        now = count - done < most ? count - done : most;
        call(use, (const char *)in + done * extent, (char *)inout + done * extent, now);
    }
}

/* Whether two buffers of so many bytes have a byte in common. */
static bool share(const void *a, const void *b, size_t bytes)
{
    const uintptr_t one = (uintptr_t)a, other = (uintptr_t)b;
    return one < other + bytes && other < one + bytes;
}

static int reduce_local(struct kp_mpi_rank *self, const void *inbuf, void *inoutbuf,
                        MPI_Count count, MPI_Datatype datatype, MPI_Op handle)
{
    struct kp_mpi_type *type;
    struct kp_mpi_reduction reduction;
    if (count < 0)
        return kp_mpi_fail(self, NULL, MPI_ERR_COUNT, "count is %lld; it may be 0 or more", count);
    int class = kp_mpi_type_check(self, NULL, datatype, &type);
    if (!class)
        class = kp_mpi_reduction_of(self, NULL, handle, type, &reduction);
    if (class)
        return class;
    if (type->dense && type->size > 0 && share(inbuf, inoutbuf, type->size * (size_t)count)) {
        kp_mpi_reduction_release(&reduction);
        return kp_mpi_fail(self, NULL, MPI_ERR_BUFFER, "inbuf and inoutbuf overlap");
    }
    kp_mpi_reduction_apply(&reduction, inbuf, inoutbuf, (size_t)count);
    kp_mpi_reduction_release(&reduction);
    return MPI_SUCCESS;
}

int MPI_Reduce_local(const void *inbuf, void *inoutbuf, int count, MPI_Datatype datatype, MPI_Op op)
{
    KP_MPI_ENTER(Reduce_local);
    return reduce_local(self, inbuf, inoutbuf, count, datatype, op);
}
KP_MPI_NAMES(Reduce_local);

int MPI_Reduce_local_c(const void *inbuf, void *inoutbuf, MPI_Count count, MPI_Datatype datatype,
                       MPI_Op op)
{
    KP_MPI_ENTER(Reduce_local_c);
    return reduce_local(self, inbuf, inoutbuf, count, datatype, op);
}
KP_MPI_NAMES(Reduce_local_c);
