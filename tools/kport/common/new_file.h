/* A file that replaces another file in one step. The new file is written in the same folder, under
 * a random name and readable by its owner alone. At the end it is renamed. So a program that opens
 * the path finds the whole old file or the whole new file. */
#ifndef KPORT_TOOLS_NEW_FILE_H
#define KPORT_TOOLS_NEW_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct new_file {
    FILE *out;          /* the stream for the contents */
    char *place, *name; /* `place`: the final path; `name`: the path until then */
    mode_t mode;        /* the permissions of the file at its final path */
    sigset_t before;    /* the signal mask before new_file_begin */
    char why[160];      /* the reason of a failure */
};

/* Begins a file for `path`; if `path` is a symbolic link, for the link's target. Returns true if
 * `path` names a writable regular file or nothing. Otherwise makes nothing, sets `why` and returns
 * false. Signals that end a program are held back until new_file_end. */
bool new_file_begin(struct new_file *file, const char *path);

/* With `keep`, moves the file to its path, with the permissions of the file that was there. Returns
 * false if the file cannot be written in full; then `why` has the reason and the old file is
 * unchanged. Without `keep`, deletes the new file. */
bool new_file_end(struct new_file *file, bool keep);

#endif
