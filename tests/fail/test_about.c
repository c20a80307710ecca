/* Tests which processor an error record names (error.h). All members' errors, the run's report and
 * the diagnosis must name the same processor. The tests run by the barrier and by mailboxes, on
 * threads and on fibers. */
#include "tests/common/diagnosis_common.h"

static int run_with(const struct machine *on, int n, int k, unsigned limit_ms, kp_program *program,
                    void *arg)
{
    kp_config config = {.processors = n,
                        .ports = k,
                        .tuning = KP_TUNING_BUILTIN,
                        .carrier = on->carrier,
                        .workers = on->workers < n ? on->workers : n,
                        .discipline = on->discipline,
                        .wait = on->wait,
                        .time_limit_ms = limit_ms,
                        .on_failure = hear};
    forget();
    memset(outcomes, 0, sizeof outcomes);
    return kp_run(&config, program, arg, &report);
}

/* --- A processor that is late --- */

#define LATE         1 /* the last processor of its worker, so it blocks no other processor */
#define MEMBERS      4
#define MOST_MEMBERS 24
#define LIMIT_MS     200

static _Atomic int over;

/* Delays the late processor until the others have given up. */
static void come_late(const kp_proc *self)
{
    for (int i = 0; i < 8000 && kp_processor(self) == LATE && !atomic_load(&over); i++)
        nap(1000);
}

/* A concatenation in a ring: each processor waits for its neighbour, so only one waits for the late
 * processor itself. */
static int in_a_row(kp_proc *self, void *arg)
{
    unsigned char out[8] = {0}, in[8 * MOST_MEMBERS];
    kp_hints ring;
    (void)arg;
    NEED(self, kp_hints_parse(KP_CONCAT, "ring", &ring) == KP_OK);
    come_late(self);
    int status = keep(self, kp_concat(kp_world(self), out, in, sizeof out, &ring));
    atomic_store(&over, 1);
    return status;
}

/* By mailboxes some processors have got the root's message and wait at the barrier. The others
 * still wait for the late processor in the broadcast. */
static int before_a_barrier(kp_proc *self, void *arg)
{
    unsigned char data[8] = {0};
    (void)arg;
    come_late(self);
    int status = kp_broadcast(kp_world(self), data, sizeof data, 0, NULL);
    status = keep(self, status ? status : kp_barrier(kp_world(self)));
    atomic_store(&over, 1);
    return status;
}

/* Asserts that the error names the late processor, and returns true. On a busy computer another
 * processor may not have arrived either. If the error names such a processor, returns false. */
static bool names_who_is_late(const struct machine *on, kp_program *program)
{
    char named[40];
    atomic_store(&over, 0);
    assert_int_equal(run_with(on, MEMBERS, 1, LIMIT_MS, program, NULL), KP_ETIMEOUT);
    assert_told_once();
    assert_told(0, KP_DIAGNOSIS_LATE, KP_ETIMEOUT, MEMBERS);
    int about = report.error.processor;
    assert_in_range(about, 0, MEMBERS - 1);
    if (about != LATE && strcmp(word(0, about, "activity"), "outside") == 0)
        return false;
    snprintf(named, sizeof named, " for processor %d", LATE);
    if (about != LATE || !strstr(report.error.sentence, named) || !is_concerned(0, LATE))
        fail_msg("processor %d is late, not %d: %s\n%s", LATE, about, report.error.sentence,
                 told[0].text);
    for (int i = 0; i < MEMBERS; i++) {
        const char *call = strstr(outcomes[i].error.sentence, " in concat:");
        if (call && strstr(call + 1, " in concat:"))
            fail_msg("the call is named twice: %s", outcomes[i].error.sentence);
    }
    assert_concerned(0, (const int[]){LATE}, 1);
    assert_word(0, LATE, "activity", "outside");
    for (int p = 0; p < MEMBERS; p++) {
        assert_outcome(p, KP_ETIMEOUT, LATE);
        assert_int_equal(outcomes[p].error.processor, LATE);
        assert_int_equal(outcomes[p].error.peer, -1);
    }
    return true;
}

static void who_is_late_is_named_by_those_behind(void **state)
{
    (void)state;
    for (size_t m = 0; m < MACHINES; m++) {
        bool by_mail = machines[m].discipline == KP_ROUNDS_BY_MAILBOXES;
        if (!can_be(&machines[m]) || machines[m].workers == 1)
            continue; /* a processor that blocks its only worker cannot be found late */
        for (int i = 0, tries = 0; i < (by_mail ? 3 : 1) && tries < 12; tries++)
            i += names_who_is_late(&machines[m], in_a_row);
        for (int i = 0, tries = 0; i < (by_mail ? 3 : 1) && tries < 12; tries++)
            i += names_who_is_late(&machines[m], before_a_barrier);
    }
    forget();
}

