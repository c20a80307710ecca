/* The table of faults. It says at which steps, and at which processors, each fault is possible. */
#include "tools/kport/soak/trial_run.h"

#include "lib/problem/operation.h"
#include "lib/problem/operator.h"
#include "lib/problem/problem.h"
#include "lib/schedule/elements.h"

#include <string.h>

/* Returns whether the processor `who` can have the fault at the step. The caller has checked that
 * the processor is one of several members. */
typedef bool fits(const struct trial *trial, int step, int who);

struct row {
    const char *name;
    bool ends; /* true: the fault always ends the trial; false: it does so only with mailboxes */
    fits *fits;
};

static const struct trial_step *next_of(const struct trial *trial, int step)
{
    return step + 1 < trial->steps ? &trial->step[step + 1] : NULL;
}

/* --- Faults of processors that do not arrive --- */

static bool any(const struct trial *trial, int step, int who)
{
    (void)trial;
    (void)step;
    (void)who;
    return true;
}

static bool of_a_run(const struct trial *trial, int step, int who)
{
    (void)step;
    (void)who;
    return !trial->attached;
}

static bool limited(const struct trial *trial, int step, int who)
{
    (void)who;
    return trial->machine.time_limit_ms > 0 && trial->machine.carrier == KP_CARRIER_THREADS &&
           trial_kept_by_barrier(trial, &trial->step[step]);
}

static bool same_list(const struct trial *trial, int a, int b)
{
    const struct trial_group *x = &trial->group[a], *y = &trial->group[b];
    return a == b || (a > 0 && b > 0 && x->size == y->size &&
                      memcmp(x->members, y->members, (size_t)x->size * sizeof x->members[0]) == 0);
}

/* Returns whether this step and the next one belong to different groups that share `who` and at
 * least one other member. */
static bool crossing(const struct trial *trial, int step, int who)
{
    const struct trial_step *s = &trial->step[step], *next = next_of(trial, step);
    if (!next || same_list(trial, s->group, next->group) || next->fault ||
        !trial_kept_by_barrier(trial, s) || !trial_kept_by_barrier(trial, next) ||
        trial_rank(trial, next->group, who) < 0 || trial->machine.time_limit_ms > 0)
        return false;
    for (int i = 0; i < trial_size(trial, s->group); i++) {
        int member = trial_member(trial, s->group, i);
        if (member != who && trial_rank(trial, next->group, member) >= 0)
            return true;
    }
    return false;
}

static bool before_a_barrier(const struct trial *trial, int step)
{
    const struct trial_step *s = &trial->step[step], *next = next_of(trial, step);
    return next && next->group == s->group && next->kind == TRIAL_BARRIER && !next->fault;
}

static bool left_out(const struct trial *trial, int step, int who)
{
    const struct trial_step *s = &trial->step[step];
    (void)who;
    return before_a_barrier(trial, step) && s->kind != TRIAL_BARRIER &&
           trial_kept_by_barrier(trial, s);
}

/* --- Faults of processors that make different calls --- */

static bool is_collective(const struct trial *trial, int step)
{
    return trial->step[step].kind == TRIAL_COLLECTIVE;
}

/* Returns whether the members detect that their calls differ. The barrier always compares the
 * calls. With mailboxes a message of one call must reach a member that makes the other call, so
 * there must be messages. */
static bool is_found(const struct trial *trial, int step)
{
    const struct trial_step *s = &trial->step[step];
    return trial_kept_by_barrier(trial, s) ||
           (s->problem.b > 0 && !kp_operation_has_target(s->problem.operation));
}

/* Returns whether the caller says how long all blocks are. */
static bool has_one_size(kp_operation operation)
{
    const struct kp_operation_row *row = kp_operation_row(operation);
    return !row->lengths && !row->no_bytes;
}

static bool has_size(const struct trial *trial, int step, int who)
{
    (void)who;
    /* The faulty processor chooses another size for the packets. */
    if (trial->step[step].kind == TRIAL_ROUTE)
        return true;
    return is_collective(trial, step) && is_found(trial, step) &&
           has_one_size(trial->step[step].problem.operation);
}

static bool has_root(const struct trial *trial, int step, int who)
{
    (void)who;
    return is_collective(trial, step) && is_found(trial, step) &&
           kp_operation_has_root(trial->step[step].problem.operation);
}

static bool reduces(const struct trial *trial, int step, int who)
{
    (void)who;
    return is_collective(trial, step) && is_found(trial, step) &&
           kp_operation_reduces(trial->step[step].problem.operation);
}

static bool are_alike(kp_operation a, kp_operation b)
{
    return kp_operation_row(a)->lengths == kp_operation_row(b)->lengths &&
           kp_operation_row(a)->no_bytes == kp_operation_row(b)->no_bytes &&
           kp_operation_reduces(a) == kp_operation_reduces(b) &&
           (kp_operation_reduces(a) || kp_operation_has_root(a) == kp_operation_has_root(b));
}

