/* Builds, checks and costs a schedule from a problem string, without running it. */
#include <inttypes.h>
#include <kport.h>
#include <stdio.h>

/* Prints the messages of processor 0. */
static void messages(const kp_schedule *schedule)
{
    for (int round = 0; round < kp_schedule_rounds(schedule); round++) {
        for (int i = 0; i < kp_schedule_sends(schedule, 0, round); i++) {
            kp_message message = kp_schedule_send(schedule, 0, round, i);
            printf("round %d: processor 0 sends to %d\n", round, message.peer);
        }
    }
}

/* Prints what the schedule costs by the model, and on each architecture that has the links. */
static void costs(const kp_problem *problem, const kp_schedule *schedule)
{
    kp_cost cost = kp_schedule_cost(schedule, problem->b);
    kp_model model = kp_model_builtin(problem->n, problem->k);
    printf("C1 %" PRIu64 ", at least %" PRIu64 "; C2 %" PRIu64 ", at least %" PRIu64 "; %.1f us\n",
           cost.c1, kp_bound_c1(problem->operation, problem->n, problem->k), cost.c2,
           kp_bound_c2(problem->operation, problem->n, problem->k, problem->b),
           kp_model_time(&model, cost.c1, cost.c2));
    printf("at least %.0f bytes move in all\n", kp_operation_bytes(problem));
    printf("log_%d of %d, rounded up: %d\n", problem->k + 1, problem->n,
           kp_ceil_log((uint64_t)problem->n, (uint64_t)problem->k + 1));
    for (int i = 0; kp_topology_at(i); i++) {
        const kp_topology *topology = kp_topology_at(i);
        if (kp_schedule_check_on(schedule, topology, NULL) == 0)
            printf("fits %s\n", topology->name);
    }
}

int main(void)
{
    printf("by default kp_route works so: %s\n", kp_protocol_summary(0));
    kp_problem problem;
    kp_schedule *schedule = NULL;
    int status = kp_problem_parse("concat:n=4,k=1,b=8,alg=ring", &problem);
    if (status == 0)
        status = kp_schedule_build(&problem, &schedule);
    if (status == 0)
        status = kp_schedule_check(schedule, NULL);
    if (status == 0) {
        messages(schedule);
        costs(&problem, schedule);
    } else {
        fprintf(stderr, "%s: %s\n", kp_strerror(status), kp_last_error()->sentence);
    }
    kp_schedule_free(schedule);
    return status != 0;
}
