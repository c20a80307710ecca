/* Every memory order in ports/, by name, with its partner.
 *
 * No order is stronger than necessary. tests/mutants.py weakens each, and then ThreadSanitizer must
 * find a race, or a model (tests/models) an error. `Weaker:` names that model and the macro that
 * plants the weaker order in it.
 *
 * The data of a round (buffers, lent memory, members) is plain memory. Only the barrier's two
 * words order it: a writer arrives; the last member to arrive has acquired all arrivals and
 * publishes the episode; a member that sees the episode acquires it. */
#ifndef KPORT_PORTS_ORDER_H
#define KPORT_PORTS_ORDER_H

#include <stdatomic.h>

/* Arriving at an episode (arrival.h). Releases what this processor wrote for the round. The last to
 * arrive acquires what all others released, through the chain of read-modify-writes. */
#define KP_ORDER_ARRIVE memory_order_acq_rel

/* Clearing the arrival word for the next episode. KP_ORDER_PUBLISH and KP_ORDER_OBSERVE order it
 * before the next arrival, because no member arrives again before it has seen the episode. */
#define KP_ORDER_CLEAR memory_order_relaxed

/* Publishing an episode, or a failure, in the generation word. Releases all that the last to arrive
 * has acquired (partner: KP_ORDER_OBSERVE). It is sequentially consistent because it is also the
 * waker's first step in the parking handshake: change the word, then look for sleepers (partner:
 * KP_ORDER_RECHECK). */
#define KP_ORDER_PUBLISH memory_order_seq_cst /* Weaker: parking -DPUBLISH_WEAK */

/* Seeing a changed generation word, run number or count. Partner: KP_ORDER_PUBLISH. */
#define KP_ORDER_OBSERVE memory_order_acquire

/* The parking handshake (parking.h). The sleeper counts itself, then looks at the word again; the
 * waker changes the word, then looks at the count. All four are sequentially consistent, so in
 * their one order either the sleeper sees the change or the waker sees the sleeper. */
#define KP_ORDER_SLEEP   memory_order_seq_cst /* Weaker: parking -DSLEEP_WEAK */
#define KP_ORDER_RECHECK memory_order_seq_cst /* Weaker: parking -DRECHECK_WEAK */
#define KP_ORDER_LOOK    memory_order_seq_cst /* Weaker: parking -DLOOK_WEAK */

/* The state of a queue of fibers (carrier/fibers_run.c), a part of that handshake. The worker that
 * arms a queue counts it, stores ARMED, then looks at the word again. The waker changes the word,
 * then looks at the count, then at the state. A count above 0 does not tell the waker that ARMED is
 * stored: the count may stand for another queue, and a queue is counted before it is armed. So the
 * state must be in the one order too: a waker that does not find the queue armed has changed the
 * word before the worker's last look. POST also acquires what ARM releases, so the waker that takes
 * ARMED away subtracts from the count after the addition. */
#define KP_ORDER_ARM  memory_order_seq_cst /* Weaker: arming -DARM_WEAK */
#define KP_ORDER_POST memory_order_seq_cst /* Weaker: arming -DPOST_WEAK */

/* A worker takes the posted queues (EMPTY), reads them, and then marks each as read (QUIET). The
 * worker sees the changes of a queue's word later, when it arms or polls that queue. A thread that
 * frees queues looks whether they are posted (POSTED; partner: KP_ORDER_QUIET). */
#define KP_ORDER_EMPTY  memory_order_acquire
#define KP_ORDER_QUIET  memory_order_release /* Weaker: arming -DQUIET_WEAK */
#define KP_ORDER_POSTED memory_order_acquire /* Weaker: arming -DPOSTED_WEAK */

/* Ceasing to sleep. A waker that still sees the sleeper makes one needless call, and no more. */
#define KP_ORDER_AWAKE memory_order_relaxed

/* Counting a processor idle or busy in the machine's watch word (fail/deadlock.c). Releases the
 * member's notes of what it waits for, and every word changed before. The processor that finds all
 * idle acquires them. */
