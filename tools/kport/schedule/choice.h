/* A problem may leave its algorithm and parameters open. These functions find the algorithm and the
 * parameters that the library then chooses on this computer. The commands that run, cost, time or
 * draw problems use these functions. Only one thread may call them. */
#ifndef KPORT_TOOLS_CHOICE_H
#define KPORT_TOOLS_CHOICE_H

#include "kport.h"

/* The options of a command that say by what the library chooses, as the user has given them; NULL:
 * not given. */
struct choice_wish {
    const char *tune, *beta, *tau;
};

/* The rows of these options in a command's table. */
#define CHOICE_OPTIONS(wish)                                                                       \
    {"--tune", OPTION_TEXT, &(wish).tune, 0, 0}, {"--beta", OPTION_TEXT, &(wish).beta, 0, 0},      \
    {                                                                                              \
        "--tau", OPTION_TEXT, &(wish).tau, 0, 0                                                    \
    }

/* The paragraph about these options in the help of a command. */
#define CHOICE_HELP                                                                                \
    "--tune builtin|FILE: the built-in model, or the profile in FILE, chooses what the problem\n"  \
    "leaves open. Without this option KPORT_TUNE names the profile. Without both it is the one\n"  \
    "that kport tune has written, if there is one.\n"                                              \
    "--beta US, --tau US: C1 beta + C2 tau chooses instead of a profile, for these microseconds\n" \
    "of a round and of a byte. If one of them is missing, it is the built-in guess.\n"

/* Reads the profile that the wish names, or its beta and tau, and also sets them in `machine`, so
 * that the library makes the same choices. This function must be called before the other functions.
 * Returns an exit status; if it is not 0, an error message is on stderr. */
int choice_by(const struct choice_wish *wish, kp_config *machine);

/* Returns the profile in use, or NULL if the built-in model is in use. Sets `*sentence` to a
 * sentence that says where the profile comes from. Without --tune, the first call reads the profile
 * that the environment variable KPORT_TUNE names, else the one that `kport tune` has written. If
 * the library does not accept that profile, an error message is on stderr. */
const kp_profile *choice_profile(const char **sentence);

/* Completes the problem: sets what it leaves open to what kp_predict chooses for a machine with
 * this configuration. Returns an exit status; if it is not 0, an error message is on stderr. */
int choice_make(const kp_config *machine, kp_problem *problem);

/* Does the same, but prints nothing. Returns 0 or the status of an error. */
int choice_find(const kp_config *machine, kp_problem *problem);

/* Calls choice_by. Then reads a problem string, which may have machine keys
 * (machine_keys.h), and completes the problem like choice_make. Returns an exit status; if it is
 * not 0, an error message is on stderr. */
int choice_read(const char *text, const struct choice_wish *wish, kp_problem *problem);

#endif
