#include "lib/route/spare.h"

#include "ports/port.h"

#include <stdint.h>
#include <stdlib.h>

/* The head that lies before every buffer. `bytes` is the buffer's length. */
struct head {
    size_t bytes;
    /* The head fills 8 words, so that the buffer behind it is aligned like the head. */
    size_t unused[7];
};

struct kp_spare {
    atomic_int holders;
    _Atomic(struct head *) kept[KP_SPARES];
};

struct kp_spare *kp_spare_make(void)
{
    struct kp_spare *spare = malloc(sizeof *spare);
    if (!spare)
        return NULL;
    atomic_init(&spare->holders, 1);
    for (int i = 0; i < KP_SPARES; i++)
        atomic_init(&spare->kept[i], NULL);
    return spare;
}

struct kp_spare *kp_spare_hold(struct kp_spare *spare)
{
    atomic_fetch_add_explicit(&spare->holders, 1, KP_ORDER_HOLD);
    return spare;
}

void kp_spare_release(struct kp_spare *spare)
{
    if (!spare || atomic_fetch_sub_explicit(&spare->holders, 1, KP_ORDER_LET_GO) > 1)
        return;
    for (int i = 0; i < KP_SPARES; i++)
        free(atomic_load_explicit(&spare->kept[i], KP_ORDER_TAKE_SPARE));
    free(spare);
}

/* Takes the first buffer that is long enough, but no more than four times as long as needed. A
 * longer buffer stays for a call that needs its length. */
char *kp_spare_take(struct kp_spare *spare, size_t bytes)
{
    for (int i = 0; i < KP_SPARES; i++) {
        struct head *head = atomic_exchange_explicit(&spare->kept[i], NULL, KP_ORDER_TAKE_SPARE);
        if (head && head->bytes >= bytes && head->bytes / 4 <= bytes)
            return (char *)(head + 1);
        if (head)
            kp_spare_give(spare, (char *)(head + 1));
    }
    struct head *head = bytes < SIZE_MAX - sizeof *head ? malloc(sizeof *head + bytes) : NULL;
    if (!head)
        return NULL;
    head->bytes = bytes;
    return (char *)(head + 1);
}

/* Puts the buffer into an empty place of the store. If no place is empty, the buffer in the first
 * place is freed, and the given buffer takes its place. */
void kp_spare_give(struct kp_spare *spare, char *buffer)
{
    struct head *head = buffer ? (struct head *)(void *)buffer - 1 : NULL;
    if (head && head->bytes > KP_SPARE_MOST) {
        free(head);
        return;
    }
    for (int i = 0; i < KP_SPARES && head; i++) {
        struct head *none = NULL;
        if (atomic_compare_exchange_strong_explicit(&spare->kept[i], &none, head,
                                                    KP_ORDER_GIVE_SPARE, KP_ORDER_MISS_SPARE))
            head = NULL;
    }
    if (head)
        head = atomic_exchange_explicit(&spare->kept[0], head, KP_ORDER_EXCHANGE_SPARE);
    free(head);
}
