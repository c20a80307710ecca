/* Lowering makes a member's code from a schedule, for one root and one length of blocks.
 *
 * A writer (kp_writer) collects the instructions. If the code is to be kept, the writer keeps all
 * instructions. If the code is carried out at once, the writer carries out its instructions
 * whenever it is full. */
#ifndef KPORT_LIB_EXECUTE_LOWER_H
#define KPORT_LIB_EXECUTE_LOWER_H

#include "lib/execute/way.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <stdbool.h>
#include <stdint.h>

struct kp_prepared;

/* A view says where the places of a schedule lie in the memory of one member. */
struct kp_view {
    /* For each space: the number of units that the rank or the root adds to every position. */
    int64_t shift[KP_SPACES];
    int rank;            /* the member's rank, counted from the root */
    uint8_t first_space; /* 0 for the member's own spaces, KP_PEER for the peer's spaces */
};

/* The bits of the member's own buffers in `laid` below. */
#define KP_LAID_OWN (1u << KP_OUT | 1u << KP_IN)

/* All facts of a call that lowering needs. */
struct kp_lowering {
    const struct kp_schedule *schedule;
    size_t unit; /* the bytes of a unit; if blocks have lengths of their own, of an entry in their
                    table (blocks.h) */
    /* The number of units after which positions in a space wrap around. INT64_MAX: never. */
    int64_t size[KP_SPACES];
    bool digits[KP_SPACES]; /* whether the rank is added to positions digit by digit */
    struct kp_way way;
    bool own_root;  /* true: the schedule is written for the call's root, and `root` is 0 */
    int root;       /* the rank from which the schedule counts ranks */
    size_t element; /* the bytes of an element of a reduction */
    /* The number of bytes that are copied from KP_IN to KP_OUT before the other moves. It is above
     * 0 only in some calls in place. */
    size_t copied;
    /* The spaces (enum kp_code_space) whose blocks have, or may have, a layout: a bit for each. */
    unsigned laid;
    struct kp_view own;
};

void kp_lowering_prepare(struct kp_lowering *l, const struct kp_thresholds *thresholds,
                         const struct kp_schedule *schedule, size_t unit, kp_group *member,
                         bool may_mail, bool in_place);

/* Sets the call's root and this member's rank. If the schedule is written for root 0, its ranks are
 * counted from the call's root. If it is written for the call's root (`own_root`), the function
 * changes nothing. */
void kp_lowering_set_root(struct kp_lowering *l, int root, int rank);

/* Returns the complete code of a call. Returns NULL, and sets no error, if the code cannot be kept:
 * it is too long, there is no memory, or blocks with lengths of their own go over a wire. */
struct kp_code *kp_lower(kp_group *member, const struct kp_prepared *call);
void kp_code_free(struct kp_code *code);

/* `call` is the call that `other` is, on another lane of the same member (ports/request/lane.h).
 * Returns the code of `other` if it serves both, and NULL otherwise. Both free it. */
struct kp_code *kp_code_share(const struct kp_prepared *other, const struct kp_prepared *call);

/* --- Writing the instructions of one round --- */

struct kp_writer {
    const struct kp_lowering *of;
    struct kp_instruction *items;
    uint32_t count, room;
    /* The number of the first instruction of the list that is being written (code_round). This
     * instruction is not joined to an earlier one. */
    uint32_t begin;
    int round; /* the current round */
    bool fits; /* whether there has been room for all instructions */
    /* Carries out the instructions that the writer holds, and empties the writer. NULL: the writer
     * keeps all instructions. */
    void (*hand_on)(struct kp_writer *w);
    /* The functions below call `begins` before they write the instructions of a message that has
     * its own code_message, and `ends` afterwards. */
    void (*begins)(struct kp_writer *w, const struct code_message *m);
    void (*ends)(struct kp_writer *w);
    void *context;
};

/* `kp_lower_first` writes all instructions before round 0. `kp_lower_moves` writes the moves of a
 * round. */
void kp_lower_first(struct kp_writer *w);
void kp_lower_moves(struct kp_writer *w, int round);

/* These functions write the instructions of a round by the barrier. Those of `kp_lower_packs` pack
 * messages into this member's eager buffer. Those of `kp_lower_takes` take messages out of the
 * eager buffers of all members, which are `stride` bytes apart. Those of `kp_lower_zero_copy` copy
 * between the memory of this member and the memory of other members. */
void kp_lower_packs(struct kp_writer *w, int round);
void kp_lower_takes(struct kp_writer *w, int round, size_t stride);
void kp_lower_zero_copy(struct kp_writer *w, int round);

/* Writes an instruction of kind `kind` (enum kp_instruction_kind) for each block of a message whose
 * blocks have lengths of their own. The instruction names the block's entry in this member's table
 * of blocks (blocks.h). */
void kp_lower_blocks(struct kp_writer *w, const struct stored_message *m, uint8_t kind);

/* These functions write the instructions for one message by mailbox or over a wire. Those of
 * `kp_lower_box` pack the message into its mailbox or wire message. Those of `kp_lower_take` take
 * it from there, from the eager buffer or from the sender's memory. */
void kp_lower_box(struct kp_writer *w, const struct stored_message *sent);
void kp_lower_take(struct kp_writer *w, const struct stored_message *received, bool zero_copy);

/* These functions only describe a message by mailbox or over a wire, and write no instructions.
 * `kp_lower_sent` describes a message that this member sends, `kp_lower_received` one that it
 * receives. `zero_copy` says whether the round of the message is zero copy. */
struct code_message kp_lower_sent(const struct kp_lowering *l, const struct stored_message *sent,
                                  bool zero_copy);
struct code_message kp_lower_received(const struct kp_lowering *l,
                                      const struct stored_message *received, bool zero_copy);

#endif
