/* Profiles: read whole or refused whole, each refusal with its sentence; the choice is the least
 * prediction; who overrides whom; and first calls that are measured end on the same plan at all
 * members. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <kport.h>

#include "lib/plan.h"
#include "lib/profile.h"

/* n = 8, k = 1: r = 8 takes seven rounds, r = 2 three, which the built-in model prefers for short
 * blocks. %s: stamp. */
static const char *const sample =
    "{\"kport_profile\":1,\"stamp\":{\"version\":\"%s\",\"table\":\"%s\",\"machine\":\"%s\"},"
    "\"settings\":[{\"n\":8,\"k\":1,\"carrier\":\"threads\",\"workers\":0,\"rounds\":\"barrier\","
    "\"beta_us\":2.5,\"tau_us\":1e-3,\"operations\":[{\"operation\":\"index\","
    "\"gamma\":[1,0.5,3],\"b\":[8,1024,4096],\"candidates\":["
    "{\"algorithm\":\"radix\",\"values\":[2],\"us\":[20,40,100]},"
    "{\"algorithm\":\"radix\",\"values\":[8],\"us\":[10,50,80]},"
    "{\"algorithm\":\"pairwise\",\"values\":[],\"us\":[30,null,300]}]}]}]}\n";

static char text[4096];

static const char *good(void)
{
    struct kp_stamp stamp;
    kp_stamp_here(&stamp);
    int length = snprintf(text, sizeof text, sample, stamp.version, stamp.table, stamp.machine);
    assert_true(length > 0 && (size_t)length < sizeof text);
    return text;
}

static kp_profile *read_good(void)
{
    kp_profile *profile = NULL;
    const char *whole = good();
    if (kp_profile_parse("sample", whole, strlen(whole), &profile))
        fail_msg("%s", kp_last_error()->sentence);
    return profile;
}

static kp_problem parse(const char *problem)
{
    kp_problem p;
    assert_int_equal(kp_problem_parse(problem, &p), KP_OK);
    return p;
}

/* --- Reading --- */

static void what_is_written_is_read(void **state)
{
    (void)state;
    kp_profile *profile = read_good();
    assert_int_equal(profile->count, 1);
    const struct kp_setting *s = &profile->settings[0];
    assert_int_equal(s->n, 8);
    assert_int_equal(s->k, 1);
    assert_true(s->beta_us == 2.5 && s->tau_us == 1e-3);
    const struct kp_measured_operation *o = s->operations[KP_INDEX];
    assert_non_null(o);
    assert_null(s->operations[KP_CONCAT]);
    assert_int_equal(o->sizes, 3);
    assert_int_equal(o->b[2], 4096);
    assert_true(o->gamma[0] == 1 && o->gamma[1] == 0.5 && o->gamma[2] == 3);
    assert_int_equal(o->curve_count, 3);
    assert_int_equal(o->curves[1].values[0], 8);
    assert_true(o->curves[1].us[1] == 50);
    assert_true(o->curves[2].us[1] == 0); /* null: not measured */
    kp_profile_free(profile);
}

static void no_beginning_is_taken_for_the_whole(void **state)
{
    (void)state;
    const char *whole = good();
    size_t length = strlen(whole);
    for (size_t i = 0; i < length; i++) {
        char *cut = malloc(i + 1); /* of its own, so that a sanitizer sees a byte too far */
        memcpy(cut, whole, i);
        kp_profile *profile = NULL;
        int status = kp_profile_parse("cut", cut, i, &profile);
        free(cut);
        if (status != KP_EPROFILE || profile)
            fail_msg("the first %zu of %zu bytes were taken", i, length);
        assert_non_null(strstr(kp_last_error()->sentence, "profile cut: "));
    }
}

