/* Calls that do not block. Every processor starts an index and an allreduce, computes while they
 * are under way, and waits for both. Then processor 0 hands out numbers as messages, to whoever is
 * ready for the next one, and sums up the answers. The exit status is 1 if a result is wrong. */
#include <kport.h>
#include <stdio.h>

#define N     4
#define TASKS 20

enum tag {
    READY,
    TASK,
    DONE
};

static int overlap(kp_proc *self, int *wrong)
{
    kp_group *world = kp_world(self);
    int me = kp_rank(world), out[N], in[N], own, all = 0, ended = 0;
    kp_request *requests[2];
    for (int i = 0; i < N; i++)
        out[i] = 10 * me + i;
    own = out[0];
    int status = kp_index_start(world, out, in, sizeof out[0], NULL, &requests[0]);
    if (status == 0)
        status = kp_allreduce_start(world, &own, &all, 1, KP_INT32, KP_SUM, NULL, &requests[1]);
    for (double x = 2; status == 0 && !ended && x > 1.0000001; x = (x + 1 / x) / 2)
        status = kp_test(&requests[0], &ended);
    if (status == 0)
        status = kp_wait_all(2, requests);
    for (int i = 0; i < N && status == 0; i++)
        *wrong += in[i] != 10 * i + me;
    *wrong += status == 0 && all != 60;
    return status;
}

static int pool(kp_group *world, int *wrong)
{
    kp_message_status from;
    int answer, sum = 0, status = 0;
    for (int next = 1; next < TASKS + N && status == 0; next++) {
        status = kp_receive(world, &answer, sizeof answer, KP_ANY_SOURCE, READY, &from);
        sum += answer;
        if (status == 0)
            status = kp_send(world, &next, sizeof next, from.source, next <= TASKS ? TASK : DONE);
    }
    *wrong += status == 0 && sum != TASKS * (TASKS + 1) * (2 * TASKS + 1) / 6;
    return status;
}

static int worker(kp_group *world)
{
    kp_message_status came = {.tag = TASK};
    int task = 0, status = 0;
    while (status == 0 && came.tag == TASK) {
        int answer = task * task;
        status = kp_send(world, &answer, sizeof answer, 0, READY);
        if (status == 0)
            status = kp_receive(world, &task, sizeof task, 0, KP_ANY_TAG, &came);
    }
    return status;
}

static int program(kp_proc *self, void *argument)
{
    int me = kp_processor(self), *wrong = (int *)argument + me;
    int status = overlap(self, wrong);
    if (status != 0)
        return status;
    return me == 0 ? pool(kp_world(self), wrong) : worker(kp_world(self));
}

int main(void)
{
    int wrong[N] = {0}, sum = 0;
    kp_report report;
    if (kp_run(&(kp_config){.processors = N}, program, wrong, &report) != 0)
        return fprintf(stderr, "%s\n", report.error.sentence), 1;
    for (int i = 0; i < N; i++)
        sum += wrong[i];
    printf("%d tasks done by %d processors, %d wrong results\n", TASKS, N - 1, sum);
    return sum != 0;
}
