/* Checks a ring of messages (ports/message/ring.h). A sender sends four messages through two slots.
 * The last one is long and stays in the sender's memory until it is taken. The receiver must not
 * read a message before it is complete. The sender must not overwrite a slot, nor the memory of the
 * long message, before it is read. */
#include "litmus.h"

#include "ports/message/ring.h"

#define SLOTS    2
#define MESSAGES 4

static struct kp_ring_slot slots[SLOTS];
static struct {
    _Atomic uint32_t offer;
    int contents;
} object;

static void send_message(struct kp_ring_slot *slot, int i)
{
    while (!kp_ring_has_room(slot))
        BETWEEN;
    slot->tag = i;
    if (i == MESSAGES) {
        object.contents = i;
        atomic_store_explicit(&object.offer, KP_OFFERED, KP_ORDER_RESET);
        slot->object = &object;
        kp_ring_post(slot, KP_RING_OBJECT);
        while (!kp_offer_is_taken(&object.offer))
            BETWEEN;
        object.contents = 0;
    } else {
        slot->payload[0] = (unsigned char)i;
        kp_ring_post(slot, KP_RING_SHORT);
    }
}

static void receive_message(struct kp_ring_slot *slot, int i)
{
    enum kp_ring_kind kind;
    while ((kind = kp_ring_look(slot)) == KP_RING_EMPTY)
        BETWEEN;
    assert(slot->tag == i && kind == (i == MESSAGES ? KP_RING_OBJECT : KP_RING_SHORT));
    if (kind == KP_RING_OBJECT) {
        assert(slot->object == &object && kp_offer_claim(&object.offer) && object.contents == i);
        kp_offer_take(&object.offer);
    } else {
        assert(slot->payload[0] == i);
    }
    kp_ring_clear(slot);
}

static void *run(void *number)
{
    for (int i = 1; i <= MESSAGES; i++) {
        if ((intptr_t)number == 0)
            send_message(&slots[i % SLOTS], i);
        else
            receive_message(&slots[i % SLOTS], i);
    }
    return NULL;
}

int main(void)
{
    HANGS_AFTER;
    for (int i = 0; i < TIMES; i++)
        run_threads(run, 2);
    return 0;
}
