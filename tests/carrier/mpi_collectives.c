/* Tests machines over processes of an MPI. mpirun starts this program (under_mpi.sh).
 *
 * usage: mpi_collectives CARRIER.so PROCESSES PER_PROCESS [WORKERS]
 *
 * libkport finds the carrier in the folder of CARRIER.so. The results are compared with what the
 * definitions of the operations say. */
#include <kport.h>

#include "need.h"
#include "rest.h"
#include "tools/kport/common/random.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MOST_N  16
#define MOST_B  70000
#define REPEATS 30

static int per_process, workers;

/* What one processor uses. */
struct memory {
    kp_group *group;
    int rank, n;
    unsigned char *out, *in;
};

/* Byte i of the block from `from` to `to`. */
static unsigned char byte_of(int from, int to, size_t i)
{
    return (unsigned char)(from * 17 + to * 5 + (int)(i % 251));
}

static void fill(unsigned char *block, int from, int to, size_t b)
{
    for (size_t i = 0; i < b; i++)
        block[i] = byte_of(from, to, i);
}

static void check_block(const unsigned char *block, int from, int to, size_t b)
{
    for (size_t i = 0; i < b; i++)
        NEED(block[i] == byte_of(from, to, i));
}

static void index_blocks(struct memory *own, size_t b)
{
    for (int j = 0; j < own->n; j++)
        fill(own->out + (size_t)j * b, own->rank, j, b);
    NEED(kp_index(own->group, own->out, own->in, b, NULL) == 0);
    for (int j = 0; j < own->n; j++)
        check_block(own->in + (size_t)j * b, j, own->rank, b);
}

static void concat_blocks(struct memory *own, size_t b)
{
    fill(own->out, own->rank, 0, b);
    NEED(kp_concat(own->group, own->out, own->in, b, NULL) == 0);
    for (int j = 0; j < own->n; j++)
        check_block(own->in + (size_t)j * b, j, 0, b);
}

static void allreduce(struct memory *own, size_t b)
{
    const size_t count = b / 8;
    int64_t *out = (int64_t *)(void *)own->out, *in = (int64_t *)(void *)own->in;
    for (size_t i = 0; i < count; i++)
        out[i] = (int64_t)i * (own->rank + 1);
    NEED(kp_allreduce(own->group, out, in, count, KP_INT64, KP_SUM, NULL) == 0);
    for (size_t i = 0; i < count; i++)
        NEED(in[i] == (int64_t)i * own->n * (own->n + 1) / 2);
}

/* The block from i to j has (i + 2 j) % 7 times b bytes. */
static void index_lengths(struct memory *own, size_t b)
{
    size_t outs[MOST_N], ins[MOST_N], out_at[MOST_N], in_at[MOST_N], sent = 0, received = 0;
    for (int j = 0; j < own->n; j++) {
        outs[j] = (size_t)((own->rank + 2 * j) % 7) * b / 7;
        ins[j] = (size_t)((j + 2 * own->rank) % 7) * b / 7;
        out_at[j] = sent;
        in_at[j] = received;
        fill(own->out + sent, own->rank, j, outs[j]);
        sent += outs[j];
        received += ins[j];
    }
    NEED(kp_indexv(own->group, own->out, outs, out_at, own->in, ins, in_at, NULL) == 0);
    for (int j = 0; j < own->n; j++)
        check_block(own->in + in_at[j], j, own->rank, ins[j]);
}

/* A ring. */
static void exchange(struct memory *own, size_t b)
{
    const int to = (own->rank + 1) % own->n, from = (own->rank + own->n - 1) % own->n;
    const int count = own->n > 1;
    fill(own->out, own->rank, to, b);
    const kp_outgoing out = {.port = 0, .peer = to, .data = own->out, .bytes = b};
    kp_incoming in = {.port = 0, .peer = from, .data = own->in, .bytes = MOST_B, .up_to = 1};
    NEED(kp_exchange(own->group, &out, count, &in, count) == 0);
    if (count) {
        NEED(in.bytes == b);
        check_block(own->in, from, own->rank, b);
    }
}

