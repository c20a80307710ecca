/* Topologies: what all three kinds have in common, and graphs. */
#include "lib/mpi/topology.h"

#include "lib/mpi/comm.h"

#include <stdlib.h>
#include <string.h>

void kp_mpi_topology_free(struct kp_mpi_topology *topology)
{
    if (!topology)
        return;
    free(topology->dims);
    free(topology->periods);
    free(topology->index);
    free(topology->edges);
    free(topology->sources);
    free(topology->targets);
    free(topology->source_weights);
    free(topology->target_weights);
    free(topology);
}

int *kp_mpi_copy_ints(const int *from, int count)
{
    int *to = malloc(((size_t)count + 1) * sizeof *to);
    if (to && count > 0)
        memcpy(to, from, (size_t)count * sizeof *to);
    return to;
}

/* Copies an array that may be NULL. Returns false if there is no memory. */
static bool copy_array(int **to, const int *from, int count)
{
    *to = from ? kp_mpi_copy_ints(from, count) : NULL;
    return *to || !from;
}

struct kp_mpi_topology *kp_mpi_topology_copy(const struct kp_mpi_topology *from)
{
    struct kp_mpi_topology *to = malloc(sizeof *to);
    if (!to)
        return NULL;
    *to = *from;
    bool all = copy_array(&to->dims, from->dims, from->dimensions);
    all = copy_array(&to->periods, from->periods, from->dimensions) && all;
    all = copy_array(&to->index, from->index, from->nodes) && all;
    all = copy_array(&to->edges, from->edges, from->edge_count) && all;
    all = copy_array(&to->sources, from->sources, from->source_count) && all;
    all = copy_array(&to->targets, from->targets, from->target_count) && all;
    all = copy_array(&to->source_weights, from->source_weights, from->source_count) && all;
    all = copy_array(&to->target_weights, from->target_weights, from->target_count) && all;
    if (all)
        return to;
    kp_mpi_topology_free(to);
    return NULL;
}

int kp_mpi_no_topology(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const char *kind)
{
    return kp_mpi_fail(self, comm, MPI_ERR_TOPOLOGY, "the communicator has no %s", kind);
}

int MPI_Topo_test(MPI_Comm handle, int *status)
{
    KP_MPI_ENTER(Topo_test);
    KP_MPI_COMM_OF(handle);
    *status = comm->topology ? comm->topology->kind : MPI_UNDEFINED;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Topo_test);

/* --- Graphs --- */

#define GRAPH_OF(comm)                                                                             \
    const struct kp_mpi_topology *graph = (comm)->topology;                                        \
    if (!graph || graph->kind != MPI_GRAPH)                                                        \
    return kp_mpi_no_topology(self, comm, "graph")

static int check_graph(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int nnodes,
                       const int *index, const int *edges)
{
    if (nnodes < 0 || nnodes > comm->size)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG, "the number of nodes is %d; it may be 0 ... %d",
                           nnodes, comm->size);
    for (int i = 0; i < nnodes; i++) {
        if (index[i] < (i > 0 ? index[i - 1] : 0))
            return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                               "index %d is %d; the indices may not decrease", i, index[i]);
    }
    for (int i = 0; nnodes > 0 && i < index[nnodes - 1]; i++) {
        if (edges[i] < 0 || edges[i] >= nnodes)
            return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                               "edge %d leads to node %d; it may be 0 ... %d", i, edges[i],
                               nnodes - 1);
    }
    return MPI_SUCCESS;
}

static struct kp_mpi_topology *make_graph(int nnodes, const int *index, const int *edges, int rank)
{
    struct kp_mpi_topology *graph = calloc(1, sizeof *graph);
    if (!graph)
        return NULL;
    const int begin = rank > 0 ? index[rank - 1] : 0, count = index[rank] - begin;
    graph->kind = MPI_GRAPH;
    graph->nodes = nnodes;
    graph->edge_count = index[nnodes - 1];
    graph->source_count = graph->target_count = count;
    graph->index = kp_mpi_copy_ints(index, nnodes);
    graph->edges = kp_mpi_copy_ints(edges, graph->edge_count);
    graph->sources = kp_mpi_copy_ints(edges + begin, count);
    graph->targets = kp_mpi_copy_ints(edges + begin, count);
    if (graph->index && graph->edges && graph->sources && graph->targets)
        return graph;
    kp_mpi_topology_free(graph);
    return NULL;
}

