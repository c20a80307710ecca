/* Lowering: from a schedule to instructions, for one member, one root and one length of blocks.
 *
 * The same functions write code that is kept and code that is carried out as it is written: a
 * writer either keeps all it is given or hands on what it has whenever it has no room for more. */
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
                         const struct kp_schedule *schedule, size_t unit, kp_group *seat,
                         bool may_mail, bool in_place);

/* A schedule is written for root 0; for another one all is counted from there. */
void kp_lowering_set_root(struct kp_lowering *l, int root, int rank);

/* The whole code of a call. NULL, and no error, if it is too long to be kept or there is no memory.
 */
struct kp_code *kp_lower(kp_group *seat, const struct kp_prepared *call);
void kp_code_free(struct kp_code *code);

/* --- A round at a time --- */

struct kp_writer {
    const struct kp_lowering *of;
    struct kp_instruction *items;
    uint32_t count, room;
    uint32_t begin; /* of the list under way: what follows does not join what stands before it */
    int round;      /* under way */
    bool fits;      /* nothing was left out */
    /* NULL: all is kept. Else carries out what is in hand, which is then gone. */
    void (*hand_on)(struct kp_writer *w);
    /* Around the instructions of a message that does not go with others. */
    void (*begins)(struct kp_writer *w, const struct code_message *m);
    void (*ends)(struct kp_writer *w);
    void *context;
};

/* All that comes before round 0, and the moves of a round. */
void kp_lower_first(struct kp_writer *w);
void kp_lower_moves(struct kp_writer *w, int round);

/* By the barrier: what is packed into the own eager buffer, and taken out of those of all, which
 * lie `stride` apart; or copied between one's own memory and that of others. */
void kp_lower_packs(struct kp_writer *w, int round);
void kp_lower_takes(struct kp_writer *w, int round, size_t stride);
void kp_lower_zero_copy(struct kp_writer *w, int round);

/* Over a wire, the blocks of a message, whose places are of one's own table: what is done with
 * them is an enum kp_instruction_kind. */
void kp_lower_blocks(struct kp_writer *w, const struct stored_message *m, uint8_t kind);

/* One message by the mailboxes: into its box, or out of wherever it is. */
void kp_lower_box(struct kp_writer *w, const struct stored_message *sent);
void kp_lower_take(struct kp_writer *w, const struct stored_message *received, bool zero_copy);

/* The same two messages, but for their instructions; `zero_copy`: of their round. */
struct code_message kp_lower_sent(const struct kp_lowering *l, const struct stored_message *sent,
                                  bool zero_copy);
struct code_message kp_lower_received(const struct kp_lowering *l,
                                      const struct stored_message *received, bool zero_copy);

#endif
