/* This header gives every memory order that ports/ uses a name of its own. A memory order says
 * which writes of one thread another thread sees. Orders work in pairs. One thread releases its
 * writes, and its partner acquires them.
 *
 * No order is stronger than necessary. tests/mutants.py makes each order weaker. With the weaker
 * order, either ThreadSanitizer must find a race, or a model in tests/models must find an error.
 * `Weaker:` names this model and the macro that puts the weaker order into the model.
 *
 * The data of a round is plain memory: eager buffers, lent memory, and what members publish. Only
 * the two words of the barrier order accesses to this memory. A writer releases the data by
 * arriving at the barrier. The last member to arrive acquires what all members released, and
 * publishes the episode (this use of the barrier). Every other member acquires the data when it
 * sees the episode. */
#ifndef KPORT_PORTS_ORDER_H
#define KPORT_PORTS_ORDER_H

#include <stdatomic.h>

/* A member arrives at an episode (sync/arrival.h), and so releases what it wrote for the round.
 * Arrivals are read-modify-writes of one word, so the last member acquires what all others
 * released. */
#define KP_ORDER_ARRIVE memory_order_acq_rel

/* The last member to arrive clears the arrival word for the next episode. No member arrives again
 * before it has seen the present episode, and KP_ORDER_PUBLISH and KP_ORDER_OBSERVE order the
 * clearing before that arrival. So this store needs no order of its own. */
#define KP_ORDER_CLEAR memory_order_relaxed

/* The last member to arrive publishes the episode by changing the generation word. A failing member
 * publishes its failure in the same way. Each of these changes is a release of all that the member
 * has acquired (partner: KP_ORDER_OBSERVE). Changing the word is also the first step of waking
 * sleepers, before looking for them (partner: KP_ORDER_RECHECK). Therefore this order is
 * sequentially consistent. */
#define KP_ORDER_PUBLISH memory_order_seq_cst /* Weaker: parking -DPUBLISH_WEAK */

/* A waiting thread sees that a generation word, a run number or a count has changed. Partner:
 * KP_ORDER_PUBLISH. */
#define KP_ORDER_OBSERVE memory_order_acquire

/* Going to sleep and waking (sync/parking.h). The sleeper counts itself (SLEEP), then looks at the
 * word again (RECHECK). The waker changes the word (PUBLISH), then looks at the count of sleepers
 * (LOOK). All four steps are sequentially consistent, so they have one order that all threads agree
 * on. In this order, either the sleeper sees the changed word or the waker sees the sleeper. */
#define KP_ORDER_SLEEP   memory_order_seq_cst /* Weaker: parking -DSLEEP_WEAK */
#define KP_ORDER_RECHECK memory_order_seq_cst /* Weaker: parking -DRECHECK_WEAK */
#define KP_ORDER_LOOK    memory_order_seq_cst /* Weaker: parking -DLOOK_WEAK */

/* The state of a queue of waiting fibers (carrier/fibers_run.c). A worker is a thread that carries
 * fibers. A worker that sleeps arms its queue, so that a waker wakes the worker. To arm a queue,
 * the worker adds 1 to the count of sleepers (SLEEP), stores ARMED (ARM), then looks at the word
 * again. The waker changes the word, looks at the count, then at the queue's state (POST).
 *
 * A count above 0 does not tell the waker that this queue is armed. The count may stand for another
 * queue, and a queue is counted before ARMED is stored. So ARM and POST must be sequentially
 * consistent, too. If the waker finds the queue not armed, it has changed the word before the
 * worker's last look, and the worker sees the change. POST also acquires what ARM releases. So a
 * waker that replaces ARMED subtracts from the count only after the worker's addition. */
#define KP_ORDER_ARM  memory_order_seq_cst /* Weaker: arming -DARM_WEAK */
#define KP_ORDER_POST memory_order_seq_cst /* Weaker: arming -DPOST_WEAK */

/* A worker takes the queues that wakers have posted to it (EMPTY), reads them, and then marks each
 * queue as read (QUIET). The worker looks at a queue's word later, when it arms or polls the queue.
 * A thread that wants to free a queue first checks that the queue is not posted (POSTED; partner:
 * KP_ORDER_QUIET). */
