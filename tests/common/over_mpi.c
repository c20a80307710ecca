/* Runs a test over an MPI instead of shared memory. Each kp_run takes part in as many of the test's
 * processes as it needs, and the others wait for the next one. The processors of a process are as
 * many as OVER_MPI_PER_PROCESS says, or more if there would be too few. OVER_MPI_WORKERS=1 makes
 * them fibers. The linker redirects the test's calls of kp_run to this file (--wrap). What must
 * hold for the whole run, the test asserts in every process. */
#include <kport.h>

#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

int __real_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);
int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report);

static void end(void)
{
    (void)MPI_Finalize();
}

/* Initialises the MPI once, and returns the number of processes. */
static int begin(int *rank)
{
    int begun = 0, level, size;
    (void)MPI_Initialized(&begun);
    if (!begun) {
        (void)MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
        (void)atexit(end);
    }
    (void)MPI_Comm_size(MPI_COMM_WORLD, &size);
    (void)MPI_Comm_rank(MPI_COMM_WORLD, rank);
    return size;
}

/* Waits for all processes. An MPI would not leave the core to those that work. */
static void meet(void)
{
    MPI_Request request;
    int done = 0;
    (void)MPI_Ibarrier(MPI_COMM_WORLD, &request);
    while (!MPI_Test(&request, &done, MPI_STATUS_IGNORE) && !done)
        nanosleep(&(struct timespec){0, 500000}, NULL);
}

int __wrap_kp_run(const kp_config *config, kp_program *program, void *arg, kp_report *report)
{
    int rank, size = begin(&rank), status = 0;
    const char *wanted = getenv("OVER_MPI_PER_PROCESS"), *workers = getenv("OVER_MPI_WORKERS");
    kp_config own = *config;
    own.carrier = KP_CARRIER_MPI;
    own.per_process = wanted ? atoi(wanted) : 1;
    own.workers = workers ? atoi(workers) : 0;
    if (own.per_process > own.processors)
        own.per_process = own.processors;
    while (own.processors % own.per_process != 0 || own.processors / own.per_process > size)
        own.per_process++;
    MPI_Comm comm;
    const int needed = own.processors / own.per_process;
    (void)MPI_Comm_split(MPI_COMM_WORLD, rank < needed ? 0 : MPI_UNDEFINED, rank, &comm);
    own.mpi_comm = &comm;
    if (report)
        memset(report, 0, sizeof *report);
    if (rank < needed) {
        status = __real_kp_run(&own, program, arg, report);
        (void)MPI_Comm_free(&comm);
    }
    meet();
    return status;
}
