/* A relation says what is to be routed: the number of messages from each processor to each
 * processor. */
#ifndef KPORT_TOOLS_RELATIONS_H
#define KPORT_TOOLS_RELATIONS_H

#include <stdint.h>
#include <stdio.h>

struct relation_kind {
    const char *name;
    const char *summary;
    /* Fills `counts`, which has n * n zeros. Element i * n + j becomes the number of messages from
     * processor i to processor j. Every processor sends h messages, unless the kind of relation
     * says otherwise. Returns NULL. If this kind does not exist for n, returns a text that says
     * which n are allowed. */
    const char *(*fill)(int32_t n, int32_t h, uint64_t seed, int32_t *counts);
};

/* Returns kind number `i`. Kind 0 is the default. After the last kind the function returns NULL. */
const struct relation_kind *relation_at(int i);
const struct relation_kind *relation_find(const char *name);
/* Writes the names of all kinds to `out`, as "random, permutation, ...". */
void relation_names(FILE *out);

/* One message in a file that describes a relation. */
struct relation_line {
    int32_t source, destination;
    uint64_t bytes;
    uint64_t number; /* the number of the line in the file */
};

struct relation_file {
    struct relation_line *lines;
    size_t count;
};

/* Reads a file with a line "source destination bytes" for each message. Empty lines and text after
 * a # are ignored. Returns an exit status. If it is not 0, an error message on stderr names the
 * line that is wrong. */
int relation_read(const char *path, int32_t n, struct relation_file *file);

#endif
