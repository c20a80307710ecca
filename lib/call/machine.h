/* Machines that the public functions do not make. */
#ifndef KPORT_LIB_MACHINE_H
#define KPORT_LIB_MACHINE_H

#include "kport/machine.h"
#include "kport/schedule.h"

struct kp_wire;

/* As kp_machine_create, for a machine over a wire (ports/carrier/wire.h), which lasts as long as
 * the machine. The thread that is to carry the wire's processor attaches to it (kp_machine_attach).
 */
int kp_machine_create_over(const kp_config *config, struct kp_wire *wire,
                           kp_machine **machine) KP_MUST_CHECK;

/* In words, how that member of a machine's world would carry out this call, which leaves nothing
 * open, made again and again. Nobody is in a call. 0, or the status of the error that is set. */
int kp_machine_way(kp_machine *machine, int rank, const kp_problem *problem, char *text,
                   size_t size) KP_MUST_CHECK;

/* In words, from how many bytes on that machine moves them in another way, and who says so. */
void kp_machine_word_thresholds(kp_machine *machine, char *text, size_t size);

#endif
