/* The program's start and end: the machine is made when the program has initialised the MPI, and
 * ends before it finalises it. */
#include "pmpi.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pm_state pm_state = {.reason = PM_NOT_STARTED, .keyval = MPI_KEYVAL_INVALID};

/* MPI's Fortran library calls the C function on behalf of a Fortran program. */
static bool is_fortran(void *caller)
{
#ifdef _GNU_SOURCE
    Dl_info info;
    return dladdr(caller, &info) && info.dli_fname &&
           (strstr(info.dli_fname, "mpifort") || strstr(info.dli_fname, "mpichfort") ||
            strstr(info.dli_fname, "mpi_mpifh") || strstr(info.dli_fname, "mpi_usempi"));
#else
    (void)caller;
    return false;
#endif
}

/* A kport processor is carried by one thread. If the MPI lets other threads make calls, a member
 * cannot know which thread another member calls from. So no call is taken then, unless the user
 * promises that it is always the thread that is here. */
static enum pm_reason reason_here(void *caller)
{
    int level;
    if (is_fortran(caller))
        return PM_FORTRAN;
    if (PMPI_Query_thread(&level) != MPI_SUCCESS ||
        (level > MPI_THREAD_FUNNELED && !pm_settings_one_thread()))
        return PM_THREADS;
    return PM_NONE;
}

/* Returns the largest number of all processes. */
static int agree(int own)
{
    int all = own;
    return PMPI_Allreduce(&own, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD) == MPI_SUCCESS
               ? all
               : (int)PM_NO_MACHINE;
}

static int make_machine(void)
{
    int rank;
    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pm_state.config = (kp_config){.carrier = KP_CARRIER_MPI, .ports = pm_settings_ports()};
    int status = kp_machine_create(&pm_state.config, &pm_state.machine);
    if (status == KP_OK)
        status = kp_machine_attach(pm_state.machine, rank, &pm_state.self);
    if (status == KP_OK)
        return KP_OK;
    snprintf(pm_state.sentence, sizeof pm_state.sentence, "%s", kp_last_error()->sentence);
    return status;
}

static void end_machine(void)
{
    /* A call that a jump has left ends with the first detachment. */
    if (pm_state.self && kp_machine_detach(pm_state.self) == KP_EFAILED)
        (void)kp_machine_detach(pm_state.self);
    pm_state.self = NULL;
    (void)kp_machine_destroy(pm_state.machine);
    pm_state.machine = NULL;
}

/* Ends the program. An abort could end it before the sentence is out. */
static void refuse(const char *sentence)
{
    int rank;
    (void)PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "kport: %s\n", sentence);
    (void)PMPI_Finalize();
    exit(2);
}

/* All processes call it, when the MPI has been initialised. */
static void start(void *caller)
{
    const char *error = pm_settings_read();
    if (error)
        refuse(error);
    pm_state.reason = (enum pm_reason)agree((int)reason_here(caller));
    if (pm_state.reason != PM_NONE)
        return;
    int made = make_machine();
    if (made == KP_OK &&
        (PMPI_Comm_group(MPI_COMM_WORLD, &pm_state.world) != MPI_SUCCESS ||
         PMPI_Comm_dup(MPI_COMM_SELF, &pm_state.alone) != MPI_SUCCESS ||
         PMPI_Comm_set_errhandler(pm_state.alone, MPI_ERRORS_RETURN) != MPI_SUCCESS ||
         pm_comms_begin() != MPI_SUCCESS))
        made = KP_EFAILED;
    pm_state.reason = (enum pm_reason)agree(made == KP_OK ? (int)PM_NONE : (int)PM_NO_MACHINE);
    if (pm_state.reason == PM_NONE)
        return;
    if (made != KP_OK)
        fprintf(stderr, "kport: passes on all calls, because it could not start: %s\n",
                pm_state.sentence);
    end_machine();
}

#if defined OPEN_MPI
#define OWN   "Open MPI"
#define OTHER "mpich"
#else
#define OWN   "MPICH"
#define OTHER "openmpi"
#endif
/* An MPI tells its version in at most so many characters (MPICH: 8192). */
#define VERSION_BYTES 16384

/* Ends a program of another MPI, whose handles this object would misread. */
static void check_mpi(void)
{
    static char version[VERSION_BYTES];
    int length = 0;
    (void)PMPI_Get_library_version(version, &length);
    if (strncmp(version, OWN, strlen(OWN)) == 0)
        return;
    fprintf(stderr,
            "kport: LD_PRELOAD names the libkport_pmpi of " OWN
            ", and this program uses %.*s; preload libkport_pmpi-" OTHER ".so\n",
            (int)strcspn(version, ":,\n\t"), version);
    exit(2);
}

PM_FACE int MPI_Init(int *argc, char ***argv)
{
    check_mpi();
    int code = PMPI_Init(argc, argv);
    if (code == MPI_SUCCESS)
        start(__builtin_return_address(0));
    return code;
}

PM_FACE int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    check_mpi();
    int code = PMPI_Init_thread(argc, argv, required, provided);
    if (code == MPI_SUCCESS)
        start(__builtin_return_address(0));
    return code;
}

PM_FACE int MPI_Finalize(void)
{
    if (pm_state.reason != PM_NOT_STARTED)
        pm_report();
    if (pm_state.reason == PM_NONE) {
        pm_state.reason = PM_ENDED;
        end_machine();
        (void)PMPI_Group_free(&pm_state.world);
        (void)PMPI_Comm_free(&pm_state.alone);
        pm_comms_end();
        pm_stages_trim(0);
    }
    return PMPI_Finalize();
}
