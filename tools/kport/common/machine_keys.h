/* The machine keys are the keys of a problem string that describe the machine instead of the
 * problem: carrier, workers, rounds, generations, per_process, progress and pin. Before a command
 * parses the problem string, it removes all machine keys except per_process, which is also a key of
 * the problem. */
#ifndef KPORT_TOOLS_MACHINE_KEYS_H
#define KPORT_TOOLS_MACHINE_KEYS_H

#include "kport.h"

#include <stddef.h>

/* Reads the machine keys in `text`, and sets the fields of `config` to the values of these keys.
 * Writes `text` without its machine keys to `problem`, which has room for `size` bytes. The caller
 * must parse `problem`, because this function does not check the other keys. Returns an exit
 * status; if it is not 0, an error message is on stderr. */
int machine_keys_take(const char *text, char *problem, size_t size, kp_config *config);

/* Writes the machine keys of `config` as ",key=value" to `text`, to be appended to a problem
 * string. A key whose field has the default value is left out. */
void machine_keys_format(const kp_config *config, char *text, size_t size);

/* Returns the word of the key carrier. */
const char *machine_keys_carrier(const kp_config *config);

#endif
