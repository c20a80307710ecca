/* Tests faulty schedules. Some come from small algorithms that are wrong in one way each. Others
 * are correct schedules in which the test changes one number after the build. The build or the
 * checker must refuse each with a sentence that says what is wrong and where. */
#include "tests/common/schedule_common.h"

#include "lib/schedule/schedule_data.h"

/* Returns the error of a problem that the build or the checker must refuse. */
static const kp_error_record *refusal(const kp_problem *problem)
{
    kp_schedule *schedule = NULL;
    static kp_error_record error;
    if (kp_schedule_build(problem, &schedule) != KP_OK) {
        assert_null(schedule);
        error = *kp_last_error();
        return &error;
    }
    if (kp_schedule_check(schedule, &error) == KP_OK)
        fail_msg("%s: the planted fault was not found", text_of(problem));
    kp_schedule_free(schedule);
    return &error;
}

/* --- Small wrong algorithms: a concatenation in which every processor sends to all others in one
 * round --- */

/* The name of the fault. Either every processor makes it or only one. */
static const char *fault;

static int wrong(const char *name)
{
    return strcmp(fault, name) == 0;
}

static void send_to_all(kp_builder *b, const kp_problem *p)
{
    for (int i = 1; i < p->n; i++) {
        int port = wrong("port used twice") && i == 2 ? 0 : i - 1;
        int to = (p->rank + i) % p->n;
        if (wrong("wrong peer") && p->rank == 1 && i == 2)
            to = p->rank;
        if (wrong("nobody there") && p->rank == 1 && i == 2)
            to = p->n;
        if (wrong("two to one") && i == 2)
            to = (p->rank + 1) % p->n;
        if (wrong("missing send") && p->rank == 1 && i == 2)
            continue;
        kp_build_send(b, port, to);
        if (!wrong("no piece"))
            kp_build_piece(b, kp_run_of(KP_IN, p->rank, wrong("wrong length") && i == 2 ? 2 : 1));
    }
}

static void receive_from_all(kp_builder *b, const kp_problem *p)
{
    for (int i = 1; i < p->n; i++) {
        int from = (p->rank + p->n - i) % p->n, place = from;
        if (wrong("missing receive") && p->rank == 1 && i == 2)
            continue;
        if (wrong("missing last receive") && p->rank == 2 && from == 3)
            continue;
        if (wrong("read while written") && i == 2)
            place = p->rank;
        if (wrong("written twice") && i == 2)
            place = (p->rank + p->n - 1) % p->n;
        if (wrong("wrong place") && p->rank == 1 && i <= 2)
            place = (p->rank + p->n - (3 - i)) % p->n;
        if (wrong("two to one") && i == 2)
            from = (p->rank + p->n - 1) % p->n;
        kp_build_receive(b, i - 1, from);
        kp_build_piece(b, wrong("written to out") && i == 2 ? kp_run_of(KP_OUT, 0, 1)
                                                            : kp_run_of(KP_IN, place, 1));
    }
}

static int build_wrong(kp_builder *b, const kp_problem *p)
{
    kp_piece own = kp_run_of(KP_OUT, 0, 1), place = kp_run_of(KP_IN, p->rank, 1);
    if (wrong("before the first round"))
        kp_build_send(b, 0, 1);
    if (wrong("piece outside"))
        kp_build_move(b, kp_run_of(KP_OUT, 1, 1), place);
    if (wrong("piece before"))
        kp_build_move(b, kp_run_of(KP_OUT, -1, 1), place);
    if (wrong("scratch not asked for"))
        kp_build_move(b, own, kp_run_of(KP_SCRATCH, 3, 1));
    if (wrong("move of another length"))
        kp_build_move(b, own, kp_run_of(KP_IN, 0, 2));
    if (wrong("piece in no message"))
        kp_build_piece(b, own);
    if (wrong("gives up"))
        return KP_EMEMORY;
    if (wrong("returns no status"))
        return 1;
    if (!wrong("read before it arrived") && !wrong("block missing"))
        kp_build_move(b, own, place);
    kp_build_round(b);
    if (wrong("message to oneself"))
        kp_build_send(b, 0, p->rank);
    if (!wrong("block missing"))
        send_to_all(b, p);
    if (!wrong("block missing"))
        receive_from_all(b, p);
    if (wrong("move over what is sent"))
        kp_build_move(b, own, place);
    if (wrong("move of nothing")) {
        kp_build_scratch(b, 1);
        kp_build_move(b, kp_run_of(KP_SCRATCH, 0, 1), kp_run_of(KP_IN, p->rank + 1, 1));
    }
    if (wrong("move onto itself"))
        kp_build_move(b, kp_run_of(KP_IN, p->rank + 1, 2), kp_run_of(KP_IN, p->rank + 2, 2));
    return KP_OK;
}

