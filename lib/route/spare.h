/* Buffers of routing that are used again: fresh memory costs a fault for every page, which is more
 * than copying into it.
 *
 * A member has one of these, and whatever a call gave to the user holds it too, so that buffers
 * come back when they are given back, from any thread. At most KP_SPARES lie here, none longer than
 * KP_SPARE_MOST; all others go back to the system at once. */
#ifndef KPORT_LIB_ROUTE_SPARE_H
#define KPORT_LIB_ROUTE_SPARE_H

#include <stddef.h>

#define KP_SPARES     3
#define KP_SPARE_MOST ((size_t)4 << 20)

struct kp_spare;

struct kp_spare *kp_spare_make(void); /* held once; NULL: no memory */
struct kp_spare *kp_spare_hold(struct kp_spare *spare);
void kp_spare_release(struct kp_spare *spare); /* NULL is allowed */

/* At least so many bytes, aligned to a cache line as far as malloc is; NULL: no memory. */
char *kp_spare_take(struct kp_spare *spare, size_t bytes);
void kp_spare_give(struct kp_spare *spare, char *buffer); /* NULL is allowed */

#endif
