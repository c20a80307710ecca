#include "tools/kport/msccl/rounds.h"

#include "tools/kport/command.h"
#include "tools/kport/files/file.h"
#include "tools/kport/msccl/check/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* When a step sends, and when it does the rest of its work. A send reads what the rounds before it
 * have left. */
struct when {
    int sends, works;           /* rounds; works may be -1: before the first round */
    int next_sends, next_works; /* the first rounds for a step that comes after it */
    int64_t arrives;            /* where its message lies at the receiver */
    int from_port, to_port;
};

struct plan {
    struct schedule_file *file;
    const struct msccl *m;
    struct msccl_graph g;
    struct msccl_places p;
    struct when *when;
    int *sent;          /* for each place, the last round in which it is sent; -1 */
    int64_t *arrived;   /* for each rank, the chunks of all messages that it receives */
    uint32_t *by_round; /* the steps in the order of their rounds, and in each round in order */
    int rounds, k;
    int32_t root;
};

static bool refuse(struct plan *plan, const char *why)
{
    snprintf(plan->file->why, sizeof plan->file->why, "%s", why);
    return false;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static int does(const struct plan *plan, uint32_t step)
{
    const struct msccl_step *s = &plan->m->steps[step];
    return s->count > 0 ? s->kind->does : 0;
}

static int32_t rank_of(const struct plan *plan, uint32_t step)
{
    return plan->m->blocks[plan->m->steps[step].block].rank;
}

/* --- The rounds of a step --- */

/* A move may not change what its round sends. */
static int find_work(const struct plan *plan, uint32_t step, int round)
{
    uint32_t sender = plan->g.sender[step];
    if (sender != MSCCL_NONE)
        round = larger(round, plan->when[sender].sends);
    for (int32_t i = 0; i < plan->m->steps[step].count; i++) {
        uint32_t place = msccl_place_written(&plan->p, step, i);
        if (place != MSCCL_NONE)
            round = larger(round, plan->sent[place] + 1);
    }
    return round;
}

/* Returns the place from which a step sends its chunk i; MSCCL_NONE: from where its message has
 * arrived. */
static uint32_t sent_place(const struct plan *plan, uint32_t step, int32_t i)
{
    uint32_t written = msccl_place_written(&plan->p, step, i);
    if (written != MSCCL_NONE || (does(plan, step) & MSCCL_RECEIVES))
        return written;
    return msccl_place_read(&plan->p, step, i);
}

static void plan_send(struct plan *plan, uint32_t step, struct when *w)
{
    const int32_t to = plan->m->blocks[plan->m->steps[step].block].send;
    w->sends = w->next_sends;
    for (int32_t i = 0; i < plan->m->steps[step].count; i++) {
        uint32_t place = sent_place(plan, step, i);
        if (place != MSCCL_NONE)
            plan->sent[place] = larger(plan->sent[place], w->sends);
    }
    w->arrives = plan->arrived[to];
    plan->arrived[to] += plan->m->steps[step].count;
    w->next_sends = w->sends;
    w->next_works = larger(w->next_works, w->sends);
    plan->rounds = larger(plan->rounds, w->sends + 1);
}

static void plan_step(struct plan *plan, uint32_t step)
{
    const int what = does(plan, step);
    struct when *w = &plan->when[step];
    uint32_t before[MSCCL_BEFORE];
    int found = msccl_graph_before(&plan->g, step, before);
    *w = (struct when){.sends = -1, .works = -1, .next_works = -1};
    for (int i = 0; i < found; i++) {
        w->next_sends = larger(w->next_sends, plan->when[before[i]].next_sends);
        w->next_works = larger(w->next_works, plan->when[before[i]].next_works);
    }
    if (what & ~(MSCCL_SENDS | MSCCL_READS)) {
        w->works = w->next_works = find_work(plan, step, w->next_works);
        w->next_sends = larger(w->next_sends, w->works + 1);
        plan->rounds = larger(plan->rounds, w->works + 1);
    }
    if (what & MSCCL_SENDS)
        plan_send(plan, step, w);
}

/* --- Sorting, and ports --- */

struct key {
    int round;
    int32_t from, to;
    uint32_t at; /* in the graph's order */
};

static int by_round(const void *a, const void *b)
{
    const struct key *l = a, *r = b;
    if (l->round != r->round)
        return l->round < r->round ? -1 : 1;
    if (l->from != r->from)
        return l->from < r->from ? -1 : 1;
    if (l->to != r->to)
        return l->to < r->to ? -1 : 1;
    return (l->at > r->at) - (l->at < r->at);
}

/* Sorts the steps by the rounds in which they send and by their ends, or by the rounds in which
 * they work. */
static bool sort(struct plan *plan, bool sends)
{
    const uint32_t count = plan->m->step_count;
    struct key *keys = malloc(((size_t)count + 1) * sizeof *keys);
    if (!keys)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t step = plan->g.order[i];
        const struct when *w = &plan->when[step];
        keys[i] = (struct key){.round = sends ? w->sends : w->works, .at = i};
        if (sends) {
            keys[i].from = rank_of(plan, step);
            keys[i].to = plan->m->blocks[plan->m->steps[step].block].send;
        }
    }
    qsort(keys, count, sizeof *keys, by_round);
    for (uint32_t i = 0; i < count; i++)
        plan->by_round[i] = plan->g.order[keys[i].at];
    free(keys);
    return true;
}

