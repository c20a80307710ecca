/* Makes one run of a program: the machine, the processors, the wrong part of the program, and the
 * right call after it. */
#include "wrong.h"

#undef kp_here /* the lines of the calls in this file are not recorded */
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
    DELAY_MICROSECONDS = 300,
    NEVER_MILLISECONDS = 20000, /* a wait outside of kport aborts the test after this time */
};

uint64_t next_random(uint64_t *state)
{
    uint64_t x = *state += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

static bool on_fibers(const member *here)
{
    return here->scene->config.carrier == KP_CARRIER_FIBERS;
}

void pause_for(member *here, unsigned microseconds)
{
    if (!on_fibers(here)) {
        struct timespec pause = {.tv_sec = microseconds / 1000000,
                                 .tv_nsec = (long)(microseconds % 1000000) * 1000};
        nanosleep(&pause, NULL);
        return;
    }
    /* A fiber must not block its worker, so it counts instead of sleeping. */
    atomic_int turns = 0;
    while (turns < (int)microseconds)
        turns++;
}

static void delay(member *here)
{
    if (here->scene->delays && next_random(&here->random) % 3 == 0)
        pause_for(here, (unsigned)(next_random(&here->random) % DELAY_MICROSECONDS));
}

void at_site(member *here, char site)
{
    delay(here);
    here->site = site;
    here->line = 0;
}

void stands_at(member *here, const char *file, int line)
{
    here->line = line;
    if (here->site)
        atomic_store(&here->scene->sites[here->site - 'A'], line);
    atomic_store(&here->scene->file, file);
    here->site = 0;
}

void raise_flag(member *here, int i)
{
    atomic_fetch_add(&here->scene->flags[i], 1);
}

static void await(member *here, atomic_int *count, int times)
{
    for (int waited = 0; atomic_load(count) < times; waited++) {
        if (waited > 10 * NEVER_MILLISECONDS)
            abort();
        pause_for(here, 100);
    }
}

void await_flag(member *here, int i, int times)
{
    await(here, &here->scene->flags[i], times);
}

kp_group *join(member *here, const int *processors, int count)
{
    kp_group *group = NULL;
    if (here->joined == MOST_GROUPS ||
        kp_group_create(here->self, processors, count, &group) != 0) {
        fprintf(stderr, "%s: a group could not be made: %s\n", here->scene->program->name,
                kp_error(here->self)->sentence);
        abort();
    }
    return here->groups[here->joined++] = group;
}

int heard(member *here, int status)
{
    if (status != 0 && here->told == 0) {
        here->told = status;
        here->told_line = here->line;
        here->record = *kp_last_error();
    }
    return status;
}

/* --- Processors --- */

static void sit_down(member *here, kp_proc *self)
{
    here->self = self;
    here->world = kp_world(self);
    here->me = kp_processor(self);
    here->n = kp_size(here->world);
    here->mine = here->me + 1;
    for (int i = 0; i < MOST_PROCESSORS; i++)
        here->out[i] = 100 * here->me + i;
}

/* Runs the program's code for one processor, then the right call. Returns the processor's status:
 * that of the code if the processor must end after it, otherwise 0. */
static int take_part(member *here)
{
    delay(here);
    int status = here->scene->program->body(here);
    (void)heard(here, status);
    here->returned = true;
    const expectation *expected = expected_of(here->scene, here->me);
    if (!here->self || !expected || expected->after == GONE)
        return status;
    int one = here->me + 1, sum = 0;
    delay(here);
    here->status_after = kp_allreduce(here->world, &one, &sum, 1, KP_INT32, KP_SUM, NULL);
    if (here->status_after == 0)
        here->status_after = kp_barrier(here->world);
    here->record_after = *kp_error(here->self);
    here->sum_after = sum == here->n * (here->n + 1) / 2;
    for (int i = 0; i < here->joined; i++)
        (void)kp_group_free(here->groups[i]);
    return 0;
}

static int started(kp_proc *self, void *arg)
{
    member *here = &((scene *)arg)->members[kp_processor(self)];
    sit_down(here, self);
    return take_part(here);
}

static void *attached(void *arg)
{
    member *here = arg;
    kp_proc *self = NULL;
    if (kp_machine_attach(here->scene->pointers[3], here->me, &self) != 0)
        abort();
    sit_down(here, self);
    /* No thread may detach before all have attached, because a machine is reset when its last
     * thread detaches. */
    atomic_fetch_add(&here->scene->attached_threads, 1);
    await(here, &here->scene->attached_threads, here->n);
    (void)take_part(here);
    if (here->self)
        (void)kp_machine_detach(here->self);
    return NULL;
}

static void attach_all(scene *stage)
{
    pthread_t threads[MOST_PROCESSORS];
    for (int i = 0; i < stage->config.processors; i++)
        if (pthread_create(&threads[i], NULL, attached, &stage->members[i]) != 0)
            abort();
    for (int i = 0; i < stage->config.processors; i++)
        pthread_join(threads[i], NULL);
}

/* --- The machine --- */

static int adds(kp_proc *self, void *arg)
{
    (void)arg;
    int n = kp_size(kp_world(self)), one = kp_processor(self) + 1, sum = 0;
    int status = kp_allreduce(kp_world(self), &one, &sum, 1, KP_INT32, KP_SUM, NULL);
    return status ? status : sum == n * (n + 1) / 2 ? 0 : WRONG_DATA;
}

static const char *complaint(const char *what, int status)
{
    static char text[KP_SENTENCE_BYTES + 100];
    snprintf(text, sizeof text, "%s: status %d: %s", what, status, kp_last_error()->sentence);
    return text;
}

/* Returns whether the time limit is so short that even a run without an error may exceed it on a
 * busy computer. */
static bool is_strict(const kp_config *config)
{
    return config->time_limit_ms > 0 && config->time_limit_ms < 1000;
}

/* Runs a correct program on the machine, which must work whatever happened before, and destroys the
 * machine. Returns "", or a sentence about what failed. */
static const char *ends_well(const kp_config *config, kp_machine *machine)
{
    int status = kp_machine_run(machine, adds, NULL, NULL);
    if (status != 0 && !(status == KP_ETIMEOUT && is_strict(config)))
        return complaint("the next run of the machine", status);
    status = kp_machine_destroy(machine);
    return status != 0 ? complaint("destroying the machine", status) : "";
}

static void keep_diagnosis(const kp_diagnosis *diagnosis, void *arg)
{
    scene *stage = arg;
    if (stage->diagnoses++ == 0)
        (void)kp_diagnosis_text(diagnosis, stage->diagnosis, sizeof stage->diagnosis);
}

static void sit_all(scene *stage)
{
    for (int i = 0; i < MOST_PROCESSORS; i++) {
        member *here = &stage->members[i];
        here->me = i;
        here->scene = stage;
        here->random = stage->seed * MOST_PROCESSORS + (uint64_t)i;
    }
}

const char *run_scene(scene *stage)
{
    sit_all(stage);
    if (stage->program->caller) {
        (void)stage->program->body(&stage->members[0]);
        kp_config config = stage->config;
        config.time_limit_ms = 0;
        int status = kp_run(&config, adds, NULL, NULL);
        return status != 0 ? complaint("a right run afterwards", status) : "";
    }
    kp_machine *machine = NULL;
    stage->config.on_failure = keep_diagnosis;
    stage->config.on_failure_arg = stage;
    int status = kp_machine_create(&stage->config, &machine);
    if (status != 0)
        return complaint("the machine could not be made", status);
    stage->pointers[3] = machine;
    if (stage->attached)
        attach_all(stage);
    else
        stage->run_status = kp_machine_run(machine, started, stage, &stage->report);
    return ends_well(&stage->config, machine);
}
