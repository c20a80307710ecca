/* A corpus of small programs that use kport wrongly, each with the diagnosis that its user should
 * get, and of right programs that look suspicious.
 *
 * All of a program is in one place: a sentence that says what is wrong with it, the errors that
 * each processor must get, as data, and the code. runner.c runs all programs on every kind of
 * machine, each with a watchdog, and judge.c compares the errors. The programs include only public
 * headers. */
#ifndef KPORT_TESTS_WRONG_H
#define KPORT_TESTS_WRONG_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <kport.h>

enum {
    ENDED = -20, /* what the handle stood for has ended */
    MOST_PROCESSORS = 16,
    MOST_GROUPS = 8,
    MOST_EXPECTATIONS = 5,
    VANISHED = INT_MIN,    /* the status of a processor whose program did not return */
    WRONG_DATA = 4711,     /* the status of a right program that got wrong data */
    TELLING = INT_MIN + 1, /* an expectation: some error, whichever; the sentence counts */
};

/* What a processor does when it has heard what is wrong. */
typedef enum afterwards {
    WORKS,  /* calls the world rightly, which works; by mailboxes it may have failed, for all */
    FAILED, /* does so, and is told that the world has failed */
    EITHER, /* the wrong calls were those of other groups: the world has failed for all or none */
    GONE,   /* ends, with the status that the program returned */
} afterwards;

/* What some processors have to be told. `names`, separated by " | ", is what the sentence has to
 * contain: P2 is processor 2 in whichever form a list of processors has, {A} the place of the call
 * AT(A, ...), "reduce/fold" one of the two, anything else a text. */
typedef struct expectation {
    const char *of; /* processors: "all", "1", "0,2-3"; those named by none before: "others" */
    int status;
    const char *names; /* NULL: nothing */
    afterwards after;
} expectation;

typedef struct scene scene;

/* What a processor has: its handles, some memory, and what it has heard. */
typedef struct member {
    kp_proc *self; /* NULL in programs of the caller, who makes machines and attaches threads */
    kp_group *world;
    int me, n;
    int mine;
    _Alignas(16) int all[MOST_PROCESSORS], out[MOST_PROCESSORS], in[MOST_PROCESSORS];
    kp_group *groups[MOST_GROUPS]; /* those that it joined, to be freed */
    int joined;
    scene *scene;
    bool returned;          /* from the program */
    int told, told_line;    /* the first error that it was told, and where the call stood */
    int line;               /* where its latest call stands */
    char site;              /* of the next one */
    kp_error_record record; /* of that error */
    int status_after;       /* of the right call after the wrong one; and its record */
    kp_error_record record_after;
    bool sum_after; /* whether that call gave the right result */
    uint64_t random;
} member;

typedef int program_body(member *here);

/* On what a program cannot run, or is another one. */
enum {
    ON_THREADS = 1, /* that kport starts */
    ON_ATTACHED = 2,
    ON_FIBERS = 4,
    BY_MAILBOXES = 8,
};

typedef struct wrong_program {
    const char *name;
    const char *what;      /* is wrong, in a sentence */
    program_body *body;    /* of every processor, or of the caller */
    bool caller;           /* who has no machine yet */
    const char *diagnosis; /* names of the report of the whole machine (config.on_failure) */
    expectation says[MOST_EXPECTATIONS];
    expectation mailboxes[MOST_EXPECTATIONS]; /* where rounds by mailboxes say something else */
    kp_config config;                         /* 4 processors unless it says so */
    unsigned without;                         /* ON_FIBERS | ... */
    unsigned not_under_tsan;                  /* ON_...: what ThreadSanitizer itself cannot do */
} wrong_program;

struct scene {
    const wrong_program *program;
    kp_config config;
    uint64_t seed;
    bool attached, delays;
    atomic_int sites['Z' - 'A' + 1]; /* lines of the calls AT(A, ...), 0 before them */
    _Atomic(const char *) file;      /* in which they stand */
    member members[MOST_PROCESSORS];
    int run_status;
    kp_report report;
    char diagnosis[8192]; /* the first one */
    int diagnoses;
    atomic_int attached_threads;
    atomic_int flags[4]; /* for programs that wait for each other outside kport */
    void *pointers[4];   /* the same; the last one is the machine */
};

/* A program: PROGRAM(name, "What is wrong.", SAYS({...}, ...)) { code with `here` } */
#define PROGRAM(name_, what_, ...)                                                                 \
    static program_body name_;                                                                     \
    static const wrong_program program_##name_ = {                                                 \
        .name = #name_, .what = what_, .body = name_, __VA_ARGS__};                                \
    static int name_(member *here)
#define SAYS(...)              .says = {__VA_ARGS__}
#define BY_MAILBOXES_SAYS(...) .mailboxes = {__VA_ARGS__}
#define DIAGNOSIS(names)       .diagnosis = names
#define MACHINE(...)           .config = {__VA_ARGS__}

/* The call that stands at site A, B, ..., after a delay that the seed chooses. */
#define AT(site, ...) (at_site(here, #site[0]), __VA_ARGS__)
void at_site(member *here, char site);

/* Every call tells where it stands, to kport and to the one that judges. */
#define kp_here(file, line) (stands_at(here, file, line), kp_here(file, line))
void stands_at(member *here, const char *file, int line);

/* This processor's member in the group of these. */
#define JOIN(...)                                                                                  \
    join(here, (int[]){__VA_ARGS__}, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))
kp_group *join(member *here, const int *processors, int count);

/* Keeps the first error of the calling thread, where the program goes on after it. Returns
 * `status`. */
int heard(member *here, int status);

/* A pause of the thread that stops nobody else; a fiber spins. */
void pause_for(member *here, unsigned microseconds);
uint64_t next_random(uint64_t *state);

/* Waits until flag `i` has been raised that often; not in fibers. */
void raise_flag(member *here, int i);
void await_flag(member *here, int i, int times);

/* One run, and what is said about it. Both return an empty text, or what was not as it has to be:
 * with the machine afterwards, and with what the processors were told. */
const char *run_scene(scene *stage);
const char *judge(const scene *stage);

/* What processor `processor` has to be told; NULL if the program says nothing about it. */
const expectation *expected_of(const scene *stage, int processor);

/* The corpus: lists that end with NULL. */
extern const wrong_program *const wrong_deadlock[],
    *const wrong_order[], *const wrong_parameters[],
                              *const wrong_lengths[],
                                  *const wrong_ports[],
                                      *const wrong_loss[],
                                          *const wrong_lifetime[],
                                              *const wrong_attached[],
                                                  *const wrong_memory[],
                                                      *const wrong_resources[],
                                                          *const wrong_plans[],
                                                              *const wrong_operators[],
                                                                  *const right_programs[];

/* A random program that is right, of this seed. Empty, or what went wrong. */
const char *run_random(uint64_t seed, bool delays);

#endif
