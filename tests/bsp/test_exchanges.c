/* Total exchanges by bsp_put and bsp_hpput, superstep after superstep, as programs make them: again
 * and again of the same place, with something else in between. Each process works out by itself
 * what all have put to it, and compares its blocks after every superstep. What came by bsp_hpput it
 * compares at the end, as others may write there before.
 *
 * usage: test_bsp_exchanges [FIRST COUNT] */
#include "lib/bsp/job.h"
#include "tests/common/sanitized.h"

#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_PROCESSES 21
#define MOST_SIZE      200
#define BLOCK_BYTES    ((size_t)(MOST_PROCESSES * MOST_SIZE * 2))
#define SUPERSTEPS     40
#define BLOCKS         3 /* bsp_hpput writes to the last one */
#define MOST_PUTS      6 /* of a process to another one in a superstep */

/* What is different in a superstep. `who`: in what one process does. */
enum odd {
    NOTHING_ODD,
    SILENT, /* it puts nothing */
    ALL_SILENT,
    LEFT_OUT,   /* it leaves one receiver out */
    TWICE,      /* it puts to one receiver again, to the same place */
    WORD_FIRST, /* it puts a word to one receiver before, to the same place */
    WORD_LAST,
    ELSEWHERE, /* it also puts to the end of the block of one receiver */
    FIRST_ELSEWHERE,
    SENDS, /* it also sends a message */
    GETS,
    OTHER_BLOCK, /* all put to the other block */
    ANEW,        /* all register their blocks anew, after the puts */
    ODDS
};

struct superstep {
    size_t size;
    enum layout {
        IN_LINE,
        DOWNWARDS,
        WITH_GAPS,
        ONE_PLACE,
        TWO_BLOCKS, /* those with odd numbers put to the other block */
        SHORTER,    /* they put half of it */
        LAYOUTS
    } layout;
    enum by {
        PUT,
        HPPUT,
        BOTH, /* bsp_hpput to processes with odd numbers */
        BYS
    } by;
    enum odd odd;
    int who, whom;
};

struct run {
    uint64_t seed;
    int processes;
    struct superstep supersteps[SUPERSTEPS];
};

