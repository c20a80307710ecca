/* A schedule of MSCCL (microsoft/msccl-tools, Azure/msccl-scheduler, ROCm/rccl), as an XML file
 * describes it. Every rank has thread blocks. A thread block carries out its steps in order. It is
 * at the end of at most two connections: it sends to one rank and receives from one rank, over one
 * channel. The steps read and write chunks of three buffers. read.c reads a file. */
#ifndef KPORT_TOOLS_MSCCL_H
#define KPORT_TOOLS_MSCCL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A file beyond one of these limits is refused. They bound the memory and the time that a file can
 * cost. */
#define MSCCL_MOST_BYTES  ((size_t)64 << 20) /* of the file */
#define MSCCL_MOST_TAG    ((size_t)1 << 20)  /* of one tag or comment */
#define MSCCL_MOST_RANKS  4096
#define MSCCL_MOST_BLOCKS ((uint32_t)1 << 20)
#define MSCCL_MOST_STEPS  ((uint32_t)1 << 22)
#define MSCCL_MOST_CHUNKS ((uint32_t)1 << 24) /* of all buffers of all ranks */
#define MSCCL_MOST_UNITS  ((uint32_t)1 << 23) /* of all steps */

#define MSCCL_NONE UINT32_MAX /* no step */

enum msccl_buffer {
    MSCCL_INPUT,
    MSCCL_OUTPUT,
    MSCCL_SCRATCH,
    MSCCL_BUFFERS
};

/* What a step does, as a set of these. A step that receives and reads adds the two. */
enum {
    MSCCL_RECEIVES = 1,
    MSCCL_READS = 2,  /* reads the chunks at `from` */
    MSCCL_WRITES = 4, /* writes the chunks at `to` */
    MSCCL_ADDS = 8,   /* adds to the chunks at `to`, instead of writing them */
    MSCCL_SENDS = 16,
};

struct msccl_kind {
    const char *name; /* the word in the file */
    int does;
};

struct msccl_step {
    const struct msccl_kind *kind;
    uint32_t block; /* the index in `blocks` */
    int32_t line;   /* the line of the file */
    uint8_t from_buffer, to_buffer;
    bool signals; /* hasdep: after this step the thread block tells the others how far it is */
    int32_t from, to, count;
    /* The step waits until thread block `waits_block` of its rank signals that step `waits_step` is
     * done; -1: it does not wait. `waits` is the index in `steps`; MSCCL_NONE if there is no such
     * step. */
    int32_t waits_block, waits_step;
    uint32_t waits;
    uint32_t signal; /* the first step from this one on that signals; MSCCL_NONE: none does */
};

struct msccl_block {
    int32_t rank, id, line;
    int32_t send, receive; /* the ranks at the other ends; -1: none */
    int32_t channel;
    uint32_t first, count; /* its steps */
};

struct msccl_rank {
    int32_t chunks[MSCCL_BUFFERS];
    int32_t line;          /* 0: the file has not named the rank */
    uint32_t first, count; /* its thread blocks, in the order of the file */
    uint32_t first_step, steps;
};

/* What the file says that its steps do together. */
enum msccl_collective {
    MSCCL_ALLREDUCE,
    MSCCL_ALLGATHER,
    MSCCL_REDUCESCATTER,
    MSCCL_ALLTOALL,
    MSCCL_BROADCAST,
    MSCCL_REDUCE,
    MSCCL_CUSTOM, /* nobody knows what is to arrive */
    MSCCL_COLLECTIVES
};

struct msccl {
    char name[128], protocol[16];
    enum msccl_collective collective;
    int32_t n;      /* the number of ranks */
    int32_t chunks; /* nchunksperloop: the chunks of the larger one of input and output */
    int32_t root;   /* -1: the file does not name it */
    bool in_place, out_of_place;
    int32_t misnumbered; /* the line of the first step whose number is not its place; 0: none */
    int32_t copy;        /* the line of the first <copy>, which the runtimes pass over; 0: none */
    struct msccl_rank *ranks;
    struct msccl_block *blocks;
    struct msccl_step *steps;
    uint32_t block_count, step_count;
};

/* Returns the word for the collective, as in "allreduce". */
const char *msccl_collective_name(enum msccl_collective collective);
bool msccl_reduces(enum msccl_collective collective);

/* `msccl_input_chunks` returns the number of chunks of the input buffer of a rank, as the
 * collective has it, and `msccl_output_chunks` that of the output buffer. A custom collective has
 * what the file declares. */
int32_t msccl_input_chunks(const struct msccl *m, int32_t rank);
int32_t msccl_output_chunks(const struct msccl *m, int32_t rank);

/* Writes a step's name to `text`, as in "rank 3 tb 2 step 5 (rrc)". Returns `text`. */
#define MSCCL_NAME 80
char *msccl_step_name(const struct msccl *m, uint32_t step, char text[MSCCL_NAME]);

#define MSCCL_ERROR 400

/* `msccl_read` reads a file; "-" is standard input. `msccl_parse` reads text. Both return NULL
 * after an error, and write a sentence to `error`. The sentence names the line. */
struct msccl *msccl_read(const char *path, char error[MSCCL_ERROR]);
struct msccl *msccl_parse(const char *text, size_t length, char error[MSCCL_ERROR]);
void msccl_free(struct msccl *m);

#endif
