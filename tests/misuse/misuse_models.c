/* Misuse of the calls that need no machine: problems, costs, bounds and architectures. */
#include "tests/misuse/misuse.h"

#include <math.h>

static kp_problem right(void)
{
    return (kp_problem){.operation = KP_INDEX, .n = 4, .k = 2, .b = 8};
}

/* --- Problems --- */

static int text_null(void)
{
    kp_problem problem;
    return kp_problem_parse(NULL, &problem);
}

static int problem_null(void)
{
    return kp_problem_parse("index:n=4,k=1,b=8", NULL);
}

#define PARSED(name, text)                                                                         \
    static int name(void)                                                                          \
    {                                                                                              \
        kp_problem problem;                                                                        \
        return kp_problem_parse(text, &problem);                                                   \
    }

PARSED(no_operation, "transpose:n=4,k=1,b=8")
PARSED(no_number, "index:n=four,k=1,b=8")
PARSED(too_many_ports, "index:n=4,k=4,b=8")
PARSED(too_many_processors, "index:n=4000000,k=1,b=8")
PARSED(too_long, "index:n=4,k=1,b=9000000000000000000")
PARSED(no_key, "index:n=4,k=1,b=8,colour=3")
PARSED(no_algorithm, "index:n=4,k=1,b=8,alg=magic")

static int format_null(void)
{
    char text[8];
    return kp_problem_format(NULL, text, sizeof text);
}

static int format_nowhere(void)
{
    kp_problem problem = right();
    return kp_problem_format(&problem, NULL, 8);
}

static int hints_operation(void)
{
    kp_hints hints;
    return kp_hints_parse((kp_operation)-1, "radix", &hints);
}

static int hints_null(void)
{
    return kp_hints_parse(KP_INDEX, NULL, NULL);
}

static int find_null(void)
{
    return misuse_told(!kp_algorithm_find(KP_INDEX, NULL));
}

static int register_null(void)
{
    return kp_algorithm_register(NULL, KP_HEADERS, sizeof(kp_algorithm));
}

static int register_other_headers(void)
{
    return kp_algorithm_register(kp_algorithm_at(0), "0.0.9", sizeof(kp_algorithm));
}

static int register_other_size(void)
{
    return kp_algorithm_register(kp_algorithm_at(0), KP_HEADERS, 8);
}

static int register_again(void)
{
    return kp_algorithm_register(kp_algorithm_at(0), KP_HEADERS, sizeof(kp_algorithm));
}

static int unregister_null(void)
{
    return kp_algorithm_unregister(NULL);
}

static int unregister_other(void)
{
    return kp_algorithm_unregister(kp_algorithm_at(0));
}

/* --- Choice and cost --- */

static int tune_null(void)
{
    return kp_tune(NULL, NULL);
}

static int tune_impossible(void)
{
    kp_problem problem = right();
    problem.k = 4;
    return kp_tune(&problem, NULL);
}

static int tune_negative(void)
{
    kp_problem problem = right();
    return kp_tune(&problem, &(kp_model){.beta_us = -1});
}

static int tune_not_a_number(void)
{
    kp_problem problem = right();
    return kp_tune(&problem, &(kp_model){.tau_us = NAN});
}

static int time_null(void)
{
    return misuse_told(kp_model_time(NULL, 1, 1) == 0);
}

static int bytes_null(void)
{
    return misuse_told(kp_operation_bytes(NULL) == 0);
}

static int bytes_of_nothing(void)
{
    kp_problem problem = right();
    problem.operation = KP_OPERATIONS;
    return misuse_told(kp_operation_bytes(&problem) == 0);
}

static int cost_null(void)
{
    return misuse_told(kp_schedule_cost(NULL, 8).c1 == 0);
}

static int cost_between_null(void)
{
    return misuse_told(kp_schedule_cost_between(NULL, 8).c1 == 0);
}

static int base_one(void)
{
    return misuse_told(kp_ceil_log(8, 1) == -1);
}

static int bound_operation(void)
{
    return misuse_told(kp_bound_c1((kp_operation)77, 4, 1) == 0);
}

static int bound_ports(void)
{
    return misuse_told(kp_bound_c2(KP_INDEX, 4, 0, 8) == 0);
}

static int bound_null(void)
{
    return misuse_told(kp_bound_index_c2_at_least_rounds(4, 1, 8, NULL) == 0);
}

static int bound_processors(void)
{
    return misuse_told(kp_bound_index_c1_at_least_bytes(0, 1) == 0);
}

/* --- Architectures --- */

static int topology_find_null(void)
{
    return misuse_told(!kp_topology_find(NULL));
}

