/* The contestants of the benchmark that are kport itself. These contestants use kport's public
 * interface. The only exception is that rows about thresholds set kport's thresholds by a profile
 * that is made here. */
#include "../contestant.h"
#include "lib/tune/profile.h"
#include "tools/kport/common/operation_call.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static const kp_operation operations[SCAN + 1] = {
    [OPERATIONS] = KP_OPERATIONS,
    [BARRIER] = KP_OPERATIONS,
    [ROUND_TRIP] = KP_OPERATIONS,
    [THROUGHPUT] = KP_OPERATIONS,
    [CREATE] = KP_OPERATIONS,
    [FIBERS] = KP_OPERATIONS,
    [PROGRAM] = KP_OPERATIONS,
    [WHOLE] = KP_OPERATIONS,
    [PING_PONG] = KP_OPERATIONS,
    [WINDOW] = KP_OPERATIONS,
    [INDEX] = KP_INDEX,
    [CONCAT] = KP_CONCAT,
    [BROADCAST] = KP_BROADCAST,
    [SCATTER] = KP_SCATTER,
    [GATHER] = KP_GATHER,
    [ALLREDUCE] = KP_ALLREDUCE,
    [REDUCE] = KP_REDUCE,
    [REDUCE_SCATTER] = KP_REDUCE_SCATTER,
    [SCAN] = KP_SCAN,
};

static const struct {
    kp_type type;
    kp_builtin op;
} combinations[] = {
    [SUM_OF_DOUBLES] = {KP_FLOAT64, KP_BUILTIN_SUM},
    [MAXIMUM_OF_DOUBLES] = {KP_FLOAT64, KP_BUILTIN_MAXIMUM},
    [SUM_OF_INTEGERS] = {KP_INT64, KP_BUILTIN_SUM},
    [MAXIMUM_OF_INTEGERS] = {KP_INT64, KP_BUILTIN_MAXIMUM},
};

static kp_hints hints_of(const struct job *job)
{
    kp_hints hints = {.algorithm = kp_algorithm_find(KP_INDEX, "radix")};
    hints.values[0] = job->radix;
    return hints;
}

/* Makes one call of the step. The time of this function is measured. operation_call is used here
 * only, so that compilers expand it and keep the arguments in registers. */
static int call_step(const struct member *m, const struct job_step *step)
{
    const struct job *job = &step->job;
    kp_hints hints;
    kp_arguments a = {.operation = operations[job->operation],
                      .out = m->out + step->out_at,
                      .in = m->in + step->in_at,
                      .b = job->b,
                      .count = job->b / 8,
                      .type = combinations[job->combination].type,
                      .op = &kp_builtin_operators[combinations[job->combination].op],
                      .root = job->root};
    if (job->radix) {
        hints = hints_of(job);
        a.hints = &hints;
    }
    return operation_call(m->group, &a);
}

static int call_barrier(struct member *m)
{
    return kp_barrier(m->world);
}

/* Makes the call of the job's only step, or of the step whose loop runs. */
static int call_one(struct member *m)
{
    return call_step(m, &m->steps->step[m->step]);
}

static int call_started(struct member *m)
{
    const struct job *job = &m->steps->step[0].job;
    kp_request *request;
    int status = kp_index_start(m->group, m->out, m->in, job->b, NULL, &request);
    return status ? status : kp_wait(&request);
}

/* Messages of 8 bytes with tags. Every word is compared, as in all other contestants. */
static int call_ping_pong(struct member *m)
{
    uint64_t word = ++m->calls, back = 0;
    int status = m->rank == 0 ? kp_send(m->world, &word, sizeof word, 1, 0) : 0;
    if (!status)
        status = kp_receive(m->world, &back, sizeof back, 1 - m->rank, 0, NULL);
    if (!status && m->rank == 1)
        status = kp_send(m->world, &back, sizeof back, 0, 0);
    return status || back == word ? status : kp_fail(kp_group_self(m->world), "wrong data");
}

