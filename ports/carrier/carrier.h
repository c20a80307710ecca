/* What carries the processors of a machine: threads or fibers, a row each. Another carrier is
 * another row; nothing outside this folder asks which one it is. */
#ifndef KPORT_PORTS_CARRIER_CARRIER_H
#define KPORT_PORTS_CARRIER_CARRIER_H

#include "kport/machine.h"
#include "ports/port.h"
#include "ports/wait.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct kp_note;

struct kp_carrier_row {
    /* Fills in what a configuration leaves to the carrier; refuses what the carrier does not have:
     * 0, or a status with its sentence. */
    int (*complete)(struct kp_machine_config *config);
    int (*hands)(const struct kp_machine_config *config); /* threads that the machine starts */
    bool attaches; /* threads of the caller's may carry a processor */

    /* How a processor waits: its looks before it parks, and whom it tells of that. */
    void (*looks)(kp_wait_policy wait, struct kp_waiter *waiter);

    /* What the machine needs besides threads, at its `pool`. NULL: nothing before the first run. */
    int (*make)(kp_machine *machine);
    void (*free)(kp_machine *machine);

    /* Starts the threads that are missing; `started` is how many there were at the end. If one
     * cannot be started all are ended: KP_ETHREAD, with that number in the sentence. */
    int (*start)(kp_machine *machine, int *started);
    void (*join)(kp_machine *machine); /* once `stopping` is known */

    /* The thread ends while it carries `self`. */
    void (*thread_ends)(kp_proc *self);

    /* Which thread carries a processor together with others. NULL: each has a thread of its own. */
    int (*worker_of)(const kp_machine *machine, int processor);

    /* Words that processors wait for, where they wait in another way than threads do (wait.c); NULL
     * where they do not. `processor`: it alone waits for the word; -1: all do. */
    int (*make_word)(kp_machine *machine, struct kp_wait_word *word, int processor);
    void (*free_word)(struct kp_wait_word *word);
    uint32_t (*wait)(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);
    void (*wake)(struct kp_wait_word *word);
    void (*point)(void); /* where another processor may go on, in an order that a seed gives */

    /* For the watch (watch.c): in whose call a processor is parked, and on what; what is known of
     * one that waits, while the sleepers are held. */
    kp_group *(*parked_in)(const kp_proc *proc);
    struct kp_wait_word *(*parked_on)(const kp_proc *proc, uint32_t *old);
    bool (*note)(const kp_proc *proc, struct kp_note *note);
    /* It takes the machine's lock as one that waits still; it has jumped out of a wait. NULL: as
     * anybody does, and there is nothing to be done. */
    void (*lock_late)(kp_proc *self);
    void (*jumped)(kp_proc *self);
};

extern const struct kp_carrier_row kp_threads_row, kp_fibers_row;
extern const struct kp_carrier_row kp_wired_row; /* of a machine over a wire (wire.h) */

/* What a processor does that has a thread of its own, the machine's or not (threads.c). */
void kp_thread_looks(kp_wait_policy wait, struct kp_waiter *waiter);
void kp_thread_ends(kp_proc *self);
kp_group *kp_thread_parked_in(const kp_proc *proc);
struct kp_wait_word *kp_thread_parked_on(const kp_proc *proc, uint32_t *old);
bool kp_thread_note(const kp_proc *proc, struct kp_note *note);

/* NULL: there is none of that number; with a sentence. */
const struct kp_carrier_row *kp_carrier_row_of(kp_carrier carrier);

/* For a row's `complete`: the stack's size, `usual` where it is left open, at least `least`. */
int kp_complete_stack(struct kp_machine_config *config, size_t usual, size_t least);

/* Starts the machine's threads, as `start` says; ends them. */
int kp_carriers_start(kp_machine *machine, int *started);
void kp_carriers_stop(kp_machine *machine);

/* A thread whose programs have all ended tells who waits for the run. */
void kp_programs_over(kp_machine *machine);

/* The attributes of the machine's i-th thread, to be destroyed. 0 or an error number. */
int kp_thread_attributes(const kp_machine *machine, int i, size_t stack, pthread_attr_t *made);

/* Makes the calling thread the carrier of `self`, or of none (NULL). If the thread ends while it
 * carries a processor, that processor is lost. */
int kp_carry(kp_proc *self);

/* A word that processors are going to wait for, otherwise zeroed: 0 or KP_EMEMORY. */
int kp_wait_word_make(kp_machine *machine, struct kp_wait_word *word, int processor);

/* Nobody waits for the word, or will. Under the machine's lock, or after its end. */
void kp_wait_word_free(struct kp_wait_word *word);

#endif
