/* Reads the options of a command from its arguments. A command has a table with a row for each
 * option. A user writes --name, --name VALUE or --name=VALUE. */
#ifndef KPORT_TOOLS_OPTIONS_H
#define KPORT_TOOLS_OPTIONS_H

#include "tools/kport/command.h"

#include <stdint.h>

enum option_kind {
    OPTION_FLAG,   /* an option without a value; `target` points to an int, which is set to 1 */
    OPTION_NUMBER, /* an option whose value is a number; `target` points to a uint64_t */
    OPTION_TEXT,   /* an option whose value is a text; `target` points to a const char * */
    /* An option whose value may be left out: --name, or --name=VALUE. `target` points to a const
     * char *, which without a value is "". */
    OPTION_PERHAPS,
};

struct option_row {
    const char *name; /* the option's name with its dashes; NULL ends the table */
    enum option_kind kind;
    void *target;
    uint64_t low, high; /* the smallest and the largest number for an OPTION_NUMBER */
};

/* Reads the options into the targets of their rows, and stores the other arguments in `others`, in
 * the same order. Returns the number of other arguments, which is at most `most`. If the user asks
 * for help, prints the help and returns OPTIONS_HELP. On an error, prints an error message and
 * returns OPTIONS_WRONG. */
#define OPTIONS_WRONG (-1)
#define OPTIONS_HELP  (-2)
int options_read(const struct command *command, const struct option_row *rows, int count,
                 char **arguments, const char **others, int most);

/* Returns the exit status of a command for which options_read has returned a negative number. */
int options_status(int result);

/* Reads a decimal number without a sign from `text` into `number`, and returns 1. If `text` is not
 * a number from `low` to `high`, the function prints an error message and returns 0. The message
 * begins with `what`, which says what the number is for. */
int options_number(const char *what, const char *text, uint64_t low, uint64_t high,
                   uint64_t *number);

/* Finds the operation with this name, kport's or MPI's, and returns 1. If there is none, or `text`
 * is NULL, prints an error message that begins with `what` and ends with `more`, and returns 0. */
int options_operation(const char *what, const char *text, const char *more, int *operation);

#endif
