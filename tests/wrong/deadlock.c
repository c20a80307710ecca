/* Deadlocks: each processor waits for another processor, so none can go on. */
#include "wrong.h"

#include <stddef.h>

PROGRAM(opposite_orders, "Processors 1 and 2 are in two groups, and call them in opposite orders.",
        SAYS({"all", KP_EDEADLOCK, "P1 | P2", EITHER}),
        DIAGNOSIS("P0 | P1 | P2 | P3 | {A} | {B} | {C} | {D}"))
{
    kp_group *low = here->me < 3 ? JOIN(0, 1, 2) : NULL;
    kp_group *high = here->me > 0 ? JOIN(1, 2, 3) : NULL;
    if (here->me == 0)
        return AT(A, kp_barrier(low));
    if (here->me == 3)
        return AT(D, kp_barrier(high));
    int status = here->me == 1 ? AT(B, kp_barrier(low)) : AT(C, kp_barrier(high));
    return status ? status : AT(E, kp_barrier(here->me == 1 ? high : low));
}

PROGRAM(ring_of_pairs, "Every processor first calls the pair with its right neighbour.",
        SAYS({"all", KP_EDEADLOCK, "P0 | P1 | P2 | P3", EITHER}))
{
    int right = (here->me + 1) % here->n, left = (here->me + here->n - 1) % here->n;
    kp_group *first = JOIN(here->me, right), *second = JOIN(left, here->me);
    int status = AT(A, kp_barrier(first));
    return status ? status : AT(B, kp_barrier(second));
}

PROGRAM(rows_or_columns, "On a grid of 2 x 2 some begin with the rows, others with the columns.",
        SAYS({"all", KP_EDEADLOCK, "P0 | P1 | P2 | P3", EITHER}))
{
    int row = here->me / 2, column = here->me % 2, sum = 0;
    kp_group *of_row = JOIN(2 * row, 2 * row + 1), *of_column = JOIN(column, column + 2);
    bool rows_first = row == column; /* true for the two processors on the diagonal */
    int status = AT(A, kp_allreduce(rows_first ? of_row : of_column, &here->mine, &sum, 1, KP_INT32,
                                    KP_SUM, NULL));
    if (status != 0)
        return status;
    return AT(B, kp_allreduce(rows_first ? of_column : of_row, &sum, &here->mine, 1, KP_INT32,
                              KP_SUM, NULL));
}

PROGRAM(pair_and_world,
        "Processor 0 waits in a pair for processor 1, who waits for it in the world.",
        SAYS({"all", KP_EDEADLOCK, "P0 | P1", FAILED}),
        DIAGNOSIS("P0 | P1 | barrier | concat | {A} | {B}"))
{
    kp_group *pair = here->me < 2 ? JOIN(0, 1) : NULL;
    if (here->me == 0)
        return AT(A, kp_barrier(pair));
    int status = AT(B, kp_concat(here->world, &here->mine, here->all, sizeof here->mine, NULL));
    return status || here->me != 1 ? status : AT(C, kp_barrier(pair));
}

PROGRAM(one_more_in_a_pair,
        "Processor 3 calls the pair a second time, which processor 2 never does.",
        SAYS({"all", KP_EDEADLOCK, "P2 | P3", FAILED}))
{
    kp_group *pair = here->me >= 2 ? JOIN(2, 3) : NULL;
    int status = 0;
    for (int call = 0; pair && status == 0 && call < (here->me == 3 ? 2 : 1); call++)
        status = AT(A, kp_barrier(pair));
    return status ? status : AT(B, kp_barrier(here->world));
}

PROGRAM(lists_in_other_orders, "The same processors listed in another order are another group.",
        SAYS({"all", KP_EDEADLOCK, "P0/P1 | P2/P3", EITHER}), DIAGNOSIS("P0 | P1 | P2 | P3 | {A}"))
{
    kp_group *group = here->me < 2 ? JOIN(0, 1, 2, 3) : JOIN(3, 2, 1, 0);
    return AT(A, kp_barrier(group));
}

PROGRAM(one_member_too_many, "Processors 2 and 3 think that 3 is in the group, 0 and 1 do not.",
        SAYS({"all", KP_EDEADLOCK, "P0/P1 | P2", EITHER}))
{
    kp_group *group = here->me < 2 ? JOIN(0, 1, 2) : JOIN(0, 1, 2, 3);
    return AT(A, kp_broadcast(group, &here->mine, sizeof here->mine, 0, NULL));
}

PROGRAM(exchange_in_two_groups, "Processor 0 exchanges in the pair, its partner in the world.",
        SAYS({"all", KP_EDEADLOCK, "P0 | P1 | exchange", FAILED}),
        DIAGNOSIS("P0 | P1 | exchange | {A} | {B}"))
{
    kp_group *pair = here->me < 2 ? JOIN(0, 1) : NULL;
    kp_outgoing out = {.peer = 1 - here->me, .data = &here->mine, .bytes = sizeof here->mine};
    kp_incoming in = {.peer = 1 - here->me, .data = &here->in[0], .bytes = sizeof here->in[0]};
    if (here->me == 0)
        return AT(A, kp_exchange(pair, &out, 1, &in, 1));
    return AT(B, kp_exchange(here->world, &out, here->me == 1, &in, here->me == 1));
}

