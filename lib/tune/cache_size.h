/* How much the last cache of this machine holds: what is copied beyond it has to go past it. */
#ifndef KPORT_LIB_CACHE_SIZE_H
#define KPORT_LIB_CACHE_SIZE_H

#include <stddef.h>

/* In bytes, of one such cache; asked for once. From any thread. */
size_t kp_cache_size(void);

/* "512K", "32M" or a plain number, as the kernel writes a size. 0: something else. */
size_t kp_cache_size_read(const char *text);

#endif
