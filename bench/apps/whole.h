/* Whole programs: those of tests/apps. What they compute stands in its headers, once for all
 * contestants; what the files here say is who computes what and when members talk (talk.h). Read by
 * C and C++. */
#ifndef KPORT_BENCH_WHOLE_H
#define KPORT_BENCH_WHOLE_H

#include "../serve.h"
#include "talk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A problem that has been posed: the same for all contestants, and for as long as the process
 * lives. */
struct posed {
    void *problem;
    void *result; /* each member writes its part, or one all of it; zeros before */
    size_t result_bytes;
};

/* Memory for an array of a member: common ones are those of all who share memory. */
struct room {
    size_t bytes;
    bool common;
};

struct whole {
    const char *name;
    size_t size, tiny; /* of the problem; for tests */
    bool (*pose)(size_t size, struct posed *posed);
    void (*plan)(const void *problem, size_t n, bool shared, struct room *rooms);
    void (*run)(struct talk *t, void *problem);
    bool (*right)(const void *problem); /* beside a serial computation, without any contestant */
};

extern const struct whole *const wholes[];
#define WHOLES 7

/* Some or all members of a program, in one process. */
struct whole_team {
    const struct whole *whole;
    struct posed posed;
    struct talk *talks;
    char *memory;
    size_t bytes;
};

/* For members first ... first + count - 1. False: no memory. Closed it may be even so. */
bool whole_open(struct whole_team *team, const struct request *request,
                const struct talk_calls *calls, void *link, int first, int count);
void whole_close(struct whole_team *team);

/* The same for all members, who share memory. */
bool whole_open_shared(struct whole_team *team, const struct request *request,
                       struct sharing *sharing);
void whole_close_shared(struct whole_team *team, struct sharing *sharing);

/* One run of a member; it ends when all have come. Returns its status. */
int whole_run(const struct whole_team *team, struct talk *t);

/* What is timed, of a member: as many runs as are asked for, after two that are not. */
void whole_times(const struct whole_team *team, struct talk *t, const struct request *request,
                 struct member_times *times);

/* Afterwards, where verification is asked for. Members that share no memory join their results
 * before. */
void whole_verify(const struct whole_team *team, const struct request *request,
                  struct reply *reply);

#ifdef __cplusplus
}
#endif

#endif
