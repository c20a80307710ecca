/* Checks the arguments of a reduce-scatter whose blocks have lengths of their own, and lays out the
 * blocks. The operands lie one behind the other, and all members give the same counts. */
#include "lib/call/call.h"
#include "lib/call/lengths_check.h"
#include "lib/schedule/elements.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* With at most this many bytes for each block, the sum over all blocks does not overflow. */
static size_t most_bytes(const kp_group *member)
{
    return (size_t)(SIZE_MAX < INT64_MAX ? SIZE_MAX : INT64_MAX) / 4 / (size_t)kp_port_size(member);
}

static int check_counts(kp_group *member, const kp_arguments *a, size_t element, size_t *total)
{
    const size_t n = (size_t)kp_port_size(member), most = most_bytes(member) / element;
    if (!a->out_counts)
        return kp_port_error(member, KP_EARGUMENT, -1, -1, -1,
                             "counts is NULL; it must be an array with a number of elements for "
                             "every member");
    *total = 0;
    for (size_t i = 0; i < n; i++) {
        const size_t count = a->out_counts[i];
        char as_signed[64] = "";
        if (count > PTRDIFF_MAX)
            snprintf(as_signed, sizeof as_signed, " (as a signed number -%zu)", (size_t)0 - count);
        if (count > most)
            return kp_port_error(
                member, KP_EARGUMENT, -1, -1, -1,
                "counts[%zu] is %zu%s, of elements of %zu bytes; with %zu processors "
                "it may be 0 ... %zu",
                i, count, as_signed, element, n, most);
        *total += count * element;
    }
    return KP_OK;
}

/* The operands of a call in place are copied, because the result is written over them. */
static bool make_tables(kp_group *member, const kp_arguments *a, size_t total,
                        struct kp_lengths *own)
{
    const size_t n = (size_t)kp_port_size(member), rank = (size_t)kp_port_rank(member);
    char *operands = (char *)a->out;
    kp_arena_reset(&own->arena);
    if (!kp_lengths_make(own, KP_OUT, n) || !kp_lengths_make(own, KP_IN, 1))
        return false;
    if (a->out == KP_IN_PLACE) {
        operands = kp_arena_take(&own->arena, total);
        if (operands && total > 0)
            memcpy(operands, a->in, total);
    }
    own->sums.longest = 0;
    own->sums.total = total;
    for (size_t i = 0; i < n; i++) {
        const size_t bytes = a->out_counts[i] * own->element_bytes;
        own->blocks[KP_OUT][i] = (struct kp_block){.data = operands, .bytes = bytes};
        own->sums.longest = bytes > own->sums.longest ? bytes : own->sums.longest;
        operands = bytes > 0 ? operands + bytes : operands;
    }
    const size_t result = own->blocks[KP_OUT][rank].bytes;
    own->blocks[KP_IN][0] =
        (struct kp_block){.data = a->in, .bytes = result, .home = a->in, .fits = result};
    return a->out != KP_IN_PLACE || total == 0 || own->blocks[KP_OUT][0].data;
}

int kp_lengths_lay_operands(kp_group *member, const kp_arguments *a, const kp_problem *asked,
                            struct kp_lengths *own)
{
    size_t total = 0;
    int status = kp_call_check_operator(member, asked);
    own->element_bytes = kp_element_bytes(asked);
    status = status ? status : check_counts(member, a, own->element_bytes, &total);
    if (status)
        return status;
    const size_t result = a->out_counts[kp_port_rank(member)] * own->element_bytes;
    status = kp_call_check_buffers(member, a, asked, total, asked->in_place ? total : result);
    if (status)
        return status;
    return make_tables(member, a, total, own)
               ? KP_OK
               : kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                               "no memory for the table of %d blocks and their copy", asked->n + 1);
}

static int refuse_difference(kp_group *member, int other, size_t theirs, size_t own)
{
    char places[2][KP_LENGTH_WORDS] = {"", ""};
    const int rank = kp_port_rank(member), processor = kp_port_processor(member, rank);
    kp_port_say_place(member, other, &(struct kp_words){places[0], KP_LENGTH_WORDS, 0, NULL});
    kp_port_say_place(member, rank, &(struct kp_words){places[1], KP_LENGTH_WORDS, 0, NULL});
    return kp_port_error(member, KP_EMISMATCH, -1, -1, other,
                         "processor %d gives %zu elements for the result of processor %d "
                         "(counts[%d]%s), but processor %d gives %zu (counts[%d]%s)",
                         kp_port_processor(member, other), theirs, processor, rank, places[0],
                         processor, own, rank, places[1]);
}

int kp_lengths_compare_operands(kp_group *member, const kp_arguments *a,
                                const struct kp_lengths *own)
{
    const int rank = kp_port_rank(member);
    for (int i = 0; i < kp_port_size(member); i++) {
        const size_t bytes = *(const size_t *)kp_port_told_beside(member, i);
        if (bytes != own->blocks[KP_OUT][rank].bytes)
            return refuse_difference(member, i, bytes / own->element_bytes, a->out_counts[rank]);
    }
    return KP_OK;
}
