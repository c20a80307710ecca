/* Tests the accounts of schedules in which numbers are changed at random. */
#include "tests/common/schedule_common.h"

#include "lib/check/account.h"
#include "lib/draw/draw.h"
#include "lib/schedule/schedule_data.h"

static void change(struct kp_schedule *s, uint64_t *seed)
{
    int n = s->problem.n;
    const struct stored_round *end = kp_schedule_round(s, s->stored - 1, s->rounds);
    struct stored_message *send = &s->sends[draw_between(seed, 0, (int)end->send - 1)];
    struct stored_message *receive = &s->receives[draw_between(seed, 0, (int)end->receive - 1)];
    kp_piece *piece = &s->pieces[(draw_number(seed) % 2 ? send : receive)->first_piece];
    switch (draw_between(seed, 0, 6)) {
    case 0:
        send->peer = draw_between(seed, 0, n - 1);
        break;
    case 1:
        receive->peer = draw_between(seed, 0, n - 1);
        break;
    case 2:
        send->port = draw_between(seed, 0, 3);
        break;
    case 3:
        piece->first += draw_between(seed, -1, 1);
        break;
    case 4:
        piece->space = (kp_space)draw_between(seed, 0, 2);
        break;
    case 5:
        receive->combining = (unsigned)draw_between(seed, 0, 2);
        break;
    default:
        receive->units += draw_between(seed, -1, 1);
    }
}

/* Whatever is wrong with a schedule, the account must agree with the checker. */
static void changed(void **state)
{
    (void)state;
    static const char *const problems[] = {
        "index:n=6,k=2,b=8,alg=radix,r=3",
        "concat:n=7,k=3,b=8,alg=circulant,prefer=c1",
        "concat:n=5,k=1,b=8,alg=gather-broadcast",
        "broadcast:n=6,k=1,b=8,alg=scatter-concat",
        "allreduce:n=6,k=2,count=5,alg=reduce-scatter-concat",
        "allreduce:n=5,k=1,count=2,alg=recursive-doubling,op=compose",
        "reduce-scatter:n=5,k=1,count=2,alg=ring",
        "scan:n=5,k=1,count=2",
    };
    uint64_t seed = 1;
    int wrong_ones = 0;
    FILE *sink = fopen("/dev/null", "w");
    assert_non_null(sink);
    for (int i = 0; i < 800; i++) {
        struct kp_mark mark;
        kp_problem p = parse(problems[i % 8]);
        struct kp_schedule *s = build(&p);
        s->unpaired = true;
        change(s, &seed);
        int status = kp_schedule_check(s, NULL);
        assert_int_equal(kp_account_write(s, false, sink, &mark), status);
        if (status)
            assert_int_equal(kp_draw_svg_marked(s, KP_DRAW_NO_TREE, &mark, sink), KP_OK);
        wrong_ones += status != KP_OK;
        kp_schedule_free(s);
    }
    fclose(sink);
    assert_true(wrong_ones > 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(changed)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
