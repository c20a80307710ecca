#include "lib/execute/copy.h"

#include <stdint.h>

#ifdef __SSE2__
#include <immintrin.h>
#endif

#define LINE  64
#define LEAST ((size_t)16 << 10)
/* The distance, in bytes, at which the loops prefetch. They also prefetch beyond the end of a page,
 * where the hardware prefetcher stops (the special case stream-ahead in doc/design.md). */
#define AHEAD            512
#define AHEAD_WHOLE_LINE 2048

#ifdef __SSE2__

/* Copies a number of complete cache lines. `to` is the beginning of a cache line. */
typedef void stream_function(char *to, const char *from, size_t bytes);

static void stream_quarters(char *to, const char *from, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        if (KP_HAS(STREAM_AHEAD))
            _mm_prefetch((const char *)((uintptr_t)from + i + AHEAD), _MM_HINT_NTA);
        for (size_t j = i; j < i + LINE; j += 16)
            _mm_stream_si128((__m128i *)(to + j), _mm_loadu_si128((const __m128i *)(from + j)));
    }
}

/* Copies each cache line by one store (the special case stream-64 in doc/design.md). */
__attribute__((target("avx512f"))) static void stream_whole_lines(char *to, const char *from,
                                                                  size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE) {
        if (KP_HAS(STREAM_AHEAD))
            _mm_prefetch((const char *)((uintptr_t)from + i + AHEAD_WHOLE_LINE), _MM_HINT_T0);
        _mm512_stream_si512((__m512i *)(to + i), _mm512_loadu_si512(from + i));
    }
}

bool kp_copy_can(kp_copy_way way)
{
    if (way == KP_COPY_WHOLE_LINES)
        return KP_HAS(STREAM_64) && __builtin_cpu_supports("avx512f");
    return way != KP_COPY_QUARTERS || KP_HAS(STREAM_16);
}

static void stream(stream_function *lines_alone, char *to, const char *from, size_t bytes)
{
    size_t before = (size_t)(-(uintptr_t)to & (LINE - 1));
    size_t lines = (bytes - before) & ~(size_t)(LINE - 1);
    size_t end = before + lines;
    memcpy(to, from, before);
    lines_alone(to + before, from + before, lines);
    memcpy(to + end, from + end, bytes - end);
    /* A release does not order these stores, so they must be complete before the next release. */
    _mm_sfence();
}

void kp_copy_in_way(kp_copy_way way, char *to, const char *from, size_t bytes)
{
    static stream_function *const ways[KP_COPY_WAYS] = {
        [KP_COPY_WHOLE_LINES] = stream_whole_lines,
        [KP_COPY_QUARTERS] = stream_quarters,
    };
    if (ways[way] && bytes >= LEAST)
        stream(ways[way], to, from, bytes);
    else
        memcpy(to, from, bytes);
}

#else

bool kp_copy_can(kp_copy_way way)
{
    return way == KP_COPY_PLAINLY;
}

void kp_copy_in_way(kp_copy_way way, char *to, const char *from, size_t bytes)
{
    (void)way;
    memcpy(to, from, bytes);
}

#endif

void kp_copy_past_cache(char *to, const char *from, size_t bytes)
{
    kp_copy_way way = KP_COPY_WHOLE_LINES;
    while (!kp_copy_can(way))
        way++;
    kp_copy_in_way(way, to, from, bytes);
}
