/* Tests kp_route. No message may be lost, doubled or altered, for any relation, protocol and packet
 * length. The numbers of rounds must equal those that the library counts without sending. Invalid
 * calls must be refused.
 *
 * A message's contents follow from the relation's seed, the message's source and its number at the
 * source. So a receiver can compute what it must receive. */
#include "tests/common/machine_common.h"

#include "lib/route/announce.h"
#include "lib/route/count.h"

#include <kport.h>

enum kind {
    ANY, /* random destinations */
    ALL_TO_ONE,
    NEIGHBOURS, /* each processor sends to the next */
    KINDS
};

struct relation {
    uint64_t seed;
    int n;
    enum kind kind;
    int most; /* the most messages that a processor sends */
    size_t most_bytes;
    kp_route_hints hints;
};

static const char *const protocols[] = {"fullest", "balanced", "direct", "simple", "fast"};
#define PROTOCOLS 5

struct message {
    int to;
    size_t bytes;
    uint64_t key;
};

/* Returns the number of messages that a processor sends. A quarter of the processors send none. */
static int messages_of(const struct relation *r, int source)
{
    uint64_t seed = random_of(r->seed, (uint64_t)source, 1);
    return random_below(&seed, 4) == 0 ? 0 : random_below(&seed, r->most + 1);
}

static size_t length_of(const struct relation *r, uint64_t *seed)
{
    if (r->most_bytes <= 1)
        return r->most_bytes;
    static const size_t limits[] = {1, 2, 9, 9, 65, 257, 4097, 65537, 1048577};
    size_t limit = limits[random_below(seed, 9)];
    if (random_below(seed, 3) == 0)
        limit = 9; /* so that many messages have the same length */
    limit = limit > r->most_bytes + 1 ? r->most_bytes + 1 : limit;
    return limit == 9 ? 8 : (size_t)random_below(seed, (int)limit);
}

static struct message message_of(const struct relation *r, int source, int number)
{
    struct message m = {.key = random_of(r->seed, (uint64_t)source, 2 + (uint64_t)number)};
    uint64_t seed = m.key;
    m.to = r->kind == ALL_TO_ONE   ? (int)(r->seed % (uint64_t)r->n)
           : r->kind == NEIGHBOURS ? (source + 1) % r->n
                                   : random_below(&seed, r->n);
    m.bytes = length_of(r, &seed);
    return m;
}

static kp_parcel *make_parcels(const struct relation *r, int source, unsigned char **bytes)
{
    int count = messages_of(r, source);
    size_t total = 0;
    kp_parcel *parcels = calloc((size_t)count + 1, sizeof *parcels);
    for (int i = 0; i < count; i++)
        total += message_of(r, source, i).bytes;
    unsigned char *at = *bytes = malloc(total + 1);
    for (int i = 0; i < count; i++) {
        struct message m = message_of(r, source, i);
        fill(at, m.bytes, m.key);
        parcels[i] = (kp_parcel){.to = m.to, .data = m.bytes ? at : NULL, .bytes = m.bytes};
        at += m.bytes;
    }
    return parcels;
}

static bool aligned(const kp_arrival *at)
{
    size_t to = at->bytes == 1 || at->bytes == 2 || at->bytes == 4 ? at->bytes : 8;
    return (uintptr_t)at->data % to == 0;
}

/* Returns whether `rank` received exactly the messages that were sent to it. The messages of one
 * source must be in the order of sending. */
static bool all_came(const struct relation *r, int rank, const kp_arrivals *arrivals)
{
    kp_arrival at = {0};
    size_t count = 0;
    uint64_t bytes = 0;
    for (int source = 0; source < r->n; source++) {
        for (int i = 0; i < messages_of(r, source); i++) {
            struct message m = message_of(r, source, i);
            if (m.to != rank)
                continue;
            count++;
            bytes += m.bytes;
            if (!kp_route_next(arrivals, &at) || at.source != source || at.bytes != m.bytes ||
                !holds(at.data, at.bytes, m.key) || !aligned(&at))
                return false;
        }
    }
    return !kp_route_next(arrivals, &at) && arrivals->count == count && arrivals->bytes == bytes;
}

