/* Relations to route: the number of messages from each processor to each other one. */
#ifndef KPORT_TOOLS_RELATIONS_H
#define KPORT_TOOLS_RELATIONS_H

#include <stdint.h>
#include <stdio.h>

struct relation_kind {
    const char *name;
    const char *summary;
    /* Fills the n * n counts, which are 0 before, with h messages from every processor unless the
     * kind defines another number. Returns NULL, or the condition that n violates. */
    const char *(*fill)(int32_t n, int32_t h, uint64_t seed, int32_t *counts);
};

const struct relation_kind *relation_at(int i); /* 0: the default; NULL past the end */
const struct relation_kind *relation_find(const char *name);
void relation_names(FILE *out); /* writes "random, permutation, ..." */

/* A message of a relation file. */
struct relation_line {
    int32_t source, destination;
    uint64_t bytes;
    uint64_t number; /* the number of its line in the file */
};

struct relation_file {
    struct relation_line *lines;
    size_t count;
};

/* Reads lines of "source destination bytes". Ignores empty lines and text after a #. Returns an
 * exit status, other than 0 after a message with the number of the wrong line. */
int relation_read(const char *path, int32_t n, struct relation_file *file);

#endif
