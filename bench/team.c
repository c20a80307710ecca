#include "team.h"

#include "contestants/pin.h"
#include "serve.h"

#include <stdio.h>
#include <stdlib.h>

#define STACK_BYTES (256 << 10)
#define LANES       4

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

/* --- What a member does --- */

/* Passes a barrier of all members. If kport carries the team, this is kport's barrier, because a
 * fiber must not block its thread. */
static int meet(struct member *m)
{
    if (m->world)
        return kp_barrier(m->world);
    good_barrier_wait(&m->team->meet);
    return 0;
}

/* Returns the number of timed loops. The number is one, unless each call of a program has a loop of
 * its own (`alone`). */
static int loops_of(const struct job *job, const struct job_steps *steps)
{
    return job->alone ? steps->count : 1;
}

static int verify(struct member *m)
{
    const struct job *job = &m->team->request->job;
    struct member_times *times = &m->team->times[m->rank];
    int rank = m->rank % group_size(job);
    steps_fill(m->steps, rank, m->out, m->in);
    int status = meet(m);
    for (m->step = 0; m->step < loops_of(job, m->steps) && !status; m->step++)
        status = m->team->call(m);
    if (!status)
        status = meet(m);
    if (!status)
        times->wrong = !steps_right(m->steps, rank, m->in);
    return status;
}

/* Returns the number of additional untimed calls of a program, which is a quarter of its timed
 * calls. The threads of a program are not pinned, as in users' programs. During these calls the
 * system finds a core for each thread. */
static uint64_t calls_to_settle(const struct member *m)
{
    const struct request *request = m->team->request;
    bool first = request->job.operation == PROGRAM && m->step == 0;
    return first ? request->calls / 4 * (uint64_t)loops_of(&request->job, m->steps) : 0;
}

/* Makes the untimed calls and then the timed calls, without a barrier between them. The measured
 * time is from the last member's start to the last member's end. Each member starts at the end of
 * its untimed calls. So exactly as many calls as are timed are completed in this time. If there
 * were a barrier before the start, other members could do a good part of the first call before the
 * last member leaves the barrier. */
static int loop(struct member *m)
{
    const struct request *request = m->team->request;
    call_function *call = m->team->call;
    int status = meet(m);
    /* The untimed calls prepare plans, allocate rows and touch pages. Calls that are started use
     * the four lanes of their group in turn. */
    const uint64_t first_calls = request->job.started ? 2 * LANES : 2;
    for (uint64_t i = 0; i < first_calls + calls_to_settle(m) && !status; i++)
        status = call(m);
    int64_t start = now_ns();
    for (uint64_t i = 0; i < request->calls && !status; i++)
        status = call(m);
    int64_t end = now_ns();
    if (!status)
        status = meet(m);
    struct member_times *times = &m->team->times[m->step * request->job.n + m->rank];
    times->start = start;
    times->end = end;
    return status;
}

static int work(struct member *m)
{
    const struct request *request = m->team->request;
    const struct job *job = &request->job;
    struct job_steps steps;
    steps_of(job, m->team->arena, m->rank / group_size(job), &steps);
    m->steps = &steps;
    int status = request->verify ? verify(m) : 0;
    for (m->step = 0; m->step < loops_of(job, &steps) && !status; m->step++)
        status = loop(m);
    return status;
}

static struct member member_of(struct team *team, int rank)
{
    return (struct member){.team = team,
                           .rank = rank,
                           .out = team->arena->out ? out_of(team->arena, rank) : NULL,
                           .in = team->arena->in ? in_of(team->arena, rank) : NULL};
}

static struct member_times *times_make(const struct job *job)
{
    return calloc((size_t)job->n * (job->alone ? MOST_STEPS : 1), sizeof(struct member_times));
}

/* Computes the time of the job. If there are several loops, it is the sum of their times. */
static void join_loops(const struct team *team, struct reply *reply)
{
    const struct job *job = &team->request->job;
    struct job_steps steps;
    steps_of(job, team->arena, 0, &steps);
    for (int i = 0; i < loops_of(job, &steps); i++) {
        struct reply one = {0};
        join_times(job, team->times + i * job->n, job->n, &one);
        reply->start_ns = i == 0 ? one.start_ns : reply->start_ns;
        reply->end_ns = i == 0 ? one.end_ns : reply->end_ns + one.end_ns - one.start_ns;
        reply->status = one.status ? one.status : reply->status;
    }
}

/* --- Teams of threads --- */

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
    if (started < n) { /* the threads that have started wait for the others and cannot be ended */
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
    team.times = times_make(&request->job);
    const char *error = NULL;
    good_barrier_init(&team.meet, (int)n, cores_allowed());
    if (!members || !threads || !team.times)
        error = "no memory";
    else if (start_threads(members, threads, &team, pin)) {
        for (size_t i = 0; i < n; i++)
            pthread_join(threads[i], NULL);
        join_loops(&team, reply);
    }
    free(members);
    free(threads);
    free(team.times);
    return error;
}

/* --- Teams carried by kport --- */

static int join_half(struct member *m, kp_proc *self)
{
    int size = group_size(&m->team->request->job);
    int *processors = malloc((size_t)size * sizeof *processors);
    if (!processors)
        return kp_fail(self, "no memory");
    for (int i = 0; i < size; i++)
        processors[i] = m->rank / size * size + i;
    int status = kp_group_create(self, processors, size, &m->group);
    free(processors);
    return status;
}

/* Sends a message from each member to the next member of the group, and verifies the message that
 * arrives. */
static int exchange_once(struct member *m, kp_proc *self)
{
    int size = kp_size(m->group), rank = kp_rank(m->group), told = -1;
    int from = (rank + size - 1) % size;
    int status =
        kp_send_recv(m->group, &rank, sizeof rank, (rank + 1) % size, &told, sizeof told, from);
    return status || told == from ? status : kp_fail(self, "wrong data");
}

static int program(kp_proc *self, void *argument)
{
    struct member m = member_of(argument, kp_processor(self));
    const struct job *job = &m.team->request->job;
    m.world = m.group = kp_world(self);
    int status = job->halves ? join_half(&m, self) : 0;
    if (!status && job->before)
        status = exchange_once(&m, self);
    return status ? status : work(&m);
}

const char *team_of_kport(const struct request *request, const struct arena *arena,
                          call_function *call, void *state, const kp_config *config,
                          struct reply *reply)
{
    static char sentence[512];
    kp_report report;
    struct team team = {.request = request, .arena = arena, .call = call, .state = state};
    team.times = times_make(&request->job);
    if (!team.times)
        return "no memory";
    int status = kp_run(config, program, &team, &report);
    if (!status)
        join_loops(&team, reply);
    free(team.times);
    if (!status)
        return NULL;
    snprintf(sentence, sizeof sentence, "%s", report.error.sentence);
    return sentence;
}