static void wrong_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    *c1 = 1;
    *c2 = p->b;
}

static const kp_algorithm wrong_algorithm = {
    .operation = KP_CONCAT,
    .name = "wrong",
    .summary = "wrong in one way",
    .source = "this test",
    .symmetry = KP_NO_SYMMETRY,
    .build = build_wrong,
    .stated_cost = wrong_cost,
};

struct planted {
    const char *fault;
    int k;
    const char *sentence; /* a part of the expected sentence */
    int round, processor, port, peer;
};

static const struct planted planted[] = {
    {"wrong peer", 3, "round 0: processor 1 sends to itself", 0, 1, 1, 1},
    {"nobody there", 3, "round 0: processor 1 sends to processor 4; with n=4 it may be 0 ... 3", 0,
     1, 1, 4},
    {"message to oneself", 3, "round 0: processor 0 sends to itself", 0, 0, 0, 0},
    {"missing send", 3,
     "round 0: processor 3 expects a message from 1 on port 1, which sends it none", 0, 3, 1, 1},
    {"missing receive", 3,
     "round 0: processor 3 sends to 1 on port 1, but 1 expects nothing from it", 0, 3, 1, 1},
    {"missing last receive", 3,
     "round 0: processor 3 sends to 2 on port 2, but 2 expects nothing from it", 0, 3, 2, 2},
    {"two to one", 3, "round 0: processor 0 sends two messages to 1", 0, 0, 1, 1},
    {"wrong length", 3, "round 0: processor 0 sends 2 blocks to 2 on port 1, which expects 1", 0, 0,
     1, 2},
    {"no piece", 3,
     "round 0: the message of processor 0 to 1 on port 0 carries no block; every kp_build_send and "
     "kp_build_receive needs a kp_build_piece after it",
     0, 0, 0, 1},
    {"a message too many", 2, "round 0: processor 0 sends 3 messages, but has only 2 ports", 0, 0,
     -1, -1},
    {"port used twice", 3,
     "round 0: processor 0 sends to 2 on port 0, which is in use in this round already", 0, 0, 0,
     2},
    {"read while written", 3,
     "round 0: processor 0 receives from 2 on port 1 into place 0 of in, which is sent, so read, "
     "in the "
     "same round",
     0, 0, 1, 2},
    {"written twice", 3,
     "round 0: processor 0 receives from 2 on port 1 into place 3 of in, which is written twice", 0,
     0, 1, 2},
    {"written to out", 3, "receives from 2 on port 1 into place 0 of out, which may not be written",
     0, 0, 1, 2},
    {"read before it arrived", 3,
     "round 0: processor 0 sends to 1 on port 0 from place 0 of in, before anything has arrived "
     "there",
     0, 0, 0, 1},
    {"wrong place", 3,
     "at the end processor 1 holds the block of processor 3 in place 0 of in, where the block of "
     "processor 0 belongs",
     -1, 1, -1, 0},
    {"block missing", 3,
     "at the end processor 0 holds nothing in place 0 of in, where the block of processor 0 "
     "belongs",
     -1, 0, -1, 0},
    {"move over what is sent", 3, "of out to place 0 of in, which is sent in the same round", 0, 0,
     -1, -1},
    {"move of nothing", 3,
     "round 0: processor 0 moves place 0 of scratch, before anything has arrived there", 0, 0, -1,
     -1},
    {"move onto itself", 3, "place 2 of in, which the move itself reads", 0, 0, -1, -1},
    {"before the first round", 3,
     "before the first round: processor 0 sends, but kp_build_round has not begun a round", -1, 0,
     -1, -1},
    {"piece outside", 3,
     "before the first round: processor 0 uses place 1 of out, which has only place 0", -1, 0, -1,
     -1},
    {"piece before", 3,
     "before the first round: processor 0 uses place -1 of out, which has only place 0", -1, 0, -1,
     -1},
    {"scratch not asked for", 3,
     "place 3 of scratch is used, but kp_build_scratch has asked for 0 blocks", -1, -1, -1, -1},
    {"move of another length", 3, "processor 0 moves to a place of another length", -1, 0, -1, -1},
    {"piece in no message", 3, "processor 0 has a kp_build_piece without a kp_build_send", -1, 0,
     -1, -1},
};

