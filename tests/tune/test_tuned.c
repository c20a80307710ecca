/* Tests how machines choose algorithms: which source takes precedence, the discipline of each call,
 * and first calls that are measured. After the measurement all members must use the same
 * algorithm. */
#include "tests/common/profile_common.h"

#include "lib/call/prepared.h"
#include "lib/execute/cache.h"

/* --- Disciplines: barrier or mailboxes --- */

/* Returns the sample profile with a second setting, by mailboxes, which is faster for short
 * blocks. */
static kp_profile *read_both(void)
{
    static const char *const more =
        ",{\"n\":8,\"k\":1,\"carrier\":\"threads\",\"workers\":0,\"rounds\":\"mailboxes\","
        "\"beta_us\":1,\"tau_us\":1e-3,\"operations\":[{\"operation\":\"index\","
        "\"gamma\":[1,1,0],\"b\":[8,1024],\"candidates\":["
        "{\"algorithm\":\"radix\",\"values\":[4],\"us\":[5,70]}]}]}]}\n";
    kp_profile *profile = NULL;
    char both[6000];
    const char *whole = good();
    snprintf(both, sizeof both, "%.*s%s", (int)strlen(whole) - 3, whole, more);
    if (kp_profile_parse("both", both, strlen(both), &profile))
        fail_msg("%s", kp_last_error()->sentence);
    return profile;
}

#define BLOCK 1024

static int call_by_both(kp_proc *self, void *arg)
{
    static char out[8][8 * BLOCK], in[8][8 * BLOCK];
    kp_group *world = kp_world(self);
    int me = kp_processor(self), status = 0;
    (void)arg;
    for (int call = 0; call < 60 && !status; call++) {
        size_t b = call % 3 == 1 ? BLOCK : 8;
        for (size_t i = 0; i < 8 * b; i++)
            out[me][i] = (char)(call + 31 * me + (int)i);
        memset(in[me], 0, 8 * b);
        status = kp_index(world, out[me], in[me], b, NULL);
        const struct kp_prepared *kept = kp_cache_find_plain(world, KP_INDEX, b, 0);
        if (!status && (kept ? kept->lowering.way.by_mail != (b == 8) : call >= 6))
            return kp_fail(self, "by the other protocol");
        for (size_t i = 0; i < 8 * b && !status; i++) {
            size_t j = i / b;
            if (in[me][i] != (char)(call + 31 * (int)j + me * (int)b + (int)(i % b)))
                return kp_fail(self, "wrong bytes");
        }
    }
    if (status)
        return status;
    /* A member whose call differs must get an error, whichever disciplines the calls use. */
    return kp_index(world, out[me], in[me], me == 3 ? 8 : BLOCK, NULL);
}

static void each_call_by_the_faster_protocol(void **state)
{
    (void)state;
    kp_profile *profile = read_both();
    kp_problem p = parse("index:n=8,k=1,b=8");
    kp_prediction choice;
    kp_config config = {.processors = 8,
                        .ports = 1,
                        .discipline = KP_ROUNDS_BY_TUNER,
                        .profile = profile,
                        .time_limit_ms = 20000};
    assert_int_equal(kp_predict(&config, profile, &p, NULL, NULL, &choice), KP_OK);
    assert_int_equal(choice.rounds, KP_ROUNDS_BY_MAILBOXES);
    assert_int_equal(choice.problem.values[0], 4);
    p.b = BLOCK;
    assert_int_equal(kp_predict(&config, profile, &p, NULL, NULL, &choice), KP_OK);
    assert_int_equal(choice.rounds, KP_ROUNDS_BY_BARRIER);
    assert_int_equal(choice.problem.values[0], 2);
    assert_int_equal(kp_predict(&config, NULL, &p, NULL, NULL, &choice), KP_OK);
    assert_int_equal(choice.rounds, KP_ROUNDS_BY_BARRIER);
    kp_report report;
    if (kp_run(&config, call_by_both, NULL, &report) != KP_EMISMATCH)
        fail_msg("%s", report.error.sentence);
    kp_profile_free(profile);
}

