/* The commands of the program: a table in main.c, one file a command. */
#ifndef KPORT_TOOLS_COMMAND_H
#define KPORT_TOOLS_COMMAND_H

/* Exit statuses. */
enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,     /* a verification or a check failed, or the output could not be written */
    EXIT_IMPOSSIBLE = 2, /* a problem that cannot be, or a usage that is none */
};

struct command {
    const char *name;
    const char *usage; /* what follows "kport NAME " */
    const char *summary;
    const char *help; /* what --help adds, an example included */
    /* `arguments` ends with NULL and begins behind the command's name. */
    int (*run)(const struct command *command, int count, char **arguments);
};

extern const struct command command_run, command_cost, command_check, command_show, command_list,
    command_bounds, command_tables, command_soak, command_route, command_bench, command_tune,
    command_explain, command_figures;

/* Prints the help of a command on stdout, as far as it can be written. */
int command_help(const struct command *command);

#endif
