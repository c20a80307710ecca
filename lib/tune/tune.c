/* Chooses an algorithm by the linear model, among all algorithms that serve the problem. */
#include "kport/model.h"

#include "lib/problem/operation.h"
#include "lib/problem/problem.h"
#include "lib/tune/candidates.h"
#include "ports/port.h"

#include <stddef.h>

/* The built-in model is for threads that share cores and one memory. In a round each of n threads
 * runs once, for about 1 us. If each of n processors sends a byte on each of k ports, n k bytes are
 * copied through the same memory, at about ten bytes a nanosecond. So beta and tau are proportional
 * to n. tau is also proportional to k, so more ports save rounds but no copying. */
#define MICROSECONDS_A_TURN 1.0
#define MICROSECONDS_A_BYTE 0.0001

kp_model kp_model_builtin(int n, int k)
{
    return (kp_model){.beta_us = MICROSECONDS_A_TURN * n,
                      .tau_us = MICROSECONDS_A_BYTE * n * k,
                      .copy_us = MICROSECONDS_A_BYTE};
}

double kp_operation_bytes(const kp_problem *p)
{
    if (!p || !kp_operation_row(p->operation)) {
        if (p)
            kp_set_error(KP_EPROBLEM, "operation is %d; it may be 0 ... %d", (int)p->operation,
                         (int)KP_OPERATIONS - 1);
        else
            kp_set_error(KP_EPROBLEM, "the problem is NULL; it must be what kp_problem_parse read");
        return 0;
    }
    enum kp_traffic traffic = kp_operation_row(p->operation)->traffic;
    double each = (double)(p->n - 1) * (double)p->b;
    if (traffic == KP_TRAFFIC_GOSSIP)
        return 2 * each;
    bool every_pair = traffic == KP_TRAFFIC_BLOCK_EACH && !kp_operation_has_root(p->operation);
    return every_pair ? each * p->n : each;
}

/* The time of a message within a process, as a part of the time of a message between processes. The
 * first costs a copy in shared memory, the second the calls of a network's library too. Nothing was
 * measured. Any small part gives the same order: fewer messages between processes first. */
#define PART_WITHIN 0.1

/* Predicts the time if processors share processes. The processors of a process share its way to
 * others, so a round takes as many times as long as there are processors of a process that send. */
static double time_of_processes(const kp_model *model, const kp_problem *p, uint64_t c1,
                                uint64_t c2, double *rounds_us)
{
    uint64_t rounds = c1, bytes = c2;
    int senders = p->per_process;
    if (p->algorithm->stated_between)
        p->algorithm->stated_between(p, &rounds, &bytes, &senders);
    *rounds_us = model->beta_us * (senders * (double)rounds + PART_WITHIN * (double)(c1 - rounds));
    return *rounds_us +
           model->tau_us * (senders * (double)bytes + PART_WITHIN * (double)(c2 - bytes));
}

double kp_model_predict(const kp_model *model, const kp_problem *p, uint64_t c1, uint64_t c2,
                        double *rounds_us)
{
    if (p->per_process > 1 && p->per_process < p->n)
        return time_of_processes(model, p, c1, c2, rounds_us);
    double time = kp_model_time(model, c1, c2), start = kp_model_time(model, c1, 0);
    double most = start + model->copy_us * (double)c1 * kp_operation_bytes(p);
    *rounds_us = start;
    /* In an allreduce all processors may send in each round, on all ports: then more bytes move. */
    bool all_send = kp_operation_row(p->operation)->traffic == KP_TRAFFIC_GOSSIP;
    return model->copy_us > 0 && !all_send && most < time ? most : time;
}

double kp_model_time(const kp_model *model, uint64_t c1, uint64_t c2)
{
    if (!model) {
        kp_set_error(KP_EARGUMENT, "model is NULL; it must be as kp_model_builtin makes it");
        return 0;
    }
    return (double)c1 * model->beta_us + (double)c2 * model->tau_us;
}

/* The lengths by which algorithms are judged if blocks have lengths of their own. The mean length
 * counts, because all blocks go through one memory. For algorithms that pad blocks, the longest
 * counts. */
struct lengths {
    size_t longest, mean;
};

struct choice {
    const kp_model *model;
    const struct lengths *lengths;
    kp_problem best;
    double best_time; /* negative: there is no candidate yet */
};

/* Keeps the candidate if it is the best so far. `candidate->b` is the length that counts for it. */
static void consider(const kp_problem *candidate, void *arg)
{
    struct choice *choice = arg;
    uint64_t c1 = 0, c2 = 0;
    if (candidate->algorithm->stated_cost)
        candidate->algorithm->stated_cost(candidate, &c1, &c2);
    double rounds_us, time = kp_model_predict(choice->model, candidate, c1, c2, &rounds_us);
    if (choice->best_time < 0 || time < choice->best_time) {
        choice->best = *candidate;
        choice->best_time = time;
    }
}

static void consider_algorithm(struct choice *choice, const kp_problem *asked,
                               const kp_algorithm *algorithm)
{
    kp_problem candidate = *asked;
    candidate.b = algorithm->pads ? choice->lengths->longest : choice->lengths->mean;
    kp_candidates_of(&candidate, algorithm, KP_ALL_VALUES, consider, choice);
}

static void consider_all_algorithms(struct choice *choice, const kp_problem *asked)
{
    const kp_algorithm *algorithm;
    for (int i = 0; (algorithm = kp_algorithm_at(i)) != NULL; i++) {
        kp_problem candidate = *asked;
        candidate.algorithm = algorithm;
        if (kp_candidate_serves(&candidate))
            consider_algorithm(choice, asked, algorithm);
    }
}

static int tune(kp_problem *problem, const struct lengths *lengths, const kp_model *model)
{
    int status = kp_problem_check(problem);
    if (!status && model && !(model->beta_us >= 0 && model->tau_us >= 0 && model->copy_us >= 0))
        status = kp_set_error(KP_EARGUMENT,
                              "the model's beta_us is %g, tau_us %g, copy_us %g; they may be 0 or "
                              "more",
                              model->beta_us, model->tau_us, model->copy_us);
    if (status)
        return status;
    kp_model builtin = kp_model_builtin(problem->n, problem->k);
    struct choice choice = {.model = model ? model : &builtin, .lengths = lengths, .best_time = -1};
    if (problem->algorithm)
        consider_algorithm(&choice, problem, problem->algorithm);
    else
        consider_all_algorithms(&choice, problem);
    if (choice.best_time < 0)
        return kp_set_error(KP_EUNSERVED, "no algorithm for %s serves n=%d, k=%d",
                            kp_operation_name(problem->operation), problem->n, problem->k);
    choice.best.b = problem->b;
    *problem = choice.best;
    return KP_OK;
}

int kp_tune(kp_problem *problem, const kp_model *model)
{
    size_t b = problem ? problem->b : 0;
    struct lengths equal = {.longest = b, .mean = b};
    return tune(problem, &equal, model);
}

int kp_tune_lengths(kp_problem *problem, size_t longest, size_t mean, const kp_model *model)
{
    struct lengths lengths = {.longest = longest, .mean = mean};
    return tune(problem, &lengths, model);
}
