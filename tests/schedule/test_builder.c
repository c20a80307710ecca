/* Tests the builder of schedules. Pieces must have a normal form and be joined where possible. Each
 * message must get a place in the eager buffer, and equal messages must be packed once. Places may
 * wrap around or depend on the rank. */
#include "tests/common/schedule_common.h"

#include "lib/schedule/piece.h"
#include "lib/schedule/schedule_data.h"
#include "lib/schedule/symmetry.h"

/* --- Pieces --- */

static void same_piece(kp_piece a, kp_piece b)
{
    assert_int_equal(a.space, b.space);
    assert_int_equal(a.first, b.first);
    assert_int_equal(a.count, b.count);
    assert_int_equal(a.stride, b.stride);
    assert_int_equal(a.run, b.run);
}

static void normal_form(void **state)
{
    (void)state;
    static const struct {
        kp_piece piece;
        int64_t size;
        kp_piece normal;
    } rows[] = {
        {{KP_IN, -3, 1, 5, 2}, 10, {KP_IN, 7, 1, 0, 2}},
        {{KP_IN, 13, 4, -1, 1}, 10, {KP_IN, 3, 4, 9, 1}},
        {{KP_IN, 0, 10, 1, 1}, 10, {KP_IN, 0, 1, 0, 10}},
        {{KP_SCRATCH, 4, 3, 2, 2}, 0, {KP_SCRATCH, 4, 1, 0, 6}},
        {{KP_SCRATCH, 4, 3, -2, 2}, 0, {KP_SCRATCH, 4, 3, -2, 2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_piece piece = rows[i].piece;
        kp_piece_normalise(&piece, rows[i].size);
        same_piece(piece, rows[i].normal);
    }
}

/* Single units are added one after the other, and must become few pieces. */
static void merged(void **state)
{
    (void)state;
    static const struct {
        int64_t size;
        int64_t units[8];
        int count;
        kp_piece pieces[4];
        int pieces_count;
    } rows[] = {
        {0, {4, 5, 6, 7}, 4, {{KP_IN, 4, 1, 0, 4}}, 1},
        {0, {9, 8, 7, 6}, 4, {{KP_IN, 9, 4, -1, 1}}, 1},
        {10, {9, 8, 7, 6}, 4, {{KP_IN, 9, 4, 9, 1}}, 1},
        {10, {1, 0, 9, 8}, 4, {{KP_IN, 1, 4, 9, 1}}, 1},
        {10, {8, 9, 0, 1}, 4, {{KP_IN, 8, 1, 0, 4}}, 1},
        {0, {0, 3, 6, 9}, 4, {{KP_IN, 0, 4, 3, 1}}, 1},
        {0, {0, 3, 6, 8}, 4, {{KP_IN, 0, 3, 3, 1}, {KP_IN, 8, 1, 0, 1}}, 2},
        {0, {5, 9, 10, 11}, 4, {{KP_IN, 5, 2, 4, 1}, {KP_IN, 10, 1, 0, 2}}, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        kp_piece pieces[8];
        int used = 0;
        for (int j = 0; j < rows[i].count; j++) {
            kp_piece next = kp_run_of(KP_IN, rows[i].units[j], 1);
            kp_piece_normalise(&next, rows[i].size);
            if (used == 0 || !kp_piece_merge(&pieces[used - 1], &next, rows[i].size))
                pieces[used++] = next;
        }
        assert_int_equal(used, rows[i].pieces_count);
        for (int j = 0; j < used; j++)
            same_piece(pieces[j], rows[i].pieces[j]);
    }
}

/* Runs must be joined into one piece if they are at equal distances. Runs in other spaces, of other
 * lengths or at other distances must stay separate. */
static void merged_runs(void **state)
{
    (void)state;
    kp_piece last = {KP_IN, 0, 2, 8, 3}, next = {KP_IN, 16, 3, 8, 3};
    assert_true(kp_piece_merge(&last, &next, 0));
    same_piece(last, (kp_piece){KP_IN, 0, 5, 8, 3});
    last = kp_run_of(KP_IN, 0, 3);
    next = (kp_piece){KP_IN, 8, 2, 8, 3};
    assert_true(kp_piece_merge(&last, &next, 0));
    same_piece(last, (kp_piece){KP_IN, 0, 3, 8, 3});
    next = kp_run_of(KP_SCRATCH, 24, 3);
    assert_false(kp_piece_merge(&last, &next, 0));
    next = kp_run_of(KP_IN, 24, 2);
    assert_false(kp_piece_merge(&last, &next, 0));
    next = (kp_piece){KP_IN, 24, 2, 9, 3};
    assert_false(kp_piece_merge(&last, &next, 0));
    /* A joined piece must not be longer than the space. */
    last = kp_run_of(KP_IN, 0, 6);
    next = kp_run_of(KP_IN, 6, 5);
    assert_false(kp_piece_merge(&last, &next, 10));
}

/* --- Schedules with few pieces --- */

static size_t pieces_of_round(const struct kp_schedule *s, int round)
{
    const struct stored_round *r = kp_schedule_round(s, 0, round);
    size_t count = 0;
    for (uint32_t i = r[0].send; i < r[1].send; i++)
        count += s->sends[i].piece_count;
    return count;
}

static void few_pieces(void **state)
{
    (void)state;
    kp_problem p = parse("index:n=1024,k=1,b=8,alg=radix,r=2");
    struct kp_schedule *s = build(&p);
    size_t all = 0;
    for (int round = 0; round < s->rounds; round++)
        all += pieces_of_round(s, round);
    assert_int_equal(pieces_of_round(s, 0), 1);
    assert_in_range(all, 1, 1024); /* few pieces for 5120 blocks */
    assert_in_range(s->bytes, 1, 256 * 1024);
    kp_schedule_free(s);
    p = parse("index:n=1024,k=1023,b=8,alg=radix,r=1024");
    s = build(&p);
    assert_int_equal(s->units[KP_SCRATCH], 0);
    const struct stored_round *r = kp_schedule_round(s, 0, 0);
    assert_int_equal(r[1].pack - r[0].pack, 1);
    kp_schedule_free(s);
}

/* --- The places of messages in the eager buffer (kp_message's `row`) --- */

static int64_t place_of(const struct kp_schedule *s, int rank, int round, int i)
{
    return kp_schedule_send(s, rank, round, i).row;
}

static void places_in_buffers(void **state)
{
    (void)state;
    /* The same block is sent on every port, so it must be packed once. */
    kp_problem p = parse("concat:n=27,k=2,b=8,alg=circulant,prefer=c1");
    struct kp_schedule *s = build(&p);
    for (int round = 0; round < s->rounds; round++) {
        const struct stored_round *r = kp_schedule_round(s, 0, round);
        for (int i = 0; i < kp_schedule_sends(s, 5, round); i++)
            assert_int_equal(place_of(s, 5, round, i), 0);
        if (round < s->rounds - 1)
            assert_int_equal(r[1].pack - r[0].pack, 1);
    }
    assert_int_equal(s->buffer_units[0], 1);
    assert_int_equal(s->buffer_units[1], 3);
    kp_schedule_free(s);
    /* Different messages must lie one after the other. */
    p = parse("index:n=9,k=4,b=8,alg=radix,r=5");
    s = build(&p);
    assert_int_equal(kp_schedule_sends(s, 3, 0), 4);
    static const int64_t places[] = {0, 2, 4, 6, 7};
    for (int i = 0; i < 4; i++)
        assert_int_equal(place_of(s, 3, 0, i), places[i]);
    assert_int_equal(s->buffer_units[0], 7);
    assert_int_equal(kp_schedule_receive(s, 3, 0, 3).row, 6);
    kp_schedule_free(s);
    /* If the processors pack different numbers of units, buffer_units must be the greatest
     * number. */
    p = parse("concat:n=7,k=1,b=8,alg=gather-broadcast");
    s = build(&p);
    static const int64_t longest[] = {1, 2, 3, 7, 7, 7};
    for (int round = 0; round < s->rounds; round++)
        assert_int_equal(s->buffer_units[round], longest[round]);
    kp_schedule_free(s);
}

/* A round whose ports are in mixed order, and in which two pairs of messages are equal. */
static int build_pairs(kp_builder *b, const kp_problem *p)
{
    static const int order[] = {3, 1, 0, 2};
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    kp_build_round(b);
    for (int i = 0; i < 4; i++) {
        int port = order[i];
        kp_build_send(b, port, (p->rank + port + 1) % 5);
        kp_build_piece(b, kp_run_of(KP_OUT, p->rank + port % 2, 1));
        kp_build_piece(b, kp_run_of(KP_OUT, p->rank + 3, 0));
        kp_build_receive(b, port, (p->rank + 5 - port - 1) % 5);
        kp_build_piece(b, kp_run_of(KP_IN, p->rank - port - 1, 1));
    }
    return KP_OK;
}

static void no_cost(const kp_problem *p, uint64_t *c1, uint64_t *c2)
{
    (void)p;
    *c1 = *c2 = 0;
}

static void port_order(void **state)
{
    (void)state;
    const kp_algorithm pairs = {.operation = KP_INDEX,
                                .name = "pairs",
                                .symmetry = KP_CYCLIC,
                                .build = build_pairs,
                                .stated_cost = no_cost};
    kp_problem p = {.operation = KP_INDEX, .n = 5, .k = 4, .b = 1, .algorithm = &pairs};
    struct kp_schedule *s = build(&p);
    for (int i = 0; i < 4; i++) {
        kp_message out = kp_schedule_send(s, 2, 0, i), in = kp_schedule_receive(s, 2, 0, i);
        assert_int_equal(out.port, i);
        assert_int_equal(in.port, i);
        assert_int_equal(out.peer, (2 + i + 1) % 5);
        assert_int_equal(out.row, i % 2);
        assert_int_equal(in.row, i % 2);
        assert_int_equal(out.piece_count, 1);
    }
    assert_int_equal(s->buffer_units[0], 2);
    const struct stored_round *r = kp_schedule_round(s, 0, 0);
    assert_int_equal(r[1].pack - r[0].pack, 1); /* two adjacent blocks in one piece */
    same_piece(s->packs[r[0].pack].piece, kp_run_of(KP_OUT, 0, 2));
    kp_schedule_free(s);
}

/* The message that is written last combines fewer units than the one on the highest port. */
static int build_falling(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, 3);
    kp_build_round(b);
    if (p->rank > 0) {
        kp_build_send(b, 0, 0);
        kp_build_piece(b, kp_run_of(KP_OUT, 0, p->rank));
        return KP_OK;
    }
    for (int port = 1; port >= 0; port--) {
        kp_build_combine(b, port, port + 1, KP_LEFT);
        kp_build_piece(b, kp_run_of(KP_SCRATCH, port, port + 1));
        kp_build_operand(b, kp_run_of(KP_OUT, port, port + 1));
    }
    return KP_OK;
}

static void operands_belong_to_the_message_written_last(void **state)
{
    (void)state;
    const kp_algorithm falling = {
        .operation = KP_REDUCE_SCATTER, .name = "falling", .build = build_falling};
    kp_problem p = {.operation = KP_REDUCE_SCATTER, .n = 3, .k = 2, .b = 1, .algorithm = &falling};
    struct kp_schedule *s = build(&p);
    for (int port = 0; port < 2; port++) {
        kp_message m = kp_schedule_receive(s, 0, 0, port);
        assert_int_equal(m.port, port);
        assert_int_equal(m.operand_count, 1);
        same_piece(m.operand[0], kp_run_of(KP_OUT, port, port + 1));
    }
    kp_schedule_free(s);
}

/* --- Places in spaces --- */

static void places(void **state)
{
    (void)state;
    kp_problem p = parse("concat:n=9,k=3,b=8,alg=circulant,prefer=c1");
    kp_schedule *s = build(&p);
    assert_int_equal(kp_schedule_units(s, KP_IN), 72);
    assert_int_equal(kp_schedule_units(s, KP_OUT), 8);
    assert_int_equal(kp_schedule_place(s, 0, KP_IN, 71), 71);
    assert_int_equal(kp_schedule_place(s, 2, KP_IN, 70), 14);
    assert_int_equal(kp_schedule_place(s, 2, KP_IN, -3), 13);
    assert_int_equal(kp_schedule_place(s, 2, KP_OUT, 7), 7);
    assert_int_equal(kp_schedule_place(s, 2, KP_OUT, 8), -1);
    assert_int_equal(kp_schedule_place(s, 2, KP_OUT, -1), -1);
    assert_int_equal(kp_schedule_place(s, 2, KP_SCRATCH, 0), -1);
    kp_schedule_free(s);
    p = parse("concat:n=9,k=2,b=8,alg=recursive-doubling");
    s = build(&p);
    assert_int_equal(kp_schedule_place(s, 5, KP_IN, 5), 7);  /* 12 + 12 = 21 digit by digit */
    assert_int_equal(kp_schedule_place(s, 8, KP_IN, 1), 6);  /* 22 + 01 = 20 */
    assert_int_equal(kp_schedule_place(s, 8, KP_IN, 10), 6); /* 10 is 1 mod 9 */
    kp_schedule_free(s);
}

static void digit_sums(void **state)
{
    (void)state;
    for (int64_t a = 0; a < 64; a++) {
        for (int64_t b = 0; b < 64; b++) {
            assert_int_equal(kp_digit_sum(a, b, 2), a ^ b);
            assert_int_equal(kp_digit_sum(a, b, 64), (a + b) % 64);
            assert_int_equal(kp_digit_sum(kp_digit_sum(a, b, 4), kp_digit_negative(b, 4), 4), a);
        }
    }
    assert_int_equal(kp_digit_sum(0, 0, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normal_form),
        cmocka_unit_test(merged),
        cmocka_unit_test(merged_runs),
        cmocka_unit_test(few_pieces),
        cmocka_unit_test(places_in_buffers),
        cmocka_unit_test(port_order),
        cmocka_unit_test(operands_belong_to_the_message_written_last),
        cmocka_unit_test(places),
        cmocka_unit_test(digit_sums),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
