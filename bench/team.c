#include "team.h"

#include "place.h"
#include "serve.h"

#include <stdio.h>
#include <stdlib.h>

#define STACK_BYTES (256 << 10)

int cores_allowed(void)
{
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) != 0)
        return (int)sysconf(_SC_NPROCESSORS_ONLN);
    return CPU_COUNT(&set);
}

void pin_to_core(pthread_attr_t *attributes, int i, int threads)
{
    cpu_set_t one;
    if (core_of(i, threads, &one))
        pthread_attr_setaffinity_np(attributes, sizeof one, &one);
}

/* --- What every member does --- */

/* Fibers may not block their thread, so kport's processors meet in kport. */
static int meet(struct member *m)
{
    if (m->world)
        return kp_barrier(m->world);
    good_barrier_wait(&m->team->meet);
    return 0;
}

static int verify(struct member *m)
{
    const struct job *job = &m->team->request->job;
    struct member_times *times = &m->team->times[m->rank];
    fill_buffers(job, m->rank, m->out, m->in);
    int status = meet(m);
    if (!status)
        status = m->team->call(m);
    if (!status)
        status = meet(m);
    if (!status)
        times->wrong = !buffers_right(job, m->rank, m->in);
    return status;
}

/* Nobody waits for the others between the calls that are not timed and those that are: from the
 * last one's end of the former to the last one's end of the latter are as many calls as were timed.
 * With a barrier between, who comes from it last finds a good part of the first call done by the
 * others. */
static int work(struct member *m)
{
    const struct request *request = m->team->request;
    call_function *call = m->team->call;
    int status = request->verify ? verify(m) : 0;
    if (!status)
        status = meet(m);
    for (int i = 0; i < 2 && !status; i++) /* plans, rows and pages are there afterwards */
        status = call(m);
    int64_t start = now_ns();
    for (uint64_t i = 0; i < request->calls && !status; i++)
        status = call(m);
    int64_t end = now_ns();
    if (!status)
        status = meet(m);
    m->team->times[m->rank].start = start;
    m->team->times[m->rank].end = end;
    return status;
}

static struct member member_of(struct team *team, int rank)
{
    return (struct member){.team = team,
                           .rank = rank,
                           .out = team->arena->out ? out_of(team->arena, rank) : NULL,
                           .in = team->arena->in ? in_of(team->arena, rank) : NULL};
}

/* --- Threads --- */

static void *thread_main(void *argument)
{
    struct member *m = argument;
    work(m);
    return NULL;
}

static bool start_threads(struct member *members, pthread_t *threads, struct team *team, bool pin)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int n = team->request->job.n, started = 0;
    for (; started < n; started++) {
        members[started] = member_of(team, started);
        if (pin)
            pin_to_core(&attributes, started, n);
        if (pthread_create(&threads[started], &attributes, thread_main, &members[started]) != 0)
            break;
    }
    pthread_attr_destroy(&attributes);
    if (started < n) { /* those that came wait for the others and cannot be called back */
        fprintf(stderr, "peers: thread %d of %d cannot be started\n", started, n);
        exit(1);
    }
    return true;
}

const char *team_of_threads(const struct request *request, const struct arena *arena,
                            call_function *call, void *state, bool pin, struct reply *reply)
{
    size_t n = (size_t)request->job.n;
    struct team team = {.request = request, .arena = arena, .call = call, .state = state};
    struct member *members = aligned_alloc(alignof(struct member), n * sizeof *members);
    pthread_t *threads = calloc(n, sizeof *threads);
    team.times = calloc(n, sizeof *team.times);
    const char *error = NULL;
    good_barrier_init(&team.meet, (int)n, cores_allowed());
    if (!members || !threads || !team.times)
        error = "no memory";
    else if (start_threads(members, threads, &team, pin)) {
        for (size_t i = 0; i < n; i++)
            pthread_join(threads[i], NULL);
        join_times(&request->job, team.times, (int)n, reply);
    }
    free(members);
    free(threads);
    free(team.times);
    return error;
}

/* --- kport --- */

static int program(kp_proc *self, void *argument)
{
    struct member m = member_of(argument, kp_processor(self));
    m.world = kp_world(self);
    return work(&m);
}

const char *team_of_kport(const struct request *request, const struct arena *arena,
                          call_function *call, const kp_config *config, struct reply *reply)
{
    static char sentence[512];
    kp_report report;
    struct team team = {.request = request, .arena = arena, .call = call};
    team.times = calloc((size_t)request->job.n, sizeof *team.times);
    if (!team.times)
        return "no memory";
    int status = kp_run(config, program, &team, &report);
    if (!status)
        join_times(&request->job, team.times, request->job.n, reply);
    free(team.times);
    if (!status)
        return NULL;
    snprintf(sentence, sizeof sentence, "%s", report.error.sentence);
    return sentence;
}
