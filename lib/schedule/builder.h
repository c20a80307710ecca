/* The data that kp_build_... calls fill, and the steps that make a schedule of them. */
#ifndef KPORT_LIB_BUILDER_H
#define KPORT_LIB_BUILDER_H

#include "lib/schedule/schedule_data.h"
#include "lib/schedule/vector.h"

struct kp_builder {
    struct kp_schedule *schedule; /* without arrays before kp_builder_finish */
    int rank;                     /* the rank whose part is being written */
    int status;                   /* of the first failure; kp_last_error has its sentence */

    struct kp_vector sends, receives; /* items: struct stored_message */
    struct kp_vector moves;           /* items: kp_move */
    struct kp_vector pieces;          /* items: kp_piece */
    struct kp_vector rounds; /* items: struct stored_round, each part's rounds -1, 0, 1, ..., end */
    struct kp_vector parts;  /* items: size_t, where each part begins in `rounds` */

    struct kp_vector *open; /* the sends or receives whose last message gets pieces; NULL: none */
    int64_t operand_units;  /* the units of the operands of that message */
    int64_t scratch_end;    /* one past the last unit of scratch that a piece touches */
};

/* --- builder.c --- */

void kp_builder_begin_part(struct kp_builder *b, int rank);
void kp_builder_end_part(struct kp_builder *b);
void kp_builder_free(struct kp_builder *b);

/* Moves everything into the schedule. */
int kp_builder_finish(struct kp_builder *b);

/* Returns the size at which positions of a space wrap, 0 if they do not wrap. */
static inline int64_t kp_wrap_of(const struct kp_schedule *s, kp_space space)
{
    return s->per_processor[space] ? s->units[space] : 0;
}

/* --- rows.c: gives each message its place in its sender's row, and lists what to pack --- */
int kp_lay_buffers(struct kp_schedule *s);

/* --- mirror.c: writes the part of the builder's rank as the reverse of `s` --- */
void kp_mirror_part(struct kp_builder *b, const struct kp_schedule *s);

/* --- mirror_reduction.c: the same, but what arrives is combined --- */
void kp_mirror_reduction(struct kp_builder *b, const struct kp_schedule *s);

/* --- match.c: finds the send of every receive; KP_ESCHEDULE if one of either has no partner --- */
int kp_match_messages(struct kp_schedule *s);

/* --- places.c: sets schedule->scratch_places, where blocks have lengths of their own --- */
int kp_find_places(struct kp_schedule *s);

#endif
