#include "route_payload.h"

#include "command.h"

int route_move(const struct route_job *job, int32_t n, uint64_t trial, const int32_t *counts,
               const struct kp_protocol *protocol, struct route_moved *moved)
{
    (void)job;
    (void)n;
    (void)trial;
    (void)counts;
    (void)protocol;
    (void)moved;
    return EXIT_FAILED;
}