/* With mailboxes a processor may wait for another processor, which waits for a third one, and so on
 * to the late processor. The sentence must name the processors on the way, or the first of them. */
static void a_long_row(void **state)
{
    (void)state;
    for (int i = 0, tries = 0; i < 2 && tries < 8; tries++) {
        atomic_store(&over, 0);
        assert_int_equal(run_with(&machines[1], MOST_MEMBERS, 1, LIMIT_MS, in_a_row, NULL),
                         KP_ETIMEOUT);
        const char *sentence = report.error.sentence;
        int links = 0;
        for (const char *at = sentence; (at = strstr(at, " waits for ")) != NULL; at++)
            links++;
        if (report.error.processor != LATE &&
            strcmp(word(0, report.error.processor, "activity"), "outside") == 0)
            continue; /* the named processor had not arrived either */
        i++;
        if (report.error.processor != LATE || links > 8 || links == 1 ||
            (links < 8 && strstr(sentence, "so on")))
            fail_msg("%d links: %s", links, sentence);
    }
    forget();
}

/* --- Processors that wait in a circle while another processor does something else --- */

/* Processors 0 and 2 wait for each other. TWO_CALLS: they wait in two broadcasts. CALL_AND_BARRIER:
 * one waits in a broadcast, the other at the barrier. BEFORE_A_BARRIER: they wait in two broadcasts
 * of the group {0, 2, 3}, while processor 3 waits for both at the barrier of this group. The late
 * processor is not a member of the group. */
enum circle {
    TWO_CALLS,
    CALL_AND_BARRIER,
    BEFORE_A_BARRIER
};

static int go_in_a_circle(kp_proc *self, void *arg)
{
    enum circle circle = *(enum circle *)arg;
    unsigned char data[8] = {0};
    int me = kp_processor(self), root = me == 0 ? 2 : 0, status;
    bool meets = (circle == CALL_AND_BARRIER && me == 2) || (circle == BEFORE_A_BARRIER && me == 3);
    kp_group *group = kp_world(self);
    come_late(self);
    if (circle == BEFORE_A_BARRIER) {
        if (me == LATE)
            return 0;
        NEED(self, kp_group_create(self, (int[]){0, 2, 3}, 3, &group) == KP_OK);
        root = me == 0 ? 1 : 0;
    }
    /* The processor that is to give up first must begin to wait first. */
    if (circle == CALL_AND_BARRIER ? me == 2 : circle == BEFORE_A_BARRIER && me != 3)
        nap(LIMIT_MS * 500L);
    status = meets ? kp_barrier(group) : kp_broadcast(group, data, sizeof data, root, NULL);
    atomic_store(&over, 1);
    return keep(self, status);
}

static void a_circle_is_told_as_one(void **state)
{
    (void)state;
    for (size_t i = 0; i < 3 * MACHINES; i++) {
        const struct machine *on = &machines[i % MACHINES];
        enum circle circle = (enum circle)(i / MACHINES);
        if (!can_be(on) || on->discipline != KP_ROUNDS_BY_MAILBOXES ||
            (on->workers > 0 && circle != TWO_CALLS)) /* a fiber must not sleep */
            continue;
        atomic_store(&over, 0);
        assert_int_equal(run_with(on, MEMBERS, 3, LIMIT_MS, go_in_a_circle, &circle), KP_ETIMEOUT);
        const char *sentence = report.error.sentence;
        int about = report.error.processor;
        /* On a busy computer another processor may give up first. */
        bool back = strstr(sentence, "2 waits for 0") || strstr(sentence, "2 waits for 3");
        bool tells = (strstr(sentence, "0 waits for 2") && back) ||
                     (circle == CALL_AND_BARRIER && strstr(sentence, "in kp_barrier")) ||
                     (circle == BEFORE_A_BARRIER && strstr(sentence, " for processors 0, 2"));
        if (!tells)
            fail_msg("case %d, %d: %s", (int)circle, about, sentence);
        assert_true(is_concerned(0, about));
    }
    forget();
}

/* --- A member that refuses its arguments --- */

#define WRONG 2

static int refused_buffer(kp_proc *self)
{
    unsigned char out[8] = {0}, in[8 * MEMBERS];
    return kp_concat(kp_world(self), out, kp_processor(self) == WRONG ? NULL : in, 8, NULL);
}

