/* Lengths: sender and receiver give different lengths for a block, in calls in which each block has
 * a length of its own. */
#include "wrong.h"

#include <stddef.h>

PROGRAM(longer_than_expected, "Processor 1 sends processor 2 twelve bytes, which expects eight.",
        SAYS({"all", KP_EMISMATCH, "P1 | P2 | 12 | 8", WORKS}))
{
    size_t out[4] = {8, 8, 8, 8}, in[4] = {8, 8, 8, 8};
    if (here->me == 1)
        out[2] = 12;
    return AT(A, kp_indexv(here->world, here->out, out, NULL, here->in, in, NULL, NULL));
}

PROGRAM(own_block_of_two_lengths, "What a processor sends to itself is not what it expects.",
        SAYS({"0", TELLING, "8 | 4", WORKS}, {"others", TELLING, "P0", WORKS}))
{
    size_t out[4] = {4, 4, 4, 4}, in[4] = {4, 4, 4, 4};
    if (here->me == 0)
        in[0] = 8;
    return AT(A, kp_indexv(here->world, here->out, out, NULL, here->in, in, NULL, NULL));
}

PROGRAM(nothing_or_something, "Processor 3 sends processor 0 a block that it thinks is empty.",
        SAYS({"all", KP_EMISMATCH, "P3 | P0 | 4", WORKS}))
{
    size_t out[4] = {0}, in[4] = {0};
    if (here->me == 3)
        out[0] = 4;
    return AT(A, kp_indexv(here->world, here->out, out, NULL, here->in, in, NULL, NULL));
}

PROGRAM(counts_not_the_same_everywhere, "Processor 2 expects another length of the block of 1.",
        SAYS({"all", KP_EMISMATCH, "P1 | P2 | 4 | 8", WORKS}))
{
    size_t counts[4] = {4, 4, 4, 4};
    if (here->me == 2)
        counts[1] = 8;
    return AT(A, kp_concatv(here->world, here->out, 4, here->in, counts, NULL, NULL));
}

PROGRAM(leaf_expects_less, "The root scatters eight bytes to processor 3, which takes four.",
        SAYS({"all", KP_EMISMATCH, "P0 | P3 | 8 | 4", WORKS}))
{
    size_t counts[4] = {4, 4, 4, 8};
    return AT(A, kp_scatterv(here->world, here->out, counts, NULL, here->in, 4, 0, NULL));
}

PROGRAM(root_expects_more, "Processor 1 gives four bytes where the root gathers twelve.",
        SAYS({"all", KP_EMISMATCH, "P1 | P2 | 4 | 12", WORKS}))
{
    size_t counts[4] = {4, 12, 4, 4};
    return AT(A, kp_gatherv(here->world, here->out, 4, here->in, counts, NULL, 2, NULL));
}

PROGRAM(two_roots_of_lengths, "Two processors think that they are the root of a gather.",
        SAYS({"all", KP_EMISMATCH, "P3 | gatherv | root=3 | {A}", WORKS}))
{
    size_t counts[4] = {4, 4, 4, 4};
    return AT(A, kp_gatherv(here->world, here->out, 4, here->in, counts, NULL,
                            here->me == 3 ? 3 : 0, NULL));
}

PROGRAM(count_below_zero, "A count is -4, which is no length.",
        SAYS({"1", KP_EARGUMENT, "counts | 2 | -4/18446744073709551612/4294967292", WORKS},
             {"others", KP_EPEER, "P1", WORKS}))
{
    size_t counts[4] = {4, 4, 4, 4};
    if (here->me == 1)
        counts[2] = (size_t)-4;
    return AT(A, kp_concatv(here->world, here->out, 4, here->in, counts, NULL, NULL));
}

PROGRAM(displacement_below_zero, "A displacement points before the buffer.",
        SAYS({"0", KP_EARGUMENT, "displacements | 3", WORKS}, {"others", KP_EPEER, "P0", WORKS}))
{
    size_t counts[4] = {4, 4, 4, 4}, displacements[4] = {0, 4, 8, 12};
    if (here->me == 0)
        displacements[3] = (size_t)-4;
    return AT(
        A, kp_indexv(here->world, here->out, counts, displacements, here->in, counts, NULL, NULL));
}

PROGRAM(blocks_over_each_other, "Two incoming blocks have bytes in common.",
        SAYS({"2", KP_EARGUMENT, "overlap | 1 | 2", WORKS}, {"others", KP_EPEER, "P2", WORKS}))
{
    size_t counts[4] = {8, 8, 8, 8}, displacements[4] = {0, 8, 16, 24};
    if (here->me == 2)
        displacements[2] = 12;
    return AT(A, kp_concatv(here->world, here->out, 8, here->in, counts, displacements, NULL));
}

PROGRAM(no_counts, "The array of counts is NULL.",
        SAYS({"3", KP_EARGUMENT, "in_counts | NULL/null", WORKS},
             {"others", KP_EPEER, "P3", WORKS}))
{
    size_t counts[4] = {4, 4, 4, 4};
    return AT(A, kp_indexv(here->world, here->out, counts, NULL, here->in,
                           here->me == 3 ? NULL : counts, NULL, NULL));
}

PROGRAM(counts_that_changed, "A plan was made, then one member alone changes a length.",
        SAYS({"all", KP_EMISMATCH, "P1 | P0 | 4 | 8", WORKS}))
{
    size_t out[4] = {4, 4, 4, 4}, in[4] = {4, 4, 4, 4};
    kp_arguments arguments = {.operation = KP_INDEXV,
                              .out = here->out,
                              .in = here->in,
                              .out_counts = out,
                              .in_counts = in};
    kp_plan *plan = NULL;
    int status = AT(A, kp_plan_make(here->world, &arguments, &plan));
    for (int time = 0; time < 3 && status == 0; time++) {
        out[0] = here->me == 1 && time == 2 ? 8 : 4;
        status = AT(B, kp_plan_execute(plan));
    }
    kp_plan_free(plan);
    return status;
}

const wrong_program *const wrong_lengths[] = {&program_longer_than_expected,
                                              &program_own_block_of_two_lengths,
                                              &program_nothing_or_something,
                                              &program_counts_not_the_same_everywhere,
                                              &program_leaf_expects_less,
                                              &program_root_expects_more,
                                              &program_two_roots_of_lengths,
                                              &program_count_below_zero,
                                              &program_displacement_below_zero,
                                              &program_blocks_over_each_other,
                                              &program_no_counts,
                                              &program_counts_that_changed,
                                              NULL};
