/* A job: a machine whose processors run the program's main as its processes. */
#include "lib/bsp/job.h"

#include "lib/bsp/process.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct running {
    struct kp_bsp_world world;
    int (*process_main)(int number, void *argument);
    void *argument;
    _Atomic int exit_status; /* the first that is not 0 */
};

bool kp_bsp_world_begin(struct kp_bsp_world *world, const struct kp_bsp_job *job, int size)
{
    *world = (struct kp_bsp_world){.job = job, .size = size};
    world->processes = calloc((size_t)size, sizeof *world->processes);
    return world->processes != NULL;
}

void kp_bsp_world_end(struct kp_bsp_world *world)
{
    for (int i = 0; world->processes && i < world->size; i++)
        free(atomic_load_explicit(&world->processes[i], memory_order_relaxed));
    free(world->processes);
    kp_bsp_team_free(world->team);
}

static int run_process(kp_proc *proc, void *argument)
{
    struct running *running = argument;
    struct kp_bsp_process *self = kp_bsp_process_make(&running->world, proc);
    if (!self)
        return kp_fail(proc, "no memory for a process of BSP");
    if (setjmp(self->out) == 0) {
        int none = 0, status = running->process_main(self->number, running->argument) & 0xff;
        if (status != 0)
            atomic_compare_exchange_strong(&running->exit_status, &none, status);
    }
    if (self->phase == KP_BSP_RUNNING)
        kp_bsp_fail_without_end(self);
    kp_bsp_process_end(self);
    return KP_OK;
}

KP_BSP_EXPORT int kp_bsp_take_part(const struct kp_bsp_job *job, kp_proc *proc,
                                   int (*process_main)(int number, void *argument), void *argument,
                                   int *exit_status)
{
    struct running running = {.process_main = process_main, .argument = argument};
    int status = KP_EMEMORY;
    if (kp_bsp_world_begin(&running.world, job, kp_size(kp_world(proc)))) {
        running.world.remote = true;
        status = run_process(proc, &running);
    }
    kp_bsp_world_end(&running.world);
    *exit_status = atomic_load(&running.exit_status);
    return status;
}

/* The job that runs, for kp_bsp_time_over. Under `mutex`, so that it stays while it is looked at.
 */
static struct {
    pthread_mutex_t mutex;
    struct kp_bsp_world *world; /* NULL: none */
    kp_machine *machine;
} present = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void set_present(struct kp_bsp_world *world, kp_machine *machine)
{
    pthread_mutex_lock(&present.mutex);
    present.world = world;
    present.machine = machine;
    pthread_mutex_unlock(&present.mutex);
}

KP_BSP_EXPORT int kp_bsp_run(const struct kp_bsp_job *job,
                             int (*process_main)(int number, void *argument), void *argument,
                             kp_report *report, int *exit_status)
{
    kp_config config = job->config;
    kp_machine *machine;
    struct running running = {.process_main = process_main, .argument = argument};
    const int size = config.processors > 0 ? config.processors : 1;
    config.processors = size;
    config.on_failure = kp_bsp_on_failure;
    config.on_failure_arg = &running.world;
    if (!kp_bsp_world_begin(&running.world, job, size))
        return KP_EMEMORY;
    int status = kp_machine_create(&config, &machine);
    if (!status) {
        set_present(&running.world, machine);
        status = kp_machine_run(machine, run_process, &running, report);
        set_present(NULL, NULL);
        (void)kp_machine_destroy(machine);
    }
    kp_bsp_world_end(&running.world);
    *exit_status = atomic_load(&running.exit_status);
    return status;
}

KP_BSP_EXPORT void kp_bsp_exit(int status)
{
    struct kp_bsp_process *self = kp_face_data();
    if (self && self->phase == KP_BSP_RUNNING)
        kp_bsp_end_job(self, status, "exit", &self->front.call,
                       "the program has called exit(%d) after this call, without bsp_end", status);
}

KP_BSP_EXPORT void kp_bsp_time_over(const char *head, int exit_status)
{
    pthread_mutex_lock(&present.mutex);
    if (present.world)
        kp_bsp_end_late(present.world, present.machine, head, exit_status);
    pthread_mutex_unlock(&present.mutex);
}

KP_BSP_EXPORT void kp_bsp_last_call(char *text, size_t size)
{
    const struct kp_bsp_process *self = kp_face_data();
    text[0] = '\0';
    if (self && self->front.call.function && self->front.call.file)
        snprintf(text, size, "%s at %s:%d", self->front.call.function, self->front.call.file,
                 self->front.call.line);
}

KP_BSP_EXPORT int kp_bsp_number(void)
{
    const struct kp_bsp_process *self = kp_face_data();
    return self ? self->number : -1;
}
