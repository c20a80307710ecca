/* Tests what is told of wrong schedules: the block that goes astray first, where, and its way so
 * far; and the mark in the picture. Each algorithm is wrong in one way. */
#include "tests/common/schedule_common.h"

#include "lib/check/account.h"
#include "lib/draw/draw.h"
#include "lib/schedule/schedule_data.h"

/* The name of the fault. */
static const char *fault;

static int wrong(const char *name)
{
    return strcmp(fault, name) == 0;
}

/* --- A concatenation around a ring, a block in a round --- */

static int build_ring(kp_builder *b, const kp_problem *p)
{
    int next = (p->rank + 1) % p->n, before = (p->rank + p->n - 1) % p->n;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int round = 0; round < p->n - 1; round++) {
        int out = (p->rank + p->n - round) % p->n, in = (before + p->n - round) % p->n;
        int here = p->rank == 1 && round == 1;
        if (here && wrong("too early"))
            out = 3;
        if (here && wrong("wrong place"))
            in = 2;
        if (wrong("wrong block") && p->rank == 1 && round == 2)
            out = 0;
        if (wrong("overwritten") && p->rank == 3 && round == 2)
            in = 2;
        kp_build_round(b);
        if (!(here && wrong("no send"))) {
            kp_build_send(b, here && wrong("no port") ? 4 : 0, next);
            kp_build_piece(b, kp_run_of(KP_IN, out, here && wrong("length") ? 2 : 1));
        }
        if (here && wrong("no receive"))
            continue;
        kp_build_receive(b, 0, before);
        kp_build_piece(b, kp_run_of(KP_IN, here && wrong("clash") ? out : in, 1));
    }
    return KP_OK;
}

static const kp_algorithm ring = {.operation = KP_CONCAT, .name = "wrong", .build = build_ring};

/* --- An index in which each block goes straight to its receiver --- */

static int build_straight(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, 1);
    kp_build_move(b, kp_run_of(KP_OUT, p->rank, 1), kp_run_of(KP_IN, p->rank, 1));
    for (int i = 1; i < p->n; i++) {
        int to = (p->rank + i) % p->n, from = (p->rank + p->n - i) % p->n;
        int here = p->rank == 1 && i == 1;
        int later = (p->rank == 2 && i == 2) || (p->rank == 0 && i == 3);
        int wrongly = (here && wrong("for another")) || ((here || later) && wrong("three of them"));
        kp_build_round(b);
        kp_build_send(b, 0, to);
        if (wrong("all lengths"))
            kp_build_piece(b, kp_run_of(KP_OUT, 0, 2));
        else
            kp_build_piece(b, kp_run_of(KP_OUT, wrongly ? (to + 1) % p->n : to, !wrong("empty")));
        kp_build_receive(b, 0, from);
        kp_build_piece(b, here && wrong("left in scratch") ? kp_run_of(KP_SCRATCH, 0, 1)
                                                           : kp_run_of(KP_IN, from, 1));
    }
    return KP_OK;
}

static const kp_algorithm straight = {
    .operation = KP_INDEX, .name = "wrong", .build = build_straight};

/* --- A gather in one round, by which messages and ports are confused --- */

static void send_block(kp_builder *b, int port, int to)
{
    kp_build_send(b, port, to);
    kp_build_piece(b, kp_run_of(KP_OUT, 0, 1));
}

static int build_gathered(kp_builder *b, const kp_problem *p)
{
    if (p->rank == 0)
        kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    kp_build_round(b);
    if (p->rank > 0)
        send_block(b, 0, 0);
    if (p->rank == 2 && (wrong("two messages") || wrong("received twice")))
        send_block(b, 1, 0);
    if (p->rank == 2 && wrong("a port twice"))
        send_block(b, 0, 1);
    if (p->rank == 1 && wrong("to itself"))
        send_block(b, 1, 1);
    for (int i = 1; i < p->n && p->rank == 0; i++) {
        kp_build_receive(b, wrong("a port twice here") ? 0 : i - 1, i);
        kp_build_piece(b, kp_run_of(KP_IN, i, 1));
        if (i == 2 && wrong("received twice")) {
            kp_build_receive(b, 2, i);
            kp_build_piece(b, kp_run_of(KP_IN, i + 1, 1));
            break;
        }
    }
    return KP_OK;
}

