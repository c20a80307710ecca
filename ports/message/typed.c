#include "ports/message/typed.h"

#include "ports/message/links.h"

static const struct kp_typed contiguous;

void kp_typed_deliver(struct kp_receiving *receive, const struct kp_typed *sent,
                      const struct kp_typed *stored, const void *data, size_t bytes)
{
    const struct kp_typed_row *row = sent->row ? sent->row : receive->typed.row;
    if (row->agree(&receive->typed, sent, bytes)) {
        row->copy(&receive->typed, receive->data, stored, data, bytes);
        return;
    }
    kp_typed_hold(sent);
    receive->sent = *sent;
    receive->differs = true;
}

void kp_typed_pack(const struct kp_typed *typed, const void *data, void *to, size_t bytes)
{
    typed->row->copy(&contiguous, to, typed, data, bytes);
}
