/* What a process holds: allocations and mappings, counted one by one by functions that the linker
 * puts in front of the allocator's (-Wl,--wrap, in tools/meson.build), and threads and files, as
 * the system counts them. What the C library allocates for itself is not seen. */
#ifndef KPORT_TOOLS_LEAKS_H
#define KPORT_TOOLS_LEAKS_H

#include <stddef.h>
#include <stdint.h>

struct held {
    int64_t allocations, bytes; /* of the allocator, made since leaks_count */
    int64_t mappings;           /* bytes mapped since then */
    int64_t threads, files;     /* -1: not known here */
};

/* From now on allocations are counted. */
void leaks_count(void);

struct held leaks_held(void);

/* How many kinds of things are held that were not held `before`, and which, as a sentence. A thread
 * that has been joined may take a moment to be gone: waits for it, up to a second. */
int leaks_since(const struct held *before, char *text, size_t size);

#endif
