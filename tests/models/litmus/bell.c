/* Checks the bell of mailboxes (ports/sync/awaited.h). A member that waits for a mailbox sleeps
 * until the other side rings its bell. A writer sends two messages through one box to a reader.
 * After its own operation each side rings only if it knows that the other side sleeps for it.
 * Neither side may sleep forever. */
#include "sleep.h"

#include "ports/sync/awaited.h"
#include "ports/sync/mailbox.h"

enum {
    WRITER,
    READER
};
#define MESSAGES 2

static struct kp_wait_word bells[2];
static struct kp_awaited members[2];
static struct kp_mailbox box;

static void waiting(void *waiting_member, bool begins)
{
    int self = *(int *)waiting_member;
    if (begins)
        kp_await_begin(&members[self], &members[1 - self], 1 - self);
    else
        kp_await_end(&members[self], &members[1 - self]);
}

static void announce(int self)
{
    if (!kp_is_awaited(&members[self]) || kp_waits_for(&members[1 - self]) != self)
        return;
    kp_bell_count(&bells[1 - self]);
    wake_sleepers(&bells[1 - self]);
}

static bool holds(const void *number)
{
    return kp_mailbox_holds(&box, *(const uint32_t *)number);
}

static bool is_empty(const void *unused)
{
    (void)unused;
    return kp_mailbox_is_empty(&box);
}

static void wait_until(int *self, bool (*ready)(const void *context), const void *context)
{
    const struct kp_waiter waiter = {.waiting_member = self, .sleeping = waiting};
    while (!ready(context))
        (void)kp_sleep_until_rung(&bells[*self], ready, context, &waiter, NULL, sleep_on);
}

static void *run(void *number)
{
    int self = (int)(intptr_t)number;
    sleeper = self;
    for (uint32_t i = 1; i <= MESSAGES; i++) {
        if (self == WRITER) {
            wait_until(&self, is_empty, NULL);
            box.payload[0] = (unsigned char)i;
            kp_mailbox_post(&box, i);
        } else {
            wait_until(&self, holds, &i);
            assert(box.payload[0] == i);
            kp_mailbox_release(&box);
        }
        announce(self);
    }
    return NULL;
}

int main(void)
{
    HANGS_AFTER;
    for (int i = 0; i < TIMES; i++) {
        run_threads(run, 2);
        assert(kp_mailbox_is_empty(&box) && !kp_is_awaited(&members[WRITER]));
    }
    return 0;
}
