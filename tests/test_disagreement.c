/* Members that disagree, and arguments that cannot be: an error on every member, which names both
 * sides or the value; nothing moved; the group works on. */
#include "kport.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

struct quarrel {
    int n;
    int (*odd)(kp_group *world, char *out, char *in); /* what the last processor does first */
    int status_of_odd, status_of_others;
    const char *named; /* both sides' sentences hold it */
    kp_error_record errors[8];
    int statuses[8];
};

static int quarrel_program(kp_proc *self, void *argument)
{
    struct quarrel *quarrel = argument;
    kp_group *world = kp_world(self);
    int me = kp_rank(world), n = quarrel->n;
    char out[8 * 16], in[8 * 16 + 8];
    memset(in, 0x5A, sizeof in);
    memset(out, me, sizeof out);
    quarrel->statuses[me] =
        me == n - 1 ? quarrel->odd(world, out, in) : kp_index(world, out, in, 8, NULL);
    quarrel->errors[me] = *kp_error(self);
    for (size_t i = 0; i < sizeof in; i++) {
        /* The own block may have been copied already; nothing of another's. */
        if (in[i] != 0x5A && in[i] != me)
            return kp_fail(self, "data moved although the members disagreed");
    }
    int status = kp_index(world, out, in, 8, NULL); /* the group works on */
    if (status)
        return status;
    for (int i = 0; i < n; i++) {
        if (in[i * 8] != i)
            return kp_fail(self, "wrong bytes after a disagreement");
    }
    return 0;
}

static int other_b(kp_group *world, char *out, char *in)
{
    return kp_index(world, out, in, 16, NULL);
}

static int other_operation(kp_group *world, char *out, char *in)
{
    return kp_concat(world, out, in, 8, NULL);
}

static int other_algorithm(kp_group *world, char *out, char *in)
{
    kp_how how;
    int status = kp_how_parse(KP_INDEX, "literal,r=2", &how);
    return status ? status : kp_index(world, out, in, 8, &how);
}

static int an_exchange(kp_group *world, char *out, char *in)
{
    (void)out;
    (void)in;
    return kp_exchange(world, NULL, 0, NULL, 0);
}

static int null_buffer(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_index(world, NULL, in, 8, NULL);
}

static int overlapping(kp_group *world, char *out, char *in)
{
    (void)out;
    return kp_index(world, in + 8, in, 8, NULL);
}

static int overflowing(kp_group *world, char *out, char *in)
{
    return kp_index(world, out, in, SIZE_MAX / 2, NULL);
}

static int foreign_algorithm(kp_group *world, char *out, char *in)
{
    kp_how how = {.algorithm = kp_algorithm_find(KP_CONCAT, "ring")};
    return kp_index(world, out, in, 8, &how);
}

static int bad_radix(kp_group *world, char *out, char *in)
{
    kp_how how = {.algorithm = kp_algorithm_find(KP_INDEX, "radix"), .values = {100}};
    return kp_index(world, out, in, 8, &how);
}

static void members_that_disagree_all_learn_it(void **state)
{
    (void)state;
    static const struct quarrel quarrels[] = {
        {.odd = other_b,
         .status_of_odd = KP_EMISMATCH,
         .status_of_others = KP_EMISMATCH,
         .named = "b=16"},
        {.odd = other_operation,
         .status_of_odd = KP_EMISMATCH,
         .status_of_others = KP_EMISMATCH,
         .named = "concat"},
        {.odd = other_algorithm,
         .status_of_odd = KP_EMISMATCH,
         .status_of_others = KP_EMISMATCH,
         .named = "literal"},
        {.odd = an_exchange,
         .status_of_odd = KP_EMISMATCH,
         .status_of_others = KP_EMISMATCH,
         .named = "exchange"},
        {.odd = null_buffer,
         .status_of_odd = KP_EARGUMENT,
         .status_of_others = KP_EPEER,
         .named = "NULL"},
        {.odd = overlapping,
         .status_of_odd = KP_EARGUMENT,
         .status_of_others = KP_EPEER,
         .named = "overlap"},
        {.odd = overflowing,
         .status_of_odd = KP_EARGUMENT,
         .status_of_others = KP_EPEER,
         .named = "memory"},
        {.odd = foreign_algorithm,
         .status_of_odd = KP_EALGORITHM,
         .status_of_others = KP_EPEER,
         .named = "ring"},
        {.odd = bad_radix,
         .status_of_odd = KP_EPROBLEM,
         .status_of_others = KP_EPEER,
         .named = "100"},
    };
    for (size_t i = 0; i < sizeof quarrels / sizeof quarrels[0]; i++) {
        for (int n = 2; n <= 5; n += 3) {
            struct quarrel quarrel = quarrels[i];
            kp_config config = {.processors = n};
            kp_report report;
            quarrel.n = n;
            if (kp_run(&config, quarrel_program, &quarrel, &report))
                fail_msg("case %zu, n=%d: %s", i, n, report.error.sentence);
            for (int p = 0; p < n; p++) {
                int expected = p == n - 1 ? quarrel.status_of_odd : quarrel.status_of_others;
                if (quarrel.statuses[p] != expected)
                    fail_msg("case %zu: processor %d got %d (%s), not %d", i, p,
                             quarrel.statuses[p], quarrel.errors[p].sentence, expected);
                if (!strstr(quarrel.errors[p].sentence, quarrel.named))
                    fail_msg("case %zu: \"%s\" lacks \"%s\"", i, quarrel.errors[p].sentence,
                             quarrel.named);
                if (expected != KP_EMISMATCH)
                    continue;
                char self_name[32], call_site[32];
                snprintf(self_name, sizeof self_name, "processor %d ", n - 1);
                snprintf(call_site, sizeof call_site, "test_disagreement.c:");
                assert_non_null(strstr(quarrel.errors[p].sentence, self_name));
                assert_non_null(strstr(quarrel.errors[p].sentence, call_site));
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_that_disagree_all_learn_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
