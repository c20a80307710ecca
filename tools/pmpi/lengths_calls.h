/* The functions of MPI for blocks with lengths of their own. lengths.c includes this file for each
 * kind of counts: COUNT is the type of a count, PLACE that of a displacement, and NAME makes the
 * function's name. */

PM_FACE int NAME(MPI_Allgatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype,
                                 void *recvbuf, const COUNT *recvcounts, const PLACE *displs,
                                 MPI_Datatype recvtype, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part out;
    struct blocks in = {.user = recvbuf,
                        .counts = PM_NUMBERS(recvcounts),
                        .displacements = PM_NUMBERS(displs),
                        .type = recvtype};
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_ALLGATHERV, comm) || !blocks_are(&call, &in) ||
        (!in_place && (!pm_part_is(&call, &out, sendbuf, sendcount, sendtype, 1) ||
                       pm_same_buffer(&call, sendbuf, recvbuf, out.bytes))))
        return NAME(PMPI_Allgatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs,
                                     recvtype, comm);
    return gather(&call, KP_CONCATV, in_place ? NULL : &out, &in, 0);
}

PM_FACE int NAME(MPI_Gatherv)(const void *sendbuf, COUNT sendcount, MPI_Datatype sendtype,
                              void *recvbuf, const COUNT *recvcounts, const PLACE *displs,
                              MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part out;
    struct blocks in = {.user = recvbuf,
                        .counts = PM_NUMBERS(recvcounts),
                        .displacements = PM_NUMBERS(displs),
                        .type = recvtype};
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_GATHERV, comm) || !pm_root_is(&call, root))
        goto pass;
    const bool receives = call.rank == root;
    if (in_place && !receives && !pm_pass(&call, PM_WRONG))
        goto pass;
    if (receives && !blocks_are(&call, &in))
        goto pass;
    if (!in_place && !pm_part_is(&call, &out, sendbuf, sendcount, sendtype, 1))
        goto pass;
    int code = gather(&call, KP_GATHERV, in_place ? NULL : &out, &in, root);
    if (in_place || !receives || !pm_is_same_buffer(&call, sendbuf, recvbuf, out.bytes))
        return code;
pass:
    return NAME(PMPI_Gatherv)(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype,
                              root, comm);
}

PM_FACE int NAME(MPI_Scatterv)(const void *sendbuf, const COUNT *sendcounts, const PLACE *displs,
                               MPI_Datatype sendtype, void *recvbuf, COUNT recvcount,
                               MPI_Datatype recvtype, int root, MPI_Comm comm)
{
    struct pm_call call;
    struct pm_part in;
    struct blocks out = {.user = (char *)sendbuf,
                         .counts = PM_NUMBERS(sendcounts),
                         .displacements = PM_NUMBERS(displs),
                         .type = sendtype};
    const bool in_place = recvbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_SCATTERV, comm) || !pm_root_is(&call, root))
        goto pass;
    const bool sends = call.rank == root;
    if (in_place && !sends && !pm_pass(&call, PM_WRONG))
        goto pass;
    if (sends && !blocks_are(&call, &out))
        goto pass;
    if (!in_place && !pm_part_is(&call, &in, recvbuf, recvcount, recvtype, 1))
        goto pass;
    int code = scatter(&call, &out, in_place ? NULL : &in, root);
    if (in_place || !sends || !pm_is_same_buffer(&call, sendbuf, recvbuf, in.bytes))
        return code;
pass:
    return NAME(PMPI_Scatterv)(sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype,
                               root, comm);
}

PM_FACE int NAME(MPI_Alltoallv)(const void *sendbuf, const COUNT *sendcounts, const PLACE *sdispls,
                                MPI_Datatype sendtype, void *recvbuf, const COUNT *recvcounts,
                                const PLACE *rdispls, MPI_Datatype recvtype, MPI_Comm comm)
{
    struct pm_call call;
    struct blocks out = {.user = (char *)sendbuf,
                         .counts = PM_NUMBERS(sendcounts),
                         .displacements = PM_NUMBERS(sdispls),
                         .type = sendtype};
    struct blocks in = {.user = recvbuf,
                        .counts = PM_NUMBERS(recvcounts),
                        .displacements = PM_NUMBERS(rdispls),
                        .type = recvtype};
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_ALLTOALLV, comm) || !blocks_are(&call, &in) ||
        (!in_place &&
         (!blocks_are(&call, &out) || pm_same_buffer(&call, sendbuf, recvbuf, sendbuf != NULL))))
        return NAME(PMPI_Alltoallv)(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts,
                                    rdispls, recvtype, comm);
    return exchange(&call, in_place ? NULL : &out, &in);
}

PM_FACE int NAME(MPI_Alltoallw)(const void *sendbuf, const COUNT *sendcounts, const PLACE *sdispls,
                                const MPI_Datatype *sendtypes, void *recvbuf,
                                const COUNT *recvcounts, const PLACE *rdispls,
                                const MPI_Datatype *recvtypes, MPI_Comm comm)
{
    struct pm_call call;
    struct blocks out = {.user = (char *)sendbuf,
                         .counts = PM_NUMBERS(sendcounts),
                         .displacements = PM_NUMBERS(sdispls),
                         .types = sendtypes};
    struct blocks in = {.user = recvbuf,
                        .counts = PM_NUMBERS(recvcounts),
                        .displacements = PM_NUMBERS(rdispls),
                        .types = recvtypes};
    const bool in_place = sendbuf == MPI_IN_PLACE;
    if (!pm_begin(&call, PM_ALLTOALLW, comm) || (!in_place && !sendtypes) || !recvtypes ||
        !blocks_are(&call, &in) || (!in_place && !blocks_are(&call, &out)))
        return NAME(PMPI_Alltoallw)(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts,
                                    rdispls, recvtypes, comm);
    return exchange(&call, in_place ? NULL : &out, &in);
}
