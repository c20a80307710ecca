/* The options of a command, as a table. A user writes --name, --name VALUE or --name=VALUE. */
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
    const char *name; /* the name with its dashes; NULL ends the table */
    enum option_kind kind;
    void *target;
    uint64_t low, high; /* the limits of a number */
};

/* Reads options into their targets, and stores the other arguments in `others` in order. Returns
 * the number of other arguments, at most `most`; OPTIONS_HELP after it has printed the help; or
 * OPTIONS_WRONG after a message. */
#define OPTIONS_WRONG (-1)
#define OPTIONS_HELP  (-2)
int options_read(const struct command *command, const struct option_row *rows, int count,
                 char **arguments, const char **others, int most);

/* Returns the exit status for a negative result of options_read. */
int options_status(int result);

/* Reads a decimal number without a sign, from `low` to `high`. Returns 0 after a message that has
 * the text and the limits if `text` is no such number. */
int options_number(const char *what, const char *text, uint64_t low, uint64_t high,
                   uint64_t *number);

#endif
