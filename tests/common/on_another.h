/* Declares another_machine, which on_fibers.c and on_pinned.c define. The function gets the
 * configuration that a test asks for, and returns the configuration with which on_another.c makes
 * the machine. */
#ifndef KPORT_TESTS_ON_ANOTHER_H
#define KPORT_TESTS_ON_ANOTHER_H

#include <kport/machine.h>

kp_config another_machine(kp_config asked);

#endif
