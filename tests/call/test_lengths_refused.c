/* Tests refusals of the operations whose blocks have lengths of their own. Every member must get an
 * error that names what is wrong. No data may have moved, and the group must still work. */
#include "tests/common/lengths_common.h"

/* A case: one member, the odd member, makes the call with wrong arguments. */
struct quarrel {
    const char *about;
    kp_operation operation;
    bool root_only; /* whether only a root uses the wrong arguments, so the odd member is root */
    void (*spoil)(struct member *m);
    int status_of_odd, status_of_others;
    const char *named[3]; /* texts that the sentences of all members contain */
};

struct setting {
    const struct quarrel *quarrel;
    int odd; /* the rank of the odd member */
};

static size_t spoilt[2][MOST_MEMBERS]; /* the wrong arrays of the odd member */

static size_t *copy_of(int which, const size_t *counts, int n)
{
    memcpy(spoilt[which], counts, (size_t)n * sizeof *counts);
    return spoilt[which];
}

static void null_out(struct member *m)
{
    m->arguments.out = NULL;
}

static void null_in(struct member *m)
{
    m->arguments.in = NULL;
}

static void null_out_counts(struct member *m)
{
    m->arguments.out_counts = NULL;
}

static void null_in_counts(struct member *m)
{
    m->arguments.in_counts = NULL;
}

static void negative_out_count(struct member *m)
{
    size_t *counts = copy_of(0, m->arguments.out_counts, m->n);
    counts[m->n - 1] = (size_t)-7;
    m->arguments.out_counts = counts;
}

static void negative_in_count(struct member *m)
{
    size_t *counts = copy_of(0, m->arguments.in_counts, m->n);
    counts[0] = (size_t)-7;
    m->arguments.in_counts = counts;
}

static void negative_out_bytes(struct member *m)
{
    m->arguments.out_bytes = (size_t)-7;
}

static void negative_in_bytes(struct member *m)
{
    m->arguments.in_bytes = (size_t)-7;
}

static void overflowing_out_count(struct member *m)
{
    size_t *counts = copy_of(0, m->arguments.out_counts, m->n);
    counts[m->n - 1] = PTRDIFF_MAX;
    m->arguments.out_counts = counts;
}

static void negative_in_displacement(struct member *m)
{
    size_t *displacements = copy_of(1, m->in.displacements, m->n);
    displacements[m->n - 1] = (size_t)-3;
    m->arguments.in_displacements = displacements;
}

static void overflowing_out_displacement(struct member *m)
{
    size_t *displacements = copy_of(1, m->out.displacements, m->n);
    displacements[0] = PTRDIFF_MAX - 2;
    m->arguments.out_displacements = displacements;
}

static void overlapping_blocks_in(struct member *m)
{
    size_t *displacements = copy_of(1, m->in.displacements, m->n);
    displacements[m->n - 1] = displacements[0] + 1;
    m->arguments.in_displacements = displacements;
}

static void out_in_in(struct member *m)
{
    m->arguments.out = (const char *)m->arguments.in + 1;
}

static void root_beyond(struct member *m)
{
    m->arguments.root = m->n;
}

static void root_below(struct member *m)
{
    m->arguments.root = -1;
}

static void in_place_in(struct member *m)
{
    m->arguments.in = KP_IN_PLACE;
}

static void in_place_out(struct member *m)
{
    m->arguments.out = KP_IN_PLACE;
}

static void foreign_algorithm(struct member *m)
{
    m->job.hints.algorithm = kp_algorithm_find(KP_CONCAT, "ring");
}

static void impossible_radix(struct member *m)
{
    m->job.hints = (kp_hints){.algorithm = kp_algorithm_find(KP_INDEXV, "radix"), .values = {1000}};
}

static void other_algorithm(struct member *m)
{
    m->job.hints.algorithm = kp_algorithm_find(KP_INDEXV, "direct");
}

static void other_root(struct member *m)
{
    m->arguments.root = m->arguments.root == 0 ? 1 : 0;
}

/* The odd member sends 9 bytes instead of 8. The packed buffers have room for one more byte. */
static void sends_more(struct member *m)
{
    size_t *counts = copy_of(0, m->arguments.out_counts, m->n);
    counts[m->n - 1] = 9;
    m->arguments.out_counts = counts;
}

static void sends_nothing(struct member *m)
{
    size_t *counts = copy_of(0, m->arguments.out_counts, m->n);
    counts[0] = 0;
    m->arguments.out_counts = counts;
}

static void expects_less(struct member *m)
{
    size_t *counts = copy_of(0, m->arguments.in_counts, m->n);
    counts[0] = 7;
    m->arguments.in_counts = counts;
}

