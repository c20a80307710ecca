/* Fuzzes schedules. The target makes the list of the kp_build_ calls that write a schedule of one
 * of the algorithms, or an empty list. It changes the list in a few places: it changes ports,
 * peers, spaces and positions, or it removes, doubles, swaps or invents calls. Building and
 * checking must accept or refuse the changed schedule. An accepted schedule is executed on fibers
 * in a fixed order, and every byte must be right. */
#include "fuzz.h"

#include "kport/error.h"
#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/schedule/schedule_data.h"
#include "tools/kport/run/measure.h"

#include <stdbool.h>
#include <string.h>

#define MOST_N     6
#define MOST_STEPS 400
#define MOST_UNITS 4096 /* schedules with more units of scratch are not executed */
#define REPEATS    3    /* a repeated call is carried out by other code than the first call */

/* --- What is stored of one processor in a schedule, as the list of calls that write it --- */

enum kind {
    ROUND,
    SEND,
    RECEIVE,
    COMBINE,
    PIECE,
    OPERAND,
    MOVE,
    FOLD,
    KINDS
};

struct step {
    enum kind kind;
    int port, peer;
    kp_combining side;
    kp_piece piece, to;
};

struct stored {
    struct step steps[MOST_STEPS];
    int count;
};

static struct stored all_stored[MOST_N];
static int64_t scratch;
static bool split;

static void add(struct stored *stored, struct step step)
{
    if (stored->count < MOST_STEPS)
        stored->steps[stored->count++] = step;
}

static void add_message(struct stored *stored, const kp_schedule *s, const struct stored_message *m,
                        bool received)
{
    uint32_t operands = m->operand_count;
    enum kind kind = !received ? SEND : m->combining == KP_COPY ? RECEIVE : COMBINE;
    add(stored,
        (struct step){
            .kind = kind, .port = m->port, .peer = m->peer, .side = (kp_combining)m->combining});
    for (uint32_t i = 0; i < m->piece_count + operands; i++)
        add(stored, (struct step){.kind = i < m->piece_count ? PIECE : OPERAND,
                                  .piece = s->pieces[m->first_piece + i]});
}

static void read_stored(struct stored *stored, const kp_schedule *s, int rank)
{
    stored->count = 0;
    for (int r = -1; r < s->rounds; r++) {
        const struct stored_round *at = kp_schedule_round(s, rank, r), *end = at + 1;
        if (r >= 0)
            add(stored, (struct step){.kind = ROUND});
        for (uint32_t i = at->send; i < end->send; i++)
            add_message(stored, s, &s->sends[i], false);
        for (uint32_t i = at->receive; i < end->receive; i++)
            add_message(stored, s, &s->receives[i], true);
        for (uint32_t i = at->move; i < end->move; i++)
            add(stored, (struct step){.kind = s->moves[i].combining == KP_COPY ? MOVE : FOLD,
                                      .side = s->moves[i].combining,
                                      .piece = s->moves[i].from,
                                      .to = s->moves[i].to});
    }
}

/* --- Changes --- */

static int64_t some_number(struct bytes *bytes)
{
    static const int64_t numbers[] = {0, 1,  -1, 2,         -2,         3,
                                      5, -7, 64, INT32_MAX, -INT64_MAX, INT64_MAX};
    return numbers[take(bytes, 0, (int)(sizeof numbers / sizeof numbers[0]) - 1)];
}

/* Changes a number, mostly by a little. */
static void shift(struct bytes *bytes, int64_t *number)
{
    int64_t by = some_number(bytes);
    *number = by > 100 || by < -100 ? by : (int64_t)((uint64_t)*number + (uint64_t)by);
}

static kp_piece some_piece(struct bytes *bytes)
{
    kp_piece piece = {(kp_space)take(bytes, 0, KP_SPACES - 1), take(bytes, -1, 6),
                      take(bytes, 0, 3), take(bytes, -1, 3), take(bytes, 0, 3)};
    return piece;
}

static void change_port(struct bytes *bytes, struct stored *stored, int at)
{
    stored->steps[at].port = take(bytes, -1, MOST_N);
}

static void change_peer(struct bytes *bytes, struct stored *stored, int at)
{
    stored->steps[at].peer = take(bytes, -1, MOST_N);
}

