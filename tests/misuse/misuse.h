/* The table of misuse. It has a row for each mistake that a caller can make and the library can
 * detect. test_misuse.c makes each mistake and compares the library's error with the row.
 * doc/manual/reference/misuse.md shows the same rows to readers. tests/cli/misuse.py compares this
 * document with the table. */
#ifndef KPORT_TESTS_MISUSE_H
#define KPORT_TESTS_MISUSE_H

#include <kport.h>

#include <stdbool.h>
#include <stddef.h>

/* The data of one processor. In a run three processors try a row of the table. The buffers do not
 * overlap. */
#define MEMBERS 3
struct scene {
    kp_proc *self;
    kp_group *group; /* the group of all processors */
    bool wrong;      /* whether this processor makes the mistake; the other two make right calls */
    double *out, *in;
    size_t eights[MEMBERS]; /* block lengths: each is 8 */
};

struct misuse {
    const char *calls;    /* the names of the calls, as doc/manual/reference/misuse.md shows them */
    const char *wrong;    /* a text that says what the mistake is */
    int status;           /* the status that the processor with the mistake gets */
    const char *sentence; /* the sentence of the error, with the numbers of this test */
    int (*alone)(void);   /* makes the mistake outside of a run; NULL: `among` makes it in a run */
    /* Every processor calls this function in the run. It returns the status that this processor
     * gets. */
    int (*among)(struct scene *scene);
    int others;  /* the status that the other two processors get */
    bool fibers; /* only builds with fibers have this row */
};

/* The parts of the table. Each part ends with a row whose `calls` is NULL. */
extern const struct misuse misuses_of_configs[], misuses_of_machines[], misuses_of_handles[],
    misuses_of_rounds[], misuses_of_requests[], misuses_of_messages[], misuses_of_collectives[],
    misuses_of_lengths[], misuses_of_layouts[], misuses_of_schedules[], misuses_of_models[],
    misuses_of_profiles[], misuses_of_traces[];

/* Returns a status for a call that returns no status itself. `as_it_should` says whether this call
 * returned what it should return after an error. If `as_it_should` is true, the result is the
 * status of the latest error, otherwise 1. */
int misuse_told(bool as_it_should);

/* Returns what a sentence says after the name and the place of the call that was refused, if it has
 * them. The rows have only this. */
const char *misuse_words(const char *sentence);

/* Returns valid arguments for a call of this operation. */
kp_arguments misuse_right(struct scene *scene, kp_operation operation);

#endif
