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

static void *run(void *argument)
{
    const struct start start = begin(argument);
    return start.run(start.argument);
}

static int run_c11(void *argument)
{
    const struct start start = begin(argument);
    return start.run_c11(start.argument);
}

static struct start *make(struct start start)
{
    struct start *made = malloc(sizeof *made);
    if (made)
        *made = start;
    return made;
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
        free(start);
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
        free(start);
    return error;
}
