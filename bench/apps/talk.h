/* The calls by which the members of a whole program communicate. Each contestant has its own calls.
 * A program knows nothing else about the contestant but whether its members share memory. Read by C
 * and C++. */
#ifndef KPORT_BENCH_TALK_H
#define KPORT_BENCH_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MOST_ARRAYS 6

/* A member of a whole program. */
struct talk {
    const struct talk_calls *calls;
    void *link;      /* the contestant's own data */
    size_t n, me;    /* the number of members; the rank of this one */
    int status;      /* the status of the first failed call; 0 if calls cannot fail */
    uint64_t passes; /* the number of barriers so far, if members share memory */
    void *array[MOST_ARRAYS];
};

/* A message to a neighbour and one from it; 0 bytes if there is no neighbour. */
struct edge {
    const void *out;
    void *in;
    size_t bytes;
};

/* The calls of a contestant. If members share memory, each member reads the data of another one in
 * place, after the next call of any kind. So their concat is only a barrier, and their broadcast
 * only passes an address. No member changes data that others may read until all have made another
 * call. */
struct talk_calls {
    bool shared;
    void (*barrier)(struct talk *t);
    /* Sums the values of all members, with equal bits at all. */
    void (*sum)(struct talk *t, double *value);
    /* Broadcasts the root's buffer. Returns the address to read: the member's own buffer, or the
     * root's buffer if memory is shared. */
    const void *(*broadcast)(struct talk *t, size_t root, void *buffer, size_t bytes);
    /* Member i contributes block i of the array. If members share memory they share the array. */
    void (*concat)(struct talk *t, void *array, size_t block);

    /* The calls from here on are for members that share no memory. Others read each other's arrays
     * instead. */
    void (*index)(struct talk *t, const void *out, void *in, size_t block);
    void (*indexv)(struct talk *t, const void *out, const size_t *out_bytes, void *in,
                   const size_t *in_bytes);
    /* Exchanges with members me - 1 and me + 1. */
    void (*swap)(struct talk *t, struct edge previous, struct edge next);
};

/* A team whose members share memory, with any barrier. */
struct sharing {
    void (*wait)(void *barrier);
    void *barrier;
    struct shared_words *words; /* a structure for each member; allocated by sharing_open */
};
extern const struct talk_calls sharing_calls;
bool sharing_open(struct sharing *sharing, int n);
void sharing_close(struct sharing *sharing);

#ifdef __cplusplus
}
#endif

#endif
