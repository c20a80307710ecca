/* The program that the page runs, compiled to WebAssembly: those commands of kport that print JSON
 * about a schedule, and `choices`. The page calls main() as a shell would, with arguments, and
 * reads what is printed. Each call has an instance of its own, so nothing stays from one to the
 * next. */
#include "tools/page/choices.h"

#include <stdio.h>
#include <string.h>

static const struct command *const commands[] = {
    &command_choices, &command_cost, &command_check, &command_show, &command_compare,
};

int command_help(const struct command *command)
{
    return printf("kport %s %s\n%s\n", command->name, command->usage, command->help) < 0
               ? EXIT_IMPOSSIBLE
               : EXIT_DONE;
}

int main(int count, char **arguments)
{
    for (size_t i = 0; i < sizeof commands / sizeof commands[0] && count > 1; i++) {
        if (strcmp(commands[i]->name, arguments[1]) == 0)
            return commands[i]->run(commands[i], count - 2, arguments + 2);
    }
    fprintf(stderr, "kport: the page has no command \"%s\"\n", count > 1 ? arguments[1] : "");
    return EXIT_IMPOSSIBLE;
}