/* Routes one relation in a group of n, and stores the number of rounds in *rounds unless it is
 * NULL. */
static int route_once(kp_proc *self, kp_group *group, const struct relation *r, uint64_t *rounds)
{
    unsigned char *bytes;
    kp_parcel *parcels = make_parcels(r, kp_rank(group), &bytes);
    kp_arrivals arrivals;
    int count = messages_of(r, kp_rank(group));
    int status = kp_route(group, parcels, (size_t)count, &arrivals, &r->hints);
    bool right = status == 0 && all_came(r, kp_rank(group), &arrivals);
    if (rounds)
        *rounds = arrivals.rounds;
    kp_route_free(&arrivals);
    free(parcels);
    free(bytes);
    if (status)
        return status;
    NEED(self, right);
    return 0;
}

static int run_relation(kp_proc *self, void *relation)
{
    return route_once(self, kp_world(self), relation, NULL);
}

static void run_one(const struct relation *r, kp_discipline discipline)
{
    kp_report report;
    kp_config config = {.processors = r->n, .discipline = discipline};
    int status = kp_run(&config, run_relation, (void *)r, &report);
    if (status)
        fail_msg("n=%d kind=%d %s two_stage=%d packet=%zu seed=%llu: %s", r->n, (int)r->kind,
                 r->hints.protocol, r->hints.two_stage, r->hints.packet_bytes,
                 (unsigned long long)r->seed, report.error.sentence);
}

/* --- Relations --- */

static struct relation relation_of(uint64_t seed, int n, int most, size_t most_bytes)
{
    static const size_t packets[] = {8, 64, 1000, 4096, 0};
    uint64_t draw = seed;
    return (struct relation){.seed = seed,
                             .n = n,
                             .kind = (enum kind)random_below(&draw, KINDS),
                             .most = most,
                             .most_bytes = most_bytes,
                             .hints = {.protocol = protocols[random_below(&draw, PROTOCOLS)],
                                       .two_stage = random_below(&draw, 2),
                                       .packet_bytes = packets[random_below(&draw, 5)],
                                       .seed = seed}};
}

static void test_random_relations(void **state)
{
    static const int sizes[] = {1, 2, 3, 5, 8, 13};
    (void)state;
    for (int i = 0; i < scaled(6, 12, 24) * 5; i++) {
        struct relation r = relation_of(100 + (uint64_t)i, sizes[i % 6], 20, 600);
        r.hints.protocol = protocols[i / 6 % PROTOCOLS];
        run_one(&r, i % 4 == 3 ? KP_ROUNDS_BY_MAILBOXES : KP_ROUNDS_BY_BARRIER);
    }
}

static void test_many_processors(void **state)
{
    (void)state;
    struct relation r = relation_of(7, OVER_SOCKETS && level == SMALL ? 24 : 128, 40, 100);
    r.hints = (kp_route_hints){.protocol = "fullest", .packet_bytes = 64};
    r.kind = ANY;
    run_one(&r, KP_ROUNDS_BY_BARRIER);
    r = relation_of(8, OVER_SOCKETS && level == SMALL ? 16 : 64, 30, 8);
    r.hints = (kp_route_hints){.protocol = "fast", .two_stage = 1, .packet_bytes = 32};
    run_one(&r, KP_ROUNDS_BY_BARRIER);
}

/* Routes messages of up to a mebibyte, in much smaller packets or in packets of the length that the
 * library chooses. */
static void test_long_messages(void **state)
{
    (void)state;
    for (int i = 0; i < PROTOCOLS; i++) {
        struct relation r = relation_of(40 + (uint64_t)i, 4 + i, 12, 1 << 20);
        r.hints = (kp_route_hints){
            .protocol = protocols[i], .packet_bytes = i % 2 ? 0 : 30000, .two_stage = i == 3};
        run_one(&r, KP_ROUNDS_BY_BARRIER);
    }
}

