/* Drawing and printing random programs. */
#include "program.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t random_state;

static uint64_t next(void)
{
    random_state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t x = random_state;
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static size_t below(size_t limit)
{
    return (size_t)(next() % limit);
}

/* A range of a block of `process` that begins behind `least`. */
static void draw_range(int process, size_t *offset, size_t bytes)
{
    *offset = below(block_bytes(process) - bytes + 1);
}

/* What happens to block 0 in a superstep: 0: as to all others; 1: bsp_hpput; 2: it is read only. */
static int use_of_block_0(const struct program *program, uint64_t seed, int superstep)
{
    (void)program;
    return (int)(mixed(seed, (uint64_t)superstep) >> 33) % 3;
}

static void draw_op(struct program *program, struct op *op, int use)
{
    static const enum kind kinds[] = {CHANGE,  CHANGE, PUT,   PUT,   PUT,   PUT,      GET,  GET,
                                      SEND,    SEND,   MOVE,  MOVE,  MOVE,  HPMOVE,   PUSH, POP,
                                      TAGSIZE, HPPUT,  HPGET, HPPUT, HPGET, DIRECTGET};
    op->kind = kinds[below(sizeof kinds / sizeof kinds[0])];
    op->process = (int)below((size_t)program->processes);
    op->to = (int)below((size_t)program->processes);
    op->value = next();
    op->bytes = 1 + below(below(3) == 0 ? 80 : 9);
    op->block = (int)below(BLOCKS);
    op->other = (int)below(BLOCKS);
    if (use != 0) { /* block 0 is left to the hp functions */
        op->block = op->block ? op->block : 1;
        op->other = op->other ? op->other : 1;
    }
    draw_range(op->to, &op->offset, op->bytes);
    draw_range(op->process, &op->from, op->bytes);
    if (op->kind == PUSH || op->kind == POP || op->kind == TAGSIZE) {
        op->process = -1;
        op->block = (int)below(BLOCKS);
        op->bytes = below(MOST_TAG + 1);
    } else if (op->kind == SEND) {
        op->bytes = below(2) ? op->bytes : 0;
    } else if (op->kind == HPPUT) {
        op->off = use != 1;
    } else if (op->kind == HPGET || op->kind == DIRECTGET) {
        op->off = use != 2;
        op->offset = below(block_bytes(op->to) - HP_BYTES);
    }
}

/* Makes an operation a put of the same process to the same place in another process, as many
 * programs put one value to all, and again in the next superstep. */
static void put_to_another(struct op *op, const struct op *before, int processes, int use)
{
    const int to = (int)below((size_t)processes), superstep = op->superstep;
    if (before->kind != PUT || before->offset + before->bytes > block_bytes(to) ||
        (use != 0 && (before->block == 0 || before->other == 0)))
        return;
    *op = *before;
    op->superstep = superstep;
    op->to = to;
    op->from = below(block_bytes(op->process) - op->bytes + 1);
}

void program_draw(struct program *program, uint64_t seed)
{
    random_state = seed;
    *program = (struct program){.processes = 1 + (int)below(MOST_PROCESSES),
                                .supersteps = 2 + (int)below(MOST_SUPERSTEPS - 1)};
    const size_t each = below(4) == 0 ? 3 : MOST_OPS / (size_t)program->supersteps;
    for (int block = 0; block < BLOCKS; block++)
        program->ops[program->count++] =
            (struct op){.kind = PUSH, .process = -1, .block = block, .off = below(5) == 0};
    for (int superstep = 0; superstep < program->supersteps; superstep++) {
        const int use = use_of_block_0(program, seed, superstep);
        for (size_t i = 0, count = below(each + 1); i < count && program->count < MOST_OPS; i++) {
            struct op *op = &program->ops[program->count++];
            op->superstep = superstep;
            draw_op(program, op, use);
            const size_t earlier = (size_t)program->count - 1;
            if (below(2))
                put_to_another(op, op - 1 - below(earlier < 6 ? earlier : 6), program->processes,
                               use);
        }
    }
}

void program_print(const struct program *program)
{
    static const char *const names[KINDS] = {"change", "push",        "pop",   "put",
                                             "get",    "hpput",       "hpget", "direct_get",
                                             "send",   "set_tagsize", "move",  "hpmove"};
    fprintf(stderr, "%d processes, %d supersteps\n", program->processes, program->supersteps);
    for (int i = 0; i < program->count; i++) {
        const struct op *op = &program->ops[i];
        if (!op->off)
            fprintf(stderr,
                    "  superstep %d, process %d: %s, to %d, block %d + %zu, own block %d + %zu, "
                    "%zu bytes\n",
                    op->superstep, op->process, names[op->kind], op->to, op->block, op->offset,
                    op->other, op->from, op->bytes);
    }
}