static uint64_t mixed(uint64_t x, uint64_t y)
{
    x = (x ^ y) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static void draw(struct run *run, uint64_t seed)
{
    static const size_t sizes[] = {8, 8, 8, 64, 16, 24, 33, 4, 72, 72, 200, 200};
    uint64_t state = seed;
    run->seed = seed;
    state = mixed(state, 1);
    run->processes = state % 4 == 0 ? 2 : 2 + (int)(state >> 33) % (MOST_PROCESSES - 1);
    for (int i = 0; i < SUPERSTEPS; i++) {
        struct superstep *step = &run->supersteps[i];
        state = mixed(state, (uint64_t)i + 2);
        if (i > 0 && state >> 60 != 0) {
            *step = run->supersteps[i - 1];
        } else {
            step->size = sizes[(state >> 20) % (sizeof sizes / sizeof *sizes)];
            step->layout = (state >> 30) % 2 ? IN_LINE : (enum layout)((state >> 34) % LAYOUTS);
            step->by = (state >> 50) % 2 ? PUT : (enum by)((state >> 52) % BYS);
        }
        step->odd = (state >> 40) % 4 ? NOTHING_ODD : (enum odd)((state >> 42) % ODDS);
        step->who = (int)((state >> 10) % (uint64_t)run->processes);
        step->whom = (int)((state >> 15) % (uint64_t)run->processes);
    }
}

static size_t place_of(const struct run *run, const struct superstep *step, int from)
{
    switch (step->layout) {
    case DOWNWARDS:
        return (size_t)(run->processes - 1 - from) * step->size;
    case WITH_GAPS:
        return (size_t)from * (step->size + 8);
    case ONE_PLACE:
        return 8;
    default:
        return (size_t)from * step->size;
    }
}

static void fill(unsigned char *data, size_t size, uint64_t value)
{
    for (size_t i = 0; i < size; i++)
        data[i] = (unsigned char)(mixed(value, i / 8) >> 8 * (i % 8));
}

/* What a process has. */
struct process {
    unsigned char blocks[BLOCKS][BLOCK_BYTES], model[BLOCKS][BLOCK_BYTES];
    /* What the puts of this superstep send. The source of bsp_hpput stays until bsp_sync. */
    unsigned char sent[MOST_PROCESSES][MOST_PUTS][MOST_SIZE];
    unsigned char got[8];
};

/* Makes a put, or what it does to the model of the receiver's blocks. */
static void put_one(struct process *self, bool models, bool hp, int to, int block, size_t offset,
                    const unsigned char *data, size_t size)
{
    if (models)
        memcpy(self->model[block] + offset, data, size);
    else if (hp && size == 8) /* as in most programs: the compiler knows the length */
        bsp_hpput(to, data, self->blocks[block], offset, 8);
    else if (hp)
        bsp_hpput(to, data, self->blocks[block], offset, size);
    else if (size == 8)
        bsp_put(to, data, self->blocks[block], offset, 8);
    else
        bsp_put(to, data, self->blocks[block], offset, size);
}

/* The puts of one process to another in their order. Two processes use bsp_hpput for different
 * places. */
static void put(const struct run *run, int number, int from, int to, struct process *self,
                bool models)
{
    const struct superstep *step = &run->supersteps[number];
    const bool odd = from == step->who, at_whom = odd && to == step->whom, is_odd = from % 2 == 1;
    const bool hp = step->by == HPPUT || (step->by == BOTH && to % 2 == 1);
    const size_t size = step->layout == SHORTER && is_odd ? step->size / 2 : step->size;
    const size_t place =
        hp && step->layout == ONE_PLACE ? (size_t)from * size : place_of(run, step, from);
    const size_t elsewhere = BLOCK_BYTES - step->size, word = size < 8 ? size : 8;
    const int block =
        hp ? BLOCKS - 1 : (step->odd == OTHER_BLOCK) ^ (step->layout == TWO_BLOCKS && is_odd);
    const struct {
        bool done;
        size_t offset, size;
    } puts[MOST_PUTS] = {{at_whom && step->odd == FIRST_ELSEWHERE, elsewhere, size},
                         {at_whom && step->odd == WORD_FIRST, place, word},
                         {!(odd && step->odd == SILENT) && step->odd != ALL_SILENT &&
                              !(at_whom && step->odd == LEFT_OUT),
                          place, size},
                         {at_whom && step->odd == TWICE, place, size},
                         {at_whom && step->odd == WORD_LAST, place, word},
                         {at_whom && step->odd == ELSEWHERE, elsewhere, size}};
    for (size_t i = 0; i < MOST_PUTS; i++) {
        unsigned char model[MOST_SIZE], *data = models ? model : self->sent[to][i];
        fill(data, puts[i].size,
             mixed(mixed(run->seed, (uint64_t)number), (uint64_t)(from * 4096 + to * 8) + i));
        if (puts[i].done)
            put_one(self, models, hp, to, block, puts[i].offset, data, puts[i].size);
    }
}

static void do_odd(const struct superstep *step, struct process *self)
{
    if (step->odd == ANEW) {
        for (int i = 0; i < BLOCKS; i++) {
            bsp_pop_reg(self->blocks[i]);
            bsp_push_reg(self->blocks[i], BLOCK_BYTES);
        }
    }
    if (bsp_pid() != step->who)
        return;
    if (step->odd == SENDS)
        bsp_send(step->whom, NULL, self->blocks[0], 8);
    if (step->odd == GETS)
        bsp_get(step->whom, self->blocks[0], 0, self->got, 8);
}

static void compare(const struct run *run, int number, const struct process *self, int blocks)
{
    if (memcmp(self->blocks, self->model, (size_t)blocks * BLOCK_BYTES) != 0)
        bsp_abort("seed %llu, superstep %d: process %d of %d has other bytes",
                  (unsigned long long)run->seed, number, bsp_pid(), run->processes);
}

static int run_process(int pid, void *argument)
{
    const struct run *run = argument;
    struct process *self = calloc(1, sizeof *self);
    bsp_begin(run->processes);
    for (int i = 0; i < BLOCKS; i++)
        bsp_push_reg(self->blocks[i], BLOCK_BYTES);
    bsp_sync();
    for (int number = 0; number < SUPERSTEPS; number++) {
        for (int to = 0; to < run->processes; to++)
            put(run, number, pid, to, self, false);
        do_odd(&run->supersteps[number], self);
        bsp_sync();
        for (int from = run->processes - 1; from >= 0; from--)
            put(run, number, from, pid, self, true);
        compare(run, number, self, BLOCKS - 1);
    }
    compare(run, SUPERSTEPS, self, BLOCKS);
    bsp_end();
    free(self);
    return 0;
}

int main(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : SANITIZED ? 20 : 100;
    for (uint64_t seed = first; seed < first + count; seed++) {
        struct run run;
        draw(&run, seed);
        for (int way = 0; way < 4; way++) {
            const struct kp_bsp_job job = {
                .config = {.processors = run.processes,
                           .carrier = way == 0 ? KP_CARRIER_THREADS : KP_CARRIER_FIBERS,
                           .workers = way == 0   ? 0
                                      : way == 2 ? 2
                                                 : 1,
                           .seed = way == 3 ? seed : 0}};
            int exit_status = 0;
            if (way > 0 && !kp_fibers())
                continue;
            if (kp_bsp_run(&job, run_process, &run, NULL, &exit_status) != 0 || exit_status != 0) {
                fprintf(stderr, "seed %llu: %s\n", (unsigned long long)seed,
                        kp_last_error()->sentence);
                return 1;
            }
        }
    }
    printf("%llu programs of total exchanges have put what they should\n",
           (unsigned long long)count);
    return 0;
}
