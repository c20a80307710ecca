/* Persistent plans whose call is started and waited for later. */
#include "kport/start.h"

#include "lib/call/plan.h"
#include "lib/request/start.h"
#include "ports/member.h"

int kp_plan_start(kp_plan *plan, kp_request **request)
{
    int status = kp_plan_look(plan);
    if (status)
        return status;
    kp_group *member = kp_plan_member(plan);
    status = kp_member_enter(member);
    if (status)
        return status;
    return kp_member_leave(member,
                           kp_start_entered(member, kp_plan_arguments(plan), plan, request));
}
