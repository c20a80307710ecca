/* The table of misuse. It has a row for each mistake that a caller can make and the library can
 * detect. test_misuse.c makes each mistake and compares the library's error with the row.
 * doc/misuse.md shows the same rows to readers. tests/cli/misuse.py compares this document with the
 * table. */
#ifndef KPORT_TESTS_MISUSE_H
#define KPORT_TESTS_MISUSE_H

#include <kport.h>

#include <stdbool.h>
#include <stddef.h>

/* The data of one of the three processors that try a row of the table in a run. Its buffers do not
 * overlap. */
#define MEMBERS 3
struct scene {
    kp_proc *self;
    kp_group *group; /* the world */
    bool wrong;      /* whether this processor makes the mistake; the other two call rightly */
    double *out, *in;
    size_t eights[MEMBERS]; /* block lengths: each is 8 */
};

struct misuse {
    const char *calls;    /* the names of the calls, as doc/misuse.md shows them */
    const char *wrong;    /* a text that says what the mistake is */
    int status;           /* the status that the processor with the mistake gets */
    const char *sentence; /* the error sentence for the mistake, with the numbers of this test */
    int (*alone)(void);   /* makes the mistake outside of runs; NULL: `among` makes it */
    int (*among)(struct scene *scene); /* called by each of three processors; returns its status */
    int others;                        /* the status that the other two processors get */
    bool fibers;                       /* only builds with fibers have this row */
};

/* The table, in parts. Each part ends with a row whose `calls` is NULL. */
extern const struct misuse misuses_of_machines[], misuses_of_handles[], misuses_of_rounds[],
    misuses_of_collectives[], misuses_of_lengths[], misuses_of_schedules[], misuses_of_models[],
    misuses_of_profiles[], misuses_of_traces[];

/* `misuse_told` serves calls that return no status. `as_it_should` says whether the call returned
 * what it should return after an error. If so, `misuse_told` returns the status of the latest
 * error, otherwise 1. */
int misuse_told(bool as_it_should);

/* Returns valid arguments for an operation. */
kp_arguments misuse_right(struct scene *scene, kp_operation operation);

#endif
