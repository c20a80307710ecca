/* Replaces a file in one step. The new contents are written to a new file in the same folder. The
 * new file has a random name, and only its owner can read it. At the end the new file is renamed.
 * So a program that opens the path at any time finds either the complete old file or the complete
 * new file. */
#ifndef KPORT_TOOLS_NEW_FILE_H
#define KPORT_TOOLS_NEW_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct new_file {
    FILE *out; /* the stream for the contents */
    /* `place`: the final path; `name`: the temporary path before the file is renamed. */
    char *place, *name;
    mode_t mode;     /* the permissions that the file gets when it is renamed */
    sigset_t before; /* the signal mask that the thread had before new_file_begin */
    char why[160];   /* the reason why new_file_begin or new_file_end failed */
};

/* Creates a new file that will replace the file at `path`. If `path` is a symbolic link, the new
 * file will replace the link's target. Returns true if `path` names a writable regular file or if
 * no file exists there. Otherwise creates nothing, sets `why` and returns false. SIGINT, SIGTERM
 * and SIGHUP are blocked until new_file_end. */
bool new_file_begin(struct new_file *file, const char *path);

/* If `keep` is true, moves the new file to its final path. The new file gets the permissions of the
 * file that it replaces. If the new file cannot be written in full, the function sets `why`,
 * returns false and leaves the old file unchanged. If `keep` is false, the function deletes the new
 * file. */
bool new_file_end(struct new_file *file, bool keep);

#endif
