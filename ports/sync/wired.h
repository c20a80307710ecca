/* This header is for members that share no memory. Their barrier and their messages go over a wire
 * (carrier/wire.h).
 *
 * One use of the barrier, an episode, is a dissemination of about log_{p+1} n steps among n
 * members, on p ports: those of the machine, but at most KP_WIRED_PORTS. In step i each member
 * sends all that it knows to the members (p + 1)^i, ..., p (p + 1)^i ranks after it, and receives
 * from the members as many ranks before it. An episode may find that calls differ, or that a member
 * refuses its call by kp_port_refuse. In both cases each member then tells all others its call. No
 * data has moved by then, so the group stays usable.
 *
 * A round of messages begins with kp_wired_next. Next the member calls kp_wired_expect for each
 * message that it will receive, and kp_wired_out for each message that it sends. kp_wired_round
 * then sends and receives them, and kp_wired_came returns the messages received. A message begins
 * with a hash of all calls that its sender has made. So the receiver knows whether the message
 * belongs to its own call. If it does not, the group becomes unusable. If a member refuses its call
 * and no episode follows in which the others can learn this, the member calls kp_wired_refuse
 * instead of kp_port_refuse. This also makes the group unusable, because other members may have
 * begun to exchange messages. */
#ifndef KPORT_PORTS_SYNC_WIRED_H
#define KPORT_PORTS_SYNC_WIRED_H

#include "ports/carrier/wire.h"
#include "ports/sync/episode.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kp_sync_row;
struct kp_wired;
extern const struct kp_sync_row kp_wired_sync_row;

enum kp_episode_result kp_wired_await(kp_group *member);
void kp_wired_arrive(kp_group *member, uint64_t fingerprint, unsigned bits);

/* Returns whether the members of this group share no memory. */
static inline bool kp_is_wired(const kp_group *member)
{
    return member->wired != NULL;
}

/* `kp_wired_open` begins a call. If `may_be_refused`, it makes an episode first, in which another
 * member may refuse the call. `kp_wired_refuse` ends a call that this member refuses.
 * `kp_wired_refuse` returns the status of the error that the caller has set at the processor.
 * `kp_wired_close` ends any other call. `kp_wired_close` returns 0, or KP_EUNTAKEN for a message of
 * an earlier kp_exchange that no receiver took. */
int kp_wired_open(kp_group *member, const struct kp_call *call, bool may_be_refused);
int kp_wired_refuse(kp_group *member,
                    void (*describe)(const void *subject, char *text, size_t size),
                    const void *subject);
int kp_wired_close(kp_group *member);

/* --- Lanes. Over a wire a lane's messages go by a branch of the wire. A lane never waits. --- */

/* Gives the member of a new lane its branch and its tags. `of` is the member of the lane's group.
 * Returns 0 or KP_EMEMORY, with an error set. */
int kp_wired_open_lane(kp_group *member, const kp_group *of, int lane);

/* Returns whether an episode of a lane at which this member has arrived is over. If not, goes on
 * with it as far as possible. */
bool kp_wired_has_come(kp_group *member);

/* In the next episode of the lane the members also tell each other `own`, as kp_wired_tell does. */
void kp_wired_tell_then(kp_group *member, const struct kp_telling *own, int space);

/* Does what kp_wired_end does, but does not wait: returns KP_WAITS if the round is not over. */
int kp_wired_test(kp_group *member, int round);

/* Returns the rank of a member from which the lane's call awaits something, or -1. */
int kp_wired_awaits(const kp_group *member);

/* An array with one row for each member. The rows begin `stride` bytes apart. If `stride` is 0, all
 * members share one row. */
struct kp_wired_rows {
    void *first;
    size_t stride;
};

/* Exchanges data among all members, after an episode in which all agreed. For each other rank i,
 * sends row i of `own` to the member with rank i, and stores in row i of `others` what that member
 * sends. Returns 0 or the error's status. After an error the group is unusable. */
int kp_wired_swap(kp_group *member, struct kp_wired_rows own, struct kp_wired_rows others,
                  size_t bytes);

/* Exchanges what members tell each other (kp_port_tell). Afterwards, for each other member, entry
 * `space` of its published addresses points to the data that this other member told. */
