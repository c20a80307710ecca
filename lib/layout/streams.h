/* This header is for calls whose blocks have layouts. The positions of their instructions are
 * positions in streams (lib/layout/stream.h). A member publishes the layouts of its spaces with the
 * addresses of its memory, so that the others read and write its memory by its layouts. */
#ifndef KPORT_LIB_LAYOUT_STREAMS_H
#define KPORT_LIB_LAYOUT_STREAMS_H

#include "kport/layout.h"
#include "kport/schedule.h"
#include "ports/port.h"

struct kp_instruction;

/* What a call's instructions need of layouts. */
struct kp_streams {
    kp_group *member;
    /* The layouts of this member's own spaces (kp_space). NULL: the space is contiguous. Other
     * members read this array during the call. */
    const kp_layout *own[KP_SPACES];
    const kp_layout *const *peer; /* the layouts of the spaces of the message's peer */
};

/* Publishes the layouts of this member's spaces. They take the place of what the member tells the
 * others in other calls (kp_port_tell). */
static inline void kp_streams_publish(const struct kp_streams *streams)
{
    kp_port_publish(streams->member, KP_SPACES, streams->own);
}

_Static_assert(KP_SPACES < KP_PORT_SPACES, "there is an address for the layouts");

/* Carries out an instruction of kind KP_COPY_STREAM, KP_COPY_STREAM_PAST or KP_MEET_LAYOUTS. */
void kp_carry_out_stream(const struct kp_instruction *i, char *const *base,
                         struct kp_streams *streams);

#endif
