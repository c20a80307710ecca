/* Tests counters that wrap around. Every counter without a limit starts a little below a number at
 * which it, or a part of it, wraps. The number is 2^31 for the barrier's words, which count in 31
 * bits, 2^31 or a multiple of 2^32 for episodes, and 2^32 for other counters. Random trials with
 * and without faults then pass this number. They run on threads and fibers, by the barrier and by
 * mailboxes, in the world and in groups. Each test asserts that the counters did wrap. */
#include "tests/common/machine_common.h"

#include <kport.h>

#include "ports/machine_data.h"
#include "ports/sync/sync.h"
#include "tools/kport/common/random.h"
#include "tools/kport/soak/trial.h"

static const struct trial_scope scope = {
    .most_processors = 9,
    .most_steps = 60, /* messages and started calls pass no barrier of the world */
    .most_bytes = 20000,
    .may_exit = !WATCHES_THREADS,
    .faults = 50,
    .endings = 400};

/* Returns the barrier's word after a run: a pair's word, or the generation word. */
static uint32_t word_of(const struct kp_shared *world)
{
    uint32_t word = world->members[0].sync == KP_SYNC_PAIR ? atomic_load(&world->pair[0].value)
                                                           : atomic_load(&world->generation.value);
    return word & KP_GENERATION_LOW;
}

struct crossed {
    int words, episodes, changes, runs;
};

static void look(const kp_machine *machine, const struct kp_counters *first,
                 struct crossed *crossed)
{
    const struct kp_shared *world = machine->world;
    uint64_t episodes = world->members[0].episodes;
    crossed->words += word_of(world) < first->words;
    crossed->episodes += episodes >> 31 != first->episodes >> 31;
    crossed->changes += (uint32_t)(atomic_load(&machine->idle) >> 32) < first->changes;
    crossed->runs += atomic_load(&machine->go.value) < first->runs;
}

/* Creates a machine and makes three trials on it. Each trial begins with the counters just below
 * the wrap. */
static void one_machine(struct trial *trial, uint64_t *random, struct crossed *crossed)
{
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&trial->machine, &machine), 0);
    for (int i = 0; i < 3; i++) {
        struct trial_result result;
        assert_true(trial_draw(trial, random, &scope));
        if (!trial_run(machine, trial, &result)) {
            trial_print(trial, stderr);
            fail_msg("%s", result.shortfall);
        }
        look(machine, &kp_first_counters, crossed);
        trial_free(trial);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

/* Lets each counter begin a random number of steps below the number at which it wraps. The number
 * of steps is at most 100 and may be 0. */
static void begin_below(uint64_t *random, uint64_t edge)
{
    uint32_t below_words = (uint32_t)random_below(random, 80);
    kp_first_counters = (struct kp_counters){
        .words = (KP_GENERATION_LOW - 1) - KP_GENERATION_STEP * below_words,
        .episodes = edge - (uint64_t)random_below(random, 80),
        .exchanges = edge - (uint64_t)random_below(random, 8),
        .mail_rounds = UINT32_MAX - (uint32_t)random_below(random, 100),
        .rings = UINT32_MAX - (uint32_t)random_below(random, 20),
        .changes = UINT32_MAX - (uint32_t)random_below(random, 8),
        .runs = UINT32_MAX - (uint32_t)random_below(random, 3),
    };
}

static int end_at_zero(void **state)
{
    kp_first_counters = (struct kp_counters){.words = 0};
    trial_sabotage = (struct trial_sabotage){.corrupt = NULL};
    return end(state);
}

static void over_the_edge(kp_carrier carrier, kp_discipline discipline)
{
    static const uint64_t edges[] = {UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(3) << 32};
    struct crossed crossed = {.words = 0};
    uint64_t random = random_of((uint64_t)carrier, (uint64_t)discipline, 3);
    int machines = scaled(24, 60, 600);
    for (int i = 0; i < machines; i++) {
        struct trial trial;
        trial_draw_machine(&trial, &random, &scope);
        if (i % 4 == 0)
            trial.machine.processors = 2; /* pairs have a barrier of their own */
        trial.machine.carrier = carrier;
        trial.machine.workers = 1 + i % 2;
        trial.machine.discipline = discipline;
        trial_settle(&trial);
        begin_below(&random, edges[i % 3]);
        one_machine(&trial, &random, &crossed);
    }
    /* By mailboxes only a few calls make episodes. */
    int most = discipline == KP_ROUNDS_BY_MAILBOXES ? machines / 4 : machines;
    assert_true(crossed.words > most / 2);
    assert_true(crossed.episodes > most / 2);
    assert_true(crossed.changes > 0);
    assert_true(crossed.runs > 0);
}

static void threads_by_the_barrier(void **state)
{
    (void)state;
    over_the_edge(KP_CARRIER_THREADS, KP_ROUNDS_BY_BARRIER);
}

static void threads_by_mailboxes(void **state)
{
    (void)state;
    over_the_edge(KP_CARRIER_THREADS, KP_ROUNDS_BY_MAILBOXES);
}

static void fibers_by_the_barrier(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    over_the_edge(KP_CARRIER_FIBERS, KP_ROUNDS_BY_BARRIER);
}

static void fibers_by_mailboxes(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    over_the_edge(KP_CARRIER_FIBERS, KP_ROUNDS_BY_MAILBOXES);
}

/* --- Counters that start exactly 0, 1, 2, ... steps below the wrap --- */

static int circle(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self), n = kp_size(world), calls = *(int *)argument;
    unsigned char all[4 * 100], mine[100];
    for (int i = 0; i < calls; i++) {
        size_t bytes = i % 3 == 0 ? 1 : i % 3 == 1 ? 48 : 100;
        memset(mine, me + i, bytes);
        NEED(self, kp_concat(world, mine, all, bytes, NULL) == 0);
        for (int j = 0; j < n; j++)
            NEED(self, all_are(all + (size_t)j * bytes, bytes, (unsigned char)(j + i)));
        if (i % 4 == 0)
            NEED(self, ring(world, i % 8 ? 10 : 300, (uint64_t)i) == 0);
    }
    return 0;
}