static const kp_algorithm gathered = {
    .operation = KP_GATHER, .name = "wrong", .build = build_gathered};

/* --- An allreduce at processor 0, which sends the sum to all --- */

static int build_sum(kp_builder *b, const kp_problem *p)
{
    kp_build_move(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1));
    for (int i = 1; i < p->n; i++) {
        int leaves_out = wrong("lacks") && i == 2;
        kp_build_round(b);
        if (p->rank == 0 && !leaves_out) {
            kp_build_combine(b, 0, i, KP_RIGHT);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        } else if (p->rank == i && !leaves_out) {
            kp_build_send(b, 0, 0);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
        if (wrong("folded twice") && i == 3 && p->rank == 0)
            kp_build_fold(b, kp_run_of(KP_OUT, 0, 1), kp_run_of(KP_IN, 0, 1), KP_LEFT);
        if (wrong("twice") && i == 1 && p->rank == 2) {
            kp_build_combine(b, 0, 3, KP_RIGHT);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        } else if (wrong("twice") && i == 1 && p->rank == 3) {
            kp_build_send(b, 0, 2);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
    }
    for (int i = 1; i < p->n; i++) {
        kp_build_round(b);
        if (p->rank == 0) {
            kp_build_send(b, 0, i);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        } else if (p->rank == i) {
            kp_build_receive(b, 0, 0);
            kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
        }
    }
    return KP_OK;
}

/* A reduce whose result stays in scratch, or counts what does not belong there. */
static int build_left_over(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, 1);
    kp_build_round(b);
    if (p->rank == 1) {
        send_block(b, 0, 0);
    } else if (p->rank == 0) {
        kp_build_combine(b, 0, 1, KP_RIGHT);
        kp_build_piece(b, kp_run_of(KP_SCRATCH, 0, 1));
        kp_build_operand(b, kp_run_of(KP_OUT, 0, 1));
    }
    return KP_OK;
}

static const kp_algorithm left_over = {
    .operation = KP_REDUCE, .name = "wrong", .build = build_left_over};

/* An exclusive scan in which a processor gets its own operand too. */
static int build_own_too(kp_builder *b, const kp_problem *p)
{
    kp_build_round(b);
    if (p->rank == 0)
        send_block(b, 0, 1);
    if (p->rank != 1)
        return KP_OK;
    kp_build_combine(b, 0, 0, KP_RIGHT);
    kp_build_piece(b, kp_run_of(KP_IN, 0, 1));
    kp_build_operand(b, kp_run_of(KP_OUT, 0, 1));
    return KP_OK;
}

static const kp_algorithm own_too = {
    .operation = KP_SCAN_EXCLUSIVE, .name = "wrong", .build = build_own_too};

static const kp_algorithm sum = {.operation = KP_ALLREDUCE, .name = "wrong", .build = build_sum};

/* --- A broadcast, whose blocks are split in two packets; and an allreduce of two --- */

static int splits(const kp_problem *p)
{
    return p->b > 1;
}

static int build_halves_apart(kp_builder *b, const kp_problem *p)
{
    int64_t half = (int64_t)p->b / 2;
    for (int round = 0; round < 2; round++) {
        int64_t first = wrong("same half twice") ? 0 : round * half;
        for (int i = 1; i < p->n; i++) {
            kp_build_round(b);
            if (p->rank == 0) {
                kp_build_send(b, 0, i);
                kp_build_piece(b, kp_run_of(KP_OUT, first, half));
            } else if (p->rank == i) {
                kp_build_receive(b, 0, 0);
                kp_build_piece(b, kp_run_of(KP_IN, first, half));
            }
        }
    }
    return KP_OK;
}

static const kp_algorithm apart = {
    .operation = KP_BROADCAST, .name = "wrong", .splits = splits, .build = build_halves_apart};

