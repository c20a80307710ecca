/* Tests profiles. A profile is read, or refused with a sentence. A wrong setting in it is left out
 * with a message. An error outside of the settings refuses the whole profile. The choice must be
 * the algorithm with the least predicted time. */
#include "tests/common/profile_common.h"

#include "lib/problem/holders.h"
#include "lib/problem/problem.h"

/* --- Reading profiles --- */

static void what_is_written_is_read(void **state)
{
    (void)state;
    kp_profile *profile = read_good();
    assert_int_equal(profile->count, 1);
    const struct kp_setting *s = &profile->settings[0];
    assert_int_equal(s->n, 8);
    assert_int_equal(s->k, 1);
    /* A constant may be more precise than a double (C11 5.2.4.2.2), for example on i686. */
    assert_true(s->beta_us == 2.5 && s->tau_us == (double)1e-3);
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
        /* The copy has exactly this length, so that a sanitizer detects a read past its end. */
        char *cut = malloc(i + 1);
        memcpy(cut, whole, i);
        kp_profile *profile = NULL;
        int status = kp_profile_parse("cut", cut, i, &profile);
        free(cut);
        if (status != KP_EPROFILE || profile)
            fail_msg("the first %zu of %zu bytes were taken", i, length);
        assert_non_null(strstr(kp_last_error()->sentence, "profile cut: "));
    }
}

/* A change in the good profile: `from` is replaced by `to`, and the error must contain `says`. */
struct change {
    const char *from, *to, *says;
};

/* Changes that make the whole profile invalid. */
static const struct change of_the_whole[] = {
    {"\"kport_profile\":1", "\"kport_profile\":4", "its format is 4; it may be 1 ... 3"},
    {"\"kport_profile\":1", "\"kport_profil\":1", "it is no profile"},
    {"\"kport_profile\":1", "\"kport_profile\":\"1\"", "\"kport_profile\" is a text; it may be a"},
    {"\"version\":\"", "\"version\":\"9", "it is of another version: version is \"9"},
    {"\"table\":\"", "\"table\":\"0", "it is of another table of algorithms: table is"},
    {"\"machine\":\"", "\"machine\":\"abacus ", "it is of another machine: machine is \"abacus "},
    {"\"machine\":\"", "\"machine\":7,\"x\":\"", "the stamp has \"x\", which is unknown"},
    {"\"n\":8", "\"n\":1e999", "the number 1e999 is too large"},
    {"\"n\":8", "\"n\":8,\"n\":8", "the key \"n\" is there twice"},
    {"\"n\":8", "\"n\":NaN", "a value begins with byte 0x4e"},
    {"\"n\":8", "\"n\":0x8", "after a value a comma or '}' is missing"},
    {"\"n\":8", "\"n\":08", "'08' is no number"},
    {"\"n\":8", "\"n\":+8", "a value begins with byte 0x2b"},
    {"\"beta_us\":2.5", "\"beta_us\":Infinity", "a value begins with byte 0x49"},
    {"\"beta_us\":2.5", "\"beta_us\":11111111111111111111111111111111111111111.5",
     "a number has 43 characters; it"},
    {"\"algorithm\":\"pairwise\"", "\"algorithm\":\"pair\\u0077ise\"",
     "a text has byte 0x5c; it may have printable ASCII"},
    {"}]}\n", "}]}\n{}\n", "after the end there is more"},
    {"}]}\n", "}]}", "it ends without the end of a line"},
    {"\"settings\":[", "\"settings\":[[[[[[[[[[[[[[[[[[[[[[", "it has more than 10 levels"},
};

