/* Misuse of configurations of machines: values that are out of range, or do not fit together. */
#include "tests/misuse/misuse.h"

#include <stdint.h>

static int nothing(kp_proc *self, void *arg)
{
    (void)self;
    (void)arg;
    return 0;
}

#define CONFIG(name, ...)                                                                          \
    static int name(void)                                                                          \
    {                                                                                              \
        kp_config config = {__VA_ARGS__};                                                          \
        kp_machine *machine = (kp_machine *)&config; /* no machine: an error stores NULL */        \
        int status = kp_machine_create(&config, &machine);                                         \
        return status != kp_run(&config, nothing, NULL, NULL) || (status && machine) ? 1 : status; \
    }

CONFIG(processors_negative, .processors = -1)
CONFIG(processors_many, .processors = 1 << 20)
CONFIG(ports_many, .processors = 4, .ports = 1 << 20)
CONFIG(ports_negative, .processors = 4, .ports = -1)
CONFIG(stack_small, .processors = 4, .stack_bytes = 1)
CONFIG(no_wait, .processors = 4, .wait = (kp_wait_policy)9)
CONFIG(no_discipline, .processors = 4, .discipline = (kp_discipline)-1)
CONFIG(long_messages, .processors = 4, .message_eager_bytes = (size_t)2 << 20)
CONFIG(no_power, .processors = 4, .generations = 3)
CONFIG(time_negative, .processors = 4, .beta_us = -1, .tau_us = 2)
CONFIG(eager_buffers_too_long, .processors = 4, .eager_bytes = SIZE_MAX)
CONFIG(no_carrier, .processors = 4, .carrier = (kp_carrier)3)
CONFIG(per_process_negative, .carrier = KP_CARRIER_MPI, .per_process = -1)
CONFIG(per_process_of_threads, .processors = 4, .per_process = 2)
CONFIG(cpus_of_processes, .carrier = KP_CARRIER_MPI, .cpus = "0;1")
CONFIG(not_by_mpirun, .carrier = KP_CARRIER_MPI)
CONFIG(workers_of_threads, .processors = 4, .workers = 2)
CONFIG(seed_of_threads, .processors = 4, .seed = 7)
CONFIG(workers_many, .processors = 4, .carrier = KP_CARRIER_FIBERS, .workers = 5)
#if SIZE_MAX > UINT32_MAX
CONFIG(beyond_memory, .processors = 4, .eager_bytes = (size_t)1 << 50)
#else
CONFIG(beyond_memory, .processors = 4, .eager_bytes = SIZE_MAX / 4 / 4) /* greatest allowed */
#endif

#define MAKING "`kp_run`, `kp_machine_create`"

const struct misuse misuses_of_configs[] = {
    {MAKING, "`processors` is negative", KP_EARGUMENT,
     "processors is -1; it may be 1 ... 1048575, or 0 for one a core",
     .alone = processors_negative},
    {MAKING, "`processors` is more than there may be", KP_EARGUMENT,
     "processors is 1048576; it may be 1 ... 1048575, or 0 for one a core",
     .alone = processors_many},
    {MAKING, "`ports` is more than there may be", KP_EARGUMENT,
     "ports is 1048576; it may be 1 ... 1048575, or 0 for one to each other processor",
     .alone = ports_many},
    {MAKING, "`ports` is negative", KP_EARGUMENT,
     "ports is -1; it may be 1 ... 1048575, or 0 for one to each other processor",
     .alone = ports_negative},
    {MAKING, "n and `eager_bytes` beyond what a number can hold", KP_EARGUMENT,
     "eager_bytes is 18446744073709551615; with 4 processors it may be 0 ... 1152921504606846975",
     .alone = eager_buffers_too_long},
    {MAKING, "n and `eager_bytes` beyond memory", KP_EMEMORY,
     "no memory for a group of 4 processors with eager buffers of 1125899906842624 bytes",
     .alone = beyond_memory},
    {MAKING, "`stack_bytes` is too small", KP_EARGUMENT,
     "stack_bytes is 1; it may be 16384 or more, or 0 for 1048576", .alone = stack_small},
    {MAKING, "`wait` is none", KP_EARGUMENT, "wait is 9; it may be 0 ... 3", .alone = no_wait},
    {MAKING, "`discipline` is none", KP_EARGUMENT, "discipline is -1; it may be 0 ... 2",
     .alone = no_discipline},
    {MAKING, "`message_eager_bytes` is too much", KP_EARGUMENT,
     "message_eager_bytes is 2097152; it may be 0 ... 1048576", .alone = long_messages},
    {MAKING, "`generations` is no power of two", KP_EARGUMENT,
     "generations is 3; it may be a power of two, 2 ... 1024, or 0", .alone = no_power},
    {MAKING, "a time that is negative or no number", KP_EARGUMENT,
     "beta_us is -1 and tau_us 2; they may be 0 or more", .alone = time_negative},
    {MAKING, "`carrier` is none", KP_EARGUMENT,
     "carrier is 3; it may be 0 (threads), 1 (fibers) or 2 (processes of an MPI)",
     .alone = no_carrier},
    {MAKING, "`per_process` is negative", KP_EARGUMENT, "per_process is -1; it may be 0 ... 4096",
     .alone = per_process_negative},
    {MAKING, "`per_process`, of threads", KP_EARGUMENT,
     "per_process is given with carrier 0 (threads); with that it may be 0, because it is for "
     "carrier 2 (processes of an MPI)",
     .alone = per_process_of_threads},
    {MAKING, "`cpus`, of processes of an MPI", KP_EARGUMENT,
     "cpus is \"0;1\"; with carrier 2 (processes of an MPI) it may be NULL, because mpirun binds "
     "the processes",
     .alone = cpus_of_processes},
    {MAKING, "`carrier` is MPI, in a process that mpirun has not started", KP_EARGUMENT,
     "carrier is mpi (processes of an MPI), and this process was not started by mpirun; it may be "
     "started by `mpirun -n N PROGRAM`",
     .alone = not_by_mpirun},
    {MAKING, "`workers`, of threads", KP_EARGUMENT,
     "workers is 2; with processors that are threads it may be 0", .alone = workers_of_threads},
    {MAKING, "`seed`, of threads", KP_EARGUMENT,
     "seed is 7; with processors that are threads, whose order is the system's, it may be 0",
     .alone = seed_of_threads},
    {MAKING, "more `workers` than processors", KP_EARGUMENT,
     "workers is 5; with 4 processors it may be 1 ... 4, or 0 for one a core",
     .alone = workers_many, .fibers = true},
    {NULL}};