static int build_crossed(kp_builder *b, const kp_problem *p)
{
    int64_t half = 1, other = 1 - p->rank;
    int crossed = wrong("mixed") && p->rank == 1;
    kp_build_move(b, kp_run_of(KP_OUT, 0, 2 * half), kp_run_of(KP_IN, 0, 2 * half));
    if (wrong("moves into out"))
        kp_build_move(b, kp_run_of(KP_IN, 0, half), kp_run_of(KP_OUT, half, half));
    kp_build_round(b);
    kp_build_send(b, 0, (int)other);
    kp_build_piece(b, kp_run_of(KP_OUT, 0, half));
    kp_build_piece(b, kp_run_of(KP_OUT, half, half));
    kp_build_combine(b, 0, (int)other, p->rank == 0 && !wrong("order") ? KP_RIGHT : KP_LEFT);
    kp_build_piece(b, kp_run_of(KP_IN, crossed ? half : 0, half));
    kp_build_piece(b, kp_run_of(KP_IN, crossed ? 0 : half, half));
    return KP_OK;
}

static const kp_algorithm crossed = {
    .operation = KP_ALLREDUCE, .name = "wrong", .splits = splits, .build = build_crossed};

/* --- The accounts --- */

#define MARK(ROUND, FROM, TO, PORT, MISSING, ROUNDS)                                               \
    {                                                                                              \
        .round = ROUND, .from = FROM, .to = TO, .port = PORT, .missing = MISSING, .rounds = ROUNDS \
    }

/* Two messages of a round, of which the second is not drawn as missing. */
#define MARK2(ROUND, FROM, TO, PORT, OTHER_FROM, OTHER_TO, OTHER_PORT)                             \
    {                                                                                              \
        .round = ROUND, .from = FROM, .to = TO, .port = PORT, .rounds = ROUND, .has_other = true,  \
        .other_from = OTHER_FROM, .other_to = OTHER_TO, .other_port = OTHER_PORT                   \
    }

