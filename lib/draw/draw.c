/* Draws the head and the rounds of a picture. tree.c and memory.c draw the other parts. The rounds
 * are drawn as arrows if the pen can draw arrows, otherwise as a table. */
#include "lib/draw/drawing.h"

#include "kport/model.h"
#include "lib/problem/operation.h"
#include "ports/port.h"

#include <string.h>

static int64_t bytes_of(const struct kp_drawing *d, const kp_message *m)
{
    return m->units * (kp_draw_bytes_of_block(d) / kp_schedule_unit_of_block(d->schedule));
}

/* --- The rounds as a table --- */

/* Writes the receiver of a message. In a schedule without a symmetry this is a number. In a
 * schedule with a symmetry it is a formula in which i is the sender. */
static void receiver(const struct kp_drawing *d, const kp_message *m)
{
    static const char *const forms[] = {[KP_NO_SYMMETRY] = "%d",
                                        [KP_CYCLIC] = "i + %d",
                                        [KP_DIGITS] = "i (+) %d",
                                        [KP_XOR] = "i xor %d"};
    char text[32];
    snprintf(text, sizeof text, forms[d->problem->algorithm->symmetry], m->peer);
    kp_draw_word(d, text);
}

static void tabulate_sends(const struct kp_drawing *d, int rank, int round)
{
    bool split = kp_schedule_unit_of_block(d->schedule) > 1;
    for (int i = 0; i < kp_schedule_sends(d->schedule, rank, round); i++) {
        kp_message m = kp_schedule_send(d->schedule, rank, round, i);
        kp_draw_number(d, round);
        kp_draw_number(d, m.port);
        if (d->problem->algorithm->symmetry == KP_NO_SYMMETRY)
            kp_draw_number(d, rank);
        else
            kp_draw_word(d, "i");
        receiver(d, &m);
        if (!split)
            kp_draw_number(d, m.units);
        kp_draw_number(d, bytes_of(d, &m));
        kp_draw_end_row(d);
    }
}

static void explain_symmetry(const struct kp_drawing *d)
{
    if (d->problem->algorithm->symmetry == KP_CYCLIC)
        kp_draw_line(d, "i is every processor; sums are modulo %d", d->problem->n);
    if (d->problem->algorithm->symmetry == KP_DIGITS)
        kp_draw_line(d, "i is every processor; (+) adds the digits in radix %d, without carries",
                     d->problem->k + 1);
    if (d->problem->algorithm->symmetry == KP_XOR)
        kp_draw_line(d, "i is every processor; xor is bit by bit");
}

static void tabulate_rounds(const struct kp_drawing *d)
{
    static const char *const headings[] = {"round", "port", "from", "to", "blocks", "bytes"};
    bool split = kp_schedule_unit_of_block(d->schedule) > 1;
    int stored = d->problem->algorithm->symmetry == KP_NO_SYMMETRY ? d->problem->n : 1;
    d->pen->begin_grid(d->pen->to);
    for (size_t i = 0; i < sizeof headings / sizeof headings[0]; i++) {
        if (!split || i != 4)
            kp_draw_word(d, headings[i]);
    }
    kp_draw_end_row(d);
    for (int round = 0; round < d->rounds; round++) {
        for (int rank = 0; rank < stored; rank++)
            tabulate_sends(d, rank, round);
    }
    d->pen->end_grid(d->pen->to);
    explain_symmetry(d);
}

/* --- The rounds as arrows --- */

static int messages_in(const struct kp_drawing *d, int round, int senders)
{
    int count = 0;
    for (int rank = 0; rank < senders; rank++)
        count += kp_schedule_sends(d->schedule, rank, round);
    return count;
}

/* Returns the number of messages in all rounds that are drawn. */
static int64_t count_messages(const struct kp_drawing *d)
{
    int64_t all = 0;
    for (int round = 0; round < d->rounds; round++)
        all += messages_in(d, round, d->problem->n);
    return all;
}

/* Returns for how many processors the messages are drawn: all, or only processor 0. Processor 0
 * stands for all processors if the schedule has a symmetry and too many messages. */
static int drawn_senders(const struct kp_drawing *d)
{
    bool crowded = count_messages(d) > KP_DRAW_ARROWS;
    for (int round = 0; round < d->rounds; round++)
        crowded |= messages_in(d, round, d->problem->n) > KP_DRAW_CROWD;
    return crowded && d->problem->algorithm->symmetry != KP_NO_SYMMETRY ? 1 : d->problem->n;
}

static void limit_rounds(struct kp_drawing *d)
{
    int64_t all = 0;
    if (!d->pen->begin_arrows)
        return;
    d->rounds = d->rounds < KP_DRAW_ROUNDS ? d->rounds : KP_DRAW_ROUNDS;
    int senders = drawn_senders(d);
    for (int round = 0; round < d->rounds; round++) {
        all += messages_in(d, round, senders);
        if (all > KP_DRAW_ARROWS)
            d->rounds = round;
    }
}

