/* Lowering makes a member's code from a schedule, for one root and one length of blocks.
 *
 * The same functions serve code that is kept and code that is carried out at once. In the first
 * case the writer keeps all instructions. In the second case it carries out its instructions
 * whenever it is full. */
#ifndef KPORT_LIB_EXECUTE_LOWER_H
#define KPORT_LIB_EXECUTE_LOWER_H

#include "lib/execute/way.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <stdbool.h>
#include <stdint.h>

struct kp_prepared;

/* How one processor's places are computed from the places in the schedule. */
struct kp_view {
    /* The units that the rank or the root adds to a position in each space. */
    int64_t shift[KP_SPACES];
    int rank;            /* the rank, counted from the root */
    uint8_t first_space; /* 0 for the member's own spaces, KP_PEER for the peer's spaces */
};

/* All facts of a call that lowering needs. */
struct kp_lowering {
    const struct kp_schedule *schedule;
    size_t unit; /* the bytes of a unit, or of an entry of the table of blocks */
    /* The number of units after which positions in a space wrap around. INT64_MAX: never. */
    int64_t size[KP_SPACES];
    bool digits[KP_SPACES]; /* whether the rank is added to positions digit by digit */
    struct kp_way way;
    bool own_root;  /* whether the schedule is written for the call's own root */
    int root;       /* the root from which ranks are counted */
    size_t element; /* the bytes of an element of a reduction */
    /* In place: the bytes that are first copied from the incoming to the outgoing buffer. */
    size_t copied;
    struct kp_view own;
};

void kp_lowering_prepare(struct kp_lowering *l, const struct kp_thresholds *thresholds,
                         const struct kp_schedule *schedule, size_t unit, kp_group *member,
                         bool may_mail, bool in_place);

/* Sets the root. A schedule is written for root 0. For another root, ranks are counted from that
 * root. */
void kp_lowering_set_root(struct kp_lowering *l, int root, int rank);

/* Returns the complete code of a call. Returns NULL, and sets no error, if the code is too long to
 * be kept or if there is no memory. */
struct kp_code *kp_lower(kp_group *member, const struct kp_prepared *call);
void kp_code_free(struct kp_code *code);

/* --- Writing the instructions of one round --- */

struct kp_writer {
    const struct kp_lowering *of;
    struct kp_instruction *items;
    uint32_t count, room;
    /* The first instruction of the current list; it is not joined to an earlier instruction. */
    uint32_t begin;
    int round; /* the current round */
    bool fits; /* whether there was room for all instructions */
    /* Carries out the instructions that the writer holds, and empties the writer. NULL: the writer
     * keeps all instructions. */
    void (*hand_on)(struct kp_writer *w);
    /* The writer calls `begins` before the instructions of a message with an entry of its own
     * (code_message), and `ends` after them. */
    void (*begins)(struct kp_writer *w, const struct code_message *m);
    void (*ends)(struct kp_writer *w);
    void *context;
};

/* `kp_lower_first` writes all instructions before round 0. `kp_lower_moves` writes the moves of a
 * round. */
void kp_lower_first(struct kp_writer *w);
void kp_lower_moves(struct kp_writer *w, int round);

/* These functions write the parts of a round by the barrier. `kp_lower_packs` packs messages into
 * this member's eager buffer. `kp_lower_takes` copies messages out of the eager buffers of all
 * members. These buffers are `stride` bytes apart. `kp_lower_zero_copy` copies between the memory
 * of this member and the memory of other members. */
void kp_lower_packs(struct kp_writer *w, int round);
void kp_lower_takes(struct kp_writer *w, int round, size_t stride);
void kp_lower_zero_copy(struct kp_writer *w, int round);

/* Over a wire: writes an instruction of `kind` for each block of a message. The instruction names
 * the block's entry in this member's table. `kind` is an enum kp_instruction_kind. */
void kp_lower_blocks(struct kp_writer *w, const struct stored_message *m, uint8_t kind);

/* These functions write one message by mailbox. `kp_lower_box` packs the message into its mailbox.
 * `kp_lower_take` copies it from the mailbox, from the eager buffer or from the sender's memory. */
void kp_lower_box(struct kp_writer *w, const struct stored_message *sent);
void kp_lower_take(struct kp_writer *w, const struct stored_message *received, bool zero_copy);

/* These functions describe a message by mailbox, without instructions. `kp_lower_sent` describes a
 * message that this member sends, `kp_lower_received` a message that it receives. `zero_copy` says
 * whether the round of the message is zero copy. */
struct code_message kp_lower_sent(const struct kp_lowering *l, const struct stored_message *sent,
                                  bool zero_copy);
struct code_message kp_lower_received(const struct kp_lowering *l,
                                      const struct stored_message *received, bool zero_copy);

#endif
