/* Relations to route: how many messages each processor has for each. */
#ifndef KPORT_TOOLS_RELATIONS_H
#define KPORT_TOOLS_RELATIONS_H

#include <stdint.h>
#include <stdio.h>

struct relation_kind {
    const char *name;
    const char *summary;
    /* Fills n * n counts, which are 0, with h messages from every processor, or as the kind has it.
     * NULL, or what n must be. */
    const char *(*fill)(int32_t n, int32_t h, uint64_t seed, int32_t *counts);
};

const struct relation_kind *relation_at(int i); /* NULL past the end; 0 is the default */
const struct relation_kind *relation_find(const char *name);
void relation_names(FILE *out); /* "random, permutation, ..." */

/* A message of a file. */
struct relation_line {
    int32_t source, destination;
    uint64_t bytes;
    uint64_t number; /* of the line in which it stands */
};

struct relation_file {
    struct relation_line *lines;
    size_t count;
};

/* Reads lines of "source destination bytes"; empty lines and what follows a # do not count. An
 * exit status; other than 0 after a message with the number of the line. */
int relation_read(const char *path, int32_t n, struct relation_file *file);

#endif
