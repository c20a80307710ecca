/* The stacks of all fibers of a machine lie in one memory mapping. A page of the mapping costs
 * memory only after its first use.
 *
 *     | guard page | stack 0 ........ top | guard page | stack 1 ........ top | ...
 *
 * A guard page lies below every stack. A stack that overflows uses its guard page, and kport
 * notices this in one of three ways:
 *   guard pages    mprotect protects the page, so the process gets SIGSEGV at once. A guard
 *                  page adds two mappings. The system allows a process 65,530 mappings, so
 *                  kport uses at most 30,000 guard pages in a process.
 *   guard markers  MADV_GUARD_INSTALL (Linux 6.13) protects the page without more mappings.
 *   canaries       the page has a pattern, which is checked only when a fiber waits or ends. The
 *                  pattern costs one used page for each stack.
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
 * sets an error and returns KP_EMEMORY. */
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
