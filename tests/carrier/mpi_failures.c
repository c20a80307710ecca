/* Tests failures of machines over processes of an MPI. mpirun starts this program (under_mpi.sh).
 *
 * usage: mpi_failures CARRIER.so PROCESSES PER_PROCESS [WORKERS]
 *
 * libkport finds the carrier in the folder of CARRIER.so. Every failure must be an error at all
 * processors that it concerns, and no bytes may be wrong or moved later. */
#include <kport.h>
#include <kport/diagnosis.h>

#include "need.h"
#include "rest.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PATIENT_MS 60000
#define LONG       ((size_t)3 << 20)

static int processes, per_process, workers;

static kp_config config_of(unsigned limit_ms)
{
    return (kp_config){.carrier = KP_CARRIER_MPI,
                       .per_process = per_process,
                       .workers = workers,
                       .ports = 1,
                       .time_limit_ms = limit_ms};
}

static void run(unsigned limit_ms, kp_program *program, int expected)
{
    const kp_config config = config_of(limit_ms);
    NEED(kp_run(&config, program, NULL, NULL) == expected);
}

/* --- Calls that differ --- */

static int barrier_against_index(kp_proc *self, void *argument)
{
    int64_t out[64] = {0}, in[64];
    (void)argument;
    const int status = kp_processor(self) == 1 ? kp_barrier(kp_world(self))
                                               : kp_index(kp_world(self), out, in, 8, NULL);
    NEED(status == KP_EMISMATCH);
    NEED(strstr(kp_error(self)->sentence, "called kp_barrier"));
    NEED(strstr(kp_error(self)->sentence, "called index:"));
    NEED(strstr(kp_error(self)->sentence, "mpi_failures.c:"));
    return status;
}

/* Calls of longer blocks, whose contents may travel without a head: messages of calls that differ
 * do not meet then. */
enum longer {
    OTHER_OPERATION,
    OTHER_ALGORITHM,
    OTHER_LENGTH, /* of which both have a tag of their own */
    ODD_LENGTH,   /* that no tag tells */
    SHORT_LENGTH,
    OMITTED_CALL,       /* the calls with longer blocks are equal, but not those before */
    OMITTED_SHORT_CALL, /* the same with blocks that go with a head of 8 bytes */
    OMITTED_TINY_CALL,  /* and of 2 bytes */
    LONGER_CASES
};

static int longer_blocks(kp_proc *self, void *argument)
{
    const enum longer other = *(const int *)argument;
    const int n = kp_size(kp_world(self));
    const bool differs = kp_processor(self) == n - 1;
    const bool omits = other >= OMITTED_CALL;
    const size_t b = other == OMITTED_SHORT_CALL  ? 64
                     : other == OMITTED_TINY_CALL ? 8
                     : !differs                   ? 8192
                     : other == OTHER_LENGTH      ? 65536
                     : other == ODD_LENGTH        ? 99991
                     : other == SHORT_LENGTH      ? 8
                                                  : 8192;
    char *out = calloc((size_t)n, b), *in = calloc((size_t)n, b);
    NEED(out && in);
    kp_hints hints;
    NEED(kp_hints_parse(KP_INDEX, differs && other == OTHER_ALGORITHM ? "ring" : "radix,r=2",
                        &hints) == 0);
    /* A member may still be in an equal call when another one finds the difference. */
    int status = KP_OK;
    for (int i = 0; i < 4 && omits && !status; i++)
        status = kp_index(kp_world(self), out, in, b, &hints);
    if (omits && !differs && !status)
        status = kp_broadcast(kp_world(self), in, b, 0, NULL);
    if (!status)
        status = differs && other == OTHER_OPERATION ? kp_concat(kp_world(self), out, in, b, NULL)
                                                     : kp_index(kp_world(self), out, in, b, &hints);
    free(out);
    free(in);
    NEED(status == KP_EMISMATCH);
    NEED(strstr(kp_error(self)->sentence, "called index:"));
    NEED(strstr(kp_error(self)->sentence, "mpi_failures.c:"));
    return status;
}