static const struct planted {
    const char *fault;
    const kp_algorithm *algorithm;
    struct kp_mark mark;
    const char *says[3]; /* parts of the account or the sentence; none: there is no fault */
    int n;               /* 0: 4 */
    const kp_operator *op;
} planted[] = {
    {"none", &ring, {0}, {NULL}, 0, NULL},
    {"none", &straight, {0}, {NULL}, 0, NULL},
    {"all lengths",
     &straight,
     MARK(0, 0, 1, 0, false, 0),
     {"round 0: processor 0 sends 2 blocks to 1 on port 0, which expects 1",
      "0 sends to 1 (2 blocks, port 0).\nIn round 0 processor 1 receives from 0 (1 block, port 0)"},
     0,
     NULL},
    {"empty", &straight, MARK(0, 0, 1, 0, false, 0), {"at least one block.\n"}, 0, NULL},
    {"none", &sum, {0}, {NULL}, 0, NULL},
    {"none", &apart, {0}, {NULL}, 0, NULL},
    {"none", &crossed, {0}, {NULL}, 2, NULL},
    {"too early",
     &ring,
     MARK(1, 1, 2, 0, false, 1),
     {"Nothing has come to place 3 of in of processor 1 before. It is filled by the message from "
      "processor 0 in round 1.\n",
      "At processor 1 there are:\n  place 0 of in: the block of processor 0\n",
      "The rule: A round"},
     0,
     NULL},
    {"wrong place",
     &ring,
     MARK(2, 1, 2, 0, false, 2),
     {"place 3 of in of processor 1 before. Nothing fills it later.\n",
      "at the end. Before this round processors 0, 1 and 3 have it.\n",
      "place 2 of in: the block of processor 3; at the end it belongs in place 3 of in\n"},
     0,
     NULL},
    {"wrong block",
     &ring,
     MARK(2, 1, 2, 0, false, 3),
     {"The first that goes astray is the block of processor 0: in round 2 it comes to place 3 of "
      "in "
      "at processor 2, where the block of processor 3 belongs.\n",
      "  round 0   processor 0 sends it on port 0 to processor 1, port 0: place 0 of in to place 0 "
      "of in\n  round 2   processor 1 sends it on port 0 to processor 2, port 0: place 0 of in to "
      "place 3 of in  <-- here\n",
      "is the block of processor 3, in place 3 of in at processor 2. No message takes it to this "
      "processor.\n"},
     0,
     NULL},
    {"overwritten",
     &ring,
     MARK(2, 2, 3, 0, false, 3),
     {"The first that goes astray is the block of processor 0: in round 2 it comes to place 2",
      "It came there in round 0, but was overwritten.\n"},
     0,
     NULL},
    {"no send",
     &ring,
     MARK(1, 1, 2, -1, true, 1),
     {"In round 1 processor 1 sends to nobody.\n",
      "In round 1 processor 2 receives from 1 (1 block, port 0).\n"},
     0,
     NULL},
    {"no port",
     &ring,
     MARK(1, 1, 2, 4, false, 1),
     {"The error is at the block of processor 0, in round 1 at processor 1.\n",
      "The way of the block of processor 0:\n  at first  in place 0 of out at processor 0\n",
      "  round 1   processor 1 sends it on port 4 to processor 2: wrong  <-- here\n"},
     0,
     NULL},
    {"length",
     &ring,
     MARK(1, 1, 2, 0, false, 1),
     {"processor 1 sends to 2 (2 blocks, port 0)", "processor 2 receives from 1 (1 block, port 0)",
      "  round 1   processor 1 sends it on port 0 to processor 2: wrong  <-- here\n"},
     0,
     NULL},
    {"no receive",
     &ring,
     MARK(1, 0, 1, 0, false, 1),
     {"processor 0 sends to 1 (1 block, port 0)", "processor 1 receives from nobody",
      "The way of the block of processor 3:"},
     0,
     NULL},
    {"clash",
     &ring,
     MARK(1, 0, 1, 0, false, 1),
     {"The way of the block of processor 3:", "The way of the block of processor 0:",
      "In round 1 processor 1 also sends place 0 of in on port 0 to processor 2.\n"},
     0,
     NULL},
    {"for another",
     &straight,
     MARK(0, 1, 2, 0, false, 3),
     {"The first that goes astray is the block of processor 1 for processor 3: in round 0 it comes "
      "to place 1 of in at processor 2",
      "The way of the block of processor 1 for processor 2:\n  at first  in place 2 of out at "
      "processor 1\n  it goes nowhere\n"},
     0,
     NULL},
    {"three of them",
     &straight,
     MARK(0, 1, 2, 0, false, 3),
     {"The first that goes astray is the block of processor 1 for processor 3: in round 0 it comes "
      "to place 1 of in at processor 2",
      "at the end processor 2 holds the block of processor 1 for processor 3 in place 1 of in, "
      "where the block of processor 1 for processor 2 belongs"},
     0,
     NULL},
    {"left in scratch",
     &straight,
     MARK(3, 1, 1, -1, false, 3),
     {"What is missing at the end is the block of processor 0 for processor 1, in place 0 of in at "
      "processor 1. Processor 1 has it in place 0 of scratch, but nothing moves it to that place"},
     0,
     NULL},
    {"lacks",
     &sum,
     MARK(6, 0, 0, -1, false, 6),
     {"Processor 0 combines 0+1+3\n", "The way of the operand of processor 2:"},
     0,
     NULL},
    {"twice",
     &sum,
     MARK(2, 3, 0, 0, false, 2),
     {"The way of the operand of processor 3:\n",
      "  round 0   processor 3 sends it on port 0 to processor 2, port 0: place 0 of in is "
      "combined into place 0 of in\n  round 1   processor 2 sends it on port 0 to processor 0, "
      "port "
      "0: place 0 of in is combined into place 0 of in\n"
      "  round 2   processor 0 receives it on port 0 from processor 3: wrong  <-- here\n"},
     0,
     NULL},
    {"folded twice",
     &sum,
     MARK(2, 0, 0, -1, false, 2),
     {"The error is at the operand of processor 0, in round 2 at processor 0.\n",
      "  before    processor 0 itself: place 0 of out to place 0 of in\n",
      "  round 2   processor 0 moves it: wrong  <-- here\n"},
     0,
     NULL},
    {"same half twice",
     &apart,
     MARK(6, 1, 1, -1, false, 6),
     {"What is missing at the end is the block of processor 0, bytes 4-7, in place 0 of in at "
      "processor 1. No message takes it to this processor.\n"},
     0,
     NULL},
    {"mixed",
     &crossed,
     MARK(0, 0, 1, 0, false, 0),
     {"The way of the operand of processor 0, elements 0-0:", "The rule: Element i of an operand"},
     2,
     NULL},
    {"order", &crossed, MARK(1, 0, 0, -1, false, 1), {"Processor 0 combines 1+0\n"}, 2, KP_COMPOSE},
    {"two messages",
     &gathered,
     MARK2(0, 2, 0, 1, 2, 0, 0),
     {"In round 0 processor 2 sends to 0 (1 block, port 0), 0 (1 block, port 1).\n"
      "Two of these are to processor 0: on port 0 and on port 1.\n"
      "The error is at the block of processor 2, in round 0 at processor 2.\n",
      "  it does not move before round 0\n"
      "  round 0   processor 2 sends it on port 1 to processor 0: one of these two is too many  "
      "<-- here\n"
      "  round 0   processor 2 sends it on port 0 to processor 0: one of these two is too many  "
      "<-- here\n"},
     0,
     NULL},
    {"received twice",
     &gathered,
     MARK2(0, 2, 0, 1, 2, 0, 0),
     {"In round 0 processor 2 sends to 0 (1 block, port 0), 0 (1 block, port 1).\n",
      "  round 0   processor 2 sends it on port 1 to processor 0: one of these two is too many  "
      "<-- here\n",
      "round 0: processor 2 sends two messages to 0, the second on port 1"},
     0,
     NULL},
    {"a port twice",
     &gathered,
     MARK2(0, 2, 1, 0, 2, 0, 0),
     {"Two of these are on port 0: to processor 0 and to processor 1.\n"},
     0,
     NULL},
    {"a port twice here",
     &gathered,
     MARK2(0, 2, 0, 0, 1, 0, 0),
     {"In round 0 processor 0 receives from 1 (1 block, port 0), 2 (1 block, port 0), 3 (1 block, "
      "port 0).\nTwo of these are on port 0: from processor 1 and from processor 2.\n",
      "  round 0   processor 0 receives it on port 0 from processor 2: one of these two is too "
      "many  <-- here\n",
      "  round 0   processor 0 receives it on port 0 from processor 1: one of these two is too "
      "many  <-- here\n"},
     0,
     NULL},
    {"to itself",
     &gathered,
     MARK(0, 1, 1, 1, false, 0),
     {"Within a processor data are moved, not sent.\n",
      "  round 0   processor 1 sends it on port 1 to processor 1: wrong  <-- here\n"},
     0,
     NULL},
    {"left over",
     &left_over,
     MARK(1, 0, 0, -1, false, 1),
     {"What is missing at the end is the operand of processor 1, in place 0 of in at processor 0. "
      "Processor 0 has it in place 0 of scratch, but nothing moves it to that place.\n",
      "place 0 of out is combined into place 0 of scratch\n"},
     2,
     NULL},
    {"own too",
     &own_too,
     MARK(0, 1, 1, -1, false, 1),
     {"Processor 1 combines 1+0\n",
      "What does not belong there is the operand of processor 1, in place 0 of in at processor "
      "1.\n",
      "is combined into place 0 of in  <-- here\n"},
     2,
     NULL},
    {"moves into out",
     &crossed,
     MARK(-1, 0, 0, -1, false, -1),
     {"The rule: The spaces are out"},
     2,
     NULL},
};