#define KP_ORDER_EMPTY  memory_order_acquire
#define KP_ORDER_QUIET  memory_order_release /* Weaker: arming -DQUIET_WEAK */
#define KP_ORDER_POSTED memory_order_acquire /* Weaker: arming -DPOSTED_WEAK */

/* A thread that has woken subtracts itself from the count of sleepers. This needs no order, because
 * a waker that still sees the old count only tries to wake one thread too many. */
#define KP_ORDER_AWAKE memory_order_relaxed

/* A processor counts itself idle or busy in the machine's idle word (fail/deadlock.c). This is a
 * release of what the processor has stored about its wait (KP_ORDER_NOTE), and of every word that
 * it changed before. The processor that finds all processors idle acquires these writes. */
#define KP_ORDER_IDLE memory_order_acq_rel

/* The flag of a mailbox (sync/mailbox.h). The sender of a message sets the flag (FILL), and the
 * receiver finds it set (FIND_FULL). The receiver clears it (TAKE), and the sender finds it cleared
 * (FIND_EMPTY). */
#define KP_ORDER_FILL       memory_order_release
#define KP_ORDER_FIND_FULL  memory_order_acquire
#define KP_ORDER_TAKE       memory_order_release
#define KP_ORDER_FIND_EMPTY memory_order_acquire

/* A member sleeps on its bell until another member posts or takes a message (sync/awaited.h). The
 * sleeper counts itself at the other member, then looks at the mailbox once more. The other member
 * posts or takes, then looks at the count. Both members access the count by a read-modify-write, so
 * the later access acquires what the earlier one released. So either the sleeper sees the changed
 * mailbox, or the other member sees the sleeper. */
#define KP_ORDER_AWAITED memory_order_acq_rel /* Weaker: bell -DAWAITED_WEAK */

/* A processor listens before it sleeps until one of its requests can go on (request/request.h): it
 * counts itself, then looks once more. Another processor acts, then looks at the count. Where both
 * use a read-modify-write (AWAITED), this is as above. Otherwise the listener lets all threads of
 * the process pass a barrier between its two steps (request/handshake.h). The other processor's
 * look then needs no order beyond that of the program's text, which its compiler keeps
 * (AS_WRITTEN). */
#define KP_ORDER_NOTICE     memory_order_relaxed
#define KP_ORDER_AS_WRITTEN memory_order_seq_cst /* Weaker: ring -DLOOK_FIRST */

/* Reading another member's memory by mailboxes (sync/awaited.h). The reader sets its flag
 * (READING), then looks whether the group is broken (BROKEN). A member that fails breaks the group
 * (BREAK), or sees that another member has broken it. After that the failing member looks at the
 * flags (READERS), and waits until no member reads its memory. All four steps are sequentially
 * consistent, so at least one of the two members sees the other's step. */
#define KP_ORDER_READING memory_order_seq_cst /* Weaker: reading -DREADING_WEAK */
#define KP_ORDER_BROKEN  memory_order_seq_cst /* Weaker: reading -DBROKEN_WEAK */
#define KP_ORDER_BREAK   memory_order_seq_cst /* Weaker: reading -DBREAK_WEAK */
#define KP_ORDER_READERS memory_order_seq_cst /* Weaker: reading -DREADERS_WEAK */

/* Messages with tags (message/ring.h). The sender fills a slot of its ring and posts it (SEND), and
 * the receiver finds it (FIND_SENT). The receiver empties the slot (EMPTY_SLOT), and the sender
 * finds room there (FIND_ROOM). */
#define KP_ORDER_SEND       memory_order_release
#define KP_ORDER_FIND_SENT  memory_order_acquire
#define KP_ORDER_EMPTY_SLOT memory_order_release
#define KP_ORDER_FIND_ROOM  memory_order_acquire

/* A sender whose ring is full says that it wants room (AWAITED), then looks at its slot once more.
 * The receiver empties slots, then looks whether room is wanted (AWAITED, NOTICE). A sender that
 * wants no room any more may be woken once too often. */
#define KP_ORDER_HAVE_ROOM memory_order_relaxed

/* The state of a long message that stays in the sender's memory. The receiver claims it, or the
 * sender withdraws it (CLAIM). This change orders nothing, because SEND has released the memory.
 * The receiver copies the message and says so (TAKE_OFFER). The sender sees that (SEE_TAKEN) before
 * its call returns. */
