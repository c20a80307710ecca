/* Distributed graphs. */
#include "lib/mpi/topology.h"

#include <stdlib.h>
#include <string.h>

static int *copy_weights(const int *weights, int count)
{
    return weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY
               ? kp_mpi_copy_ints(weights, count)
               : NULL;
}

static int check_neighbours(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const char *what,
                            int count, const int *ranks)
{
    const int error = kp_mpi_check_intra(self, comm);
    if (error)
        return error;
    if (count < 0)
        return kp_mpi_fail(self, comm, MPI_ERR_ARG, "the number of %s is %d; it may be 0 or more",
                           what, count);
    for (int i = 0; i < count; i++) {
        if (ranks[i] < 0 || ranks[i] >= comm->size)
            return kp_mpi_fail(self, comm, MPI_ERR_RANK,
                               "number %d of the %s is rank %d; it may be 0 ... %d", i, what,
                               ranks[i], comm->size - 1);
    }
    return MPI_SUCCESS;
}

static int attach(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, MPI_Info info,
                  struct kp_mpi_topology *graph, MPI_Comm *newcomm)
{
    struct kp_mpi_comm *made;
    (void)info;
    const int error = kp_mpi_comm_make_of(self, comm, comm->group, &made);
    if (error) {
        kp_mpi_topology_free(graph);
        return error;
    }
    made->topology = graph;
    *newcomm = made->handle;
    return MPI_SUCCESS;
}

