/* Uses every memory order of ports/order.h with a few threads in a short time. tests/mutants.py
 * weakens one order at a time and runs this program under ThreadSanitizer, which must then report a
 * race. Members park as soon as possible, so that sleeping and waking overlap. The data that an
 * order protects is not atomic, so ThreadSanitizer sees the race. */
#include "tests/common/machine_common.h"

#include "kport.h"
#include "lib/route/spare.h"

#define ROUNDS 32
#define RUNS   6

static kp_report report;
static int written; /* written by the program; the main thread reads it after the run */

static int rounds(kp_proc *self, void *arg)
{
    kp_group *world = kp_world(self);
    uint64_t n = (uint64_t)kp_size(world), me = (uint64_t)kp_rank(world), out[8], in[8], sum = 0;
    (void)arg;
    for (uint64_t round = 0; round < (uint64_t)ROUNDS; round++) {
        size_t bytes = round % 3 == 0 ? 8 : round % 3 == 1 ? 600 : 20000;
        NEED(self, ring(world, bytes, round) == 0);
        for (uint64_t i = 0; i < n; i++)
            out[i] = round + me * n + i;
        NEED(self, kp_index(world, out, in, sizeof *in, NULL) == 0);
        for (uint64_t i = 0; i < n; i++)
            NEED(self, in[i] == round + i * n + me);
        NEED(self, kp_allreduce(world, &me, &sum, 1, KP_UINT64, KP_SUM, NULL) == 0);
        NEED(self, sum == n * (n - 1) / 2);
    }
    if (me == 0)
        written++;
    return 0;
}

static void run_often(kp_config config, kp_program *program)
{
    kp_machine *machine;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    written = 0;
    for (int i = 0; i < RUNS; i++) {
        assert_good(kp_machine_run(machine, program, NULL, &report), &report);
        assert_int_equal(written, i + 1);
    }
    kp_machine_destroy(machine);
}

static void episodes(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++)
        run_often((kp_config){.processors = n, .wait = n % 2 ? KP_WAIT_PARK : KP_WAIT_SPIN},
                  rounds);
}

/* Blocks with lengths of their own. Each member reads all members' tables of lengths and tells the
 * others what it finds. */
static int lengths(kp_proc *self, void *arg)
{
    kp_group *world = kp_world(self);
    size_t n = (size_t)kp_size(world), me = (size_t)kp_rank(world), counts[4];
    (void)arg;
    for (size_t round = 0; round < (size_t)ROUNDS; round++) {
        unsigned char own[16], all[64];
        size_t at = 0;
        for (size_t i = 0; i < n; i++)
            counts[i] = (round + i) % sizeof own;
        memset(own, (int)(me + round), sizeof own);
        NEED(self, kp_concatv(world, own, counts[me], all, counts, NULL, NULL) == 0);
        for (size_t i = 0; i < n; at += counts[i++])
            NEED(self, all_are(all + at, counts[i], (unsigned char)(i + round)));
    }
    if (me == 0)
        written++;
    return 0;
}

static void tables(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++)
        run_often((kp_config){.processors = n, .wait = n % 2 ? KP_WAIT_PARK : KP_WAIT_SPIN},
                  lengths);
}

/* Messages by mailboxes that hold only two messages each. */
static int messages(kp_proc *self, void *arg)
{
    kp_group *world = kp_world(self);
    uint64_t n = (uint64_t)kp_size(world), me = (uint64_t)kp_rank(world), told, all[8];
    unsigned char *block = malloc(20000);
    (void)arg;
    NEED(self, block);
    for (uint64_t round = 0; round < (uint64_t)ROUNDS; round++) {
        told = me == 0 ? round : 0;
        NEED(self, kp_broadcast(world, &told, sizeof told, 0, NULL) == 0 && told == round);
        NEED(self, kp_concat(world, &me, all, sizeof me, NULL) == 0);
        for (uint64_t i = 0; i < n; i++)
            NEED(self, all[i] == i);
        memset(block, me == 1 ? (int)round & 127 : 255, 20000);
        NEED(self, kp_broadcast(world, block, 20000, 1, NULL) == 0);
        NEED(self, all_are(block, 20000, (unsigned char)(round & 127)));
    }
    free(block);
    if (me == 0)
        written++;
    return 0;
}

static void mailboxes(void **state)
{
    (void)state;
    for (int n = 2; n <= 4; n++)
        run_often((kp_config){.processors = n,
                              .wait = KP_WAIT_PARK,
                              .discipline = KP_ROUNDS_BY_MAILBOXES,
                              .generations = 2},
                  messages);
}

/* Uses more groups than a worker polls, so that queues of waiting fibers are armed and posted.
 * Groups also end while such a queue is being passed on. */
static int groups(kp_proc *self, void *arg)
{
    kp_group *world = kp_world(self);
    int n = kp_size(world), me = kp_rank(world);
    (void)arg;
    for (int round = 0; round < ROUNDS / 4; round++) {
        kp_group *pair;
        int distance = 1 << round % 3, first = me & ~distance;
        const int members[2] = {first, first | distance};
        NEED(self, n == 16 && kp_group_create(self, members, 2, &pair) == 0);
        for (int i = 0; i < 4; i++)
            NEED(self, ring(pair, 64, (uint64_t)i) == 0);
        NEED(self, kp_group_free(pair) == 0);
        NEED(self, ring(world, 64, (uint64_t)round) == 0);
    }
    if (me == 0)
        written++;
    return 0;
}