int kp_wired_tell(kp_group *member, const struct kp_telling *own, int space);

/* Agrees with the group's other members on the number by which the group's messages are known. The
 * members call this function in kp_group_create. Returns 0 or the error's status. */
int kp_wired_agree(kp_group *member);

/* --- The messages of a round. The functions are inline, because a call of a few bytes takes hardly
 * longer than the network's own. lib/ calls the functions, but must not use the fields.
 *
 * Short contents go with the head. Longer contents are a message of their own, so they may go from
 * the caller's memory to the other caller's memory. The network may write past a receive that is
 * too short for what comes, so a receive of longer contents begins only where their length is
 * certain. There are two ways:
 *
 * - Lone contents have no head. Their tag tells the call, by some bits of the mark, and their exact
 *   length. So a message of another length never meets their receive. If the calls differ, these
 *   messages do not meet at all, and the members find the difference when they tell each other what
 *   they wait for (ports/fail/watch.h).
 * - Other longer contents follow a head, with the same tag. The sender begins to send both at once.
 *   The receiver takes the contents when the head has come. These are contents whose length the
 *   receiver does not know or no tag can tell, those in lanes, and all where the network has few
 *   tags.
 *
 * Over Open MPI, lone contents of 8 KiB take 0.9 of the time of those with a head. --- */

/* The head of short contents is a hash of their length and of their sender's mark, which is a hash
 * of all its calls. The head of longer contents is the complement of the mark, and the length of
 * the contents with a bit that says how they travel. The memory of a message has room for a head of
 * each kind, so contents lie at an address that suits elements of any type.
 *
 * By the head a receiver that knows the length of short contents sees whether this length has come,
 * and need not ask the wire for it. If it knows that 3 to 8 bytes come, the head has only the last
 * bytes of the hash, so that both have KP_WIRED_TINY bytes together. Open MPI then writes half a
 * cache line instead of a whole one, and two processes whose cores share no cache exchange 8 bytes
 * in 0.9 of the time. Before 8 bytes the head has 2. One wrong call in 65536 agrees in these, so
 * that it returns what belongs to another call. Then the next message shows it, or the end of the
 * run, where the members compare their marks (kp_watch_compare_ends). */
#define KP_WIRED_HEAD sizeof(uint64_t)
#define KP_WIRED_TINY (sizeof(uint64_t) + sizeof(uint16_t))
#define KP_WIRED_ROOM (2 * KP_WIRED_HEAD)

/* Shorter contents have a head. By it a receiver sees at once that what came belongs to another
 * call, and shorter contents take no longer with a head. Open MPI sends at most 256 bytes in a
 * faster way, which takes half of the time: so a head must not make a message longer than that. */
#define KP_WIRED_LEAST_LONE 240

/* A message of a round, to be sent or received. */
struct kp_transfer {
    int rank, port;
    size_t bytes; /* the length of the contents; at a receiver the most, before the head has come */
    bool whole;   /* the contents have exactly `bytes` bytes; otherwise they may have fewer */
    bool lone;    /* the contents have no head; they stand where a head would in `heads` */
    char *memory; /* KP_WIRED_ROOM, and then the contents unless they lie at `place` */
    size_t room;  /* of `memory`, for contents */
    char *place;  /* where the contents lie or go */
};

/* The messages that a member sends in a round, or those that it receives. */
struct kp_transfers {
    struct kp_transfer *all;
    struct kp_wire_message *heads; /* by transfer: the head, with short contents */
    struct kp_wire_message *longs; /* the contents that do not go with their heads */
    int count, long_count, room;
    bool any_long; /* some contents may be a message of their own, after their head */
    bool any_lone; /* some contents are lone */
};

/* The messages of a round, laid out. */
struct kp_wired_laid {
    struct kp_transfers in, out;
    uint64_t context; /* of a round that is kept: the group's */
    bool swaps;       /* of a round that is kept: it has one short message each way */
};

/* What a member has for its rounds: the first part of its struct kp_wired. */
struct kp_wired_round {
    struct kp_wired_laid *laid; /* this round */
    struct kp_wired_laid own;   /* a round that is laid out anew */
    uint64_t context;           /* the group's number in tags; 0: its members have not agreed yet */
    uint64_t mark;              /* a hash of all the member's calls and episodes so far */
    uint64_t tag;               /* of this round's messages on port 0 */
    bool has_heads;             /* in a lane: the heads have come */
};

