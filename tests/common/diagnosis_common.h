/* The tests of diagnoses share this header. It has the machines on which these tests run, a store
 * for the diagnoses that kport reports, and functions that check a stored diagnosis. */
#ifndef KPORT_TESTS_DIAGNOSIS_COMMON_H
#define KPORT_TESTS_DIAGNOSIS_COMMON_H

#include "tests/common/machine_common.h"

#include <kport.h>

#include <jansson.h>

#define MOST_TOLD 64

/* The diagnoses that `hear` has stored, in the order in which kport reported them. */
static struct {
    kp_diagnosis_kind kind;
    int status, count;
    char *text;
    json_t *json;
} told[MOST_TOLD];
static int times;

static inline void forget(void)
{
    for (int i = 0; i < times; i++) {
        free(told[i].text);
        json_decref(told[i].json);
    }
    times = 0;
}

static inline char *whole(size_t (*write)(const kp_diagnosis *, char *, size_t),
                          const kp_diagnosis *d)
{
    size_t length = write(d, NULL, 0);
    char *text = malloc(length + 1);
    if (text && write(d, text, length + 1) != length) {
        text[0] = '\0';
    }
    return text;
}

/* Stores a diagnosis. `hear` makes no assertions, because cmocka's assertions work only in the main
 * thread, and a processor's thread calls `hear`. */
static inline void hear(const kp_diagnosis *d, void *arg)
{
    json_error_t error;
    (void)arg;
    if (times == MOST_TOLD) {
        return;
    }
    char *json = whole(kp_diagnosis_json, d);
    told[times].kind = d->kind;
    told[times].status = d->error.status;
    told[times].count = d->count;
    told[times].text = whole(kp_diagnosis_text, d);
    told[times].json = json ? json_loads(json, 0, &error) : NULL;
    free(json);
    times++;
}

/* --- The machines --- */

static const struct machine {
    kp_carrier carrier;
    int workers;
    kp_discipline discipline;
    kp_wait_policy wait;
} machines[] = {
    {KP_CARRIER_THREADS, 0, KP_ROUNDS_BY_BARRIER, KP_WAIT_AUTO},
    {KP_CARRIER_THREADS, 0, KP_ROUNDS_BY_MAILBOXES, KP_WAIT_PARK},
    {KP_CARRIER_FIBERS, 1, KP_ROUNDS_BY_BARRIER, KP_WAIT_AUTO},
    {KP_CARRIER_FIBERS, 2, KP_ROUNDS_BY_BARRIER, KP_WAIT_AUTO},
    {KP_CARRIER_FIBERS, 2, KP_ROUNDS_BY_MAILBOXES, KP_WAIT_AUTO},
};
#define MACHINES (sizeof machines / sizeof machines[0])

static inline bool can_be(const struct machine *on)
{
    return on->carrier == KP_CARRIER_THREADS || kp_fibers();
}

static kp_report report;

static inline void assert_told_once(void)
{
    if (times != 1) {
        fail_msg("told %d times: %s%s", times, times > 0 ? told[0].text : "",
                 times > 1 ? told[1].text : "");
    }
}

static inline int run_on(const struct machine *on, int n, unsigned limit_ms, kp_program *program,
                         void *arg)
{
    kp_config config = {.processors = n,
                        .carrier = on->carrier,
                        .workers = on->workers < n ? on->workers : n,
                        .discipline = on->discipline,
                        .wait = on->wait,
                        .time_limit_ms = limit_ms,
                        .on_failure = hear};
    forget();
    memset(outcomes, 0, sizeof outcomes);
    return kp_run(&config, program, arg, &report);
}

/* --- Checks of a stored diagnosis --- */

static inline json_t *of_processor(int i, int processor)
{
    json_t *one = json_array_get(json_object_get(told[i].json, "processors"), (size_t)processor);
    assert_int_equal(json_integer_value(json_object_get(one, "processor")), processor);
    return one;
}

static inline const char *word(int i, int processor, const char *key)
{
    const char *text = json_string_value(json_object_get(of_processor(i, processor), key));
    return text ? text : "(null)";
}

static inline long number(int i, int processor, const char *key)
{
    json_t *value = json_object_get(of_processor(i, processor), key);
    return json_is_integer(value) ? (long)json_integer_value(value) : -1;
}

/* Asserts that the text begins with the sentence. Of a deadlock it has only the circle, as the
 * calls stand in the lines below. */
