/* Tests on which cores the threads of a machine over an MPI run. mpirun starts this program in two
 * processes, which it binds to no cores (under_mpi.sh).
 *
 * usage: mpi_share CARRIER.so
 *
 * Ends with 77, which Meson counts as skipped, if the cores cannot be shared out. */
#include <kport.h>

#include "need.h"

#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_THREADS 256 /* of a process */
#define TURNS        200
#define SKIPPED      77

#ifdef _GNU_SOURCE

static cpu_set_t all;
static int threads; /* of a process */

static void nap(long nanoseconds)
{
    nanosleep(&(struct timespec){0, nanoseconds}, NULL);
}

/* Stores where the threads of both processes may run, by processor. */
static void tell(kp_group *world, cpu_set_t *sets)
{
    cpu_set_t own;
    NEED(sched_getaffinity(0, sizeof own, &own) == 0);
    NEED(kp_concat(world, &own, sets, sizeof own, NULL) == 0);
}

static bool are_shares(const cpu_set_t *sets)
{
    cpu_set_t both;
    CPU_OR(&both, &sets[0], &sets[threads]);
    bool right = CPU_EQUAL(&both, &all) && CPU_COUNT(&sets[0]) == CPU_COUNT(&all) / 2 &&
                 CPU_COUNT(&sets[threads]) == CPU_COUNT(&all) / 2;
    for (int i = 0; i < 2 * threads; i++)
        right = right && CPU_EQUAL(&sets[i], &sets[i / threads * threads]);
    return right;
}

static bool are_free(const cpu_set_t *sets)
{
    bool right = true;
    for (int i = 0; i < 2 * threads; i++)
        right = right && CPU_EQUAL(&sets[i], &all);
    return right;
}

/* All threads of one process wait, while those of the other do not. At last all are let go. */
static int shares(kp_proc *self, void *argument)
{
    kp_group *world = kp_world(self);
    cpu_set_t sets[2 * MOST_THREADS];
    (void)argument;
    tell(world, sets);
    NEED(are_shares(sets));
    for (int i = 0; i < TURNS && !are_free(sets); i++) {
        if (kp_processor(self) < threads)
            nap(100000000);
        NEED(kp_barrier(world) == 0);
        tell(world, sets);
    }
    NEED(are_free(sets));
    return 0;
}

static int is_free(kp_proc *self, void *argument)
{
    cpu_set_t sets[2 * MOST_THREADS];
    (void)argument;
    tell(kp_world(self), sets);
    NEED(are_free(sets));
    return 0;
}

static void run_on(int per_process, int workers, int pin, kp_program *program)
{
    const kp_config config = {.carrier = KP_CARRIER_MPI,
                              .per_process = per_process,
                              .workers = workers,
                              .ports = 1,
                              .pin = pin,
                              .stack_bytes = 1 << 20};
    threads = per_process;
    NEED(kp_run(&config, program, NULL, NULL) == 0);
}

int main(int argc, char **argv)
{
    NEED(argc == 2);
    *strrchr(argv[1], '/') = '\0';
    NEED(setenv("KPORT_CARRIERS", argv[1], 1) == 0);
    NEED(sched_getaffinity(0, sizeof all, &all) == 0);
    const int cores = CPU_COUNT(&all);
    if (cores < 2 || cores % 2 || cores > MOST_THREADS || !kp_pinning())
        return SKIPPED;
    run_on(cores, 0, KP_PIN_AUTO, shares);
    run_on(cores, 0, KP_PIN_NEVER, is_free);
    run_on(cores, 1, KP_PIN_AUTO, is_free);     /* one thread carries all fibers */
    run_on(cores / 2, 0, KP_PIN_AUTO, is_free); /* each thread has a core */
    const kp_config always = {.carrier = KP_CARRIER_MPI, .pin = KP_PIN_ALWAYS};
    NEED(kp_run(&always, is_free, NULL, NULL) == KP_EARGUMENT);
    NEED(strstr(kp_last_error()->sentence, "pin is 1; with carrier"));
    return 0;
}

#else

int main(void)
{
    return SKIPPED;
}

#endif
