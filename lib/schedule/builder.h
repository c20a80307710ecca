/* This header declares the data that an algorithm's kp_build_... calls collect, and the functions
 * that turn these data into a schedule. */
#ifndef KPORT_LIB_BUILDER_H
#define KPORT_LIB_BUILDER_H

#include "lib/schedule/schedule_data.h"
#include "lib/schedule/stage.h"
#include "lib/schedule/vector.h"

struct kp_builder {
    struct kp_schedule *schedule; /* the schedule; it has no arrays before kp_builder_finish */
    int rank;                     /* the rank whose rounds the algorithm is writing */
    /* The status of the first error, or 0; kp_last_error has the error's sentence. */
    int status;

    struct kp_vector sends, receives; /* elements are struct stored_message */
    struct kp_vector moves;           /* elements are kp_move */
    struct kp_vector pieces;          /* elements are kp_piece */
    /* Elements are struct stored_round; each stored processor has elements for round -1, rounds 0,
     * 1, ..., and the end. */
    struct kp_vector rounds;
    /* Elements are size_t: the index in `rounds` at which each stored processor begins. */
    struct kp_vector stored;

    /* `sends` or `receives`, whichever has the message being written; NULL: no message is being
     * written */
    struct kp_vector *open;
    int64_t operand_units; /* the number of units of the operands of the message being written */
    int64_t scratch_end;   /* the end of the highest unit of scratch that a piece uses */

    /* Builds the schedule of a stage. It is kp_schedule_build_exact, which is no callee of
     * algorithms, because it looks for algorithms itself. */
    int (*build)(const kp_problem *problem, struct kp_schedule **schedule);
    struct kp_schedule *stages[KP_STAGES]; /* the schedules of the stages, built so far */
    int stage; /* the number of the next stage of the part that is being written */
};

/* --- builder.c --- */

void kp_builder_begin_processor(struct kp_builder *b, int rank);
void kp_builder_end_processor(struct kp_builder *b);
void kp_builder_free(struct kp_builder *b);

/* Moves the collected data into the schedule, lays out the eager buffers, and pairs sends with
 * receives. Returns 0, or the status of the first error. */
int kp_builder_finish(struct kp_builder *b);

/* Returns the size of a space whose positions are taken modulo this size. Returns 0 if the space's
 * positions are used as they are. */
static inline int64_t kp_wrap_of(const struct kp_schedule *s, kp_space space)
{
    return s->per_processor[space] ? s->units[space] : 0;
}

/* --- eager_buffers.c: finds each message's place in an eager buffer, and the copies into it --- */
int kp_lay_buffers(struct kp_schedule *s);

/* --- mirror.c: writes the rounds of rank b->rank of the schedule that is `s` run backwards --- */
void kp_mirror_processor(struct kp_builder *b, const struct kp_schedule *s);

/* --- mirror_reduction.c: does the same for a reduction, in which receivers combine --- */
void kp_mirror_reduction(struct kp_builder *b, const struct kp_schedule *s);

/* --- match.c: pairs sends with receives; KP_ESCHEDULE if a message lacks its partner --- */
int kp_match_messages(struct kp_schedule *s);

/* --- lib/schedule/scratch_places.c: sets scratch_places if blocks have lengths of their own --- */
int kp_find_places(struct kp_schedule *s);

#endif
