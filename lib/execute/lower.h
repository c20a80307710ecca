/* Lowering: from a schedule to instructions, for one member, one root and one length of blocks.
 *
 * The same functions write code that is kept and code that is carried out at once. A writer either
 * keeps all instructions, or hands them on to be carried out whenever its room is full. */
#ifndef KPORT_LIB_EXECUTE_LOWER_H
#define KPORT_LIB_EXECUTE_LOWER_H

#include "lib/execute/way.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

#include <stdbool.h>
#include <stdint.h>

struct kp_prepared;

/* One processor's places as the schedule sees them. */
struct kp_view {
    int64_t shift[KP_SPACES]; /* what its rank, or the root, adds to a position */
    int rank;                 /* counted from the root */
    uint8_t first_space;      /* 0: one's own memory; KP_PEER: the other's */
};

/* All that lowering has to know of a call. */
struct kp_lowering {
    const struct kp_schedule *schedule;
    size_t unit;             /* bytes, of a buffer or of the table of blocks */
    int64_t size[KP_SPACES]; /* positions wrap at the size of a space, where they wrap at all */
    bool digits[KP_SPACES];  /* positions follow the rank digit by digit, not by a shift */
    struct kp_way way;
    bool own_root;  /* nothing is counted from the root */
    int root;       /* that ranks are counted from */
    size_t element; /* bytes, of a reduction */
    size_t copied;  /* bytes of what lies in place, which are copied to the outgoing
                       buffer first */
    struct kp_view own;
};

void kp_lowering_prepare(struct kp_lowering *l, const struct kp_thresholds *thresholds,
                         const struct kp_schedule *schedule, size_t unit, kp_group *member,
                         bool may_mail, bool in_place);

/* A schedule is written for root 0. For another root, ranks are counted from the root. */
void kp_lowering_set_root(struct kp_lowering *l, int root, int rank);

/* The whole code of a call. NULL, without an error, if the code is too long to be kept or there is
 * no memory. */
struct kp_code *kp_lower(kp_group *member, const struct kp_prepared *call);
void kp_code_free(struct kp_code *code);

/* --- A round at a time --- */

struct kp_writer {
    const struct kp_lowering *of;
    struct kp_instruction *items;
    uint32_t count, room;
    uint32_t begin; /* of the list under way; later instructions do not join those before it */
    int round;      /* under way */
    bool fits;      /* nothing was left out */
    /* Carries out and drops the instructions that the writer holds. NULL: all are kept. */
    void (*hand_on)(struct kp_writer *w);
    /* Called before and after the instructions of a message that is carried out by itself. */
    void (*begins)(struct kp_writer *w, const struct code_message *m);
    void (*ends)(struct kp_writer *w);
    void *context;
};

/* All that comes before round 0, and the moves of a round. */
void kp_lower_first(struct kp_writer *w);
void kp_lower_moves(struct kp_writer *w, int round);

/* A round by the barrier: packs messages into this member's eager buffer, and takes messages out of
 * the eager buffers of all members, which lie `stride` apart; or, zero copy, copies between this
 * member's memory and that of others. */
void kp_lower_packs(struct kp_writer *w, int round);
void kp_lower_takes(struct kp_writer *w, int round, size_t stride);
void kp_lower_zero_copy(struct kp_writer *w, int round);

/* Over a wire: the blocks of a message. `kind`, an enum kp_instruction_kind, says what is done with
 * them; places are those of this member's table. */
void kp_lower_blocks(struct kp_writer *w, const struct stored_message *m, uint8_t kind);

/* One message by mailbox: packs it into its box, or takes it from the box, the eager buffer or the
 * sender's memory. */
void kp_lower_box(struct kp_writer *w, const struct stored_message *sent);
void kp_lower_take(struct kp_writer *w, const struct stored_message *received, bool zero_copy);

/* The head of such a message, without instructions. `zero_copy` says whether its round is. */
struct code_message kp_lower_sent(const struct kp_lowering *l, const struct stored_message *sent,
                                  bool zero_copy);
struct code_message kp_lower_received(const struct kp_lowering *l,
                                      const struct stored_message *received, bool zero_copy);

#endif
