/* This header declares functions on machines that are not public. */
#ifndef KPORT_LIB_MACHINE_H
#define KPORT_LIB_MACHINE_H

#include "kport/machine.h"
#include "kport/schedule.h"

#include <stdbool.h>

struct kp_wire;

/* Does what kp_machine_create does, for a machine over a wire (ports/carrier/wire.h). The wire must
 * exist as long as the machine. The thread that carries the wire's processor attaches to this
 * processor (kp_machine_attach). */
int kp_machine_create_over(const kp_config *config, struct kp_wire *wire,
                           kp_machine **machine) KP_MUST_CHECK;

/* Writes a text that says how the member `rank` of a machine's world would carry out a call of
 * `problem` that is made repeatedly. The problem must leave nothing open, and no processor may be
 * in a call. `named` says that the program names the algorithm; otherwise kport has chosen it.
 * Returns 0, or the status of an error whose sentence is set. */
int kp_machine_way(kp_machine *machine, int rank, const kp_problem *problem, bool named, char *text,
                   size_t size) KP_MUST_CHECK;

/* Writes a text that lists the machine's thresholds and says where they come from. */
void kp_machine_word_thresholds(kp_machine *machine, char *text, size_t size);

#endif
