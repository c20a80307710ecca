/* Tests kp_exchange: every pattern of messages among few processors, and random rounds among many.
 * It also tests every way of moving a message, the costs in the report, and every violation of the
 * port rule. */
#include "tests/common/machine_common.h"

#define MOST_PORTS 16
#define GUARD      16

/* --- Rounds that are right: the test draws them, the machine makes them --- */

struct message {
    /* slack >= 0: the receiver gives a capacity that exceeds the length by `slack`. -1: it gives
     * the exact length. */
    int from, to, port, slack;
    size_t bytes;
};

struct rounds {
    int n, k, count;
    bool delays;
    uint64_t seed;
    struct message *messages;
    int *first; /* round r has the messages first[r] ... first[r + 1] - 1 */
};

static const size_t lengths[] = {0, 1, 28, 29, 36, 37, 64, 65, 4096, 8192, 8193, 1 << 20};
#define LENGTHS ((int)(sizeof lengths / sizeof lengths[0]))

static size_t some_length(uint64_t *seed)
{
    if (random_below(seed, 4) == 0) {
        return (size_t)random_below(seed, 300);
    }
    return lengths[random_below(seed, random_below(seed, 40) == 0 ? LENGTHS : LENGTHS - 1)];
}

static struct rounds rounds_make(int n, int k, int count, uint64_t seed)
{
    struct rounds made = {.n = n, .k = k, .count = count, .seed = seed};
    made.messages = calloc((size_t)count * (size_t)n * (size_t)k + 1, sizeof *made.messages);
    made.first = calloc((size_t)count + 1, sizeof *made.first);
    return made;
}

static void rounds_free(struct rounds *rounds)
{
    free(rounds->messages);
    free(rounds->first);
}

/* Adds a message to the last round if the port rule allows it. Returns whether the rule does. */
static bool rounds_add(struct rounds *rounds, int round, int from, int to, uint64_t *seed)
{
    struct message *all = rounds->messages;
    int sends = 0, receives = 0;
    unsigned ports = 0;
    for (int i = rounds->first[round]; i < rounds->first[round + 1]; i++) {
        sends += all[i].from == from;
        receives += all[i].to == to;
        ports |= all[i].from == from ? 1U << all[i].port : 0;
    }
    if (from == to || sends == rounds->k || receives == rounds->k) {
        return false;
    }
    int port = random_below(seed, rounds->k);
    while (ports >> port & 1U) {
        port = (port + 1) % rounds->k;
    }
    struct message *added = &all[rounds->first[round + 1]++];
    *added = (struct message){.from = from, .to = to, .port = port, .bytes = some_length(seed)};
    added->slack = random_below(seed, 3) == 0 ? random_below(seed, 100) : -1;
    return true;
}

static void rounds_random(struct rounds *rounds)
{
    uint64_t seed = rounds->seed;
    for (int r = 0; r < rounds->count; r++) {
        rounds->first[r + 1] = rounds->first[r];
        int tries = random_below(&seed, 2 * rounds->n * rounds->k + 1);
        for (int i = 0; i < tries; i++) {
            rounds_add(rounds, r, random_below(&seed, rounds->n), random_below(&seed, rounds->n),
                       &seed);
        }
    }
}

static uint64_t key_in(const struct rounds *rounds, int round, const struct message *message)
{
    return random_of(rounds->seed, (uint64_t)round,
                     (uint64_t)((message->from * 4096 + message->to) * MOST_PORTS + message->port));
}

/* Makes the lists of messages that one processor sends and receives in a round. */
static void lists_of(const struct rounds *rounds, int round, int me, kp_outgoing *out, int *outs,
                     kp_incoming *in, int *ins)
{
    *outs = *ins = 0;
    for (int i = rounds->first[round]; i < rounds->first[round + 1]; i++) {
        const struct message *m = &rounds->messages[i];
        if (m->from == me) {
            unsigned char *data = malloc(m->bytes + 1);
            fill(data, m->bytes, key_in(rounds, round, m));
            out[(*outs)++] = (kp_outgoing){m->port, m->to, data, m->bytes};
        } else if (m->to == me) {
            size_t room = m->bytes + (m->slack > 0 ? (size_t)m->slack : 0);
            unsigned char *data = malloc(room + GUARD);
            memset(data, 0xee, room + GUARD);
            in[(*ins)++] = (kp_incoming){m->port, m->from, data, room, m->slack >= 0};
        }
    }
}

