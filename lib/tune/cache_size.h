/* The size of the machine's last cache. Calls that move more than this copy past the cache. */
#ifndef KPORT_LIB_CACHE_SIZE_H
#define KPORT_LIB_CACHE_SIZE_H

#include <stddef.h>

/* Returns the bytes of one last-level cache. Any thread may call it. The system is asked once. */
size_t kp_cache_size(void);

/* Reads a size as the kernel writes it: "512K", "32M" or a plain number. Returns 0 for other
 * texts. */
size_t kp_cache_size_read(const char *text);

#endif
