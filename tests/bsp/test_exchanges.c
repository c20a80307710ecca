/* Total exchanges by bsp_put, superstep after superstep, as programs make them: again and again of
 * the same place, with something else in between. Each process works out by itself what all have
 * put to it, and compares its blocks after every superstep.
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

/* What is different in a superstep. `who`: in what one process does. */
enum odd {
    NOTHING_ODD,
    SILENT, /* it puts nothing */
    ALL_SILENT,
    LEFT_OUT,  /* it leaves one receiver out */
    TWICE,     /* it puts to one receiver again, to the same place */
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

/* The puts of one process to another in their order: bsp_put does them, or the model of the
 * receiver's blocks. */
static void put(const struct run *run, int number, int from, int to,
                unsigned char blocks[2][BLOCK_BYTES], unsigned char model[2][BLOCK_BYTES])
{
    const struct superstep *step = &run->supersteps[number];
    const bool odd = from == step->who, at_whom = odd && to == step->whom;
    const struct {
        bool done;
        size_t offset;
    } puts[] = {{at_whom && step->odd == FIRST_ELSEWHERE, BLOCK_BYTES - step->size},
                {!(odd && step->odd == SILENT) && step->odd != ALL_SILENT &&
                     !(at_whom && step->odd == LEFT_OUT),
                 place_of(run, step, from)},
                {at_whom && step->odd == TWICE, place_of(run, step, from)},
                {at_whom && step->odd == ELSEWHERE, BLOCK_BYTES - step->size}};
    const bool is_odd = from % 2 == 1;
    const size_t size = step->layout == SHORTER && is_odd ? step->size / 2 : step->size;
    const int block = (step->odd == OTHER_BLOCK) ^ (step->layout == TWO_BLOCKS && is_odd);
    for (size_t i = 0; i < sizeof puts / sizeof *puts; i++) {
        unsigned char data[MOST_SIZE];
        fill(data, size,
             mixed(mixed(run->seed, (uint64_t)number), (uint64_t)(from * 4096 + to * 8) + i));
        if (!puts[i].done)
            continue;
        if (model)
            memcpy(model[block] + puts[i].offset, data, size);
        else if (size == 8) /* as most programs: the compiler knows the length */
            bsp_put(to, data, blocks[block], puts[i].offset, 8);
        else
            bsp_put(to, data, blocks[block], puts[i].offset, size);
    }
}

/* A get stores in `got`, at the next bsp_sync. */
static void do_odd(const struct superstep *step, unsigned char blocks[2][BLOCK_BYTES],
                   unsigned char got[8])
{
    if (step->odd == ANEW) {
        for (int i = 0; i < 2; i++) {
            bsp_pop_reg(blocks[i]);
            bsp_push_reg(blocks[i], BLOCK_BYTES);
        }
    }
    if (bsp_pid() != step->who)
        return;
    if (step->odd == SENDS)
        bsp_send(step->whom, NULL, blocks[0], 8);
    if (step->odd == GETS)
        bsp_get(step->whom, blocks[0], 0, got, 8);
}

static int run_process(int pid, void *argument)
{
    const struct run *run = argument;
    unsigned char(*blocks)[BLOCK_BYTES] = calloc(2, BLOCK_BYTES),
             (*model)[BLOCK_BYTES] = calloc(2, BLOCK_BYTES), got[8];
    bsp_begin(run->processes);
    for (int i = 0; i < 2; i++)
        bsp_push_reg(blocks[i], BLOCK_BYTES);
    bsp_sync();
    for (int number = 0; number < SUPERSTEPS; number++) {
        for (int to = 0; to < run->processes; to++)
            put(run, number, pid, to, blocks, NULL);
        do_odd(&run->supersteps[number], blocks, got);
        bsp_sync();
        for (int from = run->processes - 1; from >= 0; from--)
            put(run, number, from, pid, NULL, model);
        if (memcmp(blocks, model, 2 * BLOCK_BYTES) != 0)
            bsp_abort("seed %llu, superstep %d: process %d of %d has other bytes",
                      (unsigned long long)run->seed, number, pid, run->processes);
    }
    bsp_end();
    free(blocks);
    free(model);
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
