/* A store of spare buffers lets calls of kp_route use the same memory again. The first use of a
 * page of fresh memory costs a page fault, which takes longer than copying a page.
 *
 * Each member has one store. The store counts its holders: the member, and every kp_arrivals (the
 * messages that a call of kp_route received) that the user has not freed yet. When the user frees
 * arrivals, from any thread, their buffers go back to the store. The store keeps at most KP_SPARES
 * buffers, none longer than KP_SPARE_MOST. All other buffers are freed when they are given back. */
#ifndef KPORT_LIB_ROUTE_SPARE_H
#define KPORT_LIB_ROUTE_SPARE_H

#include <stddef.h>

#define KP_SPARES     3
#define KP_SPARE_MOST ((size_t)4 << 20)

struct kp_spare;

/* `kp_spare_make` returns a store with one holder, or NULL if there is no memory. `kp_spare_hold`
 * adds a holder. `kp_spare_release` removes a holder, and frees the store if this was the last one.
 * `kp_spare_release` accepts NULL. */
struct kp_spare *kp_spare_make(void);
struct kp_spare *kp_spare_hold(struct kp_spare *spare);
void kp_spare_release(struct kp_spare *spare);

/* `kp_spare_take` returns a buffer of at least `bytes` bytes, or NULL if there is no memory. If
 * malloc returns memory that begins at a cache line, the buffer begins at a cache line, too.
 * `kp_spare_give` gives a buffer back to the store; the buffer may be NULL. */
char *kp_spare_take(struct kp_spare *spare, size_t bytes);
void kp_spare_give(struct kp_spare *spare, char *buffer);

#endif
