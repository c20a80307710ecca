/* Draws trials (trial.h) at random. Most trials have few processors and short blocks, because most
 * errors show in such trials. Some trials have many processors and long blocks. */
#include "tools/kport/soak/trial.h"

#include "tools/kport/common/random.h"

#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"

#include <stdlib.h>
#include <string.h>

/* In a step the buffers of all members together have at most this many bytes. */
#define MOST_BYTES_IN_ALL ((size_t)4 << 20)
/* In most reductions among n members, n * n * b is at most this number, because the reference
 * (run/reference.h) combines one element after the other. */

#define MOST_OPERANDS 20000
#define FEW_THREADS   6
#define LIMIT_MS      200

/* --- Drawing a machine --- */

static int draw_processors(uint64_t *random, int most)
{
    int kind = random_below(random, 100);
    int n = kind < 70   ? 2 + random_below(random, 7)
            : kind < 92 ? 2 + random_below(random, 15)
            : kind < 95 ? 1
                        : 2 + random_below(random, most);
    return n < most ? n : most;
}

static void draw_fibers(kp_config *machine, uint64_t *random)
{
    machine->carrier = KP_CARRIER_FIBERS;
    machine->workers = 1 + random_below(random, 3);
    if (!random_once_in(random, 3))
        machine->seed = random_next(random) >> 40;
}

void trial_draw_machine(struct trial *trial, uint64_t *random, const struct trial_scope *scope)
{
    static const size_t eager_bytes[] = {0, 0, 0, 1, 64, 1000, 30000};
    kp_config *machine = &trial->machine;
    memset(trial, 0, sizeof *trial);
    machine->processors = draw_processors(random, scope->most_processors);
    int most = machine->processors > 2 ? machine->processors - 1 : 1;
    machine->ports = 1 + random_below(random, random_once_in(random, 3) ? most
                                              : most < 3                ? most
                                                                        : 3);
    machine->wait = (kp_wait_policy)random_below(random, 4);
    machine->eager_bytes = eager_bytes[random_below(random, 7)];
    machine->plan_bytes = random_once_in(random, 8) ? 1 : 0;
    if (kp_fibers() && !random_once_in(random, 3))
        draw_fibers(machine, random);
    else if (random_once_in(random, 5))
        trial->attached = 1;
    else
        machine->pin = random_below(random, 3);
    if (machine->carrier == KP_CARRIER_THREADS && machine->processors > FEW_THREADS &&
        !random_once_in(random, 10))
        /* With KP_WAIT_AUTO the threads do not spin if there are more threads than cores. Spinning
         * would only cost time then. */

        machine->wait = KP_WAIT_AUTO;
    if (random_once_in(random, 3)) {
        machine->discipline = KP_ROUNDS_BY_MAILBOXES;
        machine->generations = random_once_in(random, 2) ? 0 : 2 << random_below(random, 3);
    }
    if (machine->carrier == KP_CARRIER_THREADS && machine->processors <= 8 && scope->endings > 0 &&
        random_once_in(random, 60))
        machine->time_limit_ms = LIMIT_MS;
    machine->progress = random_once_in(random, 4);
    machine->message_eager_bytes = random_once_in(random, 3) ? 1 + random_below(random, 200) : 0;
    if (random_once_in(random, 4))
        machine->unreceived_bytes = random_once_in(random, 2) ? KP_UNBUFFERED : 500;
    trial_settle(trial);
}

void trial_draw_over(struct trial *trial, const kp_config *config)
{
    kp_config *machine = &trial->machine;
    machine->workers = machine->carrier == KP_CARRIER_FIBERS;
    machine->carrier = KP_CARRIER_MPI;
    machine->per_process = config->per_process;
    machine->processors = config->processors;
    machine->discipline = KP_ROUNDS_BY_BARRIER;
    machine->pin = KP_PIN_AUTO;
    machine->time_limit_ms = 0;
    trial->attached = 0;
    trial_settle(trial);
}

/* --- Drawing groups --- */

static void shuffle(int *numbers, int count, uint64_t *random)
{
    for (int i = count - 1; i > 0; i--) {
        int j = random_below(random, i + 1), kept = numbers[i];
        numbers[i] = numbers[j];
        numbers[j] = kept;
    }
}

static bool draw_groups(struct trial *trial, uint64_t *random)
{
    int n = trial->machine.processors;
    int *all = malloc((size_t)n * sizeof *all);
    if (!all)
        return false;
    trial->groups = 1 + random_below(random, TRIAL_GROUPS);
    for (int g = 1; g < trial->groups; g++) {
        struct trial_group *group = &trial->group[g];
        int most = n < TRIAL_MEMBERS ? n : TRIAL_MEMBERS;
        for (int i = 0; i < n; i++)
            all[i] = i;
        shuffle(all, n, random);
        group->size = 1 + random_below(random, most);
        memcpy(group->members, all, (size_t)group->size * sizeof *all);
    }
    free(all);
    return true;
}

