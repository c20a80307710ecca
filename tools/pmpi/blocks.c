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
    pm_count_taken(PM_BARRIER, NULL);
    return pm_end(&call, group ? kp_barrier(group) : KP_OK);
}

PM_FACE int MPI_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part part;
    if (!pm_begin(&call, PM_BCAST, comm) || !pm_root_is(&call, root) ||
        !pm_part_is(&call, &part, buffer, count, type, 1) || pm_is_slower(&call, part.bytes, false))
        return pm_passed(&call, PMPI_Bcast(buffer, count, type, root, comm));
    const bool sends = call.rank == root;
    if (part.bytes == 0) {
        pm_count_taken(PM_BCAST, NULL);
        return MPI_SUCCESS;
    }
    if (sends)
        pm_part_read(&call, &part);
    else
        pm_part_place(&call, &part);
    int status = move(&call, KP_BROADCAST, NULL, &part, part.bytes, root);
    if (!sends && status == KP_OK)
        pm_part_store(&call, &part);
    return pm_end(&call, status);
}

PM_FACE int MPI_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                       int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part out, in;
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_GATHER, comm) || !pm_root_is(&call, root))
        goto pass;
    const bool receives = call.rank == root;
    if (in_place && !receives && !pm_pass(&call, PM_WRONG))
        goto pass;
    if (!in_place && !pm_part_is(&call, &out, sendbuf, sendcount, sendtype, 1))
        goto pass;
    if (receives && !pm_part_is(&call, &in, recvbuf, recvcount, recvtype, call.n))
        goto pass;
    if (receives && !in_place && pm_same_buffer(&call, sendbuf, recvbuf, out.bytes))
        goto pass;
    const size_t b = in_place ? in.bytes / (size_t)call.n : out.bytes;
    if (pm_is_slower(&call, b, false))
        goto pass;
    return carry_out(&call, KP_GATHER, in_place ? NULL : &out, receives ? &in : NULL, b, root,
                     (size_t)call.rank * (size_t)(receives ? recvcount : 0),
                     (size_t)(receives ? recvcount : 0));
pass:
    return pm_passed(
        &call, PMPI_Gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm));
}

PM_FACE int MPI_Scatter(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                        int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part out, in;
    const bool in_place = recvbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_SCATTER, comm) || !pm_root_is(&call, root))
        goto pass;
    const bool sends = call.rank == root;
    if (in_place && !sends && !pm_pass(&call, PM_WRONG))
        goto pass;
    if (sends && !pm_part_is(&call, &out, sendbuf, sendcount, sendtype, call.n))
        goto pass;
    if (!in_place && !pm_part_is(&call, &in, recvbuf, recvcount, recvtype, 1))
        goto pass;
    if (sends && !in_place && pm_same_buffer(&call, sendbuf, recvbuf, in.bytes))
        goto pass;
    const size_t b = in_place ? out.bytes / (size_t)call.n : in.bytes;
    if (pm_is_slower(&call, b, false))
        goto pass;
    return carry_out(&call, KP_SCATTER, sends ? &out : NULL, in_place ? NULL : &in, b, root, 0, 0);
pass:
    return pm_passed(&call, PMPI_Scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype,
                                         root, comm));
}

PM_FACE int MPI_Allgather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                          int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part out, in;
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_ALLGATHER, comm) ||
        !pm_part_is(&call, &in, recvbuf, recvcount, recvtype, call.n))
        goto pass;
    if (!in_place && (!pm_part_is(&call, &out, sendbuf, sendcount, sendtype, 1) ||
                      pm_same_buffer(&call, sendbuf, recvbuf, out.bytes)))
        goto pass;
    if (pm_is_slower(&call, in.bytes, false))
        goto pass;
    return carry_out(&call, KP_CONCAT, in_place ? NULL : &out, &in, in.bytes / (size_t)call.n, 0,
                     (size_t)call.rank * (size_t)recvcount, (size_t)recvcount);
pass:
    return pm_passed(
        &call, PMPI_Allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}

PM_FACE int MPI_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         int recvcount, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part out, in;
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_ALLTOALL, comm) ||
        !pm_part_is(&call, &in, recvbuf, recvcount, recvtype, call.n))
        goto pass;
    if (!in_place && (!pm_part_is(&call, &out, sendbuf, sendcount, sendtype, call.n) ||
                      pm_same_buffer(&call, sendbuf, recvbuf, out.bytes)))
        goto pass;
    if (pm_is_slower(&call, in.bytes, false))
        goto pass;
    return carry_out(&call, KP_INDEX, in_place ? NULL : &out, &in, in.bytes / (size_t)call.n, 0, 0,
                     in.count);
pass:
    return pm_passed(
        &call, PMPI_Alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm));
}
