/* What the members of a whole program say to each other. Each contestant has its own calls; the
 * programs know nothing else of it but whether its members share memory. Read by C and C++. */
#ifndef KPORT_BENCH_TALK_H
#define KPORT_BENCH_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define MOST_ARRAYS 6

/* One member. */
struct talk {
    const struct talk_calls *calls;
    void *link;      /* the contestant's own */
    size_t n, me;    /* how many members; which one */
    int status;      /* of the first call that failed, of a contestant whose calls can */
    uint64_t passes; /* so far, by members who share memory */
    void *array[MOST_ARRAYS];
};

/* To and from a neighbour; 0 bytes where there is none. */
struct edge {
    const void *out;
    void *in;
    size_t bytes;
};

/* What a member has written is seen by those who share memory after the next call of any kind, and
 * where it lies; so their concat is nothing but a barrier, and a broadcast tells where. Nobody
 * changes what others may read before all have made another call. */
struct talk_calls {
    bool shared;
    void (*barrier)(struct talk *t);
    /* Over all members, with the same bits for all. */
    void (*sum)(struct talk *t, double *value);
    /* The root's buffer. Returns where it can be read: in the own one, or where the root's lies. */
    const void *(*broadcast)(struct talk *t, size_t root, void *buffer, size_t bytes);
    /* Block i of an array, which is common if members share memory, is that of member i. */
    void (*concat)(struct talk *t, void *array, size_t block);

    /* These are for members who share no memory. Others read each other's arrays instead. */
    void (*index)(struct talk *t, const void *out, void *in, size_t block);
    void (*indexv)(struct talk *t, const void *out, const size_t *out_bytes, void *in,
                   const size_t *in_bytes);
    void (*swap)(struct talk *t, struct edge previous, struct edge next); /* me - 1 and me + 1 */
};

/* Members who share memory, by any barrier. */
struct sharing {
    void (*wait)(void *barrier);
    void *barrier;
    struct shared_words *words; /* of each member; sharing_open takes room for them */
};
extern const struct talk_calls sharing_calls;
bool sharing_open(struct sharing *sharing, int n);
void sharing_close(struct sharing *sharing);

#ifdef __cplusplus
}
#endif

#endif
