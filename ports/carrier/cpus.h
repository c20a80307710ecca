/* This header reads the CPUs to which a machine binds its threads (the config's `cpus`). They are
 * lists such as "0-3,8", with a semicolon between two lists. */
#ifndef KPORT_PORTS_CPUS_H
#define KPORT_PORTS_CPUS_H

#include "ports/machine_data.h"

/* Checks `cpus` of a configuration, and sets `pin` to KP_PIN_ALWAYS if it is given. Returns 0 or
 * the error's status. */
int kp_cpus_complete(struct kp_machine_config *config);

/* Counts in a text that kp_cpus_complete has accepted. `cores` is the number of lists if each has
 * one CPU of its own. Then the threads of a list share a core, as those of a pinned machine do.
 * Otherwise it is 0. */
struct kp_cpus {
    int lists, cpus, cores;
};
struct kp_cpus kp_cpus_of(const char *text);

/* Stores the one CPU, or none if `cpu` is -1. */
void kp_cpus_one(int cpu, struct kp_affinity *cpus);

/* Stores the CPUs of thread `i` of `threads` threads. The text is as for kp_cpus_of. */
void kp_cpus_at(const char *text, int i, int threads, struct kp_affinity *cpus);

/* Returns how many CPUs the machine's threads may use together. */
int kp_cores_for(const struct kp_machine_config *config);

#endif