static void test_all_to_one(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * PROTOCOLS; i++) {
        struct relation r = relation_of(60 + (uint64_t)i, 9, 60, 300);
        r.kind = ALL_TO_ONE;
        r.hints =
            (kp_route_hints){.protocol = protocols[i / 2], .packet_bytes = 64, .two_stage = i % 2};
        run_one(&r, KP_ROUNDS_BY_BARRIER);
    }
}

/* Routes more messages of one length than the head of a run of messages can count. */
static void test_long_runs(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct relation r = {.n = 2,
                             .kind = NEIGHBOURS,
                             .most = 200000,
                             .most_bytes = i / 2,
                             .hints = {.packet_bytes = i % 2 ? 1 << 18 : 1 << 14}};
        while (messages_of(&r, 0) < 3 * 65536)
            r.seed++;
        run_one(&r, KP_ROUNDS_BY_BARRIER);
    }
}

static void test_nothing_at_all(void **state)
{
    (void)state;
    for (int n = 1; n <= 4; n += 3) {
        struct relation r = {.n = n, .hints = {.two_stage = n == 4}};
        run_one(&r, KP_ROUNDS_BY_BARRIER);
    }
}

/* --- The same rounds as kp_route_count, which only counts packets --- */

struct comparison {
    int n;
    int32_t packets[16 * 16];
    kp_route_hints hints;
    uint64_t rounds, word_rounds;
};

/* Routes at most one message for each pair, so long that it needs the given number of packets. */
static int route_packets(kp_proc *self, void *argument)
{
    struct comparison *c = argument;
    int me = kp_processor(self), count = 0;
    static char bytes[64 * 64];
    kp_parcel parcels[16];
    kp_arrivals arrivals;
    for (int j = 0; j < c->n; j++) {
        int32_t packets = c->packets[me * c->n + j];
        if (packets > 0)
            parcels[count++] =
                (kp_parcel){.to = j, .data = bytes, .bytes = (size_t)packets * 64 - 8};
    }
    int status = kp_route(kp_world(self), parcels, (size_t)count, &arrivals, &c->hints);
    if (me == 0) {
        c->rounds = arrivals.rounds;
        c->word_rounds = arrivals.word_rounds;
    }
    kp_route_free(&arrivals);
    return status;
}

static void test_rounds_are_those_counted(void **state)
{
    (void)state;
    for (int i = 0; i < scaled(2, 6, 12) * 2 * PROTOCOLS; i++) {
        struct comparison c = {.n = 5 + i % 12,
                               .hints = {.protocol = protocols[i / 2 % PROTOCOLS],
                                         .two_stage = i % 2,
                                         .packet_bytes = 64,
                                         .seed = (uint64_t)i}};
        uint64_t seed = 900 + (uint64_t)i;
        for (int k = 0; k < c.n * c.n; k++)
            c.packets[k] =
                k % (c.n + 1) == 0 ? 0 : random_below(&seed, 2 + random_below(&seed, 60));
        const struct kp_protocol *protocol = kp_protocol_row(0);
        for (int k = 0; strcmp(protocol->name, c.hints.protocol) != 0; k++)
            protocol = kp_protocol_row(k);
        struct kp_route_relation relation = {.n = c.n,
                                             .packets = c.packets,
                                             .protocol = protocol,
                                             .two_stage = c.hints.two_stage,
                                             .seed = c.hints.seed};
        struct kp_route_count count;
        kp_report report;
        assert_int_equal(kp_route_count(&relation, &count), KP_COUNT_DONE);
        int status = kp_run(&(kp_config){.processors = c.n}, route_packets, &c, &report);
        assert_good(status, &report);
        assert_int_equal(c.rounds, count.rounds);
        assert_int_equal(c.word_rounds, count.words);
        assert_true(count.rounds >= kp_route_bound(c.n, c.packets));
        assert_true(count.most_relays <= (uint64_t)(KP_ROUTE_PASSAGE * c.n));
    }
}

