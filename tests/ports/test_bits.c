/* Tests the 8 bits that each member may bring to an episode. After the episode every member must
 * have the OR of all members' bits, and no bits of an earlier episode. The test uses every kind of
 * episode. */
#include "kport.h"
#include "ports/member.h"
#include "ports/without.h"
#include "tools/kport/common/random.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define CALLS  40
#define ROUNDS 7

/* Returns the bits that a member brings to an episode. The bits are often 0. In every third episode
 * all members bring 0. */
static unsigned bits_of(int episode, int rank)
{
    uint64_t drawn = random_final((uint64_t)episode * 1000003 + (uint64_t)rank + 1);
    return episode % 3 == 2 || drawn & 0x300 ? 0 : (unsigned)(drawn & 0xff);
}

static uint64_t length_of(int episode, int rank)
{
    return random_final((uint64_t)episode * 7919 + (uint64_t)rank + 1) >> (16 + episode % 40);
}

static int one_episode(kp_group *member, int episode)
{
    unsigned expected = 0;
    uint64_t longest = 0, told;
    bool offers = episode % 5 < 2 && kp_port_size(member) > 1;
    for (int rank = 0; rank < kp_port_size(member); rank++) {
        expected |= bits_of(episode, rank);
        longest = length_of(episode, rank) > longest ? length_of(episode, rank) : longest;
    }
    if (offers)
        kp_port_offer_longest(member, length_of(episode, kp_port_rank(member)));
    unsigned own = bits_of(episode, kp_port_rank(member));
    if (own == 0 && episode % 2 == 0)
        kp_member_arrive(member);
    else
        kp_member_arrive_with(member, own);
    int status = kp_member_await(member, 0);
    if (status)
        return status;
    if (kp_member_bits(member) != expected)
        return kp_port_error(member, KP_EFAILED, 0, -1, -1, "bits %x instead of %x in pass %d",
                             kp_member_bits(member), expected, episode);
    if (kp_port_longest(member, &told) != offers || (offers && told != longest))
        return kp_port_error(member, KP_EFAILED, 0, -1, -1, "another longest length in pass %d",
                             episode);
    return KP_OK;
}

static int calls(kp_group *member)
{
    int status = KP_OK, episode = 0;
    for (int call = 0; call < CALLS && !status; call++) {
        status = kp_member_enter(member);
        if (status)
            return status;
        kp_port_open(member, 7, NULL, NULL);
        for (int round = 0; round <= call % ROUNDS && !status; round++)
            status = one_episode(member, episode++);
        if (!status)
            status = kp_member_close(member);
        status = kp_member_leave(member, status);
        if (!status && call % 10 == 9)
            status = kp_barrier(member);
    }
    return status;
}

/* Makes calls in the world, then in groups of two, three and four neighbours, then in the world
 * again. */
static int program(kp_proc *self, void *arg)
{
    int n = kp_size(kp_world(self)), me = kp_processor(self), members[64];
    (void)arg;
    int status = calls(kp_world(self));
    for (int size = 2; size <= 4 && !status; size++) {
        int first = me / size * size, count = first + size <= n ? size : n - first;
        kp_group *group;
        for (int i = 0; i < count; i++)
            members[i] = first + count - 1 - i;
        status = kp_group_create(self, members, count, &group);
        if (!status)
            status = calls(group);
        if (!status)
            status = kp_group_free(group);
    }
    return status ? status : calls(kp_world(self));
}

/* Returns the kind of episode that a group has. If the library is built without a kind, the counter
 * replaces it. */
static enum kp_sync served_by(enum kp_sync kind)
{
    bool built = kind == KP_SYNC_PAIR          ? KP_HAS(PAIR)
                 : kind == KP_SYNC_CORE_SETS   ? KP_HAS(CORE_SETS)
                 : kind == KP_SYNC_WORKER_SETS ? KP_HAS(WORKER_SETS)
                                               : true;
    return built ? kind : KP_SYNC_COUNTER;
}

static void run(kp_config config, enum kp_sync kind)
{
    kp_machine *machine;
    kp_report report;
    assert_int_equal(kp_machine_create(&config, &machine), 0);
    assert_int_equal(machine->world->members[0].sync, served_by(kind));
    for (int i = 0; i < 2; i++) {
        int status = kp_machine_run(machine, program, NULL, &report);
        assert_string_equal(report.error.sentence, "");
        assert_int_equal(status, 0);
    }
    assert_int_equal(kp_machine_destroy(machine), 0);
}

static void threads_have_the_bits_of_all(void **state)
{
    (void)state;
    for (int n = 1; n <= 9; n++) {
        for (kp_wait_policy wait = KP_WAIT_AUTO; wait <= KP_WAIT_PARK; wait++)
            run((kp_config){.processors = n, .wait = wait, .pin = KP_PIN_NEVER},
                n == 1   ? KP_SYNC_ALONE
                : n == 2 ? KP_SYNC_PAIR
                         : KP_SYNC_COUNTER);
    }
}

static void threads_that_share_cores_have_them(void **state)
{
    (void)state;
    int cores = kp_allowed_cores();
    if (!kp_pinning() || cores < 2 || cores > 16)
        skip(); /* with one core all threads are in one core set */
    for (int n = 2 * cores; n <= 3 * cores + 1; n++)
        run((kp_config){.processors = n, .pin = 1, .wait = KP_WAIT_YIELD}, KP_SYNC_CORE_SETS);
}

static void fibers_have_them(void **state)
{
    (void)state;
    if (!kp_fibers())
        skip();
    for (int n = 1; n <= 17; n += 1 + n / 5) {
        for (int workers = 1; workers <= n && workers <= 3; workers++) {
            kp_config config = {.processors = n, .carrier = KP_CARRIER_FIBERS, .workers = workers};
            enum kp_sync kind = n == 1                   ? KP_SYNC_ALONE
                                : n == 2 && workers == 2 ? KP_SYNC_PAIR
                                                         : KP_SYNC_WORKER_SETS;
            run(config, kind);
            config.seed = (uint64_t)n + 1;
            run(config, kind);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_have_the_bits_of_all),
        cmocka_unit_test(threads_that_share_cores_have_them),
        cmocka_unit_test(fibers_have_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
