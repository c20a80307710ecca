/* Random BSP programs as data: drawn, carried out one process after the other (the reference), and
 * carried out by lib/bsp. */
#ifndef KPORT_TESTS_BSP_PROGRAM_H
#define KPORT_TESTS_BSP_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_PROCESSES  8
#define MOST_SUPERSTEPS 12
#define MOST_OPS        400
#define BLOCKS          4  /* of each process, which may be registered */
#define BLOCK_BYTES     96 /* the longest; that of process p is p bytes shorter */
#define MOST_TAG        24

enum kind {
    CHANGE,    /* the process writes to a block of its own */
    PUSH,      /* all processes do */
    POP,       /* all processes do */
    PUT,       /* from the own block `other` at `from` */
    GET,       /* to the own block `other` at `from` */
    HPPUT,     /* to block 0, which nobody else uses in this superstep */
    HPGET,     /* from block 0, which nobody writes in this superstep */
    DIRECTGET, /* the same */
    SEND,
    TAGSIZE, /* all processes do */
    MOVE,
    HPMOVE,
    KINDS
};

struct op {
    enum kind kind;
    int superstep, process, to; /* process: -1: all */
    int block, other;
    size_t offset, from, bytes;
    uint64_t value;
    bool off; /* left out: by the shrinking, or because it would be wrong */
};

struct program {
    int processes, supersteps, count;
    struct op ops[MOST_OPS];
};

/* What the processes see: after each superstep a hash of all blocks, and at the end a hash of all
 * messages, and of what bsp_hpget and bsp_direct_get have read. */
struct outcome {
    uint64_t blocks[MOST_PROCESSES][MOST_SUPERSTEPS];
    uint64_t seen[MOST_PROCESSES], fetched[MOST_PROCESSES];
};

void program_draw(struct program *program, uint64_t seed);
void program_print(const struct program *program);

static inline size_t block_bytes(int process)
{
    return (size_t)(BLOCK_BYTES - process);
}

/* What bsp_hpput sends and what bsp_hpget fills lies in memory of its own. */
#define HP_BYTES 8

static inline uint64_t mixed(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static inline uint64_t mixed_bytes(uint64_t hash, const void *data, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        hash = mixed(hash, ((const unsigned char *)data)[i]);
    return mixed(hash, bytes);
}

static inline void fill(void *data, size_t bytes, uint64_t value)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)data)[i] = (unsigned char)(mixed(value, i) >> 40);
}

/* A hash of a process's blocks after a superstep. In the next superstep others may write to block 0
 * at any time, so it counts at the end only. */
static inline uint64_t hash_of_blocks(const struct program *program, int superstep,
                                      unsigned char (*blocks)[BLOCK_BYTES])
{
    const int first = superstep < program->supersteps - 1 ? 1 : 0;
    return mixed_bytes(0, blocks[first], (size_t)(BLOCKS - first) * BLOCK_BYTES);
}

/* Carries the program out in one thread, by the rules of BSPlib, and switches off what would be
 * wrong. */
void reference_run(struct program *program, struct outcome *outcome);

#endif
