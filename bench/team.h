/* Teams: n threads inside the driver make the same call many times, timed from the start (begin_of)
 * to the last end. Each repetition makes new threads, outside of the timed part. */
#ifndef KPORT_BENCH_TEAM_H
#define KPORT_BENCH_TEAM_H

#include "contestants/good_barrier.h"
#include "kport.h"
#include "programs.h"

struct team;

struct member {
    alignas(64) struct team *team;
    int rank;
    uint64_t calls;  /* the number of calls so far */
    kp_group *world; /* the handle of the world, if kport carries the team */
    kp_group *group; /* the group that makes the calls: the world, or half of it in some programs */
    char *out, *in;
    const struct job_parts *parts; /* the job's parts */
    int part;                      /* the part whose loop runs, in a program with `alone` */
};

typedef int call_function(struct member *member);

struct team {
    const struct request *request;
    const struct arena *arena;
    call_function *call;
    void *state; /* the contestant's own data, shared by the members */
    struct good_barrier meet;
    struct member_times *times; /* the times of all members, loop by loop */
};

/* Lets threads of the driver make the calls. Returns NULL, or what went wrong. */
const char *team_of_threads(const struct request *request, const struct arena *arena,
                            call_function *call, void *state, bool pin, struct reply *reply);

/* Lets kport's processors make the calls, on a machine with `config`. */
const char *team_of_kport(const struct request *request, const struct arena *arena,
                          call_function *call, void *state, const kp_config *config,
                          struct reply *reply);

int cores_allowed(void);
void pin_to_core(pthread_attr_t *attributes, int i, int threads); /* see place.h */

#endif
