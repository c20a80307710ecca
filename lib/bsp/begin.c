/* The beginning and the end of a process, and of the parallel part. */
#include "lib/bsp/process.h"

#include "lib/bsp/plain.h"
#include "lib/bsp/record.h"
#include "lib/bsp/remote/under_mpi.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

double kp_bsp_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

struct kp_bsp_process *kp_bsp_process_make(struct kp_bsp_world *world, kp_proc *proc)
{
    void *memory = NULL;
    if (posix_memalign(&memory, _Alignof(struct kp_bsp_process), sizeof(struct kp_bsp_process)))
        return NULL;
    struct kp_bsp_process *self = memory;
    *self = (struct kp_bsp_process){.world = world,
                                    .front = {.last_block = self},
                                    .proc = proc,
                                    .number = kp_processor(proc),
                                    .checks = world->job->checks,
                                    .traced = world->job->config.trace != NULL};
    kp_face_set_data(proc, self);
    /* release: pairs with the acquire of process_at in error.c */
    atomic_store_explicit(&world->processes[self->number], self, memory_order_release);
    return self;
}

void kp_bsp_process_end(struct kp_bsp_process *self)
{
    kp_bsp_arena_end(&self->outs[0].arena);
    kp_bsp_arena_end(&self->outs[1].arena);
    kp_bsp_areas_end(&self->areas);
    kp_bsp_remote_end(self);
    free(self->gets);
    free(self->fetched);
    self->gets = NULL;
    self->fetched = NULL;
    kp_face_set_data(self->proc, NULL);
}

void kp_bsp_team_free(struct kp_bsp_team *team)
{
    if (!team)
        return;
    free(team->members);
    for (size_t i = 0; i < sizeof team->memory / sizeof team->memory[0]; i++)
        free(team->memory[i]);
    for (int i = 0; i < KP_BSP_PARTS; i++)
        free(atomic_load_explicit(&team->parts[i], memory_order_relaxed));
    free(team);
}

/* --- The parallel part begins --- */

/* Memory that begins with a cache line, all 0. What is never used takes no pages. */
static void *make_lines(size_t count, size_t bytes, void **memory)
{
    if (!(*memory = calloc(count + 1, bytes)))
        return NULL;
    const uintptr_t begin = (uintptr_t)*memory + KP_BSP_LINE - 1;
    return (char *)*memory + (begin / KP_BSP_LINE * KP_BSP_LINE - (uintptr_t)*memory);
}

static size_t whole_lines(size_t bytes)
{
    return (bytes + KP_BSP_LINE - 1) / KP_BSP_LINE * KP_BSP_LINE;
}

/* An odd number of lines: so a receiver that reads the same place of all sheets reads lines that
 * lie apart in a cache. The states and the words begin with a line of their own, but not in a pair,
 * whose sheets are read by their owner alone. */
static void lay_out_sheet(struct kp_bsp_team *team)
{
    const size_t size = (size_t)team->size;
    team->sheet_at = size > 2 ? KP_BSP_LINE - sizeof(struct kp_bsp_sheet) : 0;
    team->words_at =
        sizeof(struct kp_bsp_sheet) + (size > 2 ? whole_lines(size) : kp_bsp_aligned(size));
    team->sheet_bytes = whole_lines(team->words_at + size * sizeof(uint64_t)) | KP_BSP_LINE;
    team->room_bytes = (size * KP_BSP_ROOM) | KP_BSP_LINE;
}

static struct kp_bsp_team *make_team(int size)
{
    const size_t pairs = (size_t)size * (size_t)size;
    struct kp_bsp_team *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    team->size = size;
    team->members = calloc((size_t)size, sizeof *team->members);
    lay_out_sheet(team);
    memset(team->no_states, KP_BSP_SAME, sizeof team->no_states);
    memset(team->no_states, 0, (size_t)(size - 1) % sizeof team->no_states + 1);
    team->rooms = make_lines((size_t)size, team->room_bytes, &team->memory[6]);
    bool made = team->members && team->rooms;
    for (int generation = 0; generation < 2; generation++) {
        void **memory = &team->memory[3 * generation];
        team->sheets[generation] = make_lines((size_t)size, team->sheet_bytes, memory);
        team->sheets[generation] += team->sheets[generation] ? team->sheet_at : 0;
        team->puts[generation] = make_lines(pairs, sizeof *team->puts[0], memory + 1);
        team->messages[generation] = make_lines(pairs, sizeof *team->messages[0], memory + 2);
        made = made && team->sheets[generation] && team->puts[generation] &&
               team->messages[generation];
    }
    if (made)
        return team;
    kp_bsp_team_free(team);
    return NULL;
}

