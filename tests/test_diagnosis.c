/* What a machine tells of its failures: to whom, how often, and whether it is true of every
 * processor; as text and as JSON, which is parsed. On threads and on fibers, by the barrier and by
 * mailboxes. */
#include "machine_common.h"

#include <kport.h>

#include <jansson.h>

#define MOST_TOLD 64

/* What was told, in order. */
static struct {
    kp_diagnosis_kind kind;
    int status, count;
    char *text;
    json_t *json;
} told[MOST_TOLD];
static int times;

static void forget(void)
{
    for (int i = 0; i < times; i++) {
        free(told[i].text);
        json_decref(told[i].json);
    }
    times = 0;
}

static char *whole(size_t (*write)(const kp_diagnosis *, char *, size_t), const kp_diagnosis *d)
{
    size_t length = write(d, NULL, 0);
    char *text = malloc(length + 1);
    if (text && write(d, text, length + 1) != length) {
        text[0] = '\0';
    }
    return text;
}

/* No assertions here: it is a processor's thread. */
static void hear(const kp_diagnosis *d, void *arg)
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

/* --- On what it runs --- */

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

static bool can_be(const struct machine *on)
{
    return on->carrier == KP_CARRIER_THREADS || kp_fibers();
}

static kp_report report;

static void assert_told_once(void)
{
    if (times != 1) {
        fail_msg("told %d times: %s%s", times, times > 0 ? told[0].text : "",
                 times > 1 ? told[1].text : "");
    }
}

static int run_on(const struct machine *on, int n, unsigned limit_ms, kp_program *program,
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

/* --- What was said --- */

static json_t *of_processor(int i, int processor)
{
    json_t *one = json_array_get(json_object_get(told[i].json, "processors"), (size_t)processor);
    assert_int_equal(json_integer_value(json_object_get(one, "processor")), processor);
    return one;
}

static const char *word(int i, int processor, const char *key)
{
    const char *text = json_string_value(json_object_get(of_processor(i, processor), key));
    return text ? text : "(null)";
}

static long number(int i, int processor, const char *key)
{
    json_t *value = json_object_get(of_processor(i, processor), key);
    return json_is_integer(value) ? (long)json_integer_value(value) : -1;
}

/* The i-th to be told is of that kind, is JSON with all keys, and lists n processors. */
static void assert_told(int i, kp_diagnosis_kind kind, int status, int n)
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
    assert_true(told[i].status == 0 ||
                strstr(told[i].text, json_string_value(json_object_get(told[i].json, "sentence"))));
    assert_int_equal(told[i].count, n);
    assert_int_equal(json_array_size(json_object_get(told[i].json, "processors")), n);
    for (int p = 0; p < n; p++) {
        for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
            assert_non_null(json_object_get(of_processor(i, p), keys[k]));
        }
    }
}

static void assert_word(int i, int processor, const char *key, const char *expected)
{
    if (strcmp(word(i, processor, key), expected) != 0) {
        fail_msg("processor %d: %s is %s, not %s; %s", processor, key, word(i, processor, key),
                 expected, told[i].text);
    }
}

static void assert_holds(int i, const char *part)
{
    if (!strstr(told[i].text, part)) {
        fail_msg("\"%s\" is not in: %s", part, told[i].text);
    }
}

static bool is_concerned(int i, int processor)
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

static void assert_concerned(int i, const int *processors, int count)
{
    assert_int_equal(json_array_size(json_object_get(told[i].json, "concerned")), count);
    for (int p = 0; p < count; p++) {
        assert_true(is_concerned(i, processors[p]));
    }
}

/* It waits for exactly these, in that operation, called in this file. */
static void assert_waits(int i, int processor, const char *operation, const int *awaited, int count)
{
    json_t *list = json_object_get(of_processor(i, processor), "waits_for");
    assert_word(i, processor, "activity", "waiting");
    assert_word(i, processor, "operation", operation);
    assert_non_null(strstr(word(i, processor, "call"), operation));
    assert_non_null(strstr(word(i, processor, "file"), "test_diagnosis.c"));
    assert_true(number(i, processor, "line") > 0);
    assert_int_equal(number(i, processor, "waits_for_count"), count);
    assert_int_equal(json_array_size(list), count);
    for (int p = 0; p < count; p++) {
        assert_int_equal(json_integer_value(json_array_get(list, (size_t)p)), awaited[p]);
    }
}

/* --- Deadlocks --- */

/* Each waits in the pair with its right neighbour, which waits in the next pair. */
static int circle(kp_proc *self, void *arg)
{
    int n = kp_size(kp_world(self)), me = kp_processor(self), right = (me + 1) % n;
    kp_group *mine, *other;
    (void)arg;
    NEED(self, kp_group_create(self, (int[]){me, right}, 2, &mine) == 0);
    NEED(self, kp_group_create(self, (int[]){(me + n - 1) % n, me}, 2, &other) == 0);
    int status = keep(self, kp_barrier(mine));
    kp_group_free(mine);
    kp_group_free(other);
    return status;
}

