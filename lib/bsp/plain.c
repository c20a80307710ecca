/* A program that kportrun has not started. One parallel part after the other is possible. */
#include "lib/bsp/plain.h"

#include "lib/mpi/private/host.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static void (*plain_spmd)(void);
static int last_size; /* of the last parallel part */
static const struct kp_bsp_job plain_job;

/* A parallel part. */
struct plain {
    struct kp_bsp_world world;
    kp_machine *machine;
    struct plain_thread {
        struct plain *plain;
        pthread_t thread;
        int number;
    } threads[];
};

static struct plain *present; /* of the thread that has called bsp_begin */

/* Each process of a program of kportcc has global variables of its own, unless it was linked with
 * -fno-private. Without kportrun there is one copy, so there can be one process only. */
static bool is_single(void)
{
    const struct kp_copy *copy = dlsym(RTLD_DEFAULT, "kp_copy");
    return copy && copy->private_mark;
}

static int processes_possible(void)
{
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return is_single() || cores < 1 ? 1 : (int)cores;
}

void kp_bsp_plain_init(void (*spmd)(void))
{
    plain_spmd = spmd;
}

int kp_bsp_plain_processes(void)
{
    return last_size > 0 ? last_size : processes_possible();
}

static struct kp_bsp_process *begin_process(struct plain *plain, int number)
{
    kp_proc *proc;
    if (kp_machine_attach(plain->machine, number, &proc))
        return NULL;
    return kp_bsp_process_make(&plain->world, proc);
}

static _Noreturn void fail(const struct kp_bsp_place *place, const char *why)
{
    kp_bsp_end_job(NULL, EXIT_FAILURE, "begin", place, "%s", why);
}

static void *run(void *argument)
{
    const struct plain_thread *thread = argument;
    struct kp_bsp_process *self = begin_process(thread->plain, thread->number);
    if (!self)
        fail(NULL, "there is no memory for a process");
    self->initialised = true;
    plain_spmd();
    if (self->phase == KP_BSP_RUNNING)
        kp_bsp_fail_without_end(self);
    kp_proc *proc = self->proc;
    kp_bsp_process_end(self);
    (void)kp_machine_detach(proc);
    return NULL;
}

static void start(struct plain *plain, const struct kp_bsp_place *place)
{
    for (int i = 1; i < plain->world.size; i++) {
        struct plain_thread *thread = &plain->threads[i];
        *thread = (struct plain_thread){.plain = plain, .number = i};
        if (pthread_create(&thread->thread, NULL, run, thread))
            fail(place, "a thread for a process cannot be started");
    }
}

void kp_bsp_plain_begin(const struct kp_bsp_place *place, int processes)
{
    if (processes < 1)
        kp_bsp_end_job(NULL, EXIT_FAILURE, "argument", place, "processes is %d; it may be 1 ... %d",
                       processes, processes_possible());
    processes = is_single() ? 1 : processes;
    if (!plain_spmd && processes > 1)
        fail(place, "more than one process needs bsp_init before it, or kportrun");
    const size_t count = (size_t)processes;
    struct plain *plain = calloc(1, sizeof *plain + count * sizeof plain->threads[0]);
    if (!plain)
        fail(place, "there is no memory");
    const bool made = kp_bsp_world_begin(&plain->world, &plain_job, processes);
    const kp_config config = {
        .processors = processes, .on_failure = kp_bsp_on_failure, .on_failure_arg = &plain->world};
    if (!made || kp_machine_create(&config, &plain->machine))
        fail(place, made ? kp_last_error()->sentence : "there is no memory");
    struct kp_bsp_process *self = begin_process(plain, 0);
    if (!self)
        fail(place, "there is no memory for a process");
    self->initialised = plain_spmd != NULL;
    present = plain;
    start(plain, place);
}

void kp_bsp_plain_end(struct kp_bsp_process *self)
{
    struct plain *plain = present;
    if (!plain || self->world != &plain->world || self->number != 0)
        return;
    for (int i = 1; i < plain->world.size; i++)
        (void)pthread_join(plain->threads[i].thread, NULL);
    last_size = plain->world.size;
    kp_proc *proc = self->proc;
    kp_bsp_process_end(self);
    (void)kp_machine_detach(proc);
    (void)kp_machine_destroy(plain->machine);
    kp_bsp_world_end(&plain->world);
    present = NULL;
    free(plain);
}
