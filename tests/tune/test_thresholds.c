/* Tests thresholds. The measurement runs with a clock that the test controls. Thresholds are read
 * from profiles, and each machine must use the right ones. */
#include "tests/common/profile_common.h"

#include "lib/call/machine.h"
#include "lib/tune/profile.h"

static const kp_problem broadcast = {.operation = KP_BROADCAST, .n = 2, .k = 1};

/* Asserts how processor 0 carries out a broadcast of b bytes, and which text the machine has about
 * its thresholds. */
static void expect(const kp_config *config, size_t b, const char *way, const char *thresholds)
{
    char said[400];
    kp_machine *machine;
    kp_problem p = broadcast;
    p.n = config->processors;
    p.b = b;
    p.algorithm = kp_algorithm_find(KP_BROADCAST, "tree");
    assert_non_null(p.algorithm);
    if (kp_machine_create(config, &machine) ||
        kp_machine_way(machine, 0, &p, true, said, sizeof said))
        fail_msg("%s", kp_last_error()->sentence);
    if (!strstr(said, way))
        fail_msg("b=%zu: %s, not %s", b, said, way);
    kp_machine_word_thresholds(machine, said, sizeof said);
    if (!strstr(said, thresholds))
        fail_msg("%s, not %s", said, thresholds);
    assert_int_equal(kp_machine_destroy(machine), KP_OK);
}

/* --- The measurement, with a clock that the test controls --- */

/* The readings of the clock for each length: 10 batches of each of two ways, 2 readings a batch. */
#define LOOKS_A_LENGTH 40

static uint64_t now, step[2];
static int looks;

/* The clock. A batch of way w takes step[w]. Some batches of the second way take longer, as if
 * disturbed. */
static uint64_t planted(void)
{
    int look = looks++; /* the first reading is before all batches */
    if (look > 0 && look % 2 == 0)
        now += step[(look / 2 - 1) % 2] + (look / 2 % 8 == 0 ? 5000 : 0);
    return now;
}

static struct kp_thresholds calibrate(uint64_t first, uint64_t second)
{
    struct kp_thresholds found = kp_thresholds_builtin;
    now = 0;
    looks = 0;
    step[0] = first;
    step[1] = second;
    kp_calibrate(planted, &found);
    return found;
}

static bool is_measured(int what)
{
    const int wanted[] = {
        [KP_EAGER_OF_TWO] = 2, [KP_EAGER_OF_MANY] = 3, [KP_EAGER_CROWDED] = 1, [KP_LEAST_PART] = 2};
    return kp_cores() >= wanted[what] && (what != KP_EAGER_CROWDED || kp_pinning());
}

static void expect_found(const struct kp_thresholds *found, bool most)
{
    for (int i = 0; i < KP_PAST_CACHE; i++) {
        const struct kp_threshold_row *row = &kp_threshold_rows[i];
        size_t expected =
            is_measured(i) ? most ? row->most : row->least : kp_thresholds_builtin.bytes[i];
        if (found->bytes[i] != expected)
            fail_msg("%s is %zu, not %zu", row->name, found->bytes[i], expected);
    }
    assert_int_equal(found->bytes[KP_PAST_CACHE], kp_thresholds_builtin.bytes[KP_PAST_CACHE]);
}

static void the_faster_way_is_found(void **state)
{
    (void)state;
    struct kp_thresholds found = calibrate(1000, 700);
    expect_found(&found, false);
    found = calibrate(1000, 900);
    expect_found(&found, true);
    found = calibrate(0, 0);
    expect_found(&found, true);
    /* There are four thresholds and six lengths. The measurement may not do more, however slow the
     * computer is. */
    assert_true(looks <= 1 + 4 * 6 * LOOKS_A_LENGTH);
}

static uint64_t slow(void)
{
    looks++;
    return now += 1000000;
}

static void time_is_bounded(void **state)
{
    (void)state;
    struct kp_thresholds found = kp_thresholds_builtin;
    now = 0;
    looks = 0;
    kp_calibrate(slow, &found);
    assert_memory_equal(found.bytes, kp_thresholds_builtin.bytes, sizeof found.bytes);
    assert_true(looks <= 1 + 4 * 2);
}

static void what_is_measured_is_sane(void **state)
{
    (void)state;
    const struct kp_thresholds *here = kp_thresholds_here();
    for (int i = 0; i < KP_THRESHOLDS; i++) {
        const struct kp_threshold_row *row = &kp_threshold_rows[i];
        if (here->bytes[i] < row->least || here->bytes[i] > row->most ||
            (i != KP_PAST_CACHE && (here->bytes[i] & (here->bytes[i] - 1)) != 0))
            fail_msg("%s is %zu", row->name, here->bytes[i]);
    }
    assert_ptr_equal(kp_thresholds_here(), here);
}

/* --- Thresholds in profiles --- */

