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

/* The most guard pages in a process. The system limits the number of mappings, and each guard page
 * adds two. */
#define MOST_PAGES     30000
#define COLOUR_BYTES   128
#define CANARY_WORDS   64
#define CANARY_PATTERN UINT64_C(0x5afe57ac4f1be25e)

#if defined(__linux__) && !defined(MADV_GUARD_INSTALL)
#define MADV_GUARD_INSTALL 102 /* the value in newer kernels; an older kernel refuses it */
#endif
#ifndef MAP_NORESERVE
#define MAP_NORESERVE 0
#endif
#ifndef MAP_STACK
#define MAP_STACK 0
#endif

const char *kp_guard_name(enum kp_guard guard)
{
    static const char *const names[KP_GUARDS] = {
        [KP_GUARD_PAGES] = "guard pages",
        [KP_GUARD_MARKERS] = "guard markers (MADV_GUARD_INSTALL)",
        [KP_GUARD_CANARIES] = "canaries",
    };
    return names[guard];
}

static size_t page_bytes(void)
{
    return (size_t)sysconf(_SC_PAGESIZE);
}

static char *guard_of(const struct kp_stacks *stacks, int i)
{
    return stacks->memory + (size_t)i * stacks->stride;
}

/* Returns the canary words of stack i. They are the highest words of the guard page, because the
 * stack grows down into the guard page from above. */
static uint64_t *canary_of(const struct kp_stacks *stacks, int i)
{
    return (uint64_t *)(void *)(guard_of(stacks, i) + page_bytes()) - CANARY_WORDS;
}

#ifdef KP_NO_MMAP

/* Without mmap (the Meson option stacks), the stacks lie in malloc's memory, whose pages cannot be
 * protected. */
static void *take_memory(size_t bytes)
{
    void *memory = NULL;
    errno = posix_memalign(&memory, page_bytes(), bytes);
    return errno ? NULL : memory;
}

static void release_memory(const struct kp_stacks *stacks)
{
    free(stacks->memory);
}

static bool protect(const struct kp_stacks *stacks)
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
    /* With huge pages, the first use of a stack would touch a whole huge page. */
    (void)madvise(memory, bytes, MADV_NOHUGEPAGE);
#endif
    return memory;
}

/* Frees all stacks. Some of the stacks may be without protection, if `protect` has failed. */
static void release_memory(const struct kp_stacks *stacks)
{
    munmap(stacks->memory, stacks->bytes);
    if (stacks->guard == KP_GUARD_PAGES)
        atomic_fetch_sub_explicit(&pages_in_use, stacks->count, KP_ORDER_FORK);
}

static bool protect(const struct kp_stacks *stacks)
{
    bool pages = stacks->guard == KP_GUARD_PAGES, done = true;
    if (pages)
        done = atomic_fetch_add_explicit(&pages_in_use, stacks->count, KP_ORDER_FORK) <=
               MOST_PAGES - stacks->count;
    for (int i = 0; done && i < stacks->count; i++) {
#ifdef MADV_GUARD_INSTALL
        if (!pages) {
            done = madvise(guard_of(stacks, i), page_bytes(), MADV_GUARD_INSTALL) == 0;
            continue;
        }
#endif
        /* seldom taken: only kernels without guard markers need mprotect */
        done = pages && mprotect(guard_of(stacks, i), page_bytes(), PROT_NONE) == 0;
    }
    return done;
}

#endif

/* Guards all stacks and returns true, or returns false if the system refuses. Canaries never
 * fail. */
static bool guard(const struct kp_stacks *stacks)
{
    if (stacks->guard != KP_GUARD_CANARIES)
        return protect(stacks);
    for (int i = 0; i < stacks->count; i++) {
        for (int w = 0; w < CANARY_WORDS; w++)
            canary_of(stacks, i)[w] = CANARY_PATTERN;
    }
    return true;
}

int kp_stacks_make(struct kp_stacks *stacks, int count, size_t usable, enum kp_guard first)
{
    size_t page = page_bytes();
    *stacks = (struct kp_stacks){.count = count, .guard = first};
    if (usable > SIZE_MAX / 2 / (size_t)count - 4 * page)
        return kp_set_error(KP_EMEMORY,
                            "stacks of %zu bytes are more than memory can hold for %d "
                            "fibers",
                            usable, count);
    /* Each stack has one page more for the guard, and one page more because the tops of the stacks
     * are spread over a page. */
    stacks->stride = (usable + page - 1) / page * page + 2 * page;
    stacks->bytes = stacks->stride * (size_t)count;
    while ((stacks->memory = take_memory(stacks->bytes)) && !guard(stacks)) {
        release_memory(stacks);
        stacks->guard++;
    }
    return stacks->memory ? KP_OK
                          : kp_set_error(KP_EMEMORY, "no memory for %d stacks of %zu bytes: %s",
                                         count, usable, strerror(errno));
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
    const uint64_t *canary = canary_of(stacks, i);
    uint64_t difference = 0;
    for (int w = 0; stacks->guard == KP_GUARD_CANARIES && w < CANARY_WORDS; w++)
        difference |= canary[w] ^ CANARY_PATTERN;
    return difference == 0;
}
