/* Threads that a rank's thread has started. With MPI_THREAD_SERIALIZED they call MPI, one at a
 * time; then they carry the rank's processor as its own thread does. */
#include "lib/mpi/rank.h"

#include <stdlib.h>

/* Whose thread the calling one is, if it is not the rank's own. */
static _Thread_local struct kp_mpi_rank *helped;

/* Where its first call is. Later it carries the rank, which has the places of its calls. */
static _Thread_local struct kp_mpi_place first;

KP_MPI_EXPORT void *kp_mpi_thread_whose(void)
{
    struct kp_mpi_rank *self = kp_face_data();
    return self ? self : helped;
}

KP_MPI_EXPORT void kp_mpi_thread_begin(void *whose)
{
    helped = whose;
}

KP_MPI_EXPORT void kp_mpi_thread_count(void *whose, int more)
{
    struct kp_mpi_rank *self = whose;
    /* acquire and release: the job's end frees the rank only when no thread counts itself any more
     */
    atomic_fetch_add_explicit(&self->threads, more, memory_order_acq_rel);
}

KP_MPI_EXPORT bool kp_mpi_is_own_thread(void)
{
    return kp_face_data() && !helped;
}

struct kp_mpi_rank *kp_mpi_thread_rank(void)
{
    struct kp_mpi_rank *self = kp_mpi_thread_whose();
    return self ? self : kp_mpi_only_rank();
}

void kp_mpi_thread_here(const char *file, int line)
{
    first = (struct kp_mpi_place){.file = file, .line = line};
}

static _Noreturn void refuse(struct kp_mpi_rank *self, const char *function)
{
    const char *granted =
        self->thread_level == MPI_THREAD_SINGLE ? "MPI_THREAD_SINGLE" : "MPI_THREAD_FUNNELED";
    first.function = function;
    kp_mpi_end(self, EXIT_FAILURE, "thread", &first,
               "a thread that the rank has started calls MPI, and MPI_Init_thread has granted %s",
               granted);
}

struct kp_mpi_rank *kp_mpi_thread_enter(const char *function)
{
    struct kp_mpi_rank *self = kp_mpi_thread_rank();
    if (!self)
        return NULL;
    if (self->phase == KP_MPI_RUNNING && self->thread_level < MPI_THREAD_SERIALIZED)
        refuse(self, function);
    helped = self;
    (void)kp_face_carry(self->proc);
    if (first.file)
        kp_mpi_here(first.file, first.line);
    return self;
}

void kp_mpi_thread_alone(struct kp_mpi_rank *self, const char *function)
{
    const pthread_t me = pthread_self();
    if (!kp_face_is_inside(self->proc)) {
        self->calling = me;
        return;
    }
    if (pthread_equal(self->calling, me)) /* an operator of the program calls */
        return;
    struct kp_mpi_place place = self->call; /* of which the macro has set the file */
    place.function = function;
    kp_mpi_end(self, EXIT_FAILURE, "thread", &place,
               "another thread of the rank is in %s at the same time, and MPI_Init_thread has "
               "granted MPI_THREAD_SERIALIZED",
               self->call.function ? self->call.function : "MPI");
}
