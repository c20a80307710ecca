#include "ports/message/requests.h"

/* A message that has come is found first, as a call that begins lets all requests go on. */
static bool cancel_receive(struct kp_receive *receive)
{
    if (receive->receiving.arrives)
        return false;
    if (receive->receiving.done)
        return false; /* untaken: a receive that has its message has ended */
    kp_receive_unpost(receive);
    return true;
}

/* A send that waits for room in its ring leaves the queue. Of one on its way the message is
 * withdrawn, if nobody has begun to copy it. */
static bool cancel_send(struct kp_send *send)
{
    struct kp_link *link = send->sending.link;
    struct kp_send **at = &link->waiting, *before = NULL;
    if (send->own->box)
        return false; /* untaken: the receiver cannot be asked; MPI's functions are for one machine
                       */
    if (send->sending.posted)
        return send->sending.offered && kp_offer_withdraw(&send->sending.offered->offer);
    while (*at != send) {
        before = *at;
        at = &before->next;
    }
    *at = send->next;
    if (link->last == send)
        link->last = before;
    kp_send_rouse_first(link);
    return true;
}

bool kp_face_has_ended(const kp_request *request)
{
    return request->ended;
}

bool kp_face_can_end(const kp_request *request)
{
    return request->row->can_go(request);
}

int kp_face_cancel(kp_request **request, bool *cancelled)
{
    kp_request *one = *request;
    kp_group *member = one->member;
    int status = kp_member_enter(member);
    *cancelled = false;
    if (status)
        return status;
    if (!one->ended && one->row == &kp_receive_row)
        *cancelled = cancel_receive((struct kp_receive *)one);
    else if (!one->ended && one->row == &kp_send_row)
        *cancelled = cancel_send((struct kp_send *)one);
    if (*cancelled) {
        kp_request_drop(one);
        *request = NULL;
    }
    return kp_member_leave(member, status);
}
