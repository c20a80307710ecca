/* Tests stencils in which several neighbours are the same processor. Examples are rings of two,
 * tori with two processors along an axis, and groups of two in a larger machine. In one round of
 * kp_exchange a processor then sends several messages to the same processor, each on its own
 * port. */
#include "tests/common/machine_common.h"

#include <kport.h>

#define MOST_SIDES 6 /* left and right, and two for each of two more axes */
#define MOST_BYTES 20000
#define ROUNDS     8

/* A torus with sizes[axis] processors along each axis. A processor has a port for each side. */
struct torus {
    int axes, sizes[3];
};

static int size_of(const struct torus *torus)
{
    int n = 1;
    for (int axis = 0; axis < torus->axes; axis++)
        n *= torus->sizes[axis];
    return n;
}

/* Returns the neighbour at a side. Side 2 a is downwards along axis a, side 2 a + 1 upwards. */
static int neighbour(const struct torus *torus, int me, int side)
{
    int stride = 1, axis = side / 2;
    for (int i = 0; i < axis; i++)
        stride *= torus->sizes[i];
    int size = torus->sizes[axis], at = me / stride % size;
    int there = (at + (side % 2 ? 1 : size - 1)) % size;
    return me + (there - at) * stride;
}

/* Returns the length of the message that `from` sends at a side. It depends on the sender, the side
 * and the round. */
static size_t length_of(int from, int side, int round)
{
    static const size_t lengths[] = {1, 40, 0, 3000, 17, MOST_BYTES, 28, 5};
    return lengths[(size_t)(from + 3 * side + round) % (sizeof lengths / sizeof lengths[0])];
}

struct sides {
    unsigned char out[MOST_SIDES][MOST_BYTES], in[MOST_SIDES][MOST_BYTES];
    kp_outgoing outgoing[MOST_SIDES];
    kp_incoming incoming[MOST_SIDES];
};

/* Makes the lists of a processor's messages. A message to side p leaves on port p, so a message
 * that arrives from side p left the neighbour on the opposite port. The order in the lists changes
 * in every round. */
static void lay(const struct torus *torus, struct sides *s, int me, int round)
{
    int count = 2 * torus->axes;
    for (int i = 0; i < count; i++) {
        int side = (i + round) % count, back = (i + 2 * round + 1) % count;
        int to = neighbour(torus, me, side), from = neighbour(torus, me, back);
        size_t bytes = length_of(me, side, round), expected = length_of(from, back ^ 1, round);
        bool capacity = (side + round) % 3 == 0;
        fill(s->out[side], bytes, random_of((uint64_t)round, (uint64_t)me, (uint64_t)side));
        memset(s->in[back], 0xee, MOST_BYTES);
        s->outgoing[i] = (kp_outgoing){side, to, s->out[side], bytes};
        s->incoming[i] =
            (kp_incoming){back ^ 1, from, s->in[back], capacity ? MOST_BYTES : expected, capacity};
    }
}

static bool is_right(const struct torus *torus, const struct sides *s, int me, int round)
{
    for (int side = 0; side < 2 * torus->axes; side++) {
        int from = neighbour(torus, me, side);
        size_t bytes = length_of(from, side ^ 1, round);
        uint64_t key = random_of((uint64_t)round, (uint64_t)from, (uint64_t)(side ^ 1));
        if (!holds(s->in[side], bytes, key) ||
            !all_are(s->in[side] + bytes, MOST_BYTES - bytes, 0xee))
            return false;
    }
    for (int i = 0; i < 2 * torus->axes; i++) {
        int back = s->incoming[i].port ^ 1;
        if (s->incoming[i].bytes != length_of(s->incoming[i].peer, back ^ 1, round))
            return false;
    }
    return true;
}

static int step(kp_proc *self, kp_group *group, const struct torus *torus, struct sides *s,
                int round)
{
    int me = kp_rank(group), sides = 2 * torus->axes;
    lay(torus, s, me, round);
    int status = kp_exchange(group, s->outgoing, sides, s->incoming, sides);
    if (!status && !is_right(torus, s, me, round))
        return kp_fail(self, "wrong bytes from a neighbour");
    return status;
}

static int on_world(kp_proc *self, void *arg)
{
    struct sides *s = malloc(sizeof *s);
    int status = s ? 0 : 1, calls = 0, sum = 0;
    for (int round = 0; round < ROUNDS && !status; round++) {
        status = step(self, kp_world(self), arg, s, round);
        /* Collectives, which use fewer ports, must work in between. */
        calls = kp_processor(self);
        if (!status)
            status = kp_allreduce(kp_world(self), &calls, &sum, 1, KP_INT32, KP_SUM, NULL);
    }
    free(s);
    int n = kp_size(kp_world(self));
    NEED(self, status || sum == n * (n - 1) / 2);
    NEED(self, kp_ports(kp_world(self)) <= n - 1);
    return status;
}

static const struct torus tori[] = {
    {1, {2}}, {1, {3}}, {2, {2, 2}}, {2, {3, 2}}, {2, {2, 4}}, {3, {2, 2, 2}},
};

