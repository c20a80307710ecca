/* Memory: buffers that do not exist, overlap, or are not aligned for their type. */
#include "wrong.h"

#include <stddef.h>

#define ONE sizeof here->mine

PROGRAM(no_outgoing_buffer, "Processor 2 has forgotten to allocate what it sends.",
        SAYS({"2", KP_EARGUMENT, "out | NULL/null", WORKS},
             {"others", KP_EPEER, "P2 | out", WORKS}))
{
    return AT(A, kp_index(here->world, here->me == 2 ? NULL : here->out, here->in, ONE, NULL));
}

PROGRAM(no_incoming_buffer, "Processor 0 has no memory for what comes.",
        SAYS({"0", KP_EARGUMENT, "in | NULL/null", WORKS}, {"others", KP_EPEER, "P0 | in", WORKS}))
{
    return AT(A, kp_concat(here->world, &here->mine, here->me == 0 ? NULL : here->in, ONE, NULL));
}

PROGRAM(no_buffer_at_the_root, "The root of a scatter has nothing to scatter.",
        SAYS({"1", KP_EARGUMENT, "out | NULL/null", WORKS},
             {"others", KP_EPEER, "P1 | out", WORKS}))
{
    return AT(A, kp_scatter(here->world, NULL, here->in, ONE, 1, NULL));
}

PROGRAM(no_data_to_broadcast, "The data of a broadcast is NULL everywhere.",
        SAYS({"all", KP_EARGUMENT, "NULL/null", WORKS}))
{
    return AT(A, kp_broadcast(here->world, NULL, ONE, 0, NULL));
}

PROGRAM(index_into_itself, "An index from a buffer into the same, which KP_IN_PLACE is for.",
        SAYS({"3", KP_EARGUMENT, "overlap", WORKS}, {"others", KP_EPEER, "P3 | overlap", WORKS}))
{
    void *in = here->me == 3 ? here->out : here->in;
    return AT(A, kp_index(here->world, here->out, in, ONE, NULL));
}

PROGRAM(last_byte_in_common, "The own block ends one byte within the incoming buffer.",
        SAYS({"all", KP_EARGUMENT, "overlap", WORKS}))
{
    char *memory = (char *)here->all;
    return AT(A, kp_concat(here->world, memory, memory + ONE - 1, ONE, NULL));
}

PROGRAM(own_block_in_the_result,
        "The own block of a gather's root lies in the result: not said so.",
        SAYS({"0", KP_EARGUMENT, "overlap", WORKS}, {"others", KP_EPEER, "P0", WORKS}))
{
    return AT(A, kp_gather(here->world, here->all, here->all, ONE, 0, NULL));
}

PROGRAM(sum_over_its_operand, "A sum is written over half of its operand.",
        SAYS({"1", KP_EARGUMENT, "overlap", WORKS}, {"others", KP_EPEER, "P1", WORKS}))
{
    int *in = here->me == 1 ? here->out + 1 : here->in;
    return AT(A, kp_allreduce(here->world, here->out, in, 2, KP_INT32, KP_SUM, NULL));
}

#ifdef __i386__ /* the i386 ABI aligns doubles in arrays and structures to 4 bytes */
#define DOUBLES_AT "4"
#else
#define DOUBLES_AT "8"
#endif

PROGRAM(not_aligned, "Doubles begin at an odd address.",
        SAYS({"2", KP_EARGUMENT, "align/multiple | " DOUBLES_AT, WORKS},
             {"others", KP_EPEER, "P2", WORKS}))
{
    double out[2] = {0}, in[2] = {0};
    char *odd = (char *)out + (here->me == 2 ? 1 : 0);
    return AT(A, kp_allreduce(here->world, odd, in, 1, KP_FLOAT64, KP_SUM, NULL));
}

PROGRAM(result_not_aligned, "The result of a scan begins at an odd address.",
        SAYS({"0", KP_EARGUMENT, "align/multiple | 4", WORKS}, {"others", KP_EPEER, "P0", WORKS}))
{
    char *in = (char *)here->in + (here->me == 0 ? 2 : 0);
    return AT(A, kp_scan(here->world, here->out, in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(in_place_where_nothing_is, "A broadcast has one buffer, and nothing to be in place of.",
        SAYS({"all", KP_EARGUMENT, "KP_IN_PLACE", WORKS}))
{
    return AT(A, kp_broadcast(here->world, KP_IN_PLACE, ONE, 0, NULL));
}

PROGRAM(both_in_place, "Both buffers are said to be in the place of the other.",
        SAYS({"1", KP_EARGUMENT, "KP_IN_PLACE", WORKS}, {"others", KP_EPEER, "P1", WORKS}))
{
    void *in = here->me == 1 ? KP_IN_PLACE : here->in;
    return AT(A, kp_allreduce(here->world, KP_IN_PLACE, in, 1, KP_INT32, KP_SUM, NULL));
}

PROGRAM(in_place_at_a_leaf, "Only the root of a gather has a place for its own block.",
        SAYS({"2", KP_EARGUMENT, "KP_IN_PLACE", WORKS}, {"others", KP_EPEER, "P2", WORKS}))
{
    const void *out = here->me == 2 ? KP_IN_PLACE : &here->mine;
    return AT(A, kp_gather(here->world, out, here->all, ONE, 0, NULL));
}

const wrong_program *const wrong_memory[] = {&program_no_outgoing_buffer,
                                             &program_no_incoming_buffer,
                                             &program_no_buffer_at_the_root,
                                             &program_no_data_to_broadcast,
                                             &program_index_into_itself,
                                             &program_last_byte_in_common,
                                             &program_own_block_in_the_result,
                                             &program_sum_over_its_operand,
                                             &program_not_aligned,
                                             &program_result_not_aligned,
                                             &program_in_place_where_nothing_is,
                                             &program_both_in_place,
                                             &program_in_place_at_a_leaf,
                                             NULL};
