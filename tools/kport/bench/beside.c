#include "tools/kport/bench/beside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define PATH_SIZE 1024

/* Writes the folder of this program, with a slash at its end, or "" if it is not known. */
static void find_folder(char *folder)
{
    ssize_t length = readlink("/proc/self/exe", folder, PATH_SIZE - 1);
    while (length > 0 && folder[length - 1] != '/')
        length--;
    folder[length > 0 ? length : 0] = '\0';
}

bool beside_find(const char *name, char *path, size_t size)
{
    char folder[PATH_SIZE];
    find_folder(folder);
    const int length = snprintf(path, size, "%s%s", folder, name);
    return folder[0] && (size_t)length < size && access(path, X_OK) == 0;
}

void beside_ninja(const char *name, char *text, size_t size)
{
    char folder[PATH_SIZE], file[PATH_SIZE + 16];
    text[0] = '\0';
    find_folder(folder);
    for (char *end = strrchr(folder, '/'); end; end = strrchr(folder, '/')) {
        *end = '\0';
        snprintf(file, sizeof file, "%s/build.ninja", folder);
        if (access(file, R_OK) != 0)
            continue;
        snprintf(text, size, "; this builds it: ninja -C %s tools/%s", folder, name);
        return;
    }
}
