/* Tests that plans and plain calls of one operation can be mixed: some members execute a plan while
 * the others make a plain call. However the machine chooses its algorithms, and also while its
 * first calls are measured, all members' calls must count as the same call.
 *
 * All members draw the same sequence of problems from one seed. Each member draws from its own seed
 * how it makes a call: plain, by a new plan or by an old plan, in place or not, with `hints` NULL
 * or empty. */
#include "lib/problem/operation.h"
#include "tests/common/machine_common.h"
#include "tests/common/profile_common.h"
#include "tools/kport/common/operation_call.h"

#define MOST_MEMBERS 8
#define MOST_BYTES   1024 /* the most bytes of a block */
#define KINDS        90   /* more problems than the tuner measures in one group */

/* A problem of a group. It is the same at all members. */
struct kind {
    kp_operation operation;
    int group, root, to;
    size_t b, count;
    bool names; /* whether `hints` names the algorithm but leaves a parameter open */
};

/* The buffers and the plan of one member for one problem. */
struct participant {
    kp_plan *plan;
    bool in_place; /* whether the plan is in place */
    unsigned char *out, *in;
    size_t out_counts[MOST_MEMBERS], in_counts[MOST_MEMBERS];
    size_t out_displacements[MOST_MEMBERS], in_displacements[MOST_MEMBERS];
    size_t elements[MOST_MEMBERS]; /* out_counts in elements */
};

struct mixture {
    kp_config config;
    int kinds, calls;
    uint64_t seed;
};

struct member {
    kp_proc *self;
    kp_group *groups[3]; /* the world; the world backwards; every second processor */
    uint64_t seed;
    struct participant participants[KINDS];
};

static bool has_lengths(kp_operation operation)
{
    return kp_operation_row(operation)->lengths;
}

static int size_of_group(int n, int group)
{
    return group == 2 ? (n + 1) / 2 : n;
}

static void draw_kinds(const struct mixture *mixture, struct kind *kinds)
{
    uint64_t seed = mixture->seed;
    for (int i = 0; i < mixture->kinds; i++) {
        struct kind *kind = &kinds[i];
        *kind = (struct kind){.operation = (kp_operation)random_below(&seed, KP_OPERATIONS),
                              .group = random_below(&seed, 3)};
        int size = size_of_group(mixture->config.processors, kind->group);
        size_t b = (size_t)(random_below(&seed, 8) == 0 ? MOST_BYTES : random_below(&seed, 64));
        if (kp_operation_has_root(kind->operation))
            kind->root = random_below(&seed, size);
        if (kp_operation_has_target(kind->operation))
            kind->to = random_below(&seed, size);
        if (kp_operation_reduces(kind->operation))
            kind->count = b / sizeof(int64_t);
        else
            kind->b = kp_block_bytes(kind->operation, b);
        kind->names = kind->operation == KP_INDEX && random_below(&seed, 4) == 0;
    }
}

/* --- The contents of the buffers --- */

/* Returns the length of the block from one member to another, in bytes. */
static size_t length_of(const struct kind *kind, int from, int to)
{
    bool one = kind->operation == KP_CONCATV || kind->operation == KP_GATHERV;
    if (kind->operation == KP_REDUCE_SCATTERV) /* all members give the same lengths */
        return (size_t)(3 * to) % 5 * (kind->count / 4) * sizeof(int64_t);
    if (!has_lengths(kind->operation))
        return kp_operation_reduces(kind->operation) ? kind->count * sizeof(int64_t) : kind->b;
    return (size_t)(3 * from + (one ? 0 : 5 * to)) % 5 * (kind->b / 4);
}

/* Returns whether a member has a different block for every receiver. Otherwise all receivers get
 * the same block, and `to` counts as 0. */
static bool differ(kp_operation operation)
{
    return operation == KP_INDEX || operation == KP_SCATTER || operation == KP_INDEXV ||
           operation == KP_SCATTERV || operation == KP_REDUCE_SCATTER ||
           operation == KP_REDUCE_SCATTERV;
}

static void put_block(const struct kind *kind, int call, int from, int to, unsigned char *at)
{
    uint64_t key = random_of((uint64_t)call, (uint64_t)from, differ(kind->operation) ? to : 0);
    if (!kp_operation_reduces(kind->operation)) {
        fill(at, length_of(kind, from, to), key);
        return;
    }
    for (size_t i = 0; i < length_of(kind, from, to) / sizeof(int64_t); i++) {
        int64_t operand = (int64_t)(random_mixed(key + i) % 1000);
        memcpy(at + i * sizeof operand, &operand, sizeof operand);
    }
}

