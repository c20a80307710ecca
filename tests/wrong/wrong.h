/* A corpus of small programs that use kport wrongly, each with the errors that kport should report.
 * The corpus also has correct programs that look suspicious.
 *
 * A PROGRAM(...) and the block after it define a whole program: a sentence that says what is wrong,
 * the errors that each processor must get, and the code. runner.c runs every program on every kind
 * of machine, with a watchdog for each run. scene.c makes one such run, and judge.c compares the
 * errors that processors got with the expected errors. The programs include only public headers. */
#ifndef KPORT_TESTS_WRONG_H
#define KPORT_TESTS_WRONG_H

#include <limits.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <kport.h>

enum {
    ENDED = -20, /* the status KP_EENDED: the object of a handle has ended */
    MOST_PROCESSORS = 16,
    MOST_GROUPS = 8,
    MOST_EXPECTATIONS = 5,
    VANISHED = INT_MIN,    /* the status of a processor whose program did not return */
    WRONG_DATA = 4711,     /* the status of a correct program that got wrong data */
    TELLING = INT_MIN + 1, /* an expected status: any error; only its sentence is compared */
};

/* What a processor does after the wrong part of the program. "The right call" is an allreduce among
 * all processors, and then a barrier. */
typedef enum afterwards {
    /* The processor makes the right call, which must succeed. By mailboxes it may also fail for all
     * processors. */
    WORKS,
    /* The processor makes the right call, which must fail. */
    FAILED,
    /* The processor makes the right call, which succeeds for all processors or fails for all,
     * because the wrong calls were calls of other groups. */
    EITHER,
    /* The processor ends, with the status that the program returned. */
    GONE,
} afterwards;

/* The error that some processors must get. `names` is a list of items, separated by " | ". The
 * error's sentence must contain each item. An item is one of these:
 * - P2: processor 2, alone or in a list of processors
 * - {A}: the file and the line of the call AT(A, ...)
 * - reduce/fold: one of the two texts
 * - anything else: this text */
typedef struct expectation {
    /* the processors: "all", "1", "0,2-3"; "others": all that no earlier expectation names */
    const char *of;
    int status;
    const char *names; /* NULL: the sentence need not contain anything */
    afterwards after;
} expectation;

typedef struct scene scene;

/* The state of one processor: its handles, its buffers, and the errors that it got. */
typedef struct member {
    kp_proc *self; /* NULL if the program is called outside of a run (wrong_program.caller) */
    kp_group *world;
    int me, n;
    int mine;
    _Alignas(16) int all[MOST_PROCESSORS], out[MOST_PROCESSORS], in[MOST_PROCESSORS];
    /* the handles of groups made by JOIN; take_part frees them */
    kp_group *groups[MOST_GROUPS];
    int joined;
    scene *scene;
    bool returned;       /* whether the program's function returned */
    int told, told_line; /* the status of the first error (0: no error), and the line of its call */
    int line;            /* the line of this processor's latest call */
    char site;           /* the site of the next call, a letter A ... Z (AT); 0: no site */
    kp_error_record record; /* the record of the first error */
    int status_after;       /* the status of the right call; record_after is its error record */
    kp_error_record record_after;
    bool sum_after; /* whether the right call gave the right sum */
    uint64_t random;
} member;

typedef int program_body(member *here);

/* Kinds of machines, as bits. A wrong_program names the kinds on which it cannot run
 * (`without`). */
enum {
    ON_THREADS = 1, /* threads that kport starts */
    ON_ATTACHED = 2,
    ON_FIBERS = 4,
    BY_MAILBOXES = 8,
};

typedef struct wrong_program {
    const char *name;
    const char *what;   /* a sentence that says what is wrong */
    program_body *body; /* the code of every processor, or the code outside of a run (`caller`) */
    /* `body` is called only once, outside of a run, and makes its own machine. */
    bool caller;
    /* what the diagnosis that config.on_failure gets must contain, in the form of
     * expectation.names; NULL: nothing */
    const char *diagnosis;
    expectation says[MOST_EXPECTATIONS];
    /* if not empty, replaces `says` on machines with mailboxes */
    expectation mailboxes[MOST_EXPECTATIONS];
    kp_config config; /* if `processors` is 0, there are 4 processors */
    unsigned without; /* the program cannot run on these kinds of machines: ON_FIBERS | ... */
    unsigned not_under_tsan; /* on these kinds of machines the program does not run under
                                ThreadSanitizer */
} wrong_program;

