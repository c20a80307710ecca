#include "lib/tune/thresholds.h"

#include "lib/tune/cache_size.h"

#include <stdio.h>

#define KIB ((size_t)1 << 10)
#define MIB ((size_t)1 << 20)

const struct kp_threshold_row kp_threshold_rows[KP_THRESHOLDS] = {
    [KP_EAGER_OF_TWO] = {"eager_of_two", 512, 16 * KIB},
    [KP_EAGER_OF_MANY] = {"eager_of_many", 512, 16 * KIB},
    [KP_EAGER_CROWDED] = {"eager_crowded", 2 * KIB, 8 * KIB},
    [KP_LEAST_PART] = {"least_part", 8 * KIB, 128 * KIB},
    [KP_PAST_CACHE] = {"past_cache", 64 * KIB, 1024 * MIB},
};

/* These values were measured on Zen 5 with two cores. doc/design.md, "Thresholds", has the values
 * of Zen 3. */
const struct kp_thresholds kp_thresholds_builtin = {
    .bytes = {4 * KIB, 8 * KIB, 8 * KIB, 16 * KIB, 32 * MIB}, .from = "built-in"};

struct kp_thresholds kp_thresholds_of_caches(void)
{
    struct kp_thresholds said = kp_thresholds_builtin;
    const struct kp_threshold_row *row = &kp_threshold_rows[KP_PAST_CACHE];
    size_t bytes = kp_cache_size();
    bytes = bytes < row->least ? row->least : bytes;
    said.bytes[KP_PAST_CACHE] = bytes < row->most ? bytes : row->most;
    return said;
}

int kp_thresholds_word(const struct kp_thresholds *t, char *text, size_t size)
{
    return snprintf(text, size,
                    "messages are packed into eager buffers up to %zu bytes between two processors "
                    "with a core each, up to %zu between more, up to %zu where processors share "
                    "cores; both ends copy a message if each copies at least %zu bytes; copies go "
                    "past the cache in a call that reads and writes more than %zu bytes (%s)",
                    t->bytes[KP_EAGER_OF_TWO], t->bytes[KP_EAGER_OF_MANY],
                    t->bytes[KP_EAGER_CROWDED], t->bytes[KP_LEAST_PART], t->bytes[KP_PAST_CACHE],
                    t->from);
}
