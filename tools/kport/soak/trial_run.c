/* Carries out a trial (trial.h). Every processor goes through the steps of its groups, verifies
 * every byte that it receives, and has the status of every call judged. If something goes wrong,
 * a sentence about it (the shortfall) is stored with the processor until all processors have
 * ended. */
#include "tools/kport/soak/trial_run.h"

#include "tools/kport/common/operation_call.h"
#include "tools/kport/common/random.h"

#include "lib/problem/operation.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct trial_sabotage trial_sabotage;

/* An exiting thread leaves its functions without a return. AddressSanitizer would keep the stack
 * frames of these functions marked as in use, so the functions are compiled without
 * AddressSanitizer. */
#define MAY_VANISH __attribute__((no_sanitize("address"), noinline))

uint64_t trial_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void trial_complain(struct actor *actor, const char *format, ...)
{
    char *text = actor->shortfall;
    if (text[0])
        return;
    int length = snprintf(text, sizeof actor->shortfall, "step %d, processor %d: ", actor->step + 1,
                          actor->number);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, sizeof actor->shortfall - (size_t)length, format, arguments);
    va_end(arguments);
}

static void nap(long microseconds)
{
    struct timespec span = {microseconds / 1000000, microseconds % 1000000 * 1000};
    while (nanosleep(&span, &span) != 0)
        continue;
}

/* --- The trial's own operators, with the same results as the library's --- */

static void own_sum(void *to, const void *left, const void *right, size_t count, void *context)
{
    uint64_t *t = to;
    const uint64_t *l = left, *r = right;
    (void)context;
    for (size_t i = 0; i < count; i++)
        t[i] = l[i] + r[i];
}

/* Combines maps x -> a x + c. The result applies the left map first and then the right map. */
static void own_compose(void *to, const void *left, const void *right, size_t count, void *context)
{
    struct map {
        uint64_t a, c;
    } *t = to;
    const struct map *l = left, *r = right;
    (void)context;
    for (size_t i = 0; i < count; i++)
        t[i] = (struct map){r[i].a * l[i].a, r[i].a * l[i].c + r[i].c};
}

static const kp_operator own_operators[] = {
    {.name = "own-sum", .combine = own_sum, .commutative = 1},
    {.name = "own-sum-in-order", .combine = own_sum},
    {.name = "own-compose", .combine = own_compose, .element_bytes = 16},
};

static void take_own_operator(const struct trial_step *step, struct participant *participant)
{
    const kp_problem *p = &step->problem;
    /* If an operator is not declared commutative, operands must be combined in order. Not all
     * algorithms do so. Such an operator is used only if the problem names no algorithm. */

    bool in_order = !p->algorithm && step->seed % 2;
    if (p->op == KP_COMPOSE)
        /* The type is opaque, because the library does not know that an element is a pair. */
        participant->arguments.type = KP_OPAQUE;
    participant->arguments.op = &own_operators[p->op == KP_COMPOSE ? 2 : in_order];
}

/* --- Steps with a collective --- */

static bool has_fault(const struct actor *actor, const struct trial_step *step)
{
    return step->fault && step->who == actor->number;
}

/* Starts the call between two barriers, so three requests are under way, and waits for them in one
 * of several ways. */
static int call_started(struct actor *actor, const struct trial_step *step)
{
    kp_group *group = actor->members[step->group];
    kp_request *requests[3] = {NULL};
    int status = kp_barrier_start(group, &requests[0]), ended = 0;
    if (!status)
        status = actor->plan ? kp_plan_start(actor->plan, &requests[1])
                             : kp_call_start(group, &actor->participant.arguments, &requests[1]);
    if (!status)
        status = kp_barrier_start(group, &requests[2]);
    if (!status && step->seed % 3 == 0) {
        /* A loop of tests without an end would hide a deadlock that a fault leads to. */
        for (int i = 0; i < 100 && !status && !ended; i++)
            status = kp_test(&requests[1], &ended);
    } else if (!status && step->seed % 3 == 1) {
        status = kp_wait_any(3, requests, &ended);
    }
    /* Whatever has happened, each request is waited for. */
    if (status)
        actor->error = *kp_last_error();
    const int later = kp_wait_all(3, requests);
    return status ? status : later;
}

static int make_call(struct actor *actor, const struct trial_step *step)
{
    kp_group *group = actor->members[step->group];
    kp_arguments *arguments = &actor->participant.arguments;
    kp_layout *halves = NULL;
    int status = step->laid ? trial_halves(arguments->b, &halves) : KP_OK;
    if (halves) {
        arguments->in_layout = halves;
        arguments->in_count = 1;
        arguments->out_layout = arguments->operation == KP_BROADCAST ? NULL : halves;
        arguments->out_count = arguments->out_layout ? 1 : 0;
        arguments->b = 0;
    }
    if (!status && (halves || (step->persistent && !has_fault(actor, step))))
        status = kp_plan_make(group, arguments, &actor->plan);
    kp_layout_free(halves); /* the plan holds it */
    for (int i = 0; i < step->repeats && !status; i++)
        status = step->started ? call_started(actor, step)
                 : actor->plan ? kp_plan_execute(actor->plan)
                               : operation_call(group, arguments);
    kp_plan_free(actor->plan);
    actor->plan = NULL;
    return status;
}

