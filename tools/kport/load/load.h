/* Loads shared objects with algorithms: those that the environment variable KPORT_LOAD names,
 * separated by colons, and those that the options --load name. Every command takes these options,
 * anywhere among its arguments. */
#ifndef KPORT_TOOLS_LOAD_H
#define KPORT_TOOLS_LOAD_H

/* The paragraph about --load in the help of every command. */
#define LOAD_HELP                                                                                  \
    "Every command takes --load FILE.so, also several times: the algorithms that this shared\n"    \
    "object registers can be used, too. KPORT_LOAD names such objects with colons between them.\n"

/* Sorts the arguments of the program, which end with NULL: `files` gets the values of --load,
 * `others` all other arguments in their order. Both must have room for as many elements as
 * `arguments` has. Both end with NULL. Returns the number of other arguments. If an option has no
 * value, prints a message on stderr and returns -1. */
int load_sort(char **arguments, char **others, char **files);

/* Loads the objects of KPORT_LOAD, then `files`, which ends with NULL. The objects stay loaded
 * until the program ends. Returns an exit status; if it is not 0, a message on stderr says which
 * object is refused and why. */
int load_all(char *const *files);

#endif
