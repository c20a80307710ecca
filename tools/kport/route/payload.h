/* `kport route --payload`: moves real messages between n threads and verifies them. */
#ifndef KPORT_TOOLS_ROUTE_PAYLOAD_H
#define KPORT_TOOLS_ROUTE_PAYLOAD_H

#include "tools/kport/route/rows.h"

struct route_moved {
    uint64_t rounds, words, messages, bound;
    double seconds;
};

/* Counts the packets of the messages of the job's file, without messages from a processor to
 * itself. Returns an exit status, other than 0 after a message with the number of the first line
 * that exceeds the limit. */
int route_file_packets(const struct route_job *job, int32_t n, int32_t *counts);

/* Moves `counts` messages of the job's payload, or the messages of its file. Returns an exit
 * status. */
int route_move(const struct route_job *job, int32_t n, uint64_t trial, const int32_t *counts,
               const struct kp_protocol *protocol, struct route_moved *moved);

#endif
