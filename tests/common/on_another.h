/* Changes the configuration of every machine that a test makes (on_another.c). */
#ifndef KPORT_TESTS_ON_ANOTHER_H
#define KPORT_TESTS_ON_ANOTHER_H

#include <kport/machine.h>

kp_config another_machine(kp_config asked);

#endif