static void wrong_algorithms(void **state)
{
    (void)state;
    kp_problem p = {.operation = KP_CONCAT, .n = 4, .b = 8, .algorithm = &wrong_algorithm};
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        const struct planted *row = &planted[i];
        fault = row->fault;
        p.k = row->k;
        const kp_error_record *error = refusal(&p);
        if (!strstr(error->sentence, row->sentence))
            fail_msg("%s: the sentence is '%s', not '%s'", fault, error->sentence, row->sentence);
        assert_int_equal(error->status, KP_ESCHEDULE);
        if (error->round != row->round || error->processor != row->processor ||
            error->port != row->port || error->peer != row->peer)
            fail_msg("%s: names round %d, processor %d, port %d, peer %d", fault, error->round,
                     error->processor, error->port, error->peer);
    }
}

/* A star, wrong at rank 1. Its build counts ranks from the root; a sentence names the processor. */
static int build_wrong_star(kp_builder *b, const kp_problem *p)
{
    kp_build_round(b);
    if (p->rank == 1) {
        kp_build_receive(b, 0, wrong("nobody there") ? p->n : 0);
        kp_build_piece(b, kp_run_of(KP_IN, wrong("piece outside") ? 1 : 0, 1));
    }
    return KP_OK;
}

static void counted_from_the_root(void **state)
{
    (void)state;
    const kp_algorithm star = {.name = "star",
                               .summary = "a star",
                               .source = "this test",
                               .operation = KP_BROADCAST,
                               .build = build_wrong_star};
    kp_problem p = {
        .operation = KP_BROADCAST, .n = 7, .k = 1, .b = 8, .root = 3, .algorithm = &star};
    fault = "piece outside";
    const kp_error_record *error = refusal(&p);
    assert_string_equal(error->sentence, "round 0: processor 4 (rank 1, as counted from the root) "
                                         "uses place 1 of in, which has only place 0");
    assert_int_equal(error->processor, 4);
    fault = "nobody there";
    error = refusal(&p);
    assert_string_equal(error->sentence, "round 0: processor 4 (rank 1, as counted from the root) "
                                         "receives from rank 7; with n=7 it may be 0 ... 6");
    assert_int_equal(error->peer, 7);
    p.root = 6;
    error = refusal(&p);
    assert_int_equal(error->processor, 0);
}

/* Without a fault the algorithm must be accepted. If its function fails, the error must say so. */
static void right_algorithm(void **state)
{
    (void)state;
    kp_problem p = {.operation = KP_CONCAT, .n = 4, .k = 3, .b = 8, .algorithm = &wrong_algorithm};
    fault = "none";
    kp_schedule *schedule = build(&p);
    assert_int_equal(kp_schedule_check(schedule, NULL), KP_OK);
    kp_schedule_free(schedule);
    fault = "gives up";
    assert_int_equal(kp_schedule_build(&p, &schedule), KP_EMEMORY);
    assert_non_null(strstr(kp_last_error()->sentence, "algorithm wrong could not write the part"));
    assert_null(schedule);
    fault = "returns no status";
    assert_int_equal(kp_schedule_build(&p, &schedule), KP_ESCHEDULE);
    assert_non_null(strstr(kp_last_error()->sentence, "returned 1 for processor 0, which is no"));
    assert_null(schedule);
}

/* In place each member's own block lies in the incoming buffer already. If blocks have lengths of
 * their own, the schedule must move this block nevertheless, because the move tells in which place
 * the block belongs. */
static void own_block_in_place(void **state)
{
    (void)state;
    kp_algorithm with_lengths = wrong_algorithm;
    kp_problem p = {.operation = KP_CONCAT,
                    .n = 4,
                    .k = 3,
                    .b = 8,
                    .in_place = 1,
                    .algorithm = &wrong_algorithm};
    fault = "read before it arrived";
    kp_schedule *schedule = build(&p);
    assert_int_equal(kp_schedule_check(schedule, NULL), KP_OK);
    kp_schedule_free(schedule);
    with_lengths.operation = p.operation = KP_CONCATV;
    p.algorithm = &with_lengths;
    assert_non_null(strstr(refusal(&p)->sentence, "before anything has arrived there"));
    fault = "none";
    schedule = build(&p);
    assert_int_equal(kp_schedule_check(schedule, NULL), KP_OK);
    kp_schedule_free(schedule);
}

