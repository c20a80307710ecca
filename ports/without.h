/* A special case is code that exists only for speed, so the library gives the same results without
 * it. The Meson option `without` builds a library without the cases that it names, in small letters
 * with hyphens. `tools/dev bench special-cases` measures how much time each case saves.
 * KP_HAS(NAME) decides each case in one place, and doc/design.md says what each case does. */
#ifndef KPORT_PORTS_WITHOUT_H
#define KPORT_PORTS_WITHOUT_H

#include <stdint.h>

enum kp_special_case {
    /* Cases of calls and their code. Beside each case stands the file that decides it. */
    KP_CASE_PLAIN_KEY,       /* lib/call/collective.c */
    KP_CASE_KEPT_CODE,       /* lib/execute/lower.c */
    KP_CASE_ONE_MESSAGE,     /* lib/execute/lower.c */
    KP_CASE_OF_TWO,          /* lib/execute/lower.c */
    KP_CASE_JOINED,          /* lib/execute/write.c */
    KP_CASE_FOLDED,          /* lib/problem/operator.c */
    KP_CASE_MOVES_MEANWHILE, /* lib/execute/way.c */
    KP_CASE_SHORT_REQUESTS,  /* lib/request/meeting.c */
    /* Cases of copying. */
    KP_CASE_PUTS,         /* lib/execute/way.c */
    KP_CASE_HALVES,       /* lib/execute/way.c */
    KP_CASE_TOGETHER,     /* lib/execute/way.c */
    KP_CASE_BACKWARDS,    /* ports/sync/core_sets.h */
    KP_CASE_EIGHT_BYTES,  /* lib/execute/copy.h */
    KP_CASE_STREAM_64,    /* lib/execute/copy.c */
    KP_CASE_STREAM_16,    /* lib/execute/copy.c */
    KP_CASE_STREAM_AHEAD, /* lib/execute/copy.c */
    /* Cases about the places of buffers. */
    KP_CASE_LONG_BUFFER, /* ports/eager.c */
    KP_CASE_ODD_BUFFERS, /* ports/eager.c */
    KP_CASE_NEAR_BUFFER, /* ports/sync/sync.c */
    KP_CASE_IN_BOX,      /* lib/execute/lower.c */
    /* Cases of waiting. */
    KP_CASE_PAIR,           /* ports/sync/sync.c */
    KP_CASE_KEPT_ON_CORES,  /* ports/carrier/keeping.c */
    KP_CASE_CORE_SETS,      /* ports/sync/sync.c */
    KP_CASE_WORKER_SETS,    /* ports/sync/sync.c */
    KP_CASE_FETCH_TO_WRITE, /* ports/sync/wait.h */
    KP_CASE_ASYMMETRIC,     /* ports/request/request.c */
    KP_CASE_LOOKS,          /* ports/sync/wait.c */
    KP_CASE_EARLY_YIELDS,   /* ports/sync/wait.c */
    KP_CASE_LONGER_YIELDS,  /* ports/sync/wait.c */
    KP_CASE_LAST_LOOKS,     /* ports/sync/wait.c */
    KP_CASE_FIBER_AHEAD,    /* ports/carrier/ready.h */
    KP_CASE_FIBER_SPINS,    /* ports/carrier/fibers_run.c */
    KP_CASES
};

_Static_assert(KP_CASES <= 64, "each has a bit of KP_WITHOUT");

#define KP_LEAVES_OUT(name) (UINT64_C(1) << KP_CASE_##name)

/* The bits of the cases that this build leaves out. */
#ifndef KP_WITHOUT
#define KP_WITHOUT UINT64_C(0)
#endif

/* Whether this build has the special case `name`. The including file may define a macro of that
 * name. Passing `name` on to another macro would expand that macro, so KP_HAS pastes `name`
 * itself. */
#define KP_HAS(name) (((KP_WITHOUT) >> KP_CASE_##name & 1) == 0)

#endif
