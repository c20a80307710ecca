/* Tests random sequences of calls on random groups of random machines. Each call's result is
 * compared with a reference that is computed without the library. If a sequence fails, the test
 * makes it as short as possible and prints it, so that `kport soak --replay` can repeat it. To test
 * the test itself, a fault is planted in the results. The test must find the fault and reduce the
 * sequence to a shortest one. */
#include "tests/common/machine_common.h"

#include "tools/kport/common/random.h"
#include "tools/kport/soak/trial.h"

#define SHRINK_ATTEMPTS 2000

static const struct trial_scope plain = {.most_processors = 24,
                                         .most_steps = 60,
                                         .most_bytes = (size_t)100 << 10,
                                         .may_exit = !WATCHES_THREADS};
static const struct trial_scope faulty = {.most_processors = 16,
                                          .most_steps = 60,
                                          .most_bytes = 5000,
                                          .may_exit = !WATCHES_THREADS,
                                          .faults = 60,
                                          .endings = 600};

static bool still_fails(const struct trial *trial, void *context)
{
    struct trial_result result;
    (void)context;
    return !trial_run_alone(trial, &result);
}

static void draw(struct trial *trial, uint64_t seed, const struct trial_scope *scope)
{
    uint64_t random = random_mixed(seed);
    trial_draw_machine(trial, &random, scope);
    assert_true(trial_draw(trial, &random, scope));
}

/* Runs the trials of `count` seeds. Returns the number of calls that they made. */
static uint64_t run_trials(uint64_t seed, int count, const struct trial_scope *scope)
{
    uint64_t operations = 0;
    for (int i = 0; i < count; i++) {
        struct trial trial;
        struct trial_result result;
        draw(&trial, seed + (uint64_t)i, scope);
        if (!trial_run_alone(&trial, &result)) {
            trial_shrink(&trial, still_fails, NULL, SHRINK_ATTEMPTS);
            trial_print(&trial, stderr);
            fail_msg("seed %llu: %s", (unsigned long long)seed + (unsigned)i, result.shortfall);
        }
        operations += result.operations;
        trial_free(&trial);
    }
    return operations;
}

static void random_sequences(void **state)
{
    (void)state;
    assert_true(run_trials(1, scaled(40, 100, 1500), &plain) > 300);
}

static void random_sequences_with_faults(void **state)
{
    (void)state;
    assert_true(run_trials(100001, scaled(60, 150, 2000), &faulty) > 100);
}

/* --- Sequences that once revealed a fault of the library --- */

static const char *const found[] = {
    /* A call without rounds made no episode. So a member that was refused met the next call of the
     * others. */
    "machine n=2 k=1\n"
    "barrier\n"
    "one-to-one:n=2,k=1,b=0,root=1,to=1 who=1 fault=bad-root\n"
    "barrier\n"
    "barrier\n",
    /* A sender stored its message where the receiver was combining operands. */
    "machine n=3 k=2 eager_bytes=64\n"
    "scan-exclusive:n=3,k=2,count=18,type=float32,op=product\n",
    /* A member did not meet the fault of the fourth line, because the fault that ends the trial
     * reached this member first. The test wrongly counted this as a fault that was not reported. */
    "machine n=3 k=1 mailboxes=1\n"
    "group 2 0\n"
    "scan:n=3,k=1,count=1,type=uint64,op=product\n"
    "scatterv:n=2,k=1,b=0 group=1 fault=other-operation\n"
    "reduce:n=3,k=1,count=0,type=int32,op=logical-or who=1 fault=is-cancelled\n",
};

static void read_text(const char *text, struct trial *trial)
{
    FILE *in = fmemopen((char *)text, strlen(text), "r");
    assert_non_null(in);
    assert_true(trial_read(in, trial));
    fclose(in);
}

static void what_was_found_before(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        for (int again = 0; again < 10; again++) {
            struct trial trial;
            struct trial_result result;
            read_text(found[i], &trial);
            bool right = trial_run_alone(&trial, &result);
            trial_free(&trial);
            if (!right)
                fail_msg("%s%s", found[i], result.shortfall);
        }
    }
}

/* --- Planted faults, which the test must find --- */

/* Changes the last byte that rank 2 receives, in an indexv of at least four members with b >= 5. */
static bool corrupt(const struct trial *trial, int step, int rank, unsigned char *in, size_t bytes)
{
    const kp_problem *p = &trial->step[step].problem;
    if (p->operation != KP_INDEXV || p->n < 4 || rank != 2 || p->b < 5 || bytes == 0)
        return false;
    in[bytes - 1] ^= 0x40;
    return true;
}

static void a_wrong_byte_is_found_and_shrunk(void **state)
{
    (void)state;
    int failed = 0;
    trial_sabotage.corrupt = corrupt;
    for (uint64_t seed = 1; failed < scaled(2, 4, 10); seed++) {
        struct trial trial;
        struct trial_result result;
        draw(&trial, seed, &plain);
        if (!trial_run_alone(&trial, &result)) {
            failed++;
            assert_true(result.wrong_bytes > 0);
            assert_non_null(strstr(result.shortfall, "processor"));
            trial_shrink(&trial, still_fails, NULL, SHRINK_ATTEMPTS);
            assert_int_equal(trial.steps, 1);
            assert_int_equal(trial.machine.processors, 4);
            assert_int_equal(trial.machine.carrier, KP_CARRIER_THREADS);
            assert_int_equal(trial.step[0].problem.operation, KP_INDEXV);
            assert_null(trial.step[0].problem.algorithm);
            assert_int_equal(trial.step[0].repeats, 1);
            /* With b < 5 there is no fault. The shortest b may be more than 5 if the last block is
             * empty with b = 5. */
            assert_in_range(trial.step[0].problem.b, 5, 10);
        }
        trial_free(&trial);
    }
    trial_sabotage.corrupt = NULL;
}

/* Leaves out one member's call in the second step. */
static bool omit(const struct trial *trial, int step, int rank)
{
    return step == 1 && rank == 0 && trial_size(trial, trial->step[step].group) > 1;
}

static void a_call_left_out_is_found(void **state)
{
    (void)state;
    struct trial trial;
    struct trial_result result;
    read_text("machine n=3 k=1\n"
              "barrier\n"
              "index:n=3,k=1,b=4\n"
              "barrier\n"
              "concat:n=3,k=1,b=4\n",
              &trial);
    assert_true(trial_run_alone(&trial, &result));
    trial_sabotage.omit = omit;
    assert_false(trial_run_alone(&trial, &result));
    trial_shrink(&trial, still_fails, NULL, SHRINK_ATTEMPTS);
    trial_sabotage.omit = NULL;
    assert_in_range(trial.steps, 2, 3);
    trial_free(&trial);
}

/* --- Trials as text --- */

static void trials_are_read_as_they_were_written(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed < 40; seed++) {
        struct trial trial, again;
        char *text, *text_again;
        size_t size, size_again;
        draw(&trial, seed, seed % 2 ? &plain : &faulty);
        FILE *out = open_memstream(&text, &size);
        trial_print(&trial, out);
        fclose(out);
        read_text(text, &again);
        out = open_memstream(&text_again, &size_again);
        trial_print(&again, out);
        fclose(out);
        assert_string_equal(text, text_again);
        free(text);
        free(text_again);
        trial_free(&trial);
        trial_free(&again);
    }
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(what_was_found_before),        TEST(random_sequences),
        TEST(random_sequences_with_faults), TEST(a_wrong_byte_is_found_and_shrunk),
        TEST(a_call_left_out_is_found),     TEST(trials_are_read_as_they_were_written),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
