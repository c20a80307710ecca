/* Order: the members of a group make different calls, or the same calls in different orders. */
#include "wrong.h"

#include <stddef.h>
#include <string.h>

#define ONE sizeof here->mine

PROGRAM(barrier_or_concat, "Processor 2 concatenates where all others wait at the barrier.",
        SAYS({"all", KP_EMISMATCH, "P2 | barrier | concat | {A} | {B}", WORKS}))
{
    if (here->me == 2)
        return AT(B, kp_concat(here->world, &here->mine, here->all, ONE, NULL));
    return AT(A, kp_barrier(here->world));
}

/* The blocks of this index are as long (56 bytes) as those of the index by which kp_route announces
 * its messages. Their contents are no valid announcement. */
PROGRAM(route_or_index, "Processor 2 calls an index where all others route.",
        SAYS({"all", KP_EMISMATCH, "P2 | route | index | {A} | {B}", WORKS}))
{
    static char out[MOST_PROCESSORS][MOST_PROCESSORS * 56], in[MOST_PROCESSORS][sizeof *out];
    kp_arrivals arrivals;
    memset(out[here->me], 0x7f, sizeof *out);
    if (here->me == 2)
        return AT(B, kp_index(here->world, out[2], in[2], 56, NULL));
    int status = AT(A, kp_route(here->world, NULL, 0, &arrivals, NULL));
    kp_route_free(&arrivals);
    return status;
}

PROGRAM(swapped, "Processor 1 gathers first and broadcasts then, the others the other way round.",
        SAYS({"all", KP_EMISMATCH, "P1 | broadcast | gather | {A} | {B}", WORKS}))
{
    if (here->me == 1) {
        int status = AT(B, kp_gather(here->world, &here->mine, here->all, ONE, 0, NULL));
        return status ? status : AT(C, kp_broadcast(here->world, here->in, ONE, 0, NULL));
    }
    int status = AT(A, kp_broadcast(here->world, here->in, ONE, 0, NULL));
    return status ? status : AT(D, kp_gather(here->world, &here->mine, here->all, ONE, 0, NULL));
}

