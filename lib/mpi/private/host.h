/* What kportrun and a copy of a program know of each other. Each rank has a copy of the program of
 * its own, so that its globals are private. Objects of this folder are linked into every copy.
 * Their functions replace those functions of libc that have one state for the whole process. */
#ifndef KPORT_MPI_PRIVATE_HOST_H
#define KPORT_MPI_PRIVATE_HOST_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A function to call when the rank ends. */
struct kp_copy_handler {
    struct kp_copy_handler *next; /* the one that was registered before */
    void (*plain)(void);          /* NULL: `function` is called */
    void (*function)(void *);
    void *argument;
};

/* One run of a program's main. */
struct kp_copy_frame {
    jmp_buf out; /* `exit` jumps there */
    int status;
    struct kp_copy_handler *handlers;
};

/* kportrun defines this object. It does not exist in a program that was started by itself: then its
 * address is NULL. */
extern struct kp_copy_host {
    /* Returns the frame of the rank that the calling thread or fiber runs, or whose copy it is just
     * loading. Returns NULL in any other thread. */
    struct kp_copy_frame *(*frame)(void);
    /* Returns that rank, or -1. */
    int (*rank)(void);
    /* kp_mpi_exit (lib/mpi/job.h) or kp_bsp_exit (lib/bsp/job.h). */
    void (*exiting)(int status);
    /* Ends the process with this status. */
    void (*end)(int status);
    /* kp_mpi_sleep and kp_mpi_yield (lib/mpi/job.h). */
    uint64_t (*sleep)(uint64_t nanoseconds);
    bool (*yield)(void);
    FILE *no_input; /* the standard input of all ranks but the first */
} kp_copy_host __attribute__((weak));

/* Every copy exports this object beside main. */
extern const struct kp_copy {
    /* kport's. kportrun refuses a program of another version or with another interface, which is a
     * word for the headers that programs are compiled with and for this one (interface.py). */
    const char *version, *interface;
    /* NULL if the program was linked by kportcc -fno-private: then all ranks use one copy. */
    const char *private_mark;
    const char *bsp_mark; /* NULL: a program of MPI */
    /* OpenMP's omp_get_level: how many parallel regions the caller is in. NULL: no OpenMP. */
    int (*parallel_level)(void);
    /* The copy's `exit`, which ends the rank only. */
    void (*exit)(int status) __attribute__((noreturn));
    /* Calls main and returns its status, or the status that the program has given to `exit`. Calls
     * what `atexit` and C++'s static objects have registered. */
    int (*run)(struct kp_copy_frame *frame, int argc, char **argv, char **environment);
} kp_copy;

/* A copy with private functions of libc has this object. In others its address is NULL. */
extern const char kp_copy_is_private __attribute__((weak));

/* OpenMP's, in a program that has it. */
extern int omp_get_level(void) __attribute__((weak));

/* So does a program of BSPlib. */
extern const char kp_copy_is_bsp __attribute__((weak));

/* Returns libc's own function, which a function of the same name hides in the copy. */
typedef void kp_copy_function(void);
kp_copy_function *kp_copy_hidden(const char *name);

#endif