/* Returns whether two steps send to the same rank in the same round. Such chunks are one message.
 */
static bool together(const struct plan *plan, uint32_t a, uint32_t b)
{
    const struct msccl *m = plan->m;
    return plan->when[a].sends == plan->when[b].sends && rank_of(plan, a) == rank_of(plan, b) &&
           m->blocks[m->steps[a].block].send == m->blocks[m->steps[b].block].send;
}

/* Numbers the messages that a rank sends, and those that it receives, in each round. */
static bool number_ports(struct plan *plan)
{
    int *used = calloc(4 * (size_t)plan->m->n, sizeof *used); /* the port and round of both ends */
    for (uint32_t i = 0; used && i < plan->m->step_count; i++) {
        uint32_t step = plan->by_round[i];
        struct when *w = &plan->when[step];
        if (!(does(plan, step) & MSCCL_SENDS))
            continue;
        int *from = &used[4 * rank_of(plan, step)];
        int *to = &used[4 * plan->m->blocks[plan->m->steps[step].block].send + 2];
        if (i == 0 || !together(plan, plan->by_round[i - 1], step)) {
            from[0] = from[1] == w->sends + 1 ? from[0] + 1 : 0;
            to[0] = to[1] == w->sends + 1 ? to[0] + 1 : 0;
            from[1] = to[1] = w->sends + 1;
        }
        w->from_port = from[0];
        w->to_port = to[0];
        plan->k = larger(plan->k, larger(from[0], to[0]) + 1);
    }
    free(used);
    return used;
}

/* --- Writing --- */

static int64_t at(const struct plan *plan, int32_t rank, uint32_t place)
{
    return (int64_t)(place - plan->p.first[rank]);
}

static int64_t arrival(const struct plan *plan, int32_t rank, uint32_t sender)
{
    return (int64_t)(plan->p.first[rank + 1] - plan->p.first[rank]) + plan->when[sender].arrives;
}

static bool write_step(struct plan *plan, struct file_step step, kp_combining side, kp_piece from,
                       kp_piece to)
{
    return schedule_file_step(plan->file, &step) &&
           (side == KP_COPY || schedule_file_combine(plan->file, side)) &&
           schedule_file_piece(plan->file, FILE_SENT, &from) &&
           schedule_file_piece(plan->file, FILE_PUT, &to) && schedule_file_step_ready(plan->file);
}

static bool write_move(struct plan *plan, int32_t rank, kp_combining side, kp_piece from,
                       kp_piece to)
{
    return write_step(plan, (struct file_step){.from = rank, .to = rank, .move = true}, side, from,
                      to);
}

static kp_piece scratch(int64_t first, int64_t count)
{
    return kp_run_of(KP_SCRATCH, first, count);
}

/* Adds the chunks of a step to a message: where they lie, or where they arrive. */
static bool add_chunks(struct plan *plan, uint32_t step, enum file_part part)
{
    const int32_t from = rank_of(plan, step), count = plan->m->steps[step].count;
    const int32_t to = plan->m->blocks[plan->m->steps[step].block].send;
    uint32_t place = sent_place(plan, step, 0);
    int64_t first =
        place != MSCCL_NONE ? at(plan, from, place) : arrival(plan, from, plan->g.sender[step]);
    kp_piece piece = scratch(part == FILE_SENT ? first : arrival(plan, to, step), count);
    return schedule_file_piece(plan->file, part, &piece);
}

