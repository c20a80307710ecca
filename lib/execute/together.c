#include "lib/execute/instructions.h"
#include "ports/member.h"

/* One thread copies for all members of its core set, forwards or backwards.
 *
 * Returns whether these copies include the moves before round 0. The moves are included if round 0
 * is the last round. */
static bool moves_late(const struct kp_code *code)
{
    return code->rounds == 1 && !code->early;
}

static void copy_for_one(const kp_group *member, bool backwards)
{
    const struct kp_code *code = kp_member_work(member);
    const struct code_round *r = &code->round[code->rounds - 1];
    const bool moves_too = moves_late(code);
    char *base[KP_CODE_SPACES];
    for (int space = 0; space < KP_SPACES; space++)
        base[space] = (char *)kp_member_bases(member)[space];
    if (moves_too && !backwards)
        kp_carry_out(code->all, code->all + code->first, base, NULL);
    for (uint32_t i = r->send; i < r->last; i++) {
        const struct code_message *m = &code->messages[backwards ? r->last - 1 - (i - r->send) : i];
        kp_reach(base, member, m->rank);
        kp_carry_out(code->all + m->first, code->all + m->end, base, NULL);
    }
    if (moves_too && backwards)
        kp_carry_out(code->all, code->all + code->first, base, NULL);
}

void kp_copy_for_all(const kp_group *member)
{
    const bool backwards = kp_core_set_backwards(member);
    bool any = false;
    const kp_group *one = kp_core_set_first(member, backwards);
    for (; one; one = kp_core_set_next(one, backwards)) {
        if (!kp_member_work(one))
            continue;
        copy_for_one(one, backwards);
        any = true;
    }
    if (any)
        kp_core_set_worked(member);
}
