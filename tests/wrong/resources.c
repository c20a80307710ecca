/* Resources: configurations of which no machine can be made, and limits of the system. These are
 * programs of the caller: they make the machine themselves. */
#include "wrong.h"

#include <stddef.h>

static int does_nothing(kp_proc *self, void *arg)
{
    (void)self, (void)arg;
    return 0;
}

/* Runs a machine of the scene's configuration with the given changes. The run must fail. */
#define MADE_WITH(...)                                                                             \
    do {                                                                                           \
        kp_config config = here->scene->config;                                                    \
        __VA_ARGS__;                                                                               \
        return heard(here, kp_run(&config, does_nothing, NULL, NULL));                             \
    } while (0)

PROGRAM(processors_below_zero, "A machine of -1 processors.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "processors | -1"}))
{
    MADE_WITH(config.processors = -1);
}

PROGRAM(too_many_processors, "A machine of 2^20 processors; 1048575 are the most.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "processors | 1048576 | 1048575"}))
{
    MADE_WITH(config.processors = 1 << 20);
}

PROGRAM(too_many_ports, "A machine of 2^20 ports; 1048575 are the most.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "ports | 1048576 | 1048575"}))
{
    MADE_WITH(config.ports = 1 << 20);
}

PROGRAM(ports_below_zero, "A machine of -2 ports.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "ports | -2"}))
{
    MADE_WITH(config.ports = -2);
}

PROGRAM(no_such_wait_policy, "A policy of waiting that is none.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "wait | 77"}))
{
    MADE_WITH(config.wait = (kp_wait_policy)77);
}

PROGRAM(no_such_discipline, "Rounds kept apart by nothing that there is.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "discipline | 5"}))
{
    MADE_WITH(config.discipline = (kp_discipline)5);
}

PROGRAM(no_such_carrier, "A carrier that is none.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "carrier | 9"}))
{
    MADE_WITH(config.carrier = (kp_carrier)9);
}

PROGRAM(three_generations, "Generations are a power of two.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "generations | 3"}))
{
    MADE_WITH(config.generations = 3; config.discipline = KP_ROUNDS_BY_MAILBOXES);
}

PROGRAM(more_workers_than_fibers, "Five workers for four fibers.", .caller = true,
        .without = ON_THREADS, SAYS({"all", KP_EARGUMENT, "workers | 5 | 4"}))
{
    MADE_WITH(config.workers = 5);
}

PROGRAM(workers_below_zero, "A machine of -1 workers.", .caller = true, .without = ON_THREADS,
        SAYS({"all", KP_EARGUMENT, "workers | -1"}))
{
    MADE_WITH(config.workers = -1);
}

PROGRAM(workers_for_threads, "Workers are for fibers.", .caller = true, .without = ON_FIBERS,
        SAYS({"all", KP_EARGUMENT, "workers | 2"}))
{
    MADE_WITH(config.workers = 2);
}

PROGRAM(seed_for_threads, "The order in which threads run has no seed.", .caller = true,
        .without = ON_FIBERS, SAYS({"all", KP_EARGUMENT, "seed | 7"}))
{
    MADE_WITH(config.seed = 7);
}

/* 2^60 bytes do not fit a size_t of 32 bits. There the stack is to have 2^30 bytes, a quarter of
 * all addresses, for each of four processors. */
PROGRAM(stack_beyond_memory, "Every processor is to have a stack of 2^60 bytes.", .caller = true,
        SAYS({"all", TELLING, "stack/memory/thread"}))
{
    MADE_WITH(config.stack_bytes = SIZE_MAX / (sizeof(size_t) > 4 ? 16 : 4) + 1);
}

PROGRAM(stack_of_a_byte, "Every processor is to have a stack of one byte.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "stack | 1"}))
{
    MADE_WITH(config.stack_bytes = 1);
}

PROGRAM(stack_beyond_numbers, "The stacks' bytes are no number.", .caller = true,
        SAYS({"all", TELLING, "stack/memory/thread"}))
{
    MADE_WITH(config.stack_bytes = SIZE_MAX - 4);
}

PROGRAM(rows_beyond_memory, "Rows of mailboxes that no memory holds.", .caller = true,
        SAYS({"all", TELLING, "eager_bytes/memory"}))
{
    MADE_WITH(config.eager_bytes = SIZE_MAX / 4);
}

PROGRAM(time_below_zero, "The start-up time of a round is below zero.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "beta"}))
{
    MADE_WITH(config.beta_us = -1);
}

PROGRAM(time_that_is_no_number, "The time of a byte is no number.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "tau"}))
{
    double zero = 0;
    MADE_WITH(config.tau_us = zero / zero);
}

PROGRAM(no_program, "The program is NULL.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "program | NULL/null"}))
{
    return heard(here, kp_run(&here->scene->config, NULL, NULL, NULL));
}

PROGRAM(no_place_for_the_machine, "There is no place to which the machine is to be written.",
        .caller = true, SAYS({"all", KP_EARGUMENT, "machine | NULL/null"}))
{
    return heard(here, kp_machine_create(&here->scene->config, NULL));
}

PROGRAM(no_machine, "A machine that could not be made is run.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "machine | NULL/null"}))
{
    return heard(here, kp_machine_run(NULL, does_nothing, NULL, NULL));
}

PROGRAM(no_machine_to_attach_to, "A thread attaches to NULL.", .caller = true,
        SAYS({"all", KP_EARGUMENT, "machine | NULL/null"}))
{
    kp_proc *self = NULL;
    return heard(here, kp_machine_attach(NULL, 0, &self));
}

PROGRAM(problem_without_processors, "A problem string without n.", .caller = true,
        SAYS({"all", KP_EPROBLEM, "n"}))
{
    kp_problem problem;
    return heard(here, kp_problem_parse("index:k=2,b=8", &problem));
}

PROGRAM(problem_with_too_many_ports, "A problem string with more ports than others.",
        .caller = true, SAYS({"all", KP_EPROBLEM, "k | 9"}))
{
    kp_problem problem;
    return heard(here, kp_problem_parse("index:n=4,k=9,b=8", &problem));
}

const wrong_program *const wrong_resources[] = {&program_processors_below_zero,
                                                &program_too_many_processors,
                                                &program_too_many_ports,
                                                &program_ports_below_zero,
                                                &program_no_such_wait_policy,
                                                &program_no_such_discipline,
                                                &program_no_such_carrier,
                                                &program_three_generations,
                                                &program_more_workers_than_fibers,
                                                &program_workers_below_zero,
                                                &program_workers_for_threads,
                                                &program_seed_for_threads,
                                                &program_stack_beyond_memory,
                                                &program_stack_of_a_byte,
                                                &program_stack_beyond_numbers,
                                                &program_rows_beyond_memory,
                                                &program_time_below_zero,
                                                &program_time_that_is_no_number,
                                                &program_no_program,
                                                &program_no_place_for_the_machine,
                                                &program_no_machine,
                                                &program_no_machine_to_attach_to,
                                                &program_problem_without_processors,
                                                &program_problem_with_too_many_ports,
                                                NULL};
