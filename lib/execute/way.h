/* The way of a call: how its rounds are kept, where its bytes lie meanwhile, who copies them and
 * how. What all members have to know alike follows from the schedule, the length of blocks and the
 * machine. It is decided here and nowhere else. */
#ifndef KPORT_LIB_EXECUTE_WAY_H
#define KPORT_LIB_EXECUTE_WAY_H

#include "lib/execute/code.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

struct kp_lowering;
struct kp_thresholds;

struct kp_way {
    /* The same at all members. */
    bool by_wire;      /* rounds are messages over a wire: members share no memory */
    bool by_mail;      /* rounds are kept by the mailboxes, not by the barrier */
    bool zero_copy;    /* in some round messages stay where they are */
    bool long_buffers; /* by the mailboxes, in some round one member may pack a long eager buffer */
    bool past_cache;   /* zero-copy messages are more than the caches hold */
    bool of_blocks;    /* with lengths of their own: places are those of a table (blocks.h) */
    bool traced;       /* then: what is sent stands in no schedule, and is told */
    bool padded;       /* instead, they are copied to buffers where all are as long */
    size_t least_part; /* shorter ones of a message are not copied by its sender */
    /* Each member's own. */
    bool early; /* the moves before round 0 come before its messages are packed, because packing may
                   read what they write: spaces may be one memory */
};

/* `may_mail`: the tuner does not want the barrier for this call. `unit`: bytes. */
struct kp_way kp_way_of(const kp_group *member, const struct kp_thresholds *thresholds,
                        const struct kp_schedule *schedule, size_t unit, bool may_mail,
                        bool in_place);

/* Whether the messages of a round go through eager buffers. */
bool kp_way_is_eager(const struct kp_lowering *l, const kp_group *member, int round);

/* How many bytes of a zero-copy message its sender copies, from the beginning; the receiver copies
 * the rest. Both ends get the same answer. The sender copies all bytes where many send to one, as
 * in a gather, so that all cores work. It copies a part where it would have nothing else to do, as
 * the root of a broadcast. Otherwise it copies nothing. Senders copy only in the last round,
 * because one more pass follows it before anybody reads the result. */
size_t kp_way_sender_part(const struct kp_lowering *l, const struct stored_message *received,
                          int sender, int receiver, int round);

/* Whether one thread can make the last round's copies for all of its core. */
bool kp_way_together(const kp_group *member, const struct kp_code *code);

#endif
