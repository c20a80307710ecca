/* A machine that stays open, and the time of a candidate's call on it. Only `kport tune` and its
 * audit use it. It does not verify data; `kport run` does. */
#ifndef KPORT_TOOLS_TUNE_TIME_H
#define KPORT_TOOLS_TUNE_TIME_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct timed_machine {
    kp_machine *machine;
    int n;
    struct timed_member *members; /* an array with an element for each processor */
    size_t bytes_held;
    double longest; /* the seconds of the longest measurement, with all preparations */
};

/* Makes a machine of n processors with k ports from `config`. Returns an exit status, other than 0
 * after a message on stderr. timed_machine_close must be called in any case. */
int timed_machine_open(struct timed_machine *timing, const kp_config *config, int n, int k);
void timed_machine_close(struct timed_machine *timing);

/* Returns the microseconds per call, over `calls` calls in a row after `warm` untimed calls, from
 * the last processor's start to the last processor's end. Returns a negative number after a message
 * on stderr or at an interrupt. */
double timed_call(struct timed_machine *timing, const kp_problem *problem, uint64_t warm,
                  uint64_t calls);

/* Does the same for a kp_exchange in which every processor sends `bytes` bytes to the next
 * processor and receives as many from the one before; 0 bytes: an empty round. */
double timed_round(struct timed_machine *timing, size_t bytes, uint64_t calls);

/* Returns the bytes of all processors' buffers together. */
double timed_bytes(const kp_problem *problem);

/* Returns the seconds of a clock that never goes back. */
double timed_now(void);

#endif
