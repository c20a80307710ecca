/* The watchdog is a thread that checks whether the trials of `kport soak` end in time. If a
 * trial takes too long, the watchdog prints the trial and the state of its machine, and ends the
 * program. */
#ifndef KPORT_TOOLS_WATCHDOG_H
#define KPORT_TOOLS_WATCHDOG_H

#include "tools/kport/soak/trial.h"

/* Starts the watchdog. If a trial takes more than `seconds` seconds, the watchdog prints the trial
 * and the state of its machine on stderr and calls `hang`, which must not return. If the watchdog's
 * thread cannot be started, the function prints an error message and returns false. */
bool watchdog_start(uint64_t seconds, void (*hang)(const char *sentence));

/* `watchdog_begin` tells the watchdog that a trial begins on `machine`. `machine` is NULL if the
 * trial makes its own machine. `watchdog_end` tells the watchdog that the trial has ended. */
void watchdog_begin(const struct trial *trial, kp_machine *machine);
void watchdog_end(void);

/* `watchdog_seed` tells the watchdog the seed of the current machine and its trials.
 * `watchdog_seed_now` returns that seed; only `hang` may call it. */
void watchdog_seed(uint64_t seed);
uint64_t watchdog_seed_now(void);

#endif
