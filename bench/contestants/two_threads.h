/* Passes words between two threads, from thread 0 to thread 1 and back, or only to thread 1. The
 * header works for any queue with one writer and one reader, in C and C++. DEFINE_TWO_THREADS needs
 * the type of the queue and two functions. `try_to_put` puts a word into the queue if there is
 * room. `try_to_take` takes a word from the queue if there is one. Queue 0 leads from thread 0 to
 * thread 1, and queue 1 back. */
#ifndef KPORT_BENCH_TWO_THREADS_H
#define KPORT_BENCH_TWO_THREADS_H

#include "pin.h"

#include <pthread.h>
#include <stdlib.h>

struct two_threads {
    const struct job *job;
    uint64_t calls;
    void *queues; /* the two queues */
    pthread_barrier_t meet;
    int64_t start[2], end[2];
    bool wrong[2];
    int next;
};

/* How a thread waits for a word, or for room. An eager thread looks again after each pause
 * instruction. A patient thread executes several pause instructions before it looks again, if its
 * last word was there at once. In that case words arrive one after the other, and the thread lets
 * several arrive before it fetches the cache line from the other thread. Which way is faster
 * depends on the queue, so each queue takes part in both ways. */
struct patience {
    int pauses; /* the number of pause instructions before the thread looks again, if it did not
                   wait for its last word */
    bool waited_before; /* the thread had to wait for its last word */
};

#define PAUSES_OF_THE_PATIENT 8

static inline void look_again(const struct patience *patience, unsigned *looks)
{
    for (int i = patience->waited_before ? 1 : patience->pauses; i > 0; i--) {
#if defined(__x86_64__) || defined(__i386__)
        __builtin_ia32_pause();
#endif
    }
    if (++*looks % 65536 == 0)
        /* The other thread may share the core, so this thread yields. */
        sched_yield();
}

/* Sets `*wrong` if the word is not the expected one. The core predicts the branch. So the reader
 * goes on to the next word while this word's cache line is still on its way. If the comparisons
 * were combined by OR, each comparison would wait for the one before. */
static inline void note_unless_equal(uint64_t word, uint64_t expected, bool *wrong)
{
    if (__builtin_expect(word != expected, 0))
        *wrong = true;
}

/* Defines `run_NAME`, which starts the two threads and times them. Every word is compared in the
 * timed part, because a reader must read each word anyway. */
#define DEFINE_TWO_THREADS(name, queue_type, try_to_put, try_to_take)                              \
    static inline void put_##name(queue_type *to, uint64_t word, struct patience *patience)        \
    {                                                                                              \
        unsigned looks = 0;                                                                        \
        while (!try_to_put(to, word))                                                              \
            look_again(patience, &looks);                                                          \
        patience->waited_before = looks > 0;                                                       \
    }                                                                                              \
                                                                                                   \
    static inline uint64_t take_##name(queue_type *from, struct patience *patience)                \
    {                                                                                              \
        uint64_t word = 0;                                                                         \
        unsigned looks = 0;                                                                        \
        while (!try_to_take(from, &word))                                                          \
            look_again(patience, &looks);                                                          \
        patience->waited_before = looks > 0;                                                       \
        return word;                                                                               \
    }                                                                                              \
                                                                                                   \
    static void *one_of_##name(void *argument)                                                     \
    {                                                                                              \
        struct two_threads *two = (struct two_threads *)argument;                                  \
        queue_type *queues = (queue_type *)two->queues;                                            \
        int me = __atomic_fetch_add(&two->next, 1, __ATOMIC_RELAXED);                              \
        uint64_t calls = two->calls;                                                               \
        bool both = two->job->operation == ROUND_TRIP || two->job->operation == PING_PONG;         \
        bool wrong = false;                                                                        \
        struct patience putting = {two->job->patient ? PAUSES_OF_THE_PATIENT : 1, true};           \
        struct patience taking = putting;                                                          \
        pin_self(two->job, me);                                                                    \
        pthread_barrier_wait(&two->meet);                                                          \
        two->start[me] = now_ns();                                                                 \
        for (uint64_t i = 1; i <= calls; i++) {                                                    \
            if (me == 0)                                                                           \
                put_##name(&queues[0], i, &putting);                                               \
            else                                                                                   \
                note_unless_equal(take_##name(&queues[0], &taking), i, &wrong);                    \
            if (both && me == 0)                                                                   \
                note_unless_equal(take_##name(&queues[1], &taking), i, &wrong);                    \
            else if (both)                                                                         \
                put_##name(&queues[1], i, &putting);                                               \
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
                exit(1); /* the thread that has started waits and cannot be ended */               \
        }                                                                                          \
        for (int i = 0; i < 2; i++)                                                                \
            pthread_join(threads[i], NULL);                                                        \
        pthread_barrier_destroy(&two.meet);                                                        \
        reply->start_ns = two.start[0] > two.start[1] ? two.start[0] : two.start[1];               \
        reply->end_ns = two.end[0] > two.end[1] ? two.end[0] : two.end[1];                         \
        reply->status = two.wrong[0] || two.wrong[1] ? WRONG_DATA : DONE;                          \
    }

#endif
