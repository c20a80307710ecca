/* Words between two threads: there and back, and as many as go in one direction. For any queue of
 * one writer and one reader, in C and C++: DEFINE_TWO_THREADS takes its type, a function that waits
 * for room and puts a word, and one that waits for a word and takes it. Queue 0 leads from thread 0
 * to thread 1, queue 1 back. */
#ifndef KPORT_BENCH_TWO_THREADS_H
#define KPORT_BENCH_TWO_THREADS_H

#include "place.h"

#include <pthread.h>
#include <stdlib.h>

struct two_threads {
    const struct job *job;
    uint64_t calls;
    void *queues; /* two */
    pthread_barrier_t meet;
    int64_t start[2], end[2];
    bool wrong[2];
    int next;
};

/* Those who wait look again and again, but let another one on if it takes long: the other thread
 * may share the core. */
static inline void look_again(unsigned *looks)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (++*looks % 65536 == 0)
        sched_yield();
}

/* Every word is compared, in the timed part too: it has to be read anyhow. */
#define DEFINE_TWO_THREADS(name, queue_type, put, take)                                            \
    static void *one_of_##name(void *argument)                                                     \
    {                                                                                              \
        struct two_threads *two = (struct two_threads *)argument;                                  \
        queue_type *queues = (queue_type *)two->queues;                                            \
        int me = __atomic_fetch_add(&two->next, 1, __ATOMIC_RELAXED);                              \
        uint64_t calls = two->calls;                                                               \
        bool both = two->job->operation == ROUND_TRIP, wrong = false;                              \
        take_place(two->job, me);                                                                  \
        pthread_barrier_wait(&two->meet);                                                          \
        two->start[me] = now_ns();                                                                 \
        for (uint64_t i = 1; i <= calls; i++) {                                                    \
            if (me == 0)                                                                           \
                put(&queues[0], i);                                                                \
            else                                                                                   \
                wrong |= take(&queues[0]) != i;                                                    \
            if (both && me == 0)                                                                   \
                wrong |= take(&queues[1]) != i;                                                    \
            else if (both)                                                                         \
                put(&queues[1], i);                                                                \
        }                                                                                          \
        two->end[me] = now_ns();                                                                   \
        two->wrong[me] = wrong;                                                                    \
        return NULL;                                                                               \
    }                                                                                              \
                                                                                                   \
    static void run_##name(const struct request *request, queue_type *queues, struct reply *reply) \
    {                                                                                              \
        struct two_threads two;                                                                    \
        pthread_t threads[2];                                                                      \
        memset(&two, 0, sizeof two);                                                               \
        two.job = &request->job;                                                                   \
        two.calls = request->calls;                                                                \
        two.queues = queues;                                                                       \
        pthread_barrier_init(&two.meet, NULL, 2);                                                  \
        for (int i = 0; i < 2; i++) {                                                              \
            if (pthread_create(&threads[i], NULL, one_of_##name, &two) != 0)                       \
                exit(1); /* one that came would wait for ever */                                   \
        }                                                                                          \
        for (int i = 0; i < 2; i++)                                                                \
            pthread_join(threads[i], NULL);                                                        \
        pthread_barrier_destroy(&two.meet);                                                        \
        reply->start_ns = two.start[0] > two.start[1] ? two.start[0] : two.start[1];               \
        reply->end_ns = two.end[0] > two.end[1] ? two.end[0] : two.end[1];                         \
        reply->status = two.wrong[0] || two.wrong[1] ? WRONG_DATA : DONE;                          \
    }

#endif
