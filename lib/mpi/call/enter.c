/* What every function of MPI does first: it finds its rank, and notes which call it is. */
#include "lib/mpi/check/owned.h"
#include "lib/mpi/rank.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

KP_MPI_EXPORT void kp_mpi_here(const char *file, int line)
{
    struct kp_mpi_rank *self = kp_face_data();
    if (!self) {
        kp_mpi_thread_here(file, line);
        return;
    }
    self->call.file = file;
    self->call.line = line;
    self->placed = true;
}

KP_MPI_EXPORT void kp_mpi_use_openmp(int (*parallel_level)(void))
{
    struct kp_mpi_rank *self = kp_face_data();
    if (self && self->world->job->config.carrier == KP_CARRIER_FIBERS)
        self->parallel_level = parallel_level;
}

static _Noreturn void refuse_parallel(struct kp_mpi_rank *self)
{
    kp_mpi_end(self, EXIT_FAILURE, "thread", &self->call,
               "the call is in a parallel region of OpenMP, which ranks on fibers may not make "
               "there; it may be made there with --carrier threads");
}

static inline struct kp_mpi_rank *enter(const char *function, const void *caller)
{
    struct kp_mpi_rank *self = kp_face_data();
    if (!self && !(self = kp_mpi_thread_enter(function)))
        return NULL;
    if (self->thread_level >= MPI_THREAD_SERIALIZED)
        kp_mpi_thread_alone(self, function);
    self->call.function = function;
    atomic_store_explicit(&self->latest, function, memory_order_relaxed);
    atomic_store_explicit(&self->calls,
                          atomic_load_explicit(&self->calls, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    if (!self->placed) {
        self->call.file = NULL;
        self->call.line = 0;
    }
    self->call.caller = caller;
    self->placed = false;
    if (self->parallel_level && self->parallel_level() > 0)
        refuse_parallel(self);
    if (self->left)
        kp_mpi_owned_look_at_left(self);
    kp_here(self->call.file, self->call.line);
    return self;
}

struct kp_mpi_rank *kp_mpi_enter_any(const char *function, const void *caller)
{
    return enter(function, caller);
}

static _Noreturn void refuse(struct kp_mpi_rank *self, const char *function)
{
    if (!self) {
        fprintf(stderr,
                "kport: %s was called before MPI_Init, or by a thread that belongs to no rank\n",
                function);
        fflush(stdout);
        _exit(EXIT_FAILURE);
    }
    const bool before = self->phase == KP_MPI_BEFORE_INIT;
    kp_mpi_end(self, EXIT_FAILURE, before ? "before-init" : "after-finalize", &self->call,
               "%s was called %s", function, before ? "before MPI_Init" : "after MPI_Finalize");
}

struct kp_mpi_rank *kp_mpi_enter_always(const char *function, const void *caller)
{
    struct kp_mpi_rank *self = enter(function, caller);
    if (!self)
        refuse(self, function);
    return self;
}

struct kp_mpi_rank *kp_mpi_enter(const char *function, const void *caller)
{
    struct kp_mpi_rank *self = enter(function, caller);
    if (!self || self->phase != KP_MPI_RUNNING)
        refuse(self, function);
    return self;
}

_Noreturn void kp_mpi_unserved(const char *function, const void *caller)
{
    struct kp_mpi_rank *self = kp_mpi_enter_any(function, caller);
    if (!self) { /* before MPI_Init, where some of these functions may be called */
        fprintf(stderr, "kport: kport does not serve %s\n", function);
        fflush(stdout);
        _exit(EXIT_FAILURE);
    }
    kp_mpi_end(self, EXIT_FAILURE, "unserved", &self->call, "kport does not serve %s", function);
}
