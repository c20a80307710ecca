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

static int refuse_with(const char *file, const char *why, const char *hint)
{
    fprintf(stderr, "kport: the object \"%s\" cannot be loaded: %s%s%s\n", file, why,
            *hint ? "; " : "", hint);
    return EXIT_IMPOSSIBLE;
}

static int refuse(const char *file, const char *why)
{
    return refuse_with(file, why, "");
}

/* --- What may help --- */

#define COMPILE "cc -shared -fPIC $(pkg-config --cflags kport) NAME.c -o NAME.so compiles one"

static bool is_there(const char *file)
{
    struct stat there;
    return stat(file, &there) == 0;
}

/* There is no file of this name. */
static int refuse_missing(const char *file, const char *why)
{
    char hint[4400];
    const char *slash = strrchr(file, '/');
    snprintf(hint, sizeof hint, "%.4096s.so", file);
    if (is_there(hint))
        snprintf(hint, sizeof hint, "there is %.4096s.so", file);
    else
        snprintf(hint, sizeof hint, "%s",
                 slash ? ""
                       : "a name without a slash is a file of this "
                         "folder, as in ./FILE.so");
    return refuse_with(file, why, hint);
}

/* Returns what the file is instead of a shared object, or NULL if it may be one. */
static const char *other_kind(const char *file)
{
    enum {
        RELOCATABLE = 1 /* the type of an ELF file that cc -c makes; it stands at byte 16 */
    };
    unsigned char head[18] = {0};
    FILE *in = fopen(file, "rb");
    if (!in)
        return NULL;
    const size_t length = fread(head, 1, sizeof head, in);
    (void)fclose(in);
    if (length < sizeof head || memcmp(head, "\177ELF", 4) != 0)
        return "it is no shared object";
    return head[16] == RELOCATABLE || head[17] == RELOCATABLE
               ? "it is an object that is not linked, as cc -c makes it"
               : NULL;
}

static int refuse_unloaded(const char *file, const char *why)
{
    const char *kind = other_kind(file);
    if (kind)
        return refuse_with(file, kind, COMPILE);
    return refuse_with(file, why,
                       strstr(why, "undefined symbol: kp_")
                           ? "it was compiled for another kport; compile it for this one"
                           : "");
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
        return (errno == ENOENT ? refuse_missing : refuse)(file, strerror(errno));
    if (!S_ISREG(there.st_mode))
        return refuse(file, "it is no regular file");
    void *object = open_object(file);
    const char *why = object ? NULL : dlerror();
    if (!object)
        return refuse_unloaded(file, why ? why : "there is no memory");
    void *symbol = dlsym(object, ENTRY);
    if (!symbol)
        return refuse(file, "it has no function `int " ENTRY "(void)`, which registers algorithms; "
                            "kport new writes a file that has one");
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
