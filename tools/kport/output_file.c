/* A file that is there as a whole or not at all: it is written beside its place, under a name of
 * its own, and renamed. What is no regular file (a pipe, a device) is written directly. */
/* realpath is in POSIX 2008, in its XSI part. */
#define _XOPEN_SOURCE 700

#include "output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRIES 100 /* names, where others left theirs behind */

static int fails(const char *path, int error)
{
    fprintf(stderr, "kport: \"%s\" could not be written: %s\n", path, strerror(error));
    return 1;
}

/* Writes and closes; 0 or an errno. */
static int fill(int descriptor, const char *text, size_t length)
{
    int error = 0;
    while (length > 0 && !error) {
        ssize_t written = write(descriptor, text, length);
        if (written < 0 && errno == EINTR)
            continue;
        error = written < 0 ? errno : 0;
        text += written > 0 ? written : 0;
        length -= written > 0 ? (size_t)written : 0;
    }
    if (close(descriptor) != 0 && !error)
        error = errno;
    return error;
}

/* Opens a new file beside `path`, whose name is put into `name`; -1 with errno. */
static int open_beside(const char *path, char *name, size_t size)
{
    int descriptor = -1;
    for (int i = 0; i < TRIES && descriptor < 0; i++) {
        snprintf(name, size, "%s.%ld-%d.tmp", path, (long)getpid(), i);
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

/* With the permissions of the file that was there. */
static int replace(const char *path, const struct stat *old, const char *text, size_t length)
{
    size_t size = strlen(path) + 48;
    char *name = malloc(size);
    int error = 0;
    if (!name)
        return ENOMEM;
    int descriptor = open_beside(path, name, size);
    if (descriptor < 0) {
        error = errno;
        free(name);
        return error;
    }
    if (old && fchmod(descriptor, old->st_mode & 0777) != 0)
        error = errno;
    int filled = fill(descriptor, text, length);
    error = error ? error : filled;
    if (!error && rename(name, path) != 0)
        error = errno;
    if (error)
        unlink(name);
    free(name);
    return error;
}

int output_file(const char *path, const char *text, size_t length)
{
    struct stat state;
    int error;
    bool there = stat(path, &state) == 0;
    if (there && !S_ISREG(state.st_mode)) {
        int descriptor = open(path, O_WRONLY | O_CLOEXEC);
        error = descriptor < 0 ? errno : fill(descriptor, text, length);
        return error ? fails(path, error) : 0;
    }
    /* A link stays one: what it leads to is replaced. */
    char *target = there ? realpath(path, NULL) : NULL;
    error = there && access(path, W_OK) != 0
                ? errno
                : replace(target ? target : path, there ? &state : NULL, text, length);
    free(target);
    return error ? fails(path, error) : 0;
}