static void a_circle_is_told_once_with_all_on_it(void **state)
{
    (void)state;
    static const int sizes[] = {2, 3, 12};
    for (size_t m = 0; m < MACHINES; m++) {
        for (size_t s = 0; s < 3 && can_be(&machines[m]); s++) {
            int n = sizes[s];
            assert_int_equal(run_on(&machines[m], n, 0, circle, NULL), KP_EDEADLOCK);
            assert_told_once();
            assert_told(0, KP_DIAGNOSIS_DEADLOCK, KP_EDEADLOCK, n);
            json_t *cycle = json_object_get(told[0].json, "concerned");
            assert_int_equal(json_array_size(cycle), n);
            for (int p = 0; p < n; p++) {
                int right = (p + 1) % n;
                assert_waits(0, p, "barrier", &right, 1);
                assert_int_equal(number(0, p, "round"), 0);
                assert_true(number(0, p, "waited_ms") >= 0);
                json_t *group = json_object_get(of_processor(0, p), "group");
                assert_int_equal(json_integer_value(json_array_get(group, 0)), p);
                assert_int_equal(json_integer_value(json_array_get(group, 1)), right);
                long here = json_integer_value(json_array_get(cycle, (size_t)p));
                long next = json_integer_value(json_array_get(cycle, (size_t)(p + 1) % (size_t)n));
                assert_int_equal(next, (here + 1) % n);
            }
            assert_holds(0, "0 waits for 1, 1 waits for");
        }
    }
    forget();
}

/* 0 waits for 1 within a tree, 1 in the barrier for 0. */
static int gather_against_barrier(kp_proc *self, void *arg)
{
    int64_t one = 1, all[2];
    kp_group *world = kp_world(self), *other;
    (void)arg;
    NEED(self, kp_group_create(self, (int[]){1, 0}, 2, &other) == 0);
    int status = kp_processor(self) == 0 ? kp_gather(world, &one, all, sizeof one, 0, NULL)
                                         : kp_barrier(other);
    kp_group_free(other);
    return keep(self, status);
}

static void a_mailbox_is_waited_for_by_port(void **state)
{
    (void)state;
    static const int others[] = {1, 0};
    for (size_t m = 0; m < MACHINES; m++) {
        if (!can_be(&machines[m])) {
            continue;
        }
        assert_int_equal(run_on(&machines[m], 2, 0, gather_against_barrier, NULL), KP_EDEADLOCK);
        assert_told_once();
        assert_told(0, KP_DIAGNOSIS_DEADLOCK, KP_EDEADLOCK, 2);
        assert_concerned(0, others, 2);
        assert_waits(0, 0, "gather", &others[0], 1);
        assert_waits(0, 1, "barrier", &others[1], 1);
        bool mail = machines[m].discipline == KP_ROUNDS_BY_MAILBOXES;
        assert_int_equal(number(0, 0, "port"), mail ? 0 : -1);
        assert_word(0, 0, "group", "world");
    }
    forget();
}

/* --- Losses --- */

#define GONE 2

enum way {
    BY_RETURN,
    BY_NUMBER,
    BY_KP_FAIL,
    BY_EXIT,
};

MAY_VANISH static int one_leaves(kp_proc *self, void *arg)
{
    const enum way *way = arg;
    kp_group *world = kp_world(self);
    NEED(self, kp_barrier(world) == 0);
    if (kp_processor(self) != GONE) {
        return keep(self, kp_barrier(world));
    }
    switch (*way) {
    case BY_NUMBER:
        return 42;
    case BY_KP_FAIL:
        return kp_fail(self, "the cat has eaten the data");
    case BY_EXIT:
        pthread_exit(NULL);
    default:
        return 0;
    }
}

static void a_loss_is_told_once_and_named(void **state)
{
    (void)state;
    static const int gone = GONE;
    static const struct {
        enum way way;
        kp_diagnosis_kind kind;
        int status;
    } ways[] = {
        {BY_RETURN, KP_DIAGNOSIS_LOST, KP_ELOST},
        {BY_NUMBER, KP_DIAGNOSIS_FAILED, KP_EFAILED},
        {BY_KP_FAIL, KP_DIAGNOSIS_FAILED, KP_EFAILED},
        {BY_EXIT, KP_DIAGNOSIS_LOST, KP_ELOST},
    };
    for (size_t m = 0; m < MACHINES; m++) {
        for (size_t w = 0; w < sizeof ways / sizeof ways[0] && can_be(&machines[m]); w++) {
            enum way way = ways[w].way;
            if (way == BY_EXIT && WATCHES_THREADS && machines[m].carrier == KP_CARRIER_FIBERS) {
                continue;
            }
            assert_int_not_equal(run_on(&machines[m], 5, 0, one_leaves, &way), 0);
            assert_told_once();
            assert_told(0, ways[w].kind, ways[w].status, 5);
            assert_concerned(0, &gone, 1);
            if (way != BY_KP_FAIL) {
                assert_word(0, GONE, "activity", "ended");
            }
            assert_non_null(strstr(word(0, GONE, "end"), "processor 2"));
            for (int p = 0; p < 5; p++) {
                assert_true(p == GONE || outcomes[p].error.processor == GONE);
            }
        }
    }
    forget();
}