static uint64_t edge_hash(int from, int to)
{
    const uint64_t both = ((uint64_t)from << 32 | (uint64_t)to) * UINT64_C(0x9e3779b97f4a7c15);
    return (both ^ both >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
}

/* What two ranks say of their edges. */
struct ends {
    int from, to, outgoing, incoming;
};

/* Names a pair of ranks that say different things. `others` and `all` have room for all ranks. */
static int name_ends(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const int *out,
                     const int *in, int *others, struct ends *all)
{
    struct ends mine = {.from = -1};
    int first = 0;
    kp_mpi_again(self);
    int status = kp_index(comm->group, out, others, sizeof *out, NULL);
    for (int i = comm->size - 1; i >= 0 && !status; i--) {
        if (others[i] != in[i])
            mine = (struct ends){i, comm->rank, others[i], in[i]};
    }
    kp_mpi_again(self);
    if (!status)
        status = kp_concat(comm->group, &mine, all, sizeof mine, NULL);
    if (status)
        return kp_mpi_fail_by(self, comm, status);
    while (first < comm->size - 1 && all[first].from < 0)
        first++;
    mine = all[first];
    return kp_mpi_fail(self, comm, MPI_ERR_NOT_SAME,
                       "rank %d has %d edges to rank %d, and rank %d has %d from rank %d",
                       mine.from, mine.outgoing, mine.to, mine.to, mine.incoming, mine.from);
}

static int tell_ends(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int indegree,
                     const int *sources, int outdegree, const int *destinations)
{
    const size_t n = (size_t)comm->size;
    int *out = calloc(3 * n, sizeof *out);
    struct ends *all = malloc(n * sizeof *all);
    for (int i = 0; out && i < outdegree; i++)
        out[destinations[i]]++;
    for (int i = 0; out && i < indegree; i++)
        (out + n)[sources[i]]++;
    const int error = out && all
                          ? name_ends(self, comm, out, out + n, out + 2 * n, all)
                          : kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
    free(all);
    free(out);
    return error;
}

/* Checks weights, which are 0 or more. */
static int check_weights(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int count,
                         const int *weights)
{
    const bool none = weights == MPI_UNWEIGHTED || weights == MPI_WEIGHTS_EMPTY;
    for (int i = 0; !none && i < count; i++) {
        if (weights[i] < 0)
            return kp_mpi_fail(self, comm, MPI_ERR_ARG, "weight %d is %d; it may be 0 or more", i,
                               weights[i]);
    }
    return MPI_SUCCESS;
}

/* Whether the edges of a rank have weights. A rank without edges does not say. */
enum weighted {
    SAYS_NOTHING,
    UNWEIGHTED,
    WEIGHTED
};

static enum weighted weighted_of(int count, const int *weights)
{
    return count == 0 ? SAYS_NOTHING : weights == MPI_UNWEIGHTED ? UNWEIGHTED : WEIGHTED;
}

static int compare_weighted(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int rank,
                            enum weighted mine, enum weighted its)
{
    if (mine == its || mine == SAYS_NOTHING || its == SAYS_NOTHING)
        return MPI_SUCCESS;
    return kp_mpi_fail(self, comm, MPI_ERR_NOT_SAME,
                       "the weights are %sMPI_UNWEIGHTED; those of rank %d are%s",
                       mine == UNWEIGHTED ? "" : "not ", rank, its == UNWEIGHTED ? "" : " not");
}

/* Compares the ends of all edges: each destination of a rank is a source of the other one. The sum
 * of all hashes is 0 then. */
static int compare_ends(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int indegree,
                        const int *sources, int outdegree, const int *destinations,
                        enum weighted weighted)
{
    struct {
        uint64_t hash;
        enum weighted weighted;
    } mine = {.weighted = weighted}, *all = malloc((size_t)comm->size * sizeof *all);
    uint64_t sum = 0;
    if (!all)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
    for (int i = 0; i < indegree; i++)
        mine.hash += edge_hash(sources[i], comm->rank);
    for (int i = 0; i < outdegree; i++)
        mine.hash -= edge_hash(comm->rank, destinations[i]);
    int error = kp_mpi_share(self, comm, 0, &mine, all, sizeof mine);
    for (int i = 0; i < comm->size && !error; i++) {
        sum += all[i].hash;
        error = compare_weighted(self, comm, i, weighted, all[i].weighted);
    }
    free(all);
    return error || sum == 0 ? error
                             : tell_ends(self, comm, indegree, sources, outdegree, destinations);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm handle, int indegree, const int sources[],
                                   const int sourceweights[], int outdegree,
                                   const int destinations[], const int destweights[], MPI_Info info,
                                   int reorder, MPI_Comm *newcomm)
{
    KP_MPI_ENTER(Dist_graph_create_adjacent);
    KP_MPI_COMM_OF(handle);
    (void)reorder;
    *newcomm = MPI_COMM_NULL;
    int error = check_neighbours(self, comm, "sources", indegree, sources);
    if (error || (error = check_neighbours(self, comm, "destinations", outdegree, destinations)) ||
        (error = check_weights(self, comm, indegree, sourceweights)) ||
        (error = check_weights(self, comm, outdegree, destweights)) ||
        (error = compare_ends(self, comm, indegree, sources, outdegree, destinations,
                              indegree > 0 ? weighted_of(indegree, sourceweights)
                                           : weighted_of(outdegree, destweights))))
        return error;
    struct kp_mpi_topology *graph = calloc(1, sizeof *graph);
    if (!graph)
        return kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
    graph->kind = MPI_DIST_GRAPH;
    graph->source_count = indegree;
    graph->target_count = outdegree;
    graph->sources = kp_mpi_copy_ints(sources, indegree);
    graph->targets = kp_mpi_copy_ints(destinations, outdegree);
    graph->weighted = sourceweights != MPI_UNWEIGHTED && destweights != MPI_UNWEIGHTED;
    graph->source_weights = copy_weights(sourceweights, indegree);
    graph->target_weights = copy_weights(destweights, outdegree);
    return attach(self, comm, info, graph, newcomm);
}
KP_MPI_NAMES(Dist_graph_create_adjacent);

/* --- Edges that any rank names --- */

struct edge {
    int from, to, weight;
};

/* Tells all members all edges. `all` is allocated. */
static int share_edges(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, const struct edge *mine,
                       int count, enum weighted weighted, struct edge **all, int *total)
{
    const size_t n = (size_t)comm->size;
    struct {
        int count;
        enum weighted weighted;
    } own = {count, weighted}, *counts = malloc(n * sizeof *counts);
    size_t *bytes = malloc(n * sizeof *bytes);
    int error = counts && bytes
                    ? kp_mpi_share(self, comm, 0, &own, counts, sizeof own)
                    : kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
    *total = 0;
    *all = NULL;
    for (size_t i = 0; i < n && !error; i++) {
        bytes[i] = (size_t)counts[i].count * sizeof **all;
        *total += counts[i].count;
        error = compare_weighted(self, comm, (int)i, weighted, counts[i].weighted);
    }
    if (!error && !(*all = malloc(((size_t)*total + 1) * sizeof **all)))
        error = kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
    if (!error) {
        kp_mpi_again(self);
        const int status =
            kp_concatv(comm->group, mine, (size_t)count * sizeof *mine, *all, bytes, NULL, NULL);
        error = status ? kp_mpi_fail_by(self, comm, status) : MPI_SUCCESS;
    }
    free(bytes);
    free(counts);
    return error;
}

/* Makes the list of neighbours at one end of this rank's edges. */
static bool choose(const struct edge *all, int total, int rank, bool incoming, int *count,
                   int **ranks, int **weights)
{
    *ranks = malloc(((size_t)total + 1) * sizeof **ranks);
    *weights = malloc(((size_t)total + 1) * sizeof **weights);
    if (!*ranks || !*weights)
        return false;
    for (int i = 0; i < total; i++) {
        if ((incoming ? all[i].to : all[i].from) != rank)
            continue;
        (*ranks)[*count] = incoming ? all[i].from : all[i].to;
        (*weights)[(*count)++] = all[i].weight;
    }
    return true;
}

static int check_degrees(struct kp_mpi_rank *self, struct kp_mpi_comm *comm, int n,
                         const int *degrees)
{
    for (int i = 0; i < n; i++) {
        if (degrees[i] < 0)
            return kp_mpi_fail(self, comm, MPI_ERR_ARG, "degree %d is %d; it may be 0 or more", i,
                               degrees[i]);
    }
    return MPI_SUCCESS;
}

static struct edge *list_edges(int n, const int *sources, const int *degrees,
                               const int *destinations, const int *weights, int *count)
{
    const bool weighted = weights != MPI_UNWEIGHTED && weights != MPI_WEIGHTS_EMPTY;
    *count = 0;
    for (int i = 0; i < n; i++)
        *count += degrees[i];
    struct edge *edges = malloc(((size_t)*count + 1) * sizeof *edges);
    for (int i = 0, at = 0; edges && i < n; i++) {
        for (int j = 0; j < degrees[i]; j++, at++)
            edges[at] = (struct edge){sources[i], destinations[at], weighted ? weights[at] : 0};
    }
    return edges;
}

int MPI_Dist_graph_create(MPI_Comm handle, int n, const int sources[], const int degrees[],
                          const int destinations[], const int weights[], MPI_Info info, int reorder,
                          MPI_Comm *newcomm)
{
    int count, total = 0;
    struct edge *all = NULL;
    KP_MPI_ENTER(Dist_graph_create);
    KP_MPI_COMM_OF(handle);
    (void)reorder;
    *newcomm = MPI_COMM_NULL;
    int error = check_neighbours(self, comm, "sources", n, sources);
    if (error || (error = check_degrees(self, comm, n, degrees)))
        return error;
    struct edge *mine = list_edges(n, sources, degrees, destinations, weights, &count);
    struct kp_mpi_topology *graph = calloc(1, sizeof *graph);
    if (!mine || !graph)
        error = kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
    else if (!(error = check_neighbours(self, comm, "destinations", count, destinations)) &&
             !(error = check_weights(self, comm, count, weights)))
        error = share_edges(self, comm, mine, count, weighted_of(count, weights), &all, &total);
    if (!error) {
        graph->kind = MPI_DIST_GRAPH;
        graph->weighted = weights != MPI_UNWEIGHTED;
        if (!choose(all, total, comm->rank, true, &graph->source_count, &graph->sources,
                    &graph->source_weights) ||
            !choose(all, total, comm->rank, false, &graph->target_count, &graph->targets,
                    &graph->target_weights))
            error = kp_mpi_fail(self, comm, MPI_ERR_NO_MEM, "no memory for a topology");
    }
    free(all);
    free(mine);
    if (!error)
        return attach(self, comm, info, graph, newcomm);
    kp_mpi_topology_free(graph);
    return error;
}
KP_MPI_NAMES(Dist_graph_create);

#define DIST_GRAPH_OF(comm)                                                                        \
    const struct kp_mpi_topology *graph = (comm)->topology;                                        \
    if (!graph || graph->kind != MPI_DIST_GRAPH)                                                   \
    return kp_mpi_no_topology(self, comm, "distributed graph")

int MPI_Dist_graph_neighbors_count(MPI_Comm handle, int *indegree, int *outdegree, int *weighted)
{
    KP_MPI_ENTER(Dist_graph_neighbors_count);
    KP_MPI_COMM_OF(handle);
    DIST_GRAPH_OF(comm);
    *indegree = graph->source_count;
    *outdegree = graph->target_count;
    *weighted = graph->weighted;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Dist_graph_neighbors_count);

static void give(int most, const int *ranks, const int *weights, bool weighted, int count,
                 int *to_ranks, int *to_weights)
{
    for (int i = 0; i < most && i < count; i++) {
        to_ranks[i] = ranks[i];
        if (weighted && weights && to_weights != MPI_UNWEIGHTED && to_weights != MPI_WEIGHTS_EMPTY)
            to_weights[i] = weights[i];
    }
}

int MPI_Dist_graph_neighbors(MPI_Comm handle, int maxindegree, int sources[], int sourceweights[],
                             int maxoutdegree, int destinations[], int destweights[])
{
    KP_MPI_ENTER(Dist_graph_neighbors);
    KP_MPI_COMM_OF(handle);
    DIST_GRAPH_OF(comm);
    give(maxindegree, graph->sources, graph->source_weights, graph->weighted, graph->source_count,
         sources, sourceweights);
    give(maxoutdegree, graph->targets, graph->target_weights, graph->weighted, graph->target_count,
         destinations, destweights);
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Dist_graph_neighbors);