/* The same call with lengths of every kind, so that none is told apart wrongly. */
static int equal_blocks(kp_proc *self, void *argument)
{
    static const size_t lengths[] = {1,    2,     3,     8,     9,     239,    240,   241,
                                     255,  256,   999,   3991,  3992,  4000,   4001,  8192,
                                     8200, 12345, 32768, 65528, 65536, 131072, 262136};
    const int n = kp_size(kp_world(self)), me = kp_processor(self);
    (void)argument;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const size_t b = lengths[i];
        const size_t all = (size_t)n * b;
        char *memory = malloc(4 * all);
        NEED(memory);
        for (int again = 0; again < 4; again++) {
            /* Each call has another place than the call before. */
            char *out = memory + (size_t)(again % 2) * all, *in = out + 2 * all;
            for (int to = 0; to < n; to++)
                memset(out + (size_t)to * b, 16 * me + to + again, b);
            NEED(kp_index(kp_world(self), out, in, b, NULL) == 0);
            for (int from = 0; from < n; from++)
                for (size_t j = 0; j < b; j++)
                    NEED(in[(size_t)from * b + j] == (char)(16 * from + me + again));
            /* In place it goes another way. */
            NEED(kp_index(kp_world(self), KP_IN_PLACE, in, b, NULL) == 0);
            for (int from = 0; from < n; from++)
                NEED(in[(size_t)from * b + b - 1] == (char)(16 * me + from + again));
        }
        free(memory);
    }
    return 0;
}

/* Processor 0 and the last one only send. The others receive from 0. */
static int different_roots(kp_proc *self, void *argument)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self);
    int64_t value = me;
    const int *barriers = argument;
    int status = kp_broadcast(kp_world(self), &value, sizeof value, me == n - 1 ? me : 0, NULL);
    if (!status && *barriers)
        status = kp_barrier(kp_world(self));
    NEED(status == KP_EMISMATCH || (!status && !*barriers));
    return status;
}

static int roots_in_a_group(kp_proc *self, void *argument)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self), list[] = {n - 1, 0};
    int64_t value = me;
    const int *frees = argument;
    kp_group *group;
    if (me != 0 && me != n - 1)
        return 0;
    NEED(kp_group_create(self, list, 2, &group) == 0);
    NEED(kp_broadcast(group, &value, sizeof value, kp_rank(group), NULL) == 0);
    return *frees ? kp_group_free(group) : 0;
}

static kp_report run_mismatched(kp_program *program, int argument)
{
    const kp_config config = config_of(0);
    kp_report report;
    NEED(kp_run(&config, program, &argument, &report) == KP_EMISMATCH);
    return report;
}

/* The end of a run tells all processes. */
static void differ_at_the_end(kp_program *program, int argument)
{
    const kp_report report = run_mismatched(program, argument);
    /* Where members wait for each other, it is found before. */
    NEED(strstr(report.error.sentence, "different calls") ||
         strstr(report.error.sentence, "called broadcast"));
}

/* Equal calls in groups that come and go, some of them left to the end of the run. */
static int equal_groups(kp_proc *self, void *argument)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self);
    int list[64], status = 0;
    (void)argument;
    for (int i = 0; i < 6 && !status; i++) {
        kp_group *group;
        int64_t value = me;
        int count = 0;
        for (int j = 0; j < n; j++)
            if (j % 2 == me % 2)
                list[count++] = j;
        NEED(kp_group_create(self, list, count, &group) == 0);
        status = kp_broadcast(group, &value, sizeof value, i % count, NULL);
        if (i % 3 < 2)
            NEED(kp_group_free(group) == 0);
    }
    return status;
}

static void equal_runs(void)
{
    const kp_config config = config_of(PATIENT_MS);
    kp_machine *machine;
    NEED(kp_machine_create(&config, &machine) == 0);
    for (int i = 0; i < 5; i++)
        NEED(kp_machine_run(machine, equal_groups, NULL, NULL) == 0);
    NEED(kp_machine_destroy(machine) == 0);
}

/* A late processor, of whom the others tell each other what they call, has called the same. */
static int late(kp_proc *self, void *argument)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self);
    int64_t value = 0, out[64] = {0}, in[64];
    (void)argument;
    for (int i = 0; i < n + 2; i++) {
        if (me == i % n)
            rest_ms(self, workers, 150);
        NEED(kp_broadcast(kp_world(self), &value, sizeof value, 0, NULL) == 0);
        NEED(kp_index(kp_world(self), out, in, 8, NULL) == 0);
        NEED(i % 2 || kp_barrier(kp_world(self)) == 0);
    }
    return 0;
}

/* --- Buffers after a failure --- */

/* A ring of long blocks, in which the last processor fails instead. Then the one before it has
 * begun to send to the last one, which looks no more after its failure. What the failed call has
 * used disappears, so a network that used it later would end the process. */
