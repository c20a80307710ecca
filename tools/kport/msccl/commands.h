/* The commands of `kport` for a file of MSCCL. Each has options of its own, and returns an exit
 * status. A build without expat has functions that refuse (without.c). */
#ifndef KPORT_TOOLS_MSCCL_COMMANDS_H
#define KPORT_TOOLS_MSCCL_COMMANDS_H

#include "tools/kport/command.h"

#include <stdbool.h>
#include <string.h>

/* Returns whether an argument names a file of MSCCL: its name ends in .xml. An @ may stand before
 * it. */
static inline bool msccl_names_file(const char *argument)
{
    size_t length = strlen(argument);
    return argument[0] != '-' && length > 4 && strcmp(argument + length - 4, ".xml") == 0;
}

static inline bool msccl_is_asked(int count, char **arguments)
{
    for (int i = 0; i < count; i++) {
        if (msccl_names_file(arguments[i]))
            return true;
    }
    return false;
}

int msccl_check(const struct command *command, int count, char **arguments);
int msccl_cost(const struct command *command, int count, char **arguments);
int msccl_show(const struct command *command, int count, char **arguments);

/* What the help of the three commands says about files of MSCCL. */
#define MSCCL_CHECK_HELP                                                                           \
    "FILE.xml is a schedule of MSCCL. It is checked without being run: whether every chunk\n"      \
    "arrives and every contribution counts once, in every order of the steps; races; deadlocks;\n" \
    "two thread blocks on one connection; whether all ranks sum in the same order.\n"              \
    "  --depth N        connections hold N messages (without it any number); says also which\n"    \
    "                   depth suffices\n"                                                          \
    "  --back-pressure  a full connection (--depth) orders steps; without it, it does not\n"       \
    "  --torn           two additions to one place may lose one, as a step is torn apart\n"        \
    "  --same-order     sums that are made in other orders are wrong, not only told\n"             \
    "  --json           the findings for programs\n\n"
#define MSCCL_COST_HELP                                                                            \
    "Of a schedule of MSCCL, FILE.xml: steps, messages, chunks, the longest chain of steps and\n"  \
    "of messages, and the load of each link. --bytes N: the bytes of the larger buffer, to "       \
    "which\n"                                                                                      \
    "all chunks belong.\n\n"
#define MSCCL_SHOW_HELP                                                                            \
    "Of a schedule of MSCCL, FILE.xml: the steps of each thread block; --svg draws the "           \
    "messages.\n"                                                                                  \
    "\n"

#endif
