/* Calls that a layer above makes again (lib/call/face.h). */
#include "lib/call/call.h"
#include "lib/call/face.h"
#include "lib/call/laid.h"
#include "lib/execute/cache.h"
#include "ports/member.h"

struct kp_face_kept kp_face_keep(kp_group *group, const kp_arguments *a)
{
    const struct kp_cache *cache = kp_member_attachment(group);
    kp_arguments completed = *a;
    if (!cache || (kp_has_layouts(a) && kp_laid_complete(group, a, &completed)))
        return (struct kp_face_kept){NULL, 0};
    const struct kp_key key = kp_key_of(&completed);
    return (struct kp_face_kept){kp_cache_find(group, &key), cache->drops};
}

/* Returns whether the buffers need no closer look. Of layouts with gaps, only buffers that were
 * checked before need none. */
static bool fit(const struct kp_prepared *call, const void *out, const void *in)
{
    const struct kp_laid *laid = call->laid;
    if (laid && call->lowering.laid & KP_LAID_OWN)
        return laid->checked_out == out && laid->checked_in == in;
    return kp_call_buffers_fit(call, out, in);
}

int kp_face_again(kp_group *group, const struct kp_face_kept *kept, const void *out, void *in,
                  bool early)
{
    kp_member_come_back(group); /* the rest of a left call may drop calls from the cache */
    const struct kp_cache *cache = kp_member_attachment(group);
    struct kp_prepared *call = (struct kp_prepared *)(uintptr_t)kept->call;
    if (!call || !cache || cache->drops != kept->drops || !fit(call, out, in))
        return KP_FACE_FORGOTTEN;
    int status = kp_member_enter(group);
    if (status)
        return status;
    status = kp_call_carry_out(group, call, out, in, cache->scratch, early);
    return kp_member_late(group, kp_member_leave(group, status));
}

int kp_face_come_back(kp_group *group)
{
    kp_member_come_back(group);
    return kp_member_late(group, KP_OK);
}
