/* The contestants of bench/, by kinds: of each the best one that is here counts. */
#include "tools/kport/bench/peers.h"

#include "bench/row.h"
#include "lib/problem/operation.h"

#include <stdio.h>
#include <stdlib.h>

struct peers {
    struct row row;
    struct result result;
    struct arena arena;
    int turns;
};

const struct peers_column peers_columns[PEERS_COLUMNS] = {
    {"By hand", "by_hand"},  {"pthread_barrier_t", "pthread_barrier"},
    {"OpenMP", "openmp"},    {"std::barrier", "std_barrier"},
    {"Open MPI", "openmpi"}, {"MPICH", "mpich"},
};

static const enum kind kinds[PEERS_COLUMNS] = {HAND, PTHREAD, OPENMP, STD, OPENMPI, MPICH};
#define ALL_KINDS (HAND | PTHREAD | OPENMP | STD | OPENMPI | MPICH)

const char *peers_missing(void)
{
    return NULL;
}

static int operation_of(const struct task *task)
{
    static const int operations[KP_OPERATIONS] = {[KP_INDEX] = INDEX,
                                                  [KP_CONCAT] = CONCAT,
                                                  [KP_BROADCAST] = BROADCAST,
                                                  [KP_SCATTER] = SCATTER,
                                                  [KP_GATHER] = GATHER};
    return task->barrier ? BARRIER : operations[task->problem.operation];
}

/* False if it is none of bench/'s: those know five operations, root 0 and buffers apart. */
static bool job_of(const struct task *task, const kp_config *machine, bool ahead, struct job *job)
{
    const kp_problem *p = &task->problem;
    *job = (struct job){.operation = operation_of(task),
                        .n = p->n,
                        .k = p->k,
                        .b = p->b,
                        .pin = machine->pin,
                        .batch = ahead};
    return task->barrier || (job->operation != BARRIER && p->root == 0 && !p->in_place && p->n > 1);
}

const char *peers_none(const struct task *task, const kp_config *machine)
{
    struct job job;
    return job_of(task, machine, false, &job)
               ? NULL
               : "none; they know index, concat, broadcast, scatter and gather of root 0, of "
                 "buffers apart, and the barrier";
}

const char *peers_column_missing(int column, const struct task *task, const kp_config *machine)
{
    const char *why = peers_none(task, machine);
    struct job job;
    if (!job_of(task, machine, false, &job))
        return why;
    why = "nobody of that kind is written for it";
    for (size_t i = 0; i < contestant_count; i++) {
        const struct contestant *c = &contestants[i];
        if (!(c->kind & kinds[column]) || !c->serves(c, &job))
            continue;
        why = c->missing ? c->missing(c, &job) : NULL;
        if (!why)
            return NULL;
    }
    return why;
}

struct peers *peers_begin(const struct task *task, const kp_config *machine, bool ahead,
                          double budget_ns)
{
    struct job job;
    const struct options options = {.kinds = ALL_KINDS};
    struct peers *peers = calloc(1, sizeof *peers);
    if (!peers || !job_of(task, machine, ahead, &job) ||
        !entries_take_memory(&job, &peers->arena)) {
        free(peers);
        return NULL;
    }
    peers->row.job = job;
    /* Who is slower than another kind counts all the same. */
    const unsigned apart[] = {HAND, PTHREAD, OPENMP | STD, OPENMPI | MPICH};
    for (int i = 0; i < MOST_LIMITS; i++)
        peers->row.limits[i].against = apart[i];
    peers->result.row = &peers->row;
    entries_enter(&peers->result, &options);
    for (int i = 0; i < peers->result.entry_count; i++) {
        if (!peers->result.entries[i].dropped)
            entry_calibrate(&peers->result.entries[i], &peers->row, &peers->arena, budget_ns);
    }
    entries_look_again(&peers->result, &peers->arena, budget_ns);
    entries_leave_out_the_slow(&peers->result);
    return peers;
}

void peers_repeat(struct peers *peers)
{
    double children = 0;
    struct result *result = &peers->result;
    if (peers->turns == MOST_REPETITIONS)
        return;
    for (int i = 0; i < result->entry_count; i++) {
        struct entry *entry = &result->entries[(i + peers->turns) % result->entry_count];
        double ns =
            entry->dropped ? -1 : entry_run(entry, &peers->row, &peers->arena, false, &children);
        if (ns >= 0)
            entry->ns[entry->count++] = entry_per_call(entry, &peers->row, ns);
    }
    peers->turns++;
}

/* The average of its turns, or a first look at one that was slow; 0 if it failed. */
static double us_of(const struct entry *entry)
{
    double sum = 0;
    if (entry->failed)
        return 0;
    for (int i = 0; i < entry->count; i++)
        sum += entry->ns[i];
    return (entry->count > 0 ? sum / entry->count : entry->first_ns) / 1000;
}

void peers_end(struct peers *peers, struct peers_times *times)
{
    *times = (struct peers_times){{0}};
    for (int i = 0; i < peers->result.entry_count; i++) {
        const struct entry *entry = &peers->result.entries[i];
        double us = us_of(entry);
        for (int column = 0; column < PEERS_COLUMNS; column++) {
            double *best = &times->us[column];
            if (us > 0 && (entry->contestant->kind & kinds[column]) && (*best == 0 || us < *best))
                *best = us;
        }
        if (entry->failed)
            fprintf(stderr, "kport bench: %s: %s\n", entry->contestant->name, entry->note);
    }
    entries_give_memory(&peers->row.job, &peers->arena);
    free(peers);
    programs_end();
}
