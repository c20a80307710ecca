/* Random programs of supersteps on threads and fibers, in several orders, beside the reference. A
 * program that differs is made shorter, and printed. With OVER_WIRE the processes share no memory
 * (tests/common/over_wire.c, over_mpi.c), and their data goes by each way in turn.
 *
 * usage: test_bsp_random [FIRST COUNT], over an MPI with the carrier's path before */
#include "program.h"

#include "lib/bsp/job.h"

#include "tests/common/sanitized.h"
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct run {
    const struct program *program;
    const struct kp_bsp_job *job;
    struct outcome *outcome;
    bool ran[MOST_PROCESSES]; /* over an MPI only one process runs here */
};

/* What one process has. */
struct process {
    unsigned char blocks[BLOCKS][BLOCK_BYTES];
    unsigned char sent[MOST_OPS][HP_BYTES], got[MOST_OPS][HP_BYTES];
    size_t come_tag_bytes, tag_bytes,
        next_tag_bytes; /* of messages that have come, that are sent */
    uint64_t seen, fetched;
};

static void look(struct process *self, const void *data, size_t bytes)
{
    self->seen = mixed_bytes(self->seen, data, bytes);
}

static void take_message(struct process *self, const struct op *op)
{
    unsigned char data[BLOCK_BYTES], tag[MOST_TAG];
    void *tag_at, *data_at;
    int bytes = 0;
    if (op->kind == HPMOVE) {
        const ptrdiff_t length = bsp_hpmove(&tag_at, &data_at);
        look(self, tag_at, self->come_tag_bytes);
        look(self, data_at, (size_t)length);
        return;
    }
    bsp_get_tag(&bytes, tag);
    look(self, tag, self->come_tag_bytes);
    bsp_move(data, op->bytes);
    look(self, data, (size_t)bytes < op->bytes ? (size_t)bytes : op->bytes);
}

static void carry_out(struct process *self, const struct op *op, size_t number)
{
    unsigned char tag[MOST_TAG], *own = self->blocks[op->other];
    size_t tag_bytes = op->bytes;
    switch (op->kind) {
    case CHANGE:
        fill(own + op->from, op->bytes, op->value);
        break;
    case PUSH:
        bsp_push_reg(self->blocks[op->block], block_bytes(bsp_pid()));
        break;
    case POP:
        bsp_pop_reg(self->blocks[op->block]);
        break;
    case PUT:
        bsp_put(op->to, own + op->from, self->blocks[op->block], op->offset, op->bytes);
        break;
    case GET:
        bsp_get(op->to, self->blocks[op->block], op->offset, own + op->from, op->bytes);
        break;
    case HPPUT:
        fill(self->sent[number], HP_BYTES, op->value);
        bsp_hpput(op->to, self->sent[number], self->blocks[0], (size_t)(bsp_pid() * HP_BYTES),
                  HP_BYTES);
        break;
    case HPGET:
        bsp_hpget(op->to, self->blocks[0], op->offset, self->got[number], HP_BYTES);
        break;
    case DIRECTGET:
#ifdef OVER_WIRE
        if (op->to != bsp_pid()) {
            bsp_hpget(op->to, self->blocks[0], op->offset, self->got[number], HP_BYTES);
            break;
        }
#endif
        bsp_direct_get(op->to, self->blocks[0], op->offset, self->got[number], HP_BYTES);
        break;
    case SEND:
        fill(tag, self->tag_bytes, op->value + 1);
        bsp_send(op->to, tag, own + op->from, op->bytes);
        break;
    case TAGSIZE:
        bsp_set_tagsize(&tag_bytes);
        if (tag_bytes != self->next_tag_bytes)
            self->seen = 1;
        self->next_tag_bytes = op->bytes;
        break;
    default:
        take_message(self, op);
    }
}

static bool reads_hp(const struct op *op)
{
    return op->kind == HPGET || op->kind == DIRECTGET;
}

/* What bsp_hpget has read is there after the sync. */
static void run_superstep(const struct program *program, struct process *self, int superstep)
{
    const int pid = bsp_pid();
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < program->count; i++) {
            const struct op *op = &program->ops[i];
            if (op->off || op->superstep != superstep || (op->process >= 0 && op->process != pid))
                continue;
            if (pass == 0)
                carry_out(self, op, (size_t)i);
            else if (reads_hp(op))
                self->fetched = mixed_bytes(self->fetched, self->got[i], HP_BYTES);
        }
        if (pass == 0)
            bsp_sync();
    }
}

static int run_process(int number, void *argument)
{
    struct run *run = argument;
    struct process *self = calloc(1, sizeof *self);
    (void)number;
    bsp_begin(bsp_nprocs());
    for (int superstep = 0; superstep < run->program->supersteps; superstep++) {
        run_superstep(run->program, self, superstep);
        self->come_tag_bytes = self->tag_bytes;
        self->tag_bytes = self->next_tag_bytes;
        run->outcome->blocks[bsp_pid()][superstep] =
            hash_of_blocks(run->program, superstep, self->blocks);
    }
    run->outcome->seen[bsp_pid()] = self->seen;
    run->outcome->fetched[bsp_pid()] = self->fetched;
    run->ran[bsp_pid()] = true;
    bsp_end();
    free(self);
    return 0;
}

