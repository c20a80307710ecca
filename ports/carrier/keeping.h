/* Cores on which a machine of more threads than cores keeps them by default, and letting the
 * threads go where that does harm.
 *
 * Threads that are kept cannot help each other out: where those of one core have nothing to do and
 * another core's have much, the system would move some. So it is watched how long all threads of a
 * core sleep while the run goes on. Once that is more than an eighth of the time, the threads are
 * let go, for as long as the machine lives. */
#ifndef KPORT_PORTS_CARRIER_KEEPING_H
#define KPORT_PORTS_CARRIER_KEEPING_H

#include "kport/machine.h"
#include "ports/wait.h"

#include <pthread.h>
#include <stdbool.h>

struct kp_keeping;

/* On how many cores a completed configuration's threads are kept, `hands` of them; 0: none is. */
int kp_keeping_cores(const kp_config *config, int hands);

/* For a machine that keeps its threads by default, told of each that it starts, of each run, and
 * of each thread of a run that goes to sleep and goes on. NULL: no memory; nothing is watched.
 * Who goes to sleep may do so here, for at most `most_ms` milliseconds (0: for ever), until the
 * word is not `old` any more. */
struct kp_keeping *kp_keeping_make(int threads, int cores);
void kp_keeping_free(struct kp_keeping *keeping);
void kp_keeping_started(struct kp_keeping *keeping, int i, pthread_t thread);
void kp_keeping_run(struct kp_keeping *keeping);
void kp_keeping_sleeps(struct kp_keeping *keeping, int i, struct kp_wait_word *word, uint32_t old,
                       unsigned most_ms);
void kp_keeping_wakes(struct kp_keeping *keeping, int i);

#endif
