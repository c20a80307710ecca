/* The data that a member keeps from call to call, and how the member uses them to serve a call. */
#include "lib/call/call.h"
#include "lib/call/laid.h"
#include "lib/execute/cache.h"

#include <stdlib.h>

struct member_calls {
    /* comes first, because other files use a pointer to this struct as a kp_cache */
    struct kp_cache cache;
    struct kp_prepared *passing; /* the latest call, if the cache does not keep it */
    size_t scratch_bytes;
    struct kp_attachment kept[KP_KEPTS];
};

static void free_member(void *data)
{
    struct member_calls *own = data;
    kp_prepared_free(own->passing);
    kp_cache_free(&own->cache);
    for (int i = 0; i < KP_KEPTS; i++) {
        if (own->kept[i].data)
            own->kept[i].free(own->kept[i].data);
    }
    free(own);
}

static struct member_calls *calls_of_member(kp_group *member)
{
    struct kp_attachment *attachment = kp_port_member_attachment(member);
    struct member_calls *own = attachment->data;
    if (!own && (own = kp_lines_zeroed(1, sizeof *own))) {
        kp_cache_init(&own->cache);
        *attachment = (struct kp_attachment){own, free_member};
    }
    return own;
}

struct kp_attachment *kp_kept_of(kp_group *member, enum kp_kept what)
{
    struct member_calls *own = calls_of_member(member);
    return own ? &own->kept[what] : NULL;
}

char *kp_prepared_scratch(kp_group *member, size_t bytes)
{
    struct member_calls *own = calls_of_member(member);
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

/* Returns the code of a call that is to be kept, or NULL. A lane's member takes the code of another
 * lane if it can, so that the lanes, which are used in turn, read the same cache lines. */
static struct kp_code *code_for(kp_group *member, const struct kp_key *key,
                                const struct kp_prepared *call)
{
    struct kp_code *code = NULL;
    for (int i = 0; i < KP_LANES && !code; i++) {
        const kp_group *lane = kp_lane_beside(member, i);
        const struct kp_prepared *other = lane ? kp_cache_look(lane, key) : NULL;
        code = other ? kp_code_share(other, call) : NULL;
    }
    return code ? code : kp_lower(member, call);
}

struct kp_prepared *kp_prepared_make(kp_group *member, const struct kp_key *key,
                                     const kp_problem *asked, bool keeps)
{
    const kp_hints *hints = key->a->hints;
    struct member_calls *own = calls_of_member(member);
    if (own && !own->passing)
        own->passing = kp_lines_zeroed(1, sizeof *own->passing);
    struct kp_prepared *passing = own ? own->passing : NULL;
    if (!passing) {
        kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for a prepared call");
        return NULL;
    }
    if (kp_prepare(member, asked, hints && hints->trusted, passing))
        return NULL;
    if (passing->scratch_bytes > 0 && !kp_prepared_scratch(member, passing->scratch_bytes)) {
        kp_port_error(member, KP_EMEMORY, -1, -1, -1, "no memory for %zu bytes of scratch",
                      passing->scratch_bytes);
        return NULL;
    }
    if (kp_has_layouts(key->a) && kp_laid_prepare(member, key->a, passing))
        return NULL;
    passing->what = key->what;
    passing->amount = key->amount;
    passing->hints = hints ? *hints : (kp_hints){.algorithm = NULL};
    passing->plain_op =
        hints || kp_has_layouts(key->a) || passing->operator.combine ? NULL : key->a->op;
    if (keeps) {
        passing->code = code_for(member, key, passing);
        if (kp_cache_add(member, &own->cache, passing))
            own->passing = NULL;
    }
    return passing;
}

struct kp_prepared *kp_prepared_find(kp_group *member, const kp_arguments *a,
                                     const kp_problem *asked)
{
    const struct kp_key key = kp_key_of(a);
    struct kp_prepared *kept = kp_cache_find(member, &key);
    return kept ? kept : kp_prepared_make(member, &key, asked, true);
}

int kp_call_carry_out(kp_group *member, struct kp_prepared *call, const void *out, void *in,
                      char *scratch, bool early)
{
    char *const buffers[KP_SPACES] = {[KP_OUT] = (char *)out, [KP_IN] = in, [KP_SCRATCH] = scratch};
    const struct kp_spaces_of_call *spaces = &call->spaces;
    if (call->laid)
        kp_streams_publish(&call->laid->streams);
    const char *from = buffers[spaces->of[0]] + spaces->offset[0];
    char *to = buffers[spaces->of[1]] + spaces->offset[1];
    return early ? kp_execute_leaving(member, call, from, to, scratch)
                 : kp_execute(member, call, from, to, scratch);
}

int kp_call_serve(kp_group *member, const struct kp_key *key, const kp_problem *asked,
                  const kp_problem *called, bool keeps)
{
    struct kp_prepared *prepared = kp_prepared_make(member, key, asked, keeps);
    if (!prepared)
        return kp_member_refuse(member, kp_call_describe, called);
    if (called != asked)
        prepared->published.subject = called;
    return kp_call_carry_out(member, prepared, key->a->out, key->a->in,
                             kp_prepared_scratch(member, 0), false);
}
