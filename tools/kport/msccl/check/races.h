/* Races: two steps touch a place, one of them changes it, and neither comes before the other.
 *
 * A race matters if a chunk of the result can be something else in another order. So this file asks
 * for each read of a racy place which writes it can see in some order of the steps, and judge.c
 * follows the chunks of the result back to the reads that they are made of. The other races are
 * benign. If a step is indivisible, two additions to a place leave the same contributions in either
 * order. */
#ifndef KPORT_TOOLS_MSCCL_RACES_H
#define KPORT_TOOLS_MSCCL_RACES_H

#include "tools/kport/msccl/check/clocks.h"
#include "tools/kport/msccl/check/values.h"

/* Two steps that race at a place. */
struct msccl_race {
    uint32_t a, b, place; /* a < b */
};

/* What a reader sees may depend on the order of two steps. */
struct msccl_doubt {
    uint32_t a, b; /* the two steps */
    bool always;   /* false: only if the accesses `one` and `other` write other contributions */
    uint32_t one, other; /* accesses; MSCCL_NONE: what the place holds before the first step */
};

/* A reader of a racy place is an access that reads, or the result of the collective. It lists the
 * accesses that it may see in some order of the steps. */
struct msccl_reader {
    uint32_t first_source, sources, first_doubt, doubts;
};

struct msccl_races {
    const struct msccl_graph *g;
    const struct msccl_places *p;
    bool indivisible;
    struct msccl_clocks clocks;
    uint8_t *wanted;    /* for each thread block, whether it touches a place that others touch */
    uint8_t *racy;      /* for each place */
    uint8_t *unordered; /* for each place, whether two additions to it race */
    bool too_large, no_memory;
    bool varies; /* the order of a sum in the result depends on a race that leaves its contributions
                  */
    struct kp_vector races;   /* of struct msccl_race; sorted */
    struct kp_vector matter;  /* of struct msccl_race: those that matter; sorted */
    struct kp_vector readers; /* of struct msccl_reader */
    struct kp_vector sources; /* of uint32_t: accesses */
    struct kp_vector doubts;  /* of struct msccl_doubt */
    /* For each access that reads a racy place, and for each racy place, the index in `readers`;
     * NULL if there is no race. */
    uint32_t *reader_of, *result_reader_of;
};

/* `msccl_races_begin` finds the races. It returns false if there is no memory, or if the clocks
 * would be too large (`too_large`). The caller must call msccl_races_end in any case. */
bool msccl_races_begin(struct msccl_races *r, const struct msccl_graph *g,
                       const struct msccl_places *p, bool indivisible);
void msccl_races_end(struct msccl_races *r);

/* Finds the sources and the doubts of the readers of a racy place (readers.c). The clocks must be
 * those of its rank. */
bool msccl_races_examine(struct msccl_races *r, uint32_t place);

/* Sorts a list of races and drops what is there twice. */
void msccl_races_sort(struct kp_vector *races);

/* Finds out which races matter for the places that are marked in `result`, which has a byte for
 * each place (judge.c). */
bool msccl_races_judge(struct msccl_races *r, const struct msccl_values *v, const uint8_t *result);

/* Reports the races (judge.c). */
void msccl_races_tell(const struct msccl_races *r, struct findings *f);

#endif
