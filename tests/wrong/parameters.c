/* Parameters: the members give different arguments to the same call, or invalid arguments. */
#include "wrong.h"

#include <stddef.h>

#define ONE sizeof here->mine

PROGRAM(other_root, "Processor 2 takes processor 2 for the root of a broadcast, the others 0.",
        SAYS({"all", KP_EMISMATCH, "P2 | broadcast | root=2/root 2 | {A}", WORKS}))
{
    return AT(A, kp_broadcast(here->world, here->in, ONE, here->me == 2 ? 2 : 0, NULL));
}

PROGRAM(everybody_is_root, "Every processor gathers to itself in one call.",
        SAYS({"all", KP_EMISMATCH, "gather | root | {A}", WORKS}))
{
    return AT(A, kp_gather(here->world, &here->mine, here->all, ONE, here->me, NULL));
}

PROGRAM(rank_or_processor,
        "In a group that runs backwards one gives the root's processor, not rank.",
        SAYS({"all", KP_EMISMATCH, "P1 | broadcast | root=3 | {A} | {B}", WORKS}))
{
    kp_group *backwards = JOIN(3, 2, 1, 0);
    if (here->me == 1)
        return AT(B, kp_broadcast(backwards, here->in, ONE, 3, NULL));
    return AT(A, kp_broadcast(backwards, here->in, ONE, 0, NULL));
}

PROGRAM(other_target, "Two processors disagree about whom the root's block is for.",
        SAYS({"all", KP_EMISMATCH, "P3 | to=1/to 1 | to=3/to 3 | {A}", WORKS}))
{
    return AT(A,
              kp_one_to_one(here->world, here->out, here->in, ONE, 0, here->me == 3 ? 3 : 1, NULL));
}

PROGRAM(other_length, "The root broadcasts 8 bytes where the others expect 16.",
        SAYS({"all", KP_EMISMATCH, "P0 | b=8 | b=16 | {A}", WORKS}))
{
    return AT(A, kp_broadcast(here->world, here->in, here->me == 0 ? 8 : 16, 0, NULL));
}

PROGRAM(elements_for_bytes, "Processor 1 gives the number of elements where bytes are wanted.",
        SAYS({"all", KP_EMISMATCH, "P1 | concat | b=1 | b=4 | {A}", WORKS}))
{
    return AT(A, kp_concat(here->world, &here->mine, here->all, here->me == 1 ? 1 : ONE, NULL));
}

PROGRAM(other_count, "Processor 0 reduces three elements, the others two.",
        SAYS({"all", KP_EMISMATCH, "P0 | allreduce | count=3 | count=2 | {A}", WORKS}))
{
    return AT(A, kp_allreduce(here->world, here->out, here->in, here->me == 0 ? 3 : 2, KP_INT32,
                              KP_SUM, NULL));
}

PROGRAM(other_type, "Types of the same length, but one is a float.",
        SAYS({"all", KP_EMISMATCH, "P3 | int32 | float32 | {A}", WORKS}))
{
    return AT(A, kp_allreduce(here->world, here->out, here->in, 1,
                              here->me == 3 ? KP_FLOAT32 : KP_INT32, KP_SUM, NULL));
}

PROGRAM(other_operator, "Processor 2 wants the maximum where the others want the sum.",
        SAYS({"all", KP_EMISMATCH, "P2 | op=max | op=sum | {A}", WORKS}))
{
    return AT(A, kp_reduce(here->world, here->out, here->in, 1, KP_INT32,
                           here->me == 2 ? KP_MAXIMUM : KP_SUM, 0, NULL));
}

PROGRAM(other_radix, "The members name the same algorithm with another radix.",
        SAYS({"all", KP_EMISMATCH, "P1 | r=2 | r=4 | {A}", WORKS}))
{
    kp_hints hints;
    if (kp_hints_parse(KP_INDEX, here->me == 1 ? "radix,r=2" : "radix,r=4", &hints) != 0)
        return WRONG_DATA;
    return AT(A, kp_index(here->world, here->out, here->in, ONE, &hints));
}

PROGRAM(other_algorithm, "Processor 0 names another algorithm than the others.",
        SAYS({"all", KP_EMISMATCH, "P0 | circulant | ring | {A}", WORKS}))
{
    kp_hints hints;
    if (kp_hints_parse(KP_CONCAT, here->me == 0 ? "circulant" : "ring", &hints) != 0)
        return WRONG_DATA;
    return AT(A, kp_concat(here->world, &here->mine, here->all, ONE, &hints));
}

PROGRAM(root_out_of_range, "All take the number of processors for the last root.",
        SAYS({"all", KP_EARGUMENT, "root | 4 | 0 | 3", WORKS}))
{
    return AT(A, kp_scatter(here->world, here->out, here->in, ONE, here->n, NULL));
}

PROGRAM(root_of_one_below_zero, "The root of processor 3 has not been found and is still -1.",
        SAYS({"3", KP_EARGUMENT, "root | -1", WORKS},
             {"others", KP_EPEER, "P3 | root | -1", WORKS}))
{
    return AT(A, kp_reduce(here->world, here->out, here->in, 1, KP_INT32, KP_SUM,
                           here->me == 3 ? -1 : 0, NULL));
}

