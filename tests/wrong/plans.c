/* Plans: wrong uses of persistent plans. */
#include "wrong.h"

#include <stddef.h>

#define ONE sizeof here->mine

/* Makes a plan of a call that uses the processor's buffers. The further arguments are fields of
 * kp_arguments. */
#define PLAN(group, plan, ...)                                                                     \
    kp_plan_make(group, &(kp_arguments){.out = here->out, .in = here->in, __VA_ARGS__}, plan)

static int execute_and_free(member *here, kp_plan *plan)
{
    (void)here;
    int status = kp_plan_execute(plan);
    kp_plan_free(plan);
    return status;
}

PROGRAM(plans_of_other_lengths, "Processor 1 has prepared a plan for other blocks.",
        SAYS({"all", KP_EMISMATCH, "P1 | concat | b=2 | b=4", WORKS}))
{
    kp_plan *plan = NULL;
    int status =
        AT(A, PLAN(here->world, &plan, .operation = KP_CONCAT, .b = here->me == 1 ? 2 : ONE));
    return status ? status : AT(B, execute_and_free(here, plan));
}

PROGRAM(plan_and_another_call, "Processor 0 executes its plan, the others call something else.",
        SAYS({"all", KP_EMISMATCH, "P0 | concat | index | {C}", WORKS}))
{
    kp_plan *plan = NULL;
    if (here->me != 0)
        return AT(C, kp_index(here->world, here->out, here->in, ONE, NULL));
    int status = AT(A, PLAN(here->world, &plan, .operation = KP_CONCAT, .b = ONE));
    return status ? status : AT(B, execute_and_free(here, plan));
}

PROGRAM(executed_once_too_often, "Processor 2 executes its plan twice, the others once.",
        SAYS({"all", KP_EMISMATCH, "P2 | concat | barrier | {B}", WORKS}))
{
    kp_plan *plan = NULL;
    int status = AT(A, PLAN(here->world, &plan, .operation = KP_CONCAT, .b = ONE));
    for (int times = here->me == 2 ? 2 : 1; times > 0 && status == 0; times--)
        status = AT(C, kp_plan_execute(plan));
    if (status == 0)
        status = AT(B, kp_barrier(here->world));
    kp_plan_free(plan);
    return status;
}

PROGRAM(plan_with_a_field_too_many, "A concatenation has no root.",
        SAYS({"all", KP_EARGUMENT, "root | concat", WORKS}))
{
    kp_plan *plan = NULL;
    return AT(A, PLAN(here->world, &plan, .operation = KP_CONCAT, .b = ONE, .root = 2));
}

PROGRAM(plan_with_a_root_out_of_range, "The plan's root is no rank; only its maker is told.",
        SAYS({"1", KP_EARGUMENT, "root | 9", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_plan *plan = NULL;
    int status = AT(A, PLAN(here->world, &plan, .operation = KP_GATHER, .b = ONE,
                            .root = here->me == 1 ? 9 : 0));
    kp_plan_free(plan);
    return status;
}

PROGRAM(plan_of_no_operation, "The operation's number is none.",
        SAYS({"all", KP_EARGUMENT, "operation | 77", WORKS}))
{
    kp_plan *plan = NULL;
    return AT(A, PLAN(here->world, &plan, .operation = (kp_operation)77, .b = ONE));
}

PROGRAM(no_plan, "A plan that could not be made is executed all the same.",
        SAYS({"all", KP_EARGUMENT, "NULL/null", WORKS}))
{
    return AT(A, kp_plan_execute(NULL));
}

PROGRAM(plan_without_arguments, "The arguments of the plan are NULL.",
        SAYS({"all", KP_EARGUMENT, "NULL/null", WORKS}))
{
    kp_plan *plan = NULL;
    return AT(A, kp_plan_make(here->world, NULL, &plan));
}

PROGRAM(plan_of_another, "Processor 1 executes the plan that processor 0 has made.",
        .without = ON_FIBERS,
        SAYS({"1", KP_EWRONGTHREAD, "P0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_plan *plan = NULL;
    int status = 0;
    if (here->me == 0) {
        status = AT(A, PLAN(here->world, &plan, .operation = KP_CONCAT, .b = ONE));
        here->scene->pointers[0] = plan;
        raise_flag(here, 0);
        await_flag(here, 1, 1);
        kp_plan_free(plan);
    } else if (here->me == 1) {
        await_flag(here, 0, 1);
        status = AT(B, kp_plan_execute(here->scene->pointers[0]));
        raise_flag(here, 1);
    }
    return status;
}

PROGRAM(plan_of_another_fiber,
        "Fibers of one worker: processor 1 executes the plan of processor 0.",
        .without = ON_THREADS | ON_ATTACHED,
        SAYS({"1", KP_EWRONGTHREAD, "P0", WORKS}, {"others", KP_OK, NULL, WORKS}))
{
    kp_plan *plan = NULL;
    int status =
        here->me == 0 ? AT(A, PLAN(here->world, &plan, .operation = KP_CONCAT, .b = ONE)) : 0;
    if (here->me == 0)
        here->scene->pointers[0] = plan;
    if (status == 0)
        status = AT(B, kp_barrier(here->world));
    if (here->me == 1)
        (void)heard(here, AT(C, kp_plan_execute(here->scene->pointers[0])));
    if (status == 0)
        status = AT(D, kp_barrier(here->world));
    kp_plan_free(plan);
    return status;
}

const wrong_program *const wrong_plans[] = {&program_plans_of_other_lengths,
                                            &program_plan_and_another_call,
                                            &program_executed_once_too_often,
                                            &program_plan_with_a_field_too_many,
                                            &program_plan_with_a_root_out_of_range,
                                            &program_plan_of_no_operation,
                                            &program_no_plan,
                                            &program_plan_without_arguments,
                                            &program_plan_of_another,
                                            &program_plan_of_another_fiber,
                                            NULL};
