#include "tools/kport/load/load.h"

#include "tools/kport/command.h"

#include "kport.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OPTION "--load"
#define ENTRY  "kport_load"

/* --- Arguments --- */

int load_sort(char **arguments, char **others, char **files)
{
    const size_t length = strlen(OPTION);
    int kept = 0;
    for (char **at = arguments; *at; at++) {
        const bool is = strncmp(*at, OPTION, length) == 0;
        if (is && (*at)[length] == '=') {
            *files++ = *at + length + 1;
        } else if (!is || (*at)[length] != '\0') {
            others[kept++] = *at;
        } else if (at[1]) {
            *files++ = *++at;
        } else {
            fprintf(stderr, "kport: " OPTION " has no value; it may be the file of a shared object "
                            "that registers algorithms\n");
            return -1;
        }
    }
    others[kept] = *files = NULL;
    return kept;
}

/* --- One object --- */

static int refuse(const char *file, const char *why)
{
    fprintf(stderr, "kport: the object \"%s\" cannot be loaded: %s\n", file, why);
    return EXIT_IMPOSSIBLE;
}

/* Opens the object at this path. A name without a slash stands for a file of the current folder,
 * not for a library of the system. */
static void *open_object(const char *file)
{
    const size_t length = strlen(file);
    char *path = malloc(length + sizeof "./");
    if (!path)
        return NULL;
    snprintf(path, length + sizeof "./", "%s%s", strchr(file, '/') ? "" : "./", file);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    free(path);
    return object;
}

static int algorithms(void)
{
    int count = 0;
    while (kp_algorithm_at(count))
        count++;
    return count;
}

static int load(const char *file)
{
    struct stat there;
    if (stat(file, &there) != 0)
        return refuse(file, strerror(errno));
    if (!S_ISREG(there.st_mode))
        return refuse(file, "it is no regular file");
    void *object = open_object(file);
    const char *why = object ? NULL : dlerror();
    if (!object)
        return refuse(file, why ? why : "there is no memory");
    void *symbol = dlsym(object, ENTRY);
    if (!symbol)
        return refuse(file, "it has no function `int " ENTRY "(void)`, which registers algorithms");
    int (*enter)(void);
    memcpy(&enter, &symbol, sizeof enter); /* C converts no void * to the address of a function */
    const int before = algorithms(), status = enter();
    if (status && status == kp_last_error()->status)
        return refuse(file, kp_last_error()->sentence);
    if (status) {
        char returned[64];
        snprintf(returned, sizeof returned, "its " ENTRY " returned %d; 0 means success", status);
        return refuse(file, returned);
    }
    return algorithms() > before ? EXIT_DONE : refuse(file, "its " ENTRY " registers no algorithm");
}

/* --- All objects --- */

/* Loads the objects of a list with colons between the files. Empty parts of the list are skipped,
 * as in other lists of files. */
static int load_list(const char *list)
{
    int status = EXIT_DONE;
    while (*list && !status) {
        const size_t length = strcspn(list, ":");
        char *file = strndup(list, length);
        if (!file)
            return refuse(list, "there is no memory");
        status = length > 0 ? load(file) : EXIT_DONE;
        free(file);
        list += length + (list[length] == ':');
    }
    return status;
}

int load_all(char *const *files)
{
    const char *list = getenv("KPORT_LOAD");
    int status = list ? load_list(list) : EXIT_DONE;
    for (; *files && !status; files++)
        status = load(*files);
    return status;
}
