/* A job: a machine whose processors run the program's main as its ranks. */
#include "lib/mpi/job.h"

#include "lib/mpi/rank.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The job that runs, for kp_mpi_time_over. Under `mutex`, so that it stays while it is looked at.
 */
static struct {
    pthread_mutex_t mutex;
    struct kp_mpi_world *world; /* NULL: none */
} present = {.mutex = PTHREAD_MUTEX_INITIALIZER};

static void set_present(struct kp_mpi_world *world)
{
    pthread_mutex_lock(&present.mutex);
    present.world = world;
    pthread_mutex_unlock(&present.mutex);
}

struct running {
    struct kp_mpi_world world;
    int (*rank_main)(int rank, void *argument);
    void *argument;
    _Atomic int exit_status; /* the first that is not 0 */
};

static void keep_status(struct running *running, int status)
{
    int none = 0;
    if (status != 0)
        atomic_compare_exchange_strong(&running->exit_status, &none, status);
}

static int run_rank(kp_proc *proc, void *argument)
{
    struct running *running = argument;
    struct kp_mpi_rank *self = kp_mpi_rank_make(&running->world, proc);
    if (!self)
        return kp_fail(proc, "no memory for a rank of MPI");
    const int status = running->rank_main(self->number, running->argument);
    keep_status(running, status & 0xff);
    if (self->phase == KP_MPI_RUNNING) {
        self->ends = true;
        kp_mpi_tell(self, "no-finalize", NULL, "ended without MPI_Finalize");
        keep_status(running, EXIT_FAILURE);
    }
    kp_mpi_rank_end(self);
    return KP_OK;
}

/* A thread of the rank that goes on will still count itself out. */
static void free_rank(struct kp_mpi_rank *rank)
{
    if (!rank || atomic_load_explicit(&rank->threads, memory_order_acquire) > 0)
        return;
    free(rank->idle);
    free(rank);
}

static void take_buffering(kp_config *config, size_t buffering)
{
    static const size_t most = (size_t)1 << 20; /* of message_eager_bytes */
    if (buffering == KP_UNBUFFERED) {
        config->unreceived_bytes = KP_UNBUFFERED;
    } else if (buffering > 0) {
        config->message_eager_bytes = buffering < most ? buffering : most;
        if (config->unreceived_bytes == 0 && buffering > (size_t)1 << 16)
            config->unreceived_bytes = 64 * buffering;
    }
}

KP_MPI_EXPORT int kp_mpi_run(const struct kp_mpi_job *job,
                             int (*rank_main)(int rank, void *argument), void *argument,
                             kp_report *report, int *exit_status)
{
    kp_config config = job->config;
    struct running running = {.rank_main = rank_main, .argument = argument};
    take_buffering(&config, job->buffering);
    config.on_failure = kp_mpi_on_failure;
    config.on_failure_arg = &running.world;
    running.world.job = job;
    running.world.size = config.processors > 0 ? config.processors : 1;
    config.processors = running.world.size;
    running.world.ranks = calloc((size_t)running.world.size, sizeof *running.world.ranks);
    if (!running.world.ranks)
        return KP_EMEMORY;
    int status = kp_machine_create(&config, &running.world.machine);
    if (!status) {
        kp_report own;
        report = report ? report : &own;
        set_present(&running.world);
        status = kp_machine_run(running.world.machine, run_rank, &running, report);
        /* MPI_Finalize has told the requests that nobody waited for. */
        if (status == KP_EUNWAITED)
            status = KP_OK;
        /* What only the end of the run shows is a finding, if the ranks have not told it. */
        if (status == KP_EUNTAKEN || status == KP_EMISMATCH) {
            if (atomic_load(&running.world.findings) == 0)
                kp_mpi_tell_end(&running.world, &report->error);
            keep_status(&running, EXIT_FAILURE);
            status = KP_OK;
        }
        if (atomic_load(&running.world.unreceived))
            keep_status(&running, EXIT_FAILURE);
        set_present(NULL);
        (void)kp_machine_destroy(running.world.machine);
    }
    kp_mpi_tell_counts(&running.world);
    kp_mpi_forget_findings(&running.world);
    for (int i = 0; i < running.world.size; i++)
        free_rank(atomic_load_explicit(&running.world.ranks[i], memory_order_relaxed));
    free(running.world.ranks);
    *exit_status = atomic_load(&running.exit_status);
    return status;
}

KP_MPI_EXPORT void kp_mpi_exit(int status)
{
    struct kp_mpi_rank *self = kp_face_data();
    if (self && self->phase == KP_MPI_RUNNING)
        kp_mpi_end(self, status, "exit", NULL, "called exit(%d) without MPI_Finalize", status);
}

KP_MPI_EXPORT void kp_mpi_time_over(const char *head, int exit_status)
{
    pthread_mutex_lock(&present.mutex);
    if (present.world)
        kp_mpi_end_late(present.world, head, exit_status);
    pthread_mutex_unlock(&present.mutex);
}

KP_MPI_EXPORT void kp_mpi_last_call(char *text, size_t size)
{
    const struct kp_mpi_rank *self = kp_mpi_thread_whose();
    text[0] = '\0';
    if (self && self->call.function && self->call.file)
        snprintf(text, size, "%s at %s:%d", self->call.function, self->call.file, self->call.line);
    else if (self && self->call.function)
        snprintf(text, size, "%s", self->call.function);
}

KP_MPI_EXPORT uint64_t kp_mpi_sleep(uint64_t nanoseconds)
{
    return kp_face_sleep(nanoseconds);
}

KP_MPI_EXPORT bool kp_mpi_yield(void)
{
    return kp_face_yield();
}

KP_MPI_EXPORT int kp_mpi_rank(void)
{
    const struct kp_mpi_rank *self = kp_mpi_thread_whose();
    return self ? self->number : -1;
}
