/* Correct programs that look suspicious. kport must not report anything about them. */
#include "wrong.h"

#include <stddef.h>
#include <string.h>

#define ONE                 sizeof here->mine
#define RIGHT               SAYS({"all", KP_OK, NULL, WORKS})
#define IS_RIGHT(condition) ((condition) ? 0 : WRONG_DATA)

PROGRAM(ring_of_exchanges, "Everybody sends to the right and waits for the left, around a ring.",
        RIGHT)
{
    int right = (here->me + 1) % here->n, left = (here->me + here->n - 1) % here->n,
        carried = here->me;
    for (int round = 0; round < here->n; round++) {
        kp_outgoing out = {.peer = right, .data = &carried, .bytes = ONE};
        kp_incoming in = {.peer = left, .data = here->in, .bytes = ONE};
        int status = AT(A, kp_exchange(here->world, &out, 1, &in, 1));
        if (status != 0)
            return status;
        carried = here->in[0];
    }
    return IS_RIGHT(carried == here->me);
}

PROGRAM(pairs_in_a_consistent_order,
        "A ring of pairs, every processor calling those of low number first.", RIGHT)
{
    int status = 0, sum = 0;
    for (int first = 0; first < 4 && status == 0; first++) {
        int second = (first + 1) % 4;
        if (here->me != first && here->me != second)
            continue;
        kp_group *pair = JOIN(first, second);
        status = AT(A, kp_allreduce(pair, &here->mine, &sum, 1, KP_INT32, KP_SUM, NULL));
        if (status == 0 && sum != first + second + 2)
            return WRONG_DATA;
    }
    return status;
}

PROGRAM(rows_then_columns, "On a grid of 3 x 3 all begin with the rows.", MACHINE(.processors = 9),
        RIGHT)
{
    int row = here->me / 3, column = here->me % 3, of_row = 0, of_all = 0;
    kp_group *rows = JOIN(3 * row, 3 * row + 1, 3 * row + 2);
    kp_group *columns = JOIN(column, column + 3, column + 6);
    int status = AT(A, kp_allreduce(rows, &here->mine, &of_row, 1, KP_INT32, KP_SUM, NULL));
    if (status == 0)
        status = AT(B, kp_allreduce(columns, &of_row, &of_all, 1, KP_INT32, KP_SUM, NULL));
    return status ? status : IS_RIGHT(of_all == 45);
}

PROGRAM(nothing_to_do, "Rounds in which only two of the members have something to send.", RIGHT)
{
    int status = 0;
    for (int other = 1; other < here->n && status == 0; other++) {
        kp_outgoing out = {.peer = other, .data = &here->mine, .bytes = ONE};
        kp_incoming in = {.peer = 0, .data = here->in, .bytes = ONE};
        status = AT(A, kp_exchange(here->world, &out, here->me == 0, &in, here->me == other));
    }
    return status ? status : IS_RIGHT(here->me == 0 || here->in[0] == 1);
}

PROGRAM(messages_of_no_bytes,
        "Messages without bytes are messages, and NULL may be where they lie.", RIGHT)
{
    kp_outgoing out = {.peer = (here->me + 1) % 4, .data = NULL, .bytes = 0};
    kp_incoming in = {.peer = (here->me + 3) % 4, .data = NULL, .bytes = 0};
    int status = AT(A, kp_exchange(here->world, &out, 1, &in, 1));
    if (status == 0)
        status = AT(B, kp_index(here->world, here->out, here->in, 0, NULL));
    return status
               ? status
               : AT(C, kp_allreduce(here->world, here->out, here->in, 0, KP_INT32, KP_SUM, NULL));
}

PROGRAM(one_is_slow, "One processor comes late to every call, within a generous time limit.",
        MACHINE(.time_limit_ms = 20000), RIGHT)
{
    int status = 0;
    for (int step = 0; step < 4 && status == 0; step++) {
        if (here->me == step)
            pause_for(here, 3000);
        status = AT(A, kp_concat(here->world, &here->mine, here->all, ONE, NULL));
    }
    return status ? status : IS_RIGHT(here->all[3] == 4);
}

