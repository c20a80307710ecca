#include "ports/carrier/stack.h"

#include "ports/carrier/sanitizer.h"
#include "ports/error.h"
#include "ports/order.h"
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef KP_NO_MMAP
#include <sys/mman.h>
#endif

#define MOST_PAGES     30000 /* guard pages in a process: two mappings each */
#define COLOUR_BYTES   128
#define CANARY_WORDS   64
#define CANARY_PATTERN UINT64_C(0x5afe57ac4f1be25e)

#if defined(__linux__) && !defined(MADV_GUARD_INSTALL)
#define MADV_GUARD_INSTALL 102
#define MADV_GUARD_REMOVE  103
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#ifndef MAP_STACK
#define MAP_STACK 0
#endif

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static char *guard_of(const struct kp_stacks *stacks, int i)
{
    return stacks->memory + (size_t)i * stacks->stride;
}

/* --- Memory, and the guards that are the system's; each is all or nothing --- */

#ifdef KP_NO_MMAP

/* Without mappings of its own (the Meson option stacks) it is malloc's, of which no page may be
 * protected. */
static void *take_memory(size_t bytes)
{
    void *memory = NULL;
    errno = posix_memalign(&memory, page_bytes(), bytes);
    return errno ? NULL : memory;
}

static void release_memory(struct kp_stacks *stacks)
{
    free(stacks->memory);
}

static bool protect_pages(struct kp_stacks *stacks)
{
    (void)stacks;
    return false;
}

static bool install_markers(struct kp_stacks *stacks)
{
    (void)stacks;
    return false;
}

#else

static _Atomic int pages_in_use;

static void *take_memory(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED)
        return NULL;
#ifdef MADV_NOHUGEPAGE
    /* A large page would be touched whole by the first of the stacks in it. */
    (void)madvise(memory, bytes, MADV_NOHUGEPAGE);
#endif
    return memory;
}

static void release_memory(struct kp_stacks *stacks)
{
    munmap(stacks->memory, stacks->bytes);
    if (stacks->guard == KP_GUARD_PAGES)
        atomic_fetch_sub_explicit(&pages_in_use, stacks->count, KP_ORDER_FORK);
}

static bool protect_pages(struct kp_stacks *stacks)
{
    int before = atomic_fetch_add_explicit(&pages_in_use, stacks->count, KP_ORDER_FORK);
    bool done = before <= MOST_PAGES - stacks->count;
    int i = 0;
    for (; done && i < stacks->count; i++)
        done = mprotect(guard_of(stacks, i), page_bytes(), PROT_NONE) == 0;
    if (done)
        return true;
    atomic_fetch_sub_explicit(&pages_in_use, stacks->count, KP_ORDER_FORK);
    if (i > 0)
        mprotect(stacks->memory, stacks->bytes, PROT_READ | PROT_WRITE);
    return false;
}

static bool install_markers(struct kp_stacks *stacks)
{
#ifdef MADV_GUARD_INSTALL
    for (int i = 0; i < stacks->count; i++) {
        if (madvise(guard_of(stacks, i), page_bytes(), MADV_GUARD_INSTALL) == 0)
            continue;
        if (i > 0) /* else the kernel does not know it */
            madvise(stacks->memory, stacks->bytes, MADV_GUARD_REMOVE);
        return false;
    }
    return true;
#else
    (void)stacks;
    return false;
#endif
}

#endif

/* The words next to the stack: its overflow comes from above. */
static uint64_t *canary_of(const struct kp_stacks *stacks, int i)
{
    return (uint64_t *)(void *)(guard_of(stacks, i) + page_bytes()) - CANARY_WORDS;
}

static bool write_canaries(struct kp_stacks *stacks)
{
    for (int i = 0; i < stacks->count; i++) {
        for (int w = 0; w < CANARY_WORDS; w++)
            canary_of(stacks, i)[w] = CANARY_PATTERN;
    }
    return true;
}

static const struct {
    const char *name;
    bool (*install)(struct kp_stacks *stacks);
} guards[KP_GUARDS] = {
    [KP_GUARD_PAGES] = {"guard pages", protect_pages},
    [KP_GUARD_MARKERS] = {"guard markers (MADV_GUARD_INSTALL)", install_markers},
    [KP_GUARD_CANARIES] = {"canaries", write_canaries},
};

const char *kp_guard_name(enum kp_guard guard)
{
    return guards[guard].name;
}

/* --- Stacks --- */

int kp_stacks_make(struct kp_stacks *stacks, int count, size_t usable, enum kp_guard first)
{
    size_t page = page_bytes();
    memset(stacks, 0, sizeof *stacks);
    if (usable > SIZE_MAX / 2 / (size_t)count - 4 * page)
        return kp_set_error(KP_EMEMORY,
                            "stacks of %zu bytes are more than memory can hold for %d "
                            "fibers",
                            usable, count);
    /* One page for the guard, and one for spreading the tops over it. */
    stacks->stride = (usable + page - 1) / page * page + 2 * page;
    stacks->bytes = stacks->stride * (size_t)count;
    stacks->count = count;
    void *memory = take_memory(stacks->bytes);
    if (!memory)
        return kp_set_error(KP_EMEMORY, "no memory for %d stacks of %zu bytes: %s", count, usable,
                            strerror(errno));
    stacks->memory = memory;
    stacks->guard = first;
    while (!guards[stacks->guard].install(stacks))
        stacks->guard++; /* canaries can always be had */
    return KP_OK;
}

void kp_stacks_free(struct kp_stacks *stacks)
{
    if (!stacks->memory)
        return;
    kp_marks_clear(stacks->memory, stacks->bytes);
    release_memory(stacks);
    stacks->memory = NULL;
}

char *kp_stack_top(const struct kp_stacks *stacks, int i, size_t *bytes)
{
    size_t page = page_bytes(), colours = page / COLOUR_BYTES;
    size_t colour = (size_t)i % colours * COLOUR_BYTES;
    *bytes = stacks->stride - page - colour;
    return guard_of(stacks, i) + stacks->stride - colour;
}

bool kp_stack_intact(const struct kp_stacks *stacks, int i)
{
    if (stacks->guard != KP_GUARD_CANARIES)
        return true;
    const uint64_t *canary = canary_of(stacks, i);
    uint64_t difference = 0;
    for (int w = 0; w < CANARY_WORDS; w++)
        difference |= canary[w] ^ CANARY_PATTERN;
    return difference == 0;
}
