/* Runs one row of the benchmark. First the number of calls in a repetition is found for each
 * contestant, and slow contestants are left out. Then the others are timed in turns. A repetition
 * is done again if other programs used too much of the cores. */
#include "row.h"

#include "tools/kport/common/sorted.h"

#include <stdio.h>

/* The largest share of the cores' time that other programs may use in a repetition. */
#define OTHERS_AT_MOST 0.05
#define MOST_REPEATED  6

/* Does one repetition, in which each contestant runs once. Each repetition begins with a different
 * contestant. */
static bool repeat(struct result *result, const struct arena *arena, int number)
{
    struct load before = load_now();
    double children = 0, ns[MOST_ENTRIES] = {0};
    for (int i = 0; i < result->entry_count; i++) {
        int who = (i + number) % result->entry_count;
        struct entry *entry = &result->entries[who];
        if (!entry->dropped)
            ns[who] = entry_run(entry, result->row, arena, false, &children);
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
            entry->ns[entry->count++] = entry_per_call(entry, result->row, ns[i]);
    }
    return true;
}

/* --- Verdicts --- */

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
    v->ratio = sorted_median(ratios, (size_t)count);
    v->low = ratios[count / 4];
    v->high = ratios[count - 1 - count / 4];
    v->least = ratios[0];
    v->most = ratios[count - 1];
    int bound = sorted_bound_of_median(count);
    v->upper = bound < 0 ? 0 : ratios[bound];
}

static void conclude(struct result *result)
{
    for (int i = 0; i < result->entry_count; i++) {
        struct entry *entry = &result->entries[i];
        double values[MOST_REPETITIONS];
        memcpy(values, entry->ns, sizeof values);
        if (entry->count > 0)
            entry->median = sorted_median(values, (size_t)entry->count);
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
                                           : 11;
    entries_enter(result, options);
    if (!entries_take_memory(&row->job, &arena)) {
        fprintf(stderr, "peers: %s: no memory for its buffers\n", row->name);
        return;
    }
    for (int i = 0; i < result->entry_count; i++) {
        if (!result->entries[i].dropped)
            entry_calibrate(&result->entries[i], row, &arena, options->budget_ns);
    }
    entries_look_again(result, &arena, options->budget_ns);
    entries_leave_out_the_slow(result);
    if (entries_best_first(result, ~0u) == 0)
        repetitions = 0; /* no contestant is available */
    for (int number = 0; result->repetitions < repetitions; number++)
        result->repetitions += repeat(result, &arena, number);
    entries_give_memory(&row->job, &arena);
    if (row->gib > 0)
        result->gib = fibers_gib();
    conclude(result);
}