/* Changes that make one setting invalid. */
static const struct change of_a_setting[] = {
    {"\"n\":8", "\"n\":8,\"per_process\":9", "\"per_process\" is 9; it may be 1 ... 8"},
    {"\"n\":8", "\"n\":8,\"per_process\":3", "is 3, which does not divide \"n\", 8"},
    {"\"n\":8", "\"n\":\"8\"", "\"n\" is a text; it may be a number"},
    {"\"n\":8", "\"n\":0", "\"n\" is 0; it may be 1 ... "},
    {"\"n\":8", "\"n\":8.5", "\"n\" is 8.5; it may be a whole number"},
    {"\"n\":8", "\"n\":1e300", "\"n\" is 1e+300; it may be 1 ... "},
    {"\"n\":8", "\"n\":-8", "\"n\" is -8; it may be 1 ... "},
    {"\"n\":8", "\"m\":8", "a setting has no \"n\""},
    {"\"k\":1", "\"k\":8", "\"k\" is 8; it may be 1 ... 7"},
    {"\"carrier\":\"threads\"", "\"carrier\":\"bees\"", "\"carrier\" is \"bees\"; it may be"},
    {"\"carrier\":\"threads\"", "\"carrier\":1", "\"carrier\" is a number; it may be a text"},
    {"\"carrier\":\"threads\"", "\"carrier\":\"mpi\"", "a setting has no \"network\""},
    {"\"carrier\":\"threads\"", "\"carrier\":\"mpi\",\"network\":\"A 1\",\"per_process\":0",
     "\"per_process\" is 0; it may be 1 ... "},
    {"\"carrier\":\"threads\"", "\"carrier\":\"mpi\",\"network\":1,\"per_process\":2",
     "\"network\" is a number; it may be a text"},
    {"\"carrier\":\"threads\"", "\"carrier\":\"fibers\",\"network\":\"A 1\",\"per_process\":2",
     "a setting has \"network\", which is unknown"},
    {"\"rounds\":\"barrier\"", "\"rounds\":null", "\"rounds\" is null; it may be a text"},
    {"\"beta_us\":2.5", "\"beta_us\":-2.5", "\"beta_us\" is -2.5; it may be 0 ... "},
    {"\"beta_us\":2.5", "\"beta_us\":1e13", "\"beta_us\" is 1e+13; it may be 0 ... 1e+12"},
    {"\"beta_us\":2.5", "\"beta_us\":[2.5]", "\"beta_us\" is a list; it may be a number"},
    {"\"operation\":\"index\"", "\"operation\":\"juggle\"", "\"operation\" is juggle; it may be"},
    {"\"operation\":\"index\"", "\"operation\":{}", "\"operation\" is an object; it may be"},
    {"\"operation\":\"index\"", "\"operation\":\"concat\"",
     "algorithm \"radix\" is none of concat"},
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
};

#define CHANGES(table) (sizeof(table) / sizeof(table)[0])

static char *change(const struct change *change, char *changed, size_t size)
{
    const char *whole = good(), *at = strstr(whole, change->from);
    assert_non_null(at);
    snprintf(changed, size, "%.*s%s%s", (int)(at - whole), whole, change->to,
             at + strlen(change->from));
    return changed;
}

static void expect_wrong(const struct change *c)
{
    char changed[6000];
    kp_profile *profile = NULL;
    change(c, changed, sizeof changed);
    int status = kp_profile_parse("changed", changed, strlen(changed), &profile);
    const char *said = kp_last_error()->sentence;
    if (status != KP_EPROFILE || profile || !strstr(said, c->says))
        fail_msg("%s for %s: status %d, \"%s\"", c->to, c->from, status, said);
}

static void what_is_wrong_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < CHANGES(of_the_whole); i++)
        expect_wrong(&of_the_whole[i]);
    for (size_t i = 0; i < CHANGES(of_a_setting); i++)
        expect_wrong(&of_a_setting[i]);
}

/* A setting is for problems with its number of processors of a process. Without such a number it is
 * for problems of which nothing is known. */
static void a_setting_is_for_one_number_of_processors_of_a_process(void **state)
{
    (void)state;
    static const char *const keys[] = {"\"n\":8", "\"n\":8,\"per_process\":2"};
    const kp_config config = {.processors = 8, .ports = 1};
    for (int measured = 0; measured < 2; measured++) {
        char changed[6000];
        kp_profile *profile;
        const struct change c = {"\"n\":8", keys[measured], NULL};
        change(&c, changed, sizeof changed);
        assert_int_equal(kp_profile_parse("some", changed, strlen(changed), &profile), KP_OK);
        for (int t = 0; t <= 8; t = t ? 2 * t : 1) {
            kp_problem p = parse("index:n=8,k=1,b=8");
            p.per_process = t;
            assert_int_equal(kp_profile_serves(profile, &config, &p), measured ? t == 2 : t <= 1);
        }
        kp_profile_free(profile);
    }
}

/* --- Several settings, some of them wrong --- */