static int topology_null(void)
{
    return kp_topology_parse(NULL, NULL);
}

static int topology_nowhere(void)
{
    return kp_topology_parse("ring", NULL);
}

static int topology_unknown(void)
{
    kp_topology topology;
    return kp_topology_parse("pretzel", &topology);
}

static int linked_null(void)
{
    return misuse_told(!kp_topology_linked(NULL, 4, 0, 1));
}

static int linked_outside(void)
{
    return misuse_told(!kp_topology_linked(kp_topology_find("ring"), 4, 0, 4));
}

static int without_links(void)
{
    kp_topology topology = *kp_topology_find("ring");
    kp_problem problem = right();
    kp_schedule *schedule;
    topology.links = NULL;
    int status = kp_schedule_build(&problem, &schedule);
    status = status ? status : kp_schedule_check_on(schedule, &topology, NULL);
    kp_schedule_free(schedule);
    return status;
}

static int topology_cost_null(void)
{
    return misuse_told(kp_topology_cost(kp_topology_find("ring"), NULL, 8).startups == 0);
}

const struct misuse misuses_of_models[] = {
    {"`kp_problem_parse`", "`text` is NULL", KP_EPROBLEM,
     "the problem string is NULL; it must be as index:n=64,k=2,b=256", .alone = text_null},
    {"`kp_problem_parse`", "`problem` is NULL", KP_EPROBLEM,
     "problem is NULL; it must be where the problem goes", .alone = problem_null},
    {"`kp_problem_parse`", "no such operation", KP_EPROBLEM,
     "the operation is 'transpose'; it may be index (alltoall), concat (allgather), broadcast "
     "(bcast), scatter (scatter), gather (gather), indexv (alltoallv), concatv (allgatherv), "
     "scatterv (scatterv), gatherv (gatherv), reduce (reduce), allreduce (allreduce), "
     "reduce-scatter (reduce_scatter_block), scan (scan), scan-exclusive (exscan), one-to-one "
     "(one-to-one), reduce-scatterv (reduce_scatter), barrier (barrier)",
     .alone = no_operation},
    {"`kp_problem_parse`", "no number", KP_EPROBLEM,
     "n is 'four'; it may be a number 1 ... 1048575", .alone = no_number},
    {"`kp_problem_parse`", "k > n - 1", KP_EPROBLEM,
     "k is '4'; with n=4 it may be a number 1 ... 3", .alone = too_many_ports},
    {"`kp_problem_parse`", "n beyond what there may be", KP_EPROBLEM,
     "n is '4000000'; it may be a number 1 ... 1048575", .alone = too_many_processors},
    {"`kp_problem_parse`", "b times n is more than memory can hold", KP_EPROBLEM,
     "b is '9000000000000000000'; it may be a number 0 ... 576460752303423487", .alone = too_long},
    {"`kp_problem_parse`", "no such key", KP_EPROBLEM,
     "colour is no key of a problem (n, k, b, alg), and no algorithm of index has such a parameter",
     .alone = no_key},
    {"`kp_problem_parse`", "no such algorithm", KP_EALGORITHM,
     "alg is 'magic'; for index it may be ...", .alone = no_algorithm},
    {"`kp_problem_format`", "`problem` is NULL", KP_EARGUMENT, "problem is NULL",
     .alone = format_null},
    {"`kp_problem_format`", "`text` is NULL", KP_EARGUMENT,
     "text is NULL; only with a size of 0 it may be NULL", .alone = format_nowhere},
    {"`kp_hints_parse`", "`operation` is none", KP_EALGORITHM,
     "operation is -1; it may be 0 ... 16", .alone = hints_operation},
    {"`kp_hints_parse`", "`text` or `hints` is NULL", KP_EALGORITHM,
     "text is NULL; it must be an algorithm's name, or empty", .alone = hints_null},
    {"`kp_algorithm_find`, which returns NULL", "`name` is NULL", KP_EALGORITHM,
     "name is NULL; it must be an algorithm's", .alone = find_null},
    {"`kp_algorithm_register`", "`algorithm` or `headers` is NULL", KP_EALGORITHM,
     "the algorithm is NULL; it must be the address of a kp_algorithm", .alone = register_null},
    {"`kp_algorithm_register`", "compiled with other headers", KP_EALGORITHM,
     "the algorithm was compiled with the headers of kport 0.0.9; this is kport ...",
     .alone = register_other_headers},
    {"`kp_algorithm_register`", "another `size`", KP_EALGORITHM,
     "the size of the algorithm is 8 bytes; a kp_algorithm has ...", .alone = register_other_size},
    {"`kp_algorithm_register`", "the operation has an algorithm of this name", KP_EALGORITHM,
     "the name of the algorithm is radix; index has an algorithm of this name already",
     .alone = register_again},
    {"`kp_algorithm_unregister`", "`algorithm` is NULL", KP_EALGORITHM,
     "the algorithm is NULL; it must be one that was registered", .alone = unregister_null},
    {"`kp_algorithm_unregister`", "the algorithm is not registered", KP_EALGORITHM,
     "the algorithm is not one that was registered", .alone = unregister_other},
    {"`kp_tune`", "`problem` is NULL", KP_EPROBLEM,
     "the problem is NULL; it must be what kp_problem_parse read", .alone = tune_null},
    {"`kp_tune`", "a problem that cannot be", KP_EPROBLEM, "k is 4; with n=4 it may be 1 ... 3",
     .alone = tune_impossible},
    {"`kp_tune`", "a model less than 0", KP_EARGUMENT,
     "the model's beta_us is -1, tau_us 0, copy_us 0; they may be 0 or more",
     .alone = tune_negative},
    {"`kp_tune`", "a model that is no number", KP_EARGUMENT,
     "the model's beta_us is 0, tau_us nan, copy_us 0; they may be 0 or more",
     .alone = tune_not_a_number},
    {"`kp_model_time`, which returns 0", "`model` is NULL", KP_EARGUMENT,
     "model is NULL; it must be as kp_model_builtin makes it", .alone = time_null},
    {"`kp_operation_bytes`, which returns 0", "`problem` is NULL", KP_EPROBLEM,
     "the problem is NULL; it must be what kp_problem_parse read", .alone = bytes_null},
    {"`kp_operation_bytes`, which returns 0", "`operation` is none", KP_EPROBLEM,
     "operation is 17; it may be 0 ... 16", .alone = bytes_of_nothing},
    {"`kp_schedule_cost`, which returns zeroes", "`schedule` is NULL", KP_EARGUMENT,
     "the schedule is NULL; it must be what kp_schedule_build made", .alone = cost_null},
    {"`kp_schedule_cost_between`, which returns zeroes", "`schedule` is NULL", KP_EARGUMENT,
     "the schedule is NULL; it must be what kp_schedule_build made", .alone = cost_between_null},
    {"`kp_ceil_log`, which returns -1", "`base` < 2", KP_EARGUMENT,
     "base is 1; it may be 2 or more", .alone = base_one},
    {"`kp_bound_c1`, `kp_bound_c2`, which return 0", "`operation` is none", KP_EPROBLEM,
     "operation is 77; it may be 0 ... 16", .alone = bound_operation},
    {"`kp_bound_c1`, `kp_bound_c2`, which return 0", "n or k is less than 1", KP_EPROBLEM,
     "n is 4 and k is 0; they may be 1 or more", .alone = bound_ports},
    {"`kp_bound_index_c2_at_least_rounds`, which returns 0", "`c2` is NULL", KP_EARGUMENT,
     "c2 is NULL; it must be where the bound goes", .alone = bound_null},
    {"`kp_bound_index_c1_at_least_bytes`, which returns 0", "n or k is less than 1", KP_EPROBLEM,
     "n is 0 and k is 1; they may be 1 or more", .alone = bound_processors},
    {"`kp_topology_find`, which returns NULL", "`name` is NULL", KP_EARGUMENT,
     "name is NULL; it must be an architecture's", .alone = topology_find_null},
    {"`kp_topology_parse`", "`text` is NULL", KP_EARGUMENT,
     "text is NULL; it must be an architecture's name", .alone = topology_null},
    {"`kp_topology_parse`", "`topology` is NULL", KP_EARGUMENT,
     "topology is NULL; it must be where the architecture goes", .alone = topology_nowhere},
    {"`kp_topology_parse`", "no such architecture", KP_EARGUMENT,
     "the architecture is 'pretzel'; it may be ...", .alone = topology_unknown},
    {"`kp_topology_linked`, which returns 0", "`topology` is NULL", KP_EARGUMENT,
     "the architecture is NULL; it must be what kp_topology_parse read", .alone = linked_null},
    {"`kp_topology_linked`, which returns 0", "a processor outside 0 ... n - 1", KP_EARGUMENT,
     "from is 0 and to is 4; of 4 processors they may be 0 ... 3", .alone = linked_outside},
    {"`kp_schedule_check_on`", "an architecture of one's own without `links`", KP_EARGUMENT,
     "the architecture ring has no links", .alone = without_links},
    {"`kp_topology_cost`, which returns zeroes", "`schedule` is NULL", KP_EARGUMENT,
     "the schedule is NULL; it must be what kp_schedule_build made", .alone = topology_cost_null},
    {NULL}};
