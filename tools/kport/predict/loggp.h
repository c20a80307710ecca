/* The LogGP model of a schedule, in closed form: each time below is a maximum and a sum of times
 * that are known before.
 *
 * The constants are those of Alexandrov, Ionescu, Schauser and Scheiman 1995: latency L, overhead
 * o, gap g, gap per byte G; S is that of Ino, Fujimoto and Hagihara 2001 (LogGPS). All are in
 * microseconds, but S in bytes. Each port is a sender and a receiver of its own: the k ports of a
 * processor work at the same time, and so do the two directions of a port. For a message of m bytes
 * (m - 1 counts as 0 if m = 0) over d links, in round r from processor p to processor q:
 *
 * - A processor begins round 0 at time 0, and a later round when its round before has ended. If it
 *   sends or receives in the round, `startup` follows. Then it has begun.
 * - The send begins at s: when p has begun the round, and its port is free.
 * - The first byte leaves at s + o. If m > S, it does not leave before q has begun the round.
 * - The receiver's port takes the first byte at a: d L after it left, or later, when the port is
 *   free.
 * - The message may be used at a + (m - 1) G + o. If m <= S, also not before q has begun the round.
 * - The sender's port is free again at s + (m - 1) G + max(o, g), the receiver's at
 *   a + (m - 1) G + max(o, g).
 * - The round of p ends when all its received messages may be used, each of its sends has taken o,
 *   and each of its messages with m > S has arrived: a + (m - 1) G.
 *
 * So only messages synchronise the rounds. With `barrier`, a round of every processor ends when
 * those of all have ended. The time of the call is when the last round of the last processor has
 * ended. Local copies and operators take no time. */
#ifndef KPORT_TOOLS_LOGGP_H
#define KPORT_TOOLS_LOGGP_H

#include "tools/kport/predict/network.h"

/* Returns the bytes of a message of a schedule for blocks of b bytes; in the v forms with the
 * lengths that travel with the blocks. */
uint64_t loggp_bytes(const kp_schedule *schedule, const kp_message *message, size_t b);

/* Stores the time of the schedule, in microseconds, for blocks of b bytes. The network is complete
 * (network_complete) and has constants. Returns an exit status; if it is not 0, an error message is
 * on stderr. */
int loggp_time(const kp_schedule *schedule, size_t b, const struct network *network, bool barrier,
               double *us);

#endif
