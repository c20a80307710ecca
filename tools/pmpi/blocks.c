/* The collectives that move blocks of one length. */
#include "pmpi.h"

/* Makes the call. `out` or `in` may be NULL: in place, or not significant at this member. */
static int move(struct pm_call *call, kp_operation operation, struct pm_part *out,
                struct pm_part *in, size_t b, int root)
{
    kp_group *group = pm_group(call);
    if (!group)
        return KP_OK;
    const kp_problem problem = {
        .operation = operation, .n = call->n, .k = kp_ports(group), .b = b, .root = root};
    const kp_hints *hints = pm_hints(&problem);
    const void *from = out ? out->data : KP_IN_PLACE;
    void *to = in ? in->data : KP_IN_PLACE;
    pm_count_taken(call->operation, &problem);
    switch ((int)operation) {
    case KP_INDEX:
        return kp_index(group, from, to, b, hints);
    case KP_CONCAT:
        return kp_concat(group, from, to, b, hints);
    case KP_SCATTER:
        return kp_scatter(group, call->rank == root ? from : NULL, to, b, root, hints);
    case KP_GATHER:
        return kp_gather(group, from, call->rank == root ? to : NULL, b, root, hints);
    default:
        return kp_broadcast(group, to, b, root, hints);
    }
}

/* Checks that this member sends itself as much as it receives from itself. */
static bool agree(struct pm_call *call, kp_operation operation, const struct pm_part *out,
                  const struct pm_part *in)
{
    const size_t n = (size_t)call->n;
    const size_t sent = !out                                               ? 0
                        : operation == KP_INDEX || operation == KP_SCATTER ? out->bytes / n
                                                                           : out->bytes;
    const size_t received = !in ? 0 : operation == KP_SCATTER ? in->bytes : in->bytes / n;
    if (out && in && sent != received)
        pm_fail(call, MPI_ERR_TRUNCATE, "a member's block has not the length that it expects");
    return call->code == MPI_SUCCESS;
}

/* Prepares the buffers, makes the call and brings what has arrived to the program's buffer. In
 * place, the elements `own` ... `own + count - 1` of the incoming buffer are outgoing. */
static int carry_out(struct pm_call *call, kp_operation operation, struct pm_part *out,
                     struct pm_part *in, size_t b, int root, size_t own, size_t count)
{
    if (!agree(call, operation, out, in))
        return call->code;
    if (b == 0) {
        pm_count_taken(call->operation, NULL);
        return MPI_SUCCESS;
    }
    if (out)
        pm_part_read(call, out);
    if (in)
        pm_part_place(call, in);
    if (out && in)
        pm_part_separate(call, out, in);
    else if (in)
        pm_part_fill(call, in, own, count);
    int status = move(call, operation, out, in, b, root);
    if (in && status == KP_OK)
        pm_part_store(call, in);
    return pm_end(call, status);
}

PM_FACE int MPI_Barrier(MPI_Comm comm)
{
    struct pm_call call;
    if (!pm_begin(&call, PM_BARRIER, comm) || pm_is_slower(&call, 1, false))
        return pm_passed(&call, PMPI_Barrier(comm));
    kp_group *group = pm_group(&call);
    const kp_problem problem = {
        .operation = KP_BARRIER, .n = call.n, .k = group ? kp_ports(group) : 1};
    const kp_hints *hints = pm_hints(&problem);
    pm_count_taken(PM_BARRIER, hints ? &problem : NULL);
    if (!group)
        return pm_end(&call, KP_OK);
    return pm_end(&call, hints ? kp_barrier_scheduled(group, hints) : kp_barrier(group));
}

#define COUNT          int
#define PLACE          int
#define NAME(function) function
#include "blocks_calls.h"
#undef COUNT
#undef PLACE
#undef NAME

#if MPI_VERSION >= 4
#define COUNT          MPI_Count
#define PLACE          MPI_Aint
#define NAME(function) function##_c
#include "blocks_calls.h"
#endif
