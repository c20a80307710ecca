/* What a seat keeps from call to call, and how a call is served from it. */
#include "lib/call/call.h"
#include "lib/execute/cache.h"

#include <stdlib.h>

struct seat_plans {
    struct kp_cache cache;       /* first: the seat's attachment is taken for it */
    struct kp_prepared *passing; /* the call that came last, where it is not kept */
    size_t scratch_bytes;
    struct kp_attachment kept[KP_KEPTS];
};

static void free_seat(void *data)
{
    struct seat_plans *own = data;
    kp_prepared_free(own->passing);
    kp_cache_free(&own->cache);
    for (int i = 0; i < KP_KEPTS; i++) {
        if (own->kept[i].data)
            own->kept[i].free(own->kept[i].data);
    }
    free(own);
}

static struct seat_plans *plans_of(kp_group *seat)
{
    struct kp_attachment *attachment = kp_port_seat_attachment(seat);
    struct seat_plans *own = attachment->data;
    if (!own && (own = kp_lines_zeroed(1, sizeof *own))) {
        kp_cache_init(&own->cache);
        *attachment = (struct kp_attachment){own, free_seat};
    }
    return own;
}

struct kp_attachment *kp_plan_kept(kp_group *seat, enum kp_kept what)
{
    struct seat_plans *own = plans_of(seat);
    return own ? &own->kept[what] : NULL;
}

char *kp_plan_scratch(kp_group *seat, size_t bytes)
{
    struct seat_plans *own = plans_of(seat);
    if (own && (bytes > own->scratch_bytes || !own->cache.scratch)) {
        void *memory;
        if (posix_memalign(&memory, 64, bytes > 0 ? bytes : 64) != 0)
            return NULL;
        free(own->cache.scratch);
        own->cache.scratch = memory;
        own->scratch_bytes = bytes;
    }
    return own ? own->cache.scratch : NULL;
}

struct kp_prepared *kp_plan_find(kp_group *seat, const kp_arguments *a, const kp_problem *asked,
                                 bool keeps)
{
    const struct kp_key key = kp_key_of(a);
    struct seat_plans *own = plans_of(seat);
    struct kp_prepared *found = own && keeps ? kp_cache_find(seat, &key) : NULL;
    if (found)
        return found;
    if (own && !own->passing)
        own->passing = kp_lines_zeroed(1, sizeof *own->passing);
    struct kp_prepared *passing = own ? own->passing : NULL;
    if (!passing) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for a plan");
        return NULL;
    }
    if (kp_prepare(seat, asked, a->how, passing))
        return NULL;
    if (passing->scratch_bytes > 0 && !kp_plan_scratch(seat, passing->scratch_bytes)) {
        kp_port_error(seat, KP_EMEMORY, -1, -1, -1, "no memory for %zu bytes of scratch",
                      passing->scratch_bytes);
        return NULL;
    }
    passing->what = key.what;
    passing->amount = key.amount;
    passing->how = a->how ? *a->how : (kp_how){.algorithm = NULL};
    if (keeps) {
        passing->code = kp_lower(seat, passing);
        if (kp_cache_add(seat, &own->cache, passing))
            own->passing = NULL;
    }
    return passing;
}

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
