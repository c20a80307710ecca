/* Opens and closes the wires of a process over MPI. */
#include "ports/carrier/mpi/wires.h"

#include <ctype.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROCESSORS 1048575
#define LEAST_TAG       32767

KP_API kp_wires_open kp_wires_open_7;

/* --- MPI in this process --- */

pthread_mutex_t wires_mpi_lock = PTHREAD_MUTEX_INITIALIZER;

/* Guards the beginning of MPI and `open_count`, the number of calls of kp_wires_open_7 whose wires
 * are not closed. */
static pthread_mutex_t begin_lock = PTHREAD_MUTEX_INITIALIZER;
static int open_count;

int wires_mpi_error(const struct process *process, const char *call, int code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    (void)PMPI_Error_string(code, text, &length);
    return process->host.set_error(KP_EFAILED, "%s: %s", call, text);
}

static bool has_ended(void)
{
    int ended = 0;
    (void)PMPI_Finalized(&ended);
    return ended;
}

/* MPI can be initialised once in a process, so it ends with the process. A process that exits while
 * its wires are open has failed. It must not wait for the others here: mpirun ends them when it
 * sees that this process has ended without MPI_Finalize. */
static void end_mpi(void)
{
    if (!has_ended() && open_count == 0)
        (void)PMPI_Finalize();
}

static bool is_under_mpirun(void)
{
    static const char *const names[] = {
        "OMPI_COMM_WORLD_SIZE", "PMIX_RANK",   "PMI_RANK", "PMI_SIZE",
        "MPI_LOCALNRANKS",      "SLURM_PROCID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (getenv(names[i]))
            return true;
    return false;
}

/* Initialises MPI, unless the program has done so. */
static int begin_mpi(struct process *process)
{
    int begun = 0, level = MPI_THREAD_SINGLE;
    (void)PMPI_Initialized(&begun);
    if (has_ended())
        return process->host.set_error(
            KP_EENDED, "MPI has ended in this process (MPI_Finalize), and cannot begin again; a "
                       "machine over MPI is made before that");
    if (!begun && !is_under_mpirun())
        return process->host.set_error(
            KP_EARGUMENT, "this process was not started by mpirun, and a machine over MPI needs "
                          "that; `mpirun -n N PROGRAM` starts a program in N processes");
    if (!begun) {
        const int wanted = process->threads > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
        const int code = PMPI_Init_thread(NULL, NULL, wanted, &level);
        if (code)
            return wires_mpi_error(process, "MPI_Init_thread", code);
        (void)atexit(end_mpi);
    }
    (void)PMPI_Query_thread(&level);
    /* A process may have several machines, each used by a thread of its own, if the MPI allows it.
     */
    process->locks = level == MPI_THREAD_SERIALIZED;
    return KP_OK;
}

/* --- Opening --- */

static int check_level(const struct process *process)
{
    int level = MPI_THREAD_SINGLE;
    (void)PMPI_Query_thread(&level);
    if (process->threads == 1 || level >= MPI_THREAD_SERIALIZED)
        return KP_OK;
    return process->host.set_error(
        KP_EARGUMENT,
        "per_process is %d, and the program has initialised MPI with %s; several threads in a "
        "process need MPI_THREAD_SERIALIZED at least (MPI_Init_thread)",
        process->per_process,
        level == MPI_THREAD_FUNNELED ? "MPI_THREAD_FUNNELED" : "MPI_THREAD_SINGLE");
}

/* Counts the cores that the processes of this computer may use together, and their processors.
 * Returns how many processors share a core, or 1 if each has one. Stores whether each thread has a
 * core. */
static double crowd_here(struct process *process, MPI_Comm here)
{
    process->own_cores = true;
#ifdef _GNU_SOURCE
    cpu_set_t own, all;
    int size = 0;
    CPU_ZERO(&own);
    CPU_ZERO(&all);
    (void)sched_getaffinity(0, sizeof own, &own);
    (void)PMPI_Comm_size(here, &size);
    (void)PMPI_Allreduce(&own, &all, sizeof all, MPI_BYTE, MPI_BOR, here);
    const int cores = CPU_COUNT(&all), processors = size * process->per_process;
    process->own_cores = cores == 0 || size * process->threads <= cores;
    return cores > 0 && processors > cores ? (double)processors / cores : 1;
#else
    (void)here;
    return 1; /* a build without affinity takes it that each has a core */
#endif
}

/* Finds out how the processes of this computer share its cores. */
static void meet_neighbours(struct process *process)
{
    MPI_Comm here;
    double own = 1;
    if (!PMPI_Comm_split_type(process->comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &here)) {
        own = crowd_here(process, here);
        wires_share_make(process, here);
        (void)PMPI_Comm_free(&here);
    }
    process->wires.crowd = own;
    (void)PMPI_Allreduce(&own, &process->wires.crowd, 1, MPI_DOUBLE, MPI_MAX, process->comm);
}

/* The name and version of MPI: the first part of a longer text, with single spaces. */
static void name_network(struct process *process)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "", *to = process->network;
    int length;
    (void)PMPI_Get_library_version(text, &length);
    for (const char *from = text; *from && !strchr(",\n", *from); from++)
        if (!isspace((unsigned char)*from))
            *to++ = *from;
        else if (to > process->network && to[-1] != ' ')
            *to++ = ' ';
    *to = '\0';
}