static inline void assert_sentence(int i)
{
    const char *sentence = json_string_value(json_object_get(told[i].json, "sentence"));
    const char *calls =
        told[i].kind == KP_DIAGNOSIS_DEADLOCK ? strstr(sentence, "; processor ") : NULL;
    const size_t length = calls ? (size_t)(calls - sentence) : strlen(sentence);
    char beginning[KP_SENTENCE_BYTES];
    snprintf(beginning, sizeof beginning, "%.*s", (int)length, sentence);
    if (told[i].status == 0)
        return;
    assert_non_null(strstr(told[i].text, beginning));
    if (calls)
        assert_null(strstr(told[i].text, calls));
}

/* Asserts that stored diagnosis number i has this kind and this status, that its JSON has all keys,
 * and that it lists n processors. */
static inline void assert_told(int i, kp_diagnosis_kind kind, int status, int n)
{
    static const char *const keys[] = {"activity", "operation", "call",      "file",
                                       "line",     "round",     "port",      "group",
                                       "end",      "waits_for", "waited_ms", "waits_for_count"};
    assert_in_range(i, 0, times - 1);
    if (told[i].kind != kind || told[i].status != status) {
        fail_msg("told %s (%d): %s", kp_diagnosis_kind_name(told[i].kind), told[i].status,
                 told[i].text);
    }
    assert_non_null(told[i].json);
    assert_string_equal(json_string_value(json_object_get(told[i].json, "kind")),
                        kp_diagnosis_kind_name(kind));
    assert_int_equal(json_integer_value(json_object_get(told[i].json, "status")), status);
    assert_true(json_string_length(json_object_get(told[i].json, "sentence")) > 0);
    assert_sentence(i);
    assert_int_equal(told[i].count, n);
    assert_int_equal(json_array_size(json_object_get(told[i].json, "processors")), n);
    for (int p = 0; p < n; p++) {
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            assert_non_null(json_object_get(of_processor(i, p), keys[k]));
        }
    }
}

static inline void assert_word(int i, int processor, const char *key, const char *expected)
{
    if (strcmp(word(i, processor, key), expected) != 0) {
        fail_msg("processor %d: %s is %s, not %s; %s", processor, key, word(i, processor, key),
                 expected, told[i].text);
    }
}

static inline void assert_holds(int i, const char *part)
{
    if (!strstr(told[i].text, part)) {
        fail_msg("\"%s\" is not in: %s", part, told[i].text);
    }
}

static inline bool is_concerned(int i, int processor)
{
    size_t at;
    json_t *one;
    json_array_foreach(json_object_get(told[i].json, "concerned"), at, one)
    {
        if (json_integer_value(one) == processor) {
            return true;
        }
    }
    return false;
}

static inline void assert_concerned(int i, const int *processors, int count)
{
    assert_int_equal(json_array_size(json_object_get(told[i].json, "concerned")), count);
    for (int p = 0; p < count; p++) {
        assert_true(is_concerned(i, processors[p]));
    }
}

/* Asserts what stored diagnosis number i says of `processor`: it waits for exactly the `count`
 * processors in `awaited`. The call is `operation`, and its call site is in a file of tests/fail.
 */
static inline void assert_waits(int i, int processor, const char *operation, const int *awaited,
                                int count)
{
    json_t *list = json_object_get(of_processor(i, processor), "waits_for");
    assert_word(i, processor, "activity", "waiting");
    assert_word(i, processor, "operation", operation);
    assert_non_null(strstr(word(i, processor, "call"), operation));
    assert_non_null(strstr(word(i, processor, "file"), "tests/fail/test_"));
    assert_true(number(i, processor, "line") > 0);
    assert_int_equal(number(i, processor, "waits_for_count"), count);
    assert_int_equal(json_array_size(list), count);
    for (int p = 0; p < count; p++) {
        assert_int_equal(json_integer_value(json_array_get(list, (size_t)p)), awaited[p]);
    }
}

/* A processor's program that makes no error. It adds up a value over all processors, and repeats
 * this *arg times. In every 16th repetition processors 0 and 1 also exchange messages, in a group
 * of two. */
static inline int work(kp_proc *self, void *arg)
{
    int64_t value = 0, sum = 0;
    kp_group *world = kp_world(self), *pair;
    int n = kp_size(world), me = kp_processor(self), *rounds = arg;
    for (int i = 0; i < *rounds; i++) {
        value = me;
        NEED(self, kp_allreduce(world, &value, &sum, 1, KP_INT64, KP_SUM, NULL) == 0);
        NEED(self, sum == n * (n - 1) / 2);
        if (me < 2 && i % 16 == 0) {
            NEED(self, kp_group_create(self, (int[]){1, 0}, 2, &pair) == 0);
            NEED(self, ring(pair, 100, (uint64_t)i) == 0);
            kp_group_free(pair);
        }
    }
    return 0;
}

#endif