/* One thing changed in what is good, and what is said. */
static const struct change {
    const char *from, *to, *says;
} changes[] = {
    {"\"kport_profile\":1", "\"kport_profile\":2", "its format is 2; it may be 1"},
    {"\"kport_profile\":1", "\"kport_profil\":1", "it is no profile"},
    {"\"kport_profile\":1", "\"kport_profile\":\"1\"", "\"kport_profile\" is a text; it may be a"},
    {"\"version\":\"", "\"version\":\"9", "it is of another version: version is \"9"},
    {"\"table\":\"", "\"table\":\"0", "it is of another table of algorithms: table is"},
    {"\"machine\":\"", "\"machine\":\"abacus ", "it is of another machine: machine is \"abacus "},
    {"\"machine\":\"", "\"machine\":7,\"x\":\"", "the stamp has \"x\", which is unknown"},
    {"\"n\":8", "\"n\":\"8\"", "\"n\" is a text; it may be a number"},
    {"\"n\":8", "\"n\":0", "\"n\" is 0; it may be 1 ... "},
    {"\"n\":8", "\"n\":8.5", "\"n\" is 8.5; it may be a whole number"},
    {"\"n\":8", "\"n\":1e300", "\"n\" is 1e+300; it may be 1 ... "},
    {"\"n\":8", "\"n\":1e999", "the number 1e999 is too large"},
    {"\"n\":8", "\"n\":-8", "\"n\" is -8; it may be 1 ... "},
    {"\"n\":8", "\"n\":8,\"n\":8", "the key \"n\" is there twice"},
    {"\"n\":8", "\"n\":NaN", "a value begins with byte 0x4e"},
    {"\"n\":8", "\"n\":0x8", "after a value a comma or '}' is missing"},
    {"\"n\":8", "\"n\":08", "'08' is no number"},
    {"\"n\":8", "\"n\":+8", "a value begins with byte 0x2b"},
    {"\"n\":8", "\"m\":8", "a setting has no \"n\""},
    {"\"k\":1", "\"k\":8", "\"k\" is 8; it may be 1 ... 7"},
    {"\"carrier\":\"threads\"", "\"carrier\":\"bees\"", "\"carrier\" is \"bees\"; it may be"},
    {"\"carrier\":\"threads\"", "\"carrier\":1", "\"carrier\" is a number; it may be a text"},
    {"\"rounds\":\"barrier\"", "\"rounds\":null", "\"rounds\" is null; it may be a text"},
    {"\"beta_us\":2.5", "\"beta_us\":-2.5", "\"beta_us\" is -2.5; it may be 0 ... "},
    {"\"beta_us\":2.5", "\"beta_us\":Infinity", "a value begins with byte 0x49"},
    {"\"beta_us\":2.5", "\"beta_us\":1e13", "\"beta_us\" is 1e+13; it may be 0 ... 1e+12"},
    {"\"beta_us\":2.5", "\"beta_us\":[2.5]", "\"beta_us\" is a list; it may be a number"},
    {"\"beta_us\":2.5",
     "\"beta_us\":11111111111111111111111111111111111111111.5", "a number has 43 characters; it"},
    {"\"operation\":\"index\"", "\"operation\":\"juggle\"", "\"operation\" is juggle; it may be"},
    {"\"operation\":\"index\"", "\"operation\":{}", "\"operation\" is an object; it may be"},
    {"\"operation\":\"index\"", "\"operation\":\"concat\"", "algorithm \"radix\" is none of concat"},
    {"[1,0.5,3]", "[1,0.5]", "\"gamma\" has 2 values; it may have 3 ... 3"},
    {"[1,0.5,3]", "[1,-0.5,3]", "a gamma is -0.5; it may be 0 ... "},
    {"[1,0.5,3]", "[1,true,3]", "a gamma is true; it may be a number"},
    {"[8,1024,4096]", "[8,4096,1024]", "do not grow: 1024 comes after 4096"},
    {"[8,1024,4096]", "[8,8,4096]", "do not grow: 8 comes after 8"},
    {"[8,1024,4096]", "[]", "\"b\" has 0 values; it may have 1 ... "},
    {"[20,40,100]", "[20,40]", "\"us\" has 2 values; it may have 3 ... 3"},
    {"[20,40,100]", "[20,0,100]", "a time is 0; it may be 1e-06 ... "},
    {"[20,40,100]", "[20,false,100]", "a time is false; it may be a number"},
    {"\"values\":[2]", "\"values\":[2,2]", "\"values\" has 2 values; it may have 1 ... 1"},
    {"\"values\":[2]", "\"values\":[0]", "a value of a parameter is 0; it may be 1 ... "},
    {"\"values\":[2]", "\"values\":[1e18]", "a value of a parameter is 1e+18; it may be"},
    {"\"algorithm\":\"pairwise\"", "\"algorithm\":\"pair\\u0077ise\"",
     "a text has byte 0x5c; it may have printable ASCII"},
    {"}]}\n", "}]}\n{}\n", "after the end there is more"},
    {"}]}\n", "}]}", "it ends without the end of a line"},
    {"\"settings\":[", "\"settings\":[[[[[[[[[[[[[[[[[[[[[[", "it has more than 10 levels"},
};

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        char changed[6000];
        const char *whole = good(), *at = strstr(whole, changes[i].from);
        assert_non_null(at);
        snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - whole), whole, changes[i].to,
                 at + strlen(changes[i].from));
        kp_profile *profile = NULL;
        int status = kp_profile_parse("changed", changed, strlen(changed), &profile);
        const char *said = kp_last_error()->sentence;
        if (status != KP_EPROFILE || profile || !strstr(said, changes[i].says))
            fail_msg("%s for %s: status %d, \"%s\"", changes[i].to, changes[i].from, status, said);
    }
}