static uint64_t hash_of(int nnodes, const int *index, const int *edges, int reorder)
{
    uint64_t hash = (uint64_t)nnodes * 2 + (reorder != 0);
    for (int i = 0; i < nnodes; i++)
        hash = hash * 31 + (uint64_t)index[i];
    for (int i = 0; nnodes > 0 && i < index[nnodes - 1]; i++)
        hash = hash * 31 + (uint64_t)edges[i];
    return hash;
}

int MPI_Graph_create(MPI_Comm handle, int nnodes, const int index[], const int edges[], int reorder,
                     MPI_Comm *newcomm)
{
    struct kp_mpi_comm *made;
    KP_MPI_ENTER(Graph_create);
    KP_MPI_COMM_OF(handle);
    *newcomm = MPI_COMM_NULL;
    int error = kp_mpi_check_intra(self, comm);
    if (error || (error = check_graph(self, comm, nnodes, index, edges)) ||
        (error = kp_mpi_comm_split(self, comm, comm->rank < nnodes ? 0 : MPI_UNDEFINED, comm->rank,
                                   hash_of(nnodes, index, edges, reorder), &made)))
        return error;
    if (!made)
        return MPI_SUCCESS;
    made->topology = make_graph(nnodes, index, edges, made->rank);
    *newcomm = made->handle;
    return made->topology ? MPI_SUCCESS
                          : kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
}
KP_MPI_NAMES(Graph_create);

int MPI_Graph_map(MPI_Comm handle, int nnodes, const int index[], const int edges[], int *newrank)
{
    KP_MPI_ENTER(Graph_map);
    KP_MPI_COMM_OF(handle);
    const int error = check_graph(self, comm, nnodes, index, edges);
    *newrank = comm->rank < nnodes ? comm->rank : MPI_UNDEFINED;
    return error;
}
KP_MPI_NAMES(Graph_map);

int MPI_Graphdims_get(MPI_Comm handle, int *nnodes, int *nedges)
{
    KP_MPI_ENTER(Graphdims_get);
    KP_MPI_COMM_OF(handle);
    GRAPH_OF(comm);
    *nnodes = graph->nodes;
    *nedges = graph->edge_count;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Graphdims_get);

int MPI_Graph_get(MPI_Comm handle, int maxindex, int maxedges, int index[], int edges[])
{
    KP_MPI_ENTER(Graph_get);
    KP_MPI_COMM_OF(handle);
    GRAPH_OF(comm);
    for (int i = 0; i < maxindex && i < graph->nodes; i++)
        index[i] = graph->index[i];
    for (int i = 0; i < maxedges && i < graph->edge_count; i++)
        edges[i] = graph->edges[i];
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Graph_get);

int MPI_Graph_neighbors_count(MPI_Comm handle, int rank, int *count)
{
    KP_MPI_ENTER(Graph_neighbors_count);
    KP_MPI_COMM_OF(handle);
    GRAPH_OF(comm);
    if (rank < 0 || rank >= comm->size)
        return kp_mpi_fail(self, comm, MPI_ERR_RANK, "the rank is %d; it may be 0 ... %d", rank,
                           comm->size - 1);
    *count = graph->index[rank] - (rank > 0 ? graph->index[rank - 1] : 0);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Graph_neighbors_count);

int MPI_Graph_neighbors(MPI_Comm handle, int rank, int most, int neighbours[])
{
    KP_MPI_ENTER(Graph_neighbors);
    KP_MPI_COMM_OF(handle);
    GRAPH_OF(comm);
    if (rank < 0 || rank >= comm->size)
        return kp_mpi_fail(self, comm, MPI_ERR_RANK, "the rank is %d; it may be 0 ... %d", rank,
                           comm->size - 1);
    if (most < 0)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG,
                           "the number of neighbours is %d; it may be 0 or more", most);
    const int begin = rank > 0 ? graph->index[rank - 1] : 0;
    for (int i = 0; i < most && begin + i < graph->index[rank]; i++)
        neighbours[i] = graph->edges[begin + i];
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Graph_neighbors);