/* --- The source by which a machine chooses --- */

struct asked {
    char text[1500];
    int status; /* the status of the processor's latest error */
};

static int call_once(kp_proc *self, void *arg)
{
    struct asked *asked = arg;
    char out[64] = "", in[64];
    int status = kp_index(kp_world(self), out, in, 8, NULL);
    if (kp_processor(self) == 0) {
        kp_tuned_by(kp_world(self), asked->text, sizeof asked->text);
        asked->status = kp_error(self)->status;
    }
    return status;
}

/* Asserts the number of rounds of one call: 7 if the sample profile chooses, 3 if the built-in
 * model does. */
static void expect_rounds(const char *environment, const kp_config *with, uint64_t c1,
                          const char *says)
{
    kp_config config = with ? *with : (kp_config){0};
    kp_report report;
    struct asked asked = {.status = 1};
    if (environment)
        setenv("KPORT_TUNE", environment, 1);
    else
        unsetenv("KPORT_TUNE");
    config.processors = 8;
    config.ports = 1;
    if (kp_run(&config, call_once, &asked, &report))
        fail_msg("%s", report.error.sentence);
    if (report.c1 != c1 || !strstr(asked.text, says))
        fail_msg("KPORT_TUNE %s: %d rounds, %s", environment ? environment : "not set",
                 (int)report.c1, asked.text);
    assert_int_equal(asked.status, KP_OK);
}

static void who_overrides_whom(void **state)
{
    (void)state;
    kp_profile *profile = read_good();
    const kp_config builtin_too = {.tuning = KP_TUNING_BUILTIN, .profile = profile};
    char cache[160], file[200];
    setenv("XDG_CACHE_HOME", folder, 1);
    expect_rounds(NULL, NULL, 3, "the built-in model: there is no ");
    snprintf(cache, sizeof cache, "%s/kport", folder);
    mkdir(cache, 0700);
    write_file("kport/profile.json", good());
    expect_rounds(NULL, NULL, 7, "kport/profile.json");
    expect_rounds("", NULL, 7, "kport/profile.json");
    expect_rounds("builtin", NULL, 3, "the built-in model: KPORT_TUNE is builtin");
    expect_rounds("off", NULL, 3, "the built-in model: KPORT_TUNE is off");
    snprintf(file, sizeof file, "%s", path);
    expect_rounds(file, NULL, 7, "which KPORT_TUNE names");
    expect_rounds("/nowhere", NULL, 3,
                  "the built-in model: KPORT_TUNE names profile /nowhere: No such file");
    expect_rounds("builtin", &(kp_config){.profile = profile}, 7, "the profile that the config");
    expect_rounds(file, &builtin_too, 3, "the built-in model: the config says so");
    expect_rounds(file, &(kp_config){.beta_us = 1}, 3, "the linear model: the config");
    write_file("kport/profile.json", "{\"kport_profile\":1,\n");
    expect_rounds(NULL, NULL, 3, "it ends in the middle");
    unlink(path);
    setenv("KPORT_TUNE", "builtin", 1);
    kp_profile_free(profile);
}

/* A profile with one wrong setting must be used without this setting, and kp_tuned_by must say
 * so. */
static void a_setting_is_left_out(void **state)
{
    (void)state;
    static const char says[] = ", without 1 of its 2 settings (number 1: a setting has no \"k\")";
    char whole[5000], said[1600];
    const char *one = good(), *list = strstr(one, "[{") + 1;
    snprintf(whole, sizeof whole, "%.*s{\"n\":8},%s", (int)(list - one), one, list);
    write_file("closed", whole);
    kp_profile *profile = NULL;
    assert_int_equal(kp_profile_read(path, &profile), KP_OK);
    expect_rounds(path, NULL, 7, says);
    expect_rounds("builtin", &(kp_config){.profile = profile}, 7, says);
    kp_profile_free(profile);
    setenv("KPORT_TUNE", path, 1);
    assert_int_equal(kp_profile_find(&profile, said, sizeof said), KP_OK);
    assert_non_null(profile);
    assert_non_null(strstr(said, says));
    kp_profile_free(profile);
    setenv("KPORT_TUNE", "builtin", 1);
}