static void change_side(struct bytes *bytes, struct stored *stored, int at)
{
    stored->steps[at].side = (kp_combining)take(bytes, KP_COPY, KP_RIGHT + 1);
}

static void change_kind(struct bytes *bytes, struct stored *stored, int at)
{
    stored->steps[at].kind = (enum kind)take(bytes, 0, KINDS - 1);
}

static void change_piece(struct bytes *bytes, struct stored *stored, int at)
{
    kp_piece *piece = take(bytes, 0, 1) ? &stored->steps[at].to : &stored->steps[at].piece;
    int64_t *fields[] = {&piece->first, &piece->count, &piece->stride, &piece->run};
    int field = take(bytes, 0, 4);
    if (field == 4)
        piece->space = (kp_space)take(bytes, -1, KP_SPACES);
    else
        shift(bytes, fields[field]);
}

static void leave_out(struct bytes *bytes, struct stored *stored, int at)
{
    (void)bytes;
    stored->count--;
    memmove(&stored->steps[at], &stored->steps[at + 1],
            (size_t)(stored->count - at) * sizeof stored->steps[0]);
}

static void insert(struct bytes *bytes, struct stored *stored, int at)
{
    struct step step = {(enum kind)take(bytes, 0, KINDS - 1),
                        take(bytes, 0, 3),
                        take(bytes, 0, MOST_N - 1),
                        KP_LEFT,
                        some_piece(bytes),
                        some_piece(bytes)};
    if (stored->count == MOST_STEPS)
        return;
    memmove(&stored->steps[at + 1], &stored->steps[at],
            (size_t)(stored->count - at) * sizeof stored->steps[0]);
    stored->steps[at] = step;
    stored->count++;
}

static void exchange(struct bytes *bytes, struct stored *stored, int at)
{
    int other = take(bytes, 0, 255) % stored->count;
    struct step kept = stored->steps[at];
    stored->steps[at] = stored->steps[other];
    stored->steps[other] = kept;
}

static void change_scratch(struct bytes *bytes, struct stored *stored, int at)
{
    (void)stored, (void)at;
    shift(bytes, &scratch);
}

static void (*const changes[])(struct bytes *, struct stored *, int at) = {
    change_port, change_peer, change_side, change_kind,    change_piece,
    leave_out,   insert,      exchange,    change_scratch,
};
#define CHANGES ((int)(sizeof changes / sizeof changes[0]))

static void change(struct bytes *bytes, int count)
{
    int most = take(bytes, 0, 5);
    for (int i = 0; i < most && bytes->left > 0; i++) {
        struct stored *stored = &all_stored[take(bytes, 0, count - 1)];
        void (*one)(struct bytes *, struct stored *, int) = changes[take(bytes, 0, CHANGES - 1)];
        int at = take(bytes, 0, 255) * 256 + take(bytes, 0, 255);
        if (stored->count > 0)
            one(bytes, stored, at % stored->count);
        else
            insert(bytes, stored, 0);
    }
}

/* --- The algorithm that writes the changed schedule --- */

static void write_round(kp_builder *b, const struct step *step)
{
    (void)step;
    kp_build_round(b);
}

static void write_send(kp_builder *b, const struct step *step)
{
    kp_build_send(b, step->port, step->peer);
}

static void write_receive(kp_builder *b, const struct step *step)
{
    kp_build_receive(b, step->port, step->peer);
}

static void write_combine(kp_builder *b, const struct step *step)
{
    kp_build_combine(b, step->port, step->peer, step->side);
}

static void write_piece(kp_builder *b, const struct step *step)
{
    kp_build_piece(b, step->piece);
}

static void write_operand(kp_builder *b, const struct step *step)
{
    kp_build_operand(b, step->piece);
}

static void write_move(kp_builder *b, const struct step *step)
{
    kp_build_move(b, step->piece, step->to);
}

static void write_fold(kp_builder *b, const struct step *step)
{
    kp_build_fold(b, step->piece, step->to, step->side);
}

static void (*const writers[KINDS])(kp_builder *b, const struct step *step) = {
    [ROUND] = write_round,     [SEND] = write_send,   [RECEIVE] = write_receive,
    [COMBINE] = write_combine, [PIECE] = write_piece, [OPERAND] = write_operand,
    [MOVE] = write_move,       [FOLD] = write_fold,
};