/* --- Drawing steps --- */

/* Draws a length: 0, 1, a power of two, an arbitrary short length, or sometimes a long length. */
static size_t draw_bytes(uint64_t *random, size_t most)
{
    int kind = random_below(random, 100);
    size_t bytes = kind < 5    ? 0
                   : kind < 12 ? 1
                   : kind < 30 ? (size_t)8 << random_below(random, 5)
                   : kind < 90 ? (size_t)random_below(random, 100)
                   : kind < 99 ? (size_t)random_below(random, 2000)
                               : (size_t)random_below(random, 100 << 10);
    return bytes < most ? bytes : most;
}

static void draw_elements(kp_problem *p, uint64_t *random)
{
    static const kp_type favourites[] = {KP_UINT64, KP_UINT64, KP_FLOAT64, KP_INT32};
    do
        p->type = random_once_in(random, 2) ? favourites[random_below(random, 4)]
                                            : (kp_type)random_below(random, KP_TYPES);
    while (p->type == KP_OPAQUE);
    do
        p->op = random_once_in(random, 3)
                    ? KP_COMPOSE
                    : &kp_builtin_operators[random_below(random, KP_BUILTINS)];
    while (!kp_operator_loops(p->op, p->type).combine);
}

static int algorithms_of(kp_operation operation, int wanted, const kp_algorithm **found)
{
    int count = 0;
    const kp_algorithm *algorithm;
    for (int i = 0; (algorithm = kp_algorithm_at(i)) != NULL; i++) {
        if (algorithm->operation == operation && count++ == wanted)
            *found = algorithm;
    }
    return count;
}

/* Draws an algorithm, with values for all of its parameters or for none. trial_settle later removes
 * an algorithm that cannot solve the problem. */
static void draw_algorithm(kp_problem *p, uint64_t *random)
{
    const kp_algorithm *algorithm = NULL;
    int count = algorithms_of(p->operation, -1, &algorithm);
    algorithms_of(p->operation, random_below(random, count), &algorithm);
    p->algorithm = algorithm;
    if (kp_problem_check(p))
        return;
    for (int i = 0; i < kp_parameter_count(algorithm); i++) {
        long low = kp_parameter_low(&algorithm->parameters[i], p);
        long high = kp_parameter_high(&algorithm->parameters[i], p);
        if (high >= low && !random_once_in(random, 3))
            p->values[i] = low + (long)(random_next(random) % (uint64_t)(high - low + 1));
    }
}

static void draw_problem(const struct trial *trial, struct trial_step *step, uint64_t *random,
                         const struct trial_scope *scope)
{
    kp_problem *p = &step->problem;
    size_t n = (size_t)trial_size(trial, step->group);
    size_t most = MOST_BYTES_IN_ALL / (n * n);
    *p = (kp_problem){.operation = (kp_operation)random_below(random, KP_OPERATIONS),
                      .n = (int)n,
                      .k = trial_ports(trial, step->group),
                      .in_place = random_once_in(random, 3)};
    p->root = kp_operation_has_root(p->operation) ? random_below(random, (int)n) : 0;
    p->target = kp_operation_has_target(p->operation) ? random_below(random, (int)n) : 0;
    if (kp_operation_reduces(p->operation))
        draw_elements(p, random);
    p->b = draw_bytes(random, most < scope->most_bytes ? most : scope->most_bytes);
    if (kp_operation_reduces(p->operation) && !random_once_in(random, 100))
        p->b = p->b < MOST_OPERANDS / (n * n) ? p->b : MOST_OPERANDS / (n * n);
    if (kp_operation_reduces(p->operation))
        p->b -= p->b % kp_element_bytes(p);
    p->b = kp_block_bytes(p->operation, p->b);
    p->in_place = p->in_place && !kp_operation_row(p->operation)->no_bytes;
    if (!random_once_in(random, 3))
        draw_algorithm(p, random);
    step->persistent = random_once_in(random, 4);
    step->started = random_once_in(random, 5);
    step->laid = random_once_in(random, 6);
    step->own_operator = random_once_in(random, 2);
}