/* A byte of any value in the place of any other: an answer, and nothing broken. */
static void no_byte_breaks_it(void **state)
{
    (void)state;
    static const unsigned char bytes[] = {0, '"', '{', ']', '-', 'e', '9', 0xff};
    size_t length = strlen(good());
    for (size_t i = 0; i < length; i++) {
        for (size_t j = 0; j < sizeof bytes; j++) {
            kp_profile *profile = NULL;
            char kept = text[i];
            text[i] = (char)bytes[j];
            int status = kp_profile_parse("byte", text, length, &profile);
            text[i] = kept;
            assert_true(status == KP_OK ? profile != NULL : status == KP_EPROFILE && !profile);
            kp_profile_free(profile);
        }
    }
}

/* --- Files --- */

static char folder[64], path[128];

static void write_file(const char *name, const char *whole)
{
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(whole, f);
    fclose(f);
}

static void expect_refused(const char *file, const char *says)
{
    kp_profile *profile = NULL;
    assert_int_equal(kp_profile_read(file, &profile), KP_EPROFILE);
    assert_null(profile);
    if (!strstr(kp_last_error()->sentence, says) || !strstr(kp_last_error()->sentence, file))
        fail_msg("%s: %s", file, kp_last_error()->sentence);
}

static void files_that_cannot_be(void **state)
{
    (void)state;
    kp_profile *profile;
    expect_refused(folder, "it is a folder; it may be a file");
    expect_refused("/nowhere/at/all", "No such file or directory");
    expect_refused("/dev/zero", "it is no regular file");
    write_file("empty", "");
    expect_refused(path, "it is empty");
    write_file("closed", good());
    assert_int_equal(chmod(path, 0), 0);
    assert_int_equal(chmod(folder, 0755), 0);
    /* Root may read everything. */
    bool dropped = geteuid() == 0 && seteuid(65534) == 0;
    if (geteuid() != 0)
        expect_refused(path, "Permission denied");
    else
        print_message("nobody to be denied: this is root, and stays it\n");
    if (dropped)
        assert_int_equal(seteuid(0), 0);
    chmod(path, 0600);
    assert_int_equal(kp_profile_read(path, &profile), KP_OK);
    kp_profile_free(profile);
}

/* --- The choice --- */

struct least {
    double us;
    kp_problem problem;
    int count, measured;
};

