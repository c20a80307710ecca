/* Tests diagnoses that a thread requests while the machine runs (kp_machine_dump), as text and as
 * JSON. The JSON is parsed. */
#include "tests/common/diagnosis_common.h"

#define LATE 1 /* the last processor of its worker, so it blocks no other processor */

/* --- Diagnoses on request --- */

static _Atomic int stage;

/* The other processors wait in a broadcast for processor LATE, which is outside of a call until the
 * diagnosis has been taken. */
static int wait_for_one(kp_proc *self, void *arg)
{
    (void)arg;
    if (kp_processor(self) == LATE) {
        atomic_store(&stage, 1);
        while (atomic_load(&stage) == 1) {
            sched_yield();
        }
    }
    int64_t value = 0;
    return kp_broadcast(kp_world(self), &value, sizeof value, LATE, NULL);
}

struct asked {
    const struct machine *on;
    kp_machine *machine;
};

static void *run_it(void *arg)
{
    struct asked *asked = arg;
    return kp_machine_run(asked->machine, wait_for_one, NULL, NULL) == 0 ? arg : NULL;
}

static void who_asks_sees_who_is_awaited(void **state)
{
    (void)state;
    static const int awaited = LATE;
    for (size_t m = 0; m < MACHINES; m++) {
        struct asked asked = {.on = &machines[m]};
        kp_config config = {.processors = 4,
                            .carrier = machines[m].carrier,
                            .workers = machines[m].workers,
                            .discipline = machines[m].discipline};
        pthread_t thread;
        void *right = NULL;
        if (!can_be(&machines[m]) || machines[m].workers == 1) {
            continue; /* the processor would block its only worker, so no other would wait */
        }
        assert_int_equal(kp_machine_create(&config, &asked.machine), 0);
        atomic_store(&stage, 0);
        assert_int_equal(pthread_create(&thread, NULL, run_it, &asked), 0);
        bool seen = false;
        while (!seen) {
            forget();
            nap(1000);
            assert_int_equal(kp_machine_dump(asked.machine, hear, NULL), 0);
            assert_told(0, KP_DIAGNOSIS_DUMP, 0, 4);
            seen = atomic_load(&stage) == 1;
            for (int p = 0; p < 4; p++) {
                bool exact = p > LATE || machines[m].carrier == KP_CARRIER_THREADS;
                seen = seen && (p == LATE || (strcmp(word(0, p, "activity"), "waiting") == 0 &&
                                              number(0, p, "waits_for_count") == 1 &&
                                              (!exact || word(0, p, "call")[0] == 'b')));
            }
        }
        assert_word(0, LATE, "activity", "outside");
        for (int p = 0; p < 4; p++) {
            json_t *list = json_object_get(of_processor(0, p), "waits_for");
            if (p > LATE) {
                assert_waits(0, p, "broadcast", &awaited, 1);
            } else if (p < LATE) {
                assert_int_equal(json_integer_value(json_array_get(list, 0)), awaited);
                assert_non_null(strstr(word(0, p, "file"), "tests/fail/test_"));
            }
        }
        assert_int_equal(json_array_size(json_object_get(told[0].json, "concerned")), 0);
        atomic_store(&stage, 2);
        pthread_join(thread, &right);
        assert_ptr_equal(right, &asked);
        assert_int_equal(kp_machine_destroy(asked.machine), 0);
    }
    forget();
}

static void count(const kp_diagnosis *d, void *arg)
{
    char text[256];
    long *dumps = arg;
    *dumps += kp_diagnosis_json(d, text, sizeof text) > 0;
}

static void *run_work(void *arg)
{
    struct asked *asked = arg;
    int rounds = scaled(400, 4000, 4000);
    int status = 0;
    for (int i = 0; i < 4 && !status; i++) {
        status = kp_machine_run(asked->machine, work, &rounds, NULL);
    }
    atomic_store(&stage, 2);
    return status == 0 ? arg : NULL;
}

/* A request must disturb nothing, whatever the machine is doing, and also between its runs. */
static void asking_disturbs_nothing(void **state)
{
    (void)state;
    for (size_t m = 0; m < MACHINES; m++) {
        struct asked asked = {.on = &machines[m]};
        kp_config config = {.processors = 6,
                            .carrier = machines[m].carrier,
                            .workers = machines[m].workers,
                            .discipline = machines[m].discipline,
                            .wait = KP_WAIT_PARK,
                            .on_failure = hear};
        pthread_t thread;
        void *right = NULL;
        long dumps = 0, asks = 0;
        if (!can_be(&machines[m])) {
            continue;
        }
        forget();
        assert_int_equal(kp_machine_create(&config, &asked.machine), 0);
        atomic_store(&stage, 1);
        assert_int_equal(pthread_create(&thread, NULL, run_work, &asked), 0);
        for (; atomic_load(&stage) == 1; asks++) {
            assert_int_equal(kp_machine_dump(asked.machine, count, &dumps), 0);
            sched_yield();
        }
        pthread_join(thread, &right);
        assert_ptr_equal(right, &asked);
        assert_int_equal(dumps, asks);
        assert_int_equal(times, 0);
        assert_int_equal(kp_machine_destroy(asked.machine), 0);
    }
}