static int call_window(struct member *m)
{
    uint64_t words[WINDOW_MESSAGES], answer = 0;
    kp_request *requests[WINDOW_MESSAGES];
    int status = 0;
    for (int i = 0; i < WINDOW_MESSAGES && !status; i++) {
        words[i] = m->rank == 0 ? (uint64_t)i : 0;
        status =
            m->rank == 0
                ? kp_send_start(m->world, &words[i], sizeof words[i], 1, 0, &requests[i])
                : kp_receive_start(m->world, &words[i], sizeof words[i], 0, 0, NULL, &requests[i]);
    }
    if (!status)
        status = kp_wait_all(WINDOW_MESSAGES, requests);
    for (int i = 0; i < WINDOW_MESSAGES && !status; i++) {
        if (words[i] != (uint64_t)i)
            status = kp_fail(kp_group_self(m->world), "wrong data");
    }
    if (!status)
        status = m->rank == 0 ? kp_receive(m->world, &answer, sizeof answer, 1, 1, NULL)
                              : kp_send(m->world, &answer, sizeof answer, 0, 1);
    return status;
}

static int call_by_turns(struct member *m)
{
    int status = 0;
    for (int i = 0; i < m->steps->count && !status; i++)
        status = call_step(m, &m->steps->step[i]);
    return status;
}

/* Makes a call and then passes a barrier. With mailboxes, as in MPI, a call with a root does not
 * wait for all members. So the call is complete at all members only after the barrier. */
static int call_and_barrier(struct member *m)
{
    int status = call_one(m);
    return status ? status : kp_barrier(m->world);
}

static void force(const struct job *job, bool above, kp_config *config)
{
    static const size_t most = (size_t)1 << 30;
    static kp_profile forced;
    config->eager_bytes = job->threshold == EAGER && !above ? (size_t)job->n * job->b : 64;
    forced.thresholds = (struct kp_thresholds){.from = "forced"};
    forced.thresholds.bytes[KP_LEAST_PART] = job->threshold != SHARED ? 16384 : above ? 64 : most;
    forced.thresholds.bytes[KP_PAST_CACHE] = job->threshold == PAST && above ? 64 : most;
    config->profile = &forced;
}

void kport_configure(const struct contestant *self, const struct job *job, kp_config *config)
{
    *config = (kp_config){.processors = job->n, .ports = job->k, .pin = job->pin || self->pin};
    if (self->form == CARRIED_BY_FIBERS) {
        config->carrier = KP_CARRIER_FIBERS;
        config->workers = 2;
    }
    if (self->form == AS_BELOW || self->form == AS_ABOVE)
        force(job, self->form == AS_ABOVE, config);
    if (self->form == MAILBOXES) {
        config->discipline = KP_ROUNDS_BY_MAILBOXES;
        config->generations = self->generations;
    }
}

bool kport_serves(const struct contestant *self, const struct job *job)
{
    if (job->operation == PING_PONG || job->operation == WINDOW)
        return self->kind == KPORT && !self->pin &&
               self->form == (job->fibers ? CARRIED_BY_FIBERS : ROUNDS);
    if (job->started || self->kind == KPORT_BLOCKING)
        return job->started && (self->kind == KPORT || self->kind == KPORT_BLOCKING) &&
               !self->pin && self->form == (job->fibers ? CARRIED_BY_FIBERS : ROUNDS);
    if (job->operation > GATHER)
        return false;
    if (job->threshold || self->form == AS_BELOW || self->form == AS_ABOVE)
        return job->threshold && (self->form == AS_BELOW || self->form == AS_ABOVE ||
                                  (self->form == ROUNDS && self->kind == KPORT && !self->pin));
    if (self->form == CARRIED_BY_FIBERS || self->kind == KPORT_THREADS)
        return job->fibers && (self->kind != KPORT_THREADS || job->radix) &&
               (self->kind != KPORT_SMALLER || job->operation == BARRIER);
    if (job->fibers || (self->form == MAILBOXES && job->operation == BARRIER))
        return false;
    return !self->pin || job->n > cores_allowed();
}

const char *kport_missing(const struct contestant *self, const struct job *job)
{
    (void)job;
    return self->form == CARRIED_BY_FIBERS && !kp_fibers() ? "not built (boost.context)" : NULL;
}

