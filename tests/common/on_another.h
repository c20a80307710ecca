/* Declares another_machine, which on_fibers.c and on_pinned.c define. The function gets the
 * configuration that a test asks for, and returns the configuration that the machine gets
 * (on_another.c). */
#ifndef KPORT_TESTS_ON_ANOTHER_H
#define KPORT_TESTS_ON_ANOTHER_H

#include <kport/machine.h>

kp_config another_machine(kp_config asked);

#endif