/* --- First calls that are measured --- */

#define MEMBERS 6
#define TRIED   90

struct seen {
    const kp_algorithm *algorithm[MEMBERS];
    long values[MEMBERS][KP_PARAMETERS];
};

static int fill_and_call(kp_group *world, int call, size_t count)
{
    int me = kp_rank(world), out[MEMBERS * 4], in[MEMBERS * 4];
    for (int i = 0; i < MEMBERS * 4; i++)
        out[i] = call * 10000 + me * 100 + i;
    memset(in, 0xff, sizeof in);
    int status = kp_index(world, out, in, count * sizeof(int), NULL);
    for (int j = 0; j < MEMBERS && !status; j++) {
        for (int i = 0; i < (int)count; i++) {
            if (in[j * (int)count + i] != call * 10000 + j * 100 + me * (int)count + i)
                return KP_EFAILED;
        }
    }
    return status;
}

static int end_on(kp_proc *self, struct seen *seen)
{
    int me = kp_processor(self);
    const struct kp_prepared *kept =
        kp_cache_find_plain(kp_world(self), KP_INDEX, 4 * sizeof(int), 0);
    if (!kept)
        return kp_fail(self, "nothing was decided");
    seen->algorithm[me] = kept->problem.algorithm;
    memcpy(seen->values[me], kept->problem.values, sizeof seen->values[me]);
    return 0;
}

static int try_and_see(kp_proc *self, void *arg)
{
    struct seen *seen = arg;
    kp_group *world = kp_world(self);
    int me = kp_processor(self), status = 0;
    for (int call = 0; call < TRIED && !status; call++) {
        status = fill_and_call(world, call, 4);
        /* Other problems come in between. Sometimes one member makes a different call. Such a call
         * must not count as measured at any member. */
        if (!status && call % 10 == 5)
            status = fill_and_call(world, call, 3);
        if (!status && call % 7 == 3 && fill_and_call(world, call, me == 1 ? 2 : 4) == KP_OK)
            return kp_fail(self, "a mismatch was not noticed");
    }
    return status ? status : end_on(self, seen);
}

static int try_only(kp_proc *self, void *arg)
{
    int status = 0;
    for (int call = 0; call < TRIED && !status; call++)
        status = fill_and_call(kp_world(self), call, 4);
    return status ? status : end_on(self, arg);
}

static void all_end_on_the_same(const kp_config *with, kp_program *program)
{
    kp_config config = *with;
    kp_report report;
    struct seen seen = {{NULL}, {{0}}};
    config.processors = MEMBERS;
    config.ports = 2;
    if (kp_run(&config, program, &seen, &report))
        fail_msg("%s", report.error.sentence);
    for (int i = 0; i < MEMBERS; i++) {
        assert_non_null(seen.algorithm[i]);
        assert_ptr_equal(seen.algorithm[i], seen.algorithm[0]);
        assert_memory_equal(seen.values[i], seen.values[0], sizeof seen.values[0]);
    }
}

static void measured_calls(void **state)
{
    (void)state;
    setenv("KPORT_TUNE", "builtin", 1);
    all_end_on_the_same(&(kp_config){.tuning = KP_TUNING_MEASURED}, try_and_see);
    all_end_on_the_same(
        &(kp_config){.tuning = KP_TUNING_MEASURED, .discipline = KP_ROUNDS_BY_MAILBOXES}, try_only);
    setenv("KPORT_TUNE", "measure", 1);
    all_end_on_the_same(&(kp_config){0}, try_and_see);
    if (kp_fibers())
        all_end_on_the_same(&(kp_config){.carrier = KP_CARRIER_FIBERS, .workers = 2}, try_and_see);
    setenv("KPORT_TUNE", "builtin", 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_call_by_the_faster_protocol),
        cmocka_unit_test(who_overrides_whom),
        cmocka_unit_test(a_setting_is_left_out),
        cmocka_unit_test(measured_calls),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
