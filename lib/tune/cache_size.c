#include "lib/tune/cache_size.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT ((size_t)8 << 20)
#define INDICES 8 /* no processor has so many caches */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static size_t size;

size_t kp_cache_size_read(const char *text)
{
    static const char powers[] = "KMG";
    const size_t digits = strspn(text, "0123456789");
    const char *end = text + digits, *power = *end ? strchr(powers, *end) : NULL;
    const int shift = power && digits > 0 ? 10 * (int)(power - powers + 1) : 0;
    size_t value = 0;
    for (; text < end; text++) {
        if (value > SIZE_MAX / 16)
            return 0;
        value = value * 10 + (size_t)(*text - '0');
    }
    end += shift > 0;
    return value <= SIZE_MAX >> shift && (*end == '\n' || !*end) ? value << shift : 0;
}

/* Returns the size of the largest cache that the kernel lists for the first core, or 0. */
static size_t from_kernel(void)
{
    size_t largest = 0;
    for (int i = 0; i < INDICES; i++) {
        char path[64], text[32];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        int file = open(path, O_RDONLY | O_CLOEXEC);
        if (file < 0)
            continue;
        ssize_t length = read(file, text, sizeof text - 1);
        close(file);
        text[length > 0 ? length : 0] = '\0';
        size_t bytes = kp_cache_size_read(text);
        largest = bytes > largest ? bytes : largest;
    }
    return largest;
}

/* The kernel's answer comes first. The C library asks the processor itself. In a virtual machine,
 * the processor may answer with the sum of all its caches, for example 256 MiB if each core can use
 * 32 MiB. So the answer of the C library counts only if the kernel gives none. */
static void find(void)
{
    long bytes = 0;
#ifdef _SC_LEVEL3_CACHE_SIZE
    bytes = sysconf(_SC_LEVEL3_CACHE_SIZE);
#endif
    size = from_kernel();
    size = size > 0 ? size : bytes > 0 ? (size_t)bytes : DEFAULT;
}

size_t kp_cache_size(void)
{
    pthread_once(&once, find);
    return size;
}
