/* An allocator that lets one chosen request fail, and that counts the blocks that are allocated and
 * not yet freed. The linker replaces libc's functions by the functions of this file (-Wl,--wrap, in
 * tests/meson.build). pthread_create and mmap are replaced too, and their calls also count as
 * requests. Allocations that libc makes for its own use are not counted. Only one file of a program
 * may include this header. */
#ifndef KPORT_TESTS_FAILING_ALLOCATOR_H
#define KPORT_TESTS_FAILING_ALLOCATOR_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/mman.h>

static atomic_long requests; /* the number of requests since fail_request */
static atomic_long failing;  /* the number of the request that fails; 0: no request fails */
static atomic_long blocks;   /* the number of blocks that are allocated and not yet freed */
static atomic_bool has_failed;

/* Arranges that the i-th request after this call fails. */
static inline void fail_request(long i)
{
    atomic_store(&has_failed, false);
    atomic_store(&requests, 0);
    atomic_store(&failing, i);
}

static inline void fail_none(void)
{
    atomic_store(&failing, 0);
}

static bool is_to_fail(void)
{
    long armed = atomic_load(&failing);
    if (armed == 0 || atomic_fetch_add(&requests, 1) + 1 != armed)
        return false;
    atomic_store(&has_failed, true);
    errno = ENOMEM;
    return true;
}

#define WRAPPED(type, name, ...)                                                                   \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

static void *held(void *memory)
{
    atomic_fetch_add(&blocks, memory != NULL);
    return memory;
}

WRAPPED(void *, malloc, size_t bytes)
{
    return is_to_fail() ? NULL : held(__real_malloc(bytes));
}

WRAPPED(void *, calloc, size_t count, size_t bytes)
{
    return is_to_fail() ? NULL : held(__real_calloc(count, bytes));
}

WRAPPED(void *, realloc, void *memory, size_t bytes)
{
    if (is_to_fail())
        return NULL;
    void *moved = __real_realloc(memory, bytes);
    return memory ? moved : held(moved);
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t bytes)
{
    return is_to_fail() ? NULL : held(__real_aligned_alloc(alignment, bytes));
}

WRAPPED(int, posix_memalign, void **memory, size_t alignment, size_t bytes)
{
    if (is_to_fail())
        return ENOMEM;
    int status = __real_posix_memalign(memory, alignment, bytes);
    atomic_fetch_add(&blocks, status == 0);
    return status;
}

WRAPPED(void, free, void *memory)
{
    atomic_fetch_sub(&blocks, memory != NULL);
    __real_free(memory);
}

/* With _FILE_OFFSET_BITS=64 a call of mmap may become a call of mmap64. So both functions are
 * replaced. */
#define WRAPPED_MAP(name)                                                                          \
    WRAPPED(void *, name, void *at, size_t bytes, int protection, int flags, int file,             \
            off_t offset)                                                                          \
    {                                                                                              \
        if (is_to_fail())                                                                          \
            return MAP_FAILED;                                                                     \
        void *memory = __real_##name(at, bytes, protection, flags, file, offset);                  \
        atomic_fetch_add(&blocks, memory != MAP_FAILED);                                           \
        return memory;                                                                             \
    }
WRAPPED_MAP(mmap)
#ifndef mmap64 /* if mmap64 is a macro, the two names are one function */
WRAPPED_MAP(mmap64)
#endif

WRAPPED(int, munmap, void *memory, size_t bytes)
{
    int status = __real_munmap(memory, bytes);
    atomic_fetch_sub(&blocks, status == 0);
    return status;
}

WRAPPED(int, pthread_create, pthread_t *thread, const pthread_attr_t *attributes,
        void *(*start)(void *), void *argument)
{
    return is_to_fail() ? EAGAIN : __real_pthread_create(thread, attributes, start, argument);
}

#endif
