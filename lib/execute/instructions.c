#include "lib/execute/instructions.h"

#include "lib/execute/blocks.h"
#include "lib/layout/streams.h"

void kp_carry_out_long(const struct kp_instruction *i, char *to, const char *from,
                       char *const *base, const struct kp_combiner *combiner)
{
    if (i->kind == KP_COMBINE_LEFT || i->kind == KP_COMBINE_RIGHT) {
        const char *operand = base[i->operand_space] + i->operand;
        const bool left = i->kind == KP_COMBINE_LEFT;
        if (i->bytes == 1 && i->count > 1 && combiner->loops.fold) {
            combiner->loops.fold(to, operand, from, i->from_step, i->count, left);
            return;
        }
        for (uint32_t n = i->count; n > 0; n--, operand = to, from += i->from_step)
            combiner->loops.combine(to, left ? from : operand, left ? operand : from, i->bytes,
                                    combiner->context);
        return;
    }
    if (i->kind >= KP_COMBINE_BLOCKS_LEFT && i->kind <= KP_UNPACK_BLOCKS_RIGHT) {
        kp_combine_blocks(i, to, base[i->operand_space] + i->operand, from, combiner);
        return;
    }
    if (i->kind >= KP_COPY_STREAM && i->kind <= KP_MEET_LAYOUTS) {
        kp_carry_out_stream(i, base, combiner->streams);
        return;
    }
    if (i->kind != KP_COPY_PAST) {
        kp_carry_out_blocks(i, to, from, combiner->blocks);
        return;
    }
    for (uint32_t n = i->count; n > 0; n--, to += i->to_step, from += i->from_step) {
        if (to != from)
            kp_copy_past_cache(to, from, i->bytes);
    }
}
