/* Every memory order in ports/, by name, with its partner.
 *
 * None is stronger than it has to be: tests/mutants.py makes each of them weaker, and wants
 * ThreadSanitizer to find a race, or a model (tests/models) to find what goes wrong if the order is
 * not kept. `Weaker:` names the model and its planted bug that stands for that.
 *
 * The data of a round (buffers, described memory, members) is plain memory. It is ordered by the
 * two words of the barrier alone: who writes, arrives; the last to arrive has acquired all arrivals
 * and publishes the pass; who sees the pass has acquired it. */
#ifndef KPORT_PORTS_ORDER_H
#define KPORT_PORTS_ORDER_H

#include <stdatomic.h>

/* Arriving at a pass (arrival.h). Releases what this processor wrote for the round; the last to
 * arrive acquires what all others released, through the chain of read-modify-writes. */
#define KP_ORDER_ARRIVE memory_order_acq_rel

/* Clearing the arrival word for the next pass. Ordered before the next arrival by KP_ORDER_PUBLISH
 * and KP_ORDER_OBSERVE: nobody arrives again before having seen the pass. */
#define KP_ORDER_CLEAR memory_order_relaxed

/* Publishing a pass, or a failure, in the generation word. Releases everything the last to arrive
 * has acquired (partner: KP_ORDER_OBSERVE). Sequentially consistent because it is also the waker's
 * first half of the parking handshake: change the word, then look for sleepers (partner:
 * KP_ORDER_RECHECK). */
#define KP_ORDER_PUBLISH memory_order_seq_cst /* Weaker: parking -DPUBLISH_WEAK */

/* Seeing a changed generation, run or count word. Partner: KP_ORDER_PUBLISH. */
#define KP_ORDER_OBSERVE memory_order_acquire

/* The parking handshake (parking.h). The sleeper counts itself, then looks at the word again; the
 * waker changes the word, then looks at the count. All four are sequentially consistent, so in
 * their one order either the sleeper sees the change or the waker sees the sleeper. */
#define KP_ORDER_SLEEP   memory_order_seq_cst /* Weaker: parking -DSLEEP_WEAK */
#define KP_ORDER_RECHECK memory_order_seq_cst /* Weaker: parking -DRECHECK_WEAK */
#define KP_ORDER_LOOK    memory_order_seq_cst /* Weaker: parking -DLOOK_WEAK */

/* The state of a queue of fibers (carrier/fibers_run.c), which is a part of that handshake. Who
 * arms a queue counts it, stores ARMED, then looks at the word again; who changes the word looks at
 * the count, then at the state. A count above 0 does not tell the changer that ARMED has been
 * stored: it may stand for another queue, and this one is counted before. So the state has to be in
 * the one order itself: a changer that does not find this queue armed yet has changed the word
 * before the last look of who arms it. POST also acquires what ARM releases, so who takes ARMED
 * away subtracts from the count after the addition. */
#define KP_ORDER_ARM  memory_order_seq_cst /* Weaker: arming -DARM_WEAK */
#define KP_ORDER_POST memory_order_seq_cst /* Weaker: arming -DPOST_WEAK */

/* A worker takes the queues that were posted, reads them, and says of each that it has. What it has
 * to see of its word it sees when it arms or polls the queue again, which comes after. Who frees
 * queues looks whether they are posted (partner: KP_ORDER_QUIET). */
#define KP_ORDER_EMPTY  memory_order_acquire
#define KP_ORDER_QUIET  memory_order_release /* Weaker: arming -DQUIET_WEAK */
#define KP_ORDER_POSTED memory_order_acquire /* Weaker: arming -DPOSTED_WEAK */

/* Ceasing to sleep: a waker that still sees the sleeper only makes one needless call. */
#define KP_ORDER_AWAKE memory_order_relaxed

