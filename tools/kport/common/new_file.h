/* Replaces a file in one step. The contents are first written to a temporary file in the same
 * folder. The temporary file has a random name, and only its owner can read it. At the end the
 * temporary file is renamed to the path of the old file. So a program that opens this path finds
 * either the complete old file or the complete new file. */
#ifndef KPORT_TOOLS_NEW_FILE_H
#define KPORT_TOOLS_NEW_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct new_file {
    FILE *out; /* the stream for the contents */
    /* `path`: the final path of the file; `name`: the path of the temporary file. */
    char *path, *name;
    mode_t mode;     /* the permissions of the replaced file, or the default ones */
    sigset_t before; /* the signal mask that the thread had before new_file_begin */
    char why[160];   /* a text that says why new_file_begin or new_file_end has failed */
};

/* Creates the temporary file that will replace the file at `path`. If `path` is a symbolic link,
 * the file will replace the link's target. Returns true if `path` names a writable regular file or
 * if no file exists there. Otherwise creates nothing, sets `why` and returns false. On success
 * SIGINT, SIGTERM and SIGHUP are blocked until new_file_end. */
bool new_file_begin(struct new_file *file, const char *path);

/* If `keep` is false, deletes the temporary file and returns true. If `keep` is true, gives the
 * temporary file the permissions `mode`, moves the file to its final path, and returns true. If the
 * contents cannot be written in full, the function instead sets `why`, leaves the old file
 * unchanged and returns false. */
bool new_file_end(struct new_file *file, bool keep);

#endif