static void ignore(void *argument, const struct kp_finding *finding)
{
    (void)argument;
    if (finding->ends || strcmp(finding->kind, "changed") == 0) {
        fprintf(stderr, "%s\n", finding->sentence);
        abort();
    }
}

#ifdef OVER_WIRE
static int take_part(kp_proc *proc, void *argument)
{
    struct run *run = argument;
    int exit_status = 0;
    const int status = kp_bsp_take_part(run->job, proc, run_process, run, &exit_status);
    return status ? status : exit_status;
}

static int run_job(const struct kp_bsp_job *job, struct run *run)
{
    const int status = kp_run(&job->config, take_part, run, NULL);
    if (status)
        fprintf(stderr, "%s\n", kp_last_error()->sentence);
    return status;
}
#else
static int run_job(const struct kp_bsp_job *job, struct run *run)
{
    int exit_status = 0;
    const int status = kp_bsp_run(job, run_process, run, NULL, &exit_status);
    return status ? status : exit_status;
}
#endif

static bool is_equal(const struct run *run, const struct outcome *expected)
{
    bool equal = true;
    for (int pid = 0; pid < run->program->processes; pid++) {
        if (run->ran[pid])
            equal = equal && expected->seen[pid] == run->outcome->seen[pid] &&
                    expected->fetched[pid] == run->outcome->fetched[pid] &&
                    memcmp(expected->blocks[pid], run->outcome->blocks[pid],
                           sizeof expected->blocks[pid]) == 0;
    }
    return equal;
}

/* Returns whether the program does the same as the reference. */
static bool agrees(struct program *program, const struct kp_bsp_job *job)
{
    static struct outcome expected, found;
    struct kp_bsp_job own = *job;
    struct run run = {.program = program, .job = &own, .outcome = &found};
    reference_run(program, &expected);
    memset(&found, 0, sizeof found);
    own.config.processors = program->processes;
    if (own.config.workers > program->processes)
        own.config.workers = program->processes;
    return run_job(&own, &run) == 0 && is_equal(&run, &expected);
}

/* Leaves out what the difference does not need. */
static void shrink(struct program *program, const struct kp_bsp_job *job)
{
    for (int length = program->count / 2; length > 0; length /= 2) {
        for (int first = 0; first < program->count; first += length) {
            struct program smaller = *program;
            for (int i = first; i < first + length && i < program->count; i++)
                smaller.ops[i].off = true;
            if (!agrees(&smaller, job))
                *program = smaller;
        }
    }
    while (program->supersteps > 1) {
        struct program smaller = *program;
        smaller.supersteps--;
        if (agrees(&smaller, job))
            break;
        *program = smaller;
    }
}

static const struct way {
    const char *name;
    kp_carrier carrier;
    int workers;
    bool seeded, checks;
    const char *moved; /* KPORT_BSP_WAY */
} ways[] = {
#ifdef OVER_WIRE
    {"a wire", KP_CARRIER_THREADS, 0, false, false, ""},
    {"a wire, by messages", KP_CARRIER_THREADS, 0, false, false, "messages"},
    {"a wire, by indexv", KP_CARRIER_THREADS, 0, false, false, "indexv"},
    {"a wire, by route", KP_CARRIER_THREADS, 0, false, false, "route"},
    {"a wire, with checks", KP_CARRIER_THREADS, 0, false, true, ""},
#else
    {"threads", KP_CARRIER_THREADS, 0, false, false, NULL},
    {"fibers", KP_CARRIER_FIBERS, 1, true, false, NULL},
    {"fibers of two workers", KP_CARRIER_FIBERS, 2, false, false, NULL},
    {"fibers, with checks", KP_CARRIER_FIBERS, 1, true, true, NULL},
#endif
};

#ifdef OVER_MPI
static const bool shrinks = false; /* the processes would not do it alike */
#define SKIPPED 1
#else
static const bool shrinks = true;
#define SKIPPED 0
#endif

int main(int argc, char **argv)
{
    argc -= SKIPPED;
    argv += SKIPPED;
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : SANITIZED ? 100 : 300;
    static struct program program;
    for (uint64_t seed = first; seed < first + count; seed++) {
        for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
            const struct kp_bsp_job job = {.config = {.carrier = ways[i].carrier,
                                                      .workers = ways[i].workers,
                                                      .seed = ways[i].seeded ? seed : 0},
                                           .checks = ways[i].checks,
                                           .tell = ignore};
            if (ways[i].carrier == KP_CARRIER_FIBERS && !kp_fibers())
                continue;
            if (ways[i].moved)
                (void)setenv("KPORT_BSP_WAY", ways[i].moved, 1);
            program_draw(&program, seed);
            if (agrees(&program, &job))
                continue;
            if (shrinks)
                shrink(&program, &job);
            fprintf(stderr, "seed %llu differs from the reference on %s:\n",
                    (unsigned long long)seed, ways[i].name);
            program_print(&program);
            return 1;
        }
    }
    printf("%llu programs agree with the reference, in %zu ways each\n", (unsigned long long)count,
           sizeof ways / sizeof ways[0]);
    return 0;
}
