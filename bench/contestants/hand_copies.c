/* A contestant of the benchmark, written by hand, for large blocks: two barriers, and copies
 * between them. Every thread begins with a different block, so that two threads seldom read the
 * same memory at the same time. Blocks are copied in chunks that fit the caches, or with stores
 * that bypass the caches. */
#include "../contestant.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define CHUNK (32u << 10)

typedef void copy_function(char *to, const char *from, size_t bytes);

static void copy_plainly(char *to, const char *from, size_t bytes)
{
    memcpy(to, from, bytes);
}

/* Copies with stores that bypass the caches. Both addresses must be multiples of 16, and `bytes`
 * must be a multiple of 64. */
static void copy_streaming(char *to, const char *from, size_t bytes)
{
#if defined(__x86_64__)
    for (size_t i = 0; i + 64 <= bytes; i += 64) {
        const __m128i *source = (const __m128i *)(from + i);
        __m128i *target = (__m128i *)(to + i);
        __m128i a = _mm_load_si128(source), b = _mm_load_si128(source + 1);
        __m128i c = _mm_load_si128(source + 2), d = _mm_load_si128(source + 3);
        _mm_stream_si128(target, a);
        _mm_stream_si128(target + 1, b);
        _mm_stream_si128(target + 2, c);
        _mm_stream_si128(target + 3, d);
    }
    _mm_sfence();
#else
    memcpy(to, from, bytes);
#endif
}

/* Copies the blocks of all members, beginning with the member's own block and going on with the
 * next rank's. So at any time different members read the buffers of different ranks. This holds no
 * matter which ranks share a core. */
static void copy_rotated(const struct member *m, copy_function *copy)
{
    const struct job *job = &m->team->request->job;
    const struct arena *arena = m->team->arena;
    size_t b = job->b, n = (size_t)job->n, rank = (size_t)m->rank;
    size_t of_sender = job->operation == INDEX ? rank * b : 0;
    for (size_t step = 0; step < n; step++) {
        size_t from = (rank + step) % n;
        for (size_t at = 0; at < b; at += CHUNK) {
            size_t bytes = b - at < CHUNK ? b - at : CHUNK;
            copy(m->in + from * b + at, out_of(arena, (int)from) + of_sender + at, bytes);
        }
    }
}

static void copy_with_root(const struct member *m, copy_function *copy)
{
    const struct job *job = &m->team->request->job;
    const struct arena *arena = m->team->arena;
    size_t offset = (size_t)m->rank * job->b;
    if (job->operation == BROADCAST && m->rank != 0)
        copy(m->in, in_of(arena, 0), job->b);
    else if (job->operation == SCATTER)
        copy(m->in, out_of(arena, 0) + offset, job->b);
    else if (job->operation == GATHER)
        copy(in_of(arena, 0) + offset, m->out, job->b);
}

static int between_barriers(struct member *m, copy_function *copy)
{
    struct hand *hand = m->team->state;
    good_barrier_wait(&hand->good);
    if (has_root(&m->team->request->job))
        copy_with_root(m, copy);
    else
        copy_rotated(m, copy);
    good_barrier_wait(&hand->good);
    return 0;
}

int in_turn(struct member *m)
{
    return between_barriers(m, copy_plainly);
}

int in_turn_streaming(struct member *m)
{
    return between_barriers(m, copy_streaming);
}