static int long_blocks(kp_proc *self, void *argument)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self);
    const size_t bytes = (size_t)(n + 1) * LONG;
    const int *late_ms = argument;
    kp_hints hints;
    char *out = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    NEED(out != MAP_FAILED && kp_hints_parse(KP_CONCAT, "ring", &hints) == 0);
    memset(out, me, LONG);
    int status = 0;
    if (me == n - 1) {
        rest_ms(self, workers, *late_ms);
        status = kp_fail(self, "does not take part");
        rest_ms(self, workers, 1500);
    } else {
        status = kp_concat(kp_world(self), out, out + LONG, LONG, &hints);
        NEED(status == KP_EFAILED);
        /* If the last one gave up before this one sent, nobody may be left who receives. */
        const bool held = strstr(kp_error(self)->sentence, "may be used until");
        NEED(!held || *late_ms == 0);
        if (held)
            return status;
    }
    NEED(munmap(out, bytes) == 0);
    return status;
}

static void long_blocks_are_free(int late_ms)
{
    const kp_config config = config_of(PATIENT_MS);
    NEED(kp_run(&config, long_blocks, &late_ms, NULL) == KP_EFAILED);
}

/* --- Reports --- */

/* What the last diagnosis of a kind says. */
static struct {
    pthread_mutex_t lock;
    kp_diagnosis_kind kind;
    int count;
    struct {
        kp_activity activity;
        int awaited;
        bool in_barrier; /* and the place is known */
    } of[64];
} told = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void keep(const kp_diagnosis *diagnosis, void *argument)
{
    (void)argument;
    pthread_mutex_lock(&told.lock);
    for (int i = 0; i < diagnosis->count && diagnosis->kind == told.kind; i++) {
        const kp_processor_report *r = &diagnosis->processors[i];
        NEED(r->processor == i);
        told.count = diagnosis->count;
        told.of[i].activity = r->activity;
        told.of[i].awaited = r->waits_for_count > 0 ? r->waits_for[0] : -1;
        told.of[i].in_barrier =
            r->call && strcmp(r->call, "kp_barrier") == 0 && strstr(r->file, "mpi_failures.c");
    }
    pthread_mutex_unlock(&told.lock);
}

/* Asserts that the processors from `first` to `end` - 1 wait. */
static void all_wait(int first, int end)
{
    for (int i = first; i < end; i++) {
        NEED(told.of[i].activity == KP_ACTIVITY_WAITING && told.of[i].in_barrier);
        NEED(told.of[i].awaited >= 0 && told.of[i].awaited != i);
    }
}

/* The last processor sleeps, and the others wait for it. */
static int one_sleeps(kp_proc *self, void *argument)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self);
    kp_machine *const *machine = argument;
    if (me < n - 1)
        return kp_barrier(kp_world(self));
    rest_ms(self, workers, 300);
    NEED(!machine || kp_machine_dump(*machine, keep, NULL) == 0);
    rest_ms(self, workers, machine ? 0 : 2500);
    return machine ? kp_barrier(kp_world(self)) : 0;
}

/* Each process that gives up itself tells what the others wait for. */
static void a_time_limit_is_explained(void)
{
    kp_config config = config_of(500);
    const int n = processes * per_process;
    kp_report report;
    config.on_failure = keep;
    told.kind = KP_DIAGNOSIS_LATE;
    told.count = 0;
    NEED(kp_run(&config, one_sleeps, NULL, &report) == KP_ETIMEOUT);
    NEED(strstr(report.error.sentence, "waited 500 ms in kp_barrier (") &&
         strstr(report.error.sentence, "mpi_failures.c:"));
    if (told.count > 0) {
        all_wait(0, n - 1);
        NEED(told.of[n - 1].activity == KP_ACTIVITY_ELSEWHERE ||
             told.of[n - 1].activity == KP_ACTIVITY_OUTSIDE || workers);
    }
}

/* The dump has all processors of this process. */
static void a_dump_has_all_local_processors(void)
{
    const kp_config config = config_of(PATIENT_MS);
    const int n = processes * per_process;
    kp_machine *machine;
    NEED(kp_machine_create(&config, &machine) == 0);
    told.kind = KP_DIAGNOSIS_DUMP;
    told.count = 0;
    NEED(kp_machine_run(machine, one_sleeps, &machine, NULL) == 0);
    if (told.count > 0) {
        all_wait(n - per_process, n - 1);
        NEED(told.of[n - 1].activity == KP_ACTIVITY_OUTSIDE);
        NEED(processes == 1 || told.of[0].activity == KP_ACTIVITY_ELSEWHERE);
    }
    NEED(kp_machine_destroy(machine) == 0);
}