static kp_profile *read_with(const char *format, const char *thresholds, const char *says)
{
    char whole[6000];
    const char *rest = strstr(good(), ",\"stamp\"");
    kp_profile *profile = NULL;
    snprintf(whole, sizeof whole, "{\"kport_profile\":%s%.*s%s}\n", format, (int)strlen(rest) - 2,
             rest, thresholds);
    int status = kp_profile_parse("with", whole, strlen(whole), &profile);
    if (status ? !says || !strstr(kp_last_error()->sentence, says) : says != NULL)
        fail_msg("%s: %s", thresholds, status ? kp_last_error()->sentence : "taken");
    return profile;
}

#define ALL(two, many, crowded, part, past)                                                        \
    ",\"thresholds\":{\"eager_of_two\":" #two ",\"eager_of_many\":" #many                          \
    ",\"eager_crowded\":" #crowded ",\"least_part\":" #part ",\"past_cache\":" #past "}"

static void a_profile_has_all_or_none(void **state)
{
    (void)state;
    read_with("2", ALL(511, 2048, 2048, 65536, 65536), "eager_of_two is 511; it may be 512 ...");
    read_with("2", ALL(1024, 2048, 2048, 262144, 65536), "least_part is 262144; it may be 8192");
    read_with("2", ALL(1024, "x", 2048, 8192, 65536), "eager_of_many is a text; it may be a");
    read_with("2", ",\"thresholds\":{\"eager_of_two\":512}", "\"thresholds\" has no \"eager_of_m");
    read_with("2", ",\"thresholds\":[]", "\"thresholds\" is a list");
    read_with("2", "", "the profile has no \"thresholds\"");
    read_with("1", ALL(1024, 2048, 2048, 8192, 65536), "has \"thresholds\", which is unknown");
    kp_profile *old = read_with("1", "", NULL);
    assert_null(old->thresholds.from);
    kp_profile_free(old);
}

/* --- Which machine uses which thresholds --- */

/* Tries lengths on both sides of each threshold, on machines whose threads have cores of their own
 * and on machines whose threads share cores. */
static void each_decides(void **state)
{
    (void)state;
    static const char *const from = "(from the profile)";
    kp_profile *profile = read_with("2", ALL(1024, 2048, 4096, 65536, 1048576), NULL);
    kp_config two = {.processors = 2, .profile = profile, .wait = KP_WAIT_SPIN};
    expect(&two, 1024, "; eager buffers", from);
    expect(&two, 1025, "; in place", from);
    expect(&two, 131071, "; receivers copy", from);
    expect(&two, 131072, "; both ends copy", from);
    expect(&two, 524288, "; both ends copy; ", from);
    expect(&two, 524289, ", past the cache", from);
    kp_config three = {.processors = 3, .profile = profile, .wait = KP_WAIT_SPIN};
    /* A processor that packs alone may pack this much for each receiver. */
    expect(&three, 6144, "; long eager buffer", from);
    expect(&three, 6145, "; in place", from);
    three.wait = KP_WAIT_YIELD;
    expect(&three, 12288, "; long eager buffer", from);
    expect(&three, 12289, "; in place", from);
    three.eager_bytes = 64;
    expect(&three, 193, "; in place", from);
    kp_profile_free(profile);
}

static void who_goes_by_which(void **state)
{
    (void)state;
    kp_profile *old = read_with("1", "", NULL), *profile;
    profile = read_with("2", ALL(1024, 2048, 4096, 65536, 1048576), NULL);
    kp_config config = {.processors = 2, .wait = KP_WAIT_SPIN, .profile = profile};
    setenv("XDG_CACHE_HOME", folder, 1);
    config.tuning = KP_TUNING_BUILTIN;
    expect(
        &config, 4096, "; eager buffers",
        "up to 4096 bytes between two processors with a core each, up to 8192 between more, up to "
        "8192 where processors share cores; both ends copy a message if each copies at least "
        "16384 bytes; copies go past the cache in a call that reads and writes more than 33554432 "
        "bytes (built-in)");
    expect(&config, 4097, "; in place", "(built-in)");
    config = (kp_config){.processors = 2, .profile = old};
    expect(&config, 64, "; eager buffers", "(measured in this process)");
    config.profile = NULL;
    expect(&config, 64, "; eager buffers", "(built-in)"); /* KPORT_TUNE says so */
    unsetenv("KPORT_TUNE");
    expect(&config, 64, "; eager buffers", "(measured in this process)");
    config.processors = 1;
    expect(&config, 64, "alone", "(built-in)");
    setenv("KPORT_TUNE", "builtin", 1);
    if (kp_fibers()) {
        config = (kp_config){.processors = 3, .carrier = KP_CARRIER_FIBERS, .profile = profile};
        expect(&config, 24576, "; long eager buffer", "(built-in)");
        expect(&config, 24577, "; in place", "(built-in)");
    }
    kp_profile_free(old);
    kp_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_faster_way_is_found),
        cmocka_unit_test(time_is_bounded),
        cmocka_unit_test(what_is_measured_is_sane),
        cmocka_unit_test(a_profile_has_all_or_none),
        cmocka_unit_test(each_decides),
        cmocka_unit_test(who_goes_by_which),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