static void fibers(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    for (int workers = 2; workers <= 4; workers++)
        run_often((kp_config){.processors = 16,
                              .ports = 1,
                              .carrier = KP_CARRIER_FIBERS,
                              .workers = workers,
                              .wait = KP_WAIT_PARK},
                  groups);
}

/* --- Failures: all members read the error --- */

static int fails(kp_proc *self, void *arg)
{
    (void)arg;
    if (kp_processor(self) == 0) {
        nap(200);
        return kp_fail(self, "on purpose");
    }
    return keep(self, ring(kp_world(self), 64, 1));
}

static int waits_in_a_circle(kp_proc *self, void *arg)
{
    int n = kp_size(kp_world(self)), me = kp_processor(self);
    const int members[2] = {me, (me + 1) % n};
    kp_group *group;
    (void)arg;
    NEED(self, kp_group_create(self, members, 2, &group) == 0);
    return keep(self, ring(group, 64, 1));
}

static void failures(void **state)
{
    (void)state;
    for (int i = 0; i < 3 * RUNS; i++) {
        kp_config config = {.processors = 3,
                            .wait = KP_WAIT_PARK,
                            .discipline = i % 2 ? KP_ROUNDS_BY_MAILBOXES : KP_ROUNDS_BY_BARRIER};
        assert_int_equal(kp_run(&config, fails, NULL, &report), KP_EFAILED);
        assert_true(strstr(report.error.sentence, "on purpose") != NULL);
        config.discipline = KP_ROUNDS_BY_BARRIER;
        assert_int_equal(kp_run(&config, waits_in_a_circle, NULL, &report), KP_EDEADLOCK);
    }
}

/* --- Another thread takes a snapshot of a running machine --- */

static kp_machine *looked_at;
static atomic_int over;

static void read_all(const kp_diagnosis *diagnosis, void *arg)
{
    char *text = arg;
    kp_diagnosis_text(diagnosis, text, 4096);
}

static void *look(void *text)
{
    while (!atomic_load(&over)) {
        if (kp_machine_dump(looked_at, read_all, text))
            return NULL;
        nap(100);
    }
    return text;
}

static void dumps(void **state)
{
    static char text[4096];
    (void)state;
    for (int carrier = 0; carrier < (kp_fibers() ? 2 : 1); carrier++) {
        kp_config config = {.processors = 4, .wait = KP_WAIT_PARK};
        if (carrier == 1) {
            config.carrier = KP_CARRIER_FIBERS;
            config.workers = 2;
        }
        pthread_t thread;
        void *result;
        atomic_store(&over, 0);
        assert_int_equal(kp_machine_create(&config, &looked_at), 0);
        assert_int_equal(pthread_create(&thread, NULL, look, text), 0);
        for (int i = 0; i < RUNS; i++)
            assert_good(kp_machine_run(looked_at, rounds, NULL, &report), &report);
        atomic_store(&over, 1);
        assert_int_equal(pthread_join(thread, &result), 0);
        assert_true(result != NULL && strstr(text, "processor") != NULL);
        kp_machine_destroy(looked_at);
    }
}

/* --- Threads that share a store of buffers (lib/route/spare.h) --- */

#define TAKERS  4
#define AT_ONCE (KP_SPARES + 2)

/* The number of buffers that a thread takes before it gives them back. If the store is full,
 * kp_spare_give exchanges the given buffer for a kept one. If `at_once` is AT_ONCE, one thread
 * alone fills the store. If it is 2, one thread cannot fill the store. If it is 0, the threads only
 * give (`gives`), so nearly all buffers are exchanged. */
static int at_once;

static void *takes_and_gives(void *arg)
{
    struct kp_spare *spare = arg;
    bool all = true;
    for (int i = 0; i < ROUNDS; i++) {
        char *buffers[AT_ONCE];
        for (int j = 0; j < at_once; j++) {
            buffers[j] = kp_spare_take(spare, 64);
            all = all && buffers[j];
            if (buffers[j])
                memset(buffers[j], i + j, 64);
        }
        for (int j = 0; j < at_once; j++)
            kp_spare_give(spare, buffers[j]);
    }
    kp_spare_release(spare);
    return all ? arg : NULL;
}

/* Takes buffers from a store of its own and gives them to the shared store. If the shared store is
 * full, kp_spare_give exchanges the buffer for a kept one and frees the kept one. */
static void *gives(void *arg)
{
    struct kp_spare *spare = arg, *own = kp_spare_make();
    bool all = own;
    for (int i = 0; i < ROUNDS && all; i++) {
        char *buffer = kp_spare_take(own, 64);
        all = buffer;
        if (buffer)
            memset(buffer, i, 64);
        kp_spare_give(spare, buffer);
    }
    kp_spare_release(own);
    kp_spare_release(spare);
    return all ? arg : NULL;
}

static void spares(void **state)
{
    (void)state;
    for (int run = 0; run < 4 * RUNS; run++) {
        pthread_t threads[TAKERS];
        struct kp_spare *spare = kp_spare_make();
        at_once = (int[]){AT_ONCE, 2, 0}[run % 3];
        assert_non_null(spare);
        for (int i = 0; i < TAKERS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, at_once ? takes_and_gives : gives,
                                            kp_spare_hold(spare)),
                             0);
        kp_spare_release(spare);
        for (int i = 0; i < TAKERS; i++) {
            void *result;
            assert_int_equal(pthread_join(threads[i], &result), 0);
            assert_non_null(result);
        }
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(episodes), TEST(tables), TEST(mailboxes), TEST(fibers),
        TEST(failures), TEST(dumps),  TEST(spares),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
