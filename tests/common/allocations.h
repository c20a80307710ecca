/* Counts the calls of malloc, calloc, realloc, posix_memalign and free. The linker replaces these
 * functions of libc by the functions of this file (-Wl,--wrap, in tests/meson.build). Only one file
 * of a program may include this header. */
#ifndef KPORT_TESTS_ALLOCATIONS_H
#define KPORT_TESTS_ALLOCATIONS_H

#include <stdatomic.h>
#include <stddef.h>

static atomic_int allocations;

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
int __real_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __real_free(void *memory);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes);
void __wrap_free(void *memory);

void *__wrap_malloc(size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __real_calloc(count, bytes);
}

void *__wrap_realloc(void *memory, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __real_realloc(memory, bytes);
}

int __wrap_posix_memalign(void **memory, size_t alignment, size_t bytes)
{
    atomic_fetch_add(&allocations, 1);
    return __real_posix_memalign(memory, alignment, bytes);
}

void __wrap_free(void *memory)
{
    atomic_fetch_add(&allocations, 1);
    __real_free(memory);
}

#endif
