/* What carries the processors of a machine: threads, fibers, or a thread over a wire. Each carrier
 * is a row of functions, and a new carrier is a new row. No code outside this folder asks which
 * carrier a machine has. */
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

/* A carrier that does not need a function has NULL for it. */
struct kp_carrier_row {
    bool attaches;       /* threads of the caller may carry a processor */
    size_t thread_stack; /* the stack size of the machine's threads, or 0 for the configured size */

    /* Fills in the defaults of a configuration, and refuses what the carrier does not offer.
     * Returns 0, or a status with its sentence. */
    int (*complete)(struct kp_machine_config *config);

    /* `make` and `free`: what the machine needs besides threads, from its beginning on. `prepare`:
     * what it needs besides from the first run on. */
    int (*make)(kp_machine *machine);
    void (*free)(kp_machine *machine);
    int (*prepare)(kp_machine *machine);

    /* `carry` carries the processors of one of the machine's threads through a run. If the thread
     * ends within the run while it carries `self`, `carry_rest` carries its other processors
     * through the rest. */
    void (*carry)(kp_machine *machine, int hand);
    void (*carry_rest)(kp_proc *self);

    /* Returns the number of the thread that carries a processor and others. NULL: each processor
     * has a thread of its own. */
    int (*worker_of)(const kp_machine *machine, int processor);

    /* Functions for the words that processors wait for. NULL: processors wait as threads do
     * (sync/wait.c). `processor`: the only processor that waits for the word, or -1 if all
     * processors may wait. */
    int (*make_word)(kp_machine *machine, struct kp_wait_word *word, int processor);
    void (*free_word)(struct kp_wait_word *word);
    uint32_t (*wait)(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);
    void (*wake)(struct kp_wait_word *word);

    /* For the deadlock detector (fail/deadlock.c). A member's waiter calls `parking` and
     * `unparked`. `note` finds out about a processor that waits, while the detector keeps sleepers
     * from going on. It returns false if the processor does not wait. */
    void (*parking)(void *member, struct kp_wait_word *word, uint32_t old);
    void (*unparked)(void *member);
    bool (*note)(const kp_proc *proc, struct kp_note *note);
};

extern const struct kp_carrier_row kp_threads_row, kp_fibers_row;
extern const struct kp_carrier_row kp_wired_row; /* for a machine over a wire (wire.h) */

/* Returns the row of a configuration's carrier, or NULL, with a sentence, if there is none. */
const struct kp_carrier_row *kp_carrier_of(const struct kp_machine_config *config);

/* Sets the stack size to `usual` if the configuration leaves it open, and refuses less than
 * `least`. A row's `complete` calls this. */
int kp_complete_stack(struct kp_machine_config *config, size_t usual, size_t least);

/* The `note` of carriers whose processors have a thread each. */
bool kp_note_thread(const kp_proc *proc, struct kp_note *note);

/* A thread that the machine starts. */
struct kp_hand {
    kp_machine *machine;
    int index;
    uint32_t run; /* the number of the last run when the thread was started */
    pthread_t thread;
    const char *stack;    /* the highest address of its stack that is known */
    bool exists;          /* the thread has been started and not been joined */
    _Atomic int vanished; /* the thread has ended within a program */
};

/* `kp_hands_of` returns how many threads the machine of a completed configuration starts.
 * `kp_hand_first` returns the first processor of one of them. */
int kp_hands_of(const struct kp_machine_config *config);
static inline int kp_hand_first(int processors, int hands, int hand)
{
    return (int)((int64_t)processors * hand / hands);
}

/* Starts the threads that are missing. `started` gets the number of threads that exist at the end.
 * If a thread cannot be started, all end: KP_ETHREAD, with that number in the sentence. */
int kp_carriers_start(kp_machine *machine, int *started);
void kp_carriers_stop(kp_machine *machine);

/* Makes the calling thread the carrier of `self`, or of no processor (NULL). If the thread ends
 * while it carries a processor, that processor is lost. */
int kp_carry(kp_proc *self);

/* Prepares a zeroed word for processors to wait for. Returns 0 or KP_EMEMORY. */
int kp_wait_word_make(kp_machine *machine, struct kp_wait_word *word, int processor);

/* Frees what kp_wait_word_make made. No processor waits for the word or will wait for it. The
 * caller holds the machine's lock, or the machine has ended. */
void kp_wait_word_free(struct kp_wait_word *word);

/* --- keeping.c: keeping threads on cores by default, where a machine has more threads than cores
 * ---
 *
 * A thread that is kept on a core cannot move to an idle core. Keeping does harm if the threads of
 * one core have nothing to do while the threads of another have much to do. So this file measures
 * how long all threads of a core sleep while the run goes on. Once that is more than an eighth of
 * the time, it lets the threads go, for the rest of the machine's life. */
struct kp_keeping;

/* Returns on how many cores the `hands` threads of a completed configuration are kept, or 0. */
int kp_keeping_cores(const struct kp_machine_config *config, int hands);

/* For a machine that keeps its threads by default. `make` returns NULL if there is no memory. Then
 * nothing is measured. `run` begins a run. Thread i of a run calls `sleeps` when it goes to sleep,
 * and `wakes` when it goes on. `sleeps` may sleep itself, until the word is not `old` any more, for
 * at most `most_ms` milliseconds (0: for ever). */
struct kp_keeping *kp_keeping_make(const kp_machine *machine);
void kp_keeping_free(struct kp_keeping *keeping);
void kp_keeping_run(struct kp_keeping *keeping);
bool kp_keeping_is_over(const struct kp_keeping *keeping);
void kp_keeping_sleeps(struct kp_keeping *keeping, int i, struct kp_wait_word *word, uint32_t old,
                       unsigned most_ms);
void kp_keeping_wakes(struct kp_keeping *keeping, int i);

#endif