static void find_least(const kp_prediction *p, void *arg)
{
    struct least *least = arg;
    least->count++;
    least->measured += p->measured;
    if (p->measured && (least->us == 0 || p->us < least->us)) {
        least->us = p->us;
        least->problem = p->problem;
    }
    double sum = (p->rounds_us + p->bytes_us + p->rest_us) * p->measured_ratio;
    assert_true(sum > p->us * 0.999 && sum < p->us * 1.001);
}

static void the_choice_is_the_least_prediction(void **state)
{
    (void)state;
    kp_profile *profile = read_good();
    kp_problem p = parse("index:n=8,k=1,b=8");
    for (p.b = 1; p.b < 20000; p.b += p.b / 7 + 1) {
        struct least least = {.us = 0};
        kp_prediction choice;
        assert_int_equal(kp_predict(NULL, profile, &p, find_least, &least, &choice), KP_OK);
        assert_int_equal(least.measured, 3);
        assert_true(least.count > 3);
        assert_true(choice.us == least.us);
        assert_ptr_equal(choice.problem.algorithm, least.problem.algorithm);
        assert_int_equal(choice.problem.values[0], least.problem.values[0]);
        /* Short and long blocks by r = 8, as the sample has it, those about 1024 by r = 2. */
        /* The lines cross at 516 and at 2048. */
        assert_true(p.b == 516 || p.b == 2048 ||
                    choice.problem.values[0] == (p.b > 516 && p.b < 2048 ? 2 : 8));
    }
    kp_profile_free(profile);
}

static double predicted(const kp_profile *profile, const char *problem)
{
    kp_problem p = parse(problem);
    kp_prediction choice;
    assert_int_equal(kp_predict(NULL, profile, &p, NULL, NULL, &choice), KP_OK);
    return choice.us;
}

static void between_and_beyond(void **state)
{
    (void)state;
    kp_profile *profile = read_good();
    assert_true(predicted(profile, "index:n=8,k=1,b=8,alg=radix,r=2") == 20);
    assert_true(predicted(profile, "index:n=8,k=1,b=516,alg=radix,r=2") == 30);
    assert_true(predicted(profile, "index:n=8,k=1,b=2560,alg=radix,r=2") == 70);
    /* gamma1 C1 beta + gamma2 C2 tau + gamma3: C1 = 7, C2 = 7 b. */
    double at = 7 * 2.5 + 0.5 * 7 * 4096 * 1e-3 + 3, there = 7 * 2.5 + 0.5 * 7 * 8192 * 1e-3 + 3;
    double beyond = predicted(profile, "index:n=8,k=1,b=8192,alg=radix,r=8");
    assert_true(beyond > 80 * there / at * 0.9999 && beyond < 80 * there / at * 1.0001);
    /* 300 / 4096: over the length that was not measured. */
    double over = predicted(profile, "index:n=8,k=1,b=2052,alg=pairwise");
    assert_true(over > 164.99 && over < 165.01);
    kp_profile_free(profile);
}

/* What the profile has nothing for goes by the built-in model. */
static void only_what_was_measured(void **state)
{
    (void)state;
    kp_profile *profile = read_good();
    static const char *const others[] = {"index:n=8,k=2,b=8", "index:n=9,k=1,b=8",
                                         "concat:n=8,k=1,b=8"};
    kp_problem known = parse("index:n=8,k=1,b=8");
    kp_config fibers = {.carrier = KP_CARRIER_FIBERS},
              mail = {.discipline = KP_ROUNDS_BY_MAILBOXES}, own = {.beta_us = 1};
    assert_true(kp_profile_serves(profile, NULL, &known));
    assert_false(kp_profile_serves(NULL, NULL, &known));
    assert_false(kp_profile_serves(profile, &fibers, &known));
    assert_false(kp_profile_serves(profile, &mail, &known));
    assert_false(kp_profile_serves(profile, &own, &known));
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        kp_problem p = parse(others[i]), tuned = p;
        kp_prediction choice;
        assert_false(kp_profile_serves(profile, NULL, &p));
        assert_int_equal(kp_predict(NULL, profile, &p, NULL, NULL, &choice), KP_OK);
        assert_int_equal(kp_tune(&tuned, NULL), KP_OK);
        assert_ptr_equal(choice.problem.algorithm, tuned.algorithm);
        assert_memory_equal(choice.problem.values, tuned.values, sizeof tuned.values);
    }
    kp_profile_free(profile);
}

