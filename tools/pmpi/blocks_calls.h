/* The functions of MPI for blocks of one length. blocks.c includes this file for each kind of
 * counts: COUNT is the type of a count, PLACE that of a displacement, and NAME makes the function's
 * name. */

PM_FACE int NAME(MPI_Bcast)(void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part part;
    if (!pm_begin(&call, PM_BCAST, comm) || !pm_root_is(&call, root) ||
        !pm_part_is(&call, &part, buffer, count, type, 1) || pm_is_slower(&call, part.bytes, false))
        return pm_passed(&call, NAME(PMPI_Bcast)(buffer, count, type, root, comm));
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

PM_FACE int NAME(MPI_Gather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype,
                             void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,
                             MPI_Comm comm)
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
    const bool wrong =
        receives && !in_place && pm_is_same_buffer(&call, sendbuf, recvbuf, out.bytes);
    const size_t b = in_place ? in.bytes / (size_t)call.n : out.bytes;
    if (pm_is_slower(&call, b, false))
        goto pass;
    int code = carry_out(&call, KP_GATHER, in_place ? NULL : &out, receives ? &in : NULL, b, root,
                         (size_t)call.rank * (size_t)(receives ? recvcount : 0),
                         (size_t)(receives ? recvcount : 0));
    if (!wrong)
        return code;
pass:
    return pm_passed(&call, NAME(PMPI_Gather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                              recvtype, root, comm));
}

PM_FACE int NAME(MPI_Scatter)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype,
                              void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, int root,
                              MPI_Comm comm)
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
    const bool wrong = sends && !in_place && pm_is_same_buffer(&call, sendbuf, recvbuf, in.bytes);
    const size_t b = in_place ? out.bytes / (size_t)call.n : in.bytes;
    if (pm_is_slower(&call, b, false))
        goto pass;
    int code =
        carry_out(&call, KP_SCATTER, sends ? &out : NULL, in_place ? NULL : &in, b, root, 0, 0);
    if (!wrong)
        return code;
pass:
    return pm_passed(&call, NAME(PMPI_Scatter)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                               recvtype, root, comm));
}

PM_FACE int NAME(MPI_Allgather)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype,
                                void *recvbuf, COUNT recvcount, MPI_Datatype recvtype,
                                MPI_Comm comm)
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
    return pm_passed(&call, NAME(PMPI_Allgather)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                 recvtype, comm));
}

PM_FACE int NAME(MPI_Alltoall)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype,
                               void *recvbuf, COUNT recvcount, MPI_Datatype recvtype, MPI_Comm comm)
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
    return pm_passed(&call, NAME(PMPI_Alltoall)(sendbuf, sendcount, sendtype, recvbuf, recvcount,
                                                recvtype, comm));
}