static int refused_counts(kp_proc *self)
{
    unsigned char out[8] = {0}, in[8 * MEMBERS];
    const size_t counts[MEMBERS] = {8, 8, 8, 8}, displacements[MEMBERS] = {0, 8, 16, 24};
    return kp_concatv(kp_world(self), out, 8, kp_processor(self) == WRONG ? NULL : in, counts,
                      displacements, NULL);
}

static int refused_round(kp_proc *self)
{
    kp_outgoing out = {.port = 7, .peer = 0};
    return kp_exchange(kp_world(self), &out, kp_processor(self) == WRONG, NULL, 0);
}

static int refused_parcels(kp_proc *self)
{
    kp_arrivals arrivals;
    kp_parcel parcel = {.to = 0};
    int status =
        kp_route(kp_world(self), kp_processor(self) == WRONG ? NULL : &parcel, 1, &arrivals, NULL);
    if (!status)
        kp_route_free(&arrivals);
    return status;
}

/* One member finds that the lengths differ, and all members get its error. */
static int other_lengths(kp_proc *self)
{
    unsigned char out[8] = {0}, in[8 * MEMBERS];
    size_t counts[MEMBERS] = {8, 8, 8, 8}, displacements[MEMBERS] = {0, 8, 16, 24};
    if (kp_processor(self) == WRONG)
        counts[0] = 4;
    return kp_concatv(kp_world(self), out, 8, in, counts, displacements, NULL);
}

static const struct refusal {
    int (*call)(kp_proc *self);
    int own, others, peer; /* status of the member WRONG, of the others; the peer in the record */
} refusals[] = {
    {refused_buffer, KP_EARGUMENT, KP_EPEER, -1},   {refused_counts, KP_EARGUMENT, KP_EPEER, -1},
    {refused_round, KP_EPORT, KP_EPEER, 0},         {refused_parcels, KP_EARGUMENT, KP_EPEER, -1},
    {other_lengths, KP_EMISMATCH, KP_EMISMATCH, 0},
};

static int refuse_one(kp_proc *self, void *arg)
{
    const struct refusal *row = arg;
    keep(self, row->call(self));
    return 0;
}

static void who_was_refused_is_named_to_all(void **state)
{
    (void)state;
    for (size_t i = 0; i < MACHINES * (sizeof refusals / sizeof refusals[0]); i++) {
        const struct machine *on = &machines[i % MACHINES];
        struct refusal row = refusals[i / MACHINES];
        if (!can_be(on))
            continue;
        (void)run_with(on, MEMBERS, 2, 0, refuse_one, &row);
        for (int p = 0; p < MEMBERS; p++) {
            const struct outcome *seen = &outcomes[p];
            if (seen->status != (p == WRONG ? row.own : row.others) ||
                seen->error.processor != WRONG || seen->error.peer != row.peer)
                fail_msg("row %d, processor %d: status %d about %d and %d: %s", (int)(i / MACHINES),
                         p, seen->status, seen->error.processor, seen->error.peer,
                         seen->error.sentence);
        }
        /* A call that kp_route refuses is no failure of the machine, so there may be no
         * diagnosis. */
        if (times > 0 && !is_concerned(0, WRONG))
            fail_msg("row %d: %s", (int)(i / MACHINES), told[0].text);
        if (times > 0 && row.own == KP_EMISMATCH && !is_concerned(0, row.peer))
            fail_msg("row %d: %s", (int)(i / MACHINES), told[0].text);
    }
    forget();
}

/* --- Messages: `processor` is the caller, `peer` the other side --- */

static int one_message(kp_proc *self, size_t sent, size_t expected, bool sends, bool takes)
{
    unsigned char out[16] = {0}, in[16];
    int me = kp_processor(self);
    const kp_outgoing outgoing = {.port = 1, .peer = 3, .data = out, .bytes = sent};
    kp_incoming incoming = {.port = 1, .peer = 0, .data = in, .bytes = expected};
    int status =
        kp_exchange(kp_world(self), &outgoing, me == 0 && sends, &incoming, me == 3 && takes);
    return status ? status : kp_barrier(kp_world(self));
}

static int none_sent(kp_proc *self)
{
    return one_message(self, 8, 8, false, true);
}

static int too_long(kp_proc *self)
{
    return one_message(self, 16, 8, true, true);
}

static int none_taken(kp_proc *self)
{
    return one_message(self, 8, 8, true, false);
}