static void both_neighbours_on_a_torus(void **state)
{
    (void)state;
    static const kp_discipline rounds[] = {KP_ROUNDS_BY_BARRIER, KP_ROUNDS_BY_MAILBOXES};
    for (size_t i = 0; i < sizeof tori / sizeof tori[0]; i++) {
        struct torus torus = tori[i];
        for (int d = 0; d < 2; d++) {
            kp_config config = {.processors = size_of(&torus),
                                .ports = 2 * torus.axes + d,
                                .discipline = rounds[d],
                                .eager_bytes = d ? 64 : 0};
            kp_report report;
            int status = kp_run(&config, on_world, &torus, &report);
            assert_good(status, &report);
        }
    }
}

/* A pair in a larger machine may use all ports of the machine in kp_exchange. */
static int on_pairs(kp_proc *self, void *arg)
{
    const struct torus pair = {1, {2}};
    int me = kp_processor(self), first = me - me % 2;
    kp_group *group;
    struct sides *s = malloc(sizeof *s);
    int status = s ? kp_group_create(self, (int[]){first + 1, first}, 2, &group) : 1;
    (void)arg;
    NEED(self, status || kp_ports(group) == 1);
    for (int round = 0; round < ROUNDS && !status; round++)
        status = step(self, group, &pair, s, round);
    free(s);
    return status;
}

static void pairs_of_a_larger_machine(void **state)
{
    (void)state;
    kp_config config = {.processors = 6, .ports = 2};
    kp_report report;
    int status = kp_run(&config, on_pairs, NULL, &report);
    assert_good(status, &report);
    config.ports = 0;
    status = kp_run(&config, on_pairs, NULL, &report);
    assert_good(status, &report);
}

/* --- Messages that are missing, too long or not taken --- */

/* Processor 0 sends messages of 1, 2, 3, ... bytes to processor 1 on the ports 0 ... `sends` - 1.
 * Processor 1 expects `takes` messages, with the given ports and lengths. */
struct miss {
    int sends, takes, ports[3];
    size_t bytes[3];
    int status, port;          /* the expected error of processor 1 */
    int untaken, untaken_port; /* the expected error of processor 0 */
};

static const struct miss misses[] = {
    {3, 3, {2, 0, 1}, {3, 1, 2}, KP_OK, -1, KP_OK, -1},
    {3, 2, {0, 2}, {1, 3}, KP_OK, -1, KP_EUNTAKEN, 1},
    {2, 0, {0}, {0}, KP_OK, -1, KP_EUNTAKEN, 0},
    {2, 3, {0, 1, 2}, {1, 2, 3}, KP_EMISSING, 2, KP_OK, -1},
    {0, 2, {0, 1}, {1, 2}, KP_EMISSING, 0, KP_OK, -1},
    {3, 3, {0, 1, 2}, {1, 3, 2}, KP_ELENGTH, 1, KP_OK, -1},
    {2, 2, {0, 2}, {1, 2}, KP_EMISSING, 2, KP_EUNTAKEN, 1},
};

static int one_miss(kp_proc *self, void *arg)
{
    static const unsigned char out[3][4] = {"0", "01", "012"};
    const struct miss *miss = arg;
    unsigned char in[3][8];
    kp_outgoing outgoing[3];
    kp_incoming incoming[3];
    int me = kp_processor(self), later = 0;
    memset(in, 0xee, sizeof in);
    for (int i = 0; i < 3; i++) {
        outgoing[i] = (kp_outgoing){i, 1, out[i], (size_t)i + 1};
        incoming[i] = (kp_incoming){miss->ports[i], 0, in[i], miss->bytes[i], 0};
    }
    int status = kp_exchange(kp_world(self), outgoing, me == 0 ? miss->sends : 0, incoming,
                             me == 1 ? miss->takes : 0);
    if (me == 1)
        keep(self, status);
    later = kp_exchange(kp_world(self), NULL, 0, NULL, 0);
    if (me == 0)
        keep(self, status ? status : later);
    for (int i = 0; me == 1 && i < miss->takes; i++) {
        bool comes = miss->ports[i] < miss->sends && miss->bytes[i] == (size_t)miss->ports[i] + 1;
        NEED(self, !comes || memcmp(in[i], out[miss->ports[i]], miss->bytes[i]) == 0);
        NEED(self, comes || all_are(in[i], sizeof in[i], 0xee));
    }
    return kp_barrier(kp_world(self));
}

static void what_does_not_meet_is_named_by_its_port(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof misses / sizeof misses[0]; i++) {
        struct miss miss = misses[i];
        kp_config config = {.processors = 2, .ports = 3};
        kp_report report;
        memset(outcomes, 0, sizeof outcomes);
        int status = kp_run(&config, one_miss, &miss, &report);
        if (status)
            fail_msg("row %d: %s", (int)i, report.error.sentence);
        const struct outcome *taker = &outcomes[1], *sender = &outcomes[0];
        if (taker->status != miss.status ||
            (miss.status && (taker->error.port != miss.port || taker->error.processor != 1 ||
                             taker->error.peer != 0 || !names(taker->error.sentence, miss.port))))
            fail_msg("row %d: status %d, port %d: %s", (int)i, taker->status, taker->error.port,
                     taker->error.sentence);
        if (sender->status != miss.untaken ||
            (miss.untaken && (sender->error.port != miss.untaken_port ||
                              sender->error.processor != 0 || sender->error.peer != 1)))
            fail_msg("row %d, sender: status %d, port %d: %s", (int)i, sender->status,
                     sender->error.port, sender->error.sentence);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(both_neighbours_on_a_torus),
        TEST(pairs_of_a_larger_machine),
        TEST(what_does_not_meet_is_named_by_its_port),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
