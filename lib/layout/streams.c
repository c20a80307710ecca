#include "lib/layout/streams.h"

#include "lib/execute/code.h"
#include "lib/execute/copy.h"
#include "lib/layout/stream.h"
#include "ports/member.h"

static const kp_layout *layout_of(const struct kp_streams *streams, uint8_t space)
{
    if (space >= KP_PEER)
        return streams->peer[space - KP_PEER];
    return space < KP_BUFFER ? streams->own[space] : NULL;
}

void kp_carry_out_stream(const struct kp_instruction *i, char *const *base,
                         struct kp_streams *streams)
{
    if (i->kind == KP_MEET_LAYOUTS) {
        streams->peer =
            (const void *)kp_member_bases_of(streams->member, (int)i->to_step)[KP_SPACES];
        return;
    }
    struct kp_position to = {base[i->to_space], layout_of(streams, i->to_space), i->to};
    struct kp_position from = {base[i->from_space], layout_of(streams, i->from_space), i->from};
    /* Data of MPI's calls may have a layout at the peer, which is known only now. */
    const bool past = i->kind == KP_COPY_STREAM_PAST && !to.layout && !from.layout;
    for (uint32_t n = i->count; n > 0; n--) {
        if (past && to.data + to.at != from.data + from.at)
            kp_copy_past_cache(to.data + to.at, from.data + from.at, i->bytes);
        else
            kp_stream_copy(&to, &from, i->bytes);
        to.at += (uint64_t)i->to_step;
        from.at += (uint64_t)i->from_step;
    }
}
