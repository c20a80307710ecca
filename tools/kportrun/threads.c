/* Threads that a rank starts belong to the rank. */
#include "lib/mpi/job.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>

/* What a thread of a rank begins with. */
struct start {
    void *whose;
    void *(*run)(void *argument);
    int (*run_c11)(void *argument);
    void *argument;
};

typedef int pthread_create_function(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);
typedef int thrd_create_function(thrd_t *, thrd_start_t, void *);

static struct start begin(void *argument)
{
    const struct start start = *(struct start *)argument;
    free(argument);
    kp_mpi_thread_begin(start.whose);
    return start;
}

static void end(void *whose)
{
    kp_mpi_thread_count(whose, -1);
}

static void *run(void *argument)
{
    const struct start start = begin(argument);
    void *result;
    pthread_cleanup_push(end, start.whose); /* which pthread_exit and a cancellation call, too */
    result = start.run(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

static int run_c11(void *argument)
{
    const struct start start = begin(argument);
    int result;
    pthread_cleanup_push(end, start.whose);
    result = start.run_c11(start.argument);
    pthread_cleanup_pop(1);
    return result;
}

static struct start *make(struct start start)
{
    struct start *made = malloc(sizeof *made);
    if (!made)
        return NULL;
    *made = start;
    kp_mpi_thread_count(start.whose, 1);
    return made;
}

static void unmake(struct start *start)
{
    if (start)
        kp_mpi_thread_count(start->whose, -1);
    free(start);
}

/* Threads of the program get these functions in place of libc's, and OpenMP's too, as the functions
 * of the executable come before those of shared objects. */
__attribute__((visibility("default"))) int pthread_create(pthread_t *thread,
                                                          const pthread_attr_t *attributes,
                                                          void *(*function)(void *), void *argument)
{
    pthread_create_function *libc;
    void *whose = kp_mpi_thread_whose(), *found = dlsym(RTLD_NEXT, "pthread_create");
    memcpy(&libc, &found, sizeof libc);
    if (!whose)
        return libc(thread, attributes, function, argument);
    struct start *start =
        make((struct start){.whose = whose, .run = function, .argument = argument});
    const int error = start ? libc(thread, attributes, run, start) : EAGAIN;
    if (error)
        unmake(start);
    return error;
}

__attribute__((visibility("default"))) int thrd_create(thrd_t *thread, thrd_start_t function,
                                                       void *argument)
{
    thrd_create_function *libc;
    void *whose = kp_mpi_thread_whose(), *found = dlsym(RTLD_NEXT, "thrd_create");
    memcpy(&libc, &found, sizeof libc);
    if (!whose)
        return libc(thread, function, argument);
    struct start *start =
        make((struct start){.whose = whose, .run_c11 = function, .argument = argument});
    const int error = start ? libc(thread, run_c11, start) : thrd_nomem;
    if (error != thrd_success)
        unmake(start);
    return error;
}
