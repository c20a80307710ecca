/* A machine's carrier runs its processors. There are three carriers: threads, fibers, and, for a
 * machine over a wire (wire.h), one thread or a fiber. Each carrier is a row of functions (struct
 * kp_carrier_row), and a new carrier is a new row. Within ports/, only this folder asks which
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

/* Says whether what a processor waits for has come. */
typedef bool kp_ready_now(const void *context);

/* So many looks for what another processor is about to do come before one for other work. */
#define KP_LOOKS_BETWEEN 8

/* One carrier. A carrier that does not need a function has NULL for this function. */
struct kp_carrier_row {
    bool attaches; /* a thread of the caller may attach to the machine and carry a processor */
    size_t thread_stack; /* the stack size of the machine's threads; 0: the configuration's
                            stack_bytes */

    /* Fills in the defaults of a configuration, and refuses settings that the carrier does not
     * offer. Returns 0, or the status of the error that it sets (ports/error.h). */
    int (*complete)(struct kp_machine_config *config);

    /* When a machine is made, `make` allocates the memory that the carrier needs as long as the
     * machine lives. Before a run, `prepare` allocates what only runs need, unless an earlier run
     * has done so. `free` frees all this memory. `make` and `prepare` return 0, or the status of
     * the error that they set. */
    int (*make)(kp_machine *machine);
    void (*free)(kp_machine *machine);
    int (*prepare)(kp_machine *machine);

    /* `carry` is called by the machine's thread number `hand`. It runs the programs of all
     * processors that this thread carries, and returns when all these programs have ended. If the
     * thread ends within the program of the processor `self`, the thread's destructor (carrier.c)
     * calls `carry_rest`, which runs the programs of the thread's other processors. */
    void (*carry)(kp_machine *machine, int hand);
    void (*carry_rest)(kp_proc *self);

    /* Returns the index of the thread that carries the processor. NULL: each processor has a thread
     * of its own. */
    int (*worker_of)(const kp_machine *machine, int processor);

    /* A wait word is a word in memory. Processors wait until its value changes (sync/parking.h).
     * These functions make and free such a word, wait until its value is not `old`, and wake the
     * processors that wait for it. All four are NULL if processors wait as threads do
     * (sync/wait.c). `processor` is the only processor that waits for the word, or -1 if every
     * processor may wait for it. */
    int (*make_word)(kp_machine *machine, struct kp_wait_word *word, int processor);
    void (*free_word)(struct kp_wait_word *word);
    uint32_t (*wait)(struct kp_wait_word *word, uint32_t old, const struct kp_waiter *waiter);
    void (*wake)(struct kp_wait_word *word);
    /* Lets other processors of the caller's thread run first. NULL: there are none. */
    void (*yield)(kp_proc *self);
    /* Does so for at least this time, and the caller waits for nobody meanwhile. Returns how much
     * of the time the caller's thread has still to sleep. NULL: there are no others. */
    uint64_t (*sleep)(uint64_t nanoseconds);
    /* Returns how often a processor may look for what another one is about to do, before it waits.
     * Before each further look it asks `looks_on` whether it may, as no other processor of its
     * thread can run. `looks_for` looks for longer, as a thread without work does before it sleeps,
     * and returns whether `ready` has returned true. All three are NULL if the member's kp_waiter
     * says how often. */
    int (*looks)(const kp_proc *self);
    bool (*looks_on)(const kp_proc *self);
    bool (*looks_for)(const kp_proc *self, kp_ready_now *ready, const void *context);

    /* These functions inform the deadlock detector (fail/deadlock.c). The thread of a member calls
     * `parking` before it sleeps on a word, and `unparked` after the sleep. `note` fills a struct
     * kp_note with what is known about a waiting processor, or returns false if the processor does
     * not wait. The caller of `note` holds the machine's lock and prevents processors that sleep
     * from going on (kp_deadlock_hold). */
    void (*parking)(void *member, struct kp_wait_word *word, uint32_t old);
    void (*unparked)(void *member);
    bool (*note)(const kp_proc *proc, struct kp_note *note);
};

extern const struct kp_carrier_row kp_threads_row, kp_fibers_row;
extern const struct kp_carrier_row kp_wired_row; /* for a machine over a wire (wire.h) */
/* For one whose processor is a fiber: one thread carries all processors of its process. */
extern const struct kp_carrier_row kp_wired_fibers_row;

/* Does what `complete` of both these rows does, but for the stack. */
int kp_wired_complete_config(struct kp_machine_config *config);

/* Returns the row of the carrier that a configuration chooses. If there is no such carrier, sets an
 * error and returns NULL. */
