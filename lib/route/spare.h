/* Buffers that routing uses again. Fresh memory costs a page fault for every page, which takes
 * longer than copying into the page.
 *
 * A member holds one store of buffers, and so do all arrivals that its calls gave to the user. So a
 * buffer returns to the store when the user frees the arrivals, from any thread. The store keeps at
 * most KP_SPARES buffers, none longer than KP_SPARE_MOST. It frees all others at once. */
#ifndef KPORT_LIB_ROUTE_SPARE_H
#define KPORT_LIB_ROUTE_SPARE_H

#include <stddef.h>

#define KP_SPARES     3
#define KP_SPARE_MOST ((size_t)4 << 20)

struct kp_spare;

/* `kp_spare_make` returns a store with one holder, or NULL if there is no memory. `kp_spare_hold`
 * adds a holder. `kp_spare_release` removes one and frees the store with the last; it accepts NULL.
 */
struct kp_spare *kp_spare_make(void);
struct kp_spare *kp_spare_hold(struct kp_spare *spare);
void kp_spare_release(struct kp_spare *spare);

/* `kp_spare_take` returns a buffer of at least `bytes` bytes, or NULL if there is no memory. The
 * buffer is aligned to a cache line if malloc aligns to one. `kp_spare_give` returns a buffer to
 * the store; it accepts NULL. */
char *kp_spare_take(struct kp_spare *spare, size_t bytes);
void kp_spare_give(struct kp_spare *spare, char *buffer);

#endif