static int count(const char *text, const char *part)
{
    int found = 0;
    while ((text = strstr(text, part)) && ++found)
        text++;
    return found;
}

/* The picture of a wrong schedule must have one mark, or two, which the legend explains. */
static void expect_picture(const kp_schedule *schedule, const struct kp_mark *mark)
{
    char *text = NULL, legend[80];
    size_t size;
    FILE *file = open_memstream(&text, &size);
    int marks = mark ? 1 + mark->has_other : 0;
    assert_int_equal(kp_draw_svg_marked(schedule, KP_DRAW_NO_TREE, mark, file), KP_OK);
    fclose(file);
    assert_int_equal(count(text, "class=\"arrow wrong\"><title>") +
                         count(text, "class=\"arrow wrong dash1\"><title>"),
                     marks);
    assert_int_equal(count(text, ">!</text>"), marks);
    assert_int_equal(count(text, "wrong"), mark ? count(text, "wrong") : count(text, "alg=wrong"));
    if (mark && mark->from != mark->to) {
        snprintf(legend, sizeof legend, ">in round %d, from processor %d to processor %d",
                 mark->round, mark->from, mark->to);
        assert_int_equal(count(text, legend), 1);
        assert_int_equal(count(text, "(nobody sends it)"), mark->missing);
        snprintf(legend, sizeof legend, "round %d: %d to %d, port", mark->round, mark->from,
                 mark->to);
        assert_int_equal(count(text, legend), 0);
    }
    free(text);
}

