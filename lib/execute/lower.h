/* Lowering: from a schedule to instructions, for one member, one root and one length of blocks.
 *
 * The same functions write code that is kept and code that is carried out at once. A writer either
 * keeps all instructions, or carries out its instructions whenever its room is full. */
#ifndef KPORT_LIB_EXECUTE_LOWER_H
#define KPORT_LIB_EXECUTE_LOWER_H

#include "lib/execute/way.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <stdbool.h>
#include <stdint.h>

struct kp_prepared;

/* How one processor sees the places of the schedule. */
struct kp_view {
    int64_t shift[KP_SPACES]; /* the units that the rank or the root adds to a position */
    int rank;                 /* the rank, counted from the root */
    uint8_t first_space;      /* 0 for the member's own spaces, KP_PEER for the peer's */
};

/* Everything that lowering needs to know of a call. */
struct kp_lowering {
    const struct kp_schedule *schedule;
    size_t unit; /* the bytes of a unit: data, or an entry of the table of blocks */
    /* The size at which positions of a space wrap. INT64_MAX if they do not wrap. */
    int64_t size[KP_SPACES];
    bool digits[KP_SPACES]; /* positions follow the rank digit by digit, not by a shift */
    struct kp_way way;
    bool own_root;  /* ranks are not counted from the root */
    int root;       /* the root from which ranks are counted */
    size_t element; /* the bytes of an element of a reduction */
    /* In place: the bytes of the incoming buffer that are first copied to the outgoing buffer. */
    size_t copied;
    struct kp_view own;
};

void kp_lowering_prepare(struct kp_lowering *l, const struct kp_thresholds *thresholds,
                         const struct kp_schedule *schedule, size_t unit, kp_group *member,
                         bool may_mail, bool in_place);

/* Sets the root. A schedule is written for root 0, so for another root ranks are counted from that
 * root. */
void kp_lowering_set_root(struct kp_lowering *l, int root, int rank);

/* Returns the whole code of a call. Returns NULL, without an error, if the code is too long to be
 * kept or there is no memory. */
struct kp_code *kp_lower(kp_group *member, const struct kp_prepared *call);
void kp_code_free(struct kp_code *code);

/* --- A round at a time --- */

struct kp_writer {
    const struct kp_lowering *of;
    struct kp_instruction *items;
    uint32_t count, room;
    uint32_t begin; /* the first instruction of the current list, which joins no earlier list */
    int round;      /* the current round */
    bool fits;      /* all instructions found room */
    /* Carries out and drops the instructions that the writer holds. NULL: the writer keeps all. */
    void (*hand_on)(struct kp_writer *w);
    /* `begins` is called before the instructions of a message that is carried out by itself, `ends`
     * is called after them. */
    void (*begins)(struct kp_writer *w, const struct code_message *m);
    void (*ends)(struct kp_writer *w);
    void *context;
};

/* `kp_lower_first` writes everything before round 0, `kp_lower_moves` the moves of a round. */
void kp_lower_first(struct kp_writer *w);
void kp_lower_moves(struct kp_writer *w, int round);

/* The parts of a round by the barrier. `packs` packs messages into this member's eager buffer.
 * `takes` copies messages out of the eager buffers of all members, which are `stride` bytes apart.
 * `zero_copy` copies between this member's memory and the memory of other members. */
void kp_lower_packs(struct kp_writer *w, int round);
void kp_lower_takes(struct kp_writer *w, int round, size_t stride);
void kp_lower_zero_copy(struct kp_writer *w, int round);

/* Over a wire: writes an instruction for each block of a message. `kind` is an enum
 * kp_instruction_kind. The places are those of this member's table. */
void kp_lower_blocks(struct kp_writer *w, const struct stored_message *m, uint8_t kind);

/* One message by mailbox. `box` packs it into its mailbox. `take` copies it from the mailbox, from
 * the eager buffer or from the sender's memory. */
void kp_lower_box(struct kp_writer *w, const struct stored_message *sent);
void kp_lower_take(struct kp_writer *w, const struct stored_message *received, bool zero_copy);

/* Return a message by mailbox without instructions. `zero_copy` says whether its round is zero
 * copy. */
struct code_message kp_lower_sent(const struct kp_lowering *l, const struct stored_message *sent,
                                  bool zero_copy);
struct code_message kp_lower_received(const struct kp_lowering *l,
                                      const struct stored_message *received, bool zero_copy);

#endif