/* Returns whether all messages arrived and nothing else was written. Frees the buffers. */
static bool lists_right(const struct rounds *rounds, int round, int me, kp_outgoing *out, int outs,
                        kp_incoming *in, int ins)
{
    bool right = true;
    for (int i = 0; i < outs; i++) {
        memset((void *)(uintptr_t)out[i].data, 0xdd, out[i].bytes);
        free((void *)(uintptr_t)out[i].data);
    }
    int next = 0;
    for (int i = rounds->first[round]; i < rounds->first[round + 1]; i++) {
        const struct message *m = &rounds->messages[i];
        if (m->to == me && next < ins) {
            const unsigned char *data = in[next].data;
            right = right && in[next].bytes == m->bytes;
            right = right && holds(data, m->bytes, key_in(rounds, round, m));
            right = right && all_are(data + m->bytes, GUARD, 0xee);
            free(in[next++].data);
        }
    }
    return right && next == ins;
}

static int play(kp_proc *self, void *arg)
{
    const struct rounds *rounds = arg;
    int me = kp_processor(self);
    uint64_t seed = random_of(rounds->seed, (uint64_t)me, 5);
    kp_outgoing out[MOST_PORTS];
    kp_incoming in[MOST_PORTS];
    for (int r = 0; r < rounds->count; r++) {
        int outs, ins;
        lists_of(rounds, r, me, out, &outs, in, &ins);
        int status = kp_exchange(kp_world(self), out, outs, in, ins);
        bool right = lists_right(rounds, r, me, out, outs, in, ins);
        if (status != 0) {
            return status;
        }
        NEED(self, right);
        if (rounds->delays) {
            random_delay(&seed, 200);
        }
    }
    return 0;
}

/* Computes the costs without the library: C1 is the number of rounds with a message, and C2 is the
 * sum over the rounds of the longest message. */
static void costs_of(const struct rounds *rounds, uint64_t *c1, uint64_t *c2)
{
    *c1 = *c2 = 0;
    for (int r = 0; r < rounds->count; r++) {
        size_t largest = 0;
        for (int i = rounds->first[r]; i < rounds->first[r + 1]; i++) {
            size_t bytes = rounds->messages[i].bytes;
            largest = bytes > largest ? bytes : largest;
        }
        *c1 += rounds->first[r + 1] > rounds->first[r];
        *c2 += largest;
    }
}

static void play_on(const kp_config *base, struct rounds *rounds)
{
    kp_config config = *base;
    config.processors = rounds->n;
    config.ports = rounds->k;
    kp_report report;
    int status = kp_run(&config, play, rounds, &report);
    uint64_t c1, c2;
    costs_of(rounds, &c1, &c2);
    assert_good(status, &report);
    assert_int_equal(report.c1, c1);
    assert_int_equal(report.c2, c2);
}

/* --- Tests of rounds that are right --- */

/* Tries every set of messages among n processors that the port rule allows with k ports. Each set
 * is one round. */
static void every_pattern(void **state)
{
    (void)state;
    kp_config config = {0};
    for (int n = 2; n <= (level == SMALL ? 3 : 4); n++) {
        for (int k = 1; k < n; k++) {
            int links = n * (n - 1);
            struct rounds rounds = rounds_make(n, k, 1 << links, random_of(1, (uint64_t)n, 1));
            uint64_t seed = (uint64_t)k;
            for (int r = 0; r < 1 << links; r++) {
                rounds.first[r + 1] = rounds.first[r];
                for (int link = 0; link < links; link++) {
                    int from = link / (n - 1), to = (from + 1 + link % (n - 1)) % n;
                    if (r >> link & 1) {
                        rounds_add(&rounds, r, from, to, &seed);
                    }
                }
            }
            play_on(&config, &rounds);
            rounds_free(&rounds);
        }
    }
}

