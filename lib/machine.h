/* Machines that the public functions do not make. */
#ifndef KPORT_LIB_MACHINE_H
#define KPORT_LIB_MACHINE_H

#include "kport/machine.h"

struct kp_wire;

/* As kp_machine_create, for a machine over a wire (ports/carrier/wire.h), which lasts as long as
 * the machine. The thread that is to carry the wire's processor attaches to it (kp_machine_attach).
 */
int kp_machine_create_over(const kp_config *config, struct kp_wire *wire,
                           kp_machine **machine) KP_MUST_CHECK;

#endif