/* A report has a tally for each process of the parallel part. */
static bool make_record(struct kp_bsp_record *record, int size)
{
    if (!record)
        return true;
    record->size = size;
    return (record->tallies = calloc((size_t)size, sizeof *record->tallies)) != NULL;
}

/* What a process tells all others. */
struct beginning {
    int processes;
    bool initialised, checks;
};

static _Noreturn void end_process(struct kp_bsp_process *self)
{
    const struct kp_bsp_job *job = self->world->job;
    if (job->end_process)
        job->end_process(job->argument);
    longjmp(self->out, 1);
}

/* Returns how many processes the parallel part has. */
static int agree_on_size(struct kp_bsp_process *self, int processes)
{
    const int size = self->world->size;
    struct beginning own = {
        .processes = processes, .initialised = self->initialised, .checks = self->checks};
    struct beginning *all = calloc((size_t)size, sizeof *all);
    const int most = processes < size ? processes : size;
    if (self->number == 0 && !self->world->remote && most >= 1 &&
        make_record(self->world->job->record, most))
        self->world->team = make_team(most);
    kp_here(self->front.call.file, self->front.call.line);
    const int status = all ? kp_concat(self->group, &own, all, sizeof own, NULL) : KP_EMEMORY;
    if (status)
        kp_bsp_fail_by(self, status);
    processes = all[0].processes;
    if (processes < 1)
        kp_bsp_fail(self, "argument", "processes is %d; it may be 1 ... %d", processes, size);
    for (int i = 0; i < size; i++) {
        if (all[i].checks != own.checks)
            kp_bsp_fail(self, "mismatch", "process %d %s; KPORT_BSP_CHECK must be the same in all",
                        i, all[i].checks ? "checks its puts" : "does not check its puts");
        if (!all[i].initialised && all[i].processes != processes)
            kp_bsp_fail(self, "mismatch",
                        "processes is %d in process 0, and %d in process %d; without bsp_init all "
                        "must name the same number",
                        processes, all[i].processes, i);
    }
    free(all);
    processes = processes < size ? processes : size;
    if (self->world->remote)
        self->world->team = make_team(processes);
    if (!self->world->team)
        kp_bsp_no_memory(self);
    return processes;
}

/* Makes the group of the first `size` processes. */
static void make_group(struct kp_bsp_process *self, int size)
{
    int *numbers = calloc((size_t)size, sizeof *numbers);
    for (int i = 0; numbers && i < size; i++)
        numbers[i] = i;
    const int status =
        numbers ? kp_group_create(self->proc, numbers, size, &self->group) : KP_EMEMORY;
    free(numbers);
    if (status)
        kp_bsp_fail_by(self, status);
}

static void join_team(struct kp_bsp_process *self)
{
    self->team = self->world->team;
    self->pid = self->number;
    self->team->members[self->pid] = self;
    kp_bsp_out_begin(self);
    if (self->world->remote && !kp_bsp_remote_begin(self))
        kp_bsp_no_memory(self);
    if (!kp_bsp_tally_begin(self))
        kp_bsp_no_memory(self);
    self->careful = self->checks || self->tally || self->remote;
    self->notes = !self->careful && !self->traced && kp_face_has_notes(self->group);
    kp_bsp_meet_at_begin(self);
    self->phase = KP_BSP_RUNNING;
    self->front.quick = self->careful ? 0 : (unsigned)self->team->size;
    self->begin = kp_bsp_clock();
    kp_bsp_tally_resume(self, 0);
}

KP_BSP_EXPORT void kp_bsp_begin(const char *file, int line, int processes)
{
    const struct kp_bsp_place place = {"bsp_begin", file, line};
    if (!kp_face_data() && !kp_bsp_mpi_join(&place))
        kp_bsp_plain_begin(&place, processes);
    struct kp_bsp_process *self = kp_bsp_enter_any("bsp_begin", file, line);
    if (self->phase != KP_BSP_BEFORE)
        kp_bsp_fail(self, "begin", "was called %s",
                    self->phase == KP_BSP_RUNNING ? "twice" : "after bsp_end");
    self->group = kp_world(self->proc);
    const int size = agree_on_size(self, processes);
    if (self->number >= size)
        end_process(self);
    if (size < self->world->size)
        make_group(self, size);
    join_team(self);
}

