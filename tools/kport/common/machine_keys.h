/* The machine keys: the keys of a problem string that describe the machine, not the problem. They
 * are removed before the problem is parsed. */
#ifndef KPORT_TOOLS_MACHINE_KEYS_H
#define KPORT_TOOLS_MACHINE_KEYS_H

#include "kport.h"

#include <stddef.h>

/* Sets the fields of `config` that the machine keys of `text` name, and writes the rest of `text`
 * to `problem`. Does not check the rest; the problem's parser does. Returns an exit status, other
 * than 0 after a message on stderr. */
int machine_keys_take(const char *text, char *problem, size_t size, kp_config *config);

/* Writes the machine keys of `config` as ",key=value", for the end of a problem string. Leaves out
 * keys with default values. */
void machine_keys_format(const kp_config *config, char *text, size_t size);

#endif
