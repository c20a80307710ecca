#include "tools/kport/tune/time.h"

#include "lib/problem/operation.h"
#include "lib/tune/profile.h"
#include "ports/port.h"
#include "tools/kport/command.h"
#include "tools/kport/common/interrupt.h"
#include "tools/kport/common/operation_call.h"
#include "tools/kport/common/processes.h"
#include "tools/kport/run/participant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The value of each byte in the buffers. Eight such bytes, read as a float64, are a small number,
 * so sums stay finite. */
#define PATTERN 0x3f

struct timed_member {
    char *out, *in;
    size_t out_room, in_room;
    double start, end;
};

/* What is timed: calls of `problem`, or rounds of `bytes` bytes. */
struct timed {
    struct timed_machine *timing;
    const kp_problem *problem; /* the problem of the calls; NULL: rounds of kp_exchange are timed */
    size_t bytes;
    uint64_t warm, calls;
};

double timed_now(void)
{
    return (double)processes_now() * 1e-9;
}

static double clock_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* --- Buffers --- */

static size_t buffer_bytes(const kp_problem *p, int rank, kp_space space)
{
    size_t blocks = kp_operation_blocks(p->operation, space) == KP_BLOCK_EACH ? (size_t)p->n : 1;
    return kp_operation_holds(p, rank, space) ? blocks * p->b : 0;
}

double timed_bytes(const kp_problem *problem)
{
    double bytes = 0;
    for (int i = 0; i < problem->n; i++)
        bytes += (double)buffer_bytes(problem, i, KP_OUT) + (double)buffer_bytes(problem, i, KP_IN);
    return bytes;
}

/* Makes a buffer of at least `bytes` bytes. The buffer is written, so that it gets memory pages of
 * its own. Otherwise all its pages would be the same page of zeros. */
static bool make_room(char **buffer, size_t *room, size_t bytes)
{
    if (bytes <= *room && *buffer)
        return true;
    free(*buffer);
    void *memory = NULL;
    *room = bytes > 64 ? bytes : 64;
    if (posix_memalign(&memory, 64, *room) != 0)
        memory = NULL;
    *buffer = memory;
    if (memory)
        memset(memory, PATTERN, *room);
    return memory != NULL;
}

/* --- The program of one processor --- */

static int all_here(kp_group *world)
{
    return kp_exchange(world, NULL, 0, NULL, 0);
}

static int one_round(kp_group *world, const struct timed *timed, struct timed_member *member)
{
    int n = kp_size(world), rank = kp_rank(world);
    if (timed->bytes == 0 || n == 1)
        return all_here(world);
    kp_outgoing out = {.peer = (rank + 1) % n, .data = member->out, .bytes = timed->bytes};
    kp_incoming in = {.peer = (rank + n - 1) % n, .data = member->in, .bytes = timed->bytes};
    return kp_exchange(world, &out, 1, &in, 1);
}

static int one_call(kp_group *world, const struct timed *timed, struct timed_member *member)
{
    const kp_problem *p = timed->problem;
    if (!p)
        return one_round(world, timed, member);
    kp_hints hints = {.algorithm = p->algorithm};
    memcpy(hints.values, p->values, sizeof hints.values);
    kp_arguments arguments = participant_arguments(p);
    arguments.out = kp_operation_row(p->operation)->one_buffer ? NULL : member->out;
    arguments.in = member->in;
    arguments.hints = &hints;
    return operation_call(world, &arguments);
}

static int program(kp_proc *self, void *argument)
{
    const struct timed *timed = argument;
    int rank = kp_processor(self);
    kp_group *world = kp_world(self);
    struct timed_member *member = &timed->timing->members[rank - processes_first()];
    const kp_problem *p = timed->problem;
    if (!make_room(&member->out, &member->out_room,
                   p ? buffer_bytes(p, rank, KP_OUT) : timed->bytes) ||
        !make_room(&member->in, &member->in_room, p ? buffer_bytes(p, rank, KP_IN) : timed->bytes))
        return kp_fail(self, "no memory for the buffers");
    int status = 0;
    for (uint64_t i = 0; i < timed->warm && !status; i++)
        status = one_call(world, timed, member);
    if (!status)
        status = all_here(world);
    member->start = clock_now();
    for (uint64_t i = 0; i < timed->calls && !status; i++)
        status = one_call(world, timed, member);
    member->end = clock_now();
    return status;
}

