/* Threads that the program has started itself carry the processors of a machine. */
#include <kport.h>
#include <pthread.h>
#include <stdio.h>

#define N 4
static kp_machine *machine;
static int failures[N];

static void *serve(void *number)
{
    int me = (int)(size_t)number, sum = 0;
    kp_proc *self;
    failures[me] = kp_machine_attach(machine, me, &self);
    if (failures[me] != 0) { /* there is no kp_error(self) without a self */
        fprintf(stderr, "thread %d: %s\n", me, kp_last_error()->sentence);
        return NULL;
    }
    kp_group *world = kp_world(self);
    int status = kp_barrier(world); /* when it returns, all threads have attached */
    if (status == 0)
        status = kp_allreduce(world, &me, &sum, 1, KP_INT32, KP_SUM, NULL);
    if (status != 0)
        fprintf(stderr, "thread %d: %s\n", me, kp_error(self)->sentence);
    else if (me == 0)
        printf("the sum of all numbers is %d\n", sum);
    int left = kp_machine_detach(self);
    if (left != 0)
        fprintf(stderr, "thread %d: %s\n", me, kp_last_error()->sentence);
    failures[me] = status ? status : left;
    return NULL;
}

int main(void)
{
    pthread_t threads[N];
    int failed = 0;
    /* The limit ends the waits for a thread that could not attach. */
    if (kp_machine_create(&(kp_config){.processors = N, .time_limit_ms = 5000}, &machine) != 0)
        return fprintf(stderr, "%s\n", kp_last_error()->sentence), 1;
    for (int i = 0; i < N; i++)
        if (pthread_create(&threads[i], NULL, serve, (void *)(size_t)i) != 0)
            return 1;
    for (int i = 0; i < N; i++) {
        pthread_join(threads[i], NULL);
        failed |= failures[i] != 0;
    }
    return kp_machine_destroy(machine) != 0 || failed;
}