/* --- Making groups, and attaching --- */

static int one_refuses_a_group(kp_proc *self, void *argument)
{
    const int n = kp_size(kp_world(self)), me = kp_processor(self), list[] = {0, n - 1};
    kp_group *group;
    (void)argument;
    int status = 0;
    if (me == 0)
        status = kp_group_create(self, list, -2, &group);
    else if (me == n - 1)
        status = kp_group_create(self, list, 2, &group);
    else
        status = kp_barrier(kp_world(self));
    NEED(status == (me == 0 ? KP_EARGUMENT : KP_EPEER));
    NEED(strstr(kp_error(self)->sentence, "count is -2"));
    return status;
}

/* Returns the first processor of this process. */
static int first_here(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    return atoi(rank) * per_process;
}

static void *attached_twice(void *argument)
{
    kp_machine *machine = argument;
    static atomic_int next;
    const int me = first_here() + atomic_fetch_add(&next, 1) % per_process;
    for (int i = 0; i < 3; i++) {
        kp_proc *self;
        while (kp_machine_attach(machine, me, &self))
            sleep_ms(1);
        if (me == 1)
            sleep_ms(30);
        NEED(kp_barrier(kp_world(self)) == 0);
        NEED(kp_machine_detach(self) == 0);
    }
    return NULL;
}

/* The thread that carries fibers is the machine's own. */
static void attaching_is_refused(void)
{
    const kp_config config = config_of(PATIENT_MS);
    kp_machine *machine;
    kp_proc *self;
    NEED(kp_machine_create(&config, &machine) == 0);
    NEED(kp_machine_attach(machine, first_here(), &self) == KP_EARGUMENT);
    NEED(strstr(kp_last_error()->sentence, "fibers"));
    NEED(kp_machine_destroy(machine) == 0);
}

static void attach_several_times(void)
{
    const kp_config config = config_of(PATIENT_MS);
    pthread_t threads[64];
    const int n = processes * per_process;
    kp_machine *machine;
    kp_proc *self;
    NEED(kp_machine_create(&config, &machine) == 0);
    /* A processor of the next process. */
    const int remote = (first_here() + per_process) % n;
    NEED(processes == 1 || (kp_machine_attach(machine, remote, &self) == KP_EARGUMENT &&
                            strstr(kp_last_error()->sentence, "in this process it may be")));
    for (int i = 0; i < per_process; i++)
        NEED(pthread_create(&threads[i], NULL, attached_twice, machine) == 0);
    for (int i = 0; i < per_process; i++)
        pthread_join(threads[i], NULL);
    NEED(kp_machine_destroy(machine) == 0);
}

/* --- A thread that ends --- */

/* The last processor of the first process ends its thread, with all fibers that it carries. */
static int one_ends_its_thread(kp_proc *self, void *argument)
{
    (void)argument;
    const int status = kp_barrier(kp_world(self));
    if (!status && kp_processor(self) == per_process - 1)
        pthread_exit(NULL);
    return status ? status : kp_barrier(kp_world(self));
}

int main(int argc, char **argv)
{
    alarm(360);
    NEED(argc >= 4 && strrchr(argv[1], '/'));
    *strrchr(argv[1], '/') = '\0';
    setenv("KPORT_CARRIERS", argv[1], 1);
    processes = atoi(argv[2]);
    per_process = atoi(argv[3]);
    workers = argc > 4 ? atoi(argv[4]) : 0;
    run(PATIENT_MS, barrier_against_index, KP_EMISMATCH);
    for (int other = 0; other < LONGER_CASES; other++)
        (void)run_mismatched(longer_blocks, other);
    run(PATIENT_MS, equal_blocks, 0);
    (void)run_mismatched(different_roots, 1);
    differ_at_the_end(different_roots, 0);
    differ_at_the_end(roots_in_a_group, 0);
    differ_at_the_end(roots_in_a_group, 1);
    equal_runs();
    run(PATIENT_MS, late, 0);
    long_blocks_are_free(0);
    long_blocks_are_free(1000);
    a_time_limit_is_explained();
    a_dump_has_all_local_processors();
    const kp_config config = config_of(PATIENT_MS);
    NEED(kp_run(&config, one_refuses_a_group, NULL, NULL) != 0);
    run(PATIENT_MS, one_ends_its_thread, KP_ELOST);
    if (workers)
        attaching_is_refused();
    else
        attach_several_times();
    return 0;
}