/* Returns whether `at` holds the sum of the operands of the members 0 ... end - 1. */
static bool holds_sum(const struct kind *kind, int call, int end, int to, const unsigned char *at)
{
    for (size_t i = 0; i < length_of(kind, 0, to) / sizeof(int64_t); i++) {
        int64_t sum = 0, found;
        for (int from = 0; from < end; from++)
            sum += (int64_t)(random_mixed(random_of((uint64_t)call, (uint64_t)from,
                                                    differ(kind->operation) ? (uint64_t)to : 0) +
                                          i) %
                             1000);
        memcpy(&found, at + i * sizeof found, sizeof found);
        if (found != sum)
            return false;
    }
    return true;
}

static bool holds_block(const struct kind *kind, int call, int from, int to,
                        const unsigned char *at)
{
    unsigned char wanted[MOST_BYTES];
    put_block(kind, call, from, to, wanted);
    return memcmp(at, wanted, length_of(kind, from, to)) == 0;
}

/* --- The buffers of one member --- */

/* Returns whether this member may make the call in place. */
static bool may_be_in_place(const struct kind *kind, int me)
{
    return (!has_lengths(kind->operation) || kp_operation_reduces(kind->operation)) &&
           kind->operation != KP_BROADCAST && kind->operation != KP_ONE_TO_ONE &&
           kind->operation != KP_BARRIER &&
           (!kp_operation_has_root(kind->operation) || me == kind->root);
}

static void lay(const struct kind *kind, struct participant *participant, int me, int size)
{
    size_t out = 0, in = 0;
    for (int j = 0; j < size; j++) {
        participant->out_counts[j] = length_of(kind, me, j);
        participant->in_counts[j] = length_of(kind, j, me);
        participant->elements[j] = participant->out_counts[j] / sizeof(int64_t);
        participant->out_displacements[j] = out;
        participant->in_displacements[j] = in;
        out += participant->out_counts[j];
        in += participant->in_counts[j];
    }
}

/* Fills in the outgoing data, which lies in the incoming buffer if the call is in place. */
static void put_outgoing(const struct kind *kind, struct participant *participant, int call, int me,
                         int size, bool in_place)
{
    kp_operation operation = kind->operation;
    memset(participant->out, 0xee, MOST_MEMBERS * MOST_BYTES);
    memset(participant->in, 0xdd, MOST_MEMBERS * MOST_BYTES);
    if (operation == KP_BROADCAST) {
        if (me == kind->root)
            put_block(kind, call, me, 0, participant->in);
        return;
    }
    bool within = in_place && operation != KP_SCATTER;
    unsigned char *at = within ? participant->in : participant->out;
    if (within && (operation == KP_CONCAT || operation == KP_GATHER))
        at += (size_t)me * kind->b;
    for (int j = 0; j < (differ(operation) ? size : 1); j++)
        put_block(kind, call, me, j, at + participant->out_displacements[j]);
}

static bool is_right(const struct kind *kind, const struct participant *participant, int call,
                     int me, int size, bool in_place)
{
    kp_operation operation = kind->operation;
    bool right = true;
    switch (operation) {
    case KP_REDUCE:
    case KP_ALLREDUCE:
    case KP_REDUCE_SCATTER:
    case KP_REDUCE_SCATTERV:
        return (operation == KP_REDUCE && me != kind->root) ||
               holds_sum(kind, call, size, me, participant->in);
    case KP_SCAN:
        return holds_sum(kind, call, me + 1, 0, participant->in);
    case KP_SCAN_EXCLUSIVE:
        return me == 0 || holds_sum(kind, call, me, 0, participant->in);
    case KP_BROADCAST:
        return holds_block(kind, call, kind->root, 0, participant->in);
    case KP_SCATTER:
    case KP_SCATTERV:
        return in_place || holds_block(kind, call, kind->root, me, participant->in);
    case KP_ONE_TO_ONE:
        return me != kind->to || holds_block(kind, call, kind->root, 0, participant->in);
    case KP_GATHER:
    case KP_GATHERV:
        if (me != kind->root)
            return true;
        break;
    default:
        break;
    }
    for (int j = 0; j < size && right; j++)
        right = holds_block(kind, call, j, me, participant->in + participant->in_displacements[j]);
    return right;
}