/* A schedule in which a receiver gets only a part of a block must be refused. */
static void half_a_block(void **state)
{
    (void)state;
    kp_problem p = {.operation = KP_CONCAT, .n = 2, .k = 1, .b = 8, .algorithm = &halves};
    kp_schedule *schedule = build(&p);
    assert_int_equal(kp_schedule_check(schedule, NULL), KP_OK);
    kp_schedule_free(schedule);
    halves_stop_early = 1;
    assert_non_null(strstr(refusal(&p)->sentence,
                           "at the end processor 0 holds nothing in place 1 of in, where the block "
                           "of processor 1 belongs"));
    halves_stop_early = 0;
}

/* --- Schedules that no build would make: correct schedules with one changed number --- */

static void refused_after_change(kp_schedule *schedule, const char *sentence)
{
    kp_error_record error;
    if (kp_schedule_check(schedule, &error) == KP_OK)
        fail_msg("the change was not found: %s", sentence);
    if (!strstr(error.sentence, sentence))
        fail_msg("the sentence is '%s', not '%s'", error.sentence, sentence);
    assert_string_equal(error.sentence, kp_last_error()->sentence);
}

/* Changes one field, asserts that the checker refuses the schedule, restores the field, and asserts
 * that the schedule is correct again. */
#define CHANGED(schedule, field, value, sentence)                                                  \
    do {                                                                                           \
        __typeof__(field) kept = field;                                                            \
        field = (value);                                                                           \
        refused_after_change(schedule, sentence);                                                  \
        field = kept;                                                                              \
        assert_int_equal(kp_schedule_check(schedule, NULL), KP_OK);                                \
    } while (0)

static void changed_schedules(void **state)
{
    (void)state;
    kp_problem p = parse("index:n=5,k=2,b=8,alg=radix,r=3");
    struct kp_schedule *s = build(&p);
    CHANGED(s, s->sends[0].peer, 3, "on port");
    CHANGED(s, s->sends[0].peer, 0, "which is itself");
    CHANGED(s, s->sends[0].port, 2, "on port 2, which is no port of it");
    CHANGED(s, s->sends[1].port, 0, "on port 0, which is in use in this round already");
    CHANGED(s, s->sends[1].peer, 1, "the second message between the two");
    CHANGED(s, s->receives[0].peer, 3, "on port");
    CHANGED(s, s->receives[1].port, 0, "on port 0, which is in use in this round already");
    CHANGED(s, s->sends[0].units, 0, "a message without blocks");
    CHANGED(s, s->receives[0].units, 7, "7 blocks, but 2 are sent");
    CHANGED(s, s->receives[0].buffer_place, 1, "that lies elsewhere in its sender's row");
    CHANGED(s, s->sends[1].buffer_place, 1, "overlaps another in its row");
    CHANGED(s, s->sends[1].buffer_place, 0, "overlaps another in its row");
    CHANGED(s, s->pieces[s->sends[0].first_piece].first, 3, "at the end");
    CHANGED(s, s->pieces[s->sends[0].first_piece].space, KP_IN, "before anything has arrived");
    CHANGED(s, s->moves[0].from.first, 1,
            "at the end processor 0 holds the block of processor 0 for processor 1");
    CHANGED(s, s->moves[0].to.space, KP_OUT, "which may not be written");
    CHANGED(s, s->moves[0].to.space, KP_SCRATCH, "at the end processor 0 holds nothing in place 0");
    CHANGED(s, s->round_index[s->rounds + 1].receive, s->round_index[s->rounds].receive,
            "a message that is not expected there");
    CHANGED(s, s->problem.k, 1, "sends 2 messages, but has only 1 port");
    kp_schedule_free(s);
}

/* Does the same as changed_schedules with a schedule that splits blocks, so its places are counted
 * in bytes. */
static void changed_split_schedules(void **state)
{
    (void)state;
    kp_problem p = parse("concat:n=9,k=3,b=8,alg=circulant,prefer=c1");
    struct kp_schedule *s = build(&p);
    assert_int_equal(kp_schedule_unit_of_block(s), 8);
    const struct stored_round *last = kp_schedule_round(s, 0, s->rounds - 1);
    kp_piece *piece = &s->pieces[s->sends[last->send].first_piece];
    CHANGED(s, piece->first, piece->first + 1, "in");
    CHANGED(s, s->sends[last->send].peer, s->sends[last->send + 1].peer, "second message");
    CHANGED(s, s->receives[last->receive].peer, 9, "port");
    CHANGED(s, s->moves[0].from.first, 1, "outside its space");
    kp_schedule_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_algorithm),       cmocka_unit_test(wrong_algorithms),
        cmocka_unit_test(own_block_in_place),    cmocka_unit_test(half_a_block),
        cmocka_unit_test(changed_schedules),     cmocka_unit_test(changed_split_schedules),
        cmocka_unit_test(counted_from_the_root),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