static void expect_mark(const struct kp_mark *mark, const struct kp_mark *wanted)
{
    char texts[2][120];
    for (int i = 0; i < 2; i++) {
        const struct kp_mark *m = i ? wanted : mark;
        snprintf(texts[i], sizeof texts[i],
                 "round %d, %d to %d, port %d, missing %d, %d rounds; %d: %d to %d, port %d",
                 m->round, m->from, m->to, m->port, m->missing, m->rounds, m->has_other,
                 m->has_other ? m->other_from : 0, m->has_other ? m->other_to : 0,
                 m->has_other ? m->other_port : 0);
    }
    if (strcmp(texts[0], texts[1]) != 0)
        fail_msg("%s: the mark is '%s', not '%s'", fault, texts[0], texts[1]);
}

static void accounts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
        const struct planted *row = &planted[i];
        struct kp_mark mark = {0};
        kp_schedule *schedule;
        char *text = NULL;
        size_t size;
        kp_problem p = {.operation = row->algorithm->operation,
                        .n = row->n ? row->n : 4,
                        .k = row->algorithm == &gathered ? 3 : 1,
                        .b = row->op  ? 32
                             : row->n ? 16
                                      : 8,
                        .algorithm = row->algorithm,
                        .type = KP_FLOAT64,
                        .op = row->op};
        fault = row->fault;
        assert_int_equal(kp_account_build(&p, &schedule), KP_OK);
        FILE *file = open_memstream(&text, &size);
        int status = kp_account_write(schedule, false, file, &mark);
        fclose(file);
        if (status != (row->says[0] ? KP_ESCHEDULE : KP_OK))
            fail_msg("%s: status %d: %s", fault, status, kp_last_error()->sentence);
        for (int j = 0; j < 3 && row->says[j]; j++) {
            if (!strstr(text, row->says[j]) && !strstr(kp_last_error()->sentence, row->says[j]))
                fail_msg("%s: '%s' is not in\n%s", fault, row->says[j], text);
        }
        expect_mark(&mark, &row->mark);
        assert_int_equal(size > 0, status != KP_OK);
        expect_picture(schedule, status ? &mark : NULL);
        kp_schedule_free(schedule);
        free(text);
    }
}

/* --- The account that doc/manual/guides/own.md shows --- */

static const char *document;

static void documented(void **state)
{
    (void)state;
    static char contents[1 << 16];
    char *text = NULL;
    size_t size;
    struct kp_mark mark;
    kp_schedule *schedule;
    kp_problem p = {.operation = KP_CONCAT, .n = 4, .k = 1, .b = 8, .algorithm = &ring};
    FILE *file = fopen(document, "r");
    assert_non_null(file);
    assert_true(fread(contents, 1, sizeof contents - 1, file) > 0);
    fclose(file);
    fault = "wrong block";
    assert_int_equal(kp_account_build(&p, &schedule), KP_OK);
    file = open_memstream(&text, &size);
    assert_int_equal(kp_account_write(schedule, false, file, &mark), KP_ESCHEDULE);
    fclose(file);
    if (!strstr(contents, kp_last_error()->sentence) || !strstr(contents, text))
        fail_msg("%s does not show\n%s\n%s", document, kp_last_error()->sentence, text);
    kp_schedule_free(schedule);
    free(text);
}

int main(int count_of_arguments, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accounts), cmocka_unit_test(documented)};
    if (count_of_arguments != 2)
        return 2;
    document = arguments[1];
    return cmocka_run_group_tests(tests, NULL, NULL);
}
