/* Manages the entries of a row of the benchmark's table: one entry for each contestant that serves
 * the row's job. In a repetition each contestant makes as many calls as fit into a time that is
 * called its budget. This file allocates the buffers, does repetitions, finds the numbers of calls,
 * and leaves out contestants that are too slow to matter. `kport bench --peers` uses this file,
 * too. */
#include "row.h"

#include <stdio.h>
#include <sys/mman.h>

/* Each contestant is measured this many times before slow contestants are left out. */
#define LOOKS 4
/* A contestant is left out if its time divided by the best time of its kind is more than this. */
#define SLOWER_OF_KIND 1.6
#define SLOWER_OF_ALL  30.0
/* SLOWER_OF_ALL is a similar limit. It compares with the best of the kinds that a limit of the row
 * names. In a row without limits it compares with the best of all contestants. For whole programs
 * SLOWER_WHOLE replaces SLOWER_OF_ALL. The times of whole programs differ less, because most of
 * their work is the same numerical work. */
#define SLOWER_WHOLE 3.0
/* A contestant whose call takes this long, in nanoseconds, is measured only once. */
#define ENOUGH_SEEN_NS 1e8
/* If the budget has time for fewer than FEW_CALLS calls, a repetition makes up to FEW_CALLS calls.
 * Even so, the repetition takes at most BUDGETS times the budget. */
#define FEW_CALLS 32
#define BUDGETS   5

bool entries_take_memory(const struct job *job, struct arena *arena)
{
    size_t n = (size_t)job->n;
    *arena = (struct arena){0};
    if ((job->operation > GATHER && job->operation != PROGRAM) || job->operation == BARRIER)
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

void entries_give_memory(const struct job *job, struct arena *arena)
{
    if (arena->in)
        munmap(arena->in, (size_t)job->n * (arena->out_stride + arena->in_stride));
}

/* --- One repetition of one contestant --- */

double entry_run(struct entry *entry, const struct row *row, const struct arena *arena, bool verify,
                 double *children_ns)
{
    static const char *const sentences[] = {
        [WRONG_DATA] = "wrong data", [NO_MEMORY] = "no memory", [NOT_SERVED] = "cannot do it"};
    const struct contestant *c = entry->contestant;
    struct request request = {.job = row->job, .calls = entry->calls, .verify = verify};
    struct reply reply = {0};
    request.job.patient = c->patient;
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

double entry_per_call(const struct entry *entry, const struct row *row, double ns)
{
    int n = entry->contestant->n ? entry->contestant->n : row->job.n;
    return ns / (double)entry->calls / (row->per_processor ? n : 1);
}

static void set_calls(struct entry *entry, const struct row *row, double budget_ns)
{
    int n = entry->contestant->n ? entry->contestant->n : row->job.n;
    double calls = budget_ns / (entry->first_ns * (row->per_processor ? n : 1));
    if (calls < FEW_CALLS)
        calls = calls * BUDGETS < FEW_CALLS ? calls * BUDGETS : FEW_CALLS;
    entry->calls = calls < 1 ? 1 : (uint64_t)calls;
}

void entry_calibrate(struct entry *entry, const struct row *row, const struct arena *arena,
                     double budget_ns)
{
    double children = 0;
    entry->calls = 1;
    for (bool verify = true;; verify = false) {
        double ns = entry_run(entry, row, arena, verify, &children);
        if (ns < 0)
            return;
        entry->first_ns = entry_per_call(entry, row, ns);
        double grow = budget_ns / ns;
        if (ns >= budget_ns / 4 || entry->calls > UINT64_MAX / 32)
            break;
        entry->calls *= grow > 16 ? 16 : (uint64_t)(grow + 1);
    }
    set_calls(entry, row, budget_ns);
}

/* Measures the contestants in turns. So half a second in which the machine is slow affects all of
 * them. */
void entries_look_again(struct result *result, const struct arena *arena, double budget_ns)
{
    double children = 0;
    for (int i = 0; i < LOOKS * result->entry_count; i++) {
        struct entry *entry = &result->entries[i % result->entry_count];
        if (entry->dropped || entry->first_ns >= ENOUGH_SEEN_NS)
            continue;
        double ns = entry_run(entry, result->row, arena, false, &children);
        if (ns < 0 || entry_per_call(entry, result->row, ns) >= entry->first_ns)
            continue;
        entry->first_ns = entry_per_call(entry, result->row, ns);
        set_calls(entry, result->row, budget_ns);
    }
}

/* --- All contestants --- */

void entries_enter(struct result *result, const struct options *options)
{
    const struct row *row = result->row;
    for (size_t i = 0; i < contestant_count && result->entry_count < MOST_ENTRIES; i++) {
        const struct contestant *c = &contestants[i];
        bool asked = !row->job.threshold || (c->kind & (KPORT | KPORT_SET));
        if (!asked || !c->serves(c, &row->job) || (options->kinds && !(options->kinds & c->kind)) ||
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

double entries_best_first(const struct result *result, unsigned kinds)
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

/* Returns whether the contestant may be the best of the kinds that some limit compares kport with.
 * In a row without limits, returns whether it may be the best of all contestants. */
static bool may_count(const struct result *result, const struct entry *entry)
{
    const struct limit *limits = result->row->limits;
    double slower = result->row->job.operation == WHOLE ? SLOWER_WHOLE : SLOWER_OF_ALL;
    bool counts =
        (entry->contestant->kind & (KPORT | KPORT_SET)) ||
        (limits[0].at_most == 0 && entry->first_ns <= slower * entries_best_first(result, ~0u));
    for (int j = 0; j < MOST_LIMITS; j++) {
        unsigned against = limits[j].against;
        counts = counts || ((against & entry->contestant->kind) &&
                            entry->first_ns <= slower * entries_best_first(result, against));
    }
    return counts;
}

void entries_leave_out_the_slow(struct result *result)
{
    bool slow[MOST_ENTRIES];
    for (int i = 0; i < result->entry_count; i++) {
        const struct entry *entry = &result->entries[i];
        double of_kind = entries_best_first(result, entry->contestant->kind);
        slow[i] = !entry->dropped &&
                  (entry->first_ns > SLOWER_OF_KIND * of_kind || !may_count(result, entry));
    }
    for (int i = 0; i < result->entry_count; i++) {
        struct entry *entry = &result->entries[i];
        if (slow[i]) {
            snprintf(entry->note, sizeof entry->note, "first look only");
            entry->dropped = true;
        }
    }
}