/* Returns the good profile with another list of settings. */
static char *with_settings(const char *settings, char *to, size_t size)
{
    const char *whole = good(), *list = strstr(whole, "[{\"n\"");
    snprintf(to, size, "%.*s[%s]}\n", (int)(list - whole), whole, settings);
    return to;
}

/* Returns the good setting for n processors. */
static char *setting_of(int n, char *to, size_t size)
{
    const char *begin = strstr(good(), "{\"n\":8") + strlen("{\"n\":8");
    snprintf(to, size, "{\"n\":%d%.*s", n, (int)(strlen(begin) - strlen("]}\n")), begin);
    return to;
}

static void a_wrong_setting_is_left_out(void **state)
{
    (void)state;
    char changed[12000], right[2000], wrong[2000], list[6100], says[200];
    setting_of(9, right, sizeof right);
    for (size_t i = 0; i < CHANGES(of_a_setting); i++) {
        kp_profile *profile = NULL;
        const struct change *c = &of_a_setting[i];
        const char *first = strstr(change(c, changed, sizeof changed), "[{");
        snprintf(wrong, sizeof wrong, "%.*s", (int)(strlen(first) - strlen("[]}\n")), first + 1);
        snprintf(list, sizeof list, "%s,%s,%s", wrong, right, wrong);
        with_settings(list, changed, sizeof changed);
        if (kp_profile_parse("some", changed, strlen(changed), &profile))
            fail_msg("%s for %s: %s", c->to, c->from, kp_last_error()->sentence);
        assert_int_equal(profile->count, 1);
        assert_int_equal(profile->settings[0].n, 9);
        assert_int_equal(profile->settings[0].number, 1);
        snprintf(says, sizeof says, ", without 2 of its 3 settings (number 1: ");
        if (strncmp(profile->left_out, says, strlen(says)) != 0 ||
            !strstr(profile->left_out, c->says))
            fail_msg("%s for %s: %s", c->to, c->from, profile->left_out);
        kp_profile_free(profile);
    }
}

static void an_empty_or_a_second_setting_is_left_out(void **state)
{
    (void)state;
    static const char empty[] =
        "{\"n\":400,\"k\":1,\"carrier\":\"threads\",\"workers\":0,\"rounds\":\"barrier\","
        "\"beta_us\":2.5,\"tau_us\":1e-3,\"operations\":[]}";
    char eight[2000], nine[2000], list[6400], text_of_it[12000];
    kp_profile *profile = NULL;
    snprintf(list, sizeof list, "%s,%s,%s,%s", setting_of(8, eight, sizeof eight), empty,
             setting_of(9, nine, sizeof nine), eight);
    with_settings(list, text_of_it, sizeof text_of_it);
    assert_int_equal(kp_profile_parse("four", text_of_it, strlen(text_of_it), &profile), KP_OK);
    assert_int_equal(profile->count, 2);
    assert_int_equal(profile->settings[1].n, 9);
    assert_int_equal(profile->settings[1].number, 2);
    static const char says[] =
        ", without 2 of its 4 settings (number 2: \"operations\" has 0 values;";
    assert_memory_equal(profile->left_out, says, sizeof says - 1);
    kp_profile_free(profile);
    with_settings(empty, text_of_it, sizeof text_of_it);
    assert_int_equal(kp_profile_parse("none", text_of_it, strlen(text_of_it), &profile),
                     KP_EPROFILE);
    snprintf(list, sizeof list, "%s,%s", eight, eight);
    with_settings(list, text_of_it, sizeof text_of_it);
    assert_int_equal(kp_profile_parse("twice", text_of_it, strlen(text_of_it), &profile), KP_OK);
    assert_int_equal(profile->count, 1);
    assert_non_null(strstr(profile->left_out, "n=8, k=1 on threads by barrier is there twice"));
    kp_profile_free(profile);
}

/* Any byte may replace any other byte. The profile must then be read or refused, without a
 * crash. */
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

/* --- Algorithms that are added, changed or removed after the measurement --- */

/* Parses a profile that was measured when index had only two algorithms: `radix` describes the
 * first, the second is pairwise. The profile has two settings. The sample's setting names both
 * algorithms, the other setting only the second. */