const char *kport_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply)
{
    const struct job *job = &request->job;
    bool and_barrier = self->form == MAILBOXES && has_root(job) && !job->batch;
    kp_config config;
    kport_configure(self, job, &config);
    const bool started = job->started && self->kind == KPORT;
    call_function *call = job->operation == BARRIER     ? call_barrier
                          : job->operation == PING_PONG ? call_ping_pong
                          : job->operation == WINDOW    ? call_window
                          : started                     ? call_started
                          : and_barrier                 ? call_and_barrier
                                                        : call_one;
    return team_of_kport(request, arena, call, NULL, &config, reply);
}

/* --- Programs --- */

bool kport_serves_program(const struct contestant *self, const struct job *job)
{
    if (job->operation != PROGRAM || job->fibers != (self->form == CARRIED_BY_FIBERS))
        return false;
    return self->kind == KPORT || job->before == (self->kind == KPORT_WITHOUT);
}

const char *kport_run_program(const struct contestant *self, const struct request *request,
                              const struct arena *arena, struct reply *reply)
{
    struct request own = *request;
    kp_config config;
    own.job.alone = self->kind == KPORT_ALONE;
    own.job.before = self->kind == KPORT && own.job.before;
    kport_configure(self, &own.job, &config);
    return team_of_kport(&own, arena, own.job.alone ? call_one : call_by_turns, NULL, &config,
                         reply);
}

/* --- Creating and ending a machine --- */

static int empty(kp_proc *self, void *argument)
{
    (void)self;
    (void)argument;
    return 0;
}

int kport_create(int n, size_t stack_bytes)
{
    kp_config config = {.processors = n, .stack_bytes = stack_bytes};
    return kp_run(&config, empty, NULL, NULL);
}

/* --- A machine of many fibers in its own process, whose memory is measured --- */

#define STACK_BYTES (64 << 10)
#define BARRIERS    100

static int use_once(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int64_t told = kp_processor(self) == 0 ? 42 : 0, one = 1, all = 0;
    int status = 0;
    (void)argument;
    for (int i = 0; i < BARRIERS && !status; i++)
        status = kp_barrier(world);
    if (!status)
        status = kp_broadcast(world, &told, sizeof told, 0, NULL);
    if (!status)
        status = kp_allreduce(world, &one, &all, 1, KP_INT64, KP_SUM, NULL);
    if (!status && (told != 42 || all != kp_size(world)))
        status = kp_fail(self, "wrong data");
    return status;
}

int fibers_program(int n)
{
    kp_report report;
    kp_config config = {.processors = n,
                        .ports = n > 8 ? 8 : 0,
                        .stack_bytes = STACK_BYTES,
                        .carrier = KP_CARRIER_FIBERS,
                        .workers = 2};
    if (kp_run(&config, use_once, NULL, &report) == 0)
        return 0;
    fprintf(stderr, "peers: %d fibers: %s\n", n, report.error.sentence);
    return 1;
}

static double most_gib;

bool fibers_serve(const struct contestant *self, const struct job *job)
{
    (void)self;
    return job->operation == FIBERS;
}

const char *fibers_run(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply)
{
    char number[16];
    struct rusage usage;
    int status = 0;
    (void)self;
    (void)arena;
    snprintf(number, sizeof number, "%d", request->job.n);
    reply->start_ns = now_ns();
    for (uint64_t i = 0; i < request->calls; i++) {
        fflush(NULL);
        pid_t child = fork();
        if (child == 0) {
            /* The table allows 4 GiB (rows.c). A process that needs three times as much fails
             * early. */
            struct rlimit most = {(rlim_t)12 << 30, (rlim_t)12 << 30};
            setrlimit(RLIMIT_DATA, &most);
            alarm(30);
            execl("/proc/self/exe", "peers", "--fibers", number, (char *)NULL);
            _exit(127);
        }
        if (child < 0 || wait4(child, &status, 0, &usage) != child)
            return "no process";
        if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
            return "not done after 30 s";
        if (status != 0)
            return "the process failed";
        double gib = (double)usage.ru_maxrss / (1 << 20);
        most_gib = gib > most_gib ? gib : most_gib;
    }
    reply->end_ns = now_ns();
    return NULL;
}

double fibers_gib(void)
{
    return most_gib;
}
