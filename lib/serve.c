/* Finds what serves a call, and carries it out. */
#include "lib/call.h"
#include "ports/pass.h"

int kp_call_carry_out(kp_group *seat, struct kp_prepared *call, const void *out, void *in,
                      char *scratch)
{
    char *const buffers[KP_SPACES] = {[KP_OUT] = (char *)out, [KP_IN] = in, [KP_SCRATCH] = scratch};
    const struct kp_places *places = &call->places;
    return kp_execute(seat, call, buffers[places->of[0]] + places->offset[0],
                      buffers[places->of[1]] + places->offset[1], scratch);
}

int kp_call_serve(kp_group *seat, const kp_arguments *a, const kp_problem *asked,
                  const kp_problem *called, bool keeps)
{
    struct kp_prepared *prepared = kp_plan_find(seat, a, asked, keeps);
    if (!prepared)
        return kp_pass_refuse(seat, kp_call_describe, called);
    if (called != asked)
        prepared->shown.subject = called;
    return kp_call_carry_out(seat, prepared, a->out, a->in, kp_plan_scratch(seat, 0));
}
