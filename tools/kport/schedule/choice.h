/* A problem may leave its algorithm and parameters open. These functions find the algorithm and the
 * parameters that the library then chooses on this computer. The commands that run, cost, time or
 * draw problems use these functions. Only one thread may call them. */
#ifndef KPORT_TOOLS_CHOICE_H
#define KPORT_TOOLS_CHOICE_H

#include "kport.h"

/* The paragraph about --tune in the help of a command. */
#define CHOICE_HELP                                                                                \
    "--tune builtin|FILE: the built-in model, or the profile in FILE, chooses what the problem\n"  \
    "leaves open. Without this option KPORT_TUNE names the profile. Without both it is the one\n"  \
    "that kport tune has written, if there is one.\n"

/* `tune` is the value of the option --tune; NULL: not given. Reads the profile that `tune` names,
 * and also sets it in `machine`, so that the library makes the same choices. This function must be
 * called before the other functions. Returns an exit status; if it is not 0, an error message is on
 * stderr. */
int choice_by(const char *tune, kp_config *machine);

/* Returns the profile in use, or NULL if the built-in model is in use. Sets `*sentence` to a
 * sentence that says where the profile comes from. Without --tune, the first call reads the profile
 * that the environment variable KPORT_TUNE names, else the one that `kport tune` has written. If
 * the library does not accept that profile, an error message is on stderr. */
const kp_profile *choice_profile(const char **sentence);

/* Completes the problem: sets what it leaves open to what kp_predict chooses for a machine with
 * this configuration. Returns an exit status; if it is not 0, an error message is on stderr. */
int choice_make(const kp_config *machine, kp_problem *problem);

/* Calls choice_by with `tune`. Then reads a problem string, which may have machine keys
 * (machine_keys.h), and completes the problem like choice_make. Returns an exit status; if it is
 * not 0, an error message is on stderr. */
int choice_read(const char *text, const char *tune, kp_problem *problem);

#endif