static void compare(struct actor *actor, int step, int status)
{
    struct participant *participant = &actor->participant;
    char text[160];
    if (status == KP_OK && trial_sabotage.corrupt)
        trial_sabotage.corrupt(actor->run->trial, step, participant->rank, participant->in,
                               participant->in_bytes);
    if (status == KP_OK ? !participant_is_wrong(participant, text, sizeof text)
                        : participant_is_untouched(participant))
        return;
    atomic_fetch_add(&actor->run->wrong_bytes, 1);
    if (status == KP_OK)
        trial_complain(actor, "%s", text);
    else
        trial_complain(actor, "a call that failed has changed what it may not");
}

static int collective(struct actor *actor, int step, int rank)
{
    const struct trial_step *s = &actor->run->trial->step[step];
    actor->other = has_fault(actor, s) ? trial_other_problem(s) : s->problem;
    if (!participant_make(&actor->participant, &actor->other, s->seed, rank)) {
        trial_complain(actor, "no memory for the buffers");
        return kp_fail(actor->self, "no memory for the buffers");
    }
    if (s->own_operator && !has_fault(actor, s))
        take_own_operator(s, &actor->participant);
    participant_spoil(&actor->participant);
    if (has_fault(actor, s))
        trial_bend(s, &actor->participant);
    int status = make_call(actor, s);
    compare(actor, step, status);
    participant_free(&actor->participant);
    return status;
}

/* --- The program of one processor --- */

static int call_step(struct actor *actor, int step)
{
    const struct trial *trial = actor->run->trial;
    const struct trial_step *s = &trial->step[step];
    int rank = trial_rank(trial, s->group, actor->number);
    actor->step = step;
    actor->entered = trial_now();
    if (trial_sabotage.omit && trial_sabotage.omit(trial, step, rank))
        return KP_OK;
    if (s->kind == TRIAL_BARRIER)
        return kp_barrier(actor->members[s->group]);
    if (s->kind == TRIAL_ROUTE)
        return trial_route(actor, s, rank);
    return s->kind == TRIAL_COLLECTIVE ? collective(actor, step, rank)
                                       : trial_round(actor, s, rank);
}

static int take_members(struct actor *actor)
{
    const struct trial *trial = actor->run->trial;
    int status = KP_OK;
    actor->members[0] = kp_world(actor->self);
    for (int g = 1; g < trial->groups && !status; g++) {
        const struct trial_group *group = &trial->group[g];
        if (trial_rank(trial, g, actor->number) >= 0)
            status = kp_group_create(actor->self, group->members, group->size, &actor->members[g]);
    }
    return status;
}

static void give_members_back(struct actor *actor)
{
    for (int g = 1; g < actor->run->trial->groups; g++) {
        if (actor->members[g] && kp_group_free(actor->members[g]))
            trial_complain(actor, "a handle could not be given back: %s",
                           kp_last_error()->sentence);
        actor->members[g] = NULL;
    }
}

static void maybe_late(const struct actor *actor, int step)
{
    const struct trial *trial = actor->run->trial;
    uint64_t random = random_of(trial->delay_seed, (uint64_t)step, (uint64_t)actor->number);
    if (trial->delays > 0 && random % (uint64_t)trial->delays == 0)
        /* The delay is less than 300 microseconds, so a 32-bit long is enough. */
        nap((long)((random >> 32) % 300));
}

static void note_planted(struct actor *actor, int step)
{
    atomic_store(&actor->run->seen[step].planted_at, trial_now());
}

/* Ends the actor's participant in the trial, after an error, after its fault or after its last
 * step. Returns `status`. */
static int stop(struct actor *actor, enum actor_end end, int status)
{
    actor->end = end;
    actor->status = status;
    actor->left = trial_now();
    if (status && actor->error.status != status)
        actor->error = *kp_error(actor->self);
    return status;
}

/* Leaves the program in the way that the fault demands. No memory is lost, because the trial owns
 * the actor's memory. */
MAY_VANISH static int leave(struct actor *actor, enum trial_fault fault)
{
    stop(actor, ACTOR_LEFT, 0);
    if (fault == TRIAL_RETURNS_NUMBER)
        return 42;
    if (fault == TRIAL_FAILS)
        return kp_fail(actor->self, "planted: the ink is out");
    if (fault == TRIAL_EXITS)
        pthread_exit(NULL);
    if (fault == TRIAL_IS_CANCELLED) {
        pthread_cancel(pthread_self());
        pthread_testcancel();
    }
    return 0;
}

