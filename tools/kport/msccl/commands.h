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
    "FILE.xml is a schedule of MSCCL. Without running it, the check says whether every chunk\n"    \
    "arrives and every contribution counts once, whatever the order of the steps. It looks for\n"  \
    "races, deadlocks and two thread blocks on one connection, and says whether all ranks sum "    \
    "in\n"                                                                                         \
    "the same order.\n"                                                                            \
    "  --depth N        a connection holds N messages (any number); also prints the depth that\n"  \
    "                   suffices\n"                                                                \
    "  --back-pressure  a step that waits for a full connection (--depth) is after those that\n"   \
    "                   empty it\n"                                                                \
    "  --torn           a step is not one whole: of two additions to one place one may get lost\n" \
    "  --same-order     sums in different orders are wrong; without it that is only said\n"        \
    "  --json           the findings for programs\n\n"
#define MSCCL_COST_HELP                                                                            \
    "Of a schedule of MSCCL, FILE.xml, it prints steps, messages, chunks, the longest chain of\n"  \
    "steps and of messages, and the load of each link. --bytes N is the bytes of the larger\n"     \
    "buffer, which all chunks make up.\n\n"
#define MSCCL_SHOW_HELP                                                                            \
    "Of a schedule of MSCCL, FILE.xml, it prints the steps of each thread block; --svg draws "     \
    "the\n"                                                                                        \
    "messages.\n\n"

#endif
