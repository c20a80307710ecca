/* Measures the time of a call on a machine that is used for many measurements. `kport tune` and its
 * audit use these functions. The received data are not verified; `kport run` does that. */
#ifndef KPORT_TOOLS_TUNE_TIME_H
#define KPORT_TOOLS_TUNE_TIME_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct timed_machine {
    kp_machine *machine;
    int n;
    struct timed_member *members; /* the buffers and times of each processor */
    size_t bytes_held;
    double longest; /* the longest time that a measurement has taken, in seconds, including its
                       preparations */
};

/* Makes a machine of n processors with k ports; the other settings are those of `config`. Returns
 * an exit status; if it is not 0, an error message is on stderr. The caller must call
 * timed_machine_close in any case. */
int timed_machine_open(struct timed_machine *timing, const kp_config *config, int n, int k);
void timed_machine_close(struct timed_machine *timing);

/* Makes `warm` untimed calls and then `calls` timed calls of the problem. Returns the microseconds
 * per timed call, from the last processor's start to the last processor's end. On an error prints
 * an error message on stderr and returns a negative number. At an interrupt also returns a negative
 * number. */
double timed_call(struct timed_machine *timing, const kp_problem *problem, uint64_t warm,
                  uint64_t calls);

/* Does the same for calls of kp_exchange. In each call every processor sends `bytes` bytes to the
 * next processor and receives `bytes` bytes from the previous processor. If `bytes` is 0, the round
 * is empty. */
double timed_round(struct timed_machine *timing, size_t bytes, uint64_t calls);

/* Returns the total bytes of all processors' buffers. */
double timed_bytes(const kp_problem *problem);

/* Returns the time of a clock that never goes back, in seconds. */
double timed_now(void);

#endif
