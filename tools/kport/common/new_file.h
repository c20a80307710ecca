/* A file that takes the place of another in one step. It is written beside its place, under a name
 * that nobody can guess and readable by its owner alone, and renamed at the end: who opens the
 * place finds the old file or the new one, each of them whole. */
#ifndef KPORT_TOOLS_NEW_FILE_H
#define KPORT_TOOLS_NEW_FILE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct new_file {
    FILE *out;          /* what is to be in it goes here */
    char *place, *name; /* where it will be, and what it is called until then */
    mode_t mode;        /* its permissions then */
    sigset_t before;    /* signals that were blocked before */
    char why[160];      /* after a failure: the reason */
};

/* Begins a file for `path`; where that is a symbolic link, for what the link leads to. There may be
 * a regular file that can be written, or nothing: then true. Else nothing was made, and `why` says
 * what is in the way. Until new_file_end the signals that end a program wait. */
bool new_file_begin(struct new_file *file, const char *path);

/* With `keep` puts it in its place, with the permissions of the file that was there. False: it
 * could not be written in full, `why` says why, and the place is as it was. Without `keep` drops
 * it. */
bool new_file_end(struct new_file *file, bool keep);

#endif
