/* The helper program kport-peers, which kport starts. It times the contestants of the benchmark in
 * bench/. A column of kport's table has the time of the fastest contestant of one kind. Requests
 * arrive on standard input, which is a socket. */
#include "bench/row.h"
#include "bench/socket.h"
#include "tools/kport/bench/peers_messages.h"
#include "tools/kport/common/sorted.h"

#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

/* The job that is being timed. */
static struct {
    struct row row;
    struct result result;
    struct arena arena;
    int turns;
} peers;

/* The kind of contestants in each column. */
static const enum kind kinds[PEERS_COLUMNS] = {HAND, PTHREAD, OPENMP, STD, OPENMPI, MPICH};

static const char *column_missing(int column, const struct job *job)
{
    const char *why = "there is none for this operation";
    for (size_t i = 0; i < contestant_count; i++) {
        const struct contestant *c = &contestants[i];
        if (!(c->kind & kinds[column]) || !c->serves(c, job))
            continue;
        why = c->missing ? c->missing(c, job) : NULL;
        if (!why)
            return NULL;
    }
    return why;
}

static void tell(const struct peers_request *request, struct peers_reply *reply)
{
    for (int i = 0; i < PEERS_COLUMNS; i++) {
        const char *why = column_missing(i, &request->job);
        snprintf(reply->missing[i], sizeof reply->missing[i], "%s", why ? why : "");
    }
}

static void begin(const struct peers_request *request, struct peers_reply *reply)
{
    /* The row gets a limit against each of these sets of kinds. The benchmark leaves out slow
     * contestants, but never the best contestant of a limit. So the best contestant of each set is
     * kept, even if the contestants of another set are faster. */
    static const unsigned apart[] = {HAND, PTHREAD, OPENMP | STD, OPENMPI | MPICH};
    struct options options = {.kinds = 0};
    for (int i = 0; i < PEERS_COLUMNS; i++)
        options.kinds |= request->columns >> i & 1 ? kinds[i] : 0;
    memset(&peers, 0, sizeof peers);
    reply->begun = entries_take_memory(&request->job, &peers.arena);
    if (!reply->begun)
        return;
    peers.row.job = request->job;
    for (int i = 0; i < MOST_LIMITS; i++)
        peers.row.limits[i].against = apart[i];
    peers.result.row = &peers.row;
    entries_enter(&peers.result, &options);
    for (int i = 0; i < peers.result.entry_count; i++) {
        if (!peers.result.entries[i].dropped)
            entry_calibrate(&peers.result.entries[i], &peers.row, &peers.arena, request->budget_ns);
    }
    entries_look_again(&peers.result, &peers.arena, request->budget_ns);
    entries_leave_out_the_slow(&peers.result);
}

static void repeat(void)
{
    double children = 0;
    struct result *result = &peers.result;
    if (peers.turns == MOST_REPETITIONS)
        return;
    for (int i = 0; i < result->entry_count; i++) {
        struct entry *entry = &result->entries[(i + peers.turns) % result->entry_count];
        double ns =
            entry->dropped ? -1 : entry_run(entry, &peers.row, &peers.arena, false, &children);
        if (ns >= 0)
            entry->ns[entry->count++] = entry_per_call(entry, &peers.row, ns);
    }
    peers.turns++;
}

/* Returns the median of the contestant's turns in microseconds. If the contestant was left out
 * because it is slow, returns its first measurement. Returns 0 if the contestant has failed. */
static double us_of(struct entry *entry)
{
    if (entry->failed)
        return 0;
    if (entry->count == 0)
        return entry->first_ns / 1000;
    return sorted_median(entry->ns, (size_t)entry->count) / 1000;
}

static void end(struct peers_reply *reply)
{
    for (int i = 0; i < peers.result.entry_count; i++) {
        struct entry *entry = &peers.result.entries[i];
        double us = us_of(entry);
        for (int column = 0; column < PEERS_COLUMNS; column++) {
            double *best = &reply->times.us[column];
            if (us <= 0 || !(entry->contestant->kind & kinds[column]) || (*best > 0 && us >= *best))
                continue;
            *best = us;
            reply->times.calls[column] =
                (int64_t)entry->calls * (entry->count > 0 ? entry->count : 1);
        }
        if (entry->failed)
            fprintf(stderr, "kport bench: %s: %s\n", entry->contestant->name, entry->note);
    }
    entries_give_memory(&peers.row.job, &peers.arena);
    programs_end();
}

int main(void)
{
    struct peers_request request;
    struct peers_reply reply;
    sigset_t none; /* the helper inherits kport's blocked signals, so it unblocks them; in a process
                      group of its own it does not get Ctrl-C, which is for kport alone */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    /* If kport ends, the helper ends too, so that it does not disturb later measurements. */
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (read_all(STDIN_FILENO, &request, sizeof request)) {
        memset(&reply, 0, sizeof reply);
        switch (request.wish) {
        case PEERS_TELL:
            tell(&request, &reply);
            break;
        case PEERS_BEGIN:
            begin(&request, &reply);
            break;
        case PEERS_REPEAT:
            repeat();
            break;
        case PEERS_END:
            end(&reply);
            break;
        }
        if (!write_all(STDIN_FILENO, &reply, sizeof reply))
            break;
    }
    programs_end();
    return 0;
}