PROGRAM(target_out_of_range, "The target of one to one is no processor of the group.",
        SAYS({"all", KP_EARGUMENT, "17", WORKS}))
{
    return AT(A, kp_one_to_one(here->world, here->out, here->in, ONE, 0, 17, NULL));
}

PROGRAM(more_than_memory, "A length below zero became a huge one.",
        SAYS({"all", KP_EARGUMENT, "18446744073709551608/4294967288/overflow/memory", WORKS}))
{
    return AT(A, kp_concat(here->world, here->out, here->in, (size_t)-8, NULL));
}

PROGRAM(count_times_size_overflows, "So many elements that their bytes are no number.",
        SAYS({"1", KP_EARGUMENT, "count/elements", WORKS}, {"others", KP_EPEER, "P1", WORKS}))
{
    size_t count = here->me == 1 ? SIZE_MAX / 4 : 1;
    return AT(A, kp_allreduce(here->world, here->out, here->in, count, KP_INT64, KP_SUM, NULL));
}

PROGRAM(algorithm_for_powers_of_two, "Six processors, and an algorithm for powers of two.",
        MACHINE(.processors = 6), SAYS({"all", KP_EUNSERVED, "pairwise | 6", WORKS}))
{
    kp_hints hints;
    if (kp_hints_parse(KP_INDEX, "pairwise", &hints) != 0)
        return WRONG_DATA;
    return AT(A, kp_index(here->world, here->out, here->in, ONE, &hints));
}

PROGRAM(algorithm_of_another_operation, "Processor 2 names a broadcast's algorithm for an index.",
        SAYS({"2", KP_EALGORITHM, "pipelined | index", WORKS},
             {"others", KP_EPEER, "P2 | pipelined", WORKS}))
{
    kp_hints hints;
    if (kp_hints_parse(KP_BROADCAST, "pipelined", &hints) != 0)
        return WRONG_DATA;
    return AT(A, kp_index(here->world, here->out, here->in, ONE, here->me == 2 ? &hints : NULL));
}

PROGRAM(radix_of_one, "A radix that cannot be, set by hand.",
        SAYS({"all", TELLING, "r | 1 | 2 | 4", WORKS}))
{
    kp_hints hints = {.algorithm = kp_algorithm_find(KP_INDEX, "radix"), .values = {1}};
    return AT(A, kp_index(here->world, here->out, here->in, ONE, &hints));
}

PROGRAM(no_such_algorithm, "The name of the algorithm is misspelt.", .caller = true,
        SAYS({"all", KP_EALGORITHM, "radx | radix"}))
{
    kp_hints hints;
    return heard(here, kp_hints_parse(KP_INDEX, "radx,r=4", &hints));
}

PROGRAM(no_such_parameter, "The algorithm has no parameter of that name.", .caller = true,
        SAYS({"all", KP_EALGORITHM, "q | r"}))
{
    kp_hints hints;
    return heard(here, kp_hints_parse(KP_INDEX, "radix,q=4", &hints));
}

PROGRAM(root_of_one_member_gone_wild, "Only the root's own view of the root is wrong, in a gather.",
        SAYS({"0", KP_EARGUMENT, "root | 99", WORKS},
             {"others", KP_EPEER, "P0 | root | 99", WORKS}))
{
    return AT(A, kp_gather(here->world, &here->mine, here->all, ONE, here->me == 0 ? 99 : 0, NULL));
}

PROGRAM(sent_to_oneself_received_from_another, "A copy to oneself that comes from somebody else.",
        SAYS({"1", KP_EARGUMENT, "from/2", WORKS}, {"others", KP_EPEER, "P1", WORKS}))
{
    if (here->me == 1)
        return AT(A, kp_send_recv(here->world, &here->mine, ONE, 1, here->in, ONE, 2));
    return AT(B, kp_send_recv(here->world, NULL, 0, -1, NULL, 0, -1));
}

PROGRAM(two_reasons_at_once, "Two processors are wrong, each in its own way.",
        SAYS({"0", KP_EARGUMENT, "root | 7", WORKS}, {"1", KP_EARGUMENT, "root | 8", WORKS},
             {"others", KP_EPEER, "P0/P1 | root", WORKS}))
{
    int root = here->me == 0 ? 7 : here->me == 1 ? 8 : 0;
    return AT(A, kp_broadcast(here->world, here->in, ONE, root, NULL));
}

const wrong_program *const wrong_parameters[] = {&program_other_root,
                                                 &program_everybody_is_root,
                                                 &program_rank_or_processor,
                                                 &program_other_target,
                                                 &program_other_length,
                                                 &program_elements_for_bytes,
                                                 &program_other_count,
                                                 &program_other_type,
                                                 &program_other_operator,
                                                 &program_other_radix,
                                                 &program_other_algorithm,
                                                 &program_root_out_of_range,
                                                 &program_root_of_one_below_zero,
                                                 &program_target_out_of_range,
                                                 &program_more_than_memory,
                                                 &program_count_times_size_overflows,
                                                 &program_algorithm_for_powers_of_two,
                                                 &program_algorithm_of_another_operation,
                                                 &program_radix_of_one,
                                                 &program_no_such_algorithm,
                                                 &program_no_such_parameter,
                                                 &program_root_of_one_member_gone_wild,
                                                 &program_sent_to_oneself_received_from_another,
                                                 &program_two_reasons_at_once,
                                                 NULL};