/* Counting oneself idle or busy in the machine's watch word (fail/deadlock.c). Releases the
 * member's note of what is waited for and every word changed before; who finds all processors idle
 * acquires them. */
#define KP_ORDER_IDLE memory_order_acq_rel

/* A mailbox (mailbox.h): its flag goes up with FILL, is seen up with FIND_FULL; goes down with
 * TAKE, is seen down with FIND_EMPTY. */
#define KP_ORDER_FILL       memory_order_release
#define KP_ORDER_FIND_FULL  memory_order_acquire
#define KP_ORDER_TAKE       memory_order_release
#define KP_ORDER_FIND_EMPTY memory_order_acquire

/* Who sleeps until another processor posts or takes counts itself there, then looks at the box once
 * more; the other posts or takes, then looks at the count. Both do it by a read-modify-write of the
 * count: whichever comes second in that word's one order has acquired what the first released, so
 * either the sleeper sees the box as it wants it or the other sees the sleeper (awaited.h). */
#define KP_ORDER_AWAITED memory_order_acq_rel /* Weaker: bell -DAWAITED_WEAK */

/* Who may copy from a member's memory and who has to wait until nobody does (awaited.h): the reader
 * says so, then looks whether the group has failed; who has seen the failure looks at the reader.
 * Sequentially consistent, all four: one of the two sees the other. */
#define KP_ORDER_READING memory_order_seq_cst /* Weaker: reading -DREADING_WEAK */
#define KP_ORDER_BROKEN  memory_order_seq_cst /* Weaker: reading -DBROKEN_WEAK */
#define KP_ORDER_BREAK   memory_order_seq_cst /* Weaker: reading -DBREAK_WEAK */
#define KP_ORDER_READERS memory_order_seq_cst /* Weaker: reading -DREADERS_WEAK */

/* Setting words of a machine that nobody uses: ordered by the start of the run or the lock. */
#define KP_ORDER_RESET memory_order_relaxed

/* The notes themselves, and the words looked at again before a deadlock is declared: acquire, so
 * that the last look at the watch word comes after them. */
#define KP_ORDER_NOTE    memory_order_relaxed
#define KP_ORDER_SHOW    memory_order_release /* the last of a thread's notes; partner: INSPECT */
#define KP_ORDER_INSPECT memory_order_acquire

/* Words that tell of a pass and are ordered by its arrival and publication: `exposed`, `invalid`,
 * what members come with (sync/phase.h), a member's count of passes for reports. */
#define KP_ORDER_WITHIN_PASS memory_order_relaxed

/* A processor's state (empty, running, ended), written by its thread, read by reports under the
 * machine's lock. */
#define KP_ORDER_STATE memory_order_relaxed

/* Numbers that only have to differ (handle.c). */
#define KP_ORDER_NUMBER memory_order_relaxed

/* What one member of a call with lengths finds and tells the others (lib/call/lengths.c): who hears
 * it acquires it (partner: TELL). That one of them begins to tell orders nothing. */
#define KP_ORDER_BEGIN_TO_TELL memory_order_relaxed
#define KP_ORDER_TELL          memory_order_release
#define KP_ORDER_HEAR          memory_order_acquire

/* Set once under a lock, read anywhere after: the count of forks. */
#define KP_ORDER_FORK memory_order_relaxed

/* Buffers that wait to be used again (lib/route/spare.c): who gives one releases what was done with
 * it, who takes it acquires that. The last to let go of the place where they lie acquires what all
 * others did there; holding it once more needs nothing, for whoever does it holds it. */
#define KP_ORDER_GIVE_SPARE     memory_order_release
#define KP_ORDER_TAKE_SPARE     memory_order_acquire
#define KP_ORDER_EXCHANGE_SPARE memory_order_acq_rel
#define KP_ORDER_MISS_SPARE     memory_order_relaxed
#define KP_ORDER_HOLD           memory_order_relaxed
#define KP_ORDER_LET_GO         memory_order_acq_rel

#endif
