/* The programs of this folder share this header. Each program has a few threads that make a few
 * operations. A checker of the C11 memory model that knows pthread_create and assert (genmc,
 * dartagnan, ...) can check the program. For a checker, compile the program with -DKP_CHECKER and
 * with -I of the repository's root. Without KP_CHECKER the program is an ordinary one, which
 * repeats the operations with real threads. */
#ifndef KPORT_TESTS_LITMUS_H
#define KPORT_TESTS_LITMUS_H

#undef NDEBUG
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef KP_CHECKER
#define TIMES       1
#define BETWEEN     (void)0
#define HANGS_AFTER (void)0
#else
#include <sched.h>
#include <unistd.h>
#ifndef TIMES
#define TIMES 200
#endif
#define BETWEEN     sched_yield()
#define HANGS_AFTER alarm(240) /* ends a program that hangs, by a signal */
#endif

/* Starts `count` threads, which call `run` with the numbers 0, 1, ..., and waits until all threads
 * have ended. */
static inline void run_threads(void *(*run)(void *number), int count)
{
    static const intptr_t numbers[4] = {0, 1, 2, 3};
    pthread_t threads[4];
    for (int i = 0; i < count; i++) {
        int status = pthread_create(&threads[i], NULL, run, (void *)numbers[i]);
        assert(status == 0);
        (void)status;
    }
    for (int i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
}

#endif