/* Writes a message with the chunks of `count` steps. */
static bool write_message(struct plan *plan, const uint32_t *steps, uint32_t count)
{
    const struct when *w = &plan->when[steps[0]];
    struct file_step message = {.from = rank_of(plan, steps[0]),
                                .to = plan->m->blocks[plan->m->steps[steps[0]].block].send,
                                .from_port = w->from_port,
                                .to_port = w->to_port};
    bool done = schedule_file_step(plan->file, &message);
    for (uint32_t i = 0; i < count && done; i++)
        done = add_chunks(plan, steps[i], FILE_SENT);
    for (uint32_t i = 0; i < count && done; i++)
        done = add_chunks(plan, steps[i], FILE_PUT);
    return done && schedule_file_step_ready(plan->file);
}

/* Writes the work of a step, beside sending, as moves of its rank. */
static bool write_work(struct plan *plan, uint32_t step)
{
    const int32_t rank = rank_of(plan, step), count = plan->m->steps[step].count;
    const int what = does(plan, step);
    uint32_t read = msccl_place_read(&plan->p, step, 0);
    uint32_t written = msccl_place_written(&plan->p, step, 0);
    kp_piece from = scratch(read == MSCCL_NONE ? 0 : at(plan, rank, read), count);
    kp_piece to = scratch(written == MSCCL_NONE ? 0 : at(plan, rank, written), count);
    if (!(what & MSCCL_RECEIVES))
        return write_move(plan, rank, what & MSCCL_ADDS ? KP_LEFT : KP_COPY, from, to);
    kp_piece came = scratch(arrival(plan, rank, plan->g.sender[step]), count);
    if (!(what & MSCCL_READS))
        return write_move(plan, rank, KP_COPY, came, to);
    if (written == MSCCL_NONE)
        return write_move(plan, rank, KP_LEFT, from, came);
    return (read == written || write_move(plan, rank, KP_COPY, from, to)) &&
           write_move(plan, rank, KP_LEFT, came, to);
}

/* Copies the callers' blocks into the input buffers, or the output buffers to the callers. */
static bool write_buffers(struct plan *plan, bool in)
{
    const struct msccl *m = plan->m;
    for (int32_t i = 0; i < m->n; i++) {
        int32_t count = in ? msccl_input_chunks(m, i) : msccl_output_chunks(m, i);
        bool root = i == plan->root, broadcast = m->collective == MSCCL_BROADCAST;
        if ((in && broadcast && !root) || (!in && broadcast && root) ||
            (!in && m->collective == MSCCL_REDUCE && !root))
            continue;
        kp_piece there =
            scratch(at(plan, i, plan->p.base[in ? MSCCL_INPUT : MSCCL_OUTPUT][i]), count);
        kp_piece block = kp_run_of(in ? KP_OUT : KP_IN, 0, count);
        if (!write_move(plan, i, KP_COPY, in ? block : there, in ? there : block))
            return false;
    }
    return true;
}

/* Writes the rounds. The steps are sorted by the rounds in which they work; `sends` has them by the
 * rounds in which they send. */
static bool write_rounds(struct plan *plan, const uint32_t *sends)
{
    const uint32_t count = plan->m->step_count;
    uint32_t next_send = 0, next_work = 0;
    for (int round = -1; round < plan->rounds; round++) {
        if (round >= 0 && !schedule_file_round(plan->file))
            return false;
        while (next_send < count && plan->when[sends[next_send]].sends <= round) {
            uint32_t first = next_send++;
            while (next_send < count && together(plan, sends[first], sends[next_send]))
                next_send++;
            if (round >= 0 && !write_message(plan, sends + first, next_send - first))
                return false;
        }
        if (round < 0 && !write_buffers(plan, true))
            return false;
        for (; next_work < count && plan->when[plan->by_round[next_work]].works <= round;
             next_work++) {
            uint32_t step = plan->by_round[next_work];
            if ((does(plan, step) & ~(MSCCL_SENDS | MSCCL_READS)) && !write_work(plan, step))
                return false;
        }
    }
    return write_buffers(plan, false);
}

/* --- The problem --- */

