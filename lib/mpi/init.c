/* The beginning and the end of a rank. */
#include "lib/mpi/check/own.h"
#include "lib/mpi/collective.h"
#include "lib/mpi/comm.h"
#include "lib/mpi/errhandler.h"
#include "lib/mpi/group.h"
#include "lib/mpi/info.h"
#include "lib/mpi/op.h"
#include "lib/mpi/rank.h"
#include "lib/mpi/request.h"
#include "lib/mpi/type.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void make_locks(struct kp_mpi_rank *self)
{
    pthread_mutexattr_t recursive; /* an error handler may complete a request */
    pthread_mutexattr_init(&recursive);
    pthread_mutexattr_settype(&recursive, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&self->completing, &recursive);
    pthread_mutexattr_destroy(&recursive);
    pthread_cond_init(&self->completed, NULL);
}

struct kp_mpi_rank *kp_mpi_rank_make(struct kp_mpi_world *world, kp_proc *proc)
{
    struct kp_mpi_rank *self = calloc(1, sizeof *self);
    if (!self)
        return NULL;
    self->world = world;
    self->proc = proc;
    self->number = kp_processor(proc);
    self->apart = kp_mpi_receives_apart(world);
    self->leaves_early = !world->job->strict && world->job->buffering != KP_UNBUFFERED;
    make_locks(self);
    if (kp_layout_contiguous(1, NULL, &self->byte) || !kp_mpi_errhandlers_begin(self) ||
        !kp_mpi_groups_begin(self) || !kp_mpi_infos_begin(self) ||
        !kp_mpi_handle_make(&self->tables[KP_MPI_MESSAGE], KP_MPI_MESSAGE, self) ||
        kp_mpi_comms_begin(self) || !kp_mpi_types_begin(self) || !kp_mpi_ops_begin(self)) {
        kp_mpi_rank_end(self);
        free(self);
        return NULL;
    }
    kp_face_set_data(proc, self);
    /* release: pairs with the acquire of kp_mpi_rank_of */
    atomic_store_explicit(&world->ranks[self->number], self, memory_order_release);
    return self;
}

void kp_mpi_rank_end(struct kp_mpi_rank *self)
{
    atomic_store_explicit(&self->ended, true, memory_order_relaxed);
    kp_mpi_requests_end(self);
    kp_mpi_ops_end(self);
    kp_mpi_types_end(self);
    kp_mpi_comms_end(self);
    kp_mpi_keyvals_end(self);
    kp_mpi_groups_end(self);
    kp_mpi_infos_end(self);
    kp_mpi_errhandlers_end(self);
    kp_layout_free(self->byte);
    kp_mpi_collective_forget(self);
    for (int i = 0; i < KP_MPI_KINDS; i++)
        kp_mpi_table_free(&self->tables[i]);
    kp_face_set_data(self->proc, NULL);
}

/* --- A program that was started by itself, as one rank --- */

static struct kp_mpi_rank *only_rank;
static struct kp_mpi_world only_world;
static const struct kp_mpi_job only_job;

struct kp_mpi_rank *kp_mpi_only_rank(void)
{
    return only_rank;
}

static void begin_alone(void)
{
    static struct kp_mpi_rank *_Atomic ranks[1];
    kp_proc *proc;
    const int started = kp_face_started_by_mpirun();
    if (started > 1)
        fprintf(stderr,
                "kport: mpirun has started %d processes of a program of kportcc, and each is alone "
                "in its world; `kportrun -n %d PROGRAM` runs it with %d ranks\n",
                started, started, started);
    only_world = (struct kp_mpi_world){
        .job = &only_job, .size = 1, .ranks = ranks, .begin = clock_seconds()};
    if (!kp_machine_create(&(kp_config){.processors = 1}, &only_world.machine) &&
        !kp_machine_attach(only_world.machine, 0, &proc))
        only_rank = kp_mpi_rank_make(&only_world, proc);
}

/* --- Functions of MPI --- */

static int begin(const char *function, const void *caller, int required, int *provided)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (!kp_face_data())
        pthread_once(&once, begin_alone);
    struct kp_mpi_rank *self = kp_mpi_enter_any(function, caller);
    if (!self) /* another thread than the one that has begun */
        (void)kp_mpi_enter(function, caller);
    if (self->phase != KP_MPI_BEFORE_INIT)
        kp_mpi_end(self, EXIT_FAILURE, "init", &self->call, "%s was called %s", function,
                   self->phase == KP_MPI_RUNNING ? "twice" : "after MPI_Finalize");
    /* A fiber cannot be handed from thread to thread. */
    const int most = self->world->job->config.carrier == KP_CARRIER_FIBERS ? MPI_THREAD_FUNNELED
                                                                           : MPI_THREAD_SERIALIZED;
    self->thread_level = required < most ? required : most;
    self->phase = KP_MPI_RUNNING;
    if (provided)
        *provided = self->thread_level;
    return MPI_SUCCESS;
}

