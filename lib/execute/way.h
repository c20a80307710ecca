/* The way of a call says how the call is carried out: what separates its rounds, where bytes lie
 * between sender and receiver, which of the two copies them, and how. Only way.c decides this. If
 * all members must make the same decision, it depends only on the schedule, the length of blocks
 * and the machine, which are equal at all members. */
#ifndef KPORT_LIB_EXECUTE_WAY_H
#define KPORT_LIB_EXECUTE_WAY_H

#include "lib/execute/code.h"
#include "lib/schedule/schedule_data.h"
#include "ports/port.h"

struct kp_lowering;
struct kp_thresholds;

struct kp_way {
    /* The fields from `by_wire` to `least_part` are equal at all members. */
    bool by_wire; /* each round sends messages over a wire, because the members share no memory */
    bool by_mail; /* mailboxes separate the rounds; false: the barrier does */
    /* A call that moves nothing needs no rounds if no round waits for all members. The messages of
     * a barrier are needed: each is the news that others have come. */
    bool roundless;
    bool zero_copy; /* the messages of at least one round are zero copy */
    /* By mailboxes: a member may pack into its long eager buffer in some round. */
    bool long_buffers;
    bool past_cache; /* copies bypass the cache, because the call moves more than the caches hold */
    bool of_blocks; /* blocks have lengths of their own; places are entries of a table (blocks.h) */
    bool traced; /* if `of_blocks`: the call is traced, so it records the lengths of its messages */
    /* Blocks have lengths of their own, but are padded in buffers to one length. */
    bool padded;
    /* There is one round, in which all others read the memory of one member, the source, and no
     * sender copies. The readers are counted, so there is no second episode (sync/worker_sets.h).
     */
    bool one_source;
    /* A sender copies part of a message only if this part has at least `least_part` bytes. */
    size_t least_part;
    /* Only this field may differ from member to member. true: the moves before round 0 come before
     * packing. This is necessary if packing may read what the moves write, for example because two
     * spaces are the same memory. */
    bool early;
};

/* Decides the way of a call. `may_mail` is false if the tuner chose the barrier. `unit` is the size
 * of a unit of the schedule in bytes. */
struct kp_way kp_way_of(const kp_group *member, const struct kp_thresholds *thresholds,
                        const struct kp_schedule *schedule, size_t unit, bool may_mail,
                        bool in_place);

/* Returns whether the messages of a round are packed into eager buffers. */
bool kp_way_is_eager(const struct kp_lowering *l, const kp_group *member, int round);

/* Returns how many bytes of a zero-copy message the sender copies, counted from its beginning. The
 * receiver copies the rest. Sender and receiver get the same answer.
 * - If many members send to one member, as in a gather, the sender copies all bytes. So all cores
 *   work.
 * - If the sender has nothing else to do, as the root of a broadcast, it copies a part.
 * - Otherwise it copies nothing.
 *
 * Senders copy only in the last round. What they copy is complete only after one more episode,
 * which follows the last round. No receiver reads the result before this episode. */
size_t kp_way_sender_part(const struct kp_lowering *l, const struct stored_message *received,
                          int sender, int receiver, int round);

/* Returns whether one thread may make the last round's copies for all threads of its core. */
bool kp_way_together(const kp_group *member, const struct kp_code *code);

#endif
