/* Whole programs: those of tests/apps. The headers there have the computations, once for all
 * contestants. The files here say which member computes what, and when members communicate
 * (talk.h). Read by C and C++. */
#ifndef KPORT_BENCH_WHOLE_H
#define KPORT_BENCH_WHOLE_H

#include "../serve.h"
#include "talk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A problem that has been posed. All contestants use the same one until the process ends. */
struct posed {
    void *problem;
    void *result; /* zeros before; each member writes its part, or one member writes all */
    size_t result_bytes;
};

/* Memory for an array. All members that share memory share a `common` array; other arrays are each
 * member's own. */
struct room {
    size_t bytes;
    bool common;
};

struct whole {
    const char *name;
    size_t size, tiny; /* the problem's size, and a small size for tests */
    bool (*pose)(size_t size, struct posed *posed);
    void (*plan)(const void *problem, size_t n, bool shared, struct room *rooms);
    void (*run)(struct talk *t, void *problem);
    bool (*right)(const void *problem); /* compares the result with a serial computation that uses
                                           no contestant */
};

extern const struct whole *const wholes[];
#define WHOLES 7

/* The members of a program that are in one process. */
struct whole_team {
    const struct whole *whole;
    struct posed posed;
    struct talk *talks;
    char *memory;
    size_t bytes;
};

/* Makes members `first` to first + count - 1. Returns false if there is no memory; whole_close may
 * be called even then. */
bool whole_open(struct whole_team *team, const struct request *request,
                const struct talk_calls *calls, void *link, int first, int count);
void whole_close(struct whole_team *team);

/* Makes all members, which share memory. */
bool whole_open_shared(struct whole_team *team, const struct request *request,
                       struct sharing *sharing);
void whole_close_shared(struct whole_team *team, struct sharing *sharing);

/* Does one run of a member, which ends when all members have arrived. Returns the member's
 * status. */
int whole_run(const struct whole_team *team, struct talk *t);

/* Times a member: two untimed runs, then the requested number of runs. */
void whole_times(const struct whole_team *team, struct talk *t, const struct request *request,
                 struct member_times *times);

/* Verifies the result if the request demands it. Members that share no memory must join their
 * results before. */
void whole_verify(const struct whole_team *team, const struct request *request,
                  struct reply *reply);

#ifdef __cplusplus
}
#endif

#endif