KP_BSP_EXPORT void kp_bsp_init(const char *file, int line, void (*spmd)(void), int argc,
                               char **argv)
{
    const struct kp_bsp_place place = {"bsp_init", file, line};
    (void)argc;
    (void)argv;
    if (!kp_face_data())
        (void)kp_bsp_mpi_join(&place);
    struct kp_bsp_process *self = kp_bsp_enter_any("bsp_init", file, line);
    if (!self) {
        kp_bsp_plain_init(spmd);
        return;
    }
    if (self->phase != KP_BSP_BEFORE || self->initialised)
        kp_bsp_fail(self, "begin", "was called %s",
                    self->initialised ? "twice" : "after bsp_begin");
    self->initialised = true;
    if (self->number == 0)
        return;
    spmd();
    if (self->phase == KP_BSP_BEFORE)
        kp_bsp_fail(self, "no-begin", "the function that it names has ended without bsp_begin");
    if (self->phase == KP_BSP_RUNNING)
        kp_bsp_fail_without_end(self);
    end_process(self);
}

void kp_bsp_fail_without_end(struct kp_bsp_process *self)
{
    kp_bsp_fail(self, "no-end", "its program has ended after this call, without bsp_end");
}

/* --- Its end --- */

/* With --check: names the first call of each kind in the last superstep, which no bsp_sync ends. */
static void tell_unfinished(struct kp_bsp_process *self)
{
    char names[KP_BSP_ASKED * (KP_BSP_WHERE_BYTES + 24)] = "", where[KP_BSP_WHERE_BYTES];
    for (size_t i = 0, length = 0; i < KP_BSP_ASKED; i++) {
        if (!(self->bits >> i & 1))
            continue;
        kp_bsp_say_place(&self->asked[i], where);
        length += (size_t)snprintf(names + length, sizeof names - length, "%s%s%s",
                                   length ? ", " : "", self->asked[i].function, where);
    }
    kp_bsp_tell(self, "unfinished", &self->front.call,
                "no bsp_sync ends the last superstep, so its calls are not done; the first of each "
                "kind: %s",
                names);
}

KP_BSP_EXPORT void kp_bsp_end(const char *file, int line)
{
    struct kp_bsp_process *self = kp_bsp_enter("bsp_end", file, line);
    if (self->checks && self->bits)
        tell_unfinished(self);
    if (self->tally)
        kp_bsp_tally_stop(self);
    kp_bsp_meet_at_end(self);
    kp_bsp_tally_end(self);
    self->phase = KP_BSP_AFTER;
    self->front.quick = self->front.direct = 0;
    self->front.last_word = NULL;
    kp_bsp_mpi_end(self);
    kp_bsp_plain_end(self);
}

KP_BSP_EXPORT int kp_bsp_pid(const char *file, int line)
{
    return kp_bsp_enter("bsp_pid", file, line)->pid;
}

KP_BSP_EXPORT double kp_bsp_time(const char *file, int line)
{
    return kp_bsp_clock() - kp_bsp_enter("bsp_time", file, line)->begin;
}

KP_BSP_EXPORT int bsp_nprocs(void)
{
    const struct kp_bsp_process *self = kp_face_data();
    const struct kp_bsp_place place = {.function = "bsp_nprocs"};
    const int under_mpi = self ? 0 : kp_bsp_mpi_processes(&place);
    if (!self)
        return under_mpi > 0 ? under_mpi : kp_bsp_plain_processes();
    return self->team ? self->team->size : self->world->size;
}

static _Noreturn __attribute__((format(printf, 2, 0))) void
abort_at(const struct kp_bsp_place *place, const char *format, va_list arguments)
{
    char text[KP_SENTENCE_BYTES];
    vsnprintf(text, sizeof text, format, arguments);
    for (size_t length = strlen(text); length > 0 && text[length - 1] == '\n'; length--)
        text[length - 1] = '\0';
    kp_bsp_end_job(kp_face_data(), EXIT_FAILURE, "abort", place, "%s", text);
}

KP_BSP_EXPORT void kp_bsp_abort(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    abort_at(&(struct kp_bsp_place){"bsp_abort", file, line}, format, arguments);
}

KP_BSP_EXPORT void bsp_abort(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    abort_at(&(struct kp_bsp_place){.function = "bsp_abort"}, format, arguments);
}
