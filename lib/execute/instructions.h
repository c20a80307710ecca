/* These functions carry out instructions (code.h). All copies and combinations of collective
 * operations are made here. */
#ifndef KPORT_LIB_EXECUTE_INSTRUCTIONS_H
#define KPORT_LIB_EXECUTE_INSTRUCTIONS_H

#include "lib/execute/code.h"
#include "lib/execute/copy.h"
#include "lib/execute/interpret.h"
#include "ports/member.h"

#include <string.h>

static inline void copy_buffer(const struct kp_instruction *i, char *to, const char *from)
{
    if (kp_copy_is_word(i->bytes)) {
        for (uint32_t n = i->count; n > 0; n--, to += i->to_step, from += i->from_step)
            memcpy(to, from, 8);
        return;
    }
    for (uint32_t n = i->count; n > 0; n--, to += i->to_step, from += i->from_step)
        memcpy(to, from, i->bytes);
}

/* Copies between spaces. In a call in place many blocks already lie at their places, so this
 * function compares the addresses. */
static inline void copy_space(const struct kp_instruction *i, char *to, const char *from)
{
    for (uint32_t n = i->count; n > 0; n--, to += i->to_step, from += i->from_step) {
        if (to != from)
            kp_copy(to, from, i->bytes);
    }
}

/* Carries out an instruction of a kind other than KP_COPY_BUFFER and KP_COPY_SPACE. */
void kp_carry_out_long(const struct kp_instruction *i, char *to, const char *from,
                       char *const *base, const struct kp_combiner *combiner);

static inline void kp_carry_out(const struct kp_instruction *i, const struct kp_instruction *end,
                                char *const *base, const struct kp_combiner *combiner)
{
    for (; i < end; i++) {
        char *to = base[i->to_space] + i->to;
        const char *from = base[i->from_space] + i->from;
        if (i->kind == KP_COPY_BUFFER)
            copy_buffer(i, to, from);
        else if (i->kind == KP_COPY_SPACE)
            copy_space(i, to, from);
        else
            kp_carry_out_long(i, to, from, base, combiner);
    }
}

/* Makes the three spaces of the member with rank `rank` those of the peer (KP_PEER). */
static inline void kp_reach(char **base, const kp_group *member, int rank)
{
    const char *const *bases = kp_member_bases_of(member, rank);
    for (int space = 0; space < KP_SPACES; space++)
        base[KP_PEER + space] = (char *)bases[space];
}

#endif