/* Makes the call of the step. A processor with the fault TRIAL_CROSSES makes the call of the next
 * step instead. */
static int next_step(struct actor *actor, int step)
{
    const struct trial *trial = actor->run->trial;
    const struct trial_step *s = &trial->step[step];
    bool crosses = has_fault(actor, s) && s->fault == TRIAL_CROSSES;
    int status = call_step(actor, crosses ? step + 1 : step);
    if (crosses && status == KP_OK)
        trial_complain(actor, "the call that was made in the wrong order was carried out");
    return status;
}

/* Goes through one step. Returns false if the actor's participant ends there; then `*returned` is
 * what its program returns. */
MAY_VANISH static bool pass_step(struct actor *actor, int step, int *returned)
{
    const struct trial *trial = actor->run->trial;
    const struct trial_step *s = &trial->step[step];
    *returned = KP_OK;
    maybe_late(actor, step);
    if (has_fault(actor, s)) {
        note_planted(actor, step);
        actor->step = step;
        if (s->fault <= TRIAL_IS_CANCELLED) {
            *returned = leave(actor, s->fault);
            return false;
        }
        if (s->fault == TRIAL_LEAVES_OUT)
            return true;
        if (s->fault == TRIAL_IS_LATE)
            nap(2000L * (long)trial->machine.time_limit_ms);
    }
    int status = next_step(actor, step);
    /* An error at an earlier step than the one that ends the trial is judged now. Any other error
     * is judged when all processors have ended. */
    bool goes_on =
        step < actor->run->ending ? trial_judge_call(actor, step, status) : status == KP_OK;
    if (goes_on && status == KP_OK)
        atomic_fetch_add(&actor->run->seen[step].done, 1);
    if (goes_on)
        return true;
    *returned = stop(actor, ACTOR_STOPPED, status);
    return false;
}

MAY_VANISH static int program(kp_proc *self, void *argument)
{
    struct trial_under_way *run = argument;
    struct actor *actor = &run->actors[kp_processor(self)];
    const struct trial *trial = run->trial;
    int returned = KP_OK, status;
    bool goes_on = true;
    actor->self = self;
    if ((status = take_members(actor)) != KP_OK) {
        goes_on = false;
        returned = stop(actor, ACTOR_STOPPED, status);
    }
    for (int step = 0; step < trial->steps && goes_on; step++) {
        if (trial_rank(trial, trial->step[step].group, actor->number) >= 0)
            goes_on = pass_step(actor, step, &returned);
    }
    if (goes_on)
        stop(actor, ACTOR_FINISHED, KP_OK);
    trial_route_forget(actor);
    give_members_back(actor);
    return returned;
}

/* --- Trials with attached threads --- */

struct attaching {
    struct trial_under_way *run;
    pthread_barrier_t all_here;
};

struct attached_thread {
    struct attaching *attaching;
    int number;
    pthread_t thread;
    bool started;
};

MAY_VANISH static void *attached(void *argument)
{
    const struct attached_thread *mine = argument;
    struct attaching *attaching = mine->attaching;
    struct actor *actor = &attaching->run->actors[mine->number];
    kp_proc *self;
    int status = kp_machine_attach(attaching->run->machine, mine->number, &self);
    if (status)
        trial_complain(actor, "could not attach: %s", kp_last_error()->sentence);
    pthread_barrier_wait(&attaching->all_here);
    if (status)
        return NULL;
    (void)program(self, attaching->run);
    (void)kp_machine_detach(self);
    return NULL;
}

static void run_attached(struct trial_under_way *run)
{
    int n = run->trial->machine.processors;
    struct attaching attaching = {.run = run};
    struct attached_thread *threads = calloc((size_t)n, sizeof *threads);
    if (!threads) {
        trial_complain(&run->actors[0], "no memory for %d threads", n);
        return;
    }
    pthread_barrier_init(&attaching.all_here, NULL, (unsigned)n);
    for (int i = 0; i < n; i++) {
        threads[i] = (struct attached_thread){.attaching = &attaching, .number = i};
        if (pthread_create(&threads[i].thread, NULL, attached, &threads[i])) {
            fprintf(stderr, "kport: only %d of %d threads could be started\n", i, n);
            exit(1);
        }
    }
    for (int i = 0; i < n; i++)
        pthread_join(threads[i].thread, NULL);
    pthread_barrier_destroy(&attaching.all_here);
    free(threads);
}

/* --- The trial as a whole --- */

/* Returns how many members could not learn of this step's fault, because the fault that ends the
 * trial reached them first (trial_may_overtake). The errors of these members are
 * judged elsewhere. */