static int parse_older(const char *radix, const char *pairwise_name, kp_profile **profile)
{
    static const char *const other =
        ",{\"n\":9,\"k\":1,\"carrier\":\"threads\",\"workers\":0,\"rounds\":\"barrier\",\"beta_"
        "us\":2.5,"
        "\"tau_us\":1e-3,\"operations\":[{\"operation\":\"index\",\"gamma\":[1,0.5,3],\"b\":[8],"
        "\"candidates\":[{\"algorithm\":\"%s\",\"values\":[],\"us\":[30]}]}]}]";
    char whole[6000], second[1000], pairwise[KP_STAMP_ALGORITHM];
    const char *settings = strstr(good(), "\"settings\"");
    struct kp_revision revision;
    kp_revision_here(&revision);
    kp_revision_algorithm(kp_algorithm_find(KP_INDEX, "pairwise"), pairwise, sizeof pairwise);
    snprintf(second, sizeof second, other, pairwise_name);
    snprintf(
        whole, sizeof whole,
        "{\"kport_profile\":3,\"stamp\":{\"version\":\"%s\",\"table\":[\"%s\",\"%s\"],\"machine\":"
        "\"%s\"},%.*s%s,\"thresholds\":{\"eager_of_two\":1024,\"eager_of_many\":2048,"
        "\"eager_crowded\":4096,\"least_part\":65536,\"past_cache\":1048576}}\n",
        revision.version, radix, pairwise, revision.machine,
        (int)(strlen(settings) - strlen("]}\n")), settings, second);
    return kp_profile_parse("older", whole, strlen(whole), profile);
}

static void a_new_algorithm_leaves_a_profile_as_good_as_it_was(void **state)
{
    (void)state;
    char radix[KP_STAMP_ALGORITHM];
    kp_profile *profile = NULL;
    kp_problem p = parse("index:n=8,k=1,b=8");
    kp_prediction choice;
    kp_revision_algorithm(kp_algorithm_find(KP_INDEX, "radix"), radix, sizeof radix);
    if (parse_older(radix, "pairwise", &profile))
        fail_msg("%s", kp_last_error()->sentence);
    assert_int_equal(profile->count, 2);
    assert_string_equal(profile->left_out, "");
    assert_int_equal(kp_predict(NULL, profile, &p, NULL, NULL, &choice), KP_OK);
    assert_true(choice.measured);
    assert_int_equal(choice.problem.values[0], 8);
    kp_profile_free(profile);
}

static void expect_left_out(const char *radix, const char *pairwise_name, int n, const char *says)
{
    kp_profile *profile = NULL;
    if (parse_older(radix, pairwise_name, &profile))
        fail_msg("%s", kp_last_error()->sentence);
    assert_int_equal(profile->count, 1);
    assert_int_equal(profile->settings[0].n, n);
    if (!strstr(profile->left_out, says))
        fail_msg("%s", profile->left_out);
    kp_profile_free(profile);
}

static void an_algorithm_that_changed_or_went_takes_its_settings_along(void **state)
{
    (void)state;
    char radix[KP_STAMP_ALGORITHM];
    kp_revision_algorithm(kp_algorithm_find(KP_INDEX, "radix"), radix, sizeof radix);
    expect_left_out(radix, "pigeons", 8, "number 2: algorithm \"pigeons\" is none of index");
    char *last = &radix[strlen(radix) - 1];
    *last = *last == '0' ? '1' : '0';
    expect_left_out(radix, "pairwise", 9, "number 1: algorithm \"radix\" of index has changed");
}

/* The text that describes an algorithm must change with everything on which its time depends. */
static void every_algorithm_has_a_text_of_its_own(void **state)
{
    (void)state;
    char one[KP_STAMP_ALGORITHM], other[KP_STAMP_ALGORITHM];
    for (int i = 0; kp_algorithm_at(i); i++) {
        kp_algorithm changed = *kp_algorithm_at(i);
        kp_revision_algorithm(kp_algorithm_at(i), one, sizeof one);
        assert_true(strlen(one) < sizeof one - 1);
        changed.restriction = "only on Sundays";
        kp_revision_algorithm(&changed, other, sizeof other);
        assert_string_not_equal(one, other);
        changed = *kp_algorithm_at(i);
        changed.parameters[kp_parameter_count(&changed) - (kp_parameter_count(&changed) > 0)] =
            (kp_parameter){.name = "wings", .range = "2"};
        kp_revision_algorithm(&changed, other, sizeof other);
        assert_string_not_equal(one, other);
    }
}

