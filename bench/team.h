/* n threads inside the driver that make the same call many times, timed from the start (begin_of)
 * to the last end. The threads are new for every repetition and made outside of what is timed. */
#ifndef KPORT_BENCH_TEAM_H
#define KPORT_BENCH_TEAM_H

#include "contestants/good_barrier.h"
#include "kport.h"
#include "programs.h"

struct team;

struct member {
    alignas(64) struct team *team;
    int rank;
    uint64_t calls;  /* made so far */
    kp_group *world; /* of kport's threads */
    kp_group *group; /* whose calls are made: the world, or in a program half of it */
    char *out, *in;
    const struct job_parts *parts; /* of the job */
    int part;                      /* the one that is in its loop, of a program with `alone` */
};

typedef int call_function(struct member *member);

struct team {
    const struct request *request;
    const struct arena *arena;
    call_function *call;
    void *state; /* the contestant's own, shared by the members */
    struct good_barrier meet;
    struct member_times *times; /* of each loop those of all members */
};

/* By threads of the driver. NULL, or what went wrong. */
const char *team_of_threads(const struct request *request, const struct arena *arena,
                            call_function *call, void *state, bool pin, struct reply *reply);

/* By kport's processors, as `config` describes them. */
const char *team_of_kport(const struct request *request, const struct arena *arena,
                          call_function *call, void *state, const kp_config *config,
                          struct reply *reply);

int cores_allowed(void);
void pin_to_core(pthread_attr_t *attributes, int i, int threads); /* as place.h says */

#endif