static void tell_senders(const struct kp_drawing *d)
{
    static const char *const receivers[] = {
        [KP_CYCLIC] = "i + x", [KP_DIGITS] = "i (+) x", [KP_XOR] = "i xor x"};
    kp_draw_line(d, "only what processor 0 sends is drawn: 0 to x stands for i to %s",
                 receivers[d->problem->algorithm->symmetry]);
    explain_symmetry(d);
}

static void draw_arrows(const struct kp_drawing *d)
{
    int senders = drawn_senders(d);
    struct kp_diagram diagram = {.n = d->problem->n,
                                 .k = d->problem->k,
                                 .rounds = d->rounds,
                                 .root = KP_DRAW_NO_TREE,
                                 .mark = d->mark};
    d->pen->begin_arrows(d->pen->to, &diagram);
    for (int round = 0; round < d->rounds; round++) {
        for (int rank = 0; rank < senders; rank++) {
            for (int i = 0; i < kp_schedule_sends(d->schedule, rank, round); i++) {
                kp_message m = kp_schedule_send(d->schedule, rank, round, i);
                struct kp_arrow arrow = {round, m.port, rank, m.peer, bytes_of(d, &m)};
                d->pen->arrow(d->pen->to, &arrow);
            }
        }
    }
    d->pen->end_arrows(d->pen->to);
    if (senders < d->problem->n)
        tell_senders(d);
}

/* --- The picture --- */

static void draw_head(const struct kp_drawing *d)
{
    char text[256];
    kp_problem_format(d->problem, text, sizeof text);
    kp_cost cost = kp_schedule_cost(d->schedule, d->problem->b);
    d->pen->section(d->pen->to, text);
    kp_draw_line(d, "C1 = %llu rounds, C2 = %llu bytes; %llu messages, %llu bytes in all",
                 (unsigned long long)cost.c1, (unsigned long long)cost.c2,
                 (unsigned long long)cost.messages, (unsigned long long)cost.bytes);
}

/* Writes what is wrong, in lines of up to LINE characters. */
#define LINE 110

static void tell_mark(const struct kp_drawing *d)
{
    const char *at = d->mark && d->mark->sentence ? d->mark->sentence : "";
    for (const char *lead = "wrong: "; *at; lead = "") {
        size_t length = strlen(at), end = length;
        for (end = length > LINE ? LINE : length; end < length && end > 0 && at[end] != ' ';)
            end--;
        end = end > 0 ? end : length > LINE ? LINE : length;
        kp_draw_line(d, "%s%.*s", lead, (int)end, at);
        at += end + (at[end] == ' ');
    }
}

/* Returns KP_OK if the schedule can be drawn. Otherwise sets the error and returns its status. */
static int refuse(const struct kp_drawing *d, int tree)
{
    const kp_problem *p = d->problem;
    if (tree != KP_DRAW_NO_TREE && p->n > KP_DRAW_TREE_N)
        return kp_set_error(KP_EPROBLEM, "n is %d; data are followed among up to %d processors",
                            p->n, KP_DRAW_TREE_N);
    if (tree != KP_DRAW_NO_TREE && (tree < 0 || tree >= p->n))
        return kp_set_error(KP_EARGUMENT, "the tree is that of processor %d; it may be 0 ... %d",
                            tree, p->n - 1);
    if (tree != KP_DRAW_NO_TREE && !kp_operation_holds(p, tree, KP_OUT))
        return kp_set_error(
            KP_EARGUMENT,
            "the tree is that of processor %d, which has no data in this %s; it may "
            "be %d, the root",
            tree, kp_operation_name(p->operation), p->root);
    if (d->rounds < kp_schedule_rounds(d->schedule) && d->rounds < KP_DRAW_ROUNDS &&
        count_messages(d) == 0)
        return kp_set_error(KP_EPROBLEM, "round %d has %d messages; a picture has up to %d",
                            d->rounds, messages_in(d, d->rounds, p->n), KP_DRAW_ARROWS);
    return KP_OK;
}

int kp_draw(const kp_schedule *schedule, int tree, const struct kp_mark *mark,
            const struct kp_pen *pen)
{
    struct kp_drawing d = {.pen = pen,
                           .schedule = schedule,
                           .problem = kp_schedule_problem(schedule),
                           .rounds = kp_schedule_rounds(schedule),
                           .mark = mark};
    limit_rounds(&d);
    int status = refuse(&d, tree);
    if (status)
        return status;
    draw_head(&d);
    tell_mark(&d);
    if (d.rounds > 0 || mark) {
        pen->section(pen->to, "");
        if (pen->begin_arrows)
            draw_arrows(&d);
        else
            tabulate_rounds(&d);
        kp_draw_tell_rounds(&d);
    }
    if (tree != KP_DRAW_NO_TREE)
        status = kp_draw_tree(&d, tree);
    return status || d.problem->n > KP_DRAW_MEMORY_N ? status : kp_draw_memory(&d);
}
