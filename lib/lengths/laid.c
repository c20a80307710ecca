/* What calls with lengths for every block add if the blocks have layouts. */
#include "lib/lengths/check.h"

#include "lib/layout/kept.h"
#include "lib/layout/overlap.h"
#include "lib/problem/operation.h"
#include "ports/member.h"

#include <stdio.h>
#include <stdlib.h>

#define REFUSE(...) kp_port_error(member, KP_EARGUMENT, -1, -1, -1, __VA_ARGS__)

/* --- Checks --- */

/* Checks that block i of a buffer lies within what memory can hold, and describes it in `data`. */
static int check_block(kp_group *member, const struct kp_side *side, size_t i, size_t *end,
                       struct kp_laid_data *data)
{
    const kp_layout *layout = kp_side_layout(side, i);
    const size_t most = PTRDIFF_MAX / 4, extent = (size_t)layout->extent;
    const size_t unit = side->layouts ? 1 : extent, count = side->counts[i];
    const size_t displacement = side->displacements ? side->displacements[i] : 0;
    ptrdiff_t low, high;
    const bool fits = kp_layout_reach(layout, count, &low, &high) &&
                      (extent == 0 || count <= most / extent) &&
                      (unit == 0 || displacement <= most / unit);
    const size_t at = fits ? kp_side_place(side, i, end) : 0;
    const uintptr_t address = (uintptr_t)side->data + at;
    if (!fits || *end > most ||
        (low < high && ((low < 0 && address < (uintptr_t)-low) || address > UINTPTR_MAX - most)))
        return REFUSE("block %zu of %s (%zu %s, displacement %zu) reaches beyond what memory can "
                      "hold",
                      i, side->name, count, layout->text, displacement);
    if (low < high && !side->data)
        return REFUSE("%s is NULL; only with 0 bytes it may be NULL", side->name);
    *data = (struct kp_laid_data){(const char *)address, layout, count};
    return KP_OK;
}

static int check_side(kp_group *member, const struct kp_side *side, struct kp_laid_data *data)
{
    size_t end = 0;
    int status = KP_OK;
    if (side->blocks > 0 && !side->counts)
        return REFUSE("%s_counts is NULL; it must be an array with a count for every member",
                      side->name);
    for (size_t i = 0; i < side->blocks && !status; i++) {
        status = check_block(member, side, i, &end, &data[i]);
        if (!status && kp_side_bytes(side, i) > PTRDIFF_MAX / 4 / side->blocks)
            status = REFUSE("block %zu of %s has %zu bytes; with %zu members it may have 0 ... %zu",
                            i, side->name, kp_side_bytes(side, i), side->blocks,
                            (size_t)PTRDIFF_MAX / 4 / side->blocks);
    }
    return status;
}

static int refuse_memory(kp_group *member)
{
    return kp_port_error(member, KP_EMEMORY, -1, -1, -1,
                         "no memory to find out whether elements of layouts overlap");
}

static int check_overlap(kp_group *member, const struct kp_laid_data *in, size_t in_count,
                         const struct kp_laid_data *out, size_t out_count)
{
    for (size_t i = 0; i < in_count; i++) {
        const enum kp_overlap own = kp_layout_overlaps(&in[i]);
        if (own == KP_OVERLAP_UNKNOWN)
            return refuse_memory(member);
        if (own == KP_OVERLAP)
            return REFUSE("block %zu of in is %zu %s, extent %td: elements overlap, so they may be "
                          "read but not written",
                          i, in[i].count, in[i].layout->text, in[i].layout->extent);
    }
    const enum kp_overlap meet = kp_layouts_meet(in, in_count, out, out_count);
    if (meet == KP_OVERLAP_UNKNOWN)
        return refuse_memory(member);
    return meet == KP_APART
               ? KP_OK
               : REFUSE("elements of incoming blocks overlap each other, or elements "
                        "of outgoing blocks (to use one buffer for both, pass KP_IN_PLACE)");
}

int kp_lengths_check_laid(kp_group *member, const struct kp_side *out, const struct kp_side *in)
{
    struct kp_laid_data *data = calloc(in->blocks + out->blocks + 1, sizeof *data);
    if (!data)
        return refuse_memory(member);
    int status = check_side(member, in, data);
    status = status ? status : check_side(member, out, data + in->blocks);
    if (!status)
        status = check_overlap(member, data, in->blocks, data + in->blocks, out->blocks);
    free(data);
    return status;
}

/* --- The table --- */

static bool lay_side(const struct kp_side *side, kp_space space, struct kp_lengths *own)
{
    struct kp_laid_sent *told =
        kp_lengths_room(own->laid[space], &own->laid_capacity[space], side->blocks, sizeof *told);
    if (!told)
        return false;
    own->laid[space] = told;
    for (size_t i = 0; i < side->blocks; i++) {
        const kp_layout *layout = kp_side_layout(side, i);
        struct kp_block *block = &own->blocks[space][i];
        block->layout = kp_layout_is_plain(layout) ? NULL : layout;
        block->home_layout = block->layout;
        told[i] = (struct kp_laid_sent){
            block->bytes,
            kp_signature_number(kp_signature_repeated(layout->signature, side->counts[i])), layout};
    }
    return true;
}

bool kp_lengths_lay_laid(const struct kp_lengths_call *call, struct kp_lengths *own)
{
    return lay_side(&call->out, KP_OUT, own) && lay_side(&call->in, KP_IN, own);
}