/* --- Files --- */

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
    /* The user root may read every file, so the test changes to another user. */
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

/* --- The choice of the algorithm --- */

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
        /* By the sample, r = 8 is faster for short and long blocks, and r = 2 in between. The times
         * are equal at b = 516 and at b = 2048. */
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
    /* Longer blocks than those measured: the time grows as gamma1 C1 beta + gamma2 C2 tau + gamma3,
     * with C1 = 7 and C2 = 7 b. */
    double at = 7 * 2.5 + 0.5 * 7 * 4096 * 1e-3 + 3, there = 7 * 2.5 + 0.5 * 7 * 8192 * 1e-3 + 3;
    double beyond = predicted(profile, "index:n=8,k=1,b=8192,alg=radix,r=8");
    assert_true(beyond > 80 * there / at * 0.9999 && beyond < 80 * there / at * 1.0001);
    /* b = 2052 lies between the measured lengths 8 and 4096, so the prediction is interpolated: 30
     * ... 300. */
    double over = predicted(profile, "index:n=8,k=1,b=2052,alg=pairwise");
    assert_true(over > 164.99 && over < 165.01);
    kp_profile_free(profile);
}

/* An algorithm that was not measured for long blocks, although others were, must not be predicted
 * by the formula. */
static void who_ended_early_promises_nothing(void **state)
{
    (void)state;
    static const char whole[] = "[30,null,300]", ended[] = "[30,40,null] ";
    char *changed = strdup(good());
    memcpy(strstr(changed, whole), ended, sizeof ended - 1);
    kp_profile *profile = NULL;
    const long before = kp_holders();
    assert_int_equal(kp_profile_parse("ended", changed, strlen(changed), &profile), KP_OK);
    assert_true(kp_holders() == before + 1);
    assert_true(predicted(profile, "index:n=8,k=1,b=1024,alg=pairwise") == 40);
    assert_true(predicted(profile, "index:n=8,k=1,b=3072,alg=pairwise") == 120);
    kp_profile_free(profile);
    assert_true(kp_holders() == before);
    free(changed);
}

/* Problems that the profile does not have must be predicted by the built-in model. */
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

static void a_setting_over_mpi_serves_machines_over_mpi(void **state)
{
    (void)state;
    static const struct change over_mpi = {
        "\"carrier\":\"threads\"", "\"carrier\":\"mpi\",\"network\":\"A 1\",\"per_process\":2", ""};
    char changed[6000];
    kp_profile *profile = NULL;
    kp_problem p = parse("index:n=8,k=1,b=8");
    kp_config config = {.carrier = KP_CARRIER_MPI};
    change(&over_mpi, changed, sizeof changed);
    assert_int_equal(kp_profile_parse("mpi", changed, strlen(changed), &profile), KP_OK);
    assert_string_equal(profile->settings[0].network, "A 1");
    assert_false(kp_profile_serves(profile, &config, &p));
    p.per_process = 2;
    assert_true(kp_profile_serves(profile, &config, &p));
    assert_false(kp_profile_serves(profile, NULL, &p));
    kp_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(no_beginning_is_taken_for_the_whole),
        cmocka_unit_test(what_is_wrong_is_refused),
        cmocka_unit_test(a_new_algorithm_leaves_a_profile_as_good_as_it_was),
        cmocka_unit_test(an_algorithm_that_changed_or_went_takes_its_settings_along),
        cmocka_unit_test(every_algorithm_has_a_text_of_its_own),
        cmocka_unit_test(a_setting_is_for_one_number_of_processors_of_a_process),
        cmocka_unit_test(a_wrong_setting_is_left_out),
        cmocka_unit_test(an_empty_or_a_second_setting_is_left_out),
        cmocka_unit_test(no_byte_breaks_it),
        cmocka_unit_test(files_that_cannot_be),
        cmocka_unit_test(the_choice_is_the_least_prediction),
        cmocka_unit_test(between_and_beyond),
        cmocka_unit_test(who_ended_early_promises_nothing),
        cmocka_unit_test(only_what_was_measured),
        cmocka_unit_test(a_setting_over_mpi_serves_machines_over_mpi),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