static kp_arguments arguments_of(const struct kind *kind, struct participant *participant, int me,
                                 bool in_place)
{
    kp_arguments a = {.operation = kind->operation,
                      .out = participant->out,
                      .in = participant->in,
                      .b = kind->b,
                      .count = kind->count,
                      .type = kp_operation_reduces(kind->operation) ? KP_INT64 : KP_OPAQUE,
                      .op = kp_operation_reduces(kind->operation) ? KP_SUM : NULL,
                      .root = kind->root,
                      .to = kind->to};
    if (kind->operation == KP_BROADCAST)
        a.out = NULL;
    if (in_place && kind->operation == KP_SCATTER)
        a.in = KP_IN_PLACE;
    else if (in_place)
        a.out = KP_IN_PLACE;
    if (has_lengths(kind->operation)) {
        a.b = 0;
        a.out_counts = participant->out_counts;
        a.out_displacements = participant->out_displacements;
        a.in_counts = participant->in_counts;
        a.in_displacements = participant->in_displacements;
        a.out_bytes = participant->out_counts[0];
        a.in_bytes = participant->in_counts[kind->root];
    }
    if (kind->operation == KP_REDUCE_SCATTERV) {
        a.count = a.out_bytes = a.in_bytes = 0;
        a.out_counts = participant->elements;
        a.in_counts = a.out_displacements = a.in_displacements = NULL;
    }
    (void)me;
    return a;
}

/* --- One call of one member --- */

static int take_part(struct member *member, const struct kind *kind,
                     struct participant *participant, int call)
{
    kp_group *group = member->groups[kind->group];
    int me = kp_rank(group), size = kp_size(group), draw = random_below(&member->seed, 8),
        status = 0;
    bool in_place = may_be_in_place(kind, me) && random_below(&member->seed, 3) == 0;
    const kp_hints nothing = {.algorithm = NULL};
    kp_hints radix;
    lay(kind, participant, me, size);
    if (draw == 0) {
        status = kp_plan_free(participant->plan);
        participant->plan = NULL;
    }
    kp_arguments a = arguments_of(kind, participant, me, in_place);
    a.hints = random_below(&member->seed, 2) ? NULL : &nothing;
    if (kind->names) {
        status = status ? status : kp_hints_parse(KP_INDEX, "radix", &radix);
        a.hints = &radix;
    }
    bool by_plan = !status && draw > 0 && draw < 5;
    if (by_plan && !participant->plan) {
        participant->in_place = in_place;
        status = kp_plan_make(group, &a, &participant->plan);
    }
    in_place = by_plan ? participant->in_place : in_place;
    put_outgoing(kind, participant, call, me, size, in_place);
    if (!status)
        status = by_plan ? kp_plan_execute(participant->plan) : operation_call(group, &a);
    if (!status && !is_right(kind, participant, call, me, size, in_place))
        return kp_fail(member->self, "wrong bytes");
    return status;
}

static int make_groups(struct member *member)
{
    int n = kp_size(kp_world(member->self)), me = kp_processor(member->self);
    int backwards[MOST_MEMBERS], second[MOST_MEMBERS], status = 0;
    for (int i = 0; i < n; i++) {
        backwards[i] = n - 1 - i;
        second[i / 2] = i - i % 2;
    }
    member->groups[0] = kp_world(member->self);
    status = kp_group_create(member->self, backwards, n, &member->groups[1]);
    if (!status && me % 2 == 0)
        status = kp_group_create(member->self, second, (n + 1) / 2, &member->groups[2]);
    return status;
}