PROGRAM(ended_after_the_last_call,
        "Processors end one after the other, when nobody needs them any more.",
        SAYS({"all", KP_OK, NULL, GONE}))
{
    int status = 0;
    for (int last = 3; last >= here->me && status == 0; last--) {
        kp_group *group = last == 3   ? JOIN(0, 1, 2, 3)
                          : last == 2 ? JOIN(0, 1, 2)
                          : last == 1 ? JOIN(0, 1)
                                      : JOIN(0);
        int sum = 0;
        status = AT(A, kp_allreduce(group, &here->mine, &sum, 1, KP_INT32, KP_SUM, NULL));
        if (status == 0 && sum != (last + 1) * (last + 2) / 2)
            status = WRONG_DATA;
    }
    for (int i = 0; i < here->joined; i++)
        (void)kp_group_free(here->groups[i]);
    return status;
}

PROGRAM(ended_without_a_call, "No processor calls anything.", SAYS({"all", KP_OK, NULL, GONE}))
{
    (void)here;
    return 0;
}

PROGRAM(group_of_one, "A group of one calls itself, others do not know of it.", RIGHT)
{
    kp_group *alone = JOIN(here->me);
    int status = AT(A, kp_barrier(alone));
    if (status == 0)
        status = AT(B, kp_index(alone, &here->mine, here->in, ONE, NULL));
    return status ? status : IS_RIGHT(here->in[0] == here->mine);
}

PROGRAM(group_made_by_some, "A member that only some of the members take, and nobody calls.", RIGHT)
{
    if (here->me % 2)
        (void)JOIN(0, 1, 2, 3);
    return AT(A, kp_barrier(here->world));
}

PROGRAM(group_made_again,
        "A group is made, used and freed again and again, members at their own speed.", RIGHT)
{
    int status = 0;
    for (int time = 0; time < 10 && status == 0; time++) {
        kp_group *group = NULL;
        status = kp_group_create(here->self, (int[]){2, 0, 3, 1}, 4, &group);
        if (status == 0)
            status = AT(A, kp_concat(group, &here->mine, here->all, ONE, NULL));
        if (status == 0 && here->all[0] != 3)
            status = WRONG_DATA;
        (void)kp_group_free(group);
    }
    return status;
}

PROGRAM(one_list_twice, "Two members in the same group, of which one is freed.", RIGHT)
{
    kp_group *group = JOIN(0, 1, 2, 3), *same = NULL;
    int status = kp_group_create(here->self, (int[]){0, 1, 2, 3}, 4, &same);
    if (status == 0)
        status = AT(A, kp_barrier(same));
    (void)kp_group_free(same);
    return status ? status : AT(B, kp_barrier(group));
}

PROGRAM(calls_from_two_places, "Members make the same call from different lines.", RIGHT)
{
    if (here->me == 0)
        return AT(A, kp_broadcast(here->world, here->out, ONE, 0, NULL));
    int status = AT(B, kp_broadcast(here->world, here->out, ONE, 0, NULL));
    return status ? status : IS_RIGHT(here->out[0] == 0);
}

PROGRAM(root_gives_what_others_need_not, "Buffers that count only at the root are NULL elsewhere.",
        RIGHT)
{
    int *out = here->me == 2 ? here->out : NULL, *in = here->me == 2 ? here->in : NULL;
    int status = AT(A, kp_scatter(here->world, out, &here->mine, ONE, 2, NULL));
    if (status == 0)
        status = AT(B, kp_gather(here->world, &here->mine, in, ONE, 2, NULL));
    return status ? status : IS_RIGHT(here->mine == 200 + here->me && (!in || in[3] == 203));
}

