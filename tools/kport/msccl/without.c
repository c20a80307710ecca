/* The commands for schedules of MSCCL in a build without expat. */
#include "tools/kport/command.h"
#include "tools/kport/files/file.h"
#include "tools/kport/msccl/commands.h"
#include "tools/kport/msccl/rounds.h"

#include <stdio.h>

#define WHY "this build does not read MSCCL's XML files (Meson option msccl, which needs expat)"

bool msccl_read_rounds(struct schedule_file *file, const char *text, size_t size)
{
    (void)text, (void)size;
    snprintf(file->why, sizeof file->why, "%s", WHY);
    return false;
}

static int refuse(const struct command *command)
{
    fprintf(stderr, "kport %s: %s\n", command->name, WHY);
    return EXIT_IMPOSSIBLE;
}

int msccl_check(const struct command *command, int count, char **arguments)
{
    (void)count, (void)arguments;
    return refuse(command);
}

int msccl_cost(const struct command *command, int count, char **arguments)
{
    (void)count, (void)arguments;
    return refuse(command);
}

int msccl_show(const struct command *command, int count, char **arguments)
{
    (void)count, (void)arguments;
    return refuse(command);
}
