/* Writes a schedule of kport as a file of MSCCL.
 *
 * A rank has a thread block for each rank that it sends to, one for each rank that it receives
 * from, and one for its moves. In a round it sends first, all messages independently; then it
 * receives, in the order of the ports; then it moves. Each of these waits for what came before, so
 * nothing races. */
#include "tools/kport/msccl/write.h"
#include "tools/kport/command.h"
#include "tools/kport/files/view.h"
#include "tools/kport/files/write_frame.h"

#include "lib/problem/operation.h"
#include "lib/schedule/vector.h"

#include <inttypes.h>
#include <stdio.h>

/* The runtimes take fewer chunks than 72 in a step. */
#define MOST_COUNT 64

/* A file with more chunks is refused. */
#define MOST_CHUNKS ((int64_t)1 << 24)

/* A place in the order of a rank's steps. */
struct mark {
    uint32_t block, step; /* indices; block NONE: nothing */
};

#define NONE UINT32_MAX

struct written_step {
    const char *type;
    kp_space from, to;
    int64_t from_at, to_at, count;
    struct mark waits;
    bool signals;
};

struct written_block {
    int send, receive;
    struct kp_vector steps; /* of struct written_step */
};

struct written_rank {
    struct kp_vector blocks; /* of struct written_block */
    struct mark last;        /* the last receive or move */
    struct kp_vector sent;   /* of struct mark: the sends since then */
};

/* A message whose receive is not written yet. */
struct arrival {
    int from, to, port;
    kp_combining side;
    size_t first, count; /* its segments */
};

/* Neighbouring chunks that go from one place to another. */
struct segment {
    kp_space from, to, operand;
    int64_t from_at, to_at, operand_at, count;
};

struct writer {
    const kp_schedule *schedule;
    int64_t unit; /* the units of a chunk */
    bool copied;  /* the rounds read a copy of the outgoing buffer, behind the scratch chunks */
    int round;
    struct written_rank *ranks;
    struct kp_vector arrivals, segments;
    bool no_memory;
};

static void *add(struct writer *w, struct kp_vector *list, size_t size)
{
    void *item = kp_vector_add(list, size);
    w->no_memory = w->no_memory || !item;
    return item;
}

/* --- Chunks: the largest common length of all runs --- */

