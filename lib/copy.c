#include "lib/copy.h"

#include "lib/cache_size.h"

#include <stdint.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define LINE  64
#define LEAST ((size_t)16 << 10)
/* Reads are asked for so many bytes ahead, also past the end of a page, where the processor's own
 * looking ahead stops. Interleaving pages instead was four times slower. */
#define AHEAD 512

bool kp_copy_exceeds_cache(double bytes)
{
    return bytes > (double)kp_cache_size();
}

#ifdef __SSE2__

static inline void stream_line(char *to, const char *from)
{
    for (int i = 0; i < LINE; i += 16)
        _mm_stream_si128((__m128i *)(to + i), _mm_loadu_si128((const __m128i *)(from + i)));
}

void kp_copy_past_cache(char *to, const char *from, size_t bytes)
{
    if (bytes < LEAST) {
        memcpy(to, from, bytes);
        return;
    }
    size_t before = (size_t)(-(uintptr_t)to & (LINE - 1));
    memcpy(to, from, before);
    to += before, from += before, bytes -= before;
    for (; bytes >= LINE; bytes -= LINE) {
        _mm_prefetch((const char *)((uintptr_t)from + AHEAD), _MM_HINT_NTA);
        stream_line(to, from);
        to += LINE, from += LINE;
    }
    memcpy(to, from, bytes);
    /* Such stores are outside of what releases order; they have to be done before any. */
    _mm_sfence();
}

#else

void kp_copy_past_cache(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

#endif
