/* Writing past the cache: every length near a boundary, every alignment, nothing beside. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "lib/copy.h"

#include <stdlib.h>

#define MOST  (40 << 10)
#define GUARD 80

static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i * 7 + (i >> 8) * 13 + 1);
}

static void copies_exactly(void **state)
{
    (void)state;
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
            kp_copy_past_cache((char *)to + begin, (const char *)from + (shift * 5) % 64, bytes);
            for (size_t j = 0; j < MOST + 2 * GUARD; j++) {
                bool inside = j >= begin && j < begin + bytes;
                unsigned char wanted = inside ? byte_at(j - begin + (shift * 5) % 64) : 0xa5;
                if (to[j] != wanted)
                    fail_msg("%zu bytes, shift %zu: byte %zu is wrong", bytes, shift, j);
            }
        }
    }
    free(from);
    free(to);
}

static void a_cache_has_an_end(void **state)
{
    (void)state;
    assert_false(kp_copy_exceeds_cache(1));
    assert_true(kp_copy_exceeds_cache(1e15));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copies_exactly),
        cmocka_unit_test(a_cache_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
