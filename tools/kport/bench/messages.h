/* Messages with tags between pairs of processors. */
#ifndef KPORT_TOOLS_BENCH_MESSAGES_H
#define KPORT_TOOLS_BENCH_MESSAGES_H

#include "tools/kport/bench/bench.h"

/* Returns whether `operation`, the first word of the command or what stands before its colon, names
 * a test of messages. */
bool messages_is_test(const char *operation);

/* Carries out the test with each number of processors of -n and prints a row for each size. Returns
 * an exit status; if it is not 0, an error message is on stderr. */
int messages_carry_out(struct bench *bench, bool csv, bool json);

#endif