/* The worst case for memory: on their way all packets of every processor are stored at other
 * processors. */
static void test_packets_in_passage_are_bounded(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * PROTOCOLS; i++) {
        static int32_t packets[32 * 32];
        memset(packets, 0, sizeof packets);
        for (int k = 0; k < 32; k++)
            packets[k * 32 + (k + 1) % 32] = 5000;
        struct kp_route_relation relation = {
            .n = 32, .packets = packets, .protocol = kp_protocol_row(i / 2), .two_stage = i % 2};
        struct kp_route_count count;
        assert_int_equal(kp_route_count(&relation, &count), KP_COUNT_DONE);
        assert_in_range(count.most_relays, 0, KP_ROUTE_PASSAGE * 32);
        assert_in_range(count.rounds, kp_route_bound(32, packets), 5000);
    }
}

/* --- Equal seeds, equal rounds --- */

struct repetition {
    struct relation relation;
    uint64_t rounds;
};

static int run_repetition(kp_proc *self, void *argument)
{
    struct repetition *r = argument;
    uint64_t rounds = 0;
    int status = route_once(self, kp_world(self), &r->relation, &rounds);
    if (kp_processor(self) == 0)
        r->rounds = rounds;
    return status;
}

static void test_rounds_follow_from_the_seed(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        uint64_t rounds[2];
        for (int k = 0; k < 2; k++) {
            struct repetition r = {.relation = relation_of(5, 8, 400, 9)};
            kp_report report;
            kp_config config = {.processors = 8,
                                .ports = k == 1 ? 2 : 0,
                                .discipline = k == 1 ? KP_ROUNDS_BY_MAILBOXES : 0};
            r.relation.kind = ANY;
            r.relation.hints =
                (kp_route_hints){.protocol = "balanced", .packet_bytes = 16, .seed = (uint64_t)i};
            assert_good(kp_run(&config, run_repetition, &r, &report), &report);
            rounds[k] = r.rounds;
        }
        assert_int_equal(rounds[0], rounds[1]);
    }
}

static void test_seeds_differ(void **state)
{
    int32_t packets[16 * 16];
    uint64_t relayed[2][10], seed = 4;
    int differing = 0;
    (void)state;
    for (int i = 0; i < 16 * 16; i++)
        packets[i] = random_below(&seed, 40);
    for (int i = 0; i < 20; i++) {
        struct kp_route_relation relation = {
            .n = 16, .packets = packets, .protocol = kp_protocol_row(1), .seed = (uint64_t)i % 10};
        struct kp_route_count count;
        assert_int_equal(kp_route_count(&relation, &count), KP_COUNT_DONE);
        relayed[i / 10][i % 10] = count.relayed;
    }
    for (int i = 0; i < 10; i++) {
        assert_int_equal(relayed[0][i], relayed[1][i]);
        differing += relayed[0][i] != relayed[0][0];
    }
    assert_true(differing > 0);
}

/* --- Groups --- */

static int run_in_groups(kp_proc *self, void *argument)
{
    int even[] = {6, 2, 0, 4}, odd[] = {1, 7, 5};
    bool mine = kp_processor(self) % 2 == 0;
    struct relation r = *(const struct relation *)argument;
    kp_group *group;
    if (kp_processor(self) == 3)
        return 0;
    int status = kp_group_create(self, mine ? even : odd, mine ? 4 : 3, &group);
    r.n = mine ? 4 : 3;
    status = status ? status : route_once(self, group, &r, NULL);
    return status ? status : kp_group_free(group);
}

static void test_groups(void **state)
{
    (void)state;
    struct relation r = relation_of(77, 4, 50, 100);
    kp_report report;
    r.hints = (kp_route_hints){.packet_bytes = 40};
    assert_good(kp_run(&(kp_config){.processors = 8}, run_in_groups, &r, &report), &report);
}

