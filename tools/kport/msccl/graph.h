/* The order of the steps. A step comes after the step before it in its thread block, after the step
 * that it waits for, and, if it receives, after the step that sends its message: the k-th send of a
 * connection before its k-th receive. If back-pressure counts, the k-th send of a connection of
 * depth d comes also after its (k - d)-th receive. */
#ifndef KPORT_TOOLS_MSCCL_GRAPH_H
#define KPORT_TOOLS_MSCCL_GRAPH_H

#include "tools/kport/msccl/findings.h"
#include "tools/kport/msccl/msccl.h"

#define MSCCL_UNBOUNDED 0 /* the depth of connections that are never full */

/* One end of a connection has the steps of a thread block that send, or that receive. */
struct msccl_connection {
    int32_t from, to, channel;
    uint32_t sender, receiver; /* thread blocks; MSCCL_NONE */
    uint32_t sends, receives;  /* the number of messages */
};

struct msccl_graph {
    const struct msccl *m;
    struct msccl_connection *connections;
    uint32_t connection_count;
    bool shared; /* two thread blocks use one connection: the messages' receivers are not known */

    /* For each step, the step that sends the message that it receives, and the step that receives
     * the message that it sends; MSCCL_NONE. */
    uint32_t *sender, *receiver;
    /* For each step that sends, the step that must have received before a full connection has room
     * for the message; MSCCL_NONE. Belongs to `depth`. */
    uint32_t *room;
    uint32_t *makes_room; /* for each step that receives, the send that has it in `room` */
    uint32_t depth;

    uint32_t *order;    /* all steps, each one after those that come before it */
    uint32_t *position; /* for each step, its index in `order` */
    uint32_t ordered;   /* the number of steps in `order`; the other steps are never carried out */

    /* For each step, the steps that wait for it: steps next_waiting[first_waiting[i]] and so on. */
    uint32_t *first_waiting, *next_waiting;
    uint32_t *pending; /* for each step, how many steps it still waits for */
};

/* `msccl_graph_begin` matches the messages. It returns false if there is no memory. The caller must
 * call msccl_graph_end in any case. */
bool msccl_graph_begin(struct msccl_graph *g, const struct msccl *m, struct findings *f);
void msccl_graph_end(struct msccl_graph *g);

/* Orders the steps for connections of this depth. Returns true if every step is carried out. */
bool msccl_graph_order(struct msccl_graph *g, uint32_t depth);

/* Says why some step is never carried out, after msccl_graph_order has returned false. */
void msccl_graph_explain(const struct msccl_graph *g, struct findings *f);

/* Returns the smallest depth of the connections for which every step is carried out; 0 if nothing
 * is sent. Some depth must suffice. Changes the order. */
uint32_t msccl_graph_depth_needed(struct msccl_graph *g);

/* Writes to `before` the steps that come directly before a step, and returns their number. */
#define MSCCL_BEFORE 4
int msccl_graph_before(const struct msccl_graph *g, uint32_t step, uint32_t before[MSCCL_BEFORE]);

#endif
