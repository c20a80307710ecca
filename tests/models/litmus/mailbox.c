/* Checks a mailbox (ports/sync/mailbox.h). A writer sends three messages to a reader through two
 * boxes in turn. The reader must not read a message before it is complete. The writer must not
 * overwrite a message before it is read. */
#include "litmus.h"

#include "ports/sync/mailbox.h"

#define BOXES    2
#define MESSAGES 3

static struct kp_mailbox boxes[BOXES];

static void *run(void *number)
{
    for (uint32_t i = 1; i <= MESSAGES; i++) {
        struct kp_mailbox *box = &boxes[i % BOXES];
        if ((intptr_t)number == 0) {
            while (!kp_mailbox_is_empty(box))
                BETWEEN;
            box->payload[0] = (unsigned char)i;
            box->mark = i;
            kp_mailbox_post(box, i);
        } else {
            while (!kp_mailbox_holds(box, i))
                BETWEEN;
            assert(box->mark == i && box->payload[0] == i);
            kp_mailbox_release(box);
        }
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