/* kp_route, which makes other calls, reports a message that nobody took. */
static int none_taken_before(kp_proc *self)
{
    unsigned char byte = 0;
    const kp_outgoing outgoing = {.port = 1, .peer = 3, .data = &byte, .bytes = 1};
    kp_arrivals arrivals;
    int status = kp_exchange(kp_world(self), &outgoing, kp_processor(self) == 0, NULL, 0);
    status = status ? status : kp_route(kp_world(self), NULL, 0, &arrivals, NULL);
    kp_route_free(&arrivals);
    return status;
}

/* Two members make different calls. */
static int other_bytes(kp_proc *self)
{
    unsigned char data[16] = {0};
    return kp_broadcast(kp_world(self), data, kp_processor(self) == 3 ? 4 : 8, 0, NULL);
}

static const struct meeting {
    int (*call)(kp_proc *self);
    int status, processor, peer; /* the expected error record of `processor` */
} meetings[] = {
    {none_sent, KP_EMISSING, 3, 0},    {too_long, KP_ELENGTH, 3, 0},
    {none_taken, KP_EUNTAKEN, 0, 3},   {none_taken_before, KP_EUNTAKEN, 0, 3},
    {other_bytes, KP_EMISMATCH, 0, 3},
};

static int meet(kp_proc *self, void *arg)
{
    const struct meeting *row = arg;
    keep(self, row->call(self));
    return 0;
}

static void both_sides_are_named(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof meetings / sizeof meetings[0]; i++) {
        struct meeting row = meetings[i];
        (void)run_with(&machines[0], MEMBERS, 3, 0, meet, &row);
        const struct outcome *seen = &outcomes[row.processor];
        if (seen->status != row.status || seen->error.processor != row.processor ||
            seen->error.peer != row.peer)
            fail_msg("row %d: status %d about %d and %d: %s", (int)i, seen->status,
                     seen->error.processor, seen->error.peer, seen->error.sentence);
    }
    forget();
}

/* --- A processor that is gone, has failed, or waits in a circle --- */

enum way {
    RETURNS,
    FAILS,
    CIRCLES
};

static int leave(kp_proc *self, void *arg)
{
    enum way way = *(enum way *)arg;
    int me = kp_processor(self), pair[2] = {WRONG, 3};
    kp_group *group;
    if (me == WRONG && way == RETURNS)
        return 0;
    if (me == WRONG && way == FAILS)
        return kp_fail(self, "as planned");
    if (me == WRONG) {
        NEED(self, kp_group_create(self, pair, 2, &group) == KP_OK);
        return keep(self, kp_barrier(group));
    }
    return keep(self, kp_barrier(kp_world(self)));
}

static void who_is_gone_is_named_to_all(void **state)
{
    (void)state;
    static const int statuses[] = {KP_ELOST, KP_EFAILED, KP_EDEADLOCK};
    for (size_t i = 0; i < MACHINES * 3; i++) {
        const struct machine *on = &machines[i % MACHINES];
        enum way way = (enum way)(i / MACHINES);
        if (!can_be(on))
            continue;
        assert_int_not_equal(run_with(on, MEMBERS, 2, 0, leave, &way), KP_OK);
        for (int p = 0; p < MEMBERS; p++) {
            const kp_error_record *error = &outcomes[p].error;
            bool named = error->processor == WRONG || (way == CIRCLES && error->processor == 3);
            if (p != WRONG && (error->status != statuses[way] || !named || error->peer != -1))
                fail_msg("processor %d: status %d about %d and %d: %s", p, error->status,
                         error->processor, error->peer, error->sentence);
        }
    }
    forget();
}

/* --- What the sentence says of an end --- */

/* Stores the line of a call of kport that follows on the same line. */
static atomic_int line_before, line_of_wait;
#define AT_LINE(line) atomic_store(&(line), __LINE__)

static void assert_says(const char *text, atomic_int *line)
{
    char place[200];
    snprintf(place, sizeof place, "%s (%s:%d)", text, __FILE__, line ? atomic_load(line) : 0);
    if (!strstr(report.error.sentence, line ? place : text))
        fail_msg("\"%s\" is not in: %s", line ? place : text, report.error.sentence);
}

static int forget_the_last_call(kp_proc *self, void *arg)
{
    char byte = 0;
    (void)arg;
    int status = (AT_LINE(line_before), kp_barrier(kp_world(self)));
    if (status || kp_processor(self) == WRONG)
        return status;
    return AT_LINE(line_of_wait), kp_broadcast(kp_world(self), &byte, 1, WRONG, NULL);
}