const struct kp_carrier_row *kp_carrier_of(const struct kp_machine_config *config);

/* Returns whether a thread carries several processors. The configuration is complete. */
bool kp_threads_are_shared(const struct kp_machine_config *config);

#define KP_THREAD_STACK ((size_t)1 << 20) /* the usual stack of a thread */

/* Sets `stack_bytes` to `usual` if the configuration has 0 there. Refuses a stack of less than
 * `least` bytes. A row's `complete` calls this function and returns its status. */
int kp_complete_stack(struct kp_machine_config *config, size_t usual, size_t least);

/* This is the function `note` of all carriers that have one thread for each processor. */
bool kp_note_thread(const kp_proc *proc, struct kp_note *note);

/* A thread that the machine starts. */
struct kp_hand {
    kp_machine *machine;
    int index;
    uint32_t run; /* the number of the machine's latest run when the thread was started */
    pthread_t thread;
    const char *stack;    /* the highest known address of the thread's stack */
    bool exists;          /* the thread has been started and has not been joined */
    _Atomic int vanished; /* the thread has ended within a program */
};

/* `kp_hands_of` returns the number of threads that a machine with this completed configuration
 * starts. `kp_hand_first` returns the first processor that thread `hand` carries. */
int kp_hands_of(const struct kp_machine_config *config);
int kp_hand_first(const kp_machine *machine, int hand);

/* `kp_carriers_start` starts the machine's threads that do not exist yet, and sets `started` to the
 * number of existing threads. If the system refuses a thread, the function ends all threads and
 * returns KP_ETHREAD. The error's sentence then says how many threads could be started.
 * `kp_carriers_stop` ends all threads. */
int kp_carriers_start(kp_machine *machine, int *started);
void kp_carriers_stop(kp_machine *machine);

/* Makes the calling thread carry the processor `self`, or no processor if `self` is NULL. If the
 * thread ends while it carries a processor, kport reports that processor as lost. Returns 0 or
 * KP_ETHREAD. */
int kp_carry(kp_proc *self);

/* A thread that carries processors over a wire cannot be cancelled: a network (MPI) that is left in
 * the middle of a call does not go on. `kp_hold_thread` begins that, and `kp_release_thread` ends
 * it. Over no wire they do nothing. */
void kp_hold_thread(kp_machine *machine);
void kp_release_thread(const kp_machine *machine);

/* Prepares a zeroed wait word, as `make_word` of the row does. Returns 0 or KP_EMEMORY. */
int kp_wait_word_make(kp_machine *machine, struct kp_wait_word *word, int processor);

/* Frees the memory that kp_wait_word_make took. No processor waits for the word now or later. The
 * caller holds the machine's lock, or the machine has ended. */
void kp_wait_word_free(struct kp_wait_word *word);

/* --- keeping.c: keeping threads on cores by default, if there are more threads than cores ---
 *
 * A thread that is kept on a core cannot move to an idle core. This does harm if all threads of one
 * core wait for a long time while the threads of another core have much work. So keeping.c measures
 * how long all threads of a core sleep at the same time during a run. Once this idle time exceeds
 * 10 ms plus an eighth of the run's time, keeping.c unpins the machine's threads for the rest of
 * the machine's life. */
struct kp_keeping;
struct kp_affinity;

/* Returns the number of cores on which a machine with this completed configuration keeps its
 * `hands` threads. Returns 0 if the machine keeps no thread on a core. */
int kp_keeping_cores(const struct kp_machine_config *config, int hands);

/* Stores the cores on which the thread of a machine over a wire stays. Returns false if it may run
 * anywhere. */
bool kp_keeping_share(const kp_machine *machine, struct kp_affinity *cpus);

/* These functions measure the idle time of cores, for a machine that keeps its threads on cores by
 * default. `make` returns NULL if the time cannot be measured. `run` begins the measurement of a
 * run. `is_over` returns whether the machine's threads have been unpinned. Thread i calls `sleeps`
 * before it goes to sleep on a word, and `wakes` when it goes on. `sleeps` may itself sleep until
 * the word differs from `old`, for at most `most_ms` milliseconds (0: without a limit). */
struct kp_keeping *kp_keeping_make(const kp_machine *machine);
void kp_keeping_free(struct kp_keeping *keeping);
void kp_keeping_run(struct kp_keeping *keeping);
bool kp_keeping_is_over(const struct kp_keeping *keeping);
void kp_keeping_sleeps(struct kp_keeping *keeping, int i, struct kp_wait_word *word, uint32_t old,
                       unsigned most_ms);
void kp_keeping_wakes(struct kp_keeping *keeping, int i);

#endif
