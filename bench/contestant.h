/* The contestants: kport in its forms, and everything that it is compared with. contestants.c has
 * the table. A row of the benchmark times the contestants that serve its job. */
#ifndef KPORT_BENCH_CONTESTANT_H
#define KPORT_BENCH_CONTESTANT_H

#include "contestants/by_hand.h"
#include "team.h"

/* The kinds of contestants. A limit is stated against kinds. */
enum kind {
    KPORT = 1,
    KPORT_THREADS = 2, /* kport's threads, in rows about its fibers */
    KPORT_SMALLER = 4, /* kport with fewer processors */
    HAND = 8,          /* by hand: the best known barrier, and copies */
    ONE_BARRIER = 16,  /* the best known barrier alone */
    LOOPS = 32,        /* the schedule as loops, without processors */
    PTHREAD = 64,
    OPENMP = 128,
    STD = 256,
    CK = 512,
    BOOST = 1024,
    OPENMPI = 2048,
    MPICH = 4096,
    AHEAD = 8192,          /* rings for one purpose, in which a root runs ahead of the readers */
    KPORT_ALONE = 16384,   /* kport with each call of a program in a loop of its own */
    KPORT_WITHOUT = 32768, /* kport without the calls that the job's `before` makes first */
    KPORT_SET = 65536,     /* kport with other settings, shown beside the judged default */
    BLIS = 131072,
    GLOO = 262144,
};
#define PEERS (HAND | PTHREAD | OPENMP | STD | CK | BOOST | OPENMPI | MPICH | BLIS | GLOO)

struct contestant {
    const char *name;
    enum kind kind;
    bool (*serves)(const struct contestant *self, const struct job *job);
    /* Returns NULL if the contestant is available, otherwise what is missing. */
    const char *(*missing)(const struct contestant *self, const struct job *job);
    /* Does one repetition. Returns NULL, or what went wrong. */
    const char *(*run)(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply);
    call_function *call; /* the call of a contestant inside the driver */
    bool pin;            /* pins threads although the row does not */
    int n;               /* the number of processors; 0: the row's n */
    int generations;     /* the generations of kport's mailboxes; 0: the library's choice */
    int form;            /* for the contestant's own use */
    bool patient;        /* waits patiently for words (two_threads.h) */
    const struct program *program; /* the program of a contestant outside the driver */
};

extern const struct contestant contestants[];
extern const size_t contestant_count;

/* --- In kport_side.c --- */

enum kport_form {
    ROUNDS,
    MAILBOXES,
    CARRIED_BY_FIBERS,
    AS_BELOW, /* as kport does below the job's threshold */
    AS_ABOVE  /* as kport does above the job's threshold */
};
bool kport_serves(const struct contestant *self, const struct job *job);
const char *kport_missing(const struct contestant *self, const struct job *job);
const char *kport_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply);
bool kport_serves_program(const struct contestant *self, const struct job *job);
const char *kport_run_program(const struct contestant *self, const struct request *request,
                              const struct arena *arena, struct reply *reply);
void kport_configure(const struct contestant *self, const struct job *job, kp_config *config);
int kport_create(int n, size_t stack_bytes); /* creates and ends a machine; returns 0 or a status */
int fibers_program(int n); /* all that a driver's child does; returns its exit status */

/* --- In hand.c, hand_program.c, hand_fibers.c, hand_copies.c, hand_ahead.c, hand_words.c,
 * hand_loops.c --- */

/* The data that the members of a team by hand share. */
struct hand {
    pthread_barrier_t slow;
    struct good_barrier good;
    char *rows; /* two generations of n rows */
    size_t row_bytes;
    void *more; /* more data of some contestants */
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
double fibers_gib(void); /* the most memory that a contestant with fibers has used */

bool create_serves(const struct contestant *self, const struct job *job);
const char *create_run(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply);

/* --- In apps/inside.c --- */

bool whole_serves(const struct contestant *self, const struct job *job);
const char *kport_run_whole(const struct contestant *self, const struct request *request,
                            const struct arena *arena, struct reply *reply);
const char *hand_run_whole(const struct contestant *self, const struct request *request,
                           const struct arena *arena, struct reply *reply);

/* --- In children.c: contestants that are programs of their own --- */

struct program {
    const char *file;                          /* the file's name, in the driver's folder */
    const char *launcher[2];                   /* MPI launchers; the first existing one is used */
    const char *const *bound, *const *crowded; /* launcher arguments, n <= cores and beyond */
    const char *const *environment;
    const char *package; /* the package to install */
};

bool program_serves(const struct contestant *self, const struct job *job);
const char *program_missing(const struct contestant *self, const struct job *job);
const char *program_run(const struct contestant *self, const struct request *request,
                        const struct arena *arena, struct reply *reply);
void programs_end(void);
void programs_leave_out(void); /* reports all programs as missing from now on */

#endif
