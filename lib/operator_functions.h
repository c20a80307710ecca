/* The loops of the library's operators, by operator and type; NULL where there is none. */
#ifndef KPORT_LIB_OPERATOR_FUNCTIONS_H
#define KPORT_LIB_OPERATOR_FUNCTIONS_H

#include "lib/operator.h"

extern kp_combine *const kp_builtin_functions[KP_BUILTINS][KP_TYPES];

#endif
