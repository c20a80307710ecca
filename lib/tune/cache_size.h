/* This header finds the size of the computer's last-level cache. Calls that move more bytes than
 * this bypass the cache. */
#ifndef KPORT_LIB_CACHE_SIZE_H
#define KPORT_LIB_CACHE_SIZE_H

#include <stddef.h>

/* Returns the bytes of one last-level cache. The first call asks the system and remembers the
 * answer. Any thread may call this function. */
size_t kp_cache_size(void);

/* Converts a size that the kernel has written: "512K", "32M" or a plain number. Returns 0 for other
 * texts. */
size_t kp_cache_size_read(const char *text);

#endif
