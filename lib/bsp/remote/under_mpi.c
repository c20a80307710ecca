/* A program that mpirun has started. One parallel part after the other is possible; but not after
 * bsp_init, as then all processes but the first end with their part. */
#include "lib/bsp/remote/under_mpi.h"

#include <stdlib.h>
#include <string.h>

/* This process, or that of the last parallel part. */
static struct {
    struct kp_bsp_world world;
    struct kp_bsp_process *process; /* NULL: there was no part yet */
    kp_machine *machine;            /* NULL: the part has ended */
    int last_size;                  /* of the last part */
} here;

/* Leaves the machine. The others wait for each other until they do the same. */
static void leave(void)
{
    kp_proc *proc = here.process->proc;
    kp_machine *machine = here.machine;
    here.machine = NULL;
    kp_bsp_process_end(here.process);
    (void)kp_machine_detach(proc);
    (void)kp_machine_destroy(machine);
}

static void meet_and_leave(struct kp_bsp_process *self)
{
    const int status = kp_barrier(kp_world(self->proc));
    if (status)
        kp_bsp_fail_by(self, status);
    leave();
}

/* Ends a process beyond those of the parallel part, or one whose part bsp_init has called. */
static void end_process(void *unused)
{
    (void)unused;
    if (here.machine)
        meet_and_leave(here.process);
    exit(0);
}

static struct kp_bsp_job job = {.end_process = end_process};

static void at_exit(void)
{
    if (here.machine && here.process->phase == KP_BSP_RUNNING)
        kp_bsp_fail_without_end(here.process);
    if (here.machine)
        leave();
}

static _Noreturn void fail(const struct kp_bsp_place *place, const char *why)
{
    kp_bsp_end_job(NULL, EXIT_FAILURE, "begin", place, "%s", why);
}

/* Forgets the part before this one. */
static void begin_anew(const struct kp_bsp_place *place)
{
    if (!here.process) {
        (void)atexit(at_exit);
        return;
    }
    if (here.process->initialised)
        fail(place, "was called after bsp_end; with bsp_init there is one parallel part");
    kp_bsp_world_end(&here.world);
}

struct kp_bsp_process *kp_bsp_mpi_join(const struct kp_bsp_place *place)
{
    kp_proc *proc;
    const kp_config config = {
        .carrier = KP_CARRIER_MPI, .on_failure = kp_bsp_on_failure, .on_failure_arg = &here.world};
    if (!kp_face_is_under_mpirun())
        return NULL;
    if (kp_machine_create(&config, &here.machine) ||
        kp_machine_attach(here.machine, kp_face_first_processor(here.machine), &proc))
        fail(place, kp_last_error()->sentence);
    begin_anew(place); /* after the MPI was initialised, so that at_exit comes before its end */
    const char *checks = getenv("KPORT_BSP_CHECK");
    job.checks = checks && checks[0] && strcmp(checks, "0") != 0;
    const bool made = kp_bsp_world_begin(&here.world, &job, kp_size(kp_world(proc)));
    here.world.remote = true;
    here.process = made ? kp_bsp_process_make(&here.world, proc) : NULL;
    if (!here.process)
        fail(place, "there is no memory for a process");
    return here.process;
}

void kp_bsp_mpi_end(struct kp_bsp_process *self)
{
    if (!here.machine || self != here.process)
        return;
    here.last_size = self->team->size;
    meet_and_leave(self);
}

int kp_bsp_mpi_processes(const struct kp_bsp_place *place)
{
    if (here.last_size > 0)
        return here.last_size;
    const struct kp_bsp_process *self = kp_bsp_mpi_join(place);
    return self ? self->world->size : 0;
}