static void a_forgotten_call_is_told_with_both_places(void **state)
{
    (void)state;
    for (size_t i = 0; i < MACHINES; i++) {
        char waits[60], ended[80];
        if (!can_be(&machines[i]))
            continue;
        assert_int_equal(run_with(&machines[i], MEMBERS, 1, 0, forget_the_last_call, NULL),
                         KP_ELOST);
        snprintf(waits, sizeof waits, "broadcast:n=4,k=1,b=1,root=%d,alg=tree", WRONG);
        snprintf(ended, sizeof ended, "processor %d has ended its program after its last call",
                 WRONG);
        assert_says(waits, &line_of_wait);
        assert_says(ended, &line_before);
        assert_int_equal(strncmp(report.error.sentence, "processor ", 10), 0);
    }
    forget();
}

/* One processor returns the status of a text that could not be read. With `arg` it returns the same
 * status, but there is no text. */
static int cannot_read(kp_proc *self, void *arg)
{
    kp_hints hints;
    if (kp_processor(self) == WRONG)
        return arg ? KP_EALGORITHM : kp_hints_parse(KP_INDEX, "quick", &hints);
    return keep(self, kp_barrier(kp_world(self)));
}

/* A run that does not begin has its sentence in the report, too. */
static void a_refused_run_is_reported(void **state)
{
    (void)state;
    const kp_config config = {.processors = 2, .ports = 1};
    assert_int_equal(kp_run(&config, NULL, NULL, &report), KP_EARGUMENT);
    assert_int_equal(report.error.status, KP_EARGUMENT);
    assert_string_equal(report.error.sentence, "program is NULL; it must be a function");
}

static void the_sentence_of_a_returned_status_is_told(void **state)
{
    (void)state;
    char begins[120], alone[120];
    snprintf(alone, sizeof alone, "processor %d's program returned -5", WRONG);
    snprintf(begins, sizeof begins,
             "processor %d's program returned -5 (there is no such algorithm or parameter)", WRONG);
    for (size_t i = 0; i < MACHINES; i++) {
        kp_machine *machine;
        kp_config config = {.processors = MEMBERS,
                            .carrier = machines[i].carrier,
                            .workers = machines[i].workers,
                            .discipline = machines[i].discipline,
                            .on_failure = hear};
        if (!can_be(&machines[i]))
            continue;
        forget();
        assert_int_equal(kp_machine_create(&config, &machine), 0);
        assert_int_equal(kp_machine_run(machine, cannot_read, NULL, &report), KP_EALGORITHM);
        assert_says(begins, NULL);
        assert_says("): alg is 'quick'; for index it may be ", NULL);
        assert_outcome(0, KP_EFAILED, WRONG);
        assert_non_null(strstr(outcomes[0].error.sentence, "alg is 'quick'"));
        /* The sentence of an earlier run is not that of the next one, and -5 may be a number of the
         * program's own. */
        assert_int_equal(kp_machine_run(machine, cannot_read, "none", &report), KP_EALGORITHM);
        assert_string_equal(report.error.sentence, alone);
        assert_non_null(strstr(told[times - 1].text, alone));
        assert_null(strstr(told[times - 1].text, "no such algorithm"));
        assert_int_equal(kp_machine_destroy(machine), 0);
    }
    forget();
}

/* --- A sentence that is too long --- */

static int says_much(kp_proc *self, void *arg)
{
    char text[1200] = "";
    for (int i = 0; strlen(text) < sizeof text - 40; i++)
        snprintf(text + strlen(text), 40, "clause number %d%s", i, (const char *)arg);
    return kp_fail(self, text);
}

static void a_long_sentence_ends_after_a_clause(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        char between[] = "; ";
        between[0] = i == 0 ? ';' : ',';
        assert_int_equal(run_with(&machines[0], 1, 1, 0, says_much, between), KP_EFAILED);
        const char *sentence = report.error.sentence;
        const size_t length = strlen(sentence);
        /* Without a clause to end after, the sentence is as long as it can be. */
        assert_true(i == 0 ? length < sizeof report.error.sentence - 1
                           : length == sizeof report.error.sentence - 1);
        assert_string_equal(sentence + length - 3, "...");
        assert_int_equal(strncmp(sentence + length - 5, "; ", 2) == 0, i == 0);
    }
}

int main(int argc, char **argv)
{
    read_level(argc, argv);
    const struct CMUnitTest tests[] = {
        TEST(who_is_late_is_named_by_those_behind),
        TEST(a_long_row),
        TEST(a_circle_is_told_as_one),
        TEST(who_was_refused_is_named_to_all),
        TEST(both_sides_are_named),
        TEST(who_is_gone_is_named_to_all),
        TEST(a_forgotten_call_is_told_with_both_places),
        TEST(a_refused_run_is_reported),
        TEST(the_sentence_of_a_returned_status_is_told),
        TEST(a_long_sentence_ends_after_a_clause),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
