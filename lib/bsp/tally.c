/* What the supersteps cost: counted only if the job has a record. */
#include "lib/bsp/process.h"
#include "lib/bsp/record.h"

#include <stdlib.h>
#include <time.h>

/* Other processes of the same thread or core do not count. */
static double work_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool kp_bsp_tally_begin(struct kp_bsp_process *self)
{
    struct kp_bsp_record *record = self->world->job->record;
    void *memory = NULL;
    if (!record)
        return true;
    if (posix_memalign(&memory, _Alignof(struct kp_bsp_tally), sizeof(struct kp_bsp_tally)))
        return false;
    self->tally = memory;
    *self->tally =
        (struct kp_bsp_tally){.file = self->front.call.file, .line = self->front.call.line};
    record->tallies[self->pid] = self->tally;
    return true;
}

void kp_bsp_tally_add(struct kp_bsp_process *self, int pid, size_t size, bool comes)
{
    const unsigned generation = kp_bsp_generation(self);
    struct kp_bsp_cell *own = &self->tally->cells[generation];
    struct kp_bsp_cell *other = &self->team->members[pid]->tally->cells[generation];
    atomic_fetch_add_explicit(comes ? &own->received : &own->sent, size, memory_order_relaxed);
    atomic_fetch_add_explicit(comes ? &other->sent : &other->received, size, memory_order_relaxed);
    self->tally->messages++;
}

void kp_bsp_tally_stop(struct kp_bsp_process *self)
{
    self->tally->work = work_clock() - self->tally->work_begin;
}

static void add(struct kp_bsp_process *self, const struct kp_bsp_step *step)
{
    struct kp_bsp_tally *tally = self->tally;
    if (tally->count == tally->room) {
        const size_t room = tally->room ? 2 * tally->room : 256;
        struct kp_bsp_step *moved = realloc(tally->steps, room * sizeof *moved);
        if (!moved)
            kp_bsp_no_memory(self);
        tally->steps = moved;
        tally->room = room;
    }
    tally->steps[tally->count++] = *step;
}

/* Adds the superstep that has ended. All have arrived since, so nobody adds to its cell. */
static void keep(struct kp_bsp_process *self, unsigned generation, unsigned all, double now)
{
    struct kp_bsp_tally *tally = self->tally;
    struct kp_bsp_cell *cell = &tally->cells[generation];
    const struct kp_bsp_step step = {
        .work = tally->work,
        .wall = now - tally->begin,
        .sent = atomic_exchange_explicit(&cell->sent, 0, memory_order_relaxed),
        .received = atomic_exchange_explicit(&cell->received, 0, memory_order_relaxed),
        .messages = tally->messages,
        .way = kp_bsp_way_of(all),
        .file = self->front.call.file,
        .line = self->front.call.line};
    add(self, &step);
    tally->messages = 0;
}

void kp_bsp_tally_resume(struct kp_bsp_process *self, unsigned all)
{
    struct kp_bsp_tally *tally = self->tally;
    if (!tally)
        return;
    const double now = kp_bsp_clock();
    if (tally->begin > 0)
        keep(self, !kp_bsp_generation(self), all, now);
    tally->begin = now;
    tally->work_begin = work_clock();
}

void kp_bsp_tally_end(struct kp_bsp_process *self)
{
    if (self->tally)
        keep(self, kp_bsp_generation(self), 0, kp_bsp_clock());
}

/* --- Reading --- */

size_t kp_bsp_record_steps(const struct kp_bsp_record *record)
{
    size_t least = SIZE_MAX;
    for (int i = 0; i < record->size; i++) {
        const struct kp_bsp_tally *tally = record->tallies[i];
        least = tally && tally->count < least ? tally->count : least;
    }
    return least == SIZE_MAX ? 0 : least;
}

static struct kp_bsp_spot begin_of(const struct kp_bsp_tally *tally, size_t number)
{
    if (number == 0)
        return (struct kp_bsp_spot){tally->file, tally->line};
    return (struct kp_bsp_spot){tally->steps[number - 1].file, tally->steps[number - 1].line};
}

struct kp_bsp_total kp_bsp_record_total(const struct kp_bsp_record *record, size_t number)
{
    struct kp_bsp_total total = {.h = 0};
    for (int i = 0; i < record->size; i++) {
        if (!record->tallies[i])
            continue;
        const struct kp_bsp_step *step = &record->tallies[i]->steps[number];
        const uint64_t h = step->sent > step->received ? step->sent : step->received;
        total.h = h > total.h ? h : total.h;
        total.work = step->work > total.work ? step->work : total.work;
        total.wall = step->wall > total.wall ? step->wall : total.wall;
        total.works += step->work;
        total.bytes += step->sent;
        total.messages += step->messages;
        total.way = step->way;
        if (!total.end.file)
            total.end = (struct kp_bsp_spot){step->file, step->line};
        if (!total.begin.file)
            total.begin = begin_of(record->tallies[i], number);
    }
    return total;
}

void kp_bsp_record_free(struct kp_bsp_record *record)
{
    for (int i = 0; record->tallies && i < record->size; i++) {
        if (record->tallies[i])
            free(record->tallies[i]->steps);
        free(record->tallies[i]);
    }
    free(record->tallies);
    *record = (struct kp_bsp_record){.size = 0};
}