int MPI_Init(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
    return begin("MPI_Init", __builtin_return_address(0), MPI_THREAD_SINGLE, NULL);
}
KP_MPI_NAMES(Init);

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    (void)argc;
    (void)argv;
    return begin("MPI_Init_thread", __builtin_return_address(0), required, provided);
}
KP_MPI_NAMES(Init_thread);

int MPI_Initialized(int *flag)
{
    const struct kp_mpi_rank *self = kp_mpi_thread_rank(); /* of any thread, at any time */
    *flag = self && self->phase != KP_MPI_BEFORE_INIT;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Initialized);

int MPI_Finalized(int *flag)
{
    const struct kp_mpi_rank *self = kp_mpi_thread_rank();
    *flag = self && self->phase == KP_MPI_AFTER_FINALIZE;
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Finalized);

/* Deletes the attributes of a predefined communicator. The program's functions may call MPI. */
static int delete_attributes(struct kp_mpi_rank *self, struct kp_mpi_comm *comm)
{
    const struct kp_mpi_owner owner = {
        .handle = comm->handle, .comm = comm, .attributes = &comm->attributes};
    return kp_mpi_attributes_delete(self, &owner);
}

/* Waits for the others in the calls that this rank has left early. Returns MPI_SUCCESS or the class
 * of the first error. */
static int end_calls(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *comms = &self->tables[KP_MPI_COMM];
    int first = MPI_SUCCESS;
    for (uint32_t i = 0; i < comms->used; i++) {
        struct kp_mpi_comm *comm = comms->slots[i].object;
        const int class = comm ? kp_mpi_comm_end_call(self, comm) : MPI_SUCCESS;
        first = first ? first : class;
    }
    return first;
}

/* Lets the requests go on that nobody has waited for: so a receive among them takes its message,
 * which all ranks have sent by now. */
static void go_on(struct kp_mpi_rank *self)
{
    const struct kp_mpi_table *requests = &self->tables[KP_MPI_REQUEST];
    for (uint32_t i = 0; i < requests->used; i++) {
        struct kp_mpi_request *request = requests->slots[i].object;
        if (request && request->active && !request->general) {
            (void)kp_mpi_request_poll(self, request, true);
            return; /* the others went on with it */
        }
    }
}

int MPI_Finalize(void)
{
    KP_MPI_ENTER(Finalize);
    self->ends = true;
    const int late = end_calls(self);
    int class = delete_attributes(self, self->comm_self);
    if (!class)
        class = delete_attributes(self, self->comm_world);
    if (class)
        return class;
    kp_mpi_reap(self, true);
    kp_mpi_buffer_end(self);
    kp_mpi_tell_left(self);
    kp_mpi_again(self);
    int status = kp_barrier(self->comm_world->inner);
    if (!status) {
        go_on(self);
        kp_mpi_tell_unreceived(self);
        /* A rank that ends withdraws what it has sent and the others may still look for. */
        kp_mpi_again(self);
        status = kp_barrier(self->comm_world->inner);
    }
    if (status)
        return kp_mpi_fail_by(self, NULL, status);
    kp_mpi_all_told(self->world);
    self->phase = KP_MPI_AFTER_FINALIZE;
    return late;
}
KP_MPI_NAMES(Finalize);

int MPI_Abort(MPI_Comm comm, int errorcode)
{
    struct kp_mpi_rank *self = kp_mpi_enter("MPI_Abort", __builtin_return_address(0));
    (void)comm;
    kp_mpi_end(self, errorcode & 0xff, "abort", &self->call, "the program ends all ranks, with %d",
               errorcode);
}
KP_MPI_NAMES(Abort);

double MPI_Wtime(void)
{
    struct kp_mpi_rank *self = kp_face_data();
    if (self) {
        self->placed = false;
        /* A loop of tests that looks at the time may end by itself. */
        atomic_fetch_add_explicit(&self->calls, 1, memory_order_relaxed);
    }
    return clock_seconds();
}
KP_MPI_NAMES(Wtime);

double MPI_Wtick(void)
{
    struct timespec tick;
    struct kp_mpi_rank *self = kp_face_data();
    if (self)
        self->placed = false;
    clock_getres(CLOCK_MONOTONIC, &tick);
    return (double)tick.tv_sec + 1e-9 * (double)tick.tv_nsec;
}
KP_MPI_NAMES(Wtick);

int MPI_Is_thread_main(int *flag)
{
    const struct kp_mpi_rank *self = kp_mpi_thread_rank();
    if (!self || self->phase != KP_MPI_RUNNING)
        (void)kp_mpi_enter("MPI_Is_thread_main", __builtin_return_address(0));
    *flag = kp_mpi_is_own_thread();
    return MPI_SUCCESS;
}
KP_MPI_NAMES(Is_thread_main);