static void all_operations(struct memory *own, uint64_t seed)
{
    static const size_t lengths[] = {0, 1, 8, 300, 3984, 3985, 5000, MOST_B};
    for (int i = 0; i < REPEATS; i++) {
        const int kind = random_below(&seed, 40);
        const size_t b = kind < 8 ? lengths[kind] : (size_t)random_below(&seed, 500);
        index_blocks(own, b);
        concat_blocks(own, b);
        NEED(kp_barrier(own->group) == 0);
        allreduce(own, b);
        index_lengths(own, b);
        exchange(own, b);
    }
}

/* With a core each, processes send blocks of this length in parts and in one, in turns. */
static void both_ways(struct memory *own)
{
    for (int i = 0; i < 16; i++) {
        index_blocks(own, 8192);
        concat_blocks(own, 8192);
    }
}

/* On the world, then on the processors with even and those with odd numbers, in backward order. */
static int program(kp_proc *self, void *arg)
{
    const size_t room = (size_t)MOST_N * MOST_B;
    struct memory own = {.group = kp_world(self), .out = malloc(room), .in = malloc(room)};
    NEED(own.out && own.in);
    own.rank = kp_processor(self);
    own.n = kp_size(own.group);
    NEED(own.n <= MOST_N);
    all_operations(&own, *(const uint64_t *)arg);
    both_ways(&own);
    int list[MOST_N], count = 0;
    for (int i = own.n - 1; i >= 0; i--)
        if (i % 2 == own.rank % 2)
            list[count++] = i;
    NEED(kp_group_create(self, list, count, &own.group) == 0);
    own.rank = kp_rank(own.group);
    own.n = count;
    all_operations(&own, 5);
    NEED(kp_group_free(own.group) == 0);
    free(own.out);
    free(own.in);
    return 0;
}

/* --- Failures --- */

static int call_different(kp_proc *self, const kp_hints *hints)
{
    const int n = kp_size(kp_world(self));
    const size_t b = kp_processor(self) == 0 ? MOST_B : 8;
    unsigned char *out = calloc((size_t)n, b), *in = calloc((size_t)n, b);
    NEED(out && in);
    const int status = kp_index(kp_world(self), out, in, b, hints);
    free(out);
    free(in);
    return status;
}

/* Processor 0 sends much more than the others expect. */
static int different(kp_proc *self, void *arg)
{
    kp_hints hints;
    (void)arg;
    NEED(kp_hints_parse(KP_INDEX, "radix,r=2", &hints) == 0);
    const int status = call_different(self, &hints);
    NEED(status == KP_EMISMATCH);
    return status;
}

/* The same, but processor 0 may choose another algorithm. If no two messages of the calls meet,
 * only the time limit ends the wait. */
static int different_algorithms(kp_proc *self, void *arg)
{
    const int status = call_different(self, NULL);
    (void)arg;
    NEED(status == KP_EMISMATCH || status == KP_ETIMEOUT);
    return KP_EMISMATCH;
}

/* Processor 0 comes late. It finds messages that the others sent before they gave up, so its first
 * barrier may succeed. */
static int late(kp_proc *self, void *arg)
{
    int status = 0;
    (void)arg;
    if (kp_processor(self) == 0)
        rest_ms(self, workers, 700);
    for (int i = 0; i < 2 && !status; i++)
        status = kp_barrier(kp_world(self));
    NEED(status == KP_ETIMEOUT);
    return status;
}

static int failing(kp_proc *self, void *arg)
{
    const int n = kp_size(kp_world(self)), number = kp_processor(self);
    (void)arg;
    if (number == n - 1)
        return 77;
    const int status = kp_barrier(kp_world(self));
    NEED(status == KP_EFAILED && kp_error(self)->processor == n - 1);
    return status;
}

/* The last processor leaves a run before the others, as often as `runs` says, and at last too
 * early: in the last run the others make one barrier more. */
struct leaving {
    int runs, run;
};

static int leave(kp_proc *self, void *arg)
{
    const struct leaving *leaving = arg;
    const int n = kp_size(kp_world(self)), number = kp_processor(self);
    NEED(kp_barrier(kp_world(self)) == 0);
    if (number == n - 1 || leaving->run < leaving->runs)
        return 0;
    const int status = kp_barrier(kp_world(self));
    NEED(status == KP_ELOST && kp_error(self)->processor == n - 1);
    NEED(strstr(kp_error(self)->sentence, "is gone"));
    return status;
}