static int64_t common(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static void join_pieces(int64_t *unit, const struct view_pieces *pieces)
{
    for (size_t i = 0; i < pieces->count; i++) {
        const kp_piece *p = &pieces->list[i];
        *unit = common(common(*unit, p->first), p->run);
        *unit = p->count > 1 ? common(*unit, p->stride < 0 ? -p->stride : p->stride) : *unit;
    }
}

static bool find_unit(void *to, const struct view_step *step)
{
    join_pieces(to, &step->sent);
    join_pieces(to, &step->put);
    join_pieces(to, &step->operands);
    return true;
}

/* --- Steps --- */

static uint32_t block_of(struct writer *w, int rank, int send, int receive)
{
    struct kp_vector *blocks = &w->ranks[rank].blocks;
    const struct written_block *list = blocks->items;
    for (uint32_t i = 0; i < blocks->count; i++) {
        if (list[i].send == send && list[i].receive == receive)
            return i;
    }
    struct written_block *block = add(w, blocks, sizeof *block);
    if (!block)
        return NONE;
    *block = (struct written_block){.send = send, .receive = receive};
    return (uint32_t)blocks->count - 1;
}

static struct written_block *block_at(struct writer *w, int rank, uint32_t block)
{
    return (struct written_block *)w->ranks[rank].blocks.items + block;
}

/* Adds a step to a block. It waits for `waits`, unless that is in the same block. */
static struct mark add_step(struct writer *w, int rank, uint32_t block, struct written_step step)
{
    struct mark none = {NONE, 0};
    if (block == NONE)
        return none;
    if (step.waits.block == block)
        step.waits = none;
    if (step.waits.block != NONE) {
        struct written_block *other = block_at(w, rank, step.waits.block);
        ((struct written_step *)other->steps.items)[step.waits.step].signals = true;
    }
    struct kp_vector *steps = &block_at(w, rank, block)->steps;
    struct written_step *stored = add(w, steps, sizeof *stored);
    if (!stored)
        return none;
    *stored = step;
    return (struct mark){block, (uint32_t)steps->count - 1};
}

/* Adds a receive or a move: it comes after the last one and after the sends since then. */
static void add_in_order(struct writer *w, int rank, uint32_t block, struct written_step step)
{
    struct written_rank *r = &w->ranks[rank];
    const struct mark *sent = r->sent.items;
    for (size_t i = 0; i < r->sent.count; i++) {
        struct written_step wait = {.type = "nop",
                                    .from = KP_OUT,
                                    .to = KP_IN,
                                    .from_at = -1,
                                    .to_at = -1,
                                    .waits = sent[i]};
        add_step(w, rank, block, wait);
    }
    r->sent.count = 0;
    step.waits = r->last;
    r->last = add_step(w, rank, block, step);
}

/* --- Segments --- */

/* A position in a list of pieces. */
struct cursor {
    const struct view_pieces *pieces;
    size_t piece;
    int64_t run, done; /* the number of the run, and what is done of it */
};

/* Returns what is left of the current run. */
static int64_t left(const struct cursor *c)
{
    return c->pieces->list[c->piece].run - c->done;
}

static int64_t at(const struct cursor *c)
{
    const kp_piece *p = &c->pieces->list[c->piece];
    return p->first + c->run * p->stride + c->done;
}

static kp_space space(const struct cursor *c)
{
    return c->pieces->list[c->piece].space;
}

static void advance(struct cursor *c, int64_t units)
{
    const kp_piece *p = &c->pieces->list[c->piece];
    c->done += units;
    if (c->done < p->run)
        return;
    c->done = 0;
    if (++c->run < p->count)
        return;
    c->run = 0;
    c->piece++;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Splits a step into segments, which are neighbouring chunks at both ends and of the operands. */
static size_t split(struct writer *w, const struct view_step *step)
{
    const struct view_pieces *present = step->operands.count > 0 ? &step->operands : &step->put;
    struct cursor from = {&step->sent, 0, 0, 0}, to = {&step->put, 0, 0, 0};
    struct cursor operand = {present, 0, 0, 0};
    size_t count = 0;
    while (from.piece < step->sent.count && !w->no_memory) {
        int64_t units = smaller(smaller(left(&from), left(&to)), left(&operand));
        units = smaller(units, MOST_COUNT * w->unit);
        struct segment *s = add(w, &w->segments, sizeof *s);
        if (s)
            *s = (struct segment){space(&from),        space(&to),        space(&operand),
                                  at(&from) / w->unit, at(&to) / w->unit, at(&operand) / w->unit,
                                  units / w->unit};
        count++;
        advance(&from, units);
        advance(&to, units);
        advance(&operand, units);
    }
    return count;
}

/* --- Rounds --- */

static int by_port(const void *a, const void *b)
{
    const struct arrival *l = a, *r = b;
    return l->to != r->to ? (l->to > r->to) - (l->to < r->to)
                          : (l->port > r->port) - (l->port < r->port);
}

static void receive(struct writer *w, const struct arrival *a)
{
    const struct segment *list = (const struct segment *)w->segments.items + a->first;
    uint32_t block = block_of(w, a->to, -1, a->from);
    for (size_t i = 0; i < a->count; i++) {
        const struct segment *s = &list[i];
        bool combines = a->side != KP_COPY;
        add_in_order(w, a->to, block,
                     (struct written_step){.type = combines ? "rrc" : "r",
                                           .from = combines ? s->operand : s->from,
                                           .from_at = combines ? s->operand_at : s->from_at,
                                           .to = s->to,
                                           .to_at = s->to_at,
                                           .count = s->count});
    }
}

/* Writes the receives of the round whose messages have been sent. */
static void receive_all(struct writer *w)
{
    struct arrival *list = w->arrivals.items;
    if (w->arrivals.count > 0)
        qsort(list, w->arrivals.count, sizeof *list, by_port);
    for (size_t i = 0; i < w->arrivals.count; i++)
        receive(w, &list[i]);
    w->arrivals.count = w->segments.count = 0;
}

static void send(struct writer *w, const struct view_step *step)
{
    struct written_rank *r = &w->ranks[step->from];
    size_t first = w->segments.count, count = split(w, step);
    uint32_t block = block_of(w, step->from, step->to, -1);
    struct mark mark = {NONE, 0};
    for (size_t i = 0; i < count && !w->no_memory; i++) {
        const struct segment *s = (const struct segment *)w->segments.items + first + i;
        mark = add_step(w, step->from, block,
                        (struct written_step){.type = "s",
                                              .from = s->from,
                                              .from_at = s->from_at,
                                              .to = s->to,
                                              .to_at = s->to_at,
                                              .count = s->count,
                                              .waits = r->last});
    }
    struct mark *sent = add(w, &r->sent, sizeof *sent);
    struct arrival *arrival = add(w, &w->arrivals, sizeof *arrival);
    if (sent && arrival) {
        *sent = mark;
        *arrival = (struct arrival){step->from, step->to, step->to_port, step->side, first, count};
    }
}

static void move(struct writer *w, const struct view_step *step)
{
    size_t first = w->segments.count, count = split(w, step);
    uint32_t block = block_of(w, step->from, -1, -1);
    for (size_t i = 0; i < count && !w->no_memory; i++) {
        const struct segment *s = (const struct segment *)w->segments.items + first + i;
        add_in_order(w, step->from, block,
                     (struct written_step){.type = step->side == KP_COPY ? "cpy" : "re",
                                           .from = s->from,
                                           .from_at = s->from_at,
                                           .to = s->to,
                                           .to_at = s->to_at,
                                           .count = s->count});
    }
    w->segments.count = first;
}

static bool visit(void *to, const struct view_step *step)
{
    struct writer *w = to;
    if (w->arrivals.count > 0 && (step->move || step->round != w->round))
        receive_all(w);
    w->round = step->round;
    if (step->move)
        move(w, step);
    else
        send(w, step);
    return !w->no_memory;
}

/* The caller's outgoing buffer, where KP_OUT is the copy of it. */
#define ORIGINAL KP_SPACES

static int64_t chunks(const struct writer *w, int rank, kp_space space)
{
    const kp_problem *p = kp_schedule_problem(w->schedule);
    if (space != KP_SCRATCH && !kp_operation_holds(p, rank, space))
        return 0;
    return kp_schedule_units(w->schedule, space) / w->unit;
}

static void copy_outgoing(struct writer *w, int rank)
{
    const int64_t all = chunks(w, rank, KP_OUT);
    uint32_t block = block_of(w, rank, -1, -1);
    for (int64_t i = 0; i < all && !w->no_memory; i += MOST_COUNT)
        add_in_order(w, rank, block,
                     (struct written_step){.type = "cpy",
                                           .from = ORIGINAL,
                                           .from_at = i,
                                           .to = KP_OUT,
                                           .to_at = i,
                                           .count = smaller(MOST_COUNT, all - i)});
}

/* --- XML --- */

/* Writes one of the two ends of a step. */
static void write_end(const struct writer *w, int rank, const char *end, kp_space space, int64_t at,
                      FILE *out)
{
    bool moved = w->copied && space == KP_OUT && at >= 0;
    char letter = moved || space == KP_SCRATCH ? 's' : space == KP_IN ? 'o' : 'i';
    fprintf(out, " %sbuf=\"%c\" %soff=\"%" PRId64 "\"", end, letter, end,
            at + (moved ? chunks(w, rank, KP_SCRATCH) : 0));
}

static void write_step(const struct writer *w, int rank, const struct written_step *s, size_t i,
                       FILE *out)
{
    bool waits = s->waits.block != NONE;
    fprintf(out, "      <step s=\"%zu\" type=\"%s\"", i, s->type);
    write_end(w, rank, "src", s->from, s->from_at, out);
    write_end(w, rank, "dst", s->to, s->to_at, out);
    fprintf(out, " cnt=\"%" PRId64 "\" depid=\"%d\" deps=\"%d\" hasdep=\"%d\"/>\n", s->count,
            waits ? (int)s->waits.block : -1, waits ? (int)s->waits.step : -1, s->signals);
}

static void write_rank(const struct writer *w, int rank, FILE *out)
{
    const struct written_rank *r = &w->ranks[rank];
    const struct written_block *blocks = r->blocks.items;
    fprintf(out,
            "  <gpu id=\"%d\" i_chunks=\"%" PRId64 "\" o_chunks=\"%" PRId64 "\" s_chunks=\"%" PRId64
            "\">\n",
            rank, chunks(w, rank, KP_OUT), chunks(w, rank, KP_IN),
            chunks(w, rank, KP_SCRATCH) + (w->copied ? chunks(w, rank, KP_OUT) : 0));
    for (size_t i = 0; i < r->blocks.count; i++) {
        fprintf(out, "    <tb id=\"%zu\" send=\"%d\" recv=\"%d\" chan=\"0\">\n", i, blocks[i].send,
                blocks[i].receive);
        const struct written_step *steps = blocks[i].steps.items;
        for (size_t k = 0; k < blocks[i].steps.count; k++)
            write_step(w, rank, &steps[k], k, out);
        fprintf(out, "    </tb>\n");
    }
    fprintf(out, "  </gpu>\n");
}

static const struct {
    kp_operation operation;
    const char *coll;
} words[] = {{KP_ALLREDUCE, "allreduce"},          {KP_CONCAT, "allgather"},
             {KP_REDUCE_SCATTER, "reducescatter"}, {KP_INDEX, "alltoall"},
             {KP_BROADCAST, "broadcast"},          {KP_REDUCE, "reduce"}};

static const char *word_of(kp_operation operation)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (words[i].operation == operation)
            return words[i].coll;
    }
    return NULL;
}