/* --- The costs --- */

static int route_small(kp_proc *self, void *argument)
{
    uint64_t word = 5;
    kp_parcel parcel = {.to = (kp_processor(self) + 1) % 6, .data = &word, .bytes = sizeof word};
    kp_arrivals arrivals;
    (void)argument;
    int status = kp_route(kp_world(self), &parcel, 1, &arrivals, NULL);
    kp_route_free(&arrivals);
    return status;
}

/* Makes the calls of which kp_route consists: the announcement, two agreements, and the exchange of
 * one packet. The packet holds its head, the head of one run, and one word. */
static int call_by_hand(kp_proc *self, void *argument)
{
    static struct kp_announcement announcements[6][2][6];
    uint64_t words[3] = {0}, blocks[2][6 * 4];
    int me = kp_processor(self);
    kp_group *world = kp_world(self);
    (void)argument;
    memset(blocks, 0, sizeof blocks);
    int status = kp_index(world, announcements[me][0], announcements[me][1],
                          sizeof(struct kp_announcement), NULL);
    if (!status)
        status = kp_allreduce(world, KP_IN_PLACE, words, 3, KP_UINT64, KP_MAXIMUM, NULL);
    if (!status)
        status = kp_allreduce(world, KP_IN_PLACE, words, 1, KP_UINT64, KP_MAXIMUM, NULL);
    return status ? status : kp_index(world, blocks[0], blocks[1], 32, NULL);
}

static void test_costs_are_those_of_its_calls(void **state)
{
    (void)state;
    for (int k = 1; k <= 5; k += 2) {
        kp_config config = {.processors = 6, .ports = k};
        kp_report routed, called;
        assert_good(kp_run(&config, route_small, NULL, &routed), &routed);
        assert_good(kp_run(&config, call_by_hand, NULL, &called), &called);
        assert_true(routed.c1 > 0);
        assert_int_equal(routed.c1, called.c1);
        assert_int_equal(routed.c2, called.c2);
    }
}

/* --- Refusals --- */

struct refusal {
    kp_parcel parcel;
    size_t count;
    kp_route_hints hints;
    bool no_parcels;
    int status, peers; /* the statuses of the processor with the wrong call and of the others */
    const char *says;
};

#define WRONG_ONE 2

static int refused(kp_proc *self, void *argument)
{
    const struct refusal *refusal = argument;
    struct relation r = {.seed = 3, .n = 5, .kind = ANY, .most = 9, .most_bytes = 64};
    unsigned char *bytes;
    kp_parcel *parcels = make_parcels(&r, kp_processor(self), &bytes);
    int me = kp_processor(self), count = messages_of(&r, me);
    bool wrong = me == WRONG_ONE;
    kp_arrivals earlier, none;
    int status = kp_route(kp_world(self), parcels, (size_t)count, &earlier, NULL);
    if (status)
        return status;
    status = kp_route(kp_world(self),
                      !wrong                ? NULL
                      : refusal->no_parcels ? NULL
                                            : &refusal->parcel,
                      wrong ? refusal->count : 0, &none, wrong ? &refusal->hints : NULL);
    keep(self, status);
    NEED(self, status != 0 && none.count == 0 && !none.data);
    kp_route_free(&none);
    NEED(self, all_came(&r, me, &earlier));
    kp_route_free(&earlier);
    free(parcels);
    free(bytes);
    return route_once(self, kp_world(self), &r, NULL); /* the group still works */
}