/* --- Members that disagree --- */

static int one_differs(kp_proc *self, void *arg)
{
    int64_t value = 0, sum = 0;
    bool odd = kp_processor(self) == 1, refuses = *(bool *)arg;
    kp_group *world = kp_world(self);
    NEED(self, kp_barrier(world) == 0);
    int status = keep(self, kp_allreduce(world, odd && refuses ? NULL : &value, &sum, 1,
                                         odd && !refuses ? KP_INT32 : KP_INT64, KP_SUM, NULL));
    NEED(self, status != 0);
    return kp_barrier(world); /* by the barrier the group works on */
}

static void a_disagreement_is_told_once(void **state)
{
    (void)state;
    static const int odd = 1;
    for (size_t m = 0; m < MACHINES; m++) {
        for (int refuses = 0; refuses < 2 && can_be(&machines[m]); refuses++) {
            bool argument = refuses;
            (void)!run_on(&machines[m], 4, 0, one_differs, &argument);
            assert_told_once();
            assert_told(0, refuses ? KP_DIAGNOSIS_REFUSED : KP_DIAGNOSIS_MISMATCH,
                        refuses ? KP_EPEER : KP_EMISMATCH, 4);
            assert_holds(0, refuses ? "out is NULL" : "type=int32");
            assert_holds(0, "test_diagnosis.c:");
            if (refuses) {
                assert_concerned(0, &odd, 1);
            }
            if (machines[m].discipline == KP_ROUNDS_BY_MAILBOXES) {
                continue;
            }
            assert_true(is_concerned(0, odd));
            for (int p = 0; p < 4; p++) {
                assert_word(0, p, "activity", "inside");
                assert_word(0, p, "operation", "allreduce");
                bool type = strstr(word(0, p, "call"), "type=int32");
                assert_int_equal(type, p == odd && !refuses);
            }
        }
    }
    forget();
}

/* --- Who is late --- */

static _Atomic int over;

/* It comes when the others have given it up. */
#define LATE 1 /* the last of its worker */

static int one_is_late(kp_proc *self, void *arg)
{
    int64_t value = 0;
    kp_group *world = kp_world(self);
    (void)arg;
    for (int i = 0; i < 4000 && kp_processor(self) == LATE && !atomic_load(&over); i++) {
        nap(1000);
    }
    int status = keep(self, kp_broadcast(world, &value, sizeof value, LATE, NULL));
    atomic_store(&over, 1);
    return status;
}

static void the_late_one_is_named_with_the_times_of_all(void **state)
{
    (void)state;
    static const int late = LATE;
    for (size_t m = 0; m < MACHINES; m++) {
        if (!can_be(&machines[m]) || machines[m].workers == 1) {
            continue; /* who blocks its worker is not found late */
        }
        atomic_store(&over, 0);
        assert_int_equal(run_on(&machines[m], 4, 60, one_is_late, NULL), KP_ETIMEOUT);
        assert_told_once();
        assert_told(0, KP_DIAGNOSIS_LATE, KP_ETIMEOUT, 4);
        assert_concerned(0, &late, 1);
        assert_word(0, late, "activity", "outside");
        for (int p = 0; p < 4; p++) {
            /* Of a fiber whose worker runs another one it is known where it called, for whom. */
            if (p != LATE && (p > LATE || machines[m].carrier == KP_CARRIER_THREADS)) {
                assert_waits(0, p, "broadcast", &late, 1);
                assert_in_range(number(0, p, "waited_ms"), 30, 4000);
            } else if (p != LATE) {
                assert_word(0, p, "activity", "waiting");
                assert_non_null(strstr(word(0, p, "file"), "test_diagnosis.c"));
            }
        }
    }
    forget();
}

/* --- Asked for --- */

static _Atomic int stage;

/* All but one wait for it, which is at work outside of a call until it has been looked at. */
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
            continue; /* nobody else runs beside it */
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
                assert_non_null(strstr(word(0, p, "file"), "test_diagnosis.c"));
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

