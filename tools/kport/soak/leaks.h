/* Counts what the process holds: allocations, mapped memory, threads and open files. So `kport
 * soak` can detect leaks. The linker replaces malloc, mmap and the like by functions that count
 * (-Wl,--wrap in tools/meson.build). The numbers of threads and files come from the system.
 * Allocations that the C library makes for itself are not counted. */
#ifndef KPORT_TOOLS_LEAKS_H
#define KPORT_TOOLS_LEAKS_H

#include <stddef.h>
#include <stdint.h>

struct held {
    /* The number of allocations since leaks_count that are not freed, and their bytes. */
    int64_t allocations, bytes;
    int64_t mappings; /* the bytes that were mapped since leaks_count and are not unmapped */
    /* The numbers of threads and of open files; -1 if the system does not give the number. */
    int64_t threads, files;
};

/* Starts to count allocations and mappings. */
void leaks_count(void);

struct held leaks_held(void);

/* Compares what the process holds now with `before`. Returns how many numbers of struct held have
 * changed, and writes a sentence about these numbers to `text`. If there are more threads than
 * before, waits up to a second, because a thread that was joined may take a moment to vanish. */
int leaks_since(const struct held *before, char *text, size_t size);

#endif