/* Half of a processor's tags, or nearly, are for messages that are not short, if they are enough.
 */
static void divide_tags(struct kp_wire *wire, uint64_t most)
{
    unsigned bits = 0;
    while (most >> (bits + 2))
        bits++;
    wire->lone_bits = bits >= KP_LEAST_LONE_BITS ? bits : 0;
    wire->most_tag = wire->lone_bits ? most - ((uint64_t)1 << bits) : most;
}

/* Every tag of MPI also has the indices of both processors. The largest tag is that of farewells,
 * and the one below it that of packets. */
static int make_wires(struct process *process, int most_tag)
{
    const int t = process->per_process;
    const int64_t own_most = ((int64_t)most_tag + 1) / ((int64_t)t * t) - 3;
    if (own_most < LEAST_TAG)
        return process->host.set_error(
            KP_EARGUMENT,
            "per_process is %d, and tags of this MPI are at most %d (MPI_TAG_UB); with it they "
            "would have to be at least %lld",
            t, most_tag, ((long long)LEAST_TAG + 3) * t * t - 1);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    for (int i = 0; i < t; i++) {
        struct wire *wire = &process->own[i];
        *wire =
            (struct wire){.wire = wires_functions, .process = process, .root = wire, .local = i};
        wire->wire.processor = process->wires.first + i;
        divide_tags(&wire->wire, (uint64_t)own_most);
        pthread_mutex_init(&wire->lock, NULL);
        pthread_cond_init(&wire->woken, &monotonic);
        process->pointers[i] = &wire->wire;
        wire->notices = malloc((size_t)process->size * sizeof *wire->notices);
        wire->tellings = malloc((size_t)process->size * sizeof *wire->tellings);
        wire->leavings = calloc((size_t)process->size, sizeof *wire->leavings);
        wire->packets_out = calloc((size_t)process->size, sizeof *wire->packets_out);
        if (t > 1) /* the two may share this process */
            wire->wire.swap = NULL;
        if (!wire->notices || !wire->tellings || !wire->leavings || !wire->packets_out ||
            !wires_make_room(&wire->sends) || !wires_make_room(&wire->receives))
            return process->host.set_error(KP_EMEMORY, "no memory for a wire");
        for (int j = 0; j < process->size; j++)
            wire->notices[j] = wire->tellings[j].request = MPI_REQUEST_NULL;
    }
    pthread_condattr_destroy(&monotonic);
    for (int i = 0; i < t * t; i++) {
        pthread_mutex_init(&process->channels[i].lock, NULL);
        process->channels[i].first = NULL;
        process->channels[i].last = &process->channels[i].first;
        process->channel_count = i + 1;
    }
    process->farewell_tag = most_tag;
    process->packet_tag = most_tag - 1;
    return KP_OK;
}

