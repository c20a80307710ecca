/* The table of misuse: one row for everything that a caller may do wrong and the library can
 * detect. test_misuse.c does it and compares the library's error. doc/misuse.md shows the same rows
 * to readers; tests/cli/misuse.py compares the document with the rows. */
#ifndef KPORT_TESTS_MISUSE_H
#define KPORT_TESTS_MISUSE_H

#include <kport.h>

#include <stdbool.h>
#include <stddef.h>

/* What one of three processors has when a row is tried in a run: buffers that lie apart. */
#define MEMBERS 3
struct scene {
    kp_proc *self;
    kp_group *group; /* the world */
    bool wrong;      /* this is who gets it wrong; the others do it right */
    double *out, *in;
    size_t eights[MEMBERS]; /* counts: all 8 */
};

struct misuse {
    const char *calls;                 /* as in the documentation */
    const char *wrong;                 /* what is */
    int status;                        /* what who gets it wrong is told */
    const char *sentence;              /* with the values of this test */
    int (*alone)(void);                /* outside of runs, or */
    int (*among)(struct scene *scene); /* by each of three processors, the status to be compared */
    int others;                        /* what the others get */
    bool fibers;                       /* only in builds that have them */
};

/* Ends with a row without calls. */
extern const struct misuse misuses_of_machines[], misuses_of_handles[], misuses_of_rounds[],
    misuses_of_collectives[], misuses_of_lengths[], misuses_of_schedules[], misuses_of_models[],
    misuses_of_profiles[], misuses_of_traces[];

/* For calls that return no status: that of the latest error, or 1 if they did not return what they
 * should. */
int misuse_told(bool as_it_should);

/* The call of any operation with these arguments, and arguments that are right. */
int misuse_call(kp_group *group, const kp_arguments *arguments);
kp_arguments misuse_right(struct scene *scene, kp_operation operation);

#endif
