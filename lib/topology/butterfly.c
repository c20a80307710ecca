/* The circuit-switched butterfly: n inputs, n outputs, and log n levels of edges between them.
 *
 * Source: Rao, Suel, Tsantilas and Goudreau 1995, section 2. Processor p is connected to row p of
 * the inputs and to row p of the outputs. Two edges lead from row r of level i to level i + 1: the
 * straight edge to row r, and the cross edge to row r xor 2^i. So there is exactly one path from
 * each input to each output. A step can set up any paths that share no edge. Each input has two
 * edges, and so has each output. So a processor may send two messages and receive two messages in a
 * step.
 *
 * A total exchange takes n / 2 steps, because two permutations x -> x xor s fit into one step: one
 * for s, and one for the complement of s. A path for s crosses at level i exactly if bit i of s is
 * 1, so the two permutations share no edge. The check in this file does not use this fact. It marks
 * the edges of every path. */
#include "lib/topology/rules.h"

#include "ports/port.h"

#include <stdlib.h>
#include <string.h>

static const char *serves(const kp_topology *topology, int n)
{
    (void)topology;
    return (n & (n - 1)) == 0 ? NULL : "n a power of 2";
}

static int levels_of(int n)
{
    int levels = 0;
    while ((1 << levels) < n)
        levels++;
    return levels;
}

/* The edges that paths use in this round. An element of `taken` stands for a level, a row and a
 * direction. It is 0, or the rank + 1 of the sender whose path uses the edge. */
struct edges {
    int *taken;
    int n, levels;
};

/* Returns the edge of a path at a level. The path has passed the levels below. So in its row the
 * bits below `level` are those of `to`, and the other bits are those of `from`. */
static int *edge_of(const struct edges *edges, int from, int to, int level)
{
    int below = (1 << level) - 1, row = (from & ~below) | (to & below);
    int crosses = ((from ^ to) >> level) & 1;
    return &edges->taken[((size_t)level * (size_t)edges->n + (size_t)row) * 2 + (size_t)crosses];
}

static int lay_path(const struct edges *edges, int round, int from, int to)
{
    for (int level = 0; level < edges->levels; level++) {
        int *edge = edge_of(edges, from, to, level), below = (1 << level) - 1;
        int row = (from & ~below) | (to & below),
            next = (row & ~(1 << level)) | (to & (1 << level));
        if (*edge > 0)
            return kp_topology_refuse(
                round, from, to,
                "sends to %d through the edge of level %d from row %d to row %d, which the path of "
                "processor %d takes already",
                to, level, row, next, *edge - 1);
        *edge = from + 1;
    }
    return KP_OK;
}

static int check_round(const kp_topology *t, const kp_schedule *schedule, int round)
{
    (void)t;
    int n = kp_schedule_problem(schedule)->n, status = KP_OK;
    struct edges edges = {.n = n, .levels = levels_of(n)};
    edges.taken = calloc((size_t)n * (size_t)edges.levels * 2 + 1, sizeof *edges.taken);
    if (!edges.taken)
        return kp_set_error(KP_EMEMORY, "no memory for the edges of a butterfly of %d rows", n);
    for (int rank = 0; rank < n && !status; rank++) {
        for (int i = 0; i < kp_schedule_sends(schedule, rank, round) && !status; i++)
            status = lay_path(&edges, round, rank, kp_schedule_send(schedule, rank, round, i).peer);
    }
    free(edges.taken);
    return status;
}

const kp_topology kp_topology_butterfly = {
    .name = "butterfly",
    .summary = "2^d inputs and outputs, d levels of edges, one path between any two",
    .port_rule = "the paths of a round share no edge",
    .serves = serves,
    .links = kp_links_all,
    .check_round = check_round,
};