/* Returns the next operation with the same kinds of arguments, and without a target. */
static kp_operation other_operation(kp_operation operation)
{
    kp_operation other = operation;
    do {
        other = (other + 1) % KP_OPERATIONS;
    } while (other != operation &&
             (!are_alike(operation, other) || kp_operation_has_target(other)));
    return other;
}

static bool has_other(const struct trial *trial, int step, int who)
{
    (void)who;
    if (!is_collective(trial, step) || !is_found(trial, step))
        return false;
    kp_operation operation = trial->step[step].problem.operation;
    return other_operation(operation) != operation;
}

/* --- Faults of processors whose arguments are refused --- */

static bool has_incoming(const struct trial *trial, int step, int who)
{
    const struct trial_step *s = &trial->step[step];
    const kp_problem *p = &s->problem;
    if (!is_collective(trial, step))
        return false;
    if (kp_operation_row(p->operation)->lengths)
        return !kp_operation_has_root(p->operation);
    return p->b > 0 && kp_operation_holds(p, trial_rank(trial, s->group, who), KP_IN);
}

static bool a_collective(const struct trial *trial, int step, int who)
{
    (void)who;
    return is_collective(trial, step);
}

static bool any_root(const struct trial *trial, int step, int who)
{
    (void)who;
    return is_collective(trial, step) && kp_operation_has_root(trial->step[step].problem.operation);
}

static bool any_reduction(const struct trial *trial, int step, int who)
{
    (void)who;
    return is_collective(trial, step) && kp_operation_reduces(trial->step[step].problem.operation);
}

static bool any_size(const struct trial *trial, int step, int who)
{
    (void)who;
    return is_collective(trial, step) && has_one_size(trial->step[step].problem.operation);
}

/* --- Faults in rounds --- */

static bool a_round(const struct trial *trial, int step, int who)
{
    (void)who;
    return trial->step[step].kind == TRIAL_SEND_RECV || trial->step[step].kind == TRIAL_EXCHANGE;
}

static bool has_peers(const struct trial *trial, int step, int who)
{
    return a_round(trial, step, who) || trial->step[step].kind == TRIAL_ROUTE;
}

static bool an_exchange(const struct trial *trial, int step, int who)
{
    (void)who;
    return trial->step[step].kind == TRIAL_EXCHANGE;
}

/* `sends` returns whether the processor sends a message in the round. `takes` returns whether the
 * processor receives a message in the round and a barrier follows the round. If the processor does
 * not receive the message, the barrier reports that. */
static bool sends(const struct trial *trial, int step, int who)
{
    struct trial_message message;
    const struct trial_step *s = &trial->step[step];
    return a_round(trial, step, who) &&
           trial_first_message(trial, s, trial_rank(trial, s->group, who), true, &message);
}

/* Returns whether the processor sends a message, also one with a tag. */
static bool sends_any(const struct trial *trial, int step, int who)
{
    struct trial_message message;
    const struct trial_step *s = &trial->step[step];
    return sends(trial, step, who) ||
           (s->kind == TRIAL_MESSAGES &&
            trial_first_message(trial, s, trial_rank(trial, s->group, who), true, &message));
}

static bool sends_elements(const struct trial *trial, int step, int who)
{
    struct trial_message message;
    const struct trial_step *s = &trial->step[step];
    return s->kind == TRIAL_MESSAGES &&
           trial_first_message(trial, s, trial_rank(trial, s->group, who), true, &message) &&
           message.bytes > 0;
}

static bool takes(const struct trial *trial, int step, int who)
{
    struct trial_message message;
    const struct trial_step *s = &trial->step[step];
    return a_round(trial, step, who) && before_a_barrier(trial, step) &&
           trial_first_message(trial, s, trial_rank(trial, s->group, who), false, &message);
}

/* --- The table of faults --- */

static const struct row rows[TRIAL_FAULTS] = {
    [TRIAL_NO_FAULT] = {"none", false, NULL},
    [TRIAL_RETURNS] = {"returns", true, any},
    [TRIAL_RETURNS_NUMBER] = {"returns-number", true, of_a_run},
    [TRIAL_FAILS] = {"fails", true, any},
    [TRIAL_EXITS] = {"exits", true, any},
    [TRIAL_IS_CANCELLED] = {"is-cancelled", true, any},
    [TRIAL_IS_LATE] = {"is-late", true, limited},
    [TRIAL_CROSSES] = {"crosses", true, crossing},
    [TRIAL_LEAVES_OUT] = {"leaves-out", true, left_out},
    [TRIAL_OTHER_SIZE] = {"other-size", false, has_size},
    [TRIAL_OTHER_ROOT] = {"other-root", false, has_root},
    [TRIAL_OTHER_OPERATOR] = {"other-operator", false, reduces},
    [TRIAL_OTHER_OPERATION] = {"other-operation", false, has_other},
    [TRIAL_NULL] = {"null", false, has_incoming},
    [TRIAL_BAD_ROOT] = {"bad-root", false, any_root},
    [TRIAL_BAD_HOW] = {"bad-how", false, a_collective},
    [TRIAL_BAD_OPERATOR] = {"bad-operator", false, any_reduction},
    [TRIAL_TOO_LARGE] = {"too-large", false, any_size},
    [TRIAL_BAD_PEER] = {"bad-peer", false, has_peers},
    [TRIAL_BAD_PORT] = {"bad-port", false, an_exchange},
    [TRIAL_OTHER_LENGTH] = {"other-length", false, sends_any},
    [TRIAL_SENDS_NOTHING] = {"sends-nothing", false, sends},
    [TRIAL_TAKES_NOTHING] = {"takes-nothing", false, takes},
    [TRIAL_OTHER_ELEMENTS] = {"other-elements", false, sends_elements},
};

