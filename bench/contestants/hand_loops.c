/* A contestant of the benchmark, written by hand: the copies of the schedule that kport would
 * execute, as simple loops on two threads. Each thread does the work of half of the processors. In
 * each round it packs the buffers of its processors, passes a barrier of the two threads, and reads
 * the buffers.
 *
 * The list of copies is made once from the schedule, and adjacent copies are joined into one. So
 * nothing that carries out the schedule can do less work. */
#include "../contestant.h"

#include <stdlib.h>

#define WORKERS 2

struct copying {
    char *to;
    const char *from;
    size_t bytes;
};

struct list {
    struct copying *items;
    size_t count, room;
};

/* The lists of copies for each round and worker. `pack` has the copies before the barrier and
 * `take` the copies after it. There are two copies of all buffers (generations), which successive
 * rounds use in turn, even from one call to the next. If the number of rounds is odd, a round uses
 * another generation in the next call. So even and odd calls have separate lists. */
struct script {
    int rounds;
    size_t buffer_bytes, scratch_bytes;
    struct list *pack, *take; /* each has the index [call % 2][round][worker] */
    char *buffers, *scratch;
    struct good_barrier barrier;
    bool failed;
};

static struct list *at(struct list *lists, const struct script *s, int call, int round, int worker)
{
    return &lists[(call * s->rounds + round) * WORKERS + worker];
}

static void add(struct script *s, struct list *list, char *to, const char *from, size_t bytes)
{
    struct copying *last = list->count ? &list->items[list->count - 1] : NULL;
    if (last && last->to + last->bytes == to && last->from + last->bytes == from) {
        last->bytes += bytes;
        return;
    }
    if (list->count == list->room) {
        list->room = list->room ? list->room * 2 : 64;
        struct copying *more = realloc(list->items, list->room * sizeof *more);
        if (!more) {
            s->failed = true;
            return;
        }
        list->items = more;
    }
    list->items[list->count++] = (struct copying){to, from, bytes};
}

/* --- Making the lists from the schedule --- */

struct writer {
    struct script *script;
    const kp_schedule *schedule;
    const struct arena *arena;
    size_t b;
    int call, rank, generation; /* `generation`: which copy of the buffers the round uses */
};

static char *address(const struct writer *w, kp_space space, int64_t position)
{
    int64_t place = kp_schedule_place(w->schedule, w->rank, space, position);
    char *base = space == KP_OUT  ? out_of(w->arena, w->rank)
                 : space == KP_IN ? in_of(w->arena, w->rank)
                                  : w->script->scratch + (size_t)w->rank * w->script->scratch_bytes;
    return base + (size_t)place * w->b;
}

/* Finds the address of block `i`, counted through all pieces. Returns false if the pieces have
 * fewer blocks. */
static bool block_of(const struct writer *w, const kp_piece *pieces, int count, int64_t i,
                     char **block)
{
    for (int p = 0; p < count; p++) {
        int64_t units = pieces[p].count * pieces[p].run;
        if (i < units) {
            int64_t run = i / pieces[p].run, within = i % pieces[p].run;
            *block = address(w, pieces[p].space, pieces[p].first + run * pieces[p].stride + within);
            return true;
        }
        i -= units;
    }
    return false;
}

static char *buffer_of(const struct writer *w, int rank, const kp_message *m)
{
    const struct script *s = w->script;
    size_t n = (size_t)kp_schedule_problem(w->schedule)->n;
    return s->buffers + ((size_t)w->generation * n + (size_t)rank) * s->buffer_bytes +
           (size_t)m->row * w->b;
}

static void write_message(const struct writer *w, struct list *list, const kp_message *m, bool sent)
{
    char *buffer = buffer_of(w, sent ? w->rank : m->peer, m), *block;
    for (int64_t i = 0; block_of(w, m->pieces, m->piece_count, i, &block); i++, buffer += w->b)
        add(w->script, list, sent ? buffer : block, sent ? block : buffer, w->b);
}

static void write_moves(const struct writer *w, struct list *list, int round)
{
    for (int i = 0; i < kp_schedule_moves(w->schedule, w->rank, round); i++) {
        kp_move move = kp_schedule_move(w->schedule, w->rank, round, i);
        char *from, *to;
        for (int64_t u = 0;
             block_of(w, &move.from, 1, u, &from) && block_of(w, &move.to, 1, u, &to); u++)
            add(w->script, list, to, from, w->b);
    }
}

/* Returns whether one of the first `sends` messages of the round begins at `place` of the
 * processor's buffer. If so, both messages have the same data, which is packed only once. */
static bool packed_before(const struct writer *w, int round, int sends, int64_t place)
{
    for (int i = 0; i < sends; i++) {
        if (kp_schedule_send(w->schedule, w->rank, round, i).row == place)
            return true;
    }
    return false;
}

static void write_round(const struct writer *w, int round, int worker)
{
    struct script *s = w->script;
    struct list *pack = at(s->pack, s, w->call, round, worker);
    struct list *take = at(s->take, s, w->call, round, worker);
    for (int i = 0; i < kp_schedule_sends(w->schedule, w->rank, round); i++) {
        kp_message m = kp_schedule_send(w->schedule, w->rank, round, i);
        if (!packed_before(w, round, i, m.row))
            write_message(w, pack, &m, true);
    }
    for (int i = 0; i < kp_schedule_receives(w->schedule, w->rank, round); i++) {
        kp_message m = kp_schedule_receive(w->schedule, w->rank, round, i);
        write_message(w, take, &m, false);
    }
    write_moves(w, take, round);
}