static inline struct kp_wired_round *kp_wired_round_of(const kp_group *member)
{
    return (struct kp_wired_round *)member->wired;
}

/* Returns whether contents of this length are not sent with a head. */
static inline bool kp_wired_is_long(size_t bytes)
{
    return bytes >= KP_WIRE_SHORT - KP_WIRED_HEAD;
}

/* Returns whether contents of this length may be lone, and so go from the caller's memory or to
 * it. */
static inline bool kp_wired_may_be_lone(size_t bytes)
{
    return bytes >= KP_WIRED_LEAST_LONE;
}

/* Returns the head of short contents. */
static inline uint64_t kp_wired_head(uint64_t mark, size_t bytes)
{
    return mark + bytes * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns how many bytes of it are sent. */
static inline size_t kp_wired_head_bytes(size_t bytes, bool whole)
{
    const bool is_tiny =
        whole && bytes <= sizeof(uint64_t) && bytes > KP_WIRED_TINY - KP_WIRED_HEAD;
    return is_tiny ? KP_WIRED_TINY - bytes : KP_WIRED_HEAD;
}

/* Writes the head of a message that is sent. */
static inline void kp_wired_mark(const struct kp_wired_round *round, struct kp_transfer *out)
{
    const uint64_t head = kp_wired_head(round->mark, out->bytes);
    memcpy(out->memory + KP_WIRED_ROOM - KP_WIRED_HEAD, &head, KP_WIRED_HEAD);
}

/* Decides how the contents of transfer i travel, which are long enough to be lone, and completes
 * the transfer: alone, after a head, or with it. */
void kp_wired_add_longer(kp_group *member, struct kp_transfers *transfers, int i);

/* Makes room for one more transfer that has no memory, or too little: for a head and `room` bytes.
 * Returns 0 or KP_EMEMORY. */
int kp_wired_grow(kp_group *member, struct kp_transfers *transfers, size_t room);

/* Adds a transfer. Returns NULL, with an error set, if there is no memory. */
static inline struct kp_transfer *kp_wired_add(kp_group *member, struct kp_transfers *transfers,
                                               int rank, int port, size_t bytes, bool whole,
                                               const void *place)
{
    const int i = transfers->count;
    const size_t room = place ? 0 : bytes, head = kp_wired_head_bytes(bytes, whole);
    if ((i == transfers->room || !transfers->all[i].memory || transfers->all[i].room < room) &&
        kp_wired_grow(member, transfers, room))
        return NULL;
    struct kp_transfer *transfer = &transfers->all[i];
    transfer->rank = rank;
    transfer->port = port;
    transfer->bytes = bytes;
    transfer->whole = whole;
    transfer->place = place ? (char *)place : transfer->memory + KP_WIRED_ROOM;
    transfers->heads[i] = (struct kp_wire_message){
        .peer = member->shared->processors[rank],
        .tag = kp_wired_round_of(member)->tag + (uint64_t)port,
        .bytes = transfer->memory + KP_WIRED_ROOM - head,
        .length = head + bytes,
    };
    transfer->lone = false;
    if (kp_wired_may_be_lone(bytes))
        kp_wired_add_longer(member, transfers, i);
    transfers->count = i + 1;
    return transfer;
}

/* Says that this member will receive a message from the member with rank `rank`, sent on `port`.
 * The message has `bytes` bytes if `whole` is true, and otherwise at most `bytes`. Returns 0 or
 * KP_EMEMORY. `place` is NULL, or the caller's memory of this message, which nothing else uses in
 * this round. It may be given if kp_wired_may_be_lone(bytes). Then the message may go to that
 * place: kp_wired_came tells. */
static inline int kp_wired_expect(kp_group *member, int rank, int port, size_t bytes, bool whole,
                                  void *place)
{
    struct kp_transfers *all = &kp_wired_round_of(member)->own.in;
    if (!kp_wired_add(member, all, rank, port, bytes, whole, place))
        return KP_EMEMORY;
    struct kp_wire_message *head = &all->heads[all->count - 1];
    if (!all->all[all->count - 1].lone)
        head->length = KP_WIRE_SHORT;
    head->exact = whole;
    return KP_OK;
}

/* Returns the place for a message to the member with rank `rank`, or NULL, with an error set, if
 * there is no memory. The caller writes the message there before it is sent. The receiver says the
 * same of `whole`. `place` is as above; if it is given, the message is written already. */
static inline char *kp_wired_out(kp_group *member, int rank, int port, size_t bytes, bool whole,
                                 const void *place)
{
    struct kp_wired_round *round = kp_wired_round_of(member);
    struct kp_transfer *out =
        kp_wired_add(member, &round->own.out, rank, port, bytes, whole, place);
    if (!out)
        return NULL;
    kp_wired_mark(round, out);
    if (place && out->place != place)
        memcpy(out->place, place, bytes);
    return out->place;
}

/* The messages of the round in their order: the first that is sent, and the first that is expected.
 * `kp_wired_place` returns the contents of one that has come. They stay until the next round. */
static inline struct kp_transfer *kp_wired_first_out(const kp_group *member)
{
    return kp_wired_round_of(member)->laid->out.all;
}

static inline const struct kp_transfer *kp_wired_first_in(const kp_group *member)
{
    return kp_wired_round_of(member)->laid->in.all;
}

static inline const char *kp_wired_place(const struct kp_transfer *in)
{
    return in->place;
}

/* Returns the contents of the i-th expected message. */
static inline const char *kp_wired_came(const kp_group *member, int i)
{
    return kp_wired_place(kp_wired_first_in(member) + i);
}

/* Kept code has the same messages whenever it is carried out. `kp_wired_keep` keeps a round that is
 * laid out, and has not begun, so that it can begin again. It does not if contents are long and not
 * lone, if messages are many or take much memory, if there is no memory, or if a round is kept
 * there already. `kp_wired_again` begins a kept round in place of kp_wired_next, kp_wired_expect
 * and kp_wired_out. It returns false if the round was laid out for a lane, or before the group was
 * made again: their tags differ. `kp_wired_out_again` returns the place for the message `out` that
 * is sent, or NULL if it goes from `place`. If the round has lone contents that are received,
 * `kp_wired_in_again` says where the i-th message goes. */
void kp_wired_keep(kp_group *member, struct kp_wired_laid **keeps);
void kp_wired_free_kept(struct kp_wired_laid *kept);
void kp_wired_lone_again(kp_group *member, struct kp_transfers *transfers, int i, char *place);

static inline bool kp_wired_again(kp_group *member, struct kp_wired_laid *kept)
{
    struct kp_wired_round *round = kp_wired_round_of(member);
    if (!kept || kept->context != round->context)
        return false;
    round->laid = kept;
    round->has_heads = false;
    return true;
}

static inline char *kp_wired_out_again(kp_group *member, struct kp_transfer *out, char *place)
{
    struct kp_wired_round *round = kp_wired_round_of(member);
    if (out->lone) {
        struct kp_transfers *all = &round->laid->out;
        kp_wired_lone_again(member, all, (int)(out - all->all), place);
        return place ? NULL : out->place;
    }
    kp_wired_mark(round, out);
    return out->place;
}

static inline bool kp_wired_any_lone_in(const kp_group *member)
{
    return kp_wired_round_of(member)->laid->in.any_lone;
}

static inline void kp_wired_in_again(kp_group *member, int i, char *place)
{
    struct kp_transfers *in = &kp_wired_round_of(member)->laid->in;
    if (in->all[i].lone)
        kp_wired_lone_again(member, in, i, place);
}

/* Begins a round, and forgets the messages of the last round. */
void kp_wired_next(kp_group *member);

/* `kp_wired_begin` begins to send this round's messages, and then to receive those that are
 * expected. Until `kp_wired_end` the member changes nothing that it sends. `kp_wired_end` waits
 * until the expected messages have come and its own are sent. A round that swaps begins in
 * `kp_wired_end`. Both return 0 or the error's status.
 * If `kp_wired_begin` fails, the round is over. */
int kp_wired_begin(kp_group *member, int round);
int kp_wired_end(kp_group *member, int round);

static inline int kp_wired_round(kp_group *member, int round)
{
    const int status = kp_wired_begin(member, round);
    return status ? status : kp_wired_end(member, round);
}

#endif