PROGRAM(one_more, "Processor 3 calls the barrier once more than the others.",
        SAYS({"all", KP_EMISMATCH, "P3 | barrier | scan | {A} | {B}", WORKS}),
        /* In the scan processor 0 waits for no message. So processor 0 gets its error in a later
         * call, and this error does not name the scan. */
        BY_MAILBOXES_SAYS({"all", KP_EMISMATCH, "P3 | barrier | {A}", WORKS}))
{
    int status = 0;
    for (int call = 0; call < (here->me == 3 ? 3 : 2) && status == 0; call++)
        status = AT(A, kp_barrier(here->world));
    return status ? status
                  : AT(B, kp_scan(here->world, &here->mine, here->in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(one_fewer, "Processor 0 leaves out one of the broadcasts.",
        SAYS({"all", KP_EMISMATCH, "P0 | broadcast | barrier | {A} | {B}", WORKS}))
{
    int status = 0;
    for (int call = here->me == 0 ? 1 : 0; call < 3 && status == 0; call++)
        status = AT(A, kp_broadcast(here->world, &here->mine, ONE, 0, NULL));
    return status ? status : AT(B, kp_barrier(here->world));
}

PROGRAM(one_more_at_the_end, "Processor 3 calls the barrier once more after the others have ended.",
        SAYS({"3", KP_ELOST, "P0/P1/P2", FAILED}, {"others", KP_OK, NULL, GONE}))
{
    int status = 0;
    for (int call = 0; call < (here->me == 3 ? 3 : 2) && status == 0; call++)
        status = AT(A, kp_barrier(here->world));
    return status;
}

PROGRAM(one_fewer_at_the_end, "Processor 3 ends before the last index of the others.",
        SAYS({"3", KP_OK, NULL, GONE}, {"others", KP_ELOST, "P3", FAILED}))
{
    int status = 0;
    for (int call = 0; call < (here->me == 3 ? 1 : 2) && status == 0; call++)
        status = AT(A, kp_index(here->world, here->out, here->in, ONE, NULL));
    return status;
}

PROGRAM(index_or_concat, "Processor 0 means the concatenation, and writes index.",
        SAYS({"all", KP_EMISMATCH, "P0 | index | concat | {A} | {B}", WORKS}))
{
    if (here->me == 0)
        return AT(A, kp_index(here->world, here->out, here->in, ONE, NULL));
    return AT(B, kp_concat(here->world, here->out, here->in, ONE, NULL));
}

PROGRAM(index_or_indexv,
        "Processor 1 uses the form with a length for every block, with equal ones.",
        SAYS({"all", KP_EMISMATCH, "P1 | index | indexv | {A} | {B}", WORKS}))
{
    const size_t counts[] = {ONE, ONE, ONE, ONE};
    if (here->me == 1)
        return AT(B, kp_indexv(here->world, here->out, counts, NULL, here->in, counts, NULL, NULL));
    return AT(A, kp_index(here->world, here->out, here->in, ONE, NULL));
}

PROGRAM(reduce_or_allreduce, "The root wants the sum alone, the others want it everywhere.",
        SAYS({"all", KP_EMISMATCH, "P0 | reduce | allreduce | {A} | {B}", WORKS}))
{
    if (here->me == 0)
        return AT(A, kp_reduce(here->world, &here->mine, here->in, 1, KP_INT32, KP_SUM, 0, NULL));
    return AT(B, kp_allreduce(here->world, &here->mine, here->in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(inclusive_or_exclusive, "Processor 3 scans inclusively, the others exclusively.",
        SAYS({"all", KP_EMISMATCH, "P3 | exscan | {A} | {B}", WORKS}))
{
    if (here->me == 3)
        return AT(B, kp_scan(here->world, &here->mine, here->in, 1, KP_INT32, KP_SUM, NULL));
    return AT(A, kp_exscan(here->world, &here->mine, here->in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(scatter_or_gather, "The root scatters, the others gather.",
        SAYS({"all", KP_EMISMATCH, "P0 | scatter | gather | {A} | {B}", WORKS}))
{
    if (here->me == 0)
        return AT(A, kp_scatter(here->world, here->out, here->in, ONE, 0, NULL));
    return AT(B, kp_gather(here->world, here->out, here->in, ONE, 0, NULL));
}

PROGRAM(round_or_barrier, "Processor 2 has nothing to exchange and calls the barrier instead.",
        SAYS({"all", KP_EMISMATCH, "P2 | exchange | barrier | {A} | {B}", WORKS}))
{
    if (here->me == 2)
        return AT(B, kp_barrier(here->world));
    return AT(A, kp_exchange(here->world, NULL, 0, NULL, 0));
}

PROGRAM(round_or_collective, "Processor 1 is one round of its own behind the others.",
        SAYS({"all", KP_EMISMATCH, "P1 | exchange | allreduce | {A} | {B}", WORKS}))
{
    int status = 0;
    for (int round = here->me == 1 ? 0 : 1; round < 3 && status == 0; round++)
        status = AT(A, kp_exchange(here->world, NULL, 0, NULL, 0));
    if (status != 0)
        return status;
    return AT(B, kp_allreduce(here->world, &here->mine, here->in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(three_calls, "Three of the members make three different calls.",
        SAYS({"all", KP_EMISMATCH, "{A}/{B}/{C}", WORKS}))
{
    if (here->me == 0)
        return AT(A, kp_barrier(here->world));
    if (here->me == 1)
        return AT(B, kp_concat(here->world, &here->mine, here->all, ONE, NULL));
    return AT(C, kp_index(here->world, here->out, here->in, ONE, NULL));
}

PROGRAM(depends_on_own_data, "Only those with something to add call the reduction.",
        SAYS({"all", KP_EMISMATCH, "allreduce | barrier | {A} | {B}", WORKS}))
{
    int something = here->me > 1, sum = 0;
    int status = 0;
    if (something)
        status = AT(A, kp_allreduce(here->world, &something, &sum, 1, KP_INT32, KP_SUM, NULL));
    return status ? status : AT(B, kp_barrier(here->world));
}

PROGRAM(in_a_subgroup, "Within a pair one broadcasts and one scatters; the other pair is right.",
        SAYS({"2-3", KP_EMISMATCH, "P2 | P3 | broadcast | scatter | {A} | {B}", WORKS},
             {"0-1", KP_OK, NULL, WORKS}))
{
    kp_group *pair = here->me < 2 ? JOIN(0, 1) : JOIN(2, 3);
    if (here->me == 3)
        (void)heard(here, AT(B, kp_scatter(pair, here->out, here->in, ONE, 0, NULL)));
    else
        (void)heard(here, AT(A, kp_broadcast(pair, here->in, ONE, 0, NULL)));
    (void)heard(here, kp_barrier(pair)); /* by mailboxes the root gets its error only here */
    return 0;
}

PROGRAM(groups_mixed_up, "Two groups of the same members, the calls to them mixed up by one.",
        SAYS({"all", KP_EDEADLOCK, "P0/P1/P3 | P2", EITHER}),
        DIAGNOSIS("P0 | P1 | P2 | P3 | {A} | {B}"))
{
    kp_group *upwards = JOIN(0, 1, 2, 3), *downwards = JOIN(3, 2, 1, 0);
    if (here->me == 2)
        return AT(B, kp_barrier(downwards));
    return AT(A, kp_barrier(upwards));
}

const wrong_program *const wrong_order[] = {&program_barrier_or_concat,
                                            &program_route_or_index,
                                            &program_swapped,
                                            &program_one_more,
                                            &program_one_fewer,
                                            &program_one_more_at_the_end,
                                            &program_one_fewer_at_the_end,
                                            &program_index_or_concat,
                                            &program_index_or_indexv,
                                            &program_reduce_or_allreduce,
                                            &program_inclusive_or_exclusive,
                                            &program_scatter_or_gather,
                                            &program_round_or_barrier,
                                            &program_round_or_collective,
                                            &program_three_calls,
                                            &program_depends_on_own_data,
                                            &program_in_a_subgroup,
                                            &program_groups_mixed_up,
                                            NULL};
