/* Watches whether a trial ends in time. If it does not, prints the trial and the state of its
 * machine. */
#ifndef KPORT_TOOLS_WATCHDOG_H
#define KPORT_TOOLS_WATCHDOG_H

#include "tools/kport/soak/trial.h"

/* Starts the watchdog's thread. When a trial takes more than `seconds`, the thread writes what is
 * known to stderr and calls `hang`, which does not return. Returns false after a message if the
 * thread cannot be started. */
bool watchdog_start(uint64_t seconds, void (*hang)(const char *sentence));

/* `watchdog_begin`: a trial begins on `machine`, or on a machine of its own (NULL). `watchdog_end`:
 * the trial has ended. */
void watchdog_begin(const struct trial *trial, kp_machine *machine);
void watchdog_end(void);

/* The seed of the current trial. Only `hang` may call `watchdog_seed_now`. */
void watchdog_seed(uint64_t seed);
uint64_t watchdog_seed_now(void);

#endif
