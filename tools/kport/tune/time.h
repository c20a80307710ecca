/* Measures the time of a call on a machine that is used for many measurements. `kport tune` and its
 * audit use these functions. They do not verify the received data; `kport run` does so. */
#ifndef KPORT_TOOLS_TUNE_TIME_H
#define KPORT_TOOLS_TUNE_TIME_H

#include "kport.h"

#include <stdbool.h>
#include <stdint.h>

struct timed_machine {
    kp_machine *machine;
    int n;                        /* the number of processors of this process */
    struct timed_member *members; /* the buffers and times of each of them */
    size_t bytes_held;
    double longest; /* the seconds that the longest measurement has taken, including its
                       preparations */
};

/* Makes a machine of n processors with k ports; the other settings are those of `config`. Returns
 * an exit status; if it is not 0, an error message is on stderr. The caller must call
 * timed_machine_close in any case. */
int timed_machine_open(struct timed_machine *timing, const kp_config *config, int n, int k);
void timed_machine_close(struct timed_machine *timing);

/* Makes `warm` untimed calls and then `calls` timed calls of the problem. Returns the microseconds
 * per timed call, from the last processor's start to the last processor's end. On an error prints
 * an error message on stderr and returns a negative number. After an interrupt also returns a
 * negative number. All processes (processes.h) call this function, and get the time of the
 * slowest. */
double timed_call(struct timed_machine *timing, const kp_problem *problem, uint64_t warm,
                  uint64_t calls);

/* Does the same as timed_call, but for calls of kp_exchange. In each call every processor sends
 * `bytes` bytes to the next processor and receives `bytes` bytes from the previous processor. If
 * `bytes` is 0, there are no messages. */
double timed_round(struct timed_machine *timing, size_t bytes, uint64_t calls);

/* Returns the total bytes of the buffers of all processors for this problem. */
double timed_bytes(const kp_problem *problem);

/* Returns the time in seconds, by which decisions are made (processes_now). */
double timed_now(void);

#endif
