/* A network, as `kport predict` knows it: the constants of the LogGP model, the links that a
 * message crosses, and a platform for SimGrid. network.c has the table of the kinds of networks. */
#ifndef KPORT_TOOLS_NETWORK_H
#define KPORT_TOOLS_NETWORK_H

#include "kport.h"

#include <stdbool.h>
#include <stdio.h>

struct network;

/* A kind of network. */
struct network_kind {
    const char *name;
    const char *summary;
    /* Sets the sides of a network of n processors that the user left open. Returns NULL, or, if
     * there is no such network, the condition that n or the sides violate. NULL: it has no sides.
     */
    const char *(*complete)(struct network *network, int n);
    /* Returns the number of links on the way from processor a to processor b, which are different.
     * NULL: one link joins any two. */
    int (*distance)(const struct network *network, int a, int b);
    /* Writes the attributes that say the shape of a <cluster> in a platform for SimGrid. NULL:
     * kport makes no platform of this kind. */
    void (*shape)(const struct network *network, FILE *out);
    /* The keys of the sides, in the order of `sides`; the list ends with NULL. */
    const char *keys[4];
};

struct network {
    const struct network_kind *kind; /* NULL: the platform at `path` */
    char path[1024];                 /* the user's platform for SimGrid */
    int n;                           /* the processors that network_complete was told */
    int sides[3];                    /* what kind->keys name; 0: left open */
    kp_topology topology;            /* the architecture with its rules */
    bool is_architecture;            /* whether there is such an architecture */

    /* The constants of LogGP, in microseconds. loggp.h says what they mean. */
    double latency_us, overhead_us, gap_us, byte_us, startup_us;
    uint64_t eager_bytes;
    bool has_constants; /* false: a platform of the user's, for which none were given */
};

/* Reads a network: the name of a kind, or the path of a file; then, if wanted, ",key=value" for
 * constants and sides. A file whose name ends in .xml is a platform for SimGrid. Any other file has
 * a network's text, with line ends for commas, and comments from a # to the end of a line. Returns
 * an exit status; if it is not 0, an error message is on stderr. */
int network_read(const char *text, struct network *network);

/* Fits the network to n processors. Returns an exit status, as network_read does. */
int network_complete(struct network *network, int n);

/* Returns whether messages share links, as on all networks but a flat one. */
bool network_shares(const struct network *network);

/* Returns whether a port may be busy longer than its processor, so that a simulation needs clocks
 * for the ports (trace.h). On a platform of the user's own there are none. */
bool network_needs_clocks(const struct network *network);

/* Returns the number of links on the way between two different processors, at least 1. */
int network_distance(const struct network *network, int a, int b);

/* Returns the constants of the linear model that suit the network: beta is the time of a message of
 * one byte over a mean distance, tau is the time of a byte. */
kp_model network_model(const struct network *network);

/* Returns whether every message of the schedule keeps to a link and to the port rule of the
 * architecture. A network that is no architecture has no such rules. */
bool network_keeps(const struct network *network, const kp_schedule *schedule);

/* Returns whether there is a platform for SimGrid: the user's own, or one that
 * `network_write_platform` writes. The hosts of the latter are node-0, node-1, ... */
bool network_has_platform(const struct network *network);
void network_write_platform(const struct network *network, FILE *out);

/* Writes the name and the constants, as network_read would read them. Returns `text`. */
const char *network_format(const struct network *network, char *text, size_t size);

/* Returns kind i of the table; NULL past the end. */
const struct network_kind *network_kind_at(int i);

/* The paragraph about --network in the help of a command. */
#define NETWORK_HELP                                                                               \
    "NETWORK is a name, which constants and sides may follow, as in\n"                             \
    "fat-tree,hosts=8,cores=2,L=1; or the path of a file with such a text; or a file of a\n"       \
    "SimGrid platform, whose name ends in .xml.\n"                                                 \
    "Names: flat (any two linked, nothing shared), bus, ring, torus (rows), hypercube, switch,\n"  \
    "fat-tree (hosts of a leaf switch, cores), dragonfly (groups, routers of a group, nodes of "   \
    "a\n"                                                                                          \
    "router), and without a platform shared-memory, optical, butterfly. Constants, in\n"           \
    "microseconds: L of a link (1), o (0.2), g (0.2) of a message, G of a byte (0.0001), "         \
    "startup\n"                                                                                    \
    "of a round (0); and S, the bytes up to which a message does not wait for its receiver (0).\n" \
    "Links are duplex: they carry both directions at once, and a processor has the k ports of\n"   \
    "the PROBLEM. The port rules of `kport check --on` are stricter: links of a ring,\n"           \
    "torus or hypercube are half duplex there. A schedule that breaks them has a +.\n"

#endif
