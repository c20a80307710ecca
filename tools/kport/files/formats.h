/* The formats in which `kport export` writes a schedule. formats.c has the table. A format that
 * needs a library is left out of a build without it, and its row names the option of the build. */
#ifndef KPORT_TOOLS_FORMATS_H
#define KPORT_TOOLS_FORMATS_H

#include "kport.h"

#include <stdbool.h>
#include <stdio.h>

struct export_format {
    const char *name;
    const char *summary; /* for whom the format is, for the help */
    /* Writes the schedule to `out`. Returns an exit status (command.h); if it is not 0, the
     * function has printed an error message on stderr. NULL: this build lacks the format. */
    int (*write)(const kp_schedule *schedule, FILE *out);
    const char *needs; /* the Meson option without which `write` is NULL; NULL: none */
    bool edited;       /* people change such files, so the command replaces none */
};

/* Returns row i of the table; NULL past the end. */
const struct export_format *export_format_at(int i);

#endif
