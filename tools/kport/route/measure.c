/* Carries out the trials of `kport route`. A trial routes one relation by each protocol. A relation
 * says how many messages each processor sends to each processor (relations.h). */
#include "tools/kport/route/rows.h"

#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/common/progress.h"
#include "tools/kport/route/payload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static bool interrupted(void *context)
{
    (void)context;
    return interrupt_came();
}

/* --- Trials --- */

/* The trials for one n and one h. `counts` is the relation of the current trial. `rows` has a row
 * for each protocol that is measured. */
struct cell {
    const struct route_job *job;
    int32_t n;
    uint64_t h, trial;
    int32_t *counts;
    struct route_row *rows;
    size_t protocols;
    double before; /* the trials of all cells before this one */
};

static int fill(struct cell *cell)
{
    const struct route_job *job = cell->job;
    size_t n = (size_t)cell->n;
    memset(cell->counts, 0, n * n * sizeof *cell->counts);
    if (job->path)
        return route_file_packets(job, cell->n, cell->counts);
    const char *wanted =
        job->kind->fill(cell->n, (int32_t)(cell->h * n), job->seed + cell->trial, cell->counts);
    if (wanted)
        fprintf(stderr, "kport route: n is %" PRId32 "; for %s it may be %s\n", cell->n,
                job->kind->name, wanted);
    return wanted ? EXIT_IMPOSSIBLE : EXIT_DONE;
}

static void show_progress(const struct cell *cell, const struct route_row *row)
{
    char what[80];
    snprintf(what, sizeof what, "n=%" PRId32 " h=%" PRIu64 "n %s", cell->n, cell->h,
             row->protocol->name);
    progress_at(cell->before + (double)cell->trial, what);
}

static int count_rounds(const struct cell *cell, const struct kp_protocol *protocol,
                        struct kp_route_count *count)
{
    struct kp_route_relation relation = {.n = cell->n,
                                         .packets = cell->counts,
                                         .protocol = protocol,
                                         .two_stage = cell->job->two_stage,
                                         .seed = cell->job->seed + cell->trial,
                                         .stop = interrupted};
    enum kp_count_status status = kp_route_count(&relation, count);
    if (status == KP_COUNT_MEMORY)
        fprintf(stderr, "kport route: no memory for %" PRId32 " processors\n", cell->n);
    return status == KP_COUNT_MEMORY ? EXIT_IMPOSSIBLE : EXIT_DONE;
}

/* Routes the relation once by the protocol of the row, and adds the result to the row. A trial that
 * was interrupted does not count. */
static int try_one(const struct cell *cell, struct route_row *row)
{
    struct kp_route_count count;
    struct route_moved moved = {0};
    uint64_t bound = kp_route_bound(cell->n, cell->counts);
    int status = cell->job->moves ? route_move(cell->job, cell->n, cell->trial, cell->counts,
                                               row->protocol, &moved)
                                  : count_rounds(cell, row->protocol, &count);
    if (status || interrupt_came())
        return status;
    uint64_t rounds = cell->job->moves ? moved.rounds : count.rounds;
    row->trials++;
    row->rounds += (double)rounds;
    row->squares += (double)rounds * (double)rounds;
    row->bound += (double)(cell->job->moves ? moved.bound : bound);
    row->words += (double)(cell->job->moves ? moved.words : count.words);
    row->seconds += moved.seconds;
    row->messages += (double)moved.messages;
    return EXIT_DONE;
}

static int try_all(struct cell *cell)
{
    int status = EXIT_DONE;
    for (cell->trial = 0; cell->trial < cell->job->trials && !status; cell->trial++) {
        status = fill(cell);
        for (size_t i = 0; i < cell->protocols && !status && !interrupt_came(); i++) {
            show_progress(cell, &cell->rows[i]);
            status = try_one(cell, &cell->rows[i]);
        }
        if (interrupt_came())
            break;
    }
    return status;
}

/* Returns the h of a relation from a file: the largest number of messages that a processor sends or
 * receives, divided by n. */
static double measured_h(const struct cell *cell)
{
    double n = cell->n;
    uint64_t most = 0;
    for (int32_t i = 0; i < cell->n; i++) {
        uint64_t sent = 0, received = 0;
        for (int32_t j = 0; j < cell->n; j++) {
            sent += (uint64_t)cell->counts[(int64_t)i * cell->n + j];
            received += (uint64_t)cell->counts[(int64_t)j * cell->n + i];
        }
        most = sent > most ? sent : most;
        most = received > most ? received : most;
    }
    return (double)most / n;
}

static int measure_cell(const struct route_job *job, uint64_t n, uint64_t h, double before,
                        struct route_rows *rows)
{
    struct cell cell = {
        .job = job, .n = (int32_t)n, .h = h, .before = before, .rows = rows->rows + rows->count};
    cell.counts = malloc(n * n * sizeof *cell.counts);
    if (!cell.counts) {
        fprintf(stderr, "kport route: no memory for %" PRIu64 " processors\n", n);
        return EXIT_IMPOSSIBLE;
    }
    for (int i = 0; kp_protocol_row(i); i++) {
        if (!job->protocol || job->protocol == kp_protocol_row(i))
            cell.rows[cell.protocols++] =
                (struct route_row){.protocol = kp_protocol_row(i), .n = n};
    }
    int status = try_all(&cell);
    for (size_t i = 0; i < cell.protocols; i++)
        cell.rows[i].h = job->path ? measured_h(&cell) : (double)h;
    /* After an interrupt, the last protocols may have no trial. */

    while (cell.protocols > 0 && cell.rows[cell.protocols - 1].trials == 0)
        cell.protocols--;
    rows->count += cell.protocols;
    free(cell.counts);
    return status;
}

int route_measure(const struct route_job *job, struct route_rows *rows)
{
    size_t protocols = 0;
    int status = EXIT_DONE;
    while (kp_protocol_row((int)protocols))
        protocols++;
    rows->rows = calloc(ROUTE_LIST * ROUTE_LIST * protocols, sizeof *rows->rows);
    if (!rows->rows) {
        fprintf(stderr, "kport route: no memory for the rows\n");
        return EXIT_IMPOSSIBLE;
    }
    interrupt_watch();
    int cells[2] = {0};
    while (job->n[cells[0]])
        cells[0]++;
    while (job->h[cells[1]])
        cells[1]++;
    progress_begin("route", (double)cells[0] * cells[1] * (double)job->trials, "trials");
    for (int i = 0; job->n[i] && !status; i++) {
        for (int k = 0; job->h[k] && !status && !interrupt_came(); k++)
            status = measure_cell(job, job->n[i], job->h[k],
                                  (double)(i * cells[1] + k) * (double)job->trials, rows);
    }
    rows->stopped = interrupt_came();
    progress_end();
    if (rows->stopped && processes_prints())
        fprintf(stderr, "kport route: stopped before the end; the rows so far follow\n");
    return status;
}