static int overtaken(const struct trial_under_way *run, int step)
{
    const struct trial *trial = run->trial;
    int group = trial->step[step].group, count = 0;
    /* A message that was not received is reported at the next call. */
    int last = trial->step[step].fault == TRIAL_TAKES_NOTHING ? step + 1 : step;
    if (step >= run->ending || !trial_may_overtake(trial))
        return 0;
    for (int rank = 0; rank < trial_size(trial, group); rank++) {
        const struct actor *actor = &run->actors[trial_member(trial, group, rank)];
        count += actor->end == ACTOR_STOPPED && actor->step <= last;
    }
    return count;
}

/* Adds the step's calls and its fault to `result`. The fault counts as planted if it has happened.
 * The fault counts as named if all members have got the right result after it. If some members
 * could not learn of the fault, it counts neither as planted nor as named. */
static void sum_up_step(const struct trial_under_way *run, int i, bool well,
                        struct trial_result *result)
{
    const struct trial_step *step = &run->trial->step[i];
    const struct step_seen *seen = &run->seen[i];
    int members = trial_members_here(run->trial, step->group), missed = overtaken(run, i);
    bool all = atomic_load(&seen->done) == members;
    bool planted = atomic_load(&seen->planted_at) != 0;
    bool told = i == run->ending ? well : atomic_load(&seen->told) + missed == members;
    result->operations += all && !planted ? (uint64_t)step->repeats : 0;
    if (planted && told && missed > 0)
        return;
    result->planted += planted;
    result->named += planted && told;
}

static void sum_up(struct trial_under_way *run, const kp_report *report,
                   struct trial_result *result)
{
    const struct trial *trial = run->trial;
    /* The actor that stopped first; other actors may have stopped because of it. */
    const struct actor *first = NULL;
    for (int i = 0; i < trial->machine.processors; i++) {
        const struct actor *actor = &run->actors[i];
        if (actor->shortfall[0] && (!first || actor->left < first->left))
            first = actor;
    }
    if (first)
        memcpy(result->shortfall, first->shortfall, sizeof result->shortfall);
    bool told = result->shortfall[0] ||
                trial_judge_ends(run, report, result->shortfall, sizeof result->shortfall);
    result->wrong_bytes += atomic_load(&run->wrong_bytes);
    for (int i = 0; i < trial->steps; i++)
        sum_up_step(run, i, told && !result->shortfall[0], result);
    if (!result->shortfall[0] && result->named < result->planted)
        snprintf(result->shortfall, sizeof result->shortfall,
                 "a fault was not told to all members of its group");
}

static void release(struct trial_under_way *run)
{
    for (int i = 0; run->actors && i < run->trial->machine.processors; i++) {
        struct actor *actor = &run->actors[i];
        kp_plan_free(actor->plan);
        kp_route_free(&actor->arrivals);
        free(actor->memory);
        participant_free(&actor->participant);
    }
    free(run->actors);
    free(run->seen);
}

bool trial_run(kp_machine *machine, const struct trial *trial, struct trial_result *result)
{
    struct trial_under_way run = {
        .trial = trial, .machine = machine, .ending = trial_ending(trial)};
    kp_report report = {.started = 0};
    memset(result, 0, sizeof *result);
    run.actors = calloc((size_t)trial->machine.processors, sizeof *run.actors);
    run.seen = calloc((size_t)trial->steps + 1, sizeof *run.seen);
    if (!run.actors || !run.seen) {
        snprintf(result->shortfall, sizeof result->shortfall, "no memory for the trial");
        release(&run);
        return false;
    }
    for (int i = 0; i < trial->machine.processors; i++) {
        run.actors[i].run = &run;
        run.actors[i].number = i;
        run.actors[i].end = ACTOR_FINISHED; /* those of other processes judge themselves */
    }
    if (trial->attached)
        run_attached(&run);
    else if (kp_machine_run(machine, program, &run, &report) != report.error.status)
        snprintf(result->shortfall, sizeof result->shortfall,
                 "the run returns another status than it reports");
    sum_up(&run, &report, result);
    release(&run);
    return !result->shortfall[0];
}

bool trial_run_alone(const struct trial *trial, struct trial_result *result)
{
    kp_machine *machine;
    memset(result, 0, sizeof *result);
    if (kp_machine_create(&trial->machine, &machine)) {
        snprintf(result->shortfall, sizeof result->shortfall, "no machine: %s",
                 kp_last_error()->sentence);
        return false;
    }
    bool right = trial_run(machine, trial, result);
    if (kp_machine_destroy(machine) && right) {
        snprintf(result->shortfall, sizeof result->shortfall, "the machine is not destroyed: %s",
                 kp_last_error()->sentence);
        return false;
    }
    return right;
}
