/* A contestant of the benchmark: the library Concurrency Kit (ck). Words between two threads use
 * its ring with one writer and one reader. Barriers use its centralized barrier. */
#include "../serve.h"
#include "two_threads.h"

#include <ck_barrier.h>
#include <ck_ring.h>

#define CAPACITY 1024

struct queue {
    ck_ring_t ring;
    ck_ring_buffer_t buffer[CAPACITY];
};

static inline bool put(struct queue *to, uint64_t word)
{
    return ck_ring_enqueue_spsc(&to->ring, to->buffer, (void *)(uintptr_t)word);
}

static inline bool take(struct queue *from, uint64_t *word)
{
    void *taken;
    if (!ck_ring_dequeue_spsc(&from->ring, from->buffer, &taken))
        return false;
    *word = (uint64_t)(uintptr_t)taken;
    return true;
}

DEFINE_TWO_THREADS(words, struct queue, put, take)

/* --- The barrier --- */

struct barrier_team {
    ck_barrier_centralized_t barrier;
    const struct request *request;
    struct member_times *times;
    int next;
};

static void *member(void *argument)
{
    struct barrier_team *team = argument;
    ck_barrier_centralized_state_t state = CK_BARRIER_CENTRALIZED_STATE_INITIALIZER;
    unsigned n = (unsigned)team->request->job.n;
    int me = __atomic_fetch_add(&team->next, 1, __ATOMIC_RELAXED);
    pin_self(&team->request->job, me);
    ck_barrier_centralized(&team->barrier, &state, n);
    team->times[me].start = now_ns();
    for (uint64_t i = 0; i < team->request->calls; i++)
        ck_barrier_centralized(&team->barrier, &state, n);
    team->times[me].end = now_ns();
    return NULL;
}

static void run_barrier(const struct request *request, struct reply *reply)
{
    size_t n = (size_t)request->job.n;
    struct barrier_team team = {.barrier = CK_BARRIER_CENTRALIZED_INITIALIZER, .request = request};
    pthread_t *threads = calloc(n, sizeof *threads);
    team.times = calloc(n, sizeof *team.times);
    for (size_t i = 0; threads && team.times && i < n; i++) {
        if (pthread_create(&threads[i], NULL, member, &team) != 0)
            exit(1); /* the threads that have started wait for this thread and cannot be ended */
    }
    for (size_t i = 0; threads && team.times && i < n; i++)
        pthread_join(threads[i], NULL);
    if (threads && team.times)
        join_times(&request->job, team.times, (int)n, reply);
    else
        reply->status = NO_MEMORY;
    free(threads);
    free(team.times);
}

static void carry_out(const struct request *request, const struct arena *arena, struct reply *reply)
{
    static struct queue queues[2];
    (void)arena;
    if (request->job.operation == BARRIER) {
        run_barrier(request, reply);
        return;
    }
    ck_ring_init(&queues[0].ring, CAPACITY);
    ck_ring_init(&queues[1].ring, CAPACITY);
    run_words(request, queues, reply);
}

int main(int argc, char **argv)
{
    return serve(argc, argv, carry_out);
}
