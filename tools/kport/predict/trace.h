/* Writes a schedule in the formats of two simulators. */
#ifndef KPORT_TOOLS_TRACE_H
#define KPORT_TOOLS_TRACE_H

#include "tools/kport/predict/network.h"

#include "kport.h"

#include <stdio.h>

/* SMPI counts this many bytes more for each message. */
#define TRACE_ENVELOPE 16

/* Returns the length by which a trace for this network has a message of so many bytes. SMPI takes
 * the time of the length and of TRACE_ENVELOPE bytes more, LogGP that of all bytes but the first.
 * So the length is shorter by the difference, down to 0, or to 1 if the message waits for its
 * receiver: the messages that wait are those with a length above that of S. */
uint64_t trace_length(const struct network *network, uint64_t bytes);

/* Writes the schedule as a time-independent trace of SimGrid, for blocks of b bytes on this
 * network. The trace is one text for all ranks. In a round a rank waits `startup`, begins its
 * receives, waits o if it sends, begins its sends, waits for its receives, waits o if it receives,
 * and waits for its sends.
 *
 * The ports and the gap are kept by clocks, if there are messages that do not wait for their
 * receiver, or g > o. A clock is a message from a rank to itself. On the platforms that kport
 * writes it takes max(o, g) - o and G a byte, while the rank goes on. A clock of a port that sends
 * or receives ends when the port is free; the rank waits for it before its next message there.
 *
 * Returns an exit status; if it is not 0, an error message is on stderr. */
int trace_write(const kp_schedule *schedule, size_t b, const struct network *network, FILE *out);

/* The same as a format of `kport export`, with the true lengths and without waiting. Returns an
 * exit status. */
int write_simgrid(const kp_schedule *schedule, FILE *out);

/* Writes the schedule as a GOAL text for LogGOPSim (Hoefler, Schneider and Lumsdaine 2010). Port i
 * is the network interface i; the ports share one processing element. LogGOPSim keeps the number of
 * an interface in a byte, so more than 256 ports are refused. Returns an exit status; if it is not
 * 0, an error message is on stderr. */
int write_goal(const kp_schedule *schedule, FILE *out);

#endif