#define KP_ORDER_IDLE memory_order_acq_rel

/* A mailbox's flag (mailbox.h). The sender raises it with FILL, and the receiver sees it raised
 * with FIND_FULL. The receiver lowers it with TAKE, and the sender sees it lowered with FIND_EMPTY.
 */
#define KP_ORDER_FILL       memory_order_release
#define KP_ORDER_FIND_FULL  memory_order_acquire
#define KP_ORDER_TAKE       memory_order_release
#define KP_ORDER_FIND_EMPTY memory_order_acquire

/* The bell of a member that sleeps until another one posts or takes a message (awaited.h). The
 * sleeper counts itself in the bell, then looks at the mailbox once more. The other member posts or
 * takes, then looks at the count. Both access the count by a read-modify-write. Whichever comes
 * second has acquired what the first released. So either the sleeper sees the changed mailbox, or
 * the other member sees the sleeper. */
#define KP_ORDER_AWAITED memory_order_acq_rel /* Weaker: bell -DAWAITED_WEAK */

/* Readers of a member's memory, and the member that waits until none is left (awaited.h). The
 * reader marks itself (READING), then looks whether the group is broken (BROKEN). The member breaks
 * the group (BREAK) or sees that it is broken, then looks at the readers (READERS). All four are
 * sequentially consistent, so at least one of the two sees the other. */
#define KP_ORDER_READING memory_order_seq_cst /* Weaker: reading -DREADING_WEAK */
#define KP_ORDER_BROKEN  memory_order_seq_cst /* Weaker: reading -DBROKEN_WEAK */
#define KP_ORDER_BREAK   memory_order_seq_cst /* Weaker: reading -DBREAK_WEAK */
#define KP_ORDER_READERS memory_order_seq_cst /* Weaker: reading -DREADERS_WEAK */

/* Setting words of an unused machine. The start of the run, or the lock, orders them. */
#define KP_ORDER_RESET memory_order_relaxed

/* A processor's notes, and the words that the detector looks at again before it declares a
 * deadlock. INSPECT acquires, so that the last look at the watch word comes after both. */
#define KP_ORDER_NOTE    memory_order_relaxed
#define KP_ORDER_SHOW    memory_order_release /* the last of a thread's notes; partner: INSPECT */
#define KP_ORDER_INSPECT memory_order_acquire

/* Words about an episode, which the episode's arrival and publication order: `lent`,
 * `invalid`, the bits that members arrive with (sync/episode.h), a member's count of episodes for
 * reports. */
#define KP_ORDER_WITHIN_EPISODE memory_order_relaxed

/* A processor's state (empty, running, ended). Its thread writes it; reports read it under the
 * machine's lock. */
#define KP_ORDER_STATE memory_order_relaxed

/* Numbers that only need to differ (handle.c). */
#define KP_ORDER_NUMBER memory_order_relaxed

/* What a member of a call with lengths tells the others (lib/call/lengths.c). The member that hears
 * it acquires it (partner: TELL). Beginning to tell orders nothing. */
#define KP_ORDER_BEGIN_TO_TELL memory_order_relaxed
#define KP_ORDER_TELL          memory_order_release
#define KP_ORDER_HEAR          memory_order_acquire

/* The count of forks: set under a lock, read anywhere afterwards. */
#define KP_ORDER_FORK memory_order_relaxed

/* Spare buffers for later use (lib/route/spare.c). A thread that gives a buffer releases its
 * accesses to it; one that takes the buffer acquires them. The last to let go of the list acquires
 * what all others did there. HOLD is relaxed, because a thread that holds the list once more
 * already holds it. */
#define KP_ORDER_GIVE_SPARE     memory_order_release
#define KP_ORDER_TAKE_SPARE     memory_order_acquire
#define KP_ORDER_EXCHANGE_SPARE memory_order_acq_rel
#define KP_ORDER_MISS_SPARE     memory_order_relaxed
#define KP_ORDER_HOLD           memory_order_relaxed
#define KP_ORDER_LET_GO         memory_order_acq_rel

#endif
