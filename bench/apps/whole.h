/* This header declares the whole programs, which are the programs of tests/apps. The headers in
 * tests/apps contain the computations, so all contestants use the same ones. The files in
 * bench/apps say which member computes what, and when members communicate (talk.h). Both C and C++
 * files include this header. */
#ifndef KPORT_BENCH_WHOLE_H
#define KPORT_BENCH_WHOLE_H

#include "../serve.h"
#include "talk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A problem of a whole program, with its input and the memory for its result. All contestants solve
 * the same problem, which exists until the process ends. */
struct posed {
    void *problem;
    void *result; /* the result, filled with zeros before a run; each member writes its part, or one
                     member writes all */
    size_t result_bytes;
};

/* The memory for an array. A `common` array exists once if members share memory. Any other array
 * exists once for each member. */
struct room {
    size_t bytes;
    bool common;
};

struct whole {
    const char *name;
    size_t size, tiny; /* `size`: the size of the problem; `tiny`: a small size for tests */
    bool (*pose)(size_t size, struct posed *posed);
    void (*plan)(const void *problem, size_t n, bool shared, struct room *rooms);
    void (*run)(struct talk *t, void *problem);
    bool (*right)(const void *problem); /* compares the result with that of a serial computation,
                                           which uses no contestant */
};

extern const struct whole *const wholes[];
#define WHOLES 7

/* The members of a whole program that are in this process. */
struct whole_team {
    const struct whole *whole;
    struct posed posed;
    struct talk *talks;
    char *memory;
    size_t bytes;
};

/* Makes the members with ranks from `first` to `first` + `count` - 1. Returns false if there is no
 * memory. The caller must call whole_close even then. */
bool whole_open(struct whole_team *team, const struct request *request,
                const struct talk_calls *calls, void *link, int first, int count);
void whole_close(struct whole_team *team);

/* Makes all members, in one process, with shared memory. `whole_close_shared` frees them. */
bool whole_open_shared(struct whole_team *team, const struct request *request,
                       struct sharing *sharing);
void whole_close_shared(struct whole_team *team, struct sharing *sharing);

/* Runs the program once as the member `t`. The run ends when all members have arrived at its end.
 * Returns the member's status. */
int whole_run(const struct whole_team *team, struct talk *t);

/* Times the member `t`: two untimed runs, and then the number of runs that the request wants. */
void whole_times(const struct whole_team *team, struct talk *t, const struct request *request,
                 struct member_times *times);

/* Verifies the result if the request wants that. Members that do not share memory must join their
 * parts of the result before this call. */
void whole_verify(const struct whole_team *team, const struct request *request,
                  struct reply *reply);

#ifdef __cplusplus
}
#endif

#endif