struct scene {
    const wrong_program *program;
    kp_config config;
    uint64_t seed;
    bool attached, delays;
    atomic_int sites['Z' - 'A' + 1]; /* by letter: the source line of the call AT(letter, ...); 0:
                                        not called yet */
    _Atomic(const char *) file;      /* the file of the calls AT(A, ...) */
    member members[MOST_PROCESSORS];
    int run_status;
    kp_report report;
    char diagnosis[8192]; /* the first diagnosis that config.on_failure got */
    int diagnoses;
    atomic_int attached_threads;
    atomic_int flags[4]; /* the flags of raise_flag and await_flag */
    void *pointers[4]; /* for handles that processors share; pointers[3] is the machine's handle */
};

/* Defines a program: PROGRAM(name, "What is wrong.", SAYS({...}, ...)) { code that uses `here` } */
#define PROGRAM(name_, what_, ...)                                                                 \
    static program_body name_;                                                                     \
    static const wrong_program program_##name_ = {                                                 \
        .name = #name_, .what = what_, .body = name_, __VA_ARGS__};                                \
    static int name_(member *here)
#define SAYS(...)              .says = {__VA_ARGS__}
#define BY_MAILBOXES_SAYS(...) .mailboxes = {__VA_ARGS__}
#define DIAGNOSIS(names)       .diagnosis = names
#define MACHINE(...)           .config = {__VA_ARGS__}

/* AT(A, call) makes a call and records its line as the line of site A, for expectations with {A}.
 * With the option --delays a random delay may come first. */
#define AT(site, ...) (at_site(here, #site[0]), __VA_ARGS__)
void at_site(member *here, char site);

/* Replaces kport's macro kp_here, so that judge.c also knows the file and the line of every
 * call. */
#define kp_here(file, line) (stands_at(here, file, (line) & ~KP_BY_MPI_NAME), kp_here(file, line))
void stands_at(member *here, const char *file, int line);

/* JOIN(0, 1) makes the group of processors 0 and 1 and returns this processor's handle. */
#define JOIN(...)                                                                                  \
    join(here, (int[]){__VA_ARGS__}, (int)(sizeof((int[]){__VA_ARGS__}) / sizeof(int)))
kp_group *join(member *here, const int *processors, int count);

/* If `status` is an error, and no earlier error of this processor is recorded, records it as the
 * processor's first error. Returns `status`. A program that goes on after an error calls
 * `heard`. */
int heard(member *here, int status);

/* `pause_for` delays the processor. A thread sleeps. A fiber counts instead, because it must not
 * block its worker. `next_random` returns the next random number. */
void pause_for(member *here, unsigned microseconds);
uint64_t next_random(uint64_t *state);

/* `raise_flag` raises flag i by 1. `await_flag` waits until flag i has been raised `times` times. A
 * fiber must not call `await_flag`, because it would block its worker. */
void raise_flag(member *here, int i);
void await_flag(member *here, int i, int times);

/* `run_scene` makes one run of a program and then uses the machine again. If the machine does not
 * work afterwards, returns a sentence, otherwise "". `judge` compares the processors' errors with
 * the expected errors. If they differ, returns a sentence about the first difference, otherwise
 * "". */
const char *run_scene(scene *stage);
const char *judge(const scene *stage);

/* Returns the error that the processor must get, or NULL if the program names no error for it. */
const expectation *expected_of(const scene *stage, int processor);

/* All programs, in a list for each category. Each list ends with NULL. */
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

/* Makes a random correct program from the seed and runs it. Returns "", or a sentence that says
 * what went wrong. */
const char *run_random(uint64_t seed, bool delays);

#endif