/* --- The machine --- */

int timed_machine_open(struct timed_machine *timing, const kp_config *config, int n, int k)
{
    kp_config own = *config;
    own.processors = n;
    own.ports = k;
    /* A profile without measurements. This profile has only the thresholds, with the values that
     * the new profile will have. */
    static kp_profile here;
    here.thresholds = *kp_thresholds_here();
    own.profile = &here;
    /* If each thread can have a core of its own, the threads are pinned. Otherwise a run might
     * start two threads on the same core. In a long program the system would move one of the
     * threads to another core. But that takes longer than a sample. */
    int threads = own.carrier == KP_CARRIER_THREADS  ? n
                  : own.carrier == KP_CARRIER_FIBERS ? own.workers
                                                     : 0; /* mpirun places processes */
    if (own.pin == KP_PIN_AUTO && kp_pinning() && threads > 0 && threads <= kp_cores())
        own.pin = KP_PIN_ALWAYS;
    *timing = (struct timed_machine){.n = processes_here(n)};
    timing->members = calloc((size_t)timing->n, sizeof *timing->members);
    if (!timing->members) {
        fprintf(stderr, "kport: no memory for %d processors\n", n);
        return EXIT_IMPOSSIBLE;
    }
    if (kp_machine_create(&own, &timing->machine)) {
        fprintf(stderr, "kport: %s\n", kp_last_error()->sentence);
        return EXIT_IMPOSSIBLE;
    }
    return EXIT_DONE;
}

static void free_buffers(struct timed_machine *timing)
{
    for (int i = 0; i < timing->n && timing->members; i++) {
        free(timing->members[i].out);
        free(timing->members[i].in);
        timing->members[i] = (struct timed_member){.out = NULL};
    }
}

void timed_machine_close(struct timed_machine *timing)
{
    kp_machine_destroy(timing->machine);
    free_buffers(timing);
    free(timing->members);
    *timing = (struct timed_machine){.n = 0};
}

/* Makes a run, and prints an error message if it fails. Returns an exit status. */
static int carry_out(struct timed_machine *timing, const struct timed *timed)
{
    kp_report report;
    char text[256] = "a round";
    if (!kp_machine_run(timing->machine, program, (void *)(uintptr_t)timed, &report))
        return EXIT_DONE;
    if (timed->problem)
        kp_problem_format(timed->problem, text, sizeof text);
    fprintf(stderr, "kport: %s: %s\n", text, report.error.sentence);
    return EXIT_FAILED;
}

static double run(struct timed_machine *timing, const struct timed *timed)
{
    double bytes = timed->problem ? timed_bytes(timed->problem) : 0;
    if (interrupt_came())
        return -1;
    if (bytes < (double)timing->bytes_held / 4)
        free_buffers(timing);
    if (bytes < (double)timing->bytes_held / 4 || bytes > (double)timing->bytes_held)
        timing->bytes_held = (size_t)bytes;
    double begin = clock_now(), start = 0, end = 0;
    if (carry_out(timing, timed))
        return -1;
    for (int i = 0; i < timing->n; i++) {
        start = timing->members[i].start > start ? timing->members[i].start : start;
        end = timing->members[i].end > end ? timing->members[i].end : end;
    }
    double us = (end - start) * 1e6 / (double)timed->calls;
    double common[] = {us > 1e-3 ? us : 1e-3, clock_now() - begin};
    if (processes_agree(common, 2))
        return -1;
    timing->longest = common[1] > timing->longest ? common[1] : timing->longest;
    return common[0];
}

double timed_call(struct timed_machine *timing, const kp_problem *problem, uint64_t warm,
                  uint64_t calls)
{
    return run(timing,
               &(struct timed){.timing = timing, .problem = problem, .warm = warm, .calls = calls});
}

double timed_round(struct timed_machine *timing, size_t bytes, uint64_t calls)
{
    return run(timing,
               &(struct timed){.timing = timing, .bytes = bytes, .warm = 2, .calls = calls});
}
