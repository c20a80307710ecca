/* What a library of a program's interface (lib/mpi/, lib/bsp/) has found wrong with the program. */
#ifndef KPORT_PORTS_FAIL_FINDING_H
#define KPORT_PORTS_FAIL_FINDING_H

#include <stdbool.h>

/* What a rank does at a deadlock, or when the time is over. */
struct kp_finding_rank {
    int rank;
    const char *function; /* its present or latest call; NULL: not known */
    const char *file;     /* NULL: not known */
    int line;
    const int *waits_for; /* the ranks for which it waits */
    int waits_for_count;
    char does[520]; /* in words */
};

/* `kind` is a word: "deadlock", "mismatch", "argument", "leak", "abort" ... `rank` is -1 if no
 * single rank is meant, and `file` NULL if no place is known. */
struct kp_finding {
    const char *kind;
    int rank;
    const char *function; /* "MPI_Send", "bsp_put" ..., or NULL */
    const char *file;
    int line;
    bool ends;   /* the job ends because of it */
    bool of_end; /* the rank has come to its end, where other ranks may soon tell the same */
    int times;   /* above 1: it was told before, and came so often in all */
    const char *sentence;
    const struct kp_finding_rank *ranks; /* all of them; NULL: the finding is about one call */
    int rank_count;
};

#endif