static void sends_more_bytes(struct member *m)
{
    m->arguments.out_bytes = 9;
}

static void expects_more_bytes(struct member *m)
{
    m->arguments.in_bytes = 9;
}

#define ALONE KP_EARGUMENT, KP_EPEER
#define BOTH  KP_EMISMATCH, KP_EMISMATCH

static const struct quarrel quarrels[] = {
    {"out NULL", KP_INDEXV, false, null_out, ALONE, {"out is NULL"}},
    {"in NULL", KP_INDEXV, false, null_in, ALONE, {"in is NULL"}},
    {"out NULL", KP_CONCATV, false, null_out, ALONE, {"out is NULL"}},
    {"in NULL", KP_CONCATV, false, null_in, ALONE, {"in is NULL"}},
    {"out NULL", KP_SCATTERV, true, null_out, ALONE, {"out is NULL"}},
    {"in NULL", KP_SCATTERV, false, null_in, ALONE, {"in is NULL"}},
    {"out NULL", KP_GATHERV, false, null_out, ALONE, {"out is NULL"}},
    {"in NULL", KP_GATHERV, true, null_in, ALONE, {"in is NULL"}},
    {"counts NULL", KP_INDEXV, false, null_out_counts, ALONE, {"out_counts is NULL"}},
    {"counts NULL", KP_INDEXV, false, null_in_counts, ALONE, {"in_counts is NULL"}},
    {"counts NULL", KP_CONCATV, false, null_in_counts, ALONE, {"in_counts is NULL"}},
    {"counts NULL", KP_SCATTERV, true, null_out_counts, ALONE, {"out_counts is NULL"}},
    {"counts NULL", KP_GATHERV, true, null_in_counts, ALONE, {"in_counts is NULL"}},
    {"count < 0", KP_INDEXV, false, negative_out_count, ALONE, {"out_counts[%] is", "-7"}},
    {"count < 0", KP_INDEXV, false, negative_in_count, ALONE, {"in_counts[0] is", "-7"}},
    {"count < 0", KP_CONCATV, false, negative_in_count, ALONE, {"in_counts[0] is", "-7"}},
    {"count < 0", KP_CONCATV, false, negative_out_bytes, ALONE, {"out_bytes is", "-7"}},
    {"count < 0", KP_SCATTERV, true, negative_out_count, ALONE, {"out_counts[%] is", "-7"}},
    {"count < 0", KP_SCATTERV, false, negative_in_bytes, ALONE, {"in_bytes is", "-7"}},
    {"count < 0", KP_GATHERV, false, negative_out_bytes, ALONE, {"out_bytes is", "-7"}},
    {"count < 0", KP_GATHERV, true, negative_in_count, ALONE, {"in_counts[0] is", "-7"}},
    {"too much", KP_INDEXV, false, overflowing_out_count, ALONE, {"out_counts[%] is"}},
    {"too much", KP_SCATTERV, true, overflowing_out_count, ALONE, {"out_counts[%] is"}},
    {"place < 0",
     KP_INDEXV,
     false,
     negative_in_displacement,
     ALONE,
     {"in_displacements[%] is", "-3"}},
    {"place < 0",
     KP_CONCATV,
     false,
     negative_in_displacement,
     ALONE,
     {"in_displacements[%] is", "-3"}},
    {"place < 0",
     KP_GATHERV,
     true,
     negative_in_displacement,
     ALONE,
     {"in_displacements[%] is", "-3"}},
    {"place too far",
     KP_INDEXV,
     false,
     overflowing_out_displacement,
     ALONE,
     {"out_displacements[0] is", "out_counts[0] is 8"}},
    {"place too far",
     KP_SCATTERV,
     true,
     overflowing_out_displacement,
     ALONE,
     {"out_displacements[0] is", "out_counts[0] is 8"}},
    {"overlap", KP_INDEXV, false, out_in_in, ALONE, {"overlap", "of out", "of in"}},
    {"overlap", KP_CONCATV, false, out_in_in, ALONE, {"overlap", "of out", "of in"}},
    {"overlap", KP_SCATTERV, true, out_in_in, ALONE, {"overlap", "of out", "of in"}},
    {"overlap", KP_GATHERV, true, out_in_in, ALONE, {"overlap", "of out", "of in"}},
    {"root", KP_SCATTERV, false, root_beyond, ALONE, {"root is %n; it may be 0 ... %"}},
    {"root", KP_GATHERV, false, root_beyond, ALONE, {"root is %n; it may be 0 ... %"}},
    {"root", KP_SCATTERV, false, root_below, ALONE, {"root is -1; it may be 0 ... %"}},
    {"root", KP_GATHERV, false, root_below, ALONE, {"root is -1; it may be 0 ... %"}},
    {"in place", KP_INDEXV, false, in_place_in, ALONE, {"in may be KP_IN_PLACE only"}},
    {"in place", KP_CONCATV, false, in_place_in, ALONE, {"in may be KP_IN_PLACE only"}},
    {"in place", KP_GATHERV, true, in_place_in, ALONE, {"in may be KP_IN_PLACE only"}},
    {"in place", KP_SCATTERV, true, in_place_out, ALONE, {"out may not be KP_IN_PLACE"}},
    {"how",
     KP_INDEXV,
     false,
     foreign_algorithm,
     KP_EALGORITHM,
     KP_EPEER,
     {"algorithm ring does concat, not indexv"}},
    {"how", KP_INDEXV, false, impossible_radix, KP_EPROBLEM, KP_EPEER, {"r is 1000"}},
};