static void what_cannot_be_asked(void **state)
{
    (void)state;
    kp_machine *machine;
    assert_int_equal(kp_machine_dump(NULL, hear, NULL), KP_EARGUMENT);
    assert_int_equal(kp_machine_create(NULL, &machine), 0);
    assert_int_equal(kp_machine_dump(machine, NULL, NULL), KP_EARGUMENT);
    forget();
    assert_int_equal(kp_machine_dump(machine, hear, NULL), 0);
    assert_word(0, 0, "activity", "empty");
    assert_int_equal(kp_machine_destroy(machine), 0);
    forget();
}

/* --- Writing a diagnosis --- */

/* Names and sentences may contain any bytes. The JSON must be valid nevertheless. */
static void any_text_is_json(void **state)
{
    (void)state;
    static const char nasty[] =
        "a\"b\\c\n\t\x01\x7f \xc3\xa9 \xff\xc3 \xed\xa0\x80 \xe2\x82! \xf0\x9f\x98\x80"
        " \xc0\xaf \x80 \xf4\x90\x80\x80 \xe0\x9f\xbf \xee\x80\x80";
    static const char read[] = "a\"b\\c\n\t\x01\x7f \xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd "
                               "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd! "
                               "\xf0\x9f\x98\x80 \xef\xbf\xbd\xef\xbf\xbd \xef\xbf\xbd "
                               "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd "
                               "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xee\x80\x80";
    int awaited[100];
    kp_processor_report processors[3];
    kp_diagnosis d = {.kind = KP_DIAGNOSIS_LATE, .processors = processors, .count = 3};
    char *text, small[16];
    for (int i = 0; i < 100; i++) {
        awaited[i] = i;
    }
    for (int i = 0; i < 3; i++) {
        processors[i] = (kp_processor_report){.processor = i,
                                              .activity = KP_ACTIVITY_WAITING,
                                              .call = nasty,
                                              .file = nasty,
                                              .line = 7,
                                              .waits_for = awaited,
                                              .waits_for_count = 100,
                                              .waited_ms = 10 * i};
    }
    memcpy(d.error.sentence, nasty, sizeof nasty);
    forget();
    hear(&d, NULL);
    assert_told(0, KP_DIAGNOSIS_LATE, 0, 3);
    assert_string_equal(json_string_value(json_object_get(told[0].json, "sentence")), read);
    assert_word(0, 2, "file", read);
    assert_int_equal(number(0, 1, "waits_for_count"), 100);
    assert_int_equal(json_array_size(json_object_get(of_processor(0, 1), "waits_for")), 64);
    assert_holds(0, "processors 0 ... 2: wait for 0, 1, 2, 3, 4, 5, 6, 7 and 92 more in ");
    assert_holds(0, "0 ... 20 ms");
    text = whole(kp_diagnosis_json, &d);
    assert_int_equal(kp_diagnosis_json(&d, small, sizeof small), strlen(text));
    assert_memory_equal(small, text, sizeof small - 1);
    assert_int_equal(small[sizeof small - 1], '\0');
    assert_int_equal(kp_diagnosis_json(&d, NULL, sizeof small), 0);
    free(text);
    forget();
}

static void printing_is_the_same_text(void **state)
{
    (void)state;
    char written[4096], *text;
    kp_processor_report one = {
        .activity = KP_ACTIVITY_OUTSIDE, .line = -1, .round = -1, .port = -1};
    kp_diagnosis d = {.processors = &one, .count = 1};
    for (int json = 0; json < 2; json++) {
        FILE *file = tmpfile();
        assert_non_null(file);
        (json ? kp_diagnosis_print_json : kp_diagnosis_print)(&d, file);
        rewind(file);
        size_t length = fread(written, 1, sizeof written - 1, file);
        written[length] = '\0';
        fclose(file);
        text = whole(json ? kp_diagnosis_json : kp_diagnosis_text, &d);
        assert_memory_equal(written, text, strlen(text));
        assert_int_equal(length, strlen(text) + (json ? 1 : 0));
        free(text);
    }
}

/* Without a file the text goes to stderr. */
static void printing_goes_to_stderr(void **state)
{
    (void)state;
    char written[4096];
    kp_diagnosis d = {.error.sentence = "a sentence"};
    for (int json = 0; json < 2; json++) {
        FILE *file = tmpfile();
        assert_non_null(file);
        fflush(stderr);
        const int kept = dup(STDERR_FILENO);
        assert_true(kept >= 0 && dup2(fileno(file), STDERR_FILENO) >= 0);
        (json ? kp_diagnosis_print_json : kp_diagnosis_print)(&d, NULL);
        fflush(stderr);
        assert_true(dup2(kept, STDERR_FILENO) >= 0);
        close(kept);
        rewind(file);
        size_t length = fread(written, 1, sizeof written - 1, file);
        written[length] = '\0';
        fclose(file);
        assert_non_null(strstr(written, json ? "{\"kind\"" : "dump: a sentence"));
    }
}

static void every_word_is_there(void **state)
{
    (void)state;
    assert_string_equal(kp_diagnosis_kind_name(KP_DIAGNOSIS_LATE), "late");
    assert_string_equal(kp_diagnosis_kind_name((kp_diagnosis_kind)99), "unknown");
    assert_string_equal(kp_activity_name(KP_ACTIVITY_ENDED), "ended");
    assert_string_equal(kp_activity_name((kp_activity)-1), "unknown");
}

int main(int argc, char **argv)
{
    read_level(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(who_asks_sees_who_is_awaited), TEST(asking_disturbs_nothing),
        TEST(what_cannot_be_asked),         TEST(any_text_is_json),
        TEST(printing_is_the_same_text),    TEST(printing_goes_to_stderr),
        TEST(every_word_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
