/* One row: find out how many calls fill a repetition of each contestant, leave out the hopeless
 * ones, then time all in turns; a repetition that other load has disturbed is done again. */
#include "row.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define OTHERS_AT_MOST 0.05 /* of the cores' time */
#define MOST_REPEATED  6
#define SLOWER_OF_KIND 1.5 /* than the best of its kind: left out after the calibration */
#define SLOWER_OF_ALL  30.0
#define ENOUGH_SEEN_NS 1e8 /* of one call */

/* Buffers of all who work inside the driver: the same memory for all. */
static bool take_memory(const struct job *job, struct arena *arena)
{
    size_t n = (size_t)job->n;
    *arena = (struct arena){0};
    if (job->operation > GATHER || job->operation == BARRIER)
        return true;
    arena_strides(job, arena);
    void *memory = mmap(NULL, n * (arena->out_stride + arena->in_stride), PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return false;
    arena->in = memory;
    arena->out = arena->in + n * arena->in_stride;
    return true;
}

static void give_memory(const struct job *job, struct arena *arena)
{
    if (arena->in)
        munmap(arena->in, (size_t)job->n * (arena->out_stride + arena->in_stride));
}

/* --- One repetition of one contestant --- */

/* Nanoseconds of all calls; negative: it failed, and the note says why. */
static double run_once(struct entry *entry, const struct row *row, const struct arena *arena,
                       bool verify, double *children_ns)
{
    static const char *const sentences[] = {
        [WRONG_DATA] = "wrong data", [NO_MEMORY] = "no memory", [NOT_SERVED] = "cannot do it"};
    const struct contestant *c = entry->contestant;
    struct request request = {.job = row->job, .calls = entry->calls, .verify = verify};
    struct reply reply = {0};
    if (c->n)
        request.job.n = c->n;
    const char *error = c->run(c, &request, arena, &reply);
    if (!error && reply.status != DONE)
        error = sentences[reply.status];
    *children_ns += (double)reply.cpu_ns;
    if (error) {
        snprintf(entry->note, sizeof entry->note, "failed: %s", error);
        entry->dropped = entry->failed = true;
        return -1;
    }
    double ns = (double)(reply.end_ns - reply.start_ns);
    return ns > 0 ? ns : 1;
}

static double per_call(const struct entry *entry, const struct row *row, double ns)
{
    int n = entry->contestant->n ? entry->contestant->n : row->job.n;
    return ns / (double)entry->calls / (row->per_processor ? n : 1);
}

static void calibrate(struct entry *entry, const struct row *row, const struct arena *arena,
                      double budget_ns)
{
    double children = 0;
    entry->calls = 1;
    for (bool verify = true;; verify = false) {
        double ns = run_once(entry, row, arena, verify, &children);
        if (ns < 0)
            return;
        entry->first_ns = per_call(entry, row, ns);
        double grow = budget_ns / ns;
        if (ns >= budget_ns / 4 || entry->calls > UINT64_MAX / 32)
            break;
        entry->calls *= grow > 16 ? 16 : (uint64_t)(grow + 1);
    }
    /* Who is left out for what is seen here has been looked at again. */
    for (int i = 0; i < 2 && entry->first_ns < ENOUGH_SEEN_NS; i++) {
        double ns = run_once(entry, row, arena, false, &children);
        if (ns >= 0 && per_call(entry, row, ns) < entry->first_ns)
            entry->first_ns = per_call(entry, row, ns);
    }
    int n = entry->contestant->n ? entry->contestant->n : row->job.n;
    double calls = budget_ns / (entry->first_ns * (row->per_processor ? n : 1));
    entry->calls = calls < 1 ? 1 : (uint64_t)calls;
}

/* --- All contestants --- */

static void enter(struct result *result, const struct options *options)
{
    const struct row *row = result->row;
    for (size_t i = 0; i < contestant_count && result->entry_count < MOST_ENTRIES; i++) {
        const struct contestant *c = &contestants[i];
        if (!c->serves(c, &row->job) ||
            (options->contestant && strcmp(options->contestant, c->name) != 0))
            continue;
        struct entry *entry = &result->entries[result->entry_count++];
        entry->contestant = c;
        entry->missing = c->missing ? c->missing(c, &row->job) : NULL;
        if (entry->missing) {
            snprintf(entry->note, sizeof entry->note, "not here: %s", entry->missing);
            entry->dropped = true;
        }
    }
}

static double best_first(const struct result *result, unsigned kinds)
{
    double best = 0;
    for (int i = 0; i < result->entry_count; i++) {
        const struct entry *entry = &result->entries[i];
        if (!entry->dropped && (entry->contestant->kind & kinds) &&
            (best == 0 || entry->first_ns < best))
            best = entry->first_ns;
    }
    return best;
}

static void leave_out_the_slow(struct result *result)
{
    double of_all = best_first(result, ~0u);
    for (int i = 0; i < result->entry_count; i++) {
        struct entry *entry = &result->entries[i];
        if (entry->dropped)
            continue;
        bool alone = false;
        for (int j = 0; j < MOST_LIMITS; j++)
            alone = alone || result->row->limits[j].against == (unsigned)entry->contestant->kind;
        double of_kind = best_first(result, entry->contestant->kind);
        if (entry->first_ns > SLOWER_OF_KIND * of_kind ||
            (entry->first_ns > SLOWER_OF_ALL * of_all && !alone &&
             entry->contestant->kind != KPORT)) {
            snprintf(entry->note, sizeof entry->note, "first look only");
            entry->dropped = true;
        }
    }
}

/* A repetition: everybody once, beginning with another one each time. */
static bool repeat(struct result *result, const struct arena *arena, int number)
{
    struct load before = load_now();
    double children = 0, ns[MOST_ENTRIES] = {0};
    for (int i = 0; i < result->entry_count; i++) {
        int who = (i + number) % result->entry_count;
        struct entry *entry = &result->entries[who];
        if (!entry->dropped)
            ns[who] = run_once(entry, result->row, arena, false, &children);
    }
    double others = others_since(&before, children);
    bool undisturbed = others <= OTHERS_AT_MOST;
    if (!undisturbed && result->repeated < MOST_REPEATED) {
        result->repeated++;
        return false;
    }
    result->disturbed += !undisturbed;
    result->others = others > result->others ? others : result->others;
    for (int i = 0; i < result->entry_count; i++) {
        struct entry *entry = &result->entries[i];
        if (!entry->dropped)
            entry->ns[entry->count++] = per_call(entry, result->row, ns[i]);
    }
    return true;
}

/* --- What it means --- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* In order; `values` has room for it. */
static double sorted_median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

static const struct entry *best_of(const struct result *result, unsigned kinds)
{
    const struct entry *best = NULL;
    for (int i = 0; i < result->entry_count; i++) {
        const struct entry *entry = &result->entries[i];
        if (!entry->dropped && entry->count == result->repetitions &&
            (entry->contestant->kind & kinds) && (!best || entry->median < best->median))
            best = entry;
    }
    return best;
}

static void judge(struct result *result, const struct limit *limit)
{
    struct verdict *v = &result->verdicts[result->verdict_count++];
    double ratios[MOST_REPETITIONS];
    int count = result->repetitions;
    *v = (struct verdict){
        .limit = limit, .ours = best_of(result, KPORT), .peer = best_of(result, limit->against)};
    for (int i = 0; i < result->entry_count && !v->ours; i++)
        v->failed = v->failed ||
                    (result->entries[i].failed && result->entries[i].contestant->kind == KPORT);
    if (!v->ours || !v->peer)
        return;
    for (int i = 0; i < count; i++)
        ratios[i] = v->ours->ns[i] / v->peer->ns[i];
    v->ratio = sorted_median(ratios, count);
    v->low = ratios[count / 4];
    v->high = ratios[count - 1 - count / 4];
    v->least = ratios[0];
    v->most = ratios[count - 1];
}

static void conclude(struct result *result)
{
    for (int i = 0; i < result->entry_count; i++) {
        struct entry *entry = &result->entries[i];
        double values[MOST_REPETITIONS];
        memcpy(values, entry->ns, sizeof values);
        if (entry->count > 0)
            entry->median = sorted_median(values, entry->count);
    }
    for (const struct limit *limit = result->row->limits; limit->at_most > 0; limit++)
        judge(result, limit);
}

void run_row(const struct row *row, const struct options *options, struct result *result)
{
    struct arena arena;
    *result = (struct result){.row = row};
    int repetitions = options->repetitions ? options->repetitions
                      : row->repetitions   ? row->repetitions
                                           : 5;
    enter(result, options);
    if (!take_memory(&row->job, &arena)) {
        fprintf(stderr, "peers: %s: no memory for its buffers\n", row->name);
        return;
    }
    for (int i = 0; i < result->entry_count; i++) {
        if (!result->entries[i].dropped)
            calibrate(&result->entries[i], row, &arena, options->budget_ns);
    }
    leave_out_the_slow(result);
    if (best_first(result, ~0u) == 0)
        repetitions = 0; /* nobody is here */
    for (int number = 0; result->repetitions < repetitions; number++)
        result->repetitions += repeat(result, &arena, number);
    give_memory(&row->job, &arena);
    if (row->gib > 0)
        result->gib = fibers_gib();
    conclude(result);
}
