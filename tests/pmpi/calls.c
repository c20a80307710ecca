/* Makes a call, as the program's or as the MPI's own. */
#include "differential.h"

const char *const operation_names[OPERATIONS] = {
    "Allgather", "Allgatherv", "Alltoall",       "Alltoallv",
    "Alltoallw", "Barrier",    "Bcast",          "Gather",
    "Gatherv",   "Scatter",    "Scatterv",       "Allreduce",
    "Exscan",    "Reduce",     "Reduce_scatter", "Reduce_scatter_block",
    "Scan"};

#define EITHER(NAME, ...) (own ? PMPI_##NAME(__VA_ARGS__) : MPI_##NAME(__VA_ARGS__))

static int combine(const struct call *c, bool own)
{
    const void *send = c->in_place ? MPI_IN_PLACE : c->send;
    switch (c->operation) {
    case ALLREDUCE:
        return EITHER(Allreduce, send, c->recv, c->recv_count, c->recv_type, c->op, c->comm);
    case EXSCAN:
        return EITHER(Exscan, send, c->recv, c->recv_count, c->recv_type, c->op, c->comm);
    case REDUCE:
        return EITHER(Reduce, c->rank == c->root ? send : c->send, c->recv, c->recv_count,
                      c->recv_type, c->op, c->root, c->comm);
    case REDUCE_SCATTER:
        return EITHER(Reduce_scatter, send, c->recv, c->recv_counts, c->recv_type, c->op, c->comm);
    case REDUCE_SCATTER_BLOCK:
        return EITHER(Reduce_scatter_block, send, c->recv, c->recv_count, c->recv_type, c->op,
                      c->comm);
    default:
        return EITHER(Scan, send, c->recv, c->recv_count, c->recv_type, c->op, c->comm);
    }
}

static int move_lengths(const struct call *c, bool own)
{
    const bool at_root = c->rank == c->root;
    const void *send = c->in_place ? MPI_IN_PLACE : c->send;
    switch (c->operation) {
    case ALLGATHERV:
        return EITHER(Allgatherv, send, c->send_count, c->send_type, c->recv, c->recv_counts,
                      c->recv_places, c->recv_type, c->comm);
    case ALLTOALLV:
        return EITHER(Alltoallv, send, c->send_counts, c->send_places, c->send_type, c->recv,
                      c->recv_counts, c->recv_places, c->recv_type, c->comm);
    case ALLTOALLW:
        return EITHER(Alltoallw, send, c->send_counts, c->send_places, c->send_types, c->recv,
                      c->recv_counts, c->recv_places, c->recv_types, c->comm);
    case GATHERV:
        return EITHER(Gatherv, at_root ? send : c->send, c->send_count, c->send_type, c->recv,
                      c->recv_counts, c->recv_places, c->recv_type, c->root, c->comm);
    default:
        return EITHER(Scatterv, c->send, c->send_counts, c->send_places, c->send_type,
                      at_root && c->in_place ? MPI_IN_PLACE : c->recv, c->recv_count, c->recv_type,
                      c->root, c->comm);
    }
}

int make_call(const struct call *c, bool own)
{
    const bool at_root = c->rank == c->root;
    const void *send = c->in_place ? MPI_IN_PLACE : c->send;
    switch (c->operation) {
    case ALLGATHER:
        return EITHER(Allgather, send, c->send_count, c->send_type, c->recv, c->recv_count,
                      c->recv_type, c->comm);
    case ALLTOALL:
        return EITHER(Alltoall, send, c->send_count, c->send_type, c->recv, c->recv_count,
                      c->recv_type, c->comm);
    case BARRIER:
        return EITHER(Barrier, c->comm);
    case BCAST:
        return EITHER(Bcast, c->recv, c->recv_count, c->recv_type, c->root, c->comm);
    case GATHER:
        return EITHER(Gather, at_root ? send : c->send, c->send_count, c->send_type, c->recv,
                      c->recv_count, c->recv_type, c->root, c->comm);
    case SCATTER:
        return EITHER(Scatter, c->send, c->send_count, c->send_type,
                      at_root && c->in_place ? MPI_IN_PLACE : c->recv, c->recv_count, c->recv_type,
                      c->root, c->comm);
    default:
        return c->operation >= ALLREDUCE ? combine(c, own) : move_lengths(c, own);
    }
}