/* What a process does for itself. */
static int make(struct process *process)
{
    const size_t t = (size_t)process->per_process;
    int *most_tag = NULL, found = 0, status = check_level(process);
    if (!status && (int64_t)process->size * process->per_process > MOST_PROCESSORS)
        status = process->host.set_error(
            KP_EARGUMENT, "per_process is %d with %d processes; there may be %d processors",
            process->per_process, process->size, MOST_PROCESSORS);
    if (status)
        return status;
    process->wires.processors = process->size * process->per_process;
    process->wires.first = process->rank * process->per_process;
    process->wires.count = process->per_process;
    process->own = calloc(t, sizeof *process->own);
    process->pointers = calloc(t, sizeof(struct kp_wire *));
    process->channels = aligned_alloc(alignof(struct channel), t * t * sizeof(struct channel));
    process->farewells = calloc((size_t)process->size, sizeof(MPI_Request));
    process->leaves = calloc((size_t)process->wires.processors, sizeof *process->leaves);
    process->ends = calloc((size_t)process->wires.processors, sizeof *process->ends);
    process->packets.in = calloc((size_t)process->wires.processors, sizeof(uint64_t));
    process->packets.due = calloc((size_t)process->wires.processors, sizeof(uint64_t));
    if (!process->packets.in || !process->packets.due || !process->leaves || !process->ends ||
        !process->own || !process->pointers || !process->channels || !process->farewells)
        return process->host.set_error(KP_EMEMORY, "no memory for %d wires", process->per_process);
    process->wires.wire = process->pointers;
    (void)PMPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &most_tag, &found);
    name_network(process);
    return make_wires(process, found ? *most_tag : LEAST_TAG);
}

/* All processes learn whether all could open their wires, and give the same number. */
static int agree(const struct process *process, int status)
{
    const int own[3] = {process->per_process, -process->per_process, status != KP_OK};
    int all[3];
    const int code = PMPI_Allreduce(own, all, 3, MPI_INT, MPI_MAX, process->comm);
    if (code)
        return wires_mpi_error(process, "MPI_Allreduce", code);
    if (all[0] != -all[1])
        return process->host.set_error(
            KP_EARGUMENT,
            "per_process is %d at this process, and %d to %d at all; every process gives the same",
            process->per_process, -all[1], all[0]);
    if (!status && all[2])
        return process->host.set_error(KP_EPEER, "another process could not open its wires");
    return status;
}

static int agree_all(struct kp_wires *wires, int status, uint64_t what)
{
    struct process *process = (struct process *)wires;
    const int failed = status != KP_OK;
    const uint64_t own[2] = {what, ~what};
    uint64_t all[2];
    int any;
    (void)wires_enter(process, true);
    int code = PMPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, process->comm);
    if (!code)
        code = PMPI_Allreduce(own, all, 2, MPI_UINT64_T, MPI_MAX, process->comm);
    wires_leave(process);
    if (code)
        return wires_mpi_error(process, "MPI_Allreduce", code);
    if (!status && any)
        return process->host.set_error(KP_EPEER, "another process could not make its machine");
    if (!status && all[0] != ~all[1])
        return process->host.set_error(KP_EARGUMENT, "ports, workers, tuning, beta_us, tau_us or "
                                                     "the registered algorithms differ between the "
                                                     "processes; every process gives the same");
    return status;
}

static void free_parts(struct parts *parts)
{
    free(parts->requests);
    free(parts->statuses);
    free(parts->all);
}

void wires_free(struct wire *self)
{
    for (struct local *local = self->spare, *next; local; local = next) {
        next = local->next_own;
        free(local);
    }
    free_parts(&self->receives);
    free_parts(&self->sends);
}

