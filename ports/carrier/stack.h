/* Stacks for fibers: one mapping for all, of which only touched pages cost memory.
 *
 *     | guard page | stack 0 ........ top | guard page | stack 1 ........ top | ...
 *
 * Below every stack lies a page that is not the stack's. How an overflow into it is noticed:
 *   guard pages    protected by mprotect; the process gets SIGSEGV at once. Each splits the mapping
 *                  in two more, of which the system allows a process 65,530: so there are at most
 *                  30,000 of these in a process.
 *   guard markers  MADV_GUARD_INSTALL (Linux 6.13): the same, without mappings of their own.
 *   canaries       a pattern in that page, looked at when a fiber is left; it costs a touched page
 * a stack, and an overflow is known only then. Tops are spread over a page, so that the same frame
 * of many fibers does not fall into one set of the cache. */
#ifndef KPORT_PORTS_STACK_H
#define KPORT_PORTS_STACK_H

#include <stdbool.h>
#include <stddef.h>

enum kp_guard {
    KP_GUARD_PAGES,
    KP_GUARD_MARKERS,
    KP_GUARD_CANARIES,
    KP_GUARDS,
};

struct kp_stacks {
    char *memory; /* NULL: none */
    size_t bytes, stride;
    int count;
    enum kp_guard guard;
};

/* Maps `count` stacks of at least `usable` bytes each, with the first kind of guard that can be
 * had, from `first` on. 0, or KP_EMEMORY with a sentence. */
int kp_stacks_make(struct kp_stacks *stacks, int count, size_t usable, enum kp_guard first);
void kp_stacks_free(struct kp_stacks *stacks);

/* Its name in reports. */
const char *kp_guard_name(enum kp_guard guard);

/* Where stack i begins (it grows down from there), and how many bytes may be used. */
char *kp_stack_top(const struct kp_stacks *stacks, int i, size_t *bytes);

/* Whether the pattern below stack i is as it was; always, where guards are no canaries. */
bool kp_stack_intact(const struct kp_stacks *stacks, int i);

#endif
