/* The commands for schedules of MSCCL in a build without expat. */
#include "tools/kport/command.h"
#include "tools/kport/files/file.h"
#include "tools/kport/msccl/commands.h"
#include "tools/kport/msccl/rounds.h"

#include <stdio.h>

#define WHY "this build does not read MSCCL's XML files (Meson option msccl, which needs expat)"

static int refuse(const char *path)
{
    fprintf(stderr, "kport: %s: %s\n", path, WHY);
    return EXIT_IMPOSSIBLE;
}

bool msccl_read_rounds(struct schedule_file *file, const char *text, size_t size)
{
    (void)text, (void)size;
    snprintf(file->why, sizeof file->why, "%s", WHY);
    return false;
}

int msccl_check(const char *path, const struct msccl_check_wish *wish)
{
    (void)wish;
    return refuse(path);
}
