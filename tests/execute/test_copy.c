/* Tests copies that bypass the cache, and copies in pieces. It tries every length near a boundary
 * and every alignment, and checks that no byte beside the destination changes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/execute/copy.h"
#include "lib/tune/cache_size.h"

#include <stdlib.h>

#define MOST  (40 << 10)
#define GUARD 80

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i * 7 + (i >> 8) * 13 + 1);
}

typedef void copy_function(int way, char *to, const char *from, size_t bytes);

static void in_way(int way, char *to, const char *from, size_t bytes)
{
    kp_copy_in_way((kp_copy_way)way, to, from, bytes);
}

static void in_the_best_way(int way, char *to, const char *from, size_t bytes)
{
    (void)way;
    kp_copy_past_cache(to, from, bytes);
}

static void copies_exactly_by(copy_function *copy, int way)
{
    static const size_t lengths[] = {0, 1, 63, 64, 4096, 16383, 16384, 16385, 16447, 32768, MOST};
    unsigned char *from = malloc(MOST + GUARD), *to = malloc(MOST + 2 * GUARD);
    assert_non_null(from);
    assert_non_null(to);
    for (size_t i = 0; i < MOST + GUARD; i++)
        from[i] = byte_at(i);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        for (size_t shift = 0; shift < 64; shift += 1 + shift / 3) {
            size_t bytes = lengths[i], begin = GUARD - 64 + shift;
            memset(to, 0xa5, MOST + 2 * GUARD);
            copy(way, (char *)to + begin, (const char *)from + (shift * 5) % 64, bytes);
            for (size_t j = 0; j < MOST + 2 * GUARD; j++) {
                bool inside = j >= begin && j < begin + bytes;
                unsigned char wanted = inside ? byte_at(j - begin + (shift * 5) % 64) : 0xa5;
                if (to[j] != wanted)
                    fail_msg("way %d, %zu bytes, shift %zu: byte %zu is wrong", way, bytes, shift,
                             j);
            }
        }
    }
    free(from);
    free(to);
}

static void copies_exactly(void **state)
{
    (void)state;
    assert_true(kp_copy_can(KP_COPY_PLAINLY));
    for (int way = 0; way < KP_COPY_WAYS; way++) {
        if (kp_copy_can((kp_copy_way)way))
            copies_exactly_by(in_way, way);
    }
    copies_exactly_by(in_the_best_way, KP_COPY_WAYS);
}

/* Reads cache sizes: in the forms in which Linux writes them, and in forms that Linux never
 * writes. */
static void sizes_are_read(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t size;
    } rows[] = {
        {"32K\n", 32 << 10},
        {"32768K\n", 32 << 20},
        {"16M", 16 << 20},
        {"1G\n", 1 << 30},
        {"4096\n", 4096},
        {"", 0},
        {"\n", 0},
        {"K\n", 0},
        {"32KB\n", 0},
        {"-1K\n", 0},
        {"0x20K\n", 0},
        {"12 K\n", 0},
        {"32T\n", 0},
        {"99999999999999999999999\n", 0},
        {"18446744073709551G\n", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_int_equal(kp_cache_size_read(rows[i].text), rows[i].size);
    assert_true(kp_cache_size() >= 4096);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_exactly),
        cmocka_unit_test(sizes_are_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
