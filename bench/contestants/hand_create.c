/* Contestants of the benchmark that create n threads and end them. All n threads must exist at the
 * same time. The contestant kport runs a machine with an empty program. In the other contestant,
 * bare threads wait at a gate, which the last thread opens. */
#include "../contestant.h"

#include <linux/futex.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define STACK_BYTES (64 << 10)

struct gate {
    _Atomic uint32_t open, here;
    uint32_t n;
};

static void *held(void *argument)
{
    struct gate *gate = argument;
    if (atomic_fetch_add(&gate->here, 1) + 1 == gate->n) {
        atomic_store(&gate->open, 1);
        syscall(SYS_futex, &gate->open, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
    }
    while (!atomic_load(&gate->open))
        syscall(SYS_futex, &gate->open, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
    return NULL;
}

static const char *bare_threads(int n)
{
    struct gate gate = {.n = (uint32_t)n};
    pthread_attr_t attributes;
    pthread_t *threads = calloc((size_t)n, sizeof *threads);
    if (!threads)
        return "no memory";
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    int started = 0;
    while (started < n && pthread_create(&threads[started], &attributes, held, &gate) == 0)
        started++;
    if (started < n) {
        atomic_store(&gate.open, 1);
        syscall(SYS_futex, &gate.open, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
    }
    for (int i = 0; i < started; i++)
        pthread_join(threads[i], NULL);
    pthread_attr_destroy(&attributes);
    free(threads);
    return started == n ? NULL : "a thread cannot be started";
}

bool create_serves(const struct contestant *self, const struct job *job)
{
    (void)self;
    return job->operation == CREATE;
}

const char *create_run(const struct contestant *self, const struct request *request,
                       const struct arena *arena, struct reply *reply)
{
    const char *error = NULL;
    int n = request->job.n;
    (void)arena;
    reply->start_ns = now_ns();
    for (uint64_t i = 0; i < request->calls && !error; i++) {
        if (self->kind == KPORT)
            error = kport_create(n, STACK_BYTES) ? "kp_run failed" : NULL;
        else
            error = bare_threads(n);
    }
    reply->end_ns = now_ns();
    return error;
}
