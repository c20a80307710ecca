/* The messages between kport and its helper program kport-peers. kport sends a request, and the
 * helper sends back a reply. Neither structure has padding. */
#ifndef KPORT_TOOLS_PEERS_MESSAGES_H
#define KPORT_TOOLS_PEERS_MESSAGES_H

#include "bench/job.h"
#include "tools/kport/bench/peers.h"

enum peers_wish {
    PEERS_TELL,   /* the helper replies which columns (peers.h) stay empty for the job */
    PEERS_BEGIN,  /* the helper makes the buffers for the job, and finds how many calls of each peer
                     take `budget_ns` */
    PEERS_REPEAT, /* the helper times one turn of each peer */
    PEERS_END     /* the helper replies with the medians of all turns, and frees the buffers */
};

struct peers_request {
    int64_t wish;     /* an enum peers_wish */
    uint64_t columns; /* those that are timed, a bit each */
    double budget_ns;
    struct job job;
};

struct peers_reply {
    int64_t begun; /* only in the reply to PEERS_BEGIN: whether there was memory for the buffers */
    struct peers_times times;
    char missing[PEERS_COLUMNS][256]; /* only in the reply to PEERS_TELL: for each column, why it
                                         stays empty; "": it does not */
};

#endif