static int mix(kp_proc *self, void *arg)
{
    const struct mixture *mixture = arg;
    uint64_t order = mixture->seed + 1000;
    struct kind kinds[KINDS];
    struct member *member = calloc(1, sizeof *member);
    size_t bytes = (size_t)2 * KINDS * MOST_MEMBERS * MOST_BYTES;
    unsigned char *memory = malloc(bytes);
    int status = member && memory ? 0 : 1;
    draw_kinds(mixture, kinds);
    for (int i = 0; i < KINDS && !status; i++) {
        member->participants[i].out = memory + (size_t)2 * (size_t)i * MOST_MEMBERS * MOST_BYTES;
        member->participants[i].in = member->participants[i].out + MOST_MEMBERS * MOST_BYTES;
    }
    if (!status) {
        member->self = self;
        member->seed = random_mixed(mixture->seed + (uint64_t)kp_processor(self));
        status = make_groups(member);
    }
    for (int call = 0; call < mixture->calls && !status; call++) {
        int i = random_below(&order, mixture->kinds);
        if (member->groups[kinds[i].group])
            status = take_part(member, &kinds[i], &member->participants[i], call);
    }
    for (int i = 0; i < KINDS && member; i++)
        kp_plan_free(member->participants[i].plan);
    free(memory);
    free(member);
    return status;
}

/* --- Machines --- */

static void run_mixture(const kp_config *config, int kinds, int calls, uint64_t seed)
{
    kp_report report;
    struct mixture mixture = {.config = *config, .kinds = kinds, .calls = calls, .seed = seed};
    if (kp_run(config, mix, &mixture, &report))
        fail_msg("tuning %d, carrier %d, rounds %d, n=%d, k=%d, %d kinds, seed %d: %s",
                 (int)config->tuning, (int)config->carrier, (int)config->discipline,
                 config->processors, config->ports, kinds, (int)seed, report.error.sentence);
}

/* Runs the test with the given tuning on threads and on fibers, by the barrier, by mailboxes and
 * with the discipline that the tuner chooses. */
static void all_machines(kp_tuning tuning, const kp_profile *profile)
{
    static const kp_discipline rounds[] = {KP_ROUNDS_BY_BARRIER, KP_ROUNDS_BY_MAILBOXES,
                                           KP_ROUNDS_BY_TUNER};
    uint64_t draw = (uint64_t)tuning;
    for (int i = 0; i < scaled(6, 24, 120); i++) {
        kp_config config = {.tuning = tuning,
                            .profile = profile,
                            .processors = profile ? 8 : 2 + random_below(&draw, MOST_MEMBERS - 1),
                            .discipline = rounds[i % 3],
                            .time_limit_ms = 60000};
        config.ports = profile ? 1 : 1 + random_below(&draw, config.processors - 1);
        if (i / 3 % 2 == 1 && kp_fibers()) {
            config.carrier = KP_CARRIER_FIBERS;
            config.workers = 1 + random_below(&draw, 2);
            config.stack_bytes = 256 * 1024;
        }
        uint64_t seed = random_next(&draw) % 100000;
        run_mixture(&config, 10, scaled(600, 600, 1200), seed);
        run_mixture(&config, KINDS, scaled(300, 900, 3000), seed);
    }
}

static void by_a_profile(void **state)
{
    (void)state;
    kp_profile *profile = read_good();
    all_machines(KP_TUNING_AUTO, profile);
    kp_profile_free(profile);
}

static void by_the_model(void **state)
{
    (void)state;
    all_machines(KP_TUNING_BUILTIN, NULL);
}

static void by_calls_that_are_measured(void **state)
{
    (void)state;
    all_machines(KP_TUNING_MEASURED, NULL);
    setenv("KPORT_TUNE", "measure", 1);
    all_machines(KP_TUNING_AUTO, NULL);
    setenv("KPORT_TUNE", "builtin", 1);
}

/* --- Calls that fail among calls that are measured --- */

static const kp_config measured = {
    .processors = 4, .ports = 2, .tuning = KP_TUNING_MEASURED, .time_limit_ms = 60000};

#define MEASURED 90 /* the number of calls after which the tuner has decided */

static int index_calls(kp_proc *self, size_t b, int calls)
{
    unsigned char out[4 * MOST_BYTES], in[4 * MOST_BYTES];
    int status = 0, me = kp_processor(self);
    for (int call = 0; call < calls && !status; call++) {
        for (int j = 0; j < 4; j++)
            fill(out + (size_t)j * b, b, random_of((uint64_t)call, (uint64_t)me, (uint64_t)j));
        memset(in, 0, sizeof in);
        status = kp_index(kp_world(self), out, in, b, NULL);
        for (int j = 0; j < 4 && (!status || status == KP_EUNTAKEN); j++)
            NEED(self, holds(in + (size_t)j * b, b,
                             random_of((uint64_t)call, (uint64_t)j, (uint64_t)me)));
    }
    return status;
}

