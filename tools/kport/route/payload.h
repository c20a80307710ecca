/* kport route --payload: real messages on n threads, verified. */
#ifndef KPORT_TOOLS_ROUTE_PAYLOAD_H
#define KPORT_TOOLS_ROUTE_PAYLOAD_H

#include "tools/kport/route/rows.h"

struct route_moved {
    uint64_t rounds, words, messages, bound;
    double seconds;
};

/* Packets that the messages of a file take, without those to oneself. An exit status; other than 0
 * after a message, with the number of the line that is too much. */
int route_file_packets(const struct route_job *job, int32_t n, int32_t *counts);

/* `counts` messages of the job's payload, or those of its file. An exit status. */
int route_move(const struct route_job *job, int32_t n, uint64_t trial, const int32_t *counts,
               const struct kp_protocol *protocol, struct route_moved *moved);

#endif
