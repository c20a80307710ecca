/* The handshake of a processor that goes to sleep with another one that may wake it. The sleeper
 * says that it sleeps, in a word, then looks once more at what it waits for. The other processor
 * acts, then looks at the word. No wake-up is lost if one of the two sees the other's first step.
 * For that neither of them may look before its first step is visible.
 *
 * Usually both access the word by a read-modify-write, so the later access acquires what the
 * earlier one released. But the processor that acts then waits until its act has reached memory.
 * That takes longer than all else that it does for a short message. So where processors sleep
 * seldom, the sleeper alone makes the order: between its two steps it lets every thread of the
 * process pass a barrier. The other processor then needs a plain look. The barrier falls at one
 * point of what that processor does. If this point is before its look, it sees that the sleeper
 * sleeps. Otherwise the point is after its act, and the sleeper's last look sees the act.
 *
 * A machine says which of the two forms its processors use (kp_proc.asymmetric). This header
 * includes no header of the library but order.h. */
#ifndef KPORT_PORTS_HANDSHAKE_H
#define KPORT_PORTS_HANDSHAKE_H

#include "ports/order.h"

#include <stdbool.h>
#include <stdint.h>

/* Lets every thread of the process pass a barrier, before it returns. Called only if
 * kp_has_barrier_of_all has returned true, which prepares the process (sync/wait.c). */
bool kp_has_barrier_of_all(void);
void kp_barrier_of_all(void);

/* The sleeper adds `more` to the word (0: it has said before that it sleeps), and looks once more
 * afterwards (partner: kp_look_for_sleeper). */
static inline void kp_say_sleeper(_Atomic uint32_t *word, uint32_t more, bool asymmetric)
{
    atomic_fetch_add_explicit(word, more, KP_ORDER_AWAITED);
    if (asymmetric)
        kp_barrier_of_all();
}

/* Returns the word's value for a processor that has acted (partner: kp_say_sleeper). */
static inline uint32_t kp_look_for_sleeper(_Atomic uint32_t *word, bool asymmetric)
{
    if (!asymmetric)
        return atomic_fetch_add_explicit(word, 0, KP_ORDER_AWAITED);
    /* The compiler leaves the act before the look; the sleeper's barrier does the rest. */
    atomic_signal_fence(KP_ORDER_AS_WRITTEN);
    return atomic_load_explicit(word, KP_ORDER_NOTICE);
}

#endif
