/* The circuit-switched butterfly: n inputs, n outputs, log n levels of edges between them.
 *
 * Rao, Suel, Tsantilas and Goudreau 1995, section 2. Processor p is at row p of the inputs and of
 * the outputs. From row r of level i edges lead to row r (straight) and row r xor 2^i (cross) of
 * level i + 1. There is exactly one path between an input and an output. A step can set up any set
 * of paths that share no edge. Two edges leave each input and two enter each output, so a processor
 * may send two messages at once and receive two. A total exchange takes n / 2 steps. For in x ->
 * x xor s the paths cross at level i exactly if bit i of s is 1, so they share no edge with the
 * paths of the complement of s. The check does not rely on this: it lays every path over the edges.
 */
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

/* taken[...] is the rank + 1 of the sender that uses an edge in this round, by level, row and
 * direction. */
struct edges {
    int *taken;
    int n, levels;
};

/* Returns the edge of a path at a level. There the bits below `level` of the row are already those
 * of the destination. */
static int *edge_of(const struct edges *edges, int from, int to, int level)
{
    int below = (1 << level) - 1, row = (from & ~below) | (to & below);
    int crosses = ((from ^ to) >> level) & 1;
    return &edges->taken[((size_t)level * (size_t)edges->n + (size_t)row) * 2 + (size_t)crosses];
}

static int lay_path(const kp_topology *t, const struct edges *edges, int round, int from, int to)
{
    for (int level = 0; level < edges->levels; level++) {
        int *edge = edge_of(edges, from, to, level), below = (1 << level) - 1;
        int row = (from & ~below) | (to & below),
            next = (row & ~(1 << level)) | (to & (1 << level));
        if (*edge > 0)
            return kp_topology_refuse(
                round, from, to,
                "sends to %d through the edge of level %d from row %d to row %d, which the path of "
                "processor %d takes already (%s: %s)",
                to, level, row, next, *edge - 1, t->name, t->port_rule);
        *edge = from + 1;
    }
    return KP_OK;
}

static int check_round(const kp_topology *t, const kp_schedule *schedule, int round)
{
    int n = kp_schedule_problem(schedule)->n, status = KP_OK;
    struct edges edges = {.n = n, .levels = levels_of(n)};
    edges.taken = calloc((size_t)n * (size_t)edges.levels * 2 + 1, sizeof *edges.taken);
    if (!edges.taken)
        return kp_set_error(KP_EMEMORY, "no memory for the edges of a butterfly of %d rows", n);
    for (int rank = 0; rank < n && !status; rank++) {
        for (int i = 0; i < kp_schedule_sends(schedule, rank, round) && !status; i++)
            status =
                lay_path(t, &edges, round, rank, kp_schedule_send(schedule, rank, round, i).peer);
    }
    free(edges.taken);
    return status;
}

const kp_topology kp_topology_butterfly = {
    .name = "butterfly",
    .summary = "2^d inputs and outputs, d levels of edges, one path between any two",
    .port_rule = "the paths of a step share no edge",
    .serves = serves,
    .links = kp_links_all,
    .check_round = check_round,
};
