/* The commands of `kport` for a schedule of MSCCL. Each returns an exit status. A build without
 * expat has functions that refuse (without.c). */
#ifndef KPORT_TOOLS_MSCCL_COMMANDS_H
#define KPORT_TOOLS_MSCCL_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct msccl_check_wish {
    uint32_t depth; /* of the connections; 0: unbounded */
    bool back_pressure, torn, same_order, json;
};

/* Returns whether an argument names a file of MSCCL: its name ends in .xml. An @ may stand before
 * it. */
static inline bool msccl_names_file(const char *argument)
{
    size_t length = strlen(argument);
    return length > 4 && strcmp(argument + length - 4, ".xml") == 0;
}

int msccl_check(const char *path, const struct msccl_check_wish *wish);

#endif
