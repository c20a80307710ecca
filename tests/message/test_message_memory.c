/* Tests the memory of messages with tags. What members send again and again soon allocates nothing
 * more. A lack of memory, in whichever request, is an error at one of the members, or has no
 * effect. Nothing stays allocated. */
#include "tests/message/message_common.h"

#include "tests/common/failing_allocator.h"

#define N 3

struct trial {
    long failing; /* the number of the request that fails; 0: none */
    int rounds;
    bool counts; /* the rounds after WARM are counted by what they allocate */
};

/* How much memory messages take depends on how many of them lie unreceived at the same time, and
 * the scheduler decides that. So a late round may still be the first with one message more. It may
 * not be every round: of COUNTED rounds after the first WARM ones, at most LATE allocate. */
enum {
    WARM = 20,
    COUNTED = 80,
    LATE = 8
};

/* Sends of all ways, expected and unexpected, blocking and as requests. */
static int round_of_messages(kp_group *world)
{
    static unsigned char out[N][MOST_BYTES], in[N][N][MOST_BYTES];
    const int me = kp_rank(world);
    kp_request *all[2 * N];
    kp_message_status found;
    int status = 0, there;
    for (uint64_t i = 0; i < LENGTHS && !status; i++) {
        const size_t bytes = length_of(i);
        for (int j = 0; j < N && !status; j++)
            status = kp_send_start(world, out[me], bytes, j, (int)i, &all[j]);
        for (int j = 0; j < N && !status; j++)
            status = kp_receive_start(world, in[me][j], bytes, j, (int)i, NULL, &all[N + j]);
        if (!status)
            status = kp_wait_all(2 * N, all);
    }
    for (int tag = 0; tag < 40 && !status; tag++)
        status = kp_send(world, out[me], 30, (me + 1) % N, tag);
    if (!status)
        status = kp_probe(world, KP_ANY_SOURCE, 39, &found);
    if (!status)
        status = kp_probe_now(world, KP_ANY_SOURCE, 39, &there, &found);
    for (int tag = 39; tag >= 0 && !status; tag--)
        status = kp_receive(world, in[me][0], 30, KP_ANY_SOURCE, tag, &found);
    return status;
}

static int send_rounds(kp_proc *self, void *argument)
{
    const struct trial *trial = argument;
    kp_group *world = kp_world(self);
    int status = kp_barrier(world), late = 0;
    for (int i = 0; i < trial->rounds && !status; i++) {
        if (kp_processor(self) == 0 && (trial->counts || i == 0))
            fail_request(trial->counts ? LONG_MAX : trial->failing);
        status = kp_barrier(world);
        status = status ? status : round_of_messages(world);
        status = status ? status : kp_barrier(world);
        late += trial->counts && i >= WARM && atomic_load(&requests) > 0;
        status = status ? status : kp_barrier(world);
    }
    if (kp_processor(self) == 0)
        fail_none();
    NEED(self, late <= LATE);
    return status;
}

static void the_same_messages_again_soon_allocate_nothing(void **state)
{
    struct trial trial = {.rounds = WARM + COUNTED, .counts = true};
    kp_report report;
    (void)state;
    THREADS_ONLY();
    for (int buffered = 0; buffered < 2; buffered++) {
        kp_config config = {.processors = N, .unreceived_bytes = buffered ? 0 : 5000};
        assert_good(kp_run(&config, send_rounds, &trial, &report), &report);
    }
}

static void a_lack_of_memory_is_an_error(void **state)
{
    int errors = 0;
    long before;
    kp_report report;
    (void)state;
    struct trial trial = {.rounds = 2};
    assert_good(kp_run(&(kp_config){.processors = N}, send_rounds, &trial, &report), &report);
    before = atomic_load(&blocks);
    do {
        trial.failing++;
        kp_config config = {.processors = N, .unreceived_bytes = trial.failing % 2 ? 0 : 5000};
        int status = kp_run(&config, send_rounds, &trial, &report);
        fail_none();
        if (status != 0 && status != KP_EMEMORY)
            fail_msg("request %ld: status %d: %s", trial.failing, status, report.error.sentence);
        errors += status != 0;
        assert_int_equal(atomic_load(&blocks), before);
    } while (atomic_load(&has_failed));
    print_message("%ld requests, %d errors\n", trial.failing - 1, errors);
    assert_true(errors > 5 && trial.failing > 20);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(the_same_messages_again_soon_allocate_nothing),
        TEST(a_lack_of_memory_is_an_error),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests_name("message_memory", tests, NULL, NULL);
}
