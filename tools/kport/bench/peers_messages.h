/* The messages between kport and its helper program kport-peers: a request, then its reply. Neither
 * structure has padding. */
#ifndef KPORT_TOOLS_PEERS_MESSAGES_H
#define KPORT_TOOLS_PEERS_MESSAGES_H

#include "bench/job.h"
#include "tools/kport/bench/peers.h"

enum peers_wish {
    PEERS_TELL,   /* says which columns stay empty for the job */
    PEERS_BEGIN,  /* makes the job's buffers and finds how many calls fill the budget */
    PEERS_REPEAT, /* lets each contestant do one turn */
    PEERS_END     /* returns the averages of the turns and frees the buffers */
};

struct peers_request {
    int64_t wish; /* enum peers_wish */
    double budget_ns;
    struct job job;
};

struct peers_reply {
    int64_t begun; /* PEERS_BEGIN: whether there was memory for the buffers */
    struct peers_times times;
    char missing[PEERS_COLUMNS][256]; /* PEERS_TELL: why a column stays empty; "" if it does not */
};

#endif