static void test_refusals(void **state)
{
    static const char byte = 0;
    static const struct refusal rows[] = {
        {{5, &byte, 1}, 1, {0}, false, KP_EARGUMENT, KP_EPEER, "message 0 is for rank 5"},
        {{-1, &byte, 1}, 1, {0}, false, KP_EARGUMENT, KP_EPEER, "for rank -1"},
        {{1, &byte, SIZE_MAX}, 1, {0}, false, KP_EARGUMENT, KP_EPEER, "more than memory can hold"},
        {{1, NULL, 7}, 1, {0}, false, KP_EARGUMENT, KP_EPEER, "7 bytes, but its data is NULL"},
        {{0}, 4, {0}, true, KP_EARGUMENT, KP_EPEER, "parcels is NULL, but count is 4"},
        {{0}, 0, {.protocol = "full"}, false, KP_EARGUMENT, KP_EPEER, "protocol is none"},
        {{0}, 0, {.packet_bytes = SIZE_MAX}, false, KP_EARGUMENT, KP_EPEER, "packet_bytes is"},
        {{0}, 0, {.packet_bytes = 80}, false, KP_EMISMATCH, KP_EMISMATCH, "differently"},
        {{0}, 0, {.seed = 9}, false, KP_EMISMATCH, KP_EMISMATCH, "differently"},
        {{0}, 0, {.two_stage = 1}, false, KP_EMISMATCH, KP_EMISMATCH, "differently"},
        {{0}, 0, {.protocol = "fast"}, false, KP_EMISMATCH, KP_EMISMATCH, "differently"},
    };
    (void)state;
    for (size_t i = 0; i < 2 * sizeof rows / sizeof rows[0]; i++) {
        const struct refusal *row = &rows[i / 2];
        kp_report report;
        kp_config config = {.processors = 5,
                            .discipline = i % 2 ? KP_ROUNDS_BY_MAILBOXES : KP_ROUNDS_BY_BARRIER};
        assert_good(kp_run(&config, refused, (void *)row, &report), &report);
        for (int rank = 0; rank < 5; rank++) {
            const struct outcome *seen = &outcomes[rank];
            assert_int_equal(seen->status, rank == WRONG_ONE ? row->status : row->peers);
            if (!strstr(seen->error.sentence, row->says))
                fail_msg("\"%s\" says nothing of \"%s\"", seen->error.sentence, row->says);
            if (row->peers == KP_EPEER && rank != WRONG_ONE)
                assert_true(names(seen->error.sentence, WRONG_ONE));
        }
    }
}

/* --- Many calls --- */

struct series {
    int n, first, count;
};

static int run_series(kp_proc *self, void *argument)
{
    const struct series *s = argument;
    for (int i = s->first; i < s->first + s->count; i++) {
        uint64_t seed = 50000 + (uint64_t)i;
        struct relation r = relation_of(seed, s->n, 1 + random_below(&seed, 30), 0);
        r.most_bytes = random_below(&seed, 50) == 0  ? 1 << 20
                       : random_below(&seed, 4) == 0 ? 5000
                                                     : 100;
        if (r.most_bytes > 100 && r.hints.packet_bytes < 1000)
            r.hints.packet_bytes = 1000;
        int status = route_once(self, kp_world(self), &r, NULL);
        if (status)
            return status;
    }
    return 0;
}

static void test_ten_thousand(void **state)
{
    static const int sizes[] = {1, 2, 3, 4, 5, 6, 7, 8, 10, 16};
    (void)state;
    for (int i = 0; i < 10; i++) {
        struct series s = {.n = sizes[i], .first = 1000 * i, .count = scaled(4, 40, 1000)};
        kp_report report;
        kp_config config = {.processors = s.n,
                            .discipline = i % 3 ? KP_ROUNDS_BY_BARRIER : KP_ROUNDS_BY_MAILBOXES};
        assert_good(kp_run(&config, run_series, &s, &report), &report);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_random_relations),
        TEST(test_many_processors),
        TEST(test_long_messages),
        TEST(test_all_to_one),
        TEST(test_long_runs),
        TEST(test_nothing_at_all),
        TEST(test_rounds_are_those_counted),
        TEST(test_packets_in_passage_are_bounded),
        TEST(test_rounds_follow_from_the_seed),
        TEST(test_seeds_differ),
        TEST(test_groups),
        TEST(test_costs_are_those_of_its_calls),
        TEST(test_refusals),
        TEST(test_ten_thousand),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
