/* A relation says what is to be routed: for all processors i and j, the number of messages from i
 * to j. */
#ifndef KPORT_TOOLS_RELATIONS_H
#define KPORT_TOOLS_RELATIONS_H

#include <stdint.h>
#include <stdio.h>

struct relation_kind {
    const char *name;
    const char *summary;
    /* Makes a relation among n processors: sets element i * n + j of `counts`, which has n * n
     * zeros, to the number of messages from processor i to processor j. Every processor sends h
     * messages, unless `summary` says otherwise. If this kind of relation does not exist for n,
     * returns a text that says which n are allowed; otherwise returns NULL. */
    const char *(*fill)(int32_t n, int32_t h, uint64_t seed, int32_t *counts);
};

/* Returns kind number `i`. Kind 0 is the default. If there is no kind number `i`, returns NULL. */
const struct relation_kind *relation_at(int i);
const struct relation_kind *relation_find(const char *name);
/* Writes the names of all kinds to `out`, as "random, permutation, ...". */
void relation_names(FILE *out);

/* One message of a relation that a file describes. */
struct relation_line {
    int32_t source, destination;
    uint64_t bytes;
    uint64_t number; /* the number of the line in the file */
};

struct relation_file {
    struct relation_line *lines;
    size_t count;
};

/* Reads a file that has a line "source destination bytes" for each message. Empty lines and text
 * after a # are ignored. Returns an exit status; if it is not 0, an error message is on stderr. If
 * a line of the file is wrong, the message names this line. */
int relation_read(const char *path, int32_t n, struct relation_file *file);

#endif
