/* Keeps the threads of a process on its share of the cores.
 *
 * The processes of one computer that may use the same cores get equal shares of them, if there are
 * at least KP_THREADS_A_CORE threads for each core. The threads of a process then find each other's
 * data in the cache, and one wakes the next on the same core. doc/design.md has the gain.
 *
 * A thread that is kept on a share cannot move to an idle core. This does harm if one process waits
 * for long while another has much work. So each process measures how long all of its threads are in
 * long waits at once. If this is too long (kp_is_idle_too_long) for the time since it opened its
 * wires, the threads of all these processes may run anywhere again. */
#include "ports/carrier/mpi/wires.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#ifdef _GNU_SOURCE

struct wires_share {
    cpu_set_t own, all;
    _Atomic int *is_over; /* 1: the threads may run anywhere; all these processes have the word */
    _Atomic int waiting;  /* the number of this process's threads that are in a long wait */
    int threads;
    uint64_t begun_us;
    _Atomic uint64_t since_us; /* the time up to which `idle_us` is counted */
    _Atomic uint64_t idle_us;
};

/* Finds the share of process `rank` of `size` processes. Returns its number of cores; 0: there are
 * no equal shares. */
static int find_own(struct wires_share *share, int rank, int size)
{
    const int cores = CPU_COUNT(&share->all), each = cores > size ? cores / size : 1;
    int at = 0;
    if (cores < 2 || size < 2 || (cores % size != 0 && size % cores != 0))
        return 0;
    const int first = (int)((int64_t)rank * cores / size);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (!CPU_ISSET(cpu, &share->all))
            continue;
        if (at >= first && at < first + each)
            CPU_SET(cpu, &share->own);
        at++;
    }
    return each;
}

/* Makes the word that the processes share. A window of MPI would do, but all processes have to free
 * it together, and after a failure some do not. Returns whether all processes have it. */
static bool make_word(struct wires_share *share, int rank, MPI_Comm here)
{
    char name[] = "/dev/shm/kport-XXXXXX";
    int file = rank == 0 ? mkstemp(name) : -1;
    const bool made = file >= 0;
    int all_have = made && ftruncate(file, sizeof *share->is_over) == 0;
    (void)PMPI_Bcast(&all_have, 1, MPI_INT, 0, here);
    (void)PMPI_Bcast(name, sizeof name, MPI_CHAR, 0, here);
    if (rank > 0 && all_have)
        file = open(name, O_RDWR | O_CLOEXEC);
    void *word =
        file < 0 ? MAP_FAILED
                 : mmap(NULL, sizeof *share->is_over, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    all_have = all_have && word != MAP_FAILED;
    if (word != MAP_FAILED)
        share->is_over = word;
    if (file >= 0)
        close(file);
    (void)PMPI_Allreduce(MPI_IN_PLACE, &all_have, 1, MPI_INT, MPI_MIN, here);
    if (made)
        unlink(name);
    return all_have;
}

static void free_share(struct wires_share *share)
{
    if (share && share->is_over)
        munmap(share->is_over, sizeof *share->is_over);
    free(share);
}

/* All processes of the computer come to the same result, as each step is taken by all or none. */
void wires_share_make(struct process *process, MPI_Comm here)
{
    int rank, size;
    cpu_set_t any;
    struct wires_share *share = calloc(1, sizeof *share);
    int fits = share && sched_getaffinity(0, sizeof share->all, &share->all) == 0;
    (void)PMPI_Comm_rank(here, &rank);
    (void)PMPI_Comm_size(here, &size);
    if (PMPI_Allreduce(MPI_IN_PLACE, &fits, 1, MPI_INT, MPI_MIN, here) || !fits)
        goto none;
    any = share->all;
    (void)PMPI_Allreduce(MPI_IN_PLACE, &any, sizeof any, MPI_BYTE, MPI_BOR, here);
    (void)PMPI_Allreduce(MPI_IN_PLACE, &share->all, sizeof any, MPI_BYTE, MPI_BAND, here);
    if (!CPU_EQUAL(&any, &share->all) || process->threads < 2 ||
        process->threads * size < KP_THREADS_A_CORE * CPU_COUNT(&any) ||
        find_own(share, rank, size) == 0 || !make_word(share, rank, here))
        goto none;
    share->threads = process->threads;
    share->begun_us = wires_now_us();
    process->share = share;
    return;
none:
    free_share(share);
}

void wires_share_free(struct process *process)
{
    free_share(process->share);
    process->share = NULL;
}

static bool is_over(const struct wires_share *share)
{
    return atomic_load_explicit(share->is_over, KP_ORDER_NOTE) != 0;
}

int wires_share_cpus(struct kp_wires *wires, unsigned long *set, size_t bytes)
{
    const struct wires_share *share = ((struct process *)wires)->share;
    if (!share || is_over(share) || bytes < sizeof share->own)
        return 0;
    memset(set, 0, bytes);
    memcpy(set, &share->own, sizeof share->own);
    return CPU_COUNT(&share->own);
}

void wires_share_leave(struct wire *self)
{
    const struct wires_share *share = self->process->share;
    cpu_set_t here;
    if (self->roams || !is_over(share))
        return;
    self->roams = true;
    /* The program may have moved the thread. */
    if (sched_getaffinity(0, sizeof here, &here) == 0 && CPU_EQUAL(&here, &share->own))
        (void)sched_setaffinity(0, sizeof share->all, &share->all);
}

void wires_share_note(struct process *process, int change)
{
    struct wires_share *share = process->share;
    if (!share)
        return;
    const uint64_t now = wires_now_us();
    const int before = atomic_fetch_add_explicit(&share->waiting, change, KP_ORDER_NOTE);
    if (before < share->threads && before + change < share->threads)
        return;
    const uint64_t since = atomic_exchange_explicit(&share->since_us, now, KP_ORDER_NOTE);
    if (before < share->threads || now < since)
        return;
    const uint64_t idle =
        now - since + atomic_fetch_add_explicit(&share->idle_us, now - since, KP_ORDER_NOTE);
    if (kp_is_idle_too_long(idle, now - share->begun_us))
        atomic_store_explicit(share->is_over, 1, KP_ORDER_NOTE);
}

#else /* a build without affinity keeps no thread anywhere */

void wires_share_make(struct process *process, MPI_Comm here)
{
    (void)process, (void)here;
}

void wires_share_free(struct process *process)
{
    (void)process;
}

int wires_share_cpus(struct kp_wires *wires, unsigned long *set, size_t bytes)
{
    (void)wires, (void)set, (void)bytes;
    return 0;
}

void wires_share_leave(struct wire *self)
{
    (void)self;
}

void wires_share_note(struct process *process, int change)
{
    (void)process, (void)change;
}

#endif
