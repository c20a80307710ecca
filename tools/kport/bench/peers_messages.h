/* What kport and its helper program kport-peers send each other: a request, then its reply. Neither
 * has padding. */
#ifndef KPORT_TOOLS_PEERS_MESSAGES_H
#define KPORT_TOOLS_PEERS_MESSAGES_H

#include "bench/job.h"
#include "tools/kport/bench/peers.h"

enum peers_wish {
    PEERS_TELL,   /* which columns stay empty for the job */
    PEERS_BEGIN,  /* buffers for the job, and how many calls fill the budget */
    PEERS_REPEAT, /* one turn of each contestant */
    PEERS_END     /* the averages of the turns; the buffers are freed */
};

struct peers_request {
    int64_t wish; /* enum peers_wish */
    double budget_ns;
    struct job job;
};

struct peers_reply {
    int64_t begun; /* PEERS_BEGIN: there is memory for the buffers */
    struct peers_times times;
    char missing[PEERS_COLUMNS][256]; /* PEERS_TELL: why a column stays empty; "" if it does not */
};

#endif
