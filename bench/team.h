/* A team is n threads inside the driver, or n processors of kport, that make the same call many
 * times. The time is measured from the start (begin_of) to the last member's end. Each repetition
 * makes new threads; the time to make them is not measured. */
#ifndef KPORT_BENCH_TEAM_H
#define KPORT_BENCH_TEAM_H

#include "contestants/good_barrier.h"
#include "kport.h"
#include "programs.h"

struct team;

struct member {
    alignas(64) struct team *team;
    int rank;
    uint64_t calls;  /* the number of calls that the member has made so far */
    kp_group *world; /* the member's handle of the world; NULL if kport does not carry the team */
    kp_group *group; /* the member's handle of the group that makes the calls: the world, or half of
                        it if the job says `halves` */
    char *out, *in;
    const struct job_steps *steps; /* the steps of the job */
    int step; /* the number of the step whose loop runs, if each call of a program is timed in a
                 loop of its own */
};

typedef int call_function(struct member *member);

struct team {
    const struct request *request;
    const struct arena *arena;
    call_function *call;
    void *state; /* data that the contestant's members share */
    struct good_barrier meet;
    struct member_times *times; /* the times of all members: n elements for the first loop, then n
                                   for the next loop */
};

/* Makes threads of the driver that make the calls. If `pin` is true, each thread is pinned to a
 * core. Returns NULL, or a sentence that says what went wrong. */
const char *team_of_threads(const struct request *request, const struct arena *arena,
                            call_function *call, void *state, bool pin, struct reply *reply);

/* Runs a machine of kport with the configuration `config`; its processors make the calls. Returns
 * NULL, or a sentence that says what went wrong. */
const char *team_of_kport(const struct request *request, const struct arena *arena,
                          call_function *call, void *state, const kp_config *config,
                          struct reply *reply);

int cores_allowed(void);
/* Pins the i-th of `threads` new threads to a core (contestants/pin.h). */
void pin_to_core(pthread_attr_t *attributes, int i, int threads);

#endif