static void draw_step(const struct trial *trial, struct trial_step *step, uint64_t *random,
                      const struct trial_scope *scope)
{
    static const int repeats[] = {1, 1, 1, 1, 2, 3, 5, 20};
    int kind = random_below(random, 100);
    memset(step, 0, sizeof *step);
    step->kind = kind < 69   ? TRIAL_COLLECTIVE
                 : kind < 76 ? TRIAL_MESSAGES
                 : kind < 81 ? TRIAL_BARRIER
                 : kind < 86 ? TRIAL_SEND_RECV
                 : kind < 95 ? TRIAL_EXCHANGE
                             : TRIAL_ROUTE;
    step->group = random_once_in(random, 3) ? 0 : random_below(random, trial->groups);
    step->seed = random_next(random) >> 20;
    step->repeats = repeats[random_below(random, 8)];
    if (step->kind == TRIAL_COLLECTIVE)
        draw_problem(trial, step, random, scope);
    else if (step->kind != TRIAL_BARRIER)
        step->bytes = draw_bytes(random, scope->most_bytes);
    if (step->kind == TRIAL_MESSAGES)
        step->laid = random_once_in(random, 2);
}

/* --- Drawing faults --- */

static bool try_fault(struct trial *trial, int step, enum trial_fault fault, uint64_t *random)
{
    struct trial_step *s = &trial->step[step];
    int who = trial_member(trial, s->group, random_below(random, trial_size(trial, s->group)));
    if (!trial_fault_fits(trial, step, fault, who))
        return false;
    s->fault = fault;
    s->who = who;
    return true;
}

/* Draws a fault that the step can have and that does not end the trial. */
static void draw_fault(struct trial *trial, int step, uint64_t *random)
{
    for (int i = 0; i < 30; i++) {
        enum trial_fault fault = (enum trial_fault)(1 + random_below(random, TRIAL_FAULTS - 1));
        if (!try_fault(trial, step, fault, random))
            continue;
        if (!trial_fault_ends(trial, &trial->step[step]))
            return;
        trial->step[step].fault = TRIAL_NO_FAULT;
    }
}

static void draw_ending(struct trial *trial, uint64_t *random, const struct trial_scope *scope)
{
    bool dies = scope->may_exit || trial->machine.carrier == KP_CARRIER_THREADS;
    if (trial->machine.time_limit_ms > 0 && random_once_in(random, 2)) {
        try_fault(trial, random_below(random, trial->steps), TRIAL_IS_LATE, random);
        return;
    }
    for (int i = 0; i < 60; i++) {
        enum trial_fault fault = (enum trial_fault)(1 + random_below(random, TRIAL_FAULTS - 1));
        int step = random_below(random, trial->steps);
        bool exits = fault == TRIAL_EXITS || fault == TRIAL_IS_CANCELLED;
        if (fault == TRIAL_IS_LATE || (exits && !dies) || trial->step[step].fault ||
            !try_fault(trial, step, fault, random))
            continue;
        if (trial_fault_ends(trial, &trial->step[step]))
            return;
        trial->step[step].fault = TRIAL_NO_FAULT;
    }
}

/* Replaces some steps by barriers. A member may learn of a fault only in its next call, and the
 * barrier is such a call. The last step becomes a barrier of all processors, so that every
 * processor learns of every fault. */
static void add_barriers(struct trial *trial, uint64_t *random)
{
    for (int i = 0; i < trial->steps; i++) {
        bool last = i + 1 == trial->steps;
        if (!last && (i == 0 || !random_once_in(random, 6)))
            continue;
        struct trial_step *step = &trial->step[i];
        int group = last ? 0 : random_once_in(random, 2) ? step[-1].group : step->group;
        *step = (struct trial_step){.kind = TRIAL_BARRIER, .group = group, .repeats = 1};
    }
}

bool trial_draw(struct trial *trial, uint64_t *random, const struct trial_scope *scope)
{
    int fewest = 3, most = scope->most_steps, n = trial->machine.processors;
    /* A round of many threads takes as long as many rounds of few threads, so with many threads
     * there are fewer steps. */
    if (trial->machine.carrier != KP_CARRIER_FIBERS && n > FEW_THREADS)
        most = most * FEW_THREADS / n;
    most = most > fewest ? most : fewest;
    trial->steps = fewest + random_below(random, most - fewest + 1);
    trial->step = calloc((size_t)trial->steps, sizeof *trial->step);
    if (!trial->step || !draw_groups(trial, random)) {
        trial_free(trial);
        return false;
    }
    trial->delay_seed = random_next(random) >> 20;
    trial->delays = random_once_in(random, 3) ? 5 + random_below(random, 200) : 0;
    for (int i = 0; i < trial->steps; i++)
        draw_step(trial, &trial->step[i], random, scope);
    add_barriers(trial, random);
    trial_settle(trial);
    for (int i = 0; i < trial->steps; i++) {
        if (random_below(random, 1000) < scope->faults)
            draw_fault(trial, i, random);
    }
    if (random_below(random, 1000) < scope->endings)
        draw_ending(trial, random, scope);
    trial_drop_unfit(trial);
    return true;
}
