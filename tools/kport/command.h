/* Declares the commands of the program `kport`. Each command has a file of its own; main.c has the
 * table of all commands. */
#ifndef KPORT_TOOLS_COMMAND_H
#define KPORT_TOOLS_COMMAND_H

/* The exit statuses of `kport`. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* a verification or a check failed */
    /* The problem is invalid, the usage is wrong, there is no memory, or the output could not be
     * written. */
    EXIT_IMPOSSIBLE = 2,
};

struct command {
    const char *name;
    const char *usage; /* the words that follow "kport NAME " in the usage line */
    const char *summary;
    /* The text that `kport NAME --help` prints after the summary. The text has an example. */
    const char *help;
    /* Runs the command and returns its exit status. `arguments` has the `count` arguments that
     * follow the command's name, and ends with NULL. */
    int (*run)(const struct command *command, int count, char **arguments);
};

extern const struct command command_run, command_cost, command_check, command_show, command_list,
    command_bounds, command_tables, command_soak, command_route, command_bench, command_tune,
    command_explain, command_figures, command_new, command_export, command_predict, command_compare;

/* Prints the command's help on stdout. Returns EXIT_DONE, or EXIT_IMPOSSIBLE if stdout cannot
 * be written. */
int command_help(const struct command *command);

#endif
