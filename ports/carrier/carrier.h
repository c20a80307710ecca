/* What carries the processors of a machine: threads or fibers, a row each. Another carrier is
 * another row; nothing outside this folder asks which one it is. */
#ifndef KPORT_PORTS_CARRIER_CARRIER_H
#define KPORT_PORTS_CARRIER_CARRIER_H

#include "kport/machine.h"
#include "ports/port.h"
#include "ports/sync/wait.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kp_note;

/* What is not there (NULL) a carrier has no need of. */
struct kp_carrier_row {
    bool attaches;       /* threads of the caller's may carry a processor */
    size_t thread_stack; /* of the machine's threads; 0: as configured */

    /* Fills in what a configuration leaves to the carrier; refuses what the carrier does not have:
     * 0, or a status with its sentence. */
    int (*complete)(struct kp_machine_config *config);

    /* What the machine needs besides threads: from its beginning, and from the first run on. */
    int (*make)(kp_machine *machine);
    void (*free)(kp_machine *machine);
    int (*prepare)(kp_machine *machine);

    /* Carries the processors of one of the machine's threads through a run; and, if the thread ends
     * within it while it carries `self`, those that are left. */
    void (*carry)(kp_machine *machine, int hand);
    void (*carry_rest)(kp_proc *self);

    /* Which thread carries a processor together with others. NULL: each has a thread of its own. */
    int (*worker_of)(const kp_machine *machine, int processor);

    /* Words that processors wait for, where they wait in another way than threads do (wait.c).
     * `processor`: it alone waits for the word; -1: all do. */
    int (*make_word)(kp_machine *machine, struct kp_wait_word *word, int processor);
    void (*free_word)(struct kp_wait_word *word);
    uint32_t (*wait)(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);
    void (*wake)(struct kp_wait_word *word);

    /* For the watch (fail/deadlock.c): whom a member's waiter tells that it parks; what is known of
     * one that waits, while the sleepers are held. */
    void (*parking)(void *member, struct kp_wait_word *word, uint32_t old);
    void (*unparked)(void *member);
    bool (*note)(const kp_proc *proc, struct kp_note *note);
};

extern const struct kp_carrier_row kp_threads_row, kp_fibers_row;
extern const struct kp_carrier_row kp_wired_row; /* of a machine over a wire (wire.h) */

/* The row of a configuration. NULL: there is none of that number; with a sentence. */
const struct kp_carrier_row *kp_carrier_of(const struct kp_machine_config *config);

/* For a row's `complete`: the stack's size, `usual` where it is left open, at least `least`. */
int kp_complete_stack(struct kp_machine_config *config, size_t usual, size_t least);

/* For a row's `note`, where each processor has a thread of its own. */
bool kp_note_thread(const kp_proc *proc, struct kp_note *note);

/* A thread that the machine starts. */
struct kp_hand {
    kp_machine *machine;
    int index;
    uint32_t run; /* the last one when it was started */
    pthread_t thread;
    const char *stack;    /* the highest place of it that is known */
    bool exists;          /* has been started and not been joined */
    _Atomic int vanished; /* has ended by itself */
};

/* How many a machine of a completed configuration has, and the first processor of one of them. */
int kp_hands_of(const struct kp_machine_config *config);
static inline int kp_hand_first(int processors, int hands, int hand)
{
    return (int)((int64_t)processors * hand / hands);
}

/* Starts the threads that are missing; `started` is how many there were at the end. If one cannot
 * be started all are ended: KP_ETHREAD, with that number in the sentence. */
int kp_carriers_start(kp_machine *machine, int *started);
void kp_carriers_stop(kp_machine *machine);

/* Makes the calling thread the carrier of `self`, or of none (NULL). If the thread ends while it
 * carries a processor, that processor is lost. */
int kp_carry(kp_proc *self);

/* A word that processors are going to wait for, otherwise zeroed: 0 or KP_EMEMORY. */
int kp_wait_word_make(kp_machine *machine, struct kp_wait_word *word, int processor);

/* Nobody waits for the word, or will. Under the machine's lock, or after its end. */
void kp_wait_word_free(struct kp_wait_word *word);

/* --- keeping.c: cores on which a machine of more threads than cores keeps them by default, and
 * letting the threads go where that does harm ---
 *
 * Threads that are kept cannot help each other out: where those of one core have nothing to do and
 * another core's have much, the system would move some. So it is watched how long all threads of a
 * core sleep while the run goes on. Once that is more than an eighth of the time, the threads are
 * let go, for as long as the machine lives. */
struct kp_keeping;

/* On how many cores a completed configuration's threads are kept, `hands` of them; 0: none is. */
int kp_keeping_cores(const struct kp_machine_config *config, int hands);

/* For a machine that keeps its threads by default, told of each run, and of each thread of a run
 * that goes to sleep and goes on. NULL: no memory; nothing is watched. Who goes to sleep may do so
 * here, for at most `most_ms` milliseconds (0: for ever), until the word is not `old` any more. */
struct kp_keeping *kp_keeping_make(const kp_machine *machine);
void kp_keeping_free(struct kp_keeping *keeping);
void kp_keeping_run(struct kp_keeping *keeping);
bool kp_keeping_is_over(const struct kp_keeping *keeping);
void kp_keeping_sleeps(struct kp_keeping *keeping, int i, struct kp_wait_word *word, uint32_t old,
                       unsigned most_ms);
void kp_keeping_wakes(struct kp_keeping *keeping, int i);

#endif
