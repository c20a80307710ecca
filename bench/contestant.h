/* Declares the contestants: kport in several forms, and everything that kport is compared with.
 * contestants.c has the table of all contestants. Each row of the benchmark times the contestants
 * that serve the row's job. */
#ifndef KPORT_BENCH_CONTESTANT_H
#define KPORT_BENCH_CONTESTANT_H

#include "contestants/by_hand.h"
#include "team.h"

/* The kinds of contestants. A row of the benchmark may say how slow kport may be compared with
 * contestants of some kinds (row.h). */
enum kind {
    KPORT = 1,
    KPORT_THREADS = 2, /* kport with threads, in rows that measure kport with fibers */
    KPORT_SMALLER = 4, /* kport with fewer processors */
    HAND = 8, /* programs written by hand, with the best barrier (good_barrier.h) and copies */
    ONE_BARRIER = 16, /* each call only passes the best barrier (good_barrier.h) once */
    LOOPS = 32, /* the copies of kport's schedule as simple loops on two threads (hand_loops.c) */
    PTHREAD = 64,
    OPENMP = 128,
    STD = 256,
    CK = 512,
    BOOST = 1024,
    OPENMPI = 2048,
    MPICH = 4096,
    /* Programs written by hand with a ring of messages, in which a root may run ahead of its
     * readers (hand_ahead.c). */
    AHEAD = 8192,
    /* kport in a program in which each call is timed in a loop of its own (job.alone). */
    KPORT_ALONE = 16384,
    KPORT_WITHOUT = 32768, /* kport without the kp_send_recv that the job's `before` asks for */
    KPORT_SET = 65536, /* kport with settings other than the default. It is timed, but limits apply
                          only to kport with the default settings */
    BLIS = 131072,
    GLOO = 262144,
    KPORT_BLOCKING = 524288, /* kport's blocking call, in rows about calls that are started */
    MAILBOX_WORDS = 1048576, /* words in kport's mailboxes, without the calls around them */
};
#define PEERS (HAND | PTHREAD | OPENMP | STD | CK | BOOST | OPENMPI | MPICH | BLIS | GLOO)

struct contestant {
    const char *name;
    enum kind kind;
    bool (*serves)(const struct contestant *self, const struct job *job);
    /* Returns what the contestant needs and does not find on this machine, or NULL if nothing is
     * missing. */
    const char *(*missing)(const struct contestant *self, const struct job *job);
    /* Does one repetition of the request and fills in `reply`. Returns NULL, or a sentence that
     * says what went wrong. */
    const char *(*run)(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply);
    call_function *call; /* the function that makes one call, if the contestant's threads run inside
                            the driver */
    bool pin;            /* the threads are pinned to cores even if the job's `pin` is 0 */
    int n;               /* the number of processors; 0: the row's n */
    int generations; /* the generations of kport's mailboxes; 0: as many as the library chooses */
    int form;        /* a variant of the contestant, such as an enum kport_form */
    bool patient;    /* a thread that waits for a word looks for it seldom (two_threads.h) */
    const struct program *program; /* the program, if the contestant runs outside of the driver */
};

extern const struct contestant contestants[];
extern const size_t contestant_count;

/* --- Functions of kport_side.c --- */

enum kport_form {
    ROUNDS,
    MAILBOXES,
    CARRIED_BY_FIBERS,
    AS_BELOW, /* kport is forced to do what it does for blocks below the job's threshold */
    AS_ABOVE  /* kport is forced to do what it does for blocks above the job's threshold */
};
bool kport_serves(const struct contestant *self, const struct job *job);
const char *kport_missing(const struct contestant *self, const struct job *job);
const char *kport_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply);
bool kport_serves_program(const struct contestant *self, const struct job *job);
const char *kport_run_program(const struct contestant *self, const struct request *request,
                              const struct arena *arena, struct reply *reply);
void kport_configure(const struct contestant *self, const struct job *job, kp_config *config);
/* Creates and ends a machine with n threads; returns 0 or a status. */
int kport_create(int n, size_t stack_bytes);
int fibers_program(int n); /* the main function of a child process in which the driver measures n
                              fibers; returns the child's exit status */

/* --- Functions of hand.c, hand_program.c, hand_fibers.c, hand_copies.c, hand_ahead.c,
 * hand_words.c, hand_loops.c and hand_create.c --- */

/* The data that the threads of a contestant share, if it is written by hand. */
struct hand {
    pthread_barrier_t slow;
    struct good_barrier good;
    char *buffers; /* two copies of n buffers, which calls use in turn; member i packs its outgoing
                      blocks into buffer i */
    size_t buffer_bytes;
    void *more; /* other data that some contestants need */
};

call_function slow_two_barriers, one_barrier_alone, slow_barrier_alone, two_barriers, one_barrier,
    in_turn, in_turn_streaming;
bool hand_serves(const struct contestant *self, const struct job *job);
const char *hand_run(const struct contestant *self, const struct request *request,
                     const struct arena *arena, struct reply *reply);

bool hand_serves_program(const struct contestant *self, const struct job *job);
const char *hand_run_program(const struct contestant *self, const struct request *request,
                             const struct arena *arena, struct reply *reply);

const char *hand_fibers_missing(const struct contestant *self, const struct job *job);

bool ahead_serves(const struct contestant *self, const struct job *job);
const char *ahead_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply);

bool words_serve(const struct contestant *self, const struct job *job);
const char *words_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply);

bool loops_serve(const struct contestant *self, const struct job *job);
const char *loops_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply);

bool fibers_serve(const struct contestant *self, const struct job *job);
const char *fibers_run(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply);
/* Returns the most memory that a contestant with fibers has used, in GiB. */
double fibers_gib(void);

bool create_serves(const struct contestant *self, const struct job *job);
const char *create_run(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply);

/* --- Functions of apps/inside.c --- */

bool whole_serves(const struct contestant *self, const struct job *job);
const char *kport_run_whole(const struct contestant *self, const struct request *request,
                            const struct arena *arena, struct reply *reply);
const char *hand_run_whole(const struct contestant *self, const struct request *request,
                           const struct arena *arena, struct reply *reply);

/* --- Functions of children.c, for contestants that are programs of their own --- */

struct program {
    const char *file;        /* the name of the program's file, in the driver's folder */
    const char *launcher[2]; /* the names of MPI launchers; the first one that is installed starts
                                the program */
    const char *const *bound, *const *crowded; /* the arguments of the launcher: `bound` if n is at
                                                  most the number of cores, otherwise `crowded` */
    const char *const *environment;
    const char *package; /* the Debian packages that are needed to build and run the program */
};

bool program_serves(const struct contestant *self, const struct job *job);
const char *program_missing(const struct contestant *self, const struct job *job);
const char *program_run(const struct contestant *self, const struct request *request,
                        const struct arena *arena, struct reply *reply);
void programs_end(void);
void programs_leave_out(void); /* from now on, every program is reported as missing */

#endif
