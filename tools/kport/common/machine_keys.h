/* The keys of a problem string that say on what machine it is run, not what it is: they are taken
 * out before the problem is read. */
#ifndef KPORT_TOOLS_MACHINE_KEYS_H
#define KPORT_TOOLS_MACHINE_KEYS_H

#include "kport.h"

#include <stddef.h>

/* Sets the fields of `config` that the text's machine keys name, and leaves the rest of the text in
 * `problem`. An exit status; other than 0 after a message on stderr. What is wrong with the rest is
 * left to who reads it. */
int machine_keys_take(const char *text, char *problem, size_t size, kp_config *config);

/* Writes them as a problem string has them at its end, ",key=value" each; those that are as they
 * are when nothing is said are left out. */
void machine_keys_format(const kp_config *config, char *text, size_t size);

#endif
