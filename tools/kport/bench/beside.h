/* Finds the programs that lie in the folder of this program, as in a build. */
#ifndef KPORT_TOOLS_BESIDE_H
#define KPORT_TOOLS_BESIDE_H

#include <stdbool.h>
#include <stddef.h>

/* Writes the path that the program `name` has if it is beside this one. Returns whether it is there
 * and can be started. */
bool beside_find(const char *name, char *path, size_t size);

/* If this program is in a folder that ninja builds, writes "; this builds it: ninja -C FOLDER
 * TARGET". Otherwise writes "". */
void beside_ninja(const char *name, char *text, size_t size);

#endif