/* Member 1 refuses one call of each of KINDS lengths. So the other members have begun problems that
 * member 1 does not know. Afterwards the members must still measure and choose alike. */
static int refused_before(kp_proc *self, void *arg)
{
    unsigned char out[4 * MOST_BYTES] = {0}, in[4 * MOST_BYTES];
    bool refuses = kp_processor(self) == 1;
    (void)arg;
    for (size_t b = 1; b <= KINDS; b++) {
        int status = kp_index(kp_world(self), out, refuses ? NULL : in, b, NULL);
        NEED(self, status == (refuses ? KP_EARGUMENT : KP_EPEER));
    }
    return index_calls(self, 200, MEASURED);
}

static void after_refusals(void **state)
{
    (void)state;
    kp_report report;
    int status = kp_run(&measured, refused_before, NULL, &report);
    assert_good(status, &report);
}

/* The next call reports a message of an exchange that nobody took. This next call is complete
 * nevertheless, so all members count it in the measurement. */
static int untaken_before(kp_proc *self, void *arg)
{
    bool sends = kp_processor(self) == 2;
    (void)arg;
    for (int call = 0; call < MEASURED; call++) {
        kp_outgoing out = {.port = 0, .peer = 0, .data = "x", .bytes = 1};
        int status = kp_exchange(kp_world(self), &out, sends, NULL, 0);
        NEED(self, !status);
        status = index_calls(self, 8, 1);
        NEED(self, status == (sends ? KP_EUNTAKEN : KP_OK));
    }
    return 0;
}

static void after_messages_that_nobody_took(void **state)
{
    (void)state;
    kp_report report;
    int status = kp_run(&measured, untaken_before, NULL, &report);
    assert_good(status, &report);
}

/* --- Several runs of one machine --- */

enum ending {
    RIGHT,  /* all members make all calls */
    EARLY,  /* the last member leaves after some calls */
    JUMPED, /* member 0 leaves a call by longjmp, then ends */
};

static jmp_buf out_of_the_call;

static void jump(void *to, const void *left, const void *right, size_t elements, void *context)
{
    (void)to;
    (void)left;
    (void)right;
    (void)elements;
    if (context)
        longjmp(out_of_the_call, 1);
}

static int leave_by_a_jump(kp_proc *self)
{
    char operand = 1, result;
    bool jumps = kp_processor(self) == 0;
    kp_operator op = {.combine = jump, .context = jumps ? &op : NULL, .element_bytes = 1};
    if (jumps && setjmp(out_of_the_call) != 0)
        return 0;
    return kp_reduce(kp_world(self), &operand, &result, 1, KP_OPAQUE, &op, 0, NULL);
}

/* By mailboxes the root of a broadcast may be several calls ahead of a member that has ended. */
static int broadcasts(kp_proc *self, void *arg)
{
    enum ending ending = *(enum ending *)arg;
    unsigned char data[16];
    int me = kp_processor(self), status = 0;
    for (int call = 0; call < MEASURED && !status; call++) {
        if (ending == EARLY && call == 3 && me == 3)
            return 0;
        fill(data, sizeof data, random_of((uint64_t)call, me == 0 ? 0 : 1, 0));
        status = kp_broadcast(kp_world(self), data, sizeof data, 0, NULL);
        NEED(self, status || holds(data, sizeof data, random_of((uint64_t)call, 0, 0)));
        if (ending == JUMPED && call == 2)
            return leave_by_a_jump(self);
    }
    return ending == EARLY ? 0 : status;
}

static void after_a_run_that_failed(void **state)
{
    (void)state;
    kp_config config = measured;
    kp_machine *machine;
    kp_report report;
    config.discipline = KP_ROUNDS_BY_MAILBOXES;
    assert_int_equal(kp_machine_create(&config, &machine), KP_OK);
    for (int run = 0; run < 8; run++) {
        enum ending ending = run % 2 == 1 ? RIGHT : run / 2 % 2 == 0 ? EARLY : JUMPED;
        int status = kp_machine_run(machine, broadcasts, &ending, &report);
        if (ending == RIGHT)
            assert_good(status, &report);
    }
    kp_machine_destroy(machine);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(by_a_profile),
        TEST(by_the_model),
        TEST(by_calls_that_are_measured),
        TEST(after_refusals),
        TEST(after_messages_that_nobody_took),
        TEST(after_a_run_that_failed),
    };
    read_level(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
