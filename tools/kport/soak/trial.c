#include "tools/kport/soak/trial.h"

#include "tools/kport/common/processes.h"

#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"

#include <stdlib.h>
#include <string.h>

void trial_free(struct trial *trial)
{
    free(trial->step);
    trial->step = NULL;
    trial->steps = 0;
}

bool trial_copy(struct trial *to, const struct trial *from)
{
    size_t count = from->steps > 0 ? (size_t)from->steps : 1;
    *to = *from;
    to->step = calloc(count, sizeof *to->step);
    if (!to->step)
        return false;
    memcpy(to->step, from->step, (size_t)from->steps * sizeof *to->step);
    return true;
}

int trial_size(const struct trial *trial, int group)
{
    return group == 0 ? trial->machine.processors : trial->group[group].size;
}

int trial_ports(const struct trial *trial, int group)
{
    int n = trial_size(trial, group), k = trial->machine.ports;
    return n == 1 ? 1 : k < n - 1 ? k : n - 1;
}

int trial_member(const struct trial *trial, int group, int rank)
{
    return group == 0 ? rank : trial->group[group].members[rank];
}

int trial_members_here(const struct trial *trial, int group)
{
    const int first = processes_first(), end = first + processes_here(trial->machine.processors);
    int count = 0;
    for (int i = first; i < end; i++)
        count += trial_rank(trial, group, i) >= 0;
    return count;
}

int trial_rank(const struct trial *trial, int group, int processor)
{
    if (group == 0)
        return processor < trial->machine.processors ? processor : -1;
    for (int i = 0; i < trial->group[group].size; i++) {
        if (trial->group[group].members[i] == processor)
            return i;
    }
    return -1;
}

bool trial_kept_by_barrier(const struct trial *trial, const struct trial_step *step)
{
    if (step->started || step->kind == TRIAL_MESSAGES)
        return false;
    if (trial->machine.discipline == KP_ROUNDS_BY_BARRIER)
        return true;
    if (step->kind != TRIAL_COLLECTIVE)
        /* kp_route consists of collectives, which use mailboxes. */
        return step->kind != TRIAL_ROUTE;
    return kp_operation_row(step->problem.operation)->lengths;
}

bool trial_may_overtake(const struct trial *trial)
{
    bool may = trial->machine.discipline == KP_ROUNDS_BY_MAILBOXES;
    for (int i = 0; i < trial->steps; i++)
        may = may || trial->step[i].started || trial->step[i].kind == TRIAL_MESSAGES;
    return may;
}

/* --- Making a trial valid --- */

static int clamp(int value, int low, int high)
{
    return value < low ? low : value > high ? high : value;
}

static void settle_machine(kp_config *machine)
{
    int n = machine->processors = machine->processors < 1 ? 1 : machine->processors;
    machine->ports = clamp(machine->ports, 1, n > 2 ? n - 1 : 1);
    if (machine->carrier != KP_CARRIER_FIBERS) {
        machine->workers = machine->carrier == KP_CARRIER_MPI ? clamp(machine->workers, 0, 1) : 0;
        machine->seed = 0;
    } else {
        machine->workers = clamp(machine->workers, 1, n);
    }
    if (machine->carrier != KP_CARRIER_THREADS)
        machine->progress = 0;
    if (!kp_pinning())
        machine->pin = KP_PIN_AUTO;
    if (machine->discipline == KP_ROUNDS_BY_BARRIER)
        machine->generations = 0;
}

static void settle_problem(kp_problem *p, int n, int k)
{
    const struct kp_operation_row *row = kp_operation_row(p->operation);
    p->n = n;
    p->k = k;
    p->root = kp_operation_has_root(p->operation) ? p->root % n : 0;
    p->target = kp_operation_has_target(p->operation) ? p->target % n : 0;
    if (row->one_buffer || kp_operation_has_target(p->operation))
        p->in_place = 0;
    if (kp_operation_reduces(p->operation))
        p->b -= p->b % kp_element_bytes(p);
    if (kp_problem_check(p) == KP_OK)
        return;
    memset(p->values, 0, sizeof p->values);
    if (kp_problem_check(p) != KP_OK)
        p->algorithm = NULL;
}

/* Returns whether trial_run.c has an operator of its own with the same results as the library's
 * operator. */
static bool has_own_operator(const kp_problem *p)
{
    return kp_operation_reduces(p->operation) && p->type == KP_UINT64 &&
           (p->op == KP_SUM || p->op == KP_COMPOSE);
}

/* Returns whether the call may be made several times in succession. A call in place must not be
 * repeated if it overwrites its own operands. */
static bool may_be_repeated(const struct trial_step *step)
{
    const kp_problem *p = &step->problem;
    return step->kind == TRIAL_COLLECTIVE &&
           !(p->in_place && kp_operation_row(p->operation)->copied_in_place);
}

/* Requests and messages with tags are for processors that share memory. Layouts are for blocks of
 * one length that are moved. */
static void settle_ways(const struct trial *trial, struct trial_step *step)
{
    const kp_operation operation = step->problem.operation;
    const bool collective = step->kind == TRIAL_COLLECTIVE;
    if (trial->machine.carrier == KP_CARRIER_MPI && step->kind == TRIAL_MESSAGES)
        step->kind = TRIAL_BARRIER;
    step->started = step->started && collective && trial->machine.carrier != KP_CARRIER_MPI;
    if (collective)
        step->laid = step->laid && step->problem.b > 1 && !kp_operation_reduces(operation) &&
                     !kp_operation_row(operation)->lengths;
    else
        step->laid = step->laid && step->kind == TRIAL_MESSAGES;
}

static void settle_group(struct trial *trial, int group)
{
    struct trial_group *g = &trial->group[group];
    int kept = 0;
    for (int i = 0; i < g->size; i++) {
        if (g->members[i] < trial->machine.processors)
            g->members[kept++] = g->members[i];
    }
    g->size = kept;
}

void trial_settle(struct trial *trial)
{
    int kept = 0;
    settle_machine(&trial->machine);
    if (trial->machine.carrier == KP_CARRIER_FIBERS)
        trial->attached = 0;
    for (int i = 1; i < trial->groups; i++)
        settle_group(trial, i);
    for (int i = 0; i < trial->steps; i++) {
        struct trial_step step = trial->step[i];
        if (trial_size(trial, step.group) == 0)
            continue;
        settle_ways(trial, &step);
        if (step.kind == TRIAL_COLLECTIVE) {
            settle_problem(&step.problem, trial_size(trial, step.group),
                           trial_ports(trial, step.group));
            step.own_operator = step.own_operator && has_own_operator(&step.problem);
        } else {
            step.own_operator = step.persistent = 0;
        }
        step.repeats = step.repeats < 1 || !may_be_repeated(&step) ? 1 : step.repeats;
        trial->step[kept++] = step;
    }
    trial->steps = kept;
    trial_drop_unfit(trial);
}
