/* The functions of MPI for reductions. reduce.c includes this file for each kind of counts: COUNT
 * is the type of a count, PLACE that of a displacement, and NAME makes the function's name. */

PM_FACE int NAME(MPI_Reduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype type,
                             MPI_Op op, int root, MPI_Comm comm)
{
    struct pm_call call;
    struct reduction r = {.operation = KP_REDUCE, .send = sendbuf, .recv = recvbuf, .root = root};
    if (!pm_begin(&call, PM_REDUCE, comm) || !pm_root_is(&call, root))
        return pm_passed(&call, NAME(PMPI_Reduce)(sendbuf, recvbuf, count, type, op, root, comm));
    r.receives = call.rank == root;
    if (!r.receives)
        r.recv = NULL;
    if (!reduction_is(&call, &r, count, type, op) || is_slower(&call, &r))
        return pm_passed(&call, NAME(PMPI_Reduce)(sendbuf, recvbuf, count, type, op, root, comm));
    int code = carry_out(&call, &r);
    if (!r.receives || !pm_is_same_buffer(&call, sendbuf, recvbuf, r.sent))
        return code;
    return pm_passed(&call, NAME(PMPI_Reduce)(sendbuf, recvbuf, count, type, op, root, comm));
}

PM_FACE int NAME(MPI_Allreduce)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype type,
                                MPI_Op op, MPI_Comm comm)
{
    struct pm_call call;
    struct reduction r = {
        .operation = KP_ALLREDUCE, .send = sendbuf, .recv = recvbuf, .receives = true};
    if (!pm_begin(&call, PM_ALLREDUCE, comm) || !reduction_is(&call, &r, count, type, op) ||
        is_slower(&call, &r))
        return pm_passed(&call, NAME(PMPI_Allreduce)(sendbuf, recvbuf, count, type, op, comm));
    return carry_out(&call, &r);
}

PM_FACE int NAME(MPI_Scan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype type,
                           MPI_Op op, MPI_Comm comm)
{
    struct pm_call call;
    struct reduction r = {.operation = KP_SCAN, .send = sendbuf, .recv = recvbuf, .receives = true};
    if (!pm_begin(&call, PM_SCAN, comm) || !reduction_is(&call, &r, count, type, op) ||
        is_slower(&call, &r))
        return pm_passed(&call, NAME(PMPI_Scan)(sendbuf, recvbuf, count, type, op, comm));
    return carry_out(&call, &r);
}

PM_FACE int NAME(MPI_Exscan)(const void *sendbuf, void *recvbuf, COUNT count, MPI_Datatype type,
                             MPI_Op op, MPI_Comm comm)
{
    struct pm_call call;
    struct reduction r = {.operation = KP_SCAN_EXCLUSIVE, .send = sendbuf, .recv = recvbuf};
    if (!pm_begin(&call, PM_EXSCAN, comm))
        return pm_passed(&call, NAME(PMPI_Exscan)(sendbuf, recvbuf, count, type, op, comm));
    r.receives = call.rank > 0;
    if (!reduction_is(&call, &r, count, type, op) || is_slower(&call, &r))
        return pm_passed(&call, NAME(PMPI_Exscan)(sendbuf, recvbuf, count, type, op, comm));
    return carry_out(&call, &r);
}

PM_FACE int NAME(MPI_Reduce_scatter_block)(const void *sendbuf, void *recvbuf, COUNT recvcount,
                                           MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct pm_call call;
    struct reduction r = {
        .operation = KP_REDUCE_SCATTER, .send = sendbuf, .recv = recvbuf, .receives = true};
    if (!pm_begin(&call, PM_REDUCE_SCATTER_BLOCK, comm) ||
        !reduction_is(&call, &r, recvcount, type, op) || is_slower(&call, &r))
        return pm_passed(
            &call, NAME(PMPI_Reduce_scatter_block)(sendbuf, recvbuf, recvcount, type, op, comm));
    r.sent = r.count * (size_t)call.n;
    return carry_out(&call, &r);
}

PM_FACE int NAME(MPI_Reduce_scatter)(const void *sendbuf, void *recvbuf, const COUNT *recvcounts,
                                     MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    struct pm_call call;
    struct reduction r = {
        .operation = KP_REDUCE_SCATTER, .send = sendbuf, .recv = recvbuf, .receives = true};
    if (!pm_begin(&call, PM_REDUCE_SCATTER, comm) ||
        !parts_are(&call, &r, PM_NUMBERS(recvcounts), type, op) || is_slower(&call, &r))
        return pm_passed(&call,
                         NAME(PMPI_Reduce_scatter)(sendbuf, recvbuf, recvcounts, type, op, comm));
    return carry_out(&call, &r);
}
