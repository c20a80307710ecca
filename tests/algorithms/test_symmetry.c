/* Tests symmetric schedules, of which the library stores only one processor's rounds. Every
 * symmetric algorithm is built a second time with the rounds of all n processors, from a copy of
 * its row that does not claim symmetry. Each processor's rounds must equal rank 0's, translated
 * place by place. */
#include "tests/common/schedule_common.h"

static int most_n = 10;

static int64_t units_of(const kp_piece *pieces, int count)
{
    int64_t units = 0;
    for (int i = 0; i < count; i++)
        units += pieces[i].count * pieces[i].run;
    return units;
}

/* Finds unit number `unit` of a list of pieces. Returns the place of this unit, and stores the
 * space in which it lies. */
static int64_t place_of(const kp_schedule *schedule, int rank, const kp_piece *pieces, int64_t unit,
                        kp_space *space)
{
    for (; unit >= pieces->count * pieces->run; pieces++)
        unit -= pieces->count * pieces->run;
    *space = pieces->space;
    return kp_schedule_place(schedule, rank, pieces->space,
                             pieces->first + unit / pieces->run * pieces->stride +
                                 unit % pieces->run);
}

static void same_places(const kp_schedule *a, const kp_piece *a_pieces, int a_count,
                        const kp_schedule *b, const kp_piece *b_pieces, int b_count, int rank)
{
    int64_t units = units_of(a_pieces, a_count);
    assert_int_equal(units, units_of(b_pieces, b_count));
    for (int64_t unit = 0; unit < units; unit++) {
        kp_space a_space, b_space;
        int64_t a_place = place_of(a, rank, a_pieces, unit, &a_space);
        int64_t b_place = place_of(b, rank, b_pieces, unit, &b_space);
        assert_int_equal(a_space, b_space);
        /* If the algorithm mirrors another one (mirror_of), each processor may choose where its
         * accumulators lie in scratch. */
        if (a_space != KP_SCRATCH || !kp_schedule_problem(a)->algorithm->mirror_of)
            assert_int_equal(a_place, b_place);
        assert_true(a_place >= 0 && a_place < kp_schedule_units(a, a_space));
    }
}

static void same_message(const kp_schedule *a, kp_message x, const kp_schedule *b, kp_message y,
                         int rank)
{
    assert_int_equal(x.port, y.port);
    assert_int_equal(x.peer, y.peer);
    assert_int_equal(x.units, y.units);
    assert_int_equal(x.row, y.row);
    same_places(a, x.pieces, x.piece_count, b, y.pieces, y.piece_count, rank);
}

static void same_rounds(const kp_schedule *a, const kp_schedule *b, int rank)
{
    for (int round = -1; round < kp_schedule_rounds(a); round++) {
        assert_int_equal(kp_schedule_moves(a, rank, round), kp_schedule_moves(b, rank, round));
        for (int i = 0; i < kp_schedule_moves(a, rank, round); i++) {
            kp_move x = kp_schedule_move(a, rank, round, i),
                    y = kp_schedule_move(b, rank, round, i);
            same_places(a, &x.from, 1, b, &y.from, 1, rank);
            same_places(a, &x.to, 1, b, &y.to, 1, rank);
        }
        if (round < 0)
            continue;
        assert_int_equal(kp_schedule_sends(a, rank, round), kp_schedule_sends(b, rank, round));
        assert_int_equal(kp_schedule_receives(a, rank, round),
                         kp_schedule_receives(b, rank, round));
        for (int i = 0; i < kp_schedule_sends(a, rank, round); i++)
            same_message(a, kp_schedule_send(a, rank, round, i), b,
                         kp_schedule_send(b, rank, round, i), rank);
        for (int i = 0; i < kp_schedule_receives(a, rank, round); i++)
            same_message(a, kp_schedule_receive(a, rank, round, i), b,
                         kp_schedule_receive(b, rank, round, i), rank);
    }
}

static long compared;

static void compare(const kp_problem *problem)
{
    if (problem->algorithm->symmetry == KP_NO_SYMMETRY)
        return;
    kp_algorithm row = *problem->algorithm;
    row.symmetry = KP_NO_SYMMETRY;
    kp_problem plain = *problem;
    plain.algorithm = &row;
    kp_schedule *once = build(problem), *all = build(&plain);
    assert_int_equal(kp_schedule_rounds(once), kp_schedule_rounds(all));
    for (int rank = 0; rank < problem->n; rank++)
        same_rounds(once, all, rank);
    kp_cost a = kp_schedule_cost(once, problem->b), b = kp_schedule_cost(all, problem->b);
    assert_int_equal(a.c1, b.c1);
    assert_int_equal(a.c2, b.c2);
    assert_int_equal(a.messages, b.messages);
    assert_int_equal(a.bytes, b.bytes);
    if (kp_schedule_check(all, NULL) != KP_OK)
        fail_msg("%s: %s", text_of(problem), kp_last_error()->sentence);
    kp_schedule_free(once);
    kp_schedule_free(all);
    compared++;
}

static void all_processors(void **state)
{
    (void)state;
    for (int n = 1; n <= most_n; n++) {
        for_all_problems(n, 1, compare);
        for_all_problems(n, 5, compare);
    }
    for_all_problems(16, 3, compare);
    for_all_problems(27, 3, compare);
    assert_true(compared > 1000);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_processors),
    };
    static const int most[] = {8, 14, 24};
    most_n = most[extent_of(count, arguments)];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
