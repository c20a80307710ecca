/* A preloaded object that refuses all memory after as many requests as KPORT_REQUESTS says. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static atomic_long requests, allowed = -1;

static int refuses(void)
{
    const long most = atomic_load(&allowed);
    const int is = most >= 0 && atomic_fetch_add(&requests, 1) >= most;
    if (is)
        errno = ENOMEM;
    return is;
}

__attribute__((constructor)) static void begin(void)
{
    const char *most = getenv("KPORT_REQUESTS");
    atomic_store(&allowed, most ? atol(most) : -1);
}

void *malloc(size_t size)
{
    return refuses() ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return refuses() ? NULL : __libc_calloc(count, size);
}

void *realloc(void *memory, size_t size)
{
    return refuses() ? NULL : __libc_realloc(memory, size);
}