/* --- Protocols --- */

/* As the sample, and by mailboxes: faster for short blocks. */
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
        const struct kp_prepared *prepared = kp_plan_recent(world, KP_INDEX);
        if (!status && prepared->execution.by_mail != (b == 8))
            return kp_fail(self, "by the other protocol");
        for (size_t i = 0; i < 8 * b && !status; i++) {
            size_t j = i / b;
            if (in[me][i] != (char)(call + 31 * (int)j + me * (int)b + (int)(i % b)))
                return kp_fail(self, "wrong bytes");
        }
    }
    if (status)
        return status;
    /* Whoever differs is told, whichever protocols meet. */
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

/* --- By what a machine goes --- */

struct asked {
    char text[1500];
    int status; /* of the processor's latest error */
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

/* Rounds of one call: 7 by the sample profile, 3 by the built-in model. */
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
    expect_rounds("/nowhere", NULL, 3, "the built-in model: profile /nowhere: No such file");
    expect_rounds("builtin", &(kp_config){.profile = profile}, 7, "the profile that the config");
    expect_rounds(file, &builtin_too, 3, "the built-in model: the config says so");
    expect_rounds(file, &(kp_config){.beta_us = 1}, 3, "the linear model: the config");
    write_file("kport/profile.json", "{\"kport_profile\":1,\n");
    expect_rounds(NULL, NULL, 3, "it ends in the middle");
    unlink(path);
    setenv("KPORT_TUNE", "builtin", 1);
    kp_profile_free(profile);
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
    const struct kp_prepared *prepared = kp_plan_recent(kp_world(self), KP_INDEX);
    seen->algorithm[me] = prepared->problem.algorithm;
    memcpy(seen->values[me], prepared->problem.values, sizeof seen->values[me]);
    return prepared->recent.valid ? 0 : kp_fail(self, "nothing was decided");
}

static int try_and_see(kp_proc *self, void *arg)
{
    struct seen *seen = arg;
    kp_group *world = kp_world(self);
    int me = kp_processor(self), status = 0;
    for (int call = 0; call < TRIED && !status; call++) {
        status = fill_and_call(world, call, 4);
        /* Another problem in between, and a call of which one member thinks differently: it counts
         * at nobody. */
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
    all_end_on_the_same(&(kp_config){.tuning = KP_TUNING_MEASURED,
                                     .discipline = KP_ROUNDS_BY_MAILBOXES},
                        try_only);
    setenv("KPORT_TUNE", "measure", 1);
    all_end_on_the_same(&(kp_config){0}, try_and_see);
    if (kp_fibers())
        all_end_on_the_same(&(kp_config){.carrier = KP_CARRIER_FIBERS, .workers = 2}, try_and_see);
    setenv("KPORT_TUNE", "builtin", 1);
}

/* --- */

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/kport-profile-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    static const char *const names[] = {"empty", "closed", "kport/profile.json", "kport", ""};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        remove(path);
    }
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(no_beginning_is_taken_for_the_whole),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(no_byte_breaks_it),
        cmocka_unit_test(files_that_cannot_be),
        cmocka_unit_test(the_choice_is_the_least_prediction),
        cmocka_unit_test(between_and_beyond),
        cmocka_unit_test(only_what_was_measured),
        cmocka_unit_test(each_call_by_the_faster_protocol),
        cmocka_unit_test(who_overrides_whom),
        cmocka_unit_test(measured_calls),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
