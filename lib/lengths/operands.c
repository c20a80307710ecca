/* Checks the arguments of a reduce-scatter whose blocks have lengths of their own, and lays out the
 * blocks. The operands lie one behind the other, and all members give the same counts. */
#include "lib/call/call.h"
#include "lib/lengths/check.h"
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
static bool make_tables(const struct kp_lengths_call *call, size_t rank, struct kp_lengths *own)
{
    const struct kp_side *out = &call->out;
    char *operands = out->data;
    size_t total = 0;
    for (size_t i = 0; i < out->blocks; i++)
        total += kp_side_bytes(out, i);
    kp_arena_reset(&own->arena);
    if (!kp_lengths_make(own, KP_OUT, out->blocks) || !kp_lengths_make(own, KP_IN, 1))
        return false;
    if (call->in_place) {
        operands = kp_arena_take(&own->arena, total);
        if (operands && total > 0)
            memcpy(operands, out->data, total);
    }
    own->sums.longest = 0;
    own->sums.total = total;
    for (size_t i = 0; i < out->blocks; i++) {
        const size_t bytes = kp_side_bytes(out, i);
        own->blocks[KP_OUT][i] = (struct kp_block){.data = operands, .bytes = bytes};
        own->sums.longest = bytes > own->sums.longest ? bytes : own->sums.longest;
        operands = bytes > 0 ? operands + bytes : operands;
    }
    const size_t result = own->blocks[KP_OUT][rank].bytes;
    own->blocks[KP_IN][0] = (struct kp_block){
        .data = call->in.data, .bytes = result, .home = call->in.data, .fits = result};
    return !call->in_place || total == 0 || own->blocks[KP_OUT][0].data;
}

int kp_lengths_resolve_operands(kp_group *member, struct kp_lengths_call *call)
{
    size_t total = 0;
    const kp_arguments *a = call->given;
    const kp_problem asked = kp_call_problem(member, a);
    const size_t n = (size_t)asked.n, rank = (size_t)kp_port_rank(member);
    int status = kp_call_check_operator(member, &asked);
    const size_t element = kp_element_bytes(&asked);
    status = status ? status : check_counts(member, a, element, &total);
    if (status)
        return status;
    call->in_place = asked.in_place;
    call->out = (struct kp_side){.data = asked.in_place ? a->in : (char *)a->out,
                                 .counts = a->out_counts,
                                 .blocks = n,
                                 .each = true,
                                 .unit = element,
                                 .name = "out"};
    call->in = (struct kp_side){
        .data = a->in, .counts = &a->out_counts[rank], .blocks = 1, .unit = element, .name = "in"};
    return kp_call_check_buffers(member, a, &asked, total,
                                 asked.in_place ? total : a->out_counts[rank] * element);
}

int kp_lengths_lay_operands(kp_group *member, const struct kp_lengths_call *call,
                            struct kp_lengths *own)
{
    own->element_bytes = call->out.unit;
    return make_tables(call, (size_t)kp_port_rank(member), own)
               ? KP_OK
               : kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                               "no memory for the table of %zu blocks and their copy",
                               call->out.blocks + 1);
}