static void write_file(const struct writer *w, FILE *out)
{
    const kp_problem *p = kp_schedule_problem(w->schedule);
    int64_t in = kp_schedule_units(w->schedule, KP_OUT) / w->unit;
    int64_t from = kp_schedule_units(w->schedule, KP_IN) / w->unit;
    /* A broadcast of kport has one buffer at the root. */
    bool in_place = p->in_place || p->operation == KP_BROADCAST;
    fprintf(out,
            "<algo name=\"kport_%s\" proto=\"Simple\" nchannels=\"1\" nchunksperloop=\"%" PRId64
            "\" ngpus=\"%d\" coll=\"%s\" inplace=\"%d\" outofplace=\"%d\"",
            p->algorithm->name[0] == '@' ? "file" : p->algorithm->name, in > from ? in : from, p->n,
            word_of(p->operation), in_place, !in_place);
    if (kp_operation_has_root(p->operation))
        fprintf(out, " root=\"%d\"", p->root);
    fprintf(out, " minBytes=\"0\" maxBytes=\"0\">\n");
    for (int rank = 0; rank < p->n; rank++)
        write_rank(w, rank, out);
    fprintf(out, "</algo>\n");
}

/* --- The format --- */

static bool prepare(struct writer *w)
{
    const kp_problem *p = kp_schedule_problem(w->schedule);
    w->unit = kp_schedule_unit_of_block(w->schedule);
    w->unit = common(w->unit, kp_schedule_units(w->schedule, KP_SCRATCH));
    w->ranks = calloc((size_t)p->n, sizeof *w->ranks);
    if (!w->ranks || !view_steps(w->schedule, find_unit, &w->unit))
        return false;
    w->copied = p->in_place && kp_operation_row(p->operation)->copied_in_place;
    for (int i = 0; i < p->n; i++) {
        w->ranks[i].last.block = NONE;
        if (w->copied)
            copy_outgoing(w, i);
    }
    return !w->no_memory;
}

