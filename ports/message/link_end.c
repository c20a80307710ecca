/* The messages of a member at its end: those that nobody has received, and those that it offers. */
#include "ports/message/links.h"
#include "ports/message/pool.h"
#include "ports/message/postbox.h"

#include <sched.h>
#include <stdlib.h>

static bool is_left(const struct kp_message *message, int source, int tag,
                    const struct kp_site *site, struct kp_envelope *left)
{
    if (kp_offer_is_withdrawn(&message->offer))
        return false;
    *left =
        (struct kp_envelope){.source = source, .tag = tag, .bytes = message->bytes, .site = *site};
    return true;
}

static bool ring_has_left(const struct kp_link *link, struct kp_envelope *left)
{
    for (uint32_t at = link->tail; at - link->tail <= link->mask; at++) {
        const struct kp_ring_slot *slot = &link->slots[at & link->mask];
        const struct kp_site site = {slot->file, slot->line};
        enum kp_ring_kind kind = kp_ring_look(slot);
        if (kind == KP_RING_EMPTY)
            return false;
        *left = (struct kp_envelope){.source = link->from->rank,
                                     .tag = slot->tag,
                                     .bytes = kp_ring_message(slot, kind).bytes,
                                     .site = site};
        if (kind != KP_RING_OBJECT ||
            is_left(slot->object, link->from->rank, slot->tag, &site, left))
            return true;
    }
    return false;
}

bool kp_link_find_left(const struct kp_messages *own, struct kp_envelope *left)
{
    bool found = false;
    for (const struct kp_match *m = own->matching.soonest; m && !found; m = m->later) {
        const struct kp_message *message = (const struct kp_message *)m;
        /* Who offers a message by a packet gets an error itself. */
        found = !message->object && is_left(message, m->source, m->tag, &message->site, left);
    }
    const struct kp_link *link = own->first;
    if (link && !found) {
        do {
            found = ring_has_left(link, left);
            link = link->next;
        } while (!found && link != own->first);
    }
    /* These two lists have the latest first. */
    const struct kp_inbox_item *item = atomic_load_explicit(&own->rings, KP_ORDER_OBSERVE);
    for (; item && !found; item = item->next)
        found = ring_has_left((const struct kp_link *)item, left);
    item = atomic_load_explicit(&own->listed, KP_ORDER_OBSERVE);
    for (; item && !found; item = item->next) {
        const struct kp_message *message = kp_message_of((struct kp_inbox_item *)(uintptr_t)item);
        found = is_left(message, message->match.source, message->match.tag, &message->site, left);
    }
    return found;
}

void kp_link_withdraw_all(struct kp_messages *own)
{
    for (struct kp_message *message = own->made; message; message = message->older) {
        if (kp_offer_withdraw(&message->offer))
            continue;
        /* What a branch sends lasts until the wire is given up. */
        while (!message->branch && /* seldom taken: just being copied */
               kp_offer_is_claimed(&message->offer))
            sched_yield();
    }
}

void kp_link_free_all(struct kp_messages *own)
{
    for (size_t i = 0; i < own->targets.room; i++) { /* the rings that this member has made */
        struct kp_link *link = own->targets.entries[i].link;
        if (link)
            free(link->blocks);
        free(link);
    }
    for (struct kp_message *older, *message = own->made; message; message = older) {
        older = message->older;
        kp_typed_let_go(&message->typed);
        free(message->packed);
        free(message);
    }
    free(own->targets.entries);
    free(own->sources.entries);
    kp_postbox_close(own);
    kp_matching_free(&own->matching);
}