static bool write_problem(struct plan *plan)
{
    static const char *const names[MSCCL_COLLECTIVES] = {
        [MSCCL_ALLREDUCE] = "allreduce",          [MSCCL_ALLGATHER] = "concat",
        [MSCCL_REDUCESCATTER] = "reduce-scatter", [MSCCL_ALLTOALL] = "index",
        [MSCCL_BROADCAST] = "broadcast",          [MSCCL_REDUCE] = "reduce"};
    const struct msccl *m = plan->m;
    const bool reduces = msccl_reduces(m->collective);
    bool shared = m->collective == MSCCL_ALLGATHER || m->collective == MSCCL_REDUCESCATTER ||
                  m->collective == MSCCL_ALLTOALL;
    int units = shared ? m->chunks / m->n : m->chunks, used;
    int64_t scratch_units = 0;
    char text[160];
    used = snprintf(text, sizeof text, "%s:n=%d,k=%d,%s=%d", names[m->collective], m->n, plan->k,
                    reduces ? "count" : "b", units);
    if (m->collective == MSCCL_BROADCAST || m->collective == MSCCL_REDUCE)
        snprintf(text + used, sizeof text - (size_t)used, ",root=%d", plan->root);
    for (int32_t i = 0; i < m->n; i++) {
        int64_t wanted = (int64_t)(plan->p.first[i + 1] - plan->p.first[i]) + plan->arrived[i];
        scratch_units = wanted > scratch_units ? wanted : scratch_units;
    }
    return schedule_file_problem(plan->file, text) &&
           schedule_file_units(plan->file, units == 1 ? "blocks"
                                           : reduces  ? "elements"
                                                      : "bytes") &&
           schedule_file_scratch(plan->file, scratch_units);
}

/* --- The plan --- */

static bool find_root(struct plan *plan)
{
    struct msccl_values v;
    uint8_t *result = calloc((size_t)plan->p.first[plan->m->n] + 1, 1);
    bool done = msccl_values_begin(&v, &plan->g, &plan->p, NULL) && result;
    if (done)
        msccl_results_mark(&v, result);
    plan->root = done && v.root >= 0 ? v.root : 0;
    msccl_values_end(&v);
    free(result);
    return done;
}

static bool make(struct plan *plan)
{
    const struct msccl *m = plan->m;
    const size_t n = (size_t)m->n, steps = m->step_count;
    struct findings ignored = {0};
    bool done = msccl_graph_begin(&plan->g, m, &ignored) &&
                msccl_graph_order(&plan->g, MSCCL_UNBOUNDED) &&
                msccl_places_begin(&plan->p, m, &plan->g, m->in_place);
    findings_end(&ignored);
    plan->when = calloc(steps + 1, sizeof *plan->when);
    plan->arrived = calloc(n, sizeof *plan->arrived);
    plan->by_round = calloc(steps + 1, sizeof *plan->by_round);
    plan->sent = done ? calloc((size_t)plan->p.first[n] + 1, sizeof *plan->sent) : NULL;
    if (!plan->sent || !plan->when || !plan->arrived || !plan->by_round)
        return false;
    for (uint32_t i = 0; i < plan->p.first[n]; i++)
        plan->sent[i] = -1;
    for (uint32_t i = 0; i < m->step_count; i++)
        plan_step(plan, plan->g.order[i]);
    return find_root(plan) && sort(plan, true) && number_ports(plan);
}

static bool write(struct plan *plan)
{
    uint32_t *sends = plan->by_round;
    plan->by_round = calloc((size_t)plan->m->step_count + 1, sizeof *plan->by_round);
    bool done = plan->by_round && sort(plan, false);
    if (!done)
        refuse(plan, "there is no memory for the rounds");
    done =
        done && write_problem(plan) && write_rounds(plan, sends) && schedule_file_end(plan->file);
    free(sends);
    return done;
}

/* Refuses a schedule that is wrong, with the first reason. */
static bool is_right(struct plan *plan)
{
    char error[MSCCL_ERROR];
    int status = msccl_judge(plan->m, error);
    plan->file->wrong = status == EXIT_FAILED;
    if (status)
        return refuse(plan, error);
    return plan->m->collective != MSCCL_CUSTOM ||
           refuse(plan, "coll is \"custom\": kport does not know what is to arrive");
}

bool msccl_read_rounds(struct schedule_file *file, const char *text, size_t size)
{
    char error[MSCCL_ERROR];
    struct msccl *m = msccl_parse(text, size, error);
    struct plan plan = {.file = file, .m = m, .k = 1};
    if (!m)
        return refuse(&plan, error);
    bool done = is_right(&plan);
    if (done) {
        done = make(&plan) ? write(&plan) : refuse(&plan, "there is no memory for the rounds");
        msccl_places_end(&plan.p);
        msccl_graph_end(&plan.g);
    }
    free(plan.when);
    free(plan.sent);
    free(plan.arrived);
    free(plan.by_round);
    msccl_free(m);
    return done;
}
