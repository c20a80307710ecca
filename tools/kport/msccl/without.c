/* The commands for schedules of MSCCL in a build without expat. */
#include "tools/kport/command.h"
#include "tools/kport/msccl/commands.h"

#include <stdio.h>

static int refuse(const char *path)
{
    fprintf(stderr,
            "kport: %s: this build does not read MSCCL's XML files (Meson option msccl, which "
            "needs expat)\n",
            path);
    return EXIT_IMPOSSIBLE;
}

int msccl_check(const char *path, const struct msccl_check_wish *wish)
{
    (void)wish;
    return refuse(path);
}
