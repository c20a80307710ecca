/* Reads the options of a command from its arguments. A table has a row for each option. A user
 * writes --name, --name VALUE or --name=VALUE. */
#ifndef KPORT_TOOLS_OPTIONS_H
#define KPORT_TOOLS_OPTIONS_H

#include "tools/kport/command.h"

#include <stdint.h>

enum option_kind {
    OPTION_FLAG,   /* an option without a value; `target` is an int *, and the int is set to 1 */
    OPTION_NUMBER, /* an option with a number; `target` is a uint64_t * */
    OPTION_TEXT,   /* an option with a text; `target` is a const char ** */
};

struct option_row {
    const char *name; /* the option's name with its dashes; NULL ends the table */
    enum option_kind kind;
    void *target;
    uint64_t low, high; /* the smallest and the largest number that the option accepts */
};

/* Reads the options into their targets, and stores the other arguments in `others`, in their order.
 * Returns the number of other arguments, which is at most `most`. Returns OPTIONS_HELP if the user
 * asked for the help and it has been printed. After an error prints an error message and returns
 * OPTIONS_WRONG. */
#define OPTIONS_WRONG (-1)
#define OPTIONS_HELP  (-2)
int options_read(const struct command *command, const struct option_row *rows, int count,
                 char **arguments, const char **others, int most);

/* Returns the exit status of a command for which options_read has returned a negative number. */
int options_status(int result);

/* Reads a decimal number without a sign from `text` into `number`, and returns 1. If `text` is not
 * a number from `low` to `high`, the function prints an error message and returns 0. In this
 * message `what` says what the number is for. */
int options_number(const char *what, const char *text, uint64_t low, uint64_t high,
                   uint64_t *number);

#endif
