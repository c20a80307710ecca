/* The one list of protocols: a row each. */
#ifndef KPORT_LIB_ROUTE_PROTOCOLS_H
#define KPORT_LIB_ROUTE_PROTOCOLS_H

#include "lib/route/router.h"

#define KP_PROTOCOLS(X)                                                                            \
    X(kp_protocol_fullest)                                                                         \
    X(kp_protocol_balanced)                                                                        \
    X(kp_protocol_direct)                                                                          \
    X(kp_protocol_simple)                                                                          \
    X(kp_protocol_fast)

#define KP_PROTOCOL_DECLARED(name) extern const struct kp_protocol name;
KP_PROTOCOLS(KP_PROTOCOL_DECLARED)
#undef KP_PROTOCOL_DECLARED

#endif
