/* Contestants of the benchmark that pass words between two threads: a ring of slots written by
 * hand, and kport's mailboxes. A slot has its flag in the same cache line as the word. */
#include "../contestant.h"
#include "ports/sync/mailbox.h"
#include "two_threads.h"

#include <stdatomic.h>

/* --- By hand: a ring of slots; the flag of a slot says which lap of the ring the slot is in --- */

#define SLOTS 512

struct slot {
    /* The state of the slot in lap L of the ring. 2 * L: empty; 2 * L + 1: full; 2 * L + 2: read,
     * and so empty in lap L + 1. */
    alignas(64) _Atomic uint64_t lap;
    uint64_t word;
};

/* The ring. The position of the writer and the position of the reader have cache lines of their
 * own. */
struct ring {
    struct slot slots[SLOTS];
    alignas(64) uint64_t written;
    alignas(64) uint64_t taken;
};

static inline bool put(struct ring *ring, uint64_t word)
{
    struct slot *slot = &ring->slots[ring->written % SLOTS];
    uint64_t lap = ring->written / SLOTS;
    /* This load is an acquire, and pairs with the release in `take`. */
    if (atomic_load_explicit(&slot->lap, memory_order_acquire) != 2 * lap)
        return false;
    slot->word = word;
    /* This store is a release, so `take` sees the word. */
    atomic_store_explicit(&slot->lap, 2 * lap + 1, memory_order_release);
    ring->written++;
    return true;
}

static inline bool take(struct ring *ring, uint64_t *word)
{
    struct slot *slot = &ring->slots[ring->taken % SLOTS];
    uint64_t lap = ring->taken / SLOTS;
    /* This load is an acquire, and pairs with the release in `put`. */
    if (atomic_load_explicit(&slot->lap, memory_order_acquire) != 2 * lap + 1)
        return false;
    *word = slot->word;
    /* This store is a release, so `put` overwrites the word only after it is read here. */
    atomic_store_explicit(&slot->lap, 2 * lap + 2, memory_order_release);
    ring->taken++;
    return true;
}

DEFINE_TWO_THREADS(by_hand, struct ring, put, take)

/* --- A ring with the same number of kport's mailboxes --- */

struct boxes {
    struct kp_mailbox box[SLOTS];
    alignas(64) uint32_t written;
    alignas(64) uint32_t taken;
};

static inline bool box_put(struct boxes *boxes, uint64_t word)
{
    struct kp_mailbox *box = &boxes->box[boxes->written % SLOTS];
    if (!kp_mailbox_is_empty(box))
        return false;
    memcpy(box->payload, &word, sizeof word);
    kp_mailbox_post(box, 1);
    boxes->written++;
    return true;
}

static inline bool box_take(struct boxes *boxes, uint64_t *word)
{
    struct kp_mailbox *box = &boxes->box[boxes->taken % SLOTS];
    if (!kp_mailbox_holds(box, 1))
        return false;
    memcpy(word, box->payload, sizeof *word);
    kp_mailbox_release(box);
    boxes->taken++;
    return true;
}

DEFINE_TWO_THREADS(by_kport, struct boxes, box_put, box_take)

/* --- Contestants --- */

bool words_serve(const struct contestant *self, const struct job *job)
{
    const bool tagged = job->operation == PING_PONG || job->operation == WINDOW;
    if (self->kind == HAND)
        return tagged || job->operation == ROUND_TRIP || job->operation == THROUGHPUT;
    return self->kind == MAILBOX_WORDS
               ? job->operation == PING_PONG
               : job->operation == ROUND_TRIP || job->operation == THROUGHPUT;
}

const char *words_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply)
{
    static struct ring rings[2];
    static struct boxes boxes[2];
    struct request words = *request;
    (void)arena;
    /* A window by hand is as many words, without an answer. */
    if (words.job.operation == WINDOW)
        words.calls *= WINDOW_MESSAGES;
    words.job.pin = words.job.pin || words.job.fibers;
    if (self->form == MAILBOXES) {
        memset(boxes, 0, sizeof boxes);
        run_by_kport(&words, boxes, reply);
    } else {
        memset(rings, 0, sizeof rings);
        run_by_hand(&words, rings, reply);
    }
    return NULL;
}