#define KP_ORDER_CLAIM      memory_order_relaxed
#define KP_ORDER_TAKE_OFFER memory_order_release
#define KP_ORDER_SEE_TAKEN  memory_order_acquire

/* How many bytes of a sender have been received, and how many rings lead to a receiver. These are
 * counts alone, by which a sender decides how it sends. */
#define KP_ORDER_COUNT memory_order_relaxed

/* Until when no thread yields (sync/wait.c). A thread that sees an older value yields once more. */
#define KP_ORDER_YIELDS memory_order_relaxed

/* A request that the program itself ends (request/general.c). Another thread of the processor says
 * that it is done (DONE), and the processor's next look finds that (SEE_DONE). */
#define KP_ORDER_DONE     memory_order_release
#define KP_ORDER_SEE_DONE memory_order_acquire

/* A request of a processor may go on, says whoever rouses the progress thread
 * (request/progress.c). The ring of the thread's bell (PUBLISH, OBSERVE) orders this. */
#define KP_ORDER_ROUSED memory_order_relaxed

/* A machine that is not in use sets its words to their first values. The start of the run, or a
 * lock, orders these stores before the threads' accesses. */
#define KP_ORDER_RESET memory_order_relaxed

/* A processor stores what it waits for, in several words (NOTE). The last of these stores (SHOW)
 * releases the others. The deadlock detector reads these words and the awaited words with INSPECT,
 * before it declares a deadlock. INSPECT acquires, so these reads come before the detector's last
 * look at the idle word. */
#define KP_ORDER_NOTE    memory_order_relaxed
#define KP_ORDER_SHOW    memory_order_release /* partner: INSPECT */
#define KP_ORDER_INSPECT memory_order_acquire

/* A member's count of episodes. The member stores it before it arrives (COME), and so releases what
 * it has published of its call, and its data. A member that reads the data of one member only need
 * not wait for the episode, if it sees the count of that one (SEE_COME, sync/worker_sets.h). */
#define KP_ORDER_COME     memory_order_release
#define KP_ORDER_SEE_COME memory_order_acquire

/* These words say something about one episode: `lent`, `invalid` and the bits that members arrive
 * with (sync/episode.h). They need no order of their own, because a member writes them before it
 * arrives, and others read them after the episode. */
#define KP_ORDER_WITHIN_EPISODE memory_order_relaxed

/* A processor's state (empty, running, ended). The processor's thread writes the state. Reports
 * read it under the machine's lock. */
#define KP_ORDER_STATE memory_order_relaxed

/* These numbers only have to differ from each other (handle.c). */
#define KP_ORDER_NUMBER memory_order_relaxed

/* In a call with blocks of different lengths, one member computes the longest and the mean length
 * for all members (lib/lengths/lengths.c). TELL releases both lengths, and HEAR acquires them.
 * BEGIN_TO_TELL orders nothing. */
#define KP_ORDER_BEGIN_TO_TELL memory_order_relaxed
#define KP_ORDER_TELL          memory_order_release
#define KP_ORDER_HEAR          memory_order_acquire

/* A thread looks at a word without the lock under which others write the word (carrier/mpi). It
 * takes this lock before it uses what the word says, so the word needs no order of its own. */
#define KP_ORDER_UNLOCKED memory_order_relaxed

/* The count of forks. A thread changes it under a lock. Any thread reads it without the lock. */
#define KP_ORDER_FORK memory_order_relaxed

/* These orders are for a list of spare buffers (lib/route/spare.c). A thread that gives a buffer to
 * the list releases its accesses to the buffer. A thread that takes a buffer acquires them. The
 * list counts the threads that hold it. The last thread to let go of the list acquires what all
 * others did with it. HOLD is relaxed, because only a thread that already holds the list adds a
 * hold. */
#define KP_ORDER_GIVE_SPARE     memory_order_release
#define KP_ORDER_TAKE_SPARE     memory_order_acquire
#define KP_ORDER_EXCHANGE_SPARE memory_order_acq_rel
#define KP_ORDER_MISS_SPARE     memory_order_relaxed
#define KP_ORDER_HOLD           memory_order_relaxed
#define KP_ORDER_LET_GO         memory_order_acq_rel

#endif