static void leave_runs(void)
{
    const kp_config config = {
        .carrier = KP_CARRIER_MPI, .per_process = per_process, .workers = workers};
    struct leaving leaving = {.runs = 20};
    kp_machine *machine;
    NEED(kp_machine_create(&config, &machine) == 0);
    for (; leaving.run < leaving.runs; leaving.run++)
        NEED(kp_machine_run(machine, leave, &leaving, NULL) == 0);
    kp_report report;
    const int status = kp_machine_run(machine, leave, &leaving, &report);
    NEED(status == KP_ELOST || status == 0); /* 0: in a process that has only the last processor */
    NEED(kp_machine_destroy(machine) == 0);
}

/* In run 0 only processor 0 calls the broadcast, which is known at the end of the run. In run 1 all
 * call it, and none may take what run 0 has left behind for its own. */
static int broadcast_in_run(kp_proc *self, void *arg)
{
    const int number = *(const int *)arg;
    int64_t value = kp_processor(self) == 0 ? 100 + number : 0;
    if (number == 0 && kp_processor(self) > 0)
        return 0;
    const int status = kp_broadcast(kp_world(self), &value, sizeof value, 0, NULL);
    NEED(status != 0 || value == 100 + number);
    return status;
}

static void leave_a_message(void)
{
    const kp_config config = {.carrier = KP_CARRIER_MPI};
    kp_machine *machine;
    NEED(kp_machine_create(&config, &machine) == 0);
    for (int i = 0; i < 2; i++) {
        const int status = kp_machine_run(machine, broadcast_in_run, &i, NULL);
        NEED(status == KP_EMISMATCH || (i == 1 && status == KP_EFAILED));
    }
    NEED(kp_machine_destroy(machine) == 0);
}

/* One process has another number of ports. All learn it when they make the machine. */
static void differ_in_ports(void)
{
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    rank = rank ? rank : getenv("PMI_RANK");
    NEED(rank);
    const kp_config config = {.carrier = KP_CARRIER_MPI,
                              .per_process = per_process,
                              .workers = workers,
                              .ports = rank[0] == '1' ? 2 : 1};
    kp_machine *machine;
    NEED(kp_machine_create(&config, &machine) == KP_EARGUMENT && !machine);
    NEED(strstr(kp_last_error()->sentence, "ports"));
}

static void run(kp_config config, kp_program *of_each, uint64_t seed, int expected)
{
    kp_report report;
    config.carrier = KP_CARRIER_MPI;
    config.per_process = per_process;
    config.workers = workers;
    NEED(kp_run(&config, of_each, &seed, &report) == expected);
}

static void run_either(kp_config config, kp_program *of_each)
{
    config.carrier = KP_CARRIER_MPI;
    config.per_process = per_process;
    config.workers = workers;
    const int status = kp_run(&config, of_each, NULL, NULL);
    NEED(status == KP_EMISMATCH || status == KP_ETIMEOUT);
}

int main(int argc, char **argv)
{
    alarm(360);
    NEED(argc >= 4 && strrchr(argv[1], '/'));
    *strrchr(argv[1], '/') = '\0';
    setenv("KPORT_CARRIERS", argv[1], 1);
    per_process = atoi(argv[3]);
    workers = argc > 4 ? atoi(argv[4]) : 0;
    run((kp_config){.ports = 0}, program, 1, 0);
    run((kp_config){.ports = 1}, program, 2, 0);
    run((kp_config){.ports = 2}, program, 3, 0);
    if (strcmp(argv[2], "1") != 0 || strcmp(argv[3], "1") != 0) {
        run((kp_config){.ports = 1}, different, 0, KP_EMISMATCH);
        run_either((kp_config){.ports = 1, .time_limit_ms = 300}, different_algorithms);
        run((kp_config){.time_limit_ms = 200}, late, 0, KP_ETIMEOUT);
        run((kp_config){.ports = 0}, failing, 0, KP_EFAILED);
        leave_runs();
        if (per_process == 1)
            leave_a_message();
        if (strcmp(argv[2], "1") != 0)
            differ_in_ports();
    }
    run((kp_config){.ports = 1}, program, 4, 0);
    return 0;
}