/* Cases that need at least two members. */
static const struct quarrel differences[] = {
    {"overlap",
     KP_INDEXV,
     false,
     overlapping_blocks_in,
     ALONE,
     {"in_displacements[0] is 0", "in_displacements[%] is 1", "overlap"}},
    {"overlap",
     KP_CONCATV,
     false,
     overlapping_blocks_in,
     ALONE,
     {"in_displacements[0] is 0", "in_displacements[%] is 1", "overlap"}},
    {"overlap",
     KP_GATHERV,
     true,
     overlapping_blocks_in,
     ALONE,
     {"in_displacements[0] is 0", "in_displacements[%] is 1", "overlap"}},
    {"how", KP_INDEXV, false, other_algorithm, BOTH, {"processor @ called", "direct"}},
    {"root", KP_GATHERV, false, other_root, BOTH, {"processor @ called", "root="}},
    {"more",
     KP_INDEXV,
     false,
     sends_more,
     BOTH,
     {"processor @ sends 9 bytes to processor % (out_counts[%]", "processor % expects 8 bytes"}},
    {"nothing",
     KP_INDEXV,
     false,
     sends_nothing,
     BOTH,
     {"processor @ sends 0 bytes to processor 0 (out_counts[0]", "processor 0 expects 8 bytes"}},
    {"less",
     KP_INDEXV,
     false,
     expects_less,
     BOTH,
     {"processor 0 sends 8 bytes to processor @", "processor @ expects 7 bytes from it",
      "in_counts[0]"}},
    {"more",
     KP_CONCATV,
     false,
     sends_more_bytes,
     BOTH,
     {"processor @ sends 9 bytes to processor", " (out_bytes",
      "expects 8 bytes from it (in_counts[@], "}},
    {"less",
     KP_CONCATV,
     false,
     expects_less,
     BOTH,
     {"processor 0 sends 8 bytes to processor @", "processor @ expects 7 bytes from it"}},
    {"more",
     KP_SCATTERV,
     true,
     sends_more,
     BOTH,
     {"processor @ sends 9 bytes to processor % (out_counts[%]", "processor % expects 8 bytes"}},
    {"more",
     KP_SCATTERV,
     false,
     expects_more_bytes,
     BOTH,
     {"sends 8 bytes to processor @", "(out_counts[@]",
      "processor @ expects 9 bytes from it (in_bytes, "}},
    {"more",
     KP_GATHERV,
     false,
     sends_more_bytes,
     BOTH,
     {"processor @ sends 9 bytes to processor", " (out_bytes",
      "expects 8 bytes from it (in_counts[@], "}},
    {"less",
     KP_GATHERV,
     true,
     expects_less,
     BOTH,
     {"processor 0 sends 8 bytes to processor @", "processor @ expects 7 bytes from it"}},
};

/* Replaces marks in the expected text: '%' by the last processor, "%n" by the number of processors,
 * '@' by the member whose call differs. */
static void name_in(const char *pattern, int n, int odd, char *text, size_t size)
{
    size_t used = 0;
    for (const char *c = pattern; *c && used + 8 < size; c++) {
        if (c[0] == '%' && c[1] == 'n') {
            used += (size_t)snprintf(text + used, size - used, "%d", n);
            c++;
        } else if (*c == '%' || *c == '@') {
            used += (size_t)snprintf(text + used, size - used, "%d", *c == '%' ? n - 1 : odd);
        } else {
            text[used++] = *c;
        }
    }
    text[used] = '\0';
}

