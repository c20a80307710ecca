/* The way of a call: what keeps its rounds apart, where its bytes lie between sender and receiver,
 * and which side copies them, and how. Only way.c decides it. Where all members need the same
 * answer, it follows from the schedule, the length of blocks and the machine. */
#ifndef KPORT_LIB_EXECUTE_WAY_H
#define KPORT_LIB_EXECUTE_WAY_H

#include "lib/execute/code.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

struct kp_lowering;
struct kp_thresholds;

struct kp_way {
    /* The fields up to `least_part` are the same at all members. */
    bool by_wire;      /* rounds are messages over a wire, as the members share no memory */
    bool by_mail;      /* the mailboxes keep the rounds, not the barrier */
    bool zero_copy;    /* the messages of some round are zero copy */
    bool long_buffers; /* by the mailboxes: in some round one member may pack a long eager buffer */
    bool past_cache;   /* the call moves more than the caches hold, so copies go past them */
    bool of_blocks;    /* blocks have lengths of their own: places are table entries (blocks.h) */
    bool traced; /* if `of_blocks`: the call is traced, and tells the lengths of its messages */
    bool padded; /* blocks have lengths of their own, but are copied to buffers of one length */
    size_t least_part; /* the bytes below which a sender copies no part of its message */
    /* This field may differ from member to member. */
    /* The moves before round 0 come before packing, because packing may read what they write: two
     * spaces may be the same memory. */
    bool early;
};

/* Decides the way of a call. `may_mail` is false if the tuner wants the barrier. `unit` is in
 * bytes. */
struct kp_way kp_way_of(const kp_group *member, const struct kp_thresholds *thresholds,
                        const struct kp_schedule *schedule, size_t unit, bool may_mail,
                        bool in_place);

/* Returns whether the messages of a round go through eager buffers. */
bool kp_way_is_eager(const struct kp_lowering *l, const kp_group *member, int round);

/* Returns how many bytes of a zero-copy message the sender copies, from the beginning. The receiver
 * copies the rest. Both ends get the same answer. If many members send to one, as in a gather, the
 * sender copies all bytes, so that all cores work. If the sender has nothing else to do, as the
 * root of a broadcast, it copies a part. Otherwise it copies nothing. Senders copy only in the last
 * round, because one more episode follows it before any receiver reads the result. */
size_t kp_way_sender_part(const struct kp_lowering *l, const struct stored_message *received,
                          int sender, int receiver, int round);

/* Returns whether one thread can make the last round's copies for all threads of its core. */
bool kp_way_together(const kp_group *member, const struct kp_code *code);

#endif
