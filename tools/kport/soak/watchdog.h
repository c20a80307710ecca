/* Looks whether a trial ends in time; if not, says what it was and where it stands. */
#ifndef KPORT_TOOLS_WATCHDOG_H
#define KPORT_TOOLS_WATCHDOG_H

#include "tools/kport/soak/trial.h"

/* Starts its thread. `hang` is called, by that thread, after what is known of the trial has been
 * written to stderr; it does not return. False after a message if there can be none. */
bool watchdog_start(uint64_t seconds, void (*hang)(const char *sentence));

/* A trial begins, on that machine or one of its own (NULL), and ends. */
void watchdog_begin(const struct trial *trial, kp_machine *machine);
void watchdog_end(void);

/* The seed of what is under way. */
void watchdog_seed(uint64_t seed);
uint64_t watchdog_seed_now(void);

#endif