const char *trial_fault_name(enum trial_fault fault)
{
    return rows[fault].name;
}

bool trial_fault_fits(const struct trial *trial, int step, enum trial_fault fault, int who)
{
    const struct trial_step *s = &trial->step[step];
    if (fault == TRIAL_NO_FAULT)
        return true;
    return trial_rank(trial, s->group, who) >= 0 && trial_size(trial, s->group) > 1 &&
           rows[fault].fits(trial, step, who);
}

bool trial_fault_ends(const struct trial *trial, const struct trial_step *step)
{
    /* After a wrong message with a tag, the group stays usable. */
    const bool lasts = !trial_kept_by_barrier(trial, step) && step->kind != TRIAL_MESSAGES;
    return step->fault && (rows[step->fault].ends || lasts);
}

int trial_ending(const struct trial *trial)
{
    int i = 0;
    while (i < trial->steps && !trial_fault_ends(trial, &trial->step[i]))
        i++;
    return i;
}

void trial_drop_unfit(struct trial *trial)
{
    for (int i = 0; i < trial->steps; i++) {
        struct trial_step *step = &trial->step[i];
        if (!trial_fault_fits(trial, i, step->fault, step->who))
            step->fault = TRIAL_NO_FAULT;
    }
    for (int i = trial_ending(trial) + 1; i < trial->steps; i++)
        trial->step[i].fault = TRIAL_NO_FAULT;
    for (int i = 0; i < trial->steps; i++) {
        if (trial->step[i].fault && trial->step[i].kind == TRIAL_COLLECTIVE)
            trial->step[i].laid = 0;
        if (trial->step[i].fault)
            trial->step[i].repeats = 1;
        else
            trial->step[i].who = 0;
    }
}

/* --- The different problem of a faulty processor --- */

/* Returns another operator that knows the elements, so that it is not refused. Every type has at
 * least two. */
static const kp_operator *other_operator(const kp_problem *p)
{
    int at = KP_BUILTIN_MAXIMUM;
    while (&kp_builtin_operators[at] == p->op ||
           !kp_operator_loops(&kp_builtin_operators[at], p->type).combine)
        at = (at + 1) % KP_BUILTINS;
    return &kp_builtin_operators[at];
}

kp_problem trial_other_problem(const struct trial_step *step)
{
    kp_problem p = step->problem;
    if (step->fault == TRIAL_OTHER_SIZE)
        p.b += kp_element_bytes(&p);
    if (step->fault == TRIAL_OTHER_ROOT)
        p.root = (p.root + 1) % p.n;
    if (step->fault == TRIAL_OTHER_OPERATOR)
        p.op = other_operator(&p);
    if (step->fault == TRIAL_OTHER_OPERATION) {
        p.operation = other_operation(p.operation);
        p.in_place = 0;
        p.root = kp_operation_has_root(p.operation) ? p.root : 0;
        p.target = 0;
    }
    if (kp_problem_check(&p)) {
        memset(p.values, 0, sizeof p.values);
        p.algorithm = NULL;
    }
    return p;
}

/* --- Replacing arguments by ones that kport refuses --- */

static void bend_buffer(struct participant *participant)
{
    if (participant->problem->operation == KP_REDUCE_SCATTERV)
        participant->arguments.out_counts = NULL;
    else if (kp_operation_row(participant->problem->operation)->lengths)
        participant->arguments.in_counts = NULL;
    else
        participant->arguments.in = NULL;
}

static void bend_root(struct participant *participant)
{
    participant->arguments.root = participant->problem->n + 3;
}

static void bend_hints(struct participant *participant)
{
    const kp_algorithm *algorithm = kp_algorithm_at(0);
    for (int i = 1; algorithm->operation == participant->problem->operation; i++)
        algorithm = kp_algorithm_at(i);
    participant->hints = (kp_hints){.algorithm = algorithm};
}

static void bend_operator(struct participant *participant)
{
    participant->arguments.op = NULL;
}

static void bend_size(struct participant *participant)
{
    participant->arguments.b = participant->arguments.count = SIZE_MAX / 2;
}

void trial_bend(const struct trial_step *step, struct participant *participant)
{
    static void (*const ways[TRIAL_FAULTS])(struct participant * participant) = {
        [TRIAL_NULL] = bend_buffer,    [TRIAL_BAD_ROOT] = bend_root,
        [TRIAL_BAD_HOW] = bend_hints,  [TRIAL_BAD_OPERATOR] = bend_operator,
        [TRIAL_TOO_LARGE] = bend_size,
    };
    if (ways[step->fault])
        ways[step->fault](participant);
}
