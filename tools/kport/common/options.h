/* The options of a command, as a table: --name, --name VALUE or --name=VALUE. */
#ifndef KPORT_TOOLS_OPTIONS_H
#define KPORT_TOOLS_OPTIONS_H

#include "tools/kport/command.h"

#include <stdint.h>

enum option_kind {
    OPTION_FLAG,   /* target: int, set to 1 */
    OPTION_NUMBER, /* target: uint64_t */
    OPTION_TEXT,   /* target: const char * */
};

struct option_row {
    const char *name; /* with its dashes; NULL ends the table */
    enum option_kind kind;
    void *target;
    uint64_t low, high; /* of a number */
};

/* Reads options into their targets and keeps the other arguments, in order. Returns how many there
 * are, at most `most`; OPTIONS_HELP after printing the help; OPTIONS_WRONG after a message. */
#define OPTIONS_WRONG (-1)
#define OPTIONS_HELP  (-2)
int options_read(const struct command *command, const struct option_row *rows, int count,
                 char **arguments, const char **others, int most);

/* What the command returns when options_read returned a negative number. */
int options_status(int result);

/* Reads a decimal number without sign, low ... high. On failure prints what it is and may be. */
int options_number(const char *what, const char *text, uint64_t low, uint64_t high,
                   uint64_t *number);

#endif
