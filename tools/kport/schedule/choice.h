/* What the library chooses on this machine, as the programs that run, cost, time and draw have to
 * know it. All calls are one thread's. */
#ifndef KPORT_TOOLS_CHOICE_H
#define KPORT_TOOLS_CHOICE_H

#include "kport.h"

/* What --help says of it. */
#define CHOICE_HELP                                                                                \
    "--tune builtin|FILE: what the problem leaves open is chosen by the built-in model, or\n"      \
    "by the profile in FILE. Without it by KPORT_TUNE, or by the profile that kport tune has\n"    \
    "written.\n"

/* What --tune says, before the other calls; NULL: nothing. It goes into the machine's config too,
 * by which the library then chooses. An exit status; other than 0 after a message. */
int choice_by(const char *tune, kp_config *machine);

/* The profile that it is by, NULL if none, and a sentence about it. What KPORT_TUNE or the cache
 * gives is looked for when it is first needed; stderr tells if it is refused. */
const kp_profile *choice_profile(const char **sentence);

/* Puts into the problem what kp_predict chooses of what it leaves open. An exit status; other than
 * 0 after a message on stderr. */
int choice_make(const kp_config *machine, kp_problem *problem);

/* All of it for a problem string, which may have the machine's keys. */
int choice_read(const char *text, const char *tune, kp_problem *problem);

#endif
