/* A persistent plan is a call that was prepared and keeps what it was given: its schedule, its
 * scratch, and where its buffers lie. */
#include "kport/persistent.h"

#include "lib/call.h"
#include "lib/execute/blocks.h"
#include "lib/operation.h"
#include "lib/trials.h"
#include "ports/pass.h"

#include <stdlib.h>

struct kp_persistent {
    struct kp_owned owned; /* first: the plan's address is its own */
    void *block;           /* where it lies */
    kp_group *seat;
    struct kp_prepared prepared;
    char *scratch;
    bool on_trial; /* it is executed as a plain call, until it is known what serves it */
    /* Where every block has a length of its own: the tables, and then `prepared` is what served
     * last. NULL elsewhere. */
    struct kp_lengths *lengths;
    kp_arguments arguments;
    kp_how how;
};

static kp_plan *make(kp_group *group)
{
    void *block;
    kp_plan *made = kp_handle_place(1, sizeof *made, &block);
    if (made) {
        made->block = block;
        made->seat = group;
    }
    return made;
}

static void unmake(kp_plan *plan)
{
    if (plan)
        free(plan->block);
}

static void keep_arguments(kp_plan *plan, const kp_arguments *arguments)
{
    plan->arguments = *arguments;
    if (arguments->how) {
        plan->how = *arguments->how;
        plan->arguments.how = &plan->how;
    }
}

/* Finds what serves, and everything that the plan has for itself then. What it had before is kept
 * if there is an error. */
static int fill(kp_plan *plan, const kp_problem *asked)
{
    struct kp_prepared next = {.plan = NULL};
    void *memory = NULL;
    int status = kp_prepare(plan->seat, asked, plan->arguments.how, &next);
    if (status)
        return status;
    if (next.scratch_bytes > 0 && posix_memalign(&memory, 64, next.scratch_bytes) != 0) {
        kp_prepared_end(&next);
        return kp_port_error(plan->seat, KP_EMEMORY, -1, -1, -1,
                             "no memory for %zu bytes of scratch", next.scratch_bytes);
    }
    free(plan->scratch);
    plan->scratch = memory;
    kp_prepared_end(&plan->prepared);
    plan->prepared = next;
    kp_call_show(&plan->prepared);
    plan->prepared.code = kp_lower(plan->seat, &plan->prepared);
    return KP_OK;
}

static int execute(kp_plan *plan)
{
    return kp_call_carry_out(plan->seat, &plan->prepared, plan->arguments.out, plan->arguments.in,
                             plan->scratch);
}

/* What serves depends on the lengths that all members show, which may be others every time: each
 * execution sees whether what served last still does. */
static int make_with_lengths(kp_group *group, const kp_arguments *arguments, kp_plan **plan)
{
    kp_plan *made = make(group);
    struct kp_lengths *lengths = made ? kp_lengths_create(group) : NULL;
    int status = kp_call_check_foreign(group, arguments);
    if (!status && !lengths)
        status = kp_port_error(group, KP_EMEMORY, -1, -1, -1, "no memory for a plan");
    status = status ? status : kp_lengths_check(group, arguments, lengths);
    if (status) {
        kp_lengths_free(lengths);
        unmake(made);
        return status;
    }
    made->lengths = lengths;
    lengths->kept = &made->prepared;
    lengths->arena.keeps_all = true;
    keep_arguments(made, arguments);
    kp_owned_add(&made->owned, group);
    *plan = made;
    return KP_OK;
}

static int plan_call(kp_group *group, const kp_arguments *arguments, kp_plan **plan)
{
    if (!arguments || !plan)
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "%s is NULL; it may be %s",
                             arguments ? "plan" : "arguments",
                             arguments ? "where the plan goes" : "those of a call");
    *plan = NULL;
    if ((unsigned)arguments->operation >= KP_OPERATIONS)
        return kp_port_error(group, KP_EARGUMENT, -1, -1, -1, "operation is %d; it may be 0 ... %d",
                             (int)arguments->operation, (int)KP_OPERATIONS - 1);
    if (kp_operation_row(arguments->operation)->lengths)
        return make_with_lengths(group, arguments, plan);
    kp_problem asked = kp_call_problem(group, arguments);
    int status = kp_call_check(group, arguments, &asked);
    kp_plan *made = status ? NULL : make(group);
    if (!made)
        return status ? status
                      : kp_port_error(group, KP_EMEMORY, -1, -1, -1, "no memory for a plan");
    keep_arguments(made, arguments);
    made->on_trial = !kp_trials_over(group, &asked);
    status = fill(made, &asked);
    if (status) {
        unmake(made);
        return status;
    }
    kp_owned_add(&made->owned, group);
    *plan = made;
    return KP_OK;
}

int(kp_plan_make)(kp_group *group, const kp_arguments *arguments, kp_plan **plan)
{
    int status = kp_pass_enter(group);
    return status ? status : kp_pass_leave(group, plan_call(group, arguments, plan));
}

/* Where first calls are measured, the plan's executions are among them: without memory for what has
 * been decided it goes on as a plain call. */
static int execute_on_trial(kp_plan *plan)
{
    kp_problem asked = kp_call_problem(plan->seat, &plan->arguments);
    if (!kp_trials_over(plan->seat, &asked) || fill(plan, &asked))
        return kp_call_entered(plan->seat, &plan->arguments);
    plan->on_trial = false;
    return execute(plan);
}

int(kp_plan_execute)(kp_plan *plan)
{
    int status = kp_pass_look((const struct kp_owned *)(const void *)plan);
    status = status ? status : kp_pass_enter(plan->seat);
    if (status)
        return status;
    status = plan->lengths    ? kp_lengths_execute(plan->seat, &plan->arguments, plan->lengths)
             : plan->on_trial ? execute_on_trial(plan)
                              : execute(plan);
    return kp_pass_leave(plan->seat, status);
}

int kp_plan_free(kp_plan *plan)
{
    if (!plan)
        return KP_OK;
    bool owns;
    int status = kp_owned_remove((struct kp_owned *)(void *)plan, &owns);
    if (status || !owns) /* in the child of a fork its memory goes with the process */
        return status;
    kp_prepared_end(&plan->prepared);
    free(plan->scratch);
    kp_lengths_free(plan->lengths);
    unmake(plan);
    return KP_OK;
}