static int quarrel_program(kp_proc *self, void *argument)
{
    const struct setting *setting = argument;
    const struct quarrel *q = setting->quarrel;
    int odd = setting->odd;
    kp_group *world = kp_world(self);
    int n = kp_size(world), me = kp_rank(world);
    struct job job = {.operation = q->operation,
                      .lengths = ALL_EQUAL,
                      .b = 8,
                      .root = q->root_only ? odd : n - 1,
                      .seed = 5};
    struct member m;
    member_begin(&m, world, &job);
    unsigned char *before = malloc(m.in.bytes + (size_t)2 * GUARD_BYTES);
    memcpy(before, m.in.memory, m.in.bytes + (size_t)2 * GUARD_BYTES);
    if (me == odd)
        q->spoil(&m);
    keep(self, operation_call(world, &m.arguments));
    bool moved = memcmp(before, m.in.memory, m.in.bytes + (size_t)2 * GUARD_BYTES) != 0 ||
                 !as_expected(&m.out);
    free(before);
    member_end(&m);
    if (moved)
        return kp_fail(self, "something moved although the call was refused");
    return do_job(world, &job); /* the group still works */
}

/* Of lengths that differ all members say where both calls are. Over a wire no member knows where
 * another one has made its call. */
static bool names_both_places(const struct outcome *seen)
{
    const char *expects = strstr(seen->error.sentence, "expects ");
    const char *place = strstr(seen->error.sentence, "/operation_call.h:");
    if (seen->status != KP_EMISMATCH || !expects || OVER_A_WIRE)
        return true;
    return place && place < expects && strstr(expects, "/operation_call.h:") &&
           !strstr(seen->error.sentence, "could not take part");
}

static void quarrel_once(const struct quarrel *q, int n, int odd, int ports)
{
    struct setting setting = {q, odd};
    kp_config config = {.processors = n, .ports = ports};
    kp_report report;
    assert_good(kp_run(&config, quarrel_program, &setting, &report), &report);
    for (int who = 0; who < n; who++) {
        const struct outcome *seen = &outcomes[who];
        int expected = who == odd ? q->status_of_odd : q->status_of_others;
        if (seen->status != expected || seen->error.status != expected)
            fail_msg("%s of %s, n=%d, odd %d: processor %d got %d (%s), not %d", q->about,
                     kp_operation_name(q->operation), n, odd, who, seen->status,
                     seen->error.sentence, expected);
        if (!names_both_places(seen))
            fail_msg("a place is missing: %s", seen->error.sentence);
        /* b would be that of one member, and look like the difference. */
        if (strstr(seen->error.sentence, ",b="))
            fail_msg("a length is told before the members know it: %s", seen->error.sentence);
        for (int i = 0; i < 3 && q->named[i]; i++) {
            char text[128];
            name_in(q->named[i], n, odd, text, sizeof text);
            if (!strstr(seen->error.sentence, text))
                fail_msg("%s of %s, n=%d, odd %d: processor %d: \"%s\" lacks \"%s\"", q->about,
                         kp_operation_name(q->operation), n, odd, who, seen->error.sentence, text);
        }
    }
}

static void impossible_arguments_on_every_member(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof quarrels / sizeof quarrels[0]; i++) {
        for (int n = 1; n <= 5; n += n == 1 ? 1 : 3) {
            for (int odd = 0; odd < n; odd++) {
                quarrel_once(&quarrels[i], n, odd, n > 2 ? 2 : 1);
                quarrel_once(&quarrels[i], n, odd, 0);
            }
        }
    }
}

static void members_that_differ_all_learn_it(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof differences / sizeof differences[0]; i++) {
        for (int n = 2; n <= 5; n += 3) {
            for (int odd = 0; odd < n; odd++) {
                quarrel_once(&differences[i], n, odd, n > 2 ? 2 : 1);
                quarrel_once(&differences[i], n, odd, 0);
            }
        }
    }
}

/* --- Two lengths that are exchanged --- */

/* In an index each block has another length. `from` sends to `to` as much as `other_from` should
 * send to `other_to`, and the other way round. All lengths together are the right ones. */
struct exchanged {
    int from, to, other_from, other_to;
};

#define MOST_EXCHANGED 3

static size_t right_length(int from, int to)
{
    return (size_t)(1 + MOST_EXCHANGED * from + to);
}