static void write_script(struct script *s, const kp_schedule *schedule, const struct job *job,
                         const struct arena *arena)
{
    struct writer w = {.script = s, .schedule = schedule, .arena = arena, .b = job->b};
    for (w.call = 0; w.call < 2; w.call++) {
        for (w.rank = 0; w.rank < job->n; w.rank++) {
            int worker = w.rank * WORKERS / job->n;
            write_moves(&w, at(s->pack, s, w.call, 0, worker), -1);
            for (int round = 0; round < s->rounds; round++) {
                w.generation = (w.call * s->rounds + round) % 2;
                write_round(&w, round, worker);
            }
        }
    }
}

/* --- Executing the lists --- */

static void copy_all(const struct list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct copying *c = &list->items[i];
        if (c->bytes == 8)
            memcpy(c->to, c->from, 8);
        else
            memcpy(c->to, c->from, c->bytes);
    }
}

static int all_rounds(struct member *m)
{
    struct script *s = m->team->state;
    int call = (int)(m->calls++ % 2);
    for (int round = 0; round < s->rounds; round++) {
        copy_all(at(s->pack, s, call, round, m->rank));
        good_barrier_wait(&s->barrier);
        copy_all(at(s->take, s, call, round, m->rank));
    }
    return 0;
}

static bool script_make(struct script *s, const kp_schedule *schedule, const struct job *job,
                        const struct arena *arena)
{
    size_t n = (size_t)job->n, lists;
    *s = (struct script){.rounds = kp_schedule_rounds(schedule)};
    /* The length of the longest buffer, in blocks. The blocks of a buffer are contiguous, and each
     * block is packed once. */
    int64_t longest = 0;
    for (int round = 0; round < s->rounds; round++) {
        for (int i = 0; i < kp_schedule_sends(schedule, 0, round); i++) {
            kp_message m = kp_schedule_send(schedule, 0, round, i);
            longest = m.row + m.units > longest ? m.row + m.units : longest;
        }
    }
    s->buffer_bytes = stride_of((size_t)longest * job->b);
    s->scratch_bytes = stride_of((size_t)kp_schedule_units(schedule, KP_SCRATCH) * job->b);
    lists = 2 * (size_t)s->rounds * WORKERS;
    s->pack = calloc(lists, sizeof *s->pack);
    s->take = calloc(lists, sizeof *s->take);
    s->buffers = calloc(2 * n, s->buffer_bytes);
    s->scratch = calloc(n, s->scratch_bytes);
    good_barrier_init(&s->barrier, WORKERS, cores_allowed());
    if (!s->pack || !s->take || !s->buffers || !s->scratch)
        return false;
    write_script(s, schedule, job, arena);
    return !s->failed;
}

static void script_free(struct script *s)
{
    for (int i = 0; i < 2 * s->rounds * WORKERS; i++) {
        free(s->pack ? s->pack[i].items : NULL);
        free(s->take ? s->take[i].items : NULL);
    }
    free(s->pack);
    free(s->take);
    free(s->buffers);
    free(s->scratch);
}

bool loops_serve(const struct contestant *self, const struct job *job)
{
    (void)self;
    return job->fibers && job->operation == INDEX && !job->started;
}

/* Executes the calls of the request. The calling thread fills the buffers of all members before,
 * and verifies them afterwards. */
static const char *run_script(struct script *s, const struct request *request,
                              const struct arena *arena, struct reply *reply)
{
    const struct job *job = &request->job;
    struct request two = *request;
    two.job.n = WORKERS;
    two.verify = 0;
    for (int rank = 0; rank < job->n && request->verify; rank++)
        fill_buffers(job, rank, out_of(arena, rank), in_of(arena, rank));
    const char *error = team_of_threads(&two, arena, all_rounds, s, true, reply);
    for (int rank = 0; rank < job->n && request->verify; rank++) {
        if (!buffers_right(job, rank, in_of(arena, rank)))
            reply->status = WRONG_DATA;
    }
    return error;
}

const char *loops_run(const struct contestant *self, const struct request *request,
                      const struct arena *arena, struct reply *reply)
{
    const struct job *job = &request->job;
    kp_problem problem = {
        .operation = KP_INDEX, .n = job->n, .k = job->k ? job->k : job->n - 1, .b = (size_t)job->b};
    kp_schedule *schedule;
    struct script script;
    (void)self;
    if (job->radix) {
        problem.algorithm = kp_algorithm_find(KP_INDEX, "radix");
        problem.values[0] = job->radix;
    }
    if (kp_schedule_build(&problem, &schedule))
        return "the schedule cannot be built";
    const char *error = script_make(&script, schedule, job, arena) ? NULL : "no memory";
    if (!error)
        error = run_script(&script, request, arena, reply);
    script_free(&script);
    kp_schedule_free(schedule);
    return error;
}
