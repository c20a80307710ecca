/* Checks the queue by which threads pass fibers to a worker (ports/carrier/inbox.h). Two threads
 * put items into an inbox, and a third thread takes them out. The third thread must get each item
 * once, and must see all that was written before the item was put in. */
#include "litmus.h"

#include "ports/carrier/inbox.h"

#ifdef KP_CHECKER
#define ITEMS 2 /* the items of each of the two threads */
#else
#define ITEMS 50
#endif

static struct entry {
    /* `item` comes first, so a pointer to it is a pointer to the entry. */
    struct kp_inbox_item item;
    int data;
} entries[2][ITEMS];

static kp_inbox inbox;

static void take_all(void)
{
    int taken = 0;
    while (taken < 2 * ITEMS) {
        struct kp_inbox_item *next, *item = kp_inbox_take(&inbox);
        for (; item; item = next) {
            struct entry *entry = (struct entry *)item;
            next = item->next;
            assert(entry->data == 1);
            entry->data = 0;
            taken++;
        }
        BETWEEN;
    }
}

static void *run(void *number)
{
    int self = (int)(intptr_t)number;
    if (self == 2)
        take_all();
    for (int i = 0; self < 2 && i < ITEMS; i++) {
        entries[self][i].data = 1;
        kp_inbox_put(&inbox, &entries[self][i].item);
    }
    return NULL;
}

int main(void)
{
    HANGS_AFTER;
    for (int i = 0; i < TIMES; i++) {
        run_threads(run, 3);
        for (int j = 0; j < 2 * ITEMS; j++)
            assert(entries[j % 2][j / 2].data == 0);
    }
    return 0;
}
