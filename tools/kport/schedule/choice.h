/* What the library chooses on this machine, for the commands that run, cost, time and draw
 * problems. Only one thread may call these functions. */
#ifndef KPORT_TOOLS_CHOICE_H
#define KPORT_TOOLS_CHOICE_H

#include "kport.h"

/* The paragraph of --help about --tune. */
#define CHOICE_HELP                                                                                \
    "--tune builtin|FILE: what the problem leaves open is chosen by the built-in model, or\n"      \
    "by the profile in FILE. Without it by KPORT_TUNE, or by the profile that kport tune has\n"    \
    "written.\n"

/* Stores the value of --tune (NULL: not given) here and in the machine's configuration, by which
 * the library chooses. Must be called before the other functions. Returns an exit status, other
 * than 0 after a message. */
int choice_by(const char *tune, kp_config *machine);

/* Returns the profile in use, or NULL for the built-in model, and a sentence about it. KPORT_TUNE
 * or the cache is read at the first call; a refused profile is reported on stderr. */
const kp_profile *choice_profile(const char **sentence);

/* Completes what the problem leaves open by the choice of kp_predict. Returns an exit status, other
 * than 0 after a message on stderr. */
int choice_make(const kp_config *machine, kp_problem *problem);

/* Does all of this for a problem string, which may have machine keys. */
int choice_read(const char *text, const char *tune, kp_problem *problem);

#endif