static void release(struct writer *w)
{
    for (int i = 0; w->ranks && i < kp_schedule_problem(w->schedule)->n; i++) {
        struct written_rank *r = &w->ranks[i];
        for (size_t k = 0; k < r->blocks.count; k++)
            kp_vector_free(&((struct written_block *)r->blocks.items)[k].steps);
        kp_vector_free(&r->blocks);
        kp_vector_free(&r->sent);
    }
    free(w->ranks);
    kp_vector_free(&w->arrivals);
    kp_vector_free(&w->segments);
}

int write_msccl(const kp_schedule *schedule, FILE *out)
{
    const kp_problem *p = kp_schedule_problem(schedule);
    struct writer w = {.schedule = schedule, .round = -2};
    int status = EXIT_DONE;
    if (!word_of(p->operation)) {
        fprintf(stderr,
                "kport: MSCCL has no %s; the operation may be allreduce, concat, reduce-scatter, "
                "index, broadcast or reduce\n",
                kp_operation_name(p->operation));
        return EXIT_IMPOSSIBLE;
    }
    bool done = prepare(&w);
    if (done && chunks(&w, 0, KP_IN) + chunks(&w, 0, KP_OUT) > MOST_CHUNKS / p->n) {
        fprintf(stderr, "kport: the schedule has more chunks than a file of MSCCL may have\n");
        status = EXIT_IMPOSSIBLE;
    } else if (done && view_steps(schedule, visit, &w)) {
        receive_all(&w);
        write_file(&w, out);
        done = !w.no_memory;
    } else {
        done = false;
    }
    release(&w);
    return status ? status : done ? EXIT_DONE : write_no_memory();
}
