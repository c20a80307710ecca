/* Who takes part: kport in its forms, and everything it is compared with. One table, in
 * contestants.c; a row of the benchmark takes those that serve its job. */
#ifndef KPORT_BENCH_CONTESTANT_H
#define KPORT_BENCH_CONTESTANT_H

#include "contestants/by_hand.h"
#include "team.h"

/* What limits are stated against. */
enum kind {
    KPORT = 1,
    KPORT_THREADS = 2, /* where kport's fibers are compared with its threads */
    KPORT_SMALLER = 4, /* the same with fewer processors */
    HAND = 8,          /* the best barrier known, and copies */
    ONE_BARRIER = 16,  /* that barrier alone */
    LOOPS = 32,        /* the same schedule without processors */
    PTHREAD = 64,
    OPENMP = 128,
    STD = 256,
    CK = 512,
    BOOST = 1024,
    OPENMPI = 2048,
    MPICH = 4096,
    AHEAD = 8192,          /* rings written for nothing but this, in which a root runs ahead */
    KPORT_ALONE = 16384,   /* each call of a program in a loop of its own */
    KPORT_WITHOUT = 32768, /* without what the job says was done before */
    KPORT_SET = 65536,     /* with settings of its own where the default is judged: beside it */
    BLIS = 131072,
    GLOO = 262144,
};
#define PEERS (HAND | PTHREAD | OPENMP | STD | CK | BOOST | OPENMPI | MPICH | BLIS | GLOO)

struct contestant {
    const char *name;
    enum kind kind;
    bool (*serves)(const struct contestant *self, const struct job *job);
    /* NULL if it is here, else what is missing. */
    const char *(*missing)(const struct contestant *self, const struct job *job);
    /* One repetition. NULL, or what went wrong. */
    const char *(*run)(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply);
    call_function *call;           /* of those that run inside the driver */
    bool pin;                      /* although the row does not say so */
    int n;                         /* instead of the row's; 0: the row's */
    int generations;               /* of kport's mailboxes; 0: left to the library */
    int form;                      /* its own use */
    bool patient;                  /* of those who pass words: see two_threads.h */
    const struct program *program; /* of those that run outside */
};

extern const struct contestant contestants[];
extern const size_t contestant_count;

/* --- In kport_side.c --- */

enum kport_form {
    ROUNDS,
    MAILBOXES,
    CARRIED_BY_FIBERS,
    AS_BELOW, /* as below the job's threshold, */
    AS_ABOVE  /* and as above it */
};
bool kport_serves(const struct contestant *self, const struct job *job);
const char *kport_missing(const struct contestant *self, const struct job *job);
const char *kport_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply);
bool kport_serves_program(const struct contestant *self, const struct job *job);
const char *kport_run_program(const struct contestant *self, const struct request *request,
                              const struct arena *arena, struct reply *reply);
void kport_configure(const struct contestant *self, const struct job *job, kp_config *config);
int kport_create(int n, size_t stack_bytes); /* and ended; 0 or a status */
int fibers_program(int n);                   /* the whole of a driver's child; its exit status */

/* --- In hand.c, hand_program.c, hand_fibers.c, hand_copies.c, hand_ahead.c, hand_words.c,
 * hand_loops.c --- */

/* What the members of a team by hand share. */
struct hand {
    pthread_barrier_t slow;
    struct good_barrier good;
    char *rows; /* two generations of n rows */
    size_t row_bytes;
    void *more; /* of those that need more */
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
double fibers_gib(void); /* most memory of those that have run */

bool create_serves(const struct contestant *self, const struct job *job);
const char *create_run(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply);

/* --- In apps/inside.c --- */

bool whole_serves(const struct contestant *self, const struct job *job);
const char *kport_run_whole(const struct contestant *self, const struct request *request,
                            const struct arena *arena, struct reply *reply);
const char *hand_run_whole(const struct contestant *self, const struct request *request,
                           const struct arena *arena, struct reply *reply);

/* --- In children.c: programs of their own --- */

struct program {
    const char *file;                          /* beside the driver */
    const char *launcher[2];                   /* of MPI: what starts it, the first that is there */
    const char *const *bound, *const *crowded; /* the launcher's arguments, n <= cores and beyond */
    const char *const *environment;
    const char *package; /* that is to be installed */
};

bool program_serves(const struct contestant *self, const struct job *job);
const char *program_missing(const struct contestant *self, const struct job *job);
const char *program_run(const struct contestant *self, const struct request *request,
                        const struct arena *arena, struct reply *reply);
void programs_end(void);
void programs_leave_out(void); /* all of them are missing from now on */

#endif
