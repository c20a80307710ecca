/* The places of all ranks' memory, a number each, and the accesses to each place. A place holds a
 * chunk. If a collective is in place, the output is a part of the input, or the other way round,
 * and a place has two names.
 *
 * A step moves its chunks one by one: a unit is one chunk of one step. A unit has at most one chunk
 * that it reads, one that it receives, and one place that it writes or adds to. */
#ifndef KPORT_TOOLS_MSCCL_PLACES_H
#define KPORT_TOOLS_MSCCL_PLACES_H

#include "tools/kport/msccl/graph.h"

enum access_kind {
    ACCESS_READ,
    ACCESS_WRITE,
    /* Adds to what is there. Two additions to a place leave the same contributions in either
     * order. */
    ACCESS_ADD,
};

struct msccl_access {
    uint32_t step, unit;
    enum access_kind kind;
};

struct msccl_places {
    const struct msccl *m;
    bool in_place;
    uint32_t *base[MSCCL_BUFFERS]; /* for each rank, the place of a buffer's first chunk */
    uint32_t *first;               /* for each rank, its first place; first[n] is their number */
    uint32_t *first_unit;          /* for each step, its first unit; the last is their number */

    /* The accesses to place p are accesses[begin[p]] ... accesses[begin[p + 1] - 1], each after
     * those that come before it. */
    struct msccl_access *accesses;
    uint32_t *begin;
    uint32_t *read_of; /* for each unit, the index of its access that reads; MSCCL_NONE */
};

/* Finds the places and, if `g` is not NULL, the accesses. The steps must be ordered. Returns false
 * if there is no memory. The caller must call msccl_places_end in any case. */
bool msccl_places_begin(struct msccl_places *p, const struct msccl *m, const struct msccl_graph *g,
                        bool in_place);
void msccl_places_end(struct msccl_places *p);

/* Reports the steps that read or write beyond a buffer. */
void msccl_places_check(const struct msccl *m, struct findings *f);

/* `msccl_place_read` returns the place that a step reads for its chunk i, and `msccl_place_written`
 * the place that it writes or adds to; MSCCL_NONE if there is none. */
uint32_t msccl_place_read(const struct msccl_places *p, uint32_t step, int32_t i);
uint32_t msccl_place_written(const struct msccl_places *p, uint32_t step, int32_t i);

/* Returns whether a step adds its chunk to a place, without sending the sum on. */
bool msccl_step_adds(const struct msccl_places *p, uint32_t step);

/* Returns whether a step copies each of its places to itself, and so changes nothing. */
bool msccl_step_keeps(const struct msccl_places *p, uint32_t step);

/* Returns the rank that a place belongs to, and writes the place's name to `text`, as in "input
 * chunk 4 of rank 2". */
#define MSCCL_PLACE_NAME 64
int32_t msccl_place_rank(const struct msccl_places *p, uint32_t place);
char *msccl_place_name(const struct msccl_places *p, uint32_t place, char text[MSCCL_PLACE_NAME]);

#endif
