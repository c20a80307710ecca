/* The commands of `kport`. main.c has the table of all commands; each command has a file of its
 * own. */
#ifndef KPORT_TOOLS_COMMAND_H
#define KPORT_TOOLS_COMMAND_H

/* The exit statuses of `kport`. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,     /* a verification or a check failed, or the output could not be written */
    EXIT_IMPOSSIBLE = 2, /* the problem is invalid, or the usage is wrong */
};

struct command {
    const char *name;
    const char *usage; /* the text that follows "kport NAME " in the usage line */
    const char *summary;
    const char *help; /* the text that --help adds; it has an example */
    /* Runs the command. `arguments` starts after the command's name and ends with NULL. */
    int (*run)(const struct command *command, int count, char **arguments);
};

extern const struct command command_run, command_cost, command_check, command_show, command_list,
    command_bounds, command_tables, command_soak, command_route, command_bench, command_tune,
    command_explain, command_figures;

/* Prints the command's help on stdout. Returns 0, or 1 if stdout cannot be written. */
int command_help(const struct command *command);

#endif