static void random_rounds(void **state)
{
    (void)state;
    const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 13, OVER_SOCKETS && level == SMALL ? 20 : 64};
    static const size_t budgets[] = {0, 1, 64, 100000};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        int n = sizes[i];
        for (int k = 1; k <= (n > 8 ? 4 : n + 1); k++) { /* also k = n, n + 1 */
            kp_config config = {.eager_bytes = budgets[(i + (size_t)k) % 4]};
            config.wait = (kp_wait_policy)((n + k) % 4);
            uint64_t seed = random_of(7, (uint64_t)n, (uint64_t)k);
            struct rounds rounds = rounds_make(n, k, scaled(40, 400, 4000) / (n > 8 ? 4 : 1), seed);
            rounds.delays = k % 2 == 0;
            rounds_random(&rounds);
            play_on(&config, &rounds);
            rounds_free(&rounds);
        }
    }
}

/* Rounds in a ring with one length after another, packed or lent for zero copy. */
static int rings_of_all_lengths(kp_proc *self, void *arg)
{
    (void)arg;
    for (uint64_t i = 0; i < 3 * LENGTHS; i++) {
        int status = ring(kp_world(self), lengths[i * 5 % LENGTHS], i);
        NEED(self, status != WRONG_BYTES);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static void every_length(void **state)
{
    (void)state;
    uint64_t bytes = 0;
    for (int i = 0; i < LENGTHS; i++) {
        bytes += 3 * lengths[i];
    }
    for (int n = 2; n <= 5; n++) {
        kp_config config = {.processors = n};
        kp_report report;
        int status = kp_run(&config, rings_of_all_lengths, NULL, &report);
        assert_good(status, &report);
        assert_int_equal(report.c1, 3 * LENGTHS);
        assert_int_equal(report.c2, bytes);
        assert_int_equal(report.started, threads_for(n));
    }
}

/* --- Misuse: each function writes wrong lists for processor 2 --- */

struct lists {
    kp_outgoing out[4];
    kp_incoming in[4];
    kp_outgoing *outs_at;
    kp_incoming *ins_at;
    int outs, ins;
};

struct misuse {
    const char *name;
    void (*write)(struct lists *);
    int status, port, peer; /* the expected error record; peer is the processor's number */
};

static unsigned char sent[8], taken[8];

static void two_of_each(struct lists *l)
{
    for (int i = 0; i < 4; i++) {
        l->out[i] = (kp_outgoing){i % 2, (int[]){0, 1, 3, 0}[i], sent, sizeof sent};
        l->in[i] = (kp_incoming){i % 2, (int[]){0, 1, 3, 0}[i], taken, sizeof taken, 0};
    }
    l->outs_at = l->out;
    l->ins_at = l->in;
    l->outs = l->ins = 2;
}

#define MISUSE(name, change)                                                                       \
    static void name(struct lists *l)                                                              \
    {                                                                                              \
        change;                                                                                    \
    }
MISUSE(too_many_out, l->outs = 3)
MISUSE(too_many_in, l->ins = 3)
MISUSE(port_too_high, l->out[1].port = 2)
MISUSE(port_negative, l->out[1].port = -1)
MISUSE(port_twice, l->out[1].port = 0)
MISUSE(to_oneself, l->out[1].peer = 2)
MISUSE(no_such_receiver, l->out[1].peer = 4)
MISUSE(negative_receiver, l->out[1].peer = -1)
MISUSE(no_data, l->out[1].data = NULL)
MISUSE(no_out_list, l->outs_at = NULL)
MISUSE(no_in_list, l->ins_at = NULL)
MISUSE(negative_outs, l->outs = -1)
MISUSE(negative_ins, l->ins = -1)
MISUSE(hugely_many, l->outs = 2147483647)
MISUSE(in_port_too_high, l->in[1].port = 2)
MISUSE(in_port_negative, l->in[1].port = -7)
MISUSE(from_oneself, l->in[1].peer = 2)
MISUSE(no_such_sender, l->in[1].peer = 2147483647)
MISUSE(negative_sender, l->in[1].peer = -2147483647 - 1)
MISUSE(taken_twice, l->in[1].peer = l->in[1].port = 0)
MISUSE(no_room, l->in[1].data = NULL)
MISUSE(same_place, (void)l)

/* ANY: KP_EPORT or KP_EARGUMENT. ANYWHERE: this field of the record is not compared. */
#define ANY      1
#define ANYWHERE (-2)
#define ROW(name, status, port, peer)                                                              \
    {                                                                                              \
#name, name, status, port, peer                                                            \
    }
static const struct misuse misuses[] = {
    ROW(too_many_out, KP_EPORT, ANYWHERE, ANYWHERE),
    ROW(too_many_in, KP_EPORT, ANYWHERE, ANYWHERE),
    ROW(port_too_high, ANY, 2, 1),
    ROW(port_negative, ANY, ANYWHERE, 1),
    ROW(port_twice, KP_EPORT, 0, 1),
    ROW(to_oneself, ANY, 1, 2),
    ROW(no_such_receiver, ANY, 1, ANYWHERE),
    ROW(negative_receiver, ANY, 1, ANYWHERE),
    ROW(no_data, KP_EARGUMENT, 1, 1),
    ROW(no_out_list, KP_EARGUMENT, ANYWHERE, ANYWHERE),
    ROW(no_in_list, KP_EARGUMENT, ANYWHERE, ANYWHERE),
    ROW(negative_outs, ANY, ANYWHERE, ANYWHERE),
    ROW(negative_ins, ANY, ANYWHERE, ANYWHERE),
    ROW(hugely_many, KP_EPORT, ANYWHERE, ANYWHERE),
    ROW(in_port_too_high, ANY, 2, 1),
    ROW(in_port_negative, ANY, ANYWHERE, 1),
    ROW(from_oneself, ANY, 1, 2),
    ROW(no_such_sender, ANY, 1, ANYWHERE),
    ROW(negative_sender, ANY, 1, ANYWHERE),
    ROW(taken_twice, KP_EPORT, 0, 0),
    ROW(no_room, KP_EARGUMENT, 1, 1),
    ROW(same_place, KP_EARGUMENT, 1, 1),
};
#define MISUSES ((int)(sizeof misuses / sizeof misuses[0]))

static unsigned char untouched[4];

/* Makes five correct rounds, a round in which processor 2's lists are wrong while 0 sends a message
 * to 1, and five correct rounds. */
static int one_bad_round(kp_proc *self, void *arg)
{
    const struct misuse *misuse = arg;
    kp_group *world = kp_world(self);
    int me = kp_processor(self);
    for (uint64_t i = 0; i < 5; i++) {
        NEED(self, ring(world, 20 + 3000 * i, i) == 0);
    }
    struct lists lists = {.outs = 0};
    two_of_each(&lists);
    kp_outgoing out = {1, 1, sent, 1};
    kp_incoming in = {1, 0, untouched, 1, 0};
    if (me == 2) {
        misuse->write(&lists);
        keep(self, kp_exchange(world, lists.outs_at, lists.outs, lists.ins_at, lists.ins));
    } else {
        keep(self, kp_exchange(world, &out, me == 0, &in, me == 1));
    }
    for (uint64_t i = 0; i < 5; i++) {
        NEED(self, ring(world, 20 + 3000 * i, 10 + i) == 0);
    }
    return 0;
}

static void assert_misuse(const struct misuse *misuse)
{
    const kp_error_record *record = &outcomes[2].error;
    int status = outcomes[2].status;
    bool right = misuse->status == ANY ? status == KP_EARGUMENT || status == KP_EPORT
                                       : status == misuse->status;
    right = right && record->status == status && record->processor == 2 && record->round == 5;
    right = right && names(record->sentence, 2) && names(record->sentence, 5);
    right = right && (misuse->port == ANYWHERE ||
                      (record->port == misuse->port && names(record->sentence, record->port)));
    right = right && (misuse->peer == ANYWHERE ||
                      (record->peer == misuse->peer && names(record->sentence, record->peer)));
    if (!right) {
        fail_msg("%s: status %d, round %d, processor %d, port %d, peer %d: %s", misuse->name,
                 status, record->round, record->processor, record->port, record->peer,
                 record->sentence);
    }
}

static void every_misuse(void **state)
{
    (void)state;
    for (int i = 0; i < MISUSES; i++) {
        kp_config config = {.processors = 4, .ports = 2};
        kp_report report;
        memset(untouched, 0xee, sizeof untouched);
        int status = kp_run(&config, one_bad_round, (void *)(uintptr_t)&misuses[i], &report);
        if (status != 0 && report.error.status == KP_EFAILED) {
            fail_msg("%s: %s", misuses[i].name, report.error.sentence);
        }
        assert_misuse(&misuses[i]);
        for (int other = 0; other < 4; other++) {
            if (other != 2) {
                assert_outcome(other, KP_EPEER, 2);
            }
        }
        assert_true(all_are(untouched, sizeof untouched, 0xee));
    }
}

/* --- Messages that differ from what the receiver expects --- */

/* What the processors do in the round that goes wrong. Processor 0 is the sender, 1 and 2 are
 * receivers. */
struct miss {
    int out_port, out_peer, in_port, in_peer, status;
    size_t sent, expected;
    int up_to;
};

static const struct miss misses[] = {
    {0, 1, 1, 0, KP_EMISSING, 8, 8, 0},         /* sent on another port */
    {0, 2, 0, 0, KP_EMISSING, 8, 8, 0},         /* sent to another processor */
    {0, 2, 0, 0, KP_EMISSING, 20000, 20000, 0}, /* the same, lent for zero copy */
    {0, 1, 0, 2, KP_EMISSING, 8, 8, 0},         /* expected from another processor */
    {0, 1, 0, 0, KP_ELENGTH, 8, 7, 0},          /* longer than expected */
    {0, 1, 0, 0, KP_ELENGTH, 8, 9, 0},          /* shorter than expected */
    {0, 1, 0, 0, KP_ELENGTH, 8, 7, 1},          /* longer than the capacity */
    {0, 1, 0, 0, KP_ELENGTH, 1, 0, 1},          /* the capacity is 0 */
    {0, 1, 0, 0, KP_ELENGTH, 0, 1, 0},          /* an empty message */
    {0, 1, 0, 0, KP_ELENGTH, 4000, 4001, 0},    /* packed */
    {0, 1, 0, 0, KP_ELENGTH, 30000, 29999, 0},  /* lent for zero copy */
    {0, 1, 0, 0, KP_ELENGTH, 30000, 30001, 0},  /* lent for zero copy */
    {0, 1, 0, 0, KP_ELENGTH, 30000, 29999, 1},  /* lent, and longer than the capacity */
};
#define MISSES ((int)(sizeof misses / sizeof misses[0]))
static unsigned char guarded[40000], source[40000];

static int one_miss(kp_proc *self, void *arg)
{
    const struct miss *miss = arg;
    kp_group *world = kp_world(self);
    int me = kp_processor(self);
    for (uint64_t i = 0; i < 4; i++) { /* so old messages lie in the slots of both generations */
        NEED(self, ring(world, miss->expected, i) == 0);
    }
    kp_outgoing out = {miss->out_port, miss->out_peer, source, miss->sent};
    kp_incoming in = {miss->in_port, miss->in_peer, guarded, miss->expected, miss->up_to};
    int status = kp_exchange(world, &out, me == 0, &in, me == 1);
    if (me == 1) {
        keep(self, status);
    }
    /* The sender gets the error in this round only if it lends its memory, because only then it
     * waits for the receiver. */
    bool told = me == 0 && status == KP_EUNTAKEN;
    NEED(self, me == 1 || status == 0 || (told && miss->sent > 8192));
    if (told) {
        keep(self, status);
    }
    status = ring(world, 50, 9); /* complete, although it reports the error of the earlier round */
    if (me == 0 && !told) {
        keep(self, status);
    }
    NEED(self, status == 0 || (me == 0 && !told));
    NEED(self, ring(world, 9000, 10) == 0);
    return 0;
}

static void messages_that_miss(void **state)
{
    (void)state;
    for (int i = 0; i < MISSES; i++) {
        kp_config config = {.processors = 3, .ports = 2};
        kp_report report;
        memset(guarded, 0xee, sizeof guarded);
        int status = kp_run(&config, one_miss, (void *)(uintptr_t)&misses[i], &report);
        if (status == KP_EFAILED) {
            fail_msg("case %d: %s", i, report.error.sentence);
        }
        const kp_error_record *record = &outcomes[1].error;
        if (outcomes[1].status != misses[i].status || record->port != misses[i].in_port ||
            record->peer != misses[i].in_peer || record->processor != 1 || record->round != 4) {
            fail_msg("case %d: status %d, round %d, processor %d, port %d, peer %d: %s", i,
                     outcomes[1].status, record->round, record->processor, record->port,
                     record->peer, record->sentence);
        }
        assert_true(all_are(guarded, sizeof guarded, 0xee));
        if (misses[i].status == KP_EMISSING) {
            assert_outcome(0, KP_EUNTAKEN, 0);
            assert_int_equal(outcomes[0].error.port, misses[i].out_port);
            assert_int_equal(outcomes[0].error.peer, misses[i].out_peer);
        }
    }
}

/* The error of a round must not hide that a message of an earlier round was not taken. */
static int two_errors(kp_proc *self, void *arg)
{
    (void)arg;
    kp_group *world = kp_world(self);
    int me = kp_processor(self);
    kp_outgoing out = {0, 1, source, 9};
    kp_incoming in = {0, 1, guarded, 9, 0};
    NEED(self, kp_exchange(world, &out, me == 0, NULL, 0) == 0);
    NEED(self, kp_exchange(world, NULL, 0, &in, me == 0) == (me == 0 ? KP_EMISSING : 0));
    NEED(self, keep(self, ring(world, 40, 1)) == (me == 0 ? KP_EUNTAKEN : 0));
    NEED(self, me != 0 || kp_error(self)->round == 0);
    NEED(self, ring(world, 40, 2) == 0);
    return 0;
}

static void untaken_beside_another_error(void **state)
{
    (void)state;
    kp_config config = {.processors = 3};
    kp_report report;
    int status = kp_run(&config, two_errors, NULL, &report);
    assert_good(status, &report);
}

/* There is only one round, so only the run's report can say that the message was not taken. */
static int send_and_leave(kp_proc *self, void *arg)
{
    int me = kp_processor(self);
    kp_outgoing out = {1, 2, source, *(size_t *)arg};
    return kp_exchange(kp_world(self), &out, me == 0, NULL, 0);
}

static void untaken_at_the_end(void **state)
{
    (void)state;
    for (int i = 0; i < LENGTHS - 1; i++) {
        kp_config config = {.processors = 3, .ports = 2};
        kp_report report;
        size_t bytes = lengths[i];
        assert_int_equal(kp_run(&config, send_and_leave, &bytes, &report), KP_EUNTAKEN);
        assert_int_equal(report.error.status, KP_EUNTAKEN);
        assert_int_equal(report.error.processor, 0);
        assert_int_equal(report.error.port, 1);
        assert_int_equal(report.error.peer, 2);
        assert_true(names(report.error.sentence, 0) && names(report.error.sentence, 2));
    }
}

/* --- Call sites --- */

static int wrong_line;

static int wrong_here(kp_proc *self, void *arg)
{
    (void)arg;
    wrong_line = __LINE__ + 1;
    keep(self, kp_exchange(kp_world(self), NULL, -3, NULL, 0));
    return 0;
}

static void call_site(void **state)
{
    (void)state;
    kp_config config = {.processors = 1};
    int status = kp_run(&config, wrong_here, NULL, NULL);
    assert_int_equal(status, 0);
    assert_true(outcomes[0].status == KP_EARGUMENT || outcomes[0].status == KP_EPORT);
    assert_int_equal(outcomes[0].error.line, wrong_line);
    assert_non_null(outcomes[0].error.file);
    assert_non_null(strstr(outcomes[0].error.file, "test_exchange.c"));
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(every_pattern),
        TEST(random_rounds),
        TEST(every_length),
        TEST(every_misuse),
        TEST(messages_that_miss),
        TEST(untaken_at_the_end),
        TEST(untaken_beside_another_error),
        TEST(call_site),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