static void free_process(struct process *process)
{
    for (int i = 0; i < process->wires.count && process->own; i++) {
        struct wire *wire = &process->own[i];
        wires_free(wire);
        wires_free_branches(wire);
        for (struct heard *heard = wire->heard, *next; heard; heard = next) {
            next = heard->next;
            free(heard);
        }
        free(wire->tellings);
        free(wire->leavings);
        free(wire->packets_out);
        free(wire->notices);
    }
    wires_share_free(process);
    wires_packets_free(process);
    free(process->packets.in);
    free(process->packets.due);
    for (int i = 0; i < process->channel_count; i++)
        wires_local_free(&process->channels[i]);
    free(process->own);
    free(process->pointers);
    free(process->channels);
    free(process->farewells);
    free((void *)process->leaves);
    free(process->ends);
    free(process->dropping.bytes);
    free(process);
}

static void count_open(int more)
{
    pthread_mutex_lock(&begin_lock);
    open_count += more;
    pthread_mutex_unlock(&begin_lock);
}

static bool settle(struct kp_wires *wires)
{
    const bool settled = has_ended() || wires_drain((struct process *)wires);
    if (!settled)
        count_open(-1);
    return settled;
}

/* The communicator stays if the others may still send by it. */
static void close_wires(struct kp_wires *wires)
{
    struct process *process = (struct process *)wires;
    (void)wires_enter(process, true);
    for (int i = 0; i < process->per_process && !has_ended(); i++)
        wires_await_notices(&process->own[i]);
    if (!has_ended() && process->all_settled)
        (void)PMPI_Comm_free(&process->comm);
    wires_leave(process);
    free_process(process);
    count_open(-1);
}

static int open_on(struct process *process, MPI_Comm comm)
{
    int between = 0, code = MPI_SUCCESS;
    if (comm != MPI_COMM_NULL)
        code = PMPI_Comm_test_inter(comm, &between);
    if (comm == MPI_COMM_NULL || between)
        return process->host.set_error(KP_EARGUMENT,
                                       "mpi_comm is %s; it may be an intracommunicator",
                                       between ? "an intercommunicator" : "MPI_COMM_NULL");
    code = code ? code : PMPI_Comm_dup(comm, &process->comm);
    if (code)
        return wires_mpi_error(process, "MPI_Comm_dup", code);
    (void)PMPI_Comm_set_errhandler(process->comm, MPI_ERRORS_RETURN);
    (void)PMPI_Comm_rank(process->comm, &process->rank);
    (void)PMPI_Comm_size(process->comm, &process->size);
    const int status = agree(process, make(process));
    if (!status)
        meet_neighbours(process);
    if (status)
        (void)PMPI_Comm_free(&process->comm);
    return status;
}

int kp_wires_open_7(const struct kp_wires_host *host, const void *comm, int per_process,
                    int threads, struct kp_wires **wires)
{
    if (!kp_wires_fit(host, KP_VERSION))
        return host->set_error(KP_EARGUMENT,
                               "libkport is version %.40s, and its carrier over MPI comes from "
                               "another build, of version " KP_VERSION "; both are installed "
                               "together",
                               host->version);
    if (per_process < 1)
        return host->set_error(KP_EARGUMENT, "per_process is %d; it may be 1 or more", per_process);
    struct process *process = calloc(1, sizeof *process);
    if (!process)
        return host->set_error(KP_EMEMORY, "no memory for the wires of a process");
    process->host = *host;
    process->per_process = per_process;
    process->threads = threads;
    process->wires.settle = settle;
    process->wires.await_ends = wires_await_ends;
    process->wires.agree = agree_all;
    process->wires.close = close_wires;
    process->wires.cpus = wires_share_cpus;
    process->wires.network = process->network;
    pthread_mutex_init(&process->lock, NULL);
    pthread_mutex_init(&process->dropping.lock, NULL);
    pthread_mutex_init(&process->packets.lock, NULL);
    pthread_mutex_init(&process->packets.spare_lock, NULL);
    process->packets.message = MPI_MESSAGE_NULL;
    process->dropping.message = MPI_REQUEST_NULL;
    pthread_mutex_lock(&begin_lock);
    int status = begin_mpi(process);
    open_count += !status;
    pthread_mutex_unlock(&begin_lock);
    if (!status && (status = open_on(process, comm ? *(const MPI_Comm *)comm : MPI_COMM_WORLD)))
        count_open(-1);
    if (status)
        free_process(process);
    else
        *wires = &process->wires;
    return status;
}
