/* Counts what a process holds. The linker replaces the allocator's functions by counting ones
 * (-Wl,--wrap in tools/meson.build); the system counts threads and files. Allocations that the C
 * library makes for itself are not counted. */
#ifndef KPORT_TOOLS_LEAKS_H
#define KPORT_TOOLS_LEAKS_H

#include <stddef.h>
#include <stdint.h>

struct held {
    int64_t allocations, bytes; /* allocations since leaks_count, and their bytes */
    int64_t mappings;           /* bytes mapped since leaks_count */
    int64_t threads, files;     /* -1: unknown on this system */
};

/* Starts to count allocations. */
void leaks_count(void);

struct held leaks_held(void);

/* Returns the number of kinds of things of which the process holds more than `before`, and names
 * them in a sentence. Waits up to a second, because a joined thread may take a moment to vanish. */
int leaks_since(const struct held *before, char *text, size_t size);

#endif
