/* Stacks for fibers: one mapping for all of them. Only pages that are touched cost memory.
 *
 *     | guard page | stack 0 ........ top | guard page | stack 1 ........ top | ...
 *
 * A guard page lies below every stack. An overflow into it is noticed in one of three ways:
 *   guard pages    protected by mprotect. The process gets SIGSEGV at once. Each guard page splits
 *                  the mapping into two more. The system allows a process 65,530 mappings, so a
 *                  process has at most 30,000 guard pages.
 *   guard markers  MADV_GUARD_INSTALL (Linux 6.13). The same, without more mappings.
 *   canaries       a pattern in the guard page, checked when a fiber waits or ends, and not sooner.
 *                  It costs one touched page for each stack.
 * The tops of the stacks are spread over a page, so that the same frame of many fibers does not
 * fall into one cache set. */
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
    char *memory; /* NULL if there are no stacks */
    size_t bytes, stride;
    int count;
    enum kp_guard guard;
};

/* Maps `count` stacks of at least `usable` bytes each. Tries the kinds of guards in the order of
 * enum kp_guard, from `first` on, and uses the first kind that the system grants. Returns 0, or
 * KP_EMEMORY with a sentence. */
int kp_stacks_make(struct kp_stacks *stacks, int count, size_t usable, enum kp_guard first);
void kp_stacks_free(struct kp_stacks *stacks);

/* Returns the name of the kind of guard, for reports. */
const char *kp_guard_name(enum kp_guard guard);

/* Returns the top of stack i. The stack grows down from there. Sets `bytes` to the usable size of
 * the stack. */
char *kp_stack_top(const struct kp_stacks *stacks, int i, size_t *bytes);

/* Returns whether the canaries below stack i are unchanged. Returns true if the stacks have no
 * canaries. */
bool kp_stack_intact(const struct kp_stacks *stacks, int i);

#endif
