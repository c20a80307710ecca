#include "lib/route/router.h"

#include <stddef.h>

static const struct kp_protocol *const protocols[] = {
#define KP_PROTOCOL_ROW(name) &name,
    KP_PROTOCOLS(KP_PROTOCOL_ROW)
#undef KP_PROTOCOL_ROW
};

const struct kp_protocol *kp_protocol_row(int i)
{
    return i >= 0 && (size_t)i < sizeof protocols / sizeof protocols[0] ? protocols[i] : NULL;
}