PROGRAM(in_place_at_the_root_alone, "The root gathers in place, the others give a block.", RIGHT)
{
    here->in[here->me] = here->mine;
    const void *out = here->me == 1 ? KP_IN_PLACE : (void *)&here->mine;
    int status = AT(A, kp_gather(here->world, out, here->in, ONE, 1, NULL));
    return status ? status : IS_RIGHT(here->me != 1 || (here->in[0] == 1 && here->in[3] == 4));
}

PROGRAM(buffers_that_touch, "The incoming buffer begins where the outgoing one ends.", RIGHT)
{
    int memory[8] = {here->me, here->me, here->me, here->me};
    int status = AT(A, kp_index(here->world, memory, memory + 4, ONE, NULL));
    return status ? status : IS_RIGHT(memory[4] == 0 && memory[7] == 3);
}

static void add_to(void *to, const void *left, const void *right, size_t count, void *context)
{
    for (size_t i = 0; i < count; i++, ++*(int *)context)
        ((int *)to)[i] = ((const int *)left)[i] + ((const int *)right)[i];
}

PROGRAM(operators_of_many_contexts,
        "The same operator, on every processor a copy with a context of its own.", RIGHT)
{
    int calls = 0;
    kp_operator op = {.name = "counted", .combine = add_to, .context = &calls, .commutative = 1};
    int status = AT(A, kp_scan(here->world, &here->mine, here->in, 1, KP_INT32, &op, NULL));
    return status ? status : IS_RIGHT(here->in[0] == (here->me + 1) * (here->me + 2) / 2);
}

PROGRAM(longer_than_is_filled, "A place for more than comes, and the length is told.", RIGHT)
{
    kp_outgoing out = {
        .peer = (here->me + 1) % 4, .data = here->out, .bytes = ONE * (size_t)here->me};
    kp_incoming in = {
        .peer = (here->me + 3) % 4, .data = here->in, .bytes = sizeof here->in, .up_to = 1};
    int status = AT(A, kp_exchange(here->world, &out, 1, &in, 1));
    return status ? status : IS_RIGHT(in.bytes == ONE * (size_t)((here->me + 3) % 4));
}

PROGRAM(plan_beside_a_call, "Some execute a plan where others make the plain call.", RIGHT)
{
    kp_plan *plan = NULL;
    kp_arguments arguments = {
        .operation = KP_CONCAT, .out = &here->mine, .in = here->all, .b = ONE};
    int status = AT(A, kp_plan_make(here->world, &arguments, &plan));
    for (int time = 0; time < 3 && status == 0; time++)
        status = (here->me + time) % 2
                     ? AT(B, kp_plan_execute(plan))
                     : AT(C, kp_concat(here->world, &here->mine, here->all, ONE, NULL));
    kp_plan_free(plan);
    return status ? status : IS_RIGHT(here->all[2] == 3);
}

PROGRAM(plan_that_is_never_executed, "A plan is made by one member and freed.", RIGHT)
{
    kp_plan *plan = NULL;
    kp_arguments arguments = {.operation = KP_INDEX, .out = here->out, .in = here->in, .b = ONE};
    int status = here->me == 1 ? AT(A, kp_plan_make(here->world, &arguments, &plan)) : 0;
    kp_plan_free(plan);
    return status;
}

PROGRAM(empty_blocks, "Blocks with lengths of their own, of which most are empty.", RIGHT)
{
    size_t out[4] = {0}, in[4] = {0};
    out[(here->me + 1) % 4] = 2 * ONE;
    in[(here->me + 3) % 4] = 2 * ONE;
    int status = AT(A, kp_indexv(here->world, here->out, out, NULL, here->in, in, NULL, NULL));
    return status ? status : IS_RIGHT(here->in[0] == (here->me + 3) % 4 * 100);
}

PROGRAM(outgoing_blocks_in_common, "The same bytes go to all, from one place.", RIGHT)
{
    size_t counts[4] = {ONE, ONE, ONE, ONE}, displacements[4] = {0};
    int status = AT(A, kp_indexv(here->world, &here->mine, counts, displacements, here->in, counts,
                                 NULL, NULL));
    return status ? status : IS_RIGHT(here->in[0] == 1 && here->in[3] == 4);
}