PROGRAM(beside_those_that_are_done,
        "Three of six wait for each other in a ring; the three others have ended well.",
        MACHINE(.processors = 6),
        SAYS({"0-2", KP_EDEADLOCK, "P0 | P1 | P2", FAILED}, {"3-5", KP_OK, NULL, GONE}))
{
    if (here->me > 2)
        return 0;
    int right = (here->me + 1) % 3, left = (here->me + 2) % 3;
    kp_group *first = JOIN(here->me, right), *second = JOIN(left, here->me);
    int status = AT(A, kp_barrier(first));
    return status ? status : AT(B, kp_barrier(second));
}

PROGRAM(late_in_a_loop, "In the fourth of many steps processor 1 forgets the pair.",
        SAYS({"all", KP_EDEADLOCK, "P0 | P1", FAILED}))
{
    kp_group *pair = here->me < 2 ? JOIN(0, 1) : NULL;
    int status = 0;
    for (int step = 0; step < 20 && status == 0; step++) {
        if (pair && !(here->me == 1 && step == 3))
            status = AT(A, kp_barrier(pair));
        if (status == 0)
            status = AT(B, kp_barrier(here->world));
    }
    return status;
}

PROGRAM(dead_group_called_again, "After a deadlock a processor calls the same pair again.",
        SAYS({"all", KP_EDEADLOCK, "P0 | P1 | P2 | P3", EITHER}))
{
    int right = (here->me + 1) % here->n;
    kp_group *first = JOIN(here->me, right);
    (void)JOIN((here->me + 3) % here->n, here->me);
    (void)heard(here, AT(A, kp_barrier(first)));
    return AT(B, kp_barrier(first)) == KP_EDEADLOCK ? KP_EDEADLOCK : WRONG_DATA;
}

PROGRAM(ring_of_triples,
        "Eight processors, each in three groups of three, all begin with their own.",
        MACHINE(.processors = 8), SAYS({"all", KP_EDEADLOCK, "P0/P1 | P2/P3", EITHER}))
{
    int status = 0;
    for (int i = 0; i < 3 && status == 0; i++) {
        int first = (here->me - i + 8) % 8;
        kp_group *triple = JOIN(first, (first + 1) % 8, (first + 2) % 8);
        status = AT(A, kp_concat(triple, &here->mine, here->all, sizeof here->mine, NULL));
    }
    return status;
}

PROGRAM(plans_of_two_groups, "Plans are prepared rightly, but executed in opposite orders.",
        SAYS({"all", KP_EDEADLOCK, "P1 | P2", EITHER}))
{
    kp_group *low = here->me < 3 ? JOIN(0, 1, 2) : NULL;
    kp_group *high = here->me > 0 ? JOIN(1, 2, 3) : NULL;
    kp_group *order[2] = {here->me == 2 ? high : low, here->me == 2 ? low : high};
    int status = 0;
    for (int i = 0; i < 2 && status == 0; i++) {
        kp_plan *plan = NULL;
        kp_arguments sum = {.operation = KP_ALLREDUCE,
                            .out = &here->mine,
                            .in = here->in,
                            .count = 1,
                            .type = KP_INT32,
                            .op = KP_SUM};
        if (!order[i])
            continue;
        if ((status = AT(A, kp_plan_make(order[i], &sum, &plan))) == 0)
            status = AT(B, kp_plan_execute(plan));
        kp_plan_free(plan);
    }
    return status;
}

PROGRAM(never_comes, "Processor 2 is busy with something else for longer than the time limit.",
        MACHINE(.time_limit_ms = 60), .without = ON_FIBERS,
        SAYS({"2", KP_ETIMEOUT, "P2", FAILED},
             {"others", KP_ETIMEOUT, "P2 | 60 | outside of kport | {B}", FAILED}))
{
    kp_request *none = NULL;
    int ended, status = here->me == 2 ? AT(B, kp_test(&none, &ended)) : 0;
    if (here->me == 2)
        pause_for(here, 250000);
    return status ? status : AT(A, kp_barrier(here->world));
}

const wrong_program *const wrong_deadlock[] = {&program_opposite_orders,
                                               &program_ring_of_pairs,
                                               &program_rows_or_columns,
                                               &program_pair_and_world,
                                               &program_one_more_in_a_pair,
                                               &program_lists_in_other_orders,
                                               &program_one_member_too_many,
                                               &program_exchange_in_two_groups,
                                               &program_beside_those_that_are_done,
                                               &program_late_in_a_loop,
                                               &program_dead_group_called_again,
                                               &program_ring_of_triples,
                                               &program_plans_of_two_groups,
                                               &program_never_comes,
                                               NULL};
