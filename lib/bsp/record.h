/* What the supersteps of a job cost, for reports. */
#ifndef KPORT_BSP_RECORD_H
#define KPORT_BSP_RECORD_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

/* A superstep of one process. */
struct kp_bsp_step {
    double work; /* processor time of its thread up to the sync, in seconds */
    double wall; /* from the superstep's beginning to that of the next one, in seconds */
    uint64_t sent, received,
        messages;     /* bytes; puts, gets and messages that it sends or asks for */
    const char *way;  /* how its data went (kp_bsp_way_of) */
    const char *file; /* of the bsp_sync or bsp_end that ends it; NULL: not known */
    int line;
};

/* What others count for a process, by generation. */
struct kp_bsp_cell {
    _Alignas(64) _Atomic uint64_t sent, received;
};

struct kp_bsp_tally {
    struct kp_bsp_cell cells[2];
    uint64_t messages;
    double begin, work_begin, work; /* of this superstep */
    const char *file;               /* of bsp_begin; NULL: not known */
    int line;
    struct kp_bsp_step *steps;
    size_t count, room;
};

/* All processes of a job. */
struct kp_bsp_record {
    int size;
    struct kp_bsp_tally **tallies;
};

/* Of a superstep, over all processes. */
struct kp_bsp_total {
    double work;       /* of the process that worked longest */
    double works;      /* of all processes together */
    double wall;       /* the longest */
    uint64_t h;        /* the most bytes that a process sent or received */
    uint64_t bytes;    /* that all sent */
    uint64_t messages; /* of all */
    const char *way;   /* how its data went; the same in all processes */
    struct kp_bsp_spot {
        const char *file; /* NULL: not known */
        int line;
    } begin, end; /* a superstep begins where the one before it ends, the first one at bsp_begin */
};

/* The number of supersteps, and the sums of superstep `number`. */
__attribute__((visibility("default"))) size_t
kp_bsp_record_steps(const struct kp_bsp_record *record);
__attribute__((visibility("default"))) struct kp_bsp_total
kp_bsp_record_total(const struct kp_bsp_record *record, size_t number);
__attribute__((visibility("default"))) void kp_bsp_record_free(struct kp_bsp_record *record);

#endif