PROGRAM(leaves_ahead_of_the_root,
        "Many rooted calls in a row, the root and the leaves at unequal speeds.", RIGHT)
{
    int status = 0;
    for (int call = 0; call < 50 && status == 0; call++) {
        int value = here->me == call % 4 ? call : -1;
        status = AT(A, kp_broadcast(here->world, &value, ONE, call % 4, NULL));
        if (status == 0 && value != call)
            return WRONG_DATA;
    }
    return status;
}

PROGRAM(error_that_is_dealt_with,
        "A group that cannot be made, and the program goes on without it.", RIGHT)
{
    kp_group *group = NULL;
    if (kp_group_create(here->self, (int[]){0, 99}, 2, &group) != KP_EARGUMENT)
        return WRONG_DATA;
    return AT(A, kp_barrier(here->world));
}

static int alone(kp_proc *self, void *arg)
{
    int sum = 0;
    (void)arg;
    return (kp_allreduce)(kp_world(self), &(int){1}, &sum, 1, KP_INT32, KP_SUM, NULL);
}

PROGRAM(machine_within_a_processor, "A processor runs a machine of its own, and goes on.",
        .without = ON_FIBERS, RIGHT)
{
    kp_config config = {.processors = 3};
    int status = here->me == 2 ? kp_run(&config, alone, NULL, NULL) : 0;
    return status ? status : AT(A, kp_barrier(here->world));
}

PROGRAM(messages_across, "Every processor sends to all others at once and receives from all.",
        RIGHT)
{
    kp_outgoing out[3];
    kp_incoming in[3];
    for (int i = 0; i < 3; i++) {
        int to = (here->me + 1 + i) % 4, from = (here->me + 3 - i) % 4;
        out[i] = (kp_outgoing){.port = i, .peer = to, .data = &here->out[to], .bytes = ONE};
        in[i] = (kp_incoming){.port = i, .peer = from, .data = &here->in[from], .bytes = ONE};
    }
    int status = AT(A, kp_exchange(here->world, out, 3, in, 3));
    int other = (here->me + 1) % 4;
    return status ? status : IS_RIGHT(here->in[other] == 100 * other + here->me);
}

PROGRAM(sent_to_nobody, "A line of processors, of which the ends have one neighbour.", RIGHT)
{
    int to = here->me == 3 ? -1 : here->me + 1, from = here->me - 1;
    int status = AT(A, kp_send_recv(here->world, &here->mine, ONE, to, here->in, ONE, from));
    return status ? status : IS_RIGHT(here->me == 0 || here->in[0] == here->me);
}

const wrong_program *const right_programs[] = {&program_ring_of_exchanges,
                                               &program_pairs_in_a_consistent_order,
                                               &program_rows_then_columns,
                                               &program_nothing_to_do,
                                               &program_messages_of_no_bytes,
                                               &program_one_is_slow,
                                               &program_ended_after_the_last_call,
                                               &program_ended_without_a_call,
                                               &program_group_of_one,
                                               &program_group_made_by_some,
                                               &program_group_made_again,
                                               &program_one_list_twice,
                                               &program_calls_from_two_places,
                                               &program_root_gives_what_others_need_not,
                                               &program_in_place_at_the_root_alone,
                                               &program_buffers_that_touch,
                                               &program_operators_of_many_contexts,
                                               &program_longer_than_is_filled,
                                               &program_plan_beside_a_call,
                                               &program_plan_that_is_never_executed,
                                               &program_empty_blocks,
                                               &program_outgoing_blocks_in_common,
                                               &program_leaves_ahead_of_the_root,
                                               &program_error_that_is_dealt_with,
                                               &program_machine_within_a_processor,
                                               &program_messages_across,
                                               &program_sent_to_nobody,
                                               NULL};
