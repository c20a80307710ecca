/* This header declares the calls by which the members of a whole program (whole.h) communicate.
 * Each contestant provides its own calls. A program is the same for all contestants, except that it
 * asks whether the members share memory. Both C and C++ files include this header. */
#ifndef KPORT_BENCH_TALK_H
#define KPORT_BENCH_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MOST_ARRAYS 6

/* One member of a whole program, with the calls of its contestant. */
struct talk {
    const struct talk_calls *calls;
    void *link;      /* data of the contestant */
    size_t n, me;    /* `n`: the number of members; `me`: the rank of this member */
    int status;      /* the status of the first call that failed; 0 if no call has failed */
    uint64_t passes; /* the number of calls so far that used a shared word (sharing.c), if members
                        share memory */
    void *array[MOST_ARRAYS];
};

/* The message to one neighbour and the message from that neighbour. `bytes` is the length of each;
 * it is 0 if there is no neighbour. */
struct edge {
    const void *out;
    void *in;
    size_t bytes;
};

/* The calls that a contestant provides. If members share memory, a member reads the data of another
 * member in place, after all members have made their next call of any kind. So `concat` is only a
 * barrier, and `broadcast` only passes an address. A member must not change data that others may
 * read, until all members have made one more call. */
struct talk_calls {
    bool shared;
    void (*barrier)(struct talk *t);
    /* Sums the values of all members. All members get exactly the same bits. */
    void (*sum)(struct talk *t, double *value);
    /* Broadcasts the root's buffer. Returns the address where the member finds the data. This is
     * the root's buffer if memory is shared, and the member's own buffer otherwise. */
    const void *(*broadcast)(struct talk *t, size_t root, void *buffer, size_t bytes);
    /* Gives every member all blocks of the array. Member i has written block i. If members share
     * memory, there is only one array. */
    void (*concat)(struct talk *t, void *array, size_t block);

    /* `index`, `indexv` and `swap` exist only if members do not share memory. With shared memory
     * members read each other's arrays instead. */
    void (*index)(struct talk *t, const void *out, void *in, size_t block);
    void (*indexv)(struct talk *t, const void *out, const size_t *out_bytes, void *in,
                   const size_t *in_bytes);
    /* Exchanges messages with the members me - 1 and me + 1. */
    void (*swap)(struct talk *t, struct edge previous, struct edge next);
};

/* The data of a team whose members share memory. `wait` passes the barrier to which `barrier`
 * points. */
struct sharing {
    void (*wait)(void *barrier);
    void *barrier;
    struct shared_words *words; /* one structure for each member; sharing_open allocates them */
};
extern const struct talk_calls sharing_calls;
bool sharing_open(struct sharing *sharing, int n);
void sharing_close(struct sharing *sharing);

#ifdef __cplusplus
}
#endif

#endif