static int write_stored(kp_builder *b, const kp_problem *p)
{
    kp_build_scratch(b, scratch);
    for (int i = 0; i < all_stored[p->rank].count; i++)
        writers[all_stored[p->rank].steps[i].kind](b, &all_stored[p->rank].steps[i]);
    return 0;
}

static int splits(const kp_problem *problem)
{
    (void)problem;
    return split;
}

/* --- Executing an accepted schedule --- */

static kp_problem written;
static kp_algorithm algorithm;

static void execute(void)
{
    struct measure_settings hints = {.seed = 1, .repeats = REPEATS, .once = true};
    struct measurement result;
    char text[200];
    if (kp_fibers()) {
        hints.machine.carrier = KP_CARRIER_FIBERS;
        hints.machine.workers = 1;
    }
    kp_problem_format(&written, text, sizeof text);
    if (measure(&written, &hints, &result))
        wrong("%s: accepted, and then not carried out (see above)", text);
}

/* --- Choosing a schedule --- */

static kp_schedule *some_schedule(struct bytes *bytes, kp_problem *problem)
{
    int count = 0;
    while (kp_algorithm_at(count))
        count++;
    const kp_algorithm *a = kp_algorithm_at(take(bytes, 0, 255) % count);
    *problem = (kp_problem){.operation = a->operation, .algorithm = a, .type = KP_UINT8};
    problem->n = take(bytes, 2, MOST_N);
    problem->k = take(bytes, 1, problem->n - 1);
    problem->in_place = take(bytes, 0, 3) == 3;
    problem->b = (size_t)take(bytes, 1, 6);
    if (kp_operation_has_target(a->operation))
        problem->target = problem->n - 1;
    if (kp_operation_reduces(a->operation)) {
        static const kp_type types[] = {KP_UINT8, KP_INT32, KP_FLOAT64};
        problem->type = types[take(bytes, 0, 2)];
        problem->op = &kp_builtin_operators[take(bytes, 0, KP_BUILTINS - 1)];
        /* For the operator `compose` an element is two values. */
        problem->b *= 2 * kp_type_bytes(problem->type);
    }
    kp_schedule *schedule = NULL;
    if (kp_problem_check(problem) || kp_schedule_build(problem, &schedule))
        return NULL;
    return schedule;
}

static void write_algorithm(const kp_schedule *s)
{
    algorithm = (kp_algorithm){.operation = s->problem.operation,
                               .name = "written",
                               .summary = "by bytes",
                               .source = "tests/fuzz",
                               .symmetry = s->symmetry,
                               .splits = splits,
                               .build = write_stored,
                               .own_root = 1,
                               .length_bytes = s->problem.algorithm->length_bytes,
                               .pads = s->problem.algorithm->pads};
    split = s->units_of_block != 1;
    scratch = s->units[KP_SCRATCH];
    for (int i = 0; i < s->stored; i++)
        read_stored(&all_stored[i], s, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct bytes bytes = {data, size};
    kp_schedule *schedule = some_schedule(&bytes, &written);
    if (!schedule)
        return 0;
    write_algorithm(schedule);
    bool from_nothing = take(&bytes, 0, 15) == 15;
    for (int i = 0; from_nothing && i < schedule->stored; i++)
        all_stored[i].count = 0;
    bool unchanged = bytes.left == 0 && !from_nothing;
    change(&bytes, schedule->stored);
    kp_schedule_free(schedule);

    written.algorithm = &algorithm;
    memset(written.values, 0, sizeof written.values);
    schedule = NULL;
    kp_error_record error = {.status = KP_OK};
    int status = kp_schedule_build(&written, &schedule);
    if (status)
        error = *kp_last_error();
    else
        status = kp_schedule_check(schedule, &error);
    if (status && strlen(error.sentence) < 5)
        wrong("status %d without a sentence", status);
    if (status && unchanged)
        wrong("a schedule of the table is refused when written again: %s", error.sentence);
    bool small = schedule && schedule->units[KP_SCRATCH] <= MOST_UNITS;
    kp_schedule_free(schedule);
    if (status == KP_OK && small)
        execute();
    return 0;
}
