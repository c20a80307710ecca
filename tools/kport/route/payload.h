/* Implements `kport route --payload`: moves real messages between n threads and verifies them. */
#ifndef KPORT_TOOLS_ROUTE_PAYLOAD_H
#define KPORT_TOOLS_ROUTE_PAYLOAD_H

#include "tools/kport/route/rows.h"

struct route_moved {
    uint64_t rounds, words, messages, bound;
    double seconds;
};

/* Counts the packets for the messages that the job's file lists. Element i * n + j of `counts`,
 * which the caller has set to 0, becomes the number of packets that processor i sends to processor
 * j. A message from a processor to itself needs no packet. Returns an exit status. If a number of
 * packets becomes too large, an error message on stderr names the line at which this happens. */
int route_file_packets(const struct route_job *job, int32_t n, int32_t *counts);

/* Moves the messages of a relation, and sets `moved` to the results. If the job has a file, the
 * function moves the messages that the file lists. Otherwise element i * n + j of `counts` is the
 * number of messages from processor i to processor j, and each message has `job->payload` bytes.
 * Returns an exit status. */
int route_move(const struct route_job *job, int32_t n, uint64_t trial, const int32_t *counts,
               const struct kp_protocol *protocol, struct route_moved *moved);

#endif
