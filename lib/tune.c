/* The choice of algorithms: the linear model over everything that serves. */
#include "kport/model.h"

#include "lib/problem.h"
#include "ports/error.h"

#include <stddef.h>

/* The processors are threads that share the cores and one memory. A round makes every one of them
 * run once, about a microsecond each; a byte on every port of every processor is n k bytes copied
 * through the same memory, at about ten bytes a nanosecond. So both grow with n, and with k ports a
 * byte takes k times as long: on such a machine ports save rounds, not copying. */
#define MICROSECONDS_A_TURN 1.0
#define MICROSECONDS_A_BYTE 0.0001

kp_model kp_model_builtin(int n, int k)
{
    return (kp_model){.beta_us = MICROSECONDS_A_TURN * n, .tau_us = MICROSECONDS_A_BYTE * n * k};
}

double kp_model_time(const kp_model *model, uint64_t c1, uint64_t c2)
{
    return (double)c1 * model->beta_us + (double)c2 * model->tau_us;
}

struct choice {
    const kp_model *model;
    kp_problem best;
    double best_time; /* negative: none yet */
};

static void consider(struct choice *choice, const kp_problem *candidate)
{
    uint64_t c1, c2;
    candidate->algorithm->stated_cost(candidate, &c1, &c2);
    double time = kp_model_time(choice->model, c1, c2);
    if (choice->best_time < 0 || time < choice->best_time) {
        choice->best = *candidate;
        choice->best_time = time;
    }
}

/* Counts through all values of the open parameters, the last one fastest. False after the last. */
static bool next_values(kp_problem *candidate, const kp_problem *asked, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        const kp_parameter *parameter = &candidate->algorithm->parameters[i];
        if (asked->values[i] != 0)
            continue;
        if (++candidate->values[i] <= kp_parameter_high(parameter, candidate))
            return true;
        candidate->values[i] = kp_parameter_low(parameter, candidate);
    }
    return false;
}

static void consider_all_values(struct choice *choice, const kp_problem *asked)
{
    kp_problem candidate = *asked;
    int count = kp_parameter_count(asked->algorithm);
    for (int i = 0; i < count; i++) {
        if (asked->values[i] == 0)
            candidate.values[i] = kp_parameter_low(&asked->algorithm->parameters[i], &candidate);
    }
    do
        consider(choice, &candidate);
    while (next_values(&candidate, asked, count));
}

static void consider_all_algorithms(struct choice *choice, const kp_problem *asked)
{
    for (int i = 0; kp_algorithm_at(i); i++) {
        kp_problem candidate = *asked;
        candidate.algorithm = kp_algorithm_at(i);
        if (candidate.algorithm->operation != asked->operation ||
            (candidate.algorithm->serves && candidate.algorithm->serves(&candidate)))
            continue;
        consider_all_values(choice, &candidate);
    }
}

int kp_tune(kp_problem *problem, const kp_model *model)
{
    int status = kp_problem_check(problem);
    if (status)
        return status;
    kp_model builtin = kp_model_builtin(problem->n, problem->k);
    struct choice choice = {.model = model ? model : &builtin, .best_time = -1};
    if (problem->algorithm)
        consider_all_values(&choice, problem);
    else
        consider_all_algorithms(&choice, problem);
    if (choice.best_time < 0)
        return kp_set_error(KP_EUNSERVED, "no algorithm for %s serves n=%d, k=%d",
                            kp_operation_name(problem->operation), problem->n, problem->k);
    *problem = choice.best;
    return KP_OK;
}