static int exchanged_program(kp_proc *self, void *argument)
{
    const struct exchanged *x = argument;
    kp_group *world = kp_world(self);
    const int me = kp_rank(world), n = kp_size(world);
    unsigned char out[100] = {0}, in[100];
    size_t out_counts[MOST_EXCHANGED], in_counts[MOST_EXCHANGED];
    memset(in, UNTOUCHED, sizeof in);
    for (int i = 0; i < n; i++) {
        out_counts[i] = right_length(me, i);
        in_counts[i] = right_length(i, me);
    }
    if (me == x->from)
        out_counts[x->to] = right_length(x->other_from, x->other_to);
    if (me == x->other_from)
        out_counts[x->other_to] = right_length(x->from, x->to);
    keep(self, kp_indexv(world, out, out_counts, NULL, in, in_counts, NULL, NULL));
    for (size_t i = 0; i < sizeof in; i++) {
        if (in[i] != UNTOUCHED)
            return kp_fail(self, "something moved although the call was refused");
    }
    struct job job = {.operation = KP_INDEXV, .b = 9, .seed = 1};
    return do_job(world, &job);
}

static void lengths_that_are_exchanged_are_found(void **state)
{
    (void)state;
    const int n = MOST_EXCHANGED;
    for (int i = 0; i < n * n * n * n; i++) {
        struct exchanged x = {i % n, i / n % n, i / n / n % n, i / n / n / n};
        kp_config config = {.processors = n};
        kp_report report;
        char first[64], second[64];
        if (x.from == x.other_from && x.to == x.other_to)
            continue;
        snprintf(first, sizeof first, "processor %d sends %zu bytes to processor %d ", x.from,
                 right_length(x.other_from, x.other_to), x.to);
        snprintf(second, sizeof second, "processor %d sends %zu bytes to processor %d ",
                 x.other_from, right_length(x.from, x.to), x.other_to);
        assert_good(kp_run(&config, exchanged_program, &x, &report), &report);
        for (int who = 0; who < n; who++) {
            const struct outcome *seen = &outcomes[who];
            const bool own = who == x.to || who == x.other_to;
            assert_int_equal(seen->status, KP_EMISMATCH);
            if (!strstr(seen->error.sentence, first) && !strstr(seen->error.sentence, second))
                fail_msg("processor %d: %s", who, seen->error.sentence);
            /* A member that has an own difference is told that one. */
            assert_true(!own || seen->error.processor == who);
        }
    }
}

/* --- Correct calls, and a call without one of the members --- */

/* A member that sends and receives nothing needs no buffers. */
static int without_buffers(kp_proc *self, void *argument)
{
    (void)argument;
    static const size_t none[MOST_MEMBERS];
    kp_group *world = kp_world(self);
    int status = kp_indexv(world, NULL, none, NULL, NULL, none, none, NULL);
    status = status ? status : kp_concatv(world, NULL, 0, NULL, none, NULL, NULL);
    status = status ? status : kp_scatterv(world, NULL, none, NULL, NULL, 0, 1, NULL);
    status = status ? status : kp_gatherv(world, NULL, 0, NULL, none, none, 2, NULL);
    struct job job = {.operation = KP_INDEXV, .b = 9, .seed = 1};
    return status ? status : do_job(world, &job);
}

static void no_bytes_need_no_buffer(void **state)
{
    (void)state;
    kp_config config = {.processors = 5, .ports = 2};
    kp_report report;
    assert_good(kp_run(&config, without_buffers, NULL, &report), &report);
}

/* Processor 3 has ended before the other members call. */
static int without_one(kp_proc *self, void *argument)
{
    const struct job *job = argument;
    struct member m;
    if (kp_processor(self) == 3)
        return 0;
    member_begin(&m, kp_world(self), job);
    keep(self, operation_call(kp_world(self), &m.arguments));
    member_end(&m);
    return 0;
}

static int all_do(kp_proc *self, void *argument)
{
    return do_job(kp_world(self), argument);
}

static void a_member_that_does_not_come_is_named(void **state)
{
    (void)state;
    kp_machine *machine;
    kp_config config = {.processors = 5, .ports = 2};
    assert_int_equal(kp_machine_create(&config, &machine), KP_OK);
    for (int i = 0; i < scaled(8, 40, 40); i++) {
        struct job job = {.operation = (kp_operation)(KP_INDEXV + i % 4), .b = 50, .seed = 3};
        kp_report report;
        assert_int_equal(kp_machine_run(machine, without_one, &job, &report), KP_OK);
        for (int who = 0; who < 5; who++) {
            if (who != 3)
                assert_outcome(who, KP_ELOST, 3);
        }
        assert_good(kp_machine_run(machine, all_do, &job, &report), &report);
    }
    assert_int_equal(kp_machine_destroy(machine), KP_OK);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(impossible_arguments_on_every_member), TEST(members_that_differ_all_learn_it),
        TEST(lengths_that_are_exchanged_are_found), TEST(no_bytes_need_no_buffer),
        TEST(a_member_that_does_not_come_is_named),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