static int work(kp_proc *self, void *arg)
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

/* Whatever it is doing, and between its runs. */
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

/* --- Jumps --- */

static jmp_buf places[SEATS];

/* The operator of everyone; at the root it jumps. */
static void combine(void *to, const void *left, const void *right, size_t elements, void *context)
{
    (void)right;
    if (context) {
        longjmp(*(jmp_buf *)context, 1);
    }
    memmove(to, left, elements * 8);
}

/* The root jumps out, and then calls again, or ends. */
static int leave_by_a_jump(kp_proc *self, void *arg)
{
    int64_t value = 1, sum = 0;
    kp_group *world = kp_world(self);
    kp_operator op = {.combine = combine,
                      .context = kp_processor(self) == 0 ? &places[0] : NULL,
                      .element_bytes = 8};
    if (kp_processor(self) != 0 || setjmp(places[0]) == 0) {
        int status = kp_reduce(world, &value, &sum, 1, KP_OPAQUE, &op, 0, NULL);
        return keep(self, status ? status : kp_barrier(world));
    }
    if (!*(bool *)arg) {
        return 0;
    }
    int status = keep(self, kp_barrier(world));
    NEED(self, kp_barrier(world) == status); /* and it stays so */
    return status;
}

static void a_jump_is_known_at_the_next_call_or_the_end(void **state)
{
    (void)state;
    static const int jumper = 0;
    for (size_t m = 0; m < MACHINES; m++) {
        for (int calls = 0; calls < 2 && can_be(&machines[m]); calls++) {
            bool again = calls;
            assert_int_equal(run_on(&machines[m], 2, 0, leave_by_a_jump, &again), KP_EFAILED);
            assert_int_equal(report.error.processor, 0);
            assert_told_once();
            assert_told(0, KP_DIAGNOSIS_FAILED, KP_EFAILED, 2);
            assert_concerned(0, &jumper, 1);
            assert_holds(0, "longjmp");
            assert_holds(0, "test_diagnosis.c:");
            assert_outcome(1, KP_EFAILED, 0);
            if (again) {
                assert_outcome(0, KP_EFAILED, 0);
            }
        }
    }
    forget();
}

/* --- Again after a failure --- */

static void the_next_run_is_as_new(void **state)
{
    (void)state;
    enum way ways[] = {BY_RETURN, BY_NUMBER, BY_KP_FAIL};
    bool argument = false;
    int rounds = 5;
    for (size_t m = 0; m < MACHINES; m++) {
        kp_config config = {.processors = 5,
                            .carrier = machines[m].carrier,
                            .workers = machines[m].workers,
                            .discipline = machines[m].discipline,
                            .on_failure = hear};
        kp_machine *machine;
        if (!can_be(&machines[m])) {
            continue;
        }
        assert_int_equal(kp_machine_create(&config, &machine), 0);
        for (size_t w = 0; w < sizeof ways / sizeof ways[0] + 2; w++) {
            forget();
            if (w < sizeof ways / sizeof ways[0]) {
                assert_int_not_equal(kp_machine_run(machine, one_leaves, &ways[w], NULL), 0);
            } else if (w == sizeof ways / sizeof ways[0]) {
                assert_int_equal(kp_machine_run(machine, circle, NULL, NULL), KP_EDEADLOCK);
            } else {
                (void)!kp_machine_run(machine, one_differs, &argument, NULL);
            }
            assert_told_once();
            assert_good(kp_machine_run(machine, work, &rounds, &report), &report);
            assert_told_once();
        }
        assert_int_equal(kp_machine_destroy(machine), 0);
    }
    forget();
}

/* --- Writing it down --- */

/* Names and sentences may hold anything. */
static void any_text_is_json(void **state)
{
    (void)state;
    static const char nasty[] =
        "a\"b\\c\n\t\x01\x7f \xc3\xa9 \xff\xc3 \xed\xa0\x80 \xf0\x9f\x98\x80";
    static const char read[] = "a\"b\\c\n\t\x01\x7f \xc3\xa9 \xef\xbf\xbd\xef\xbf\xbd "
                               "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd \xf0\x9f\x98\x80";
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
        TEST(a_circle_is_told_once_with_all_on_it),
        TEST(a_mailbox_is_waited_for_by_port),
        TEST(a_loss_is_told_once_and_named),
        TEST(a_disagreement_is_told_once),
        TEST(the_late_one_is_named_with_the_times_of_all),
        TEST(who_asks_sees_who_is_awaited),
        TEST(asking_disturbs_nothing),
        TEST(what_cannot_be_asked),
        TEST(a_jump_is_known_at_the_next_call_or_the_end),
        TEST(the_next_run_is_as_new),
        TEST(any_text_is_json),
        TEST(printing_is_the_same_text),
        TEST(every_word_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
