/* A machine that is kept, and on it the time of a call of one candidate: what tuning, its audit and
 * nothing else need. Data is not looked at here; `kport run` does that. */
#ifndef KPORT_TOOLS_TUNE_TIME_H
#define KPORT_TOOLS_TUNE_TIME_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct timed_machine {
    kp_machine *machine;
    int n;
    struct timed_member *members; /* by processor */
    size_t bytes_held;
    double longest; /* seconds that one measurement took, with all that is around it */
};

/* A machine of n processors with k ports, made with this config. An exit status; other than 0 after
 * a message on stderr. timed_machine_close in any case. */
int timed_machine_open(struct timed_machine *timing, const kp_config *config, int n, int k);
void timed_machine_close(struct timed_machine *timing);

/* Microseconds a call, of `calls` in a row after `warm` untimed ones, from the last processor's
 * start to the last one's end. Negative after a message on stderr, or when interrupted. */
double timed_call(struct timed_machine *timing, const kp_problem *problem, uint64_t warm,
                  uint64_t calls);

/* The same for a round of the machine in which every processor sends `bytes` to the next one and
 * gets as many from the one before it; 0: an empty round. */
double timed_round(struct timed_machine *timing, size_t bytes, uint64_t calls);

/* Bytes of all processors' buffers together. */
double timed_bytes(const kp_problem *problem);

/* Seconds of a clock that never goes back. */
double timed_now(void);

#endif