static void every_number_before_the_edge(void **state)
{
    (void)state;
    for (int generations = 2; generations <= 8; generations *= 2) {
        for (uint32_t before = 0; before < 2 * (uint32_t)generations + 2; before++) {
            kp_config config = {.processors = 4,
                                .ports = 1 + (int)(before % 3),
                                .eager_bytes = 64,
                                .discipline = KP_ROUNDS_BY_MAILBOXES,
                                .generations = generations};
            int calls = 4 * generations;
            kp_report report;
            kp_first_counters = (struct kp_counters){.mail_rounds = UINT32_MAX - before,
                                                     .episodes = UINT32_MAX - before,
                                                     .words = KP_GENERATION_LOW - 1 - 2 * before,
                                                     .exchanges = INT32_MAX - before};
            int status = kp_run(&config, circle, &calls, &report);
            assert_good(status, &report);
        }
    }
}

/* The round in an error must stay a valid number after more than 2^31 rounds. */
static int one_too_long(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    int me = kp_processor(self);
    char byte[4] = {0};
    kp_outgoing out = {.port = 0, .peer = 1 - me, .data = byte, .bytes = 2};
    kp_incoming in = {.port = 0, .peer = 1 - me, .data = byte + 2, .bytes = (size_t)(me ? 1 : 2)};
    (void)argument;
    for (int i = 0; i < 3; i++) {
        keep(self, kp_exchange(world, &out, 1, &in, 1));
        if (me == 1)
            NEED(self, outcomes[1].status == KP_ELENGTH && outcomes[1].error.round >= 0);
    }
    return 0;
}

static void rounds_have_numbers_for_ever(void **state)
{
    (void)state;
    kp_config config = {.processors = 2};
    kp_report report;
    kp_first_counters = (struct kp_counters){.exchanges = INT32_MAX - 1};
    int status = kp_run(&config, one_too_long, NULL, &report);
    assert_good(status, &report);
    assert_int_equal(outcomes[1].error.round, 0);
}

#define WRAP(function) cmocka_unit_test_setup_teardown(function, begin, end_at_zero)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        WRAP(threads_by_the_barrier),       WRAP(threads_by_mailboxes),
        WRAP(fibers_by_the_barrier),        WRAP(fibers_by_mailboxes),
        WRAP(every_number_before_the_edge), WRAP(rounds_have_numbers_for_ever),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
