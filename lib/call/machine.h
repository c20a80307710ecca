/* Private functions on machines. */
#ifndef KPORT_LIB_MACHINE_H
#define KPORT_LIB_MACHINE_H

#include "kport/machine.h"
#include "kport/schedule.h"

struct kp_wire;

/* Does what kp_machine_create does, for a machine over a wire (ports/carrier/wire.h). The wire has
 * to exist as long as the machine. The thread that carries the wire's processor attaches to it
 * (kp_machine_attach). */
int kp_machine_create_over(const kp_config *config, struct kp_wire *wire,
                           kp_machine **machine) KP_MUST_CHECK;

/* Writes a text that says how the member `rank` of a machine's world would carry out this call if
 * it were made repeatedly. The problem leaves nothing open, and no processor is in a call. Returns
 * 0, or the status of the error that is set. */
int kp_machine_way(kp_machine *machine, int rank, const kp_problem *problem, char *text,
                   size_t size) KP_MUST_CHECK;

/* Writes a text that lists the machine's thresholds and says where they come from. */
void kp_machine_word_thresholds(kp_machine *machine, char *text, size_t size);

#endif
